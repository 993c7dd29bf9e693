"""What commands that train ask of the C library's allocator, where it is GNU's.

An update takes hundreds of megabytes and gives them back, and the allocator gives those to the system, which clears
each of their pages when it is touched the next time: a fifth of an update's time. Told to keep them, and to ask for
pages of two megabytes where the system has such, it needs neither. It reads how it is to behave when a process begins.
"""

from __future__ import annotations

import os
import platform
import sys

TEACHING = {"train", "trials", "precision"}
VARIABLE = "GLIBC_TUNABLES"
TUNABLES = f"glibc.malloc.hugetlb=1:glibc.malloc.mmap_max=0:glibc.malloc.trim_threshold={1 << 40}"


def keep_memory() -> None:
    """Begin this process anew, with the same arguments, if its command is one that trains and the allocator has not
    been told yet; whoever has told it something else is not overruled."""
    if TEACHING.isdisjoint(sys.argv[1:]) or VARIABLE in os.environ or platform.libc_ver()[0] != "glibc":
        return
    os.environ[VARIABLE] = TUNABLES
    sys.stdout.flush()
    os.execv(sys.executable, [sys.executable, *sys.orig_argv[1:]])
