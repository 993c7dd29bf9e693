"""Decide whether search uses the numba kernels, and compile them in a background thread.

Compiled code is kept on disk (`model.decoding.fast.compilation`) and loads in a fraction of a second; the first time
takes some seconds. A server compiles in the background (`compile_in_background`) and searches with torch alone until
that is done, or for good if it fails. Without a server, the first search waits.
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
_thread_lock = threading.Lock()
_has_failed = False  # compilation in the background
_is_disabled = False


def get_decoding_kernels(tensor: Tensor, module: str = "search_kernels") -> Any:
    """Return this module of `model.decoding.fast` if its kernels can run on tensors like this one, else None."""
    is_compiling = _thread is not None and _thread.is_alive() and _thread is not threading.current_thread()
    if is_compiling or _has_failed or _is_disabled or tensor.dtype != torch.float32 or not tensor.is_cpu:
        return None
    return import_module(f"model.decoding.fast.{module}")


@contextmanager
def disable_kernels() -> Iterator[None]:
    """Run fast decoders with torch alone in this block, to compare kinds of networks fairly.

    A `FastRNNsearch` that has used the kernels before keeps using them.
    """
    global _is_disabled
    previous, _is_disabled = _is_disabled, True
    try:
        yield
    finally:
        _is_disabled = previous


def compile_in_background() -> None:
    """Compile all kernels that search uses in a background thread, once per process."""
    global _thread
    with _thread_lock:
        if _thread is None:
            thread = threading.Thread(target=_compile, name="compiling")
            thread.start()
            _thread = thread  # not before the start, which may fail


def _compile() -> None:
    global _has_failed
    try:
        import_module("model.decoding.fast.warm_up").compile_all()
    except Exception as error:
        _has_failed = True  # what is not compiled yet would fail during a translation
        reason = shorten_message(" ".join(f"{type(error).__name__}: {error}".split()))
        _log.warning("search is not compiled, and translates more slowly: %s", reason)
