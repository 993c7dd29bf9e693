"""When search uses what numba compiles for it (`model.decoding.fast.search_kernels`), and its background compilation.

Once compiled, it is kept on disk (`model.decoding.fast.compilation`) and loaded in a fraction of a second. The first
time takes some seconds. A server compiles in a background thread (`compile_behind`), and searches with torch alone
until that is done; if it fails, for good. Whoever translates without a server waits.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

import torch
from torch import Tensor

from model.serialization.messages import shorten_message

_log = logging.getLogger(__name__)
_thread: threading.Thread | None = None
_has_failed = False  # compiling in the background
_without = False


def get_kernels(like: Tensor) -> Any:
    """`model.decoding.fast.search_kernels`, if it can take what is like this: on a processor, in float32. Else None."""
    is_compiling = _thread is not None and _thread.is_alive() and _thread is not threading.current_thread()
    if is_compiling or _has_failed or _without or like.dtype != torch.float32 or not like.is_cpu:
        return None
    return import_module("model.decoding.fast.search_kernels")


@contextmanager
def disable_kernels() -> Iterator[None]:
    """Within this nothing compiled is taken by what is made within it, so that kinds of networks that have nothing
    compiled can be compared with those that have."""
    global _without
    before, _without = _without, True
    try:
        yield
    finally:
        _without = before


def compile_in_background() -> None:
    """Compile all that search uses in a background thread, once a process."""
    global _thread
    if _thread is None:
        _thread = threading.Thread(target=_compile, name="compiling")
        _thread.start()


def _compile() -> None:
    global _has_failed
    try:
        import_module("model.decoding.fast.compiled_rnnsearch").try_out()
    except Exception as error:
        _has_failed = True  # whatever is not compiled yet would fail in somebody's translation
        reason = shorten_message(" ".join(f"{type(error).__name__}: {error}".split()))
        _log.warning("search is not compiled, and translates more slowly: %s", reason)
