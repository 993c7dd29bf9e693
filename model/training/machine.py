"""The hardware that trains: its description, memory and support for bfloat16."""

from __future__ import annotations

import os
import platform
from pathlib import Path

import torch

from model.training.losses.common import get_training_kernels

KERNEL_CACHE_SIZE = "64"


def limit_kernel_cache() -> None:
    """Limit oneDNN's cache of compiled matrix products, unless the environment sets it.

    oneDNN compiles every new shape of a bfloat16 product, quickly, and keeps 1,024 of them, some 3 MB each. Batches
    have ever new shapes. Has an effect only before the first such product.
    """
    for variable in ("ONEDNN_PRIMITIVE_CACHE_CAPACITY", "LRU_CACHE_CAPACITY"):
        os.environ.setdefault(variable, KERNEL_CACHE_SIZE)


class SizeError(ValueError):
    """Something needs more memory than the machine has."""


def get_memory() -> int | None:
    """Return the machine's memory in bytes; None if the system does not report it."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return None


def check_memory(required: int, task: str) -> None:
    """Raise SizeError if a task requires more bytes than the machine has."""
    memory = get_memory()
    if memory is not None and required > memory:
        raise SizeError(f"{task} takes at least {required / 2**30:,.0f} GiB, but this machine has "
                        f"{memory / 2**30:,.1f} GiB of memory; take smaller sizes")


def supports_bfloat16(device: torch.device) -> bool:
    """Return whether the hardware multiplies in bfloat16; emulated, it is slower than float32."""
    if device.type == "cuda":
        return torch.cuda.is_bf16_supported(including_emulation=False)
    return bool(torch.cpu.get_capabilities().get("avx512_bf16"))


def describe_machine(device: torch.device, use_bfloat16: bool, processes: int = 1) -> str:
    """Return one line on the hardware and software, for cards and benchmarks."""
    products = "bfloat16 matrix products" if use_bfloat16 else "float32"
    group = f"{processes} processes, each on " if processes > 1 else ""
    if device.type == "cuda":
        return f"{group}{torch.cuda.get_device_name(device)}, {products}, torch {torch.__version__}"
    cores = f"{torch.get_num_threads()} of {os.cpu_count()} cores"
    numba = ", numba" if get_training_kernels() else ""
    return f"{group}{_describe_processor()}, {cores}, {products}, torch {torch.__version__}{numba}"


def _describe_processor() -> str:
    """Return the processor's name."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()
