"""What computes: one line that says so, and the bound on what it remembers."""

from __future__ import annotations

import os
import platform
from pathlib import Path

import torch

from model.training.losses.common import get_kernels

KERNELS = "64"


def limit_kernel_cache() -> None:
    """Keep memory flat: let no more than KERNELS compiled matrix products stay, unless the environment says otherwise.

    oneDNN compiles every new shape of a bfloat16 product, which takes next to no time, and would keep the last 1,024,
    some 3 MB each. Batches bring new shapes all the time. Heeded only before the first such product.
    """
    for variable in ("ONEDNN_PRIMITIVE_CACHE_CAPACITY", "LRU_CACHE_CAPACITY"):
        os.environ.setdefault(variable, KERNELS)


class SizeError(ValueError):
    """Something larger than the memory; the message says how much it takes and how much there is."""


def memory() -> int | None:
    """The machine's memory in bytes; None where the system does not tell it so."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return None


def check_memory(needed: int, what: str) -> None:
    """Raise SizeError where `what` needs more bytes than the machine has."""
    there = memory()
    if there is not None and needed > there:
        raise SizeError(f"{what} takes at least {needed / 2**30:,.0f} GiB, but this machine has {there / 2**30:,.1f} "
                        "GiB of memory; take smaller sizes")


def supports_bfloat16(device: torch.device) -> bool:
    """Whether the device itself multiplies in bfloat16; where that is emulated it takes longer than float32."""
    if device.type == "cuda":
        return torch.cuda.is_bf16_supported(including_emulation=False)
    return bool(torch.cpu.get_capabilities().get("avx512_bf16"))


def describe_machine(device: torch.device, half: bool, processes: int = 1) -> str:
    """One line on what computed, for cards and benchmarks."""
    products = "bfloat16 matrix products" if half else "float32"
    several = f"{processes} processes, each on " if processes > 1 else ""
    if device.type == "cuda":
        return f"{several}{torch.cuda.get_device_name(device)}, {products}, torch {torch.__version__}"
    cores = f"{torch.get_num_threads()} of {os.cpu_count()} cores"
    compiled = ", numba" if get_kernels() else ""
    return f"{several}{_processor()}, {cores}, {products}, torch {torch.__version__}{compiled}"


def _processor() -> str:
    """The processor's name where the system tells it."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()
