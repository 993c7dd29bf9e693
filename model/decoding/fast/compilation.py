"""Compile functions with numba, and keep the machine code on disk for the next process.

What is on disk may be damaged, foreign, not writable, or the disk full. None of that stops a call or changes a result:

- numba reads and writes a working folder of this process alone, so that it never meets another process's half-written
  files.
- From one process to the next the code goes in one archive, which is replaced in one step and begins with a checksum.
  numba would trust any file, so an archive whose checksum is wrong is deleted, and its functions are compiled anew.
- Where the archive cannot be stored, or the working folder fails, functions are compiled in memory.

Nothing is read or written before a compiled function is first called.
"""

from __future__ import annotations

import contextlib
import functools
import io
import logging
import os
import platform
import sys
import tempfile
import threading
import zipfile
from collections.abc import Callable, Iterable
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import Any

# For its error messages, also those that nobody sees, numba replaces and restores sys.stdout and sys.stderr. In a
# background thread that undoes a change by the main thread, whose output is lost. numba reads this at its import.
os.environ.setdefault("NUMBA_DISABLE_ERROR_MESSAGE_HIGHLIGHTING", "1")

import numba
from numba.extending import typeof_impl

from model.serialization.files import replace_file

_log = logging.getLogger(__name__)
_numba_config: Any = numba.config  # whose attributes are made when it is imported

SOURCE_FOLDER = Path(__file__).resolve().parent
"""The folder of all modules with compiled functions.

A change to any of them discards the archive: numba compares only a function's own file, but compiles the functions that
it calls into it.
"""

USER_CACHE_NAME = "align-translate"  # in the user's folder for caches
WORKING_FOLDER_PREFIX = "align-translate-"  # in the system's folder for temporary files, with a random end
CHECKSUM_SIZE = sha256().digest_size


class CompiledFunction:
    """A function that is compiled for the types of its arguments when it is first called with them.

    Compiled functions may call one another. Results go into arrays that are arguments, so a call that fails while it
    compiles has changed nothing, and can be repeated.
    """

    def __init__(self, function: Callable[..., Any], **options: Any) -> None:
        """Remember the function and the options of `numba.njit`; this neither compiles nor touches a file."""
        functools.update_wrapper(self, function)
        self._function = function
        self._options = options
        self._dispatchers: dict[bool, Any] = {}

    @property
    def dispatcher(self) -> Any:
        """The function as numba made it, with its code cached on disk where that works."""
        is_cached = _cache.is_usable()
        if is_cached not in self._dispatchers:
            dispatcher = _cache.create_dispatcher(self._function, is_cached, **self._options)
            self._dispatchers.setdefault(is_cached, dispatcher)
        return self._dispatchers[is_cached]

    def __call__(self, *arguments: Any) -> Any:
        dispatcher = self.dispatcher
        overloads = getattr(dispatcher, "overloads", ())  # NUMBA_DISABLE_JIT leaves the plain function
        count = len(overloads)
        try:
            result = dispatcher(*arguments)
        except Exception as error:  # numba's cache raises anything that reading or unpickling raises
            _cache.disable(error)
            if self.dispatcher is dispatcher:  # it was compiled in memory: the error is not the cache's
                raise
            return self(*arguments)
        if len(overloads) != count:
            _cache.store()
        return result


@typeof_impl.register(CompiledFunction)
def _typeof(function: CompiledFunction, _: Any) -> Any:
    """Let one compiled function call another."""
    return numba.typeof(function.dispatcher)


def jit(function: Callable[..., Any], *, keeps_order: bool = False, is_inline: bool = False) -> Any:
    """Compile a function with numba when it is first called; it runs without the interpreter's lock.

    Fused multiply-add is allowed, and sums in any order unless `keeps_order`. Infinities and NaN are kept, so that a
    loss that is not finite is noticed.

    is_inline: compile the function into its callers. Otherwise numba stores a separately optimised copy with each
    caller, and a process that loads the caller may round differently from the one that compiled both.
    """
    fastmath = {"contract"} if keeps_order else {"reassoc", "contract", "arcp", "nsz", "afn"}
    return CompiledFunction(function, fastmath=fastmath, error_model="numpy", nogil=True, forceinline=is_inline)


class _Cache:
    """numba's working folder, and the archive that outlives it. Safe to use from several threads."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._is_open = False
        self._folder: tempfile.TemporaryDirectory[str] | None = None  # None: everything is compiled in memory
        self._stored_files: dict[str, tuple[int, int]] = {}  # what of the working folder is in the archive

    def is_usable(self) -> bool:
        """Tell whether numba may cache on disk; the first call unpacks the archive."""
        if not self._is_open:
            with self._lock:
                if not self._is_open:
                    self._unpack_archive()
                    self._is_open = True
        return self._folder is not None

    def _unpack_archive(self) -> None:
        folder = None
        try:
            folder = tempfile.TemporaryDirectory(prefix=WORKING_FOLDER_PREFIX, ignore_cleanup_errors=True)
            if (archive_bytes := _load_archive()) is not None:
                with zipfile.ZipFile(io.BytesIO(archive_bytes)) as archive:
                    archive.extractall(folder.name)
            self._stored_files = _list_files(folder.name)
            self._folder = folder
        except Exception as error:
            _log.info("compiling in memory: %s", error)
            if folder is not None:
                folder.cleanup()

    def create_dispatcher(self, function: Callable[..., Any], is_cached: bool, **options: Any) -> Any:
        """Return what `numba.njit` makes of a function, cached in the working folder or not at all."""
        with self._lock:
            previous_folder = _numba_config.CACHE_DIR
            if is_cached and self._folder is not None:
                _numba_config.CACHE_DIR = self._folder.name
                try:
                    return numba.njit(function, cache=True, **options)
                except Exception as error:
                    self.disable(error)
                finally:
                    _numba_config.CACHE_DIR = previous_folder
            return numba.njit(function, **options)

    def disable(self, error: Exception) -> None:
        """Compile in memory from now on, because of an error of the working folder."""
        with self._lock:
            if self._folder is not None:
                _log.info("compiling in memory: %s", error)
                self._folder.cleanup()
                self._folder = None

    def store(self) -> None:
        """Replace the archive where numba has written something new; on failure the code stays in this process."""
        with self._lock:
            if self._folder is None:
                return
            try:
                files = _list_files(self._folder.name)
                if files == self._stored_files or not self._stored_files.keys() <= files.keys():
                    return  # nothing new, or files were removed, and the archive holds more
                _store_archive(_pack(self._folder.name, files))
                self._stored_files = files
            except Exception as error:
                _log.info("compiled code is not kept for the next time: %s", error)


_cache = _Cache()


def _list_files(folder: str) -> dict[str, tuple[int, int]]:
    """Return numba's files in a folder, by relative name, with size and time of change."""
    files = {}
    for path in Path(folder).rglob("*.nb[ic]"):  # not those it is still writing, which end in another way
        info = path.stat()
        files[path.relative_to(folder).as_posix()] = info.st_size, info.st_mtime_ns
    return files


def _pack(folder: str, names: Iterable[str]) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", strict_timestamps=False) as archive:  # whatever the clock says
        for name in names:
            archive.write(Path(folder, name), name)
    return stream.getvalue()


def _load_archive() -> bytes | None:
    """Return the contents of the archive that was stored last, or None. Archives that do not verify are deleted."""
    contents: dict[float, bytes] = {}
    for path in _list_archive_paths():
        try:
            content, modified_at = path.read_bytes(), path.stat().st_mtime
        except OSError:
            continue
        archive_bytes = content[CHECKSUM_SIZE:]
        if content[:CHECKSUM_SIZE] == _compute_checksum(archive_bytes):
            contents[modified_at] = archive_bytes
        else:
            _log.info("discarding compiled code that is damaged or of other sources: %s", path)
            with contextlib.suppress(OSError):
                path.unlink()
    return contents[max(contents)] if contents else None


def _store_archive(archive_bytes: bytes) -> None:
    """Write the archive to the first place that takes it. Raises the last place's OSError where none does."""
    content, failure = _compute_checksum(archive_bytes) + archive_bytes, OSError("there is no folder for it")
    for path in _list_archive_paths():
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            replace_file(path, content)
        except OSError as error:
            failure = error
        else:
            return
    raise failure


def _list_archive_paths() -> list[Path]:
    """Return where the archive may be: beside the code, and in the user's folder for caches if there is one.

    The name tells environments apart that share such a folder. Processors need not be told apart: numba does that
    within its files, whose folder it names after the code's own path.
    """
    environment = (sys.implementation.cache_tag, platform.machine(), numba.__version__, version("llvmlite"),
                   SOURCE_FOLDER)
    name = f"compiled-{sha256(repr(environment).encode()).hexdigest()[:16]}.cache"
    folders = [SOURCE_FOLDER / "__pycache__"]
    cache_home = os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA")
    with contextlib.suppress(RuntimeError):  # there is no home
        folders.append((Path(cache_home) if cache_home else Path.home() / ".cache") / USER_CACHE_NAME)
    return [folder / name for folder in folders]


def _compute_checksum(archive_bytes: bytes) -> bytes:
    """Return the checksum of an archive's contents and of the sources they were compiled from."""
    return sha256(_digest_sources() + archive_bytes).digest()


@functools.cache
def _digest_sources() -> bytes:
    return sha256(b"".join(path.read_bytes() for path in sorted(SOURCE_FOLDER.glob("*.py")))).digest()
