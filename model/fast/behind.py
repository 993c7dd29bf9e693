"""When what numba compiles for search (`model.fast.steps`, `model.fast.tiles`) is taken, and how it is compiled behind.

Compiled once, it is kept on the disk (`model.fast.loops.compiled`) and loaded in a fraction of a second. The first time
takes some seconds: a server spends them in a thread behind (`compile_behind`) and goes by what is not compiled until
then; whoever translates without a server waits for it.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from typing import Any

import torch
from torch import Tensor

from model.fast.products import MOST_THREADS

_thread: threading.Thread | None = None
_without = False


def steps(like: Tensor) -> Any:
    """`model.fast.steps`, if it can take what is like this: on a processor, in float32. Else None."""
    return _module("steps") if _fits(like) else None


def tiles(like: Tensor) -> Any:
    """`model.fast.tiles`, if it can take what is like this and is worth it: with few of torch's threads, on a processor
    that has such products. Else None."""
    if not _fits(like) or torch.get_num_threads() > MOST_THREADS or not torch.cpu._is_amx_tile_supported():
        return None
    return _module("tiles")


@contextmanager
def uncompiled() -> Iterator[None]:
    """Within this nothing compiled is taken by what is made within it, so that kinds of networks that have nothing
    compiled can be compared with those that have."""
    global _without
    before, _without = _without, True
    try:
        yield
    finally:
        _without = before


def compile_behind() -> None:
    """Compile everything in a thread, once a process."""
    global _thread
    if _thread is None:
        _thread = threading.Thread(target=_compile, name="compiling")
        _thread.start()


def _compile() -> None:
    import_module("model.quick_compiled").try_out()


@cache
def _module(name: str) -> Any:
    return import_module(f"model.fast.{name}")


def _fits(like: Tensor) -> bool:
    if _without or like.dtype != torch.float32 or not like.is_cpu:
        return False
    return _thread is None or not _thread.is_alive() or _thread is threading.current_thread()
