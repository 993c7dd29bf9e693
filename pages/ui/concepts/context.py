"""What the picture of an idea is drawn from: the sentence, translations of it, and measurements of a model."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from model.decoding import StopCallback
from model.trace import Trace
from pages.ui.backend import service
from pages.ui.i18n.messages import Messages
from pages.ui.url_state import params, state
from pages.ui.widgets.fetch import Request, SentenceInput
from pages.ui.widgets.present import describe_error, get_translations, wait_for
from pages.ui.widgets.status import Status

if TYPE_CHECKING:
    from model.checkpoints.checkpoint import Model

Result = TypeVar("Result")


@dataclass(frozen=True)
class IdeaContext:
    """The sentence in the box, the texts, and the status line for waits and problems."""

    sentence: SentenceInput
    t: Messages
    status: Status

    def translate(self, model_names: Sequence[str]) -> list[Trace] | None:
        """Return the greedy translations of the sentence by these models, None if there is nothing to show.

        After a failure these may be translations of the previous sentence; the status line then says so.
        """
        requests = [Request(name, params.SEARCHES["greedy"]) for name in model_names]
        translations = get_translations(self.sentence, requests, self.t, self.status)
        return [traces[0] for traces in translations if traces] if translations else None

    def measure(
        self, model_name: str, key: Hashable, compute: Callable[[Model, StopCallback], Result]
    ) -> Result | None:
        """Run `compute` with a model in the queue and return its result; None after a failure, which the status line
        explains. The result is cached under `key`, which must name everything it depends on except the model."""
        future = service.get_service().measure(model_name, key, compute, state.get_reader_id())
        wait_for([future], lambda: self.t("status.working"), self.status)
        error = future.exception()
        if error is None:
            return future.result()
        self.status.show_problem(describe_error(error, model_name, self.t))
        return None
