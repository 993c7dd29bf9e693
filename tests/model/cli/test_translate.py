"""`translate`: lines in, translations out, in order and as they come."""

from __future__ import annotations

import contextlib
import io
import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from model.cli import text_input
from model.decoding import Settings
from model.paths import ROOT
from model.text.normalise import normalise
from model.trace import Trace
from tests.hostile import CASES
from tests.model.cli.running import Run, assert_one_error


def test_lines_come_out_in_order_and_as_many_as_went_in(run: Run, tiny: Path) -> None:
    lines = ["The grey cat sleeps.", "", "Yes.", "   ", "My sister reads a green book in the garden."]
    together = run("translate", "--model", str(tiny), stdin="\n".join(lines).encode() + b"\n")
    assert together[0] == 0
    out = together[1].split("\n")
    assert len(out) == len(lines) + 1  # the last line ends too
    assert (out[1], out[3]) == ("", "")
    alone = [run("translate", "-m", str(tiny), stdin=line.encode())[1] for line in lines if line.strip()]
    assert [line for line in out if line] == [line.rstrip("\n") for line in alone if line.strip()]


def test_json_lines_are_traces(run: Run, tiny: Path, tmp_path: Path) -> None:
    file = tmp_path / "lines.txt"
    file.write_bytes(b"\xef\xbb\xbfThe cat sleeps.\r\n\r\nNo, thank you.")
    code, out, _ = run("translate", "-m", str(tiny), "--format", "json", "--beam", "3", str(file))
    lines = out.splitlines()
    assert code == 0
    assert len(lines) == 3
    assert lines[1] == "null"
    trace = Trace.from_json(lines[0])
    assert trace.source.text == "The cat sleeps."
    assert trace.made_by.settings["beam"] == 3
    card = json.loads((tiny / "card.json").read_text())
    assert trace.made_by.fingerprint == card["sha256"]["weights.safetensors"][:12]


def test_the_n_best_stand_under_each_other(run: Run, tiny: Path) -> None:
    code, out, _ = run("translate", "-m", str(tiny), "--beam", "4", "--n-best", "3", stdin=b"Yes.\n\nThe cat sleeps.")
    assert code == 0
    first, blank, second = out.split("\n")[:3], out.split("\n")[3], out.split("\n")[4:7]
    assert blank == ""
    for group in (first, second):
        ranks, scores, _ = zip(*(line.split("\t") for line in group), strict=True)
        assert ranks == ("1", "2", "3")
        assert sorted(map(float, scores), reverse=True) == list(map(float, scores))
    best = run("translate", "-m", str(tiny), "--beam", "4", stdin=b"Yes.\n")[1]
    assert best == first[0].split("\t")[2] + "\n"


def test_a_beginning_is_kept_and_the_tree_is_noted(run: Run, tiny: Path) -> None:
    options = ("--beam", "2", "--begin", "Le chat", "--tree", "-f", "json")
    code, out, _ = run("translate", "-m", str(tiny), *options, stdin=b"Yes.\nNo.")
    assert code == 0
    traces = [Trace.from_json(line) for line in out.splitlines()]
    assert [trace.target.text.startswith("Le chat") for trace in traces] == [True, True]
    assert all(trace.tree is not None for trace in traces)


def test_symbols_are_copied_and_other_signs_named_by_their_line(run: Run, tiny: Path) -> None:
    lines = "The cat sleeps 🐱.\nNo, thank you.\nThe 猫 sleeps. ♥ ≥\n🎉 Yes."
    code, out, err = run("translate", "-m", str(tiny), stdin=lines.encode())
    assert code == 0
    assert err == ("warning: line 3: tiny reads 猫 ≥ as bytes only and may invent words; leave out what the "
                   "translation can do without\n")
    plain = run("translate", "-m", str(tiny), stdin=b"The cat sleeps.\nYes.")[1].splitlines()
    found = out.splitlines()
    assert [found[0].replace("🐱", "").replace(" ", ""), found[3]] == [plain[0].replace(" ", ""), f"🎉 {plain[1]}"]
    trace = Trace.from_json(run("translate", "-m", str(tiny), "-f", "json", stdin="Yes 🐱.".encode())[1])
    assert (trace.source.text, [one.text for one in trace.target.symbols]) == ("Yes 🐱.", ["🐱"])


LINES = b"The cat sleeps.\n\n" + b"word " * 3000 + b"\nYes.\ncaf\xe9 noir\n" + b"x" * 30_000 + b"\nNo.\n"


@pytest.mark.parametrize("options", [(), ("--batch", "1"), ("--beam", "3", "--n-best", "1"), ("-f", "json")])
def test_a_line_that_cannot_be_translated_is_empty_and_named(run: Run, tiny: Path, options: tuple[str, ...]) -> None:
    """Those before and after it are translated as they are without it."""
    code, out, err = run("translate", "-m", str(tiny), *options, stdin=LINES)
    lines = out.split("\n")[:-1]
    good = [run("translate", "-m", str(tiny), *options, stdin=line)[1].rstrip("\n")
            for line in (b"The cat sleeps.", b"Yes.", b"No.")]  # fmt: skip
    blank = "null" if "json" in options else ""
    assert code == 2
    if "json" not in options:
        assert lines == [good[0], blank, blank, good[1], blank, blank, good[2]]
    else:
        assert [line == "null" for line in lines] == [False, True, True, False, True, True, False]
        assert [Trace.from_json(lines[place]).source.text for place in (0, 3, 6)] == ["The cat sleeps.", "Yes.", "No."]
    told = err.splitlines()
    assert len(told) == 3
    assert all(line.startswith("error: ") for line in told)
    for line, expected in zip(told, (("Sentence 3", "512"), ("line 5", "byte 4", "UTF-8"), ("Sentence 6", "30,000")),
                              strict=True):
        assert all(part in line for part in expected), line


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_lines_in_utf_16_are_lines(encoding: str) -> None:
    for text in ("Un café.\r\n\r\nDeux.\r\n", "Un café.\n\nDeux."):
        given = io.BytesIO(("\ufeff" + text).encode(encoding))
        assert list(text_input.decode_lines(given, "x.txt")) == ["Un café.", "", "Deux."]
    (cut,) = text_input.decode_lines(io.BytesIO("\ufeffab".encode(encoding) + b"c"), "x.txt")
    assert isinstance(cut, ValueError)
    assert str(cut).startswith("x.txt is not UTF-8 text")


def test_a_line_without_an_end_is_passed_over_and_never_held(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text_input, "MAX_LINE_BYTES", 100)
    asked: list[int] = []

    class Watched(io.BytesIO):
        def readline(self, size: int | None = -1, /) -> bytes:
            asked.append(-1 if size is None else size)
            return super().readline(size)

    long = [b"a" * 98 + b"\n", b"b" * 99 + b"\n", b"c" * 350 + b"\n", b"d" * 1000]
    given = b"".join([long[0], long[1], b"The cat.\r\n", long[2], b"\n", long[3]])
    out = list(text_input.decode_lines(Watched(given), "x.txt"))
    assert [line if isinstance(line, str) else "" for line in out] == ["a" * 98, "", "The cat.", "", "", ""]
    told = [str(line) for line in out if isinstance(line, ValueError)]
    assert [line.split(" of ")[0] for line in told] == ["line 2", "line 4", "line 6"]
    assert all("x.txt has 100 bytes or more" in line for line in told)
    assert set(asked) == {100}


@pytest.mark.parametrize("name", CASES)
def test_hostile_lines(run: Run, tiny: Path, name: str) -> None:
    """Whatever comes in: as many lines out, and a sentence for each that is left empty. Nothing but text."""
    content = CASES[name].encode("utf-8", "surrogatepass")
    if len(content) > 4000:  # long ones cost time and show nothing more in a batch: each line stands for itself
        content = content[:4000] if "\n" in CASES[name] else content
    code, out, err = run("translate", "-m", str(tiny), stdin=content)
    assert out.count("\n") == len(content.split(b"\n")) - (content.endswith(b"\n") or not content)
    told = [line for line in err.splitlines() if not line.startswith("warning: line ")]
    assert code == (2 if told else 0)
    assert all(line.startswith("error: ") for line in told)
    assert all(len(line) < 500 for line in err.splitlines())
    assert "\x1b" not in out + err


@pytest.mark.parametrize("name", CASES)
def test_hostile_beginnings(run: Run, tiny: Path, name: str) -> None:
    """Whatever a translation is to begin with: it does, or one sentence says why not."""
    begin = CASES[name].replace("\0", "")  # which no argument of a process can hold
    code, out, err = run("translate", "-m", str(tiny), "--begin", begin, "-f", "json", stdin=b"The cat sleeps.")
    assert "\x1b" not in out + err
    if code:
        assert_one_error((code, out, err))
        assert out == "null\n"
    elif wanted := normalise(begin):
        assert Trace.from_json(out).target.text.startswith(wanted)


@pytest.mark.parametrize("chosen", [
    {"beam": 3, "length_penalty": "gnmt", "alpha": 0.7, "beta": 0.3, "stop": "beam"},
    {"sample": True, "temperature": 0.5, "top_k": 4, "top_p": 0.75, "seed": 8},
])  # fmt: skip
def test_every_choice_of_a_search_reaches_it(run: Run, tiny: Path, chosen: dict[str, Any]) -> None:
    options = [f"--{name.replace('_', '-')}" + ("" if value is True else f"={value}") for name, value in chosen.items()]
    code, out, err = run("translate", "-m", str(tiny), "-f", "json", *options, stdin=b"The cat sleeps.")
    assert (code, err) == (0, "")
    made_by = Trace.from_json(out).made_by
    assert chosen.items() <= {**made_by.settings, "seed": made_by.seed, "sample": made_by.search == "sampling"}.items()
    plain = {name: value for name, value in chosen.items() if name not in ("beam", "sample")}
    assert all(getattr(Settings(), name) != value for name, value in plain.items()), "none would be taken anyway"


def test_changed_weights_are_named(run: Run, tiny: Path, tmp_path: Path) -> None:
    broken = tmp_path / "broken"
    broken.mkdir()
    for file in tiny.iterdir():
        content = bytearray(file.read_bytes())
        if file.name == "weights.safetensors":
            content[-1] ^= 1
        (broken / file.name).write_bytes(content)
    assert_one_error(run("translate", "-m", str(broken), stdin=b"Yes."), "weights.safetensors", "damaged")


def test_lines_are_answered_as_they_come(tiny: Path) -> None:
    """A person who types a line reads its translation before typing the next; `head` may leave early."""
    command = [sys.executable, "-m", "model", "translate", "-m", str(tiny)]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          env={**os.environ, "OMP_NUM_THREADS": "1"}) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        for _ in range(2):
            process.stdin.write(b"The cat sleeps.\n")
            process.stdin.flush()
            assert process.stdout.readline().endswith(b"\n")  # would wait for ever
        process.stdout.close()
        process.stdin.write(b"Yes.\n" * 200)
        process.stdin.close()
        assert process.wait(timeout=60) == 0
        assert b"Traceback" not in process.stderr.read()


@pytest.fixture
def _heeding_ctrl_c() -> Iterator[None]:
    """Let child processes heed SIGINT: a suite that a shell starts in the background ignores it, and children inherit
    that."""
    inherited = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, inherited)


@pytest.mark.skipif(os.name != "posix", reason="signals and named pipes")
@pytest.mark.usefixtures("_heeding_ctrl_c")
@pytest.mark.parametrize("named", [False, True])
def test_waiting_for_a_line_is_interrupted_at_once(tiny: Path, tmp_path: Path, named: bool) -> None:
    """Ctrl-C while the next line is still to come, from a person or from a pipe with a name."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    command = [sys.executable, "-m", "model", "translate", "-m", str(tiny), *([str(pipe)] if named else [])]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          env={**os.environ, "OMP_NUM_THREADS": "1"}) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        with pipe.open("wb", buffering=0) if named else contextlib.nullcontext(process.stdin) as lines:
            lines.write(b"The cat sleeps.\n")
            lines.flush()
            assert process.stdout.readline().endswith(b"\n")
            process.send_signal(signal.SIGINT)
            assert process.wait(timeout=60) == 130
        assert b"Fatal" not in process.stderr.read()


@pytest.mark.parametrize("error", [OSError("the disk is gone"), MemoryError("the line is too long")])
def test_arriving_lines_keep_order_and_end_with_the_error(error: Exception) -> None:
    def lines() -> Iterator[str]:
        yield from map(str, range(1000))
        raise error

    groups: list[list[str | ValueError]] = []
    with pytest.raises(type(error), match=str(error)):
        groups.extend(text_input.group_arriving_lines(lines(), 64))
    assert max(map(len, groups)) <= 64
    assert [line for group in groups for line in group] == [str(number) for number in range(1000)]


def test_normalised_output_has_no_line_breaks(run: Run, tiny: Path) -> None:
    _, out, _ = run("translate", "-m", str(tiny), stdin="one\u2028two\x0bthree".encode())
    assert out.count("\n") == 1
    assert out.strip() == normalise(out)


def test_drawing_among_next_to_nothing_takes_the_likeliest(run: Run, tiny: Path) -> None:
    given = b"The house is old.\nThe man sees the cat.\n"
    likeliest = run("translate", "-m", str(tiny), stdin=given)[1]
    assert run("translate", "-m", str(tiny), "--sample", "--top-p", "1e-9", stdin=given)[1] == likeliest
    assert run("translate", "-m", str(tiny), "--sample", "--temperature", "5", stdin=given)[1] != likeliest


def test_a_run_is_called_by_its_folder(run: Run, tiny: Path, tmp_path: Path) -> None:
    shutil.copytree(tiny, tmp_path / "course" / "best")
    assert run("translate", "-m", str(tmp_path / "course"), stdin=b"Yes.")[0] == 0


def test_without_standard_input_it_says_so(tiny: Path) -> None:
    command = f"{sys.executable} -m model translate -m {tiny} <&-"
    done = subprocess.run(["bash", "-c", command], cwd=ROOT, capture_output=True, text=True, check=False)
    assert_one_error((done.returncode, done.stdout, done.stderr), "standard input is closed")
