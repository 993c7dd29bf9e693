"""Text that commands read from a file or from standard input."""

from __future__ import annotations

import codecs
import contextlib
import inspect
import io
import lzma
import queue
import sys
import threading
from collections.abc import Generator, Iterable, Iterator
from pathlib import Path
from typing import BinaryIO, cast

from model.serialization.messages import shorten_message
from model.text.documents import DocumentError, decode
from model.text.pair_files import build_read_error, open_file, read_bytes

MAX_LINE_BYTES = 1_000_000  # hundreds of times what a model can read


def read_input_bytes(file: str) -> tuple[bytes, str]:
    """Return the content of a file (plain or .xz), or of standard input for "-", and its name. Raises ValueError."""
    if file != "-":
        return read_bytes(file), file
    with _open_binary(file) as stream:
        return stream.read(), "standard input"


@contextlib.contextmanager
def open_lines(file: str) -> Iterator[Iterator[str | ValueError]]:
    """Iterate over the lines of a file (plain or .xz), or of standard input for "-".

    A line that is not UTF-8 or has MAX_LINE_BYTES or more gives an error instead; it is never held as a whole.
    """
    stream = _open_binary(file)
    lines = decode_lines(stream, "standard input" if file == "-" else file)
    try:
        yield lines
    finally:
        if inspect.getgeneratorstate(lines) != inspect.GEN_RUNNING:  # close() would wait for the reading thread
            stream.close()


def _open_binary(file: str) -> BinaryIO:
    """Open a file (plain or .xz), or standard input for "-". Raises ValueError if standard input is closed.

    Standard input gets a buffer of its own: Python ends with a fatal error if a thread that waits for a line holds the
    lock of the buffer of `sys.stdin`.
    """
    if file != "-":
        return cast("BinaryIO", open_file(Path(file)))
    if sys.stdin is None:
        raise ValueError("standard input is closed; give a file, or a text through a pipe")
    try:
        return open(sys.stdin.fileno(), "rb", closefd=False)
    except io.UnsupportedOperation:  # a stream without a file number, as in tests
        return cast("BinaryIO", sys.stdin.buffer)


def decode_lines(stream: BinaryIO, name: str) -> Generator[str | ValueError]:
    """Yield the lines of a stream in UTF-8, or in UTF-16 if it begins with a byte order mark.

    Raises CorpusError for a damaged .xz file.
    """
    try:
        yield from _decode_stream(stream, name)
    except (EOFError, lzma.LZMAError) as error:
        raise build_read_error(Path(name), error) from error


def _decode_stream(stream: BinaryIO, name: str) -> Iterator[str | ValueError]:
    for number, line in enumerate(_read_bounded_lines(stream), 1):
        if number == 1 and line is not None and line.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
            yield from _decode_utf_16(line + stream.read(), name)
            return
        location = f"line {number} of {shorten_message(name)}"
        if line is None:
            yield ValueError(f"{location} has {MAX_LINE_BYTES:,} bytes or more; put one sentence on a line")
            continue
        try:
            yield line.decode("utf-8-sig" if number == 1 else "utf-8").rstrip("\r\n")
        except UnicodeDecodeError as error:
            yield ValueError(f"{location} is not UTF-8 (byte {error.start + 1}); save the text as UTF-8")


def _decode_utf_16(data: bytes, name: str) -> Iterator[str | ValueError]:
    """Yield the lines of a text in UTF-16. It is decoded as a whole: its line ends are not single bytes."""
    try:
        yield from io.StringIO(decode(data), newline=None).read().removesuffix("\n").split("\n")
    except DocumentError as error:
        yield ValueError(f"{shorten_message(name)} {error.predicate}")


def _read_bounded_lines(stream: BinaryIO) -> Iterator[bytes | None]:
    """Yield the lines of a stream; None for a line of MAX_LINE_BYTES or more, which is skipped."""
    while line := stream.readline(MAX_LINE_BYTES):
        if len(line) < MAX_LINE_BYTES:
            yield line
            continue
        while line and not line.endswith(b"\n"):
            line = stream.readline(MAX_LINE_BYTES)
        yield None


def group_arriving_lines(lines: Iterable[str | ValueError], max_lines: int) -> Iterator[list[str | ValueError]]:
    """Yield lines in groups: those that have arrived, up to `max_lines`.

    So each line that a person types is a group, and a file comes in full groups. An error of the reader is raised after
    all lines before it.
    """
    arrived: queue.Queue[str | ValueError | None] = queue.Queue(2 * max_lines)
    errors: list[Exception] = []

    def read() -> None:
        try:
            for line in lines:
                arrived.put(line)
        except Exception as error:  # any error: raised by the thread that waits for lines
            errors.append(error)
        arrived.put(None)

    threading.Thread(target=read, daemon=True).start()
    line: str | ValueError | None = ""
    while line is not None:
        group: list[str | ValueError] = []
        line = arrived.get()
        while line is not None:
            group.append(line)
            if len(group) == max_lines or arrived.empty():
                break
            line = arrived.get()
        if group:
            yield group
    if errors:
        raise errors[0]
