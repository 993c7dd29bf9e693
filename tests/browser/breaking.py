"""A server on which no sentence can be decoded and one page cannot be drawn (`serving`'s first module).

No test imports this: it breaks the process that does.
"""

from typing import NoReturn

from pages.ui.backend import service
from pages.ui.results import claims

REASON = "Ran out of input"  # what a compiler's cut file comes to


def fail(*_: object) -> NoReturn:
    raise EOFError(REASON)


for module, name in ((service, "translate_sentence"), (service, "translate_slice"), (claims, "read_claims")):
    assert hasattr(module, name)
    setattr(module, name, fail)
