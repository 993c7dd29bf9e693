"""`translate`: lines are translated in order and as they arrive."""

from __future__ import annotations

import io
import json
import lzma
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import typer

from model.cli import text_input
from model.cli.shared import check_unk
from model.decoding import Settings
from model.paths import ROOT
from model.text.normalise import normalise
from model.trace import Trace
from tests.hostile import CASES
from tests.model.cli.running import Run, assert_one_error
from tests.word_models import TEXT, build_unsure_network, save_word_model, train_word_vocabulary


def test_every_input_line_gives_one_output_line_in_order(run: Run, tiny: Path) -> None:
    lines = ["The grey cat sleeps.", "", "Yes.", "   ", "one\u2028two\x0bthree"]
    code, output, _ = run("translate", "--model", str(tiny), stdin="\n".join(lines).encode() + b"\n")
    output_lines = output.split("\n")
    assert code == 0
    assert (output_lines[1], output_lines[3], output_lines[5:]) == ("", "", [""])
    expected = [run("translate", "-m", str(tiny), stdin=line.encode())[1] for line in lines if line.strip()]
    assert [f"{line}\n" for line in output_lines if line] == expected
    assert all(line == normalise(line) for line in output_lines)


def test_compressed_text_is_unpacked(run: Run, tiny: Path, tmp_path: Path) -> None:
    text = b"The cat sleeps.\nYes.\n"
    packed = lzma.compress(text)
    (tmp_path / "letter.txt.xz").write_bytes(packed)
    command = ("translate", "-m", str(tiny))
    assert run(*command, str(tmp_path / "letter.txt.xz")) == run(*command, stdin=text)
    for damaged in (packed[:40], b"x" + packed):
        (tmp_path / "letter.txt.xz").write_bytes(damaged)
        assert_one_error(run(*command, str(tmp_path / "letter.txt.xz")), "letter.txt.xz cannot be read")


def test_json_lines_are_traces(run: Run, tiny: Path, tmp_path: Path) -> None:
    file = tmp_path / "lines.txt"
    file.write_bytes(b"\xef\xbb\xbfThe cat sleeps.\r\n\r\nNo, thank you.")
    options = ("--beam", "3", "--begin", "Le chat", "--tree", "-f", "json")
    code, stdout, _ = run("translate", "-m", str(tiny), *options, str(file))
    first, blank, last = stdout.splitlines()
    assert (code, blank) == (0, "null")
    trace = Trace.from_json(first)
    assert trace.source.text == "The cat sleeps."
    assert trace.provenance.settings["beam"] == 3
    card = json.loads((tiny / "card.json").read_text())
    assert trace.provenance.fingerprint == card["sha256"]["weights.safetensors"][:12]
    for line in (first, last):
        assert Trace.from_json(line).target.text.startswith("Le chat")
        assert Trace.from_json(line).tree is not None


def test_unk_is_shown_replaced_or_avoided(
    run: Run, tiny: Path, sentences: list[tuple[str, str]], tmp_path: Path
) -> None:
    vocabulary = train_word_vocabulary(sentences, tmp_path)
    save_word_model(tmp_path / "words", build_unsure_network(vocabulary), vocabulary)
    shown_text, replaced_text, avoided_text = (
        run("translate", "-m", str(tmp_path / "words"), "--unk", rule, stdin=TEXT.encode())[1]
        for rule in ("show", "replace", "avoid"))
    assert "UNK" in shown_text
    assert "UNK" not in replaced_text + avoided_text
    assert_one_error(run("translate", "-m", str(tiny), "--unk", "replace", stdin=b"Yes."), "never writes UNK")


def test_nothing_replaces_unk_without_attention() -> None:
    model: Any = SimpleNamespace(name="words", card=SimpleNamespace(has_unk=True, has_attention=False))
    with pytest.raises(typer.BadParameter, match="no attention"):
        check_unk("replace", model)
    check_unk("avoid", model)


def test_n_best_prints_rank_score_and_text(run: Run, tiny: Path) -> None:
    code, stdout, _ = run("translate", "-m", str(tiny), "--beam", "4", "--n-best", "3", stdin=b"Yes.\n\n")
    *lines, blank = stdout.splitlines()
    assert (code, blank) == (0, "")
    ranks, scores, texts = zip(*(line.split("\t") for line in lines), strict=True)
    assert ranks == ("1", "2", "3")
    assert sorted(map(float, scores), reverse=True) == list(map(float, scores))
    assert run("translate", "-m", str(tiny), "--beam", "4", stdin=b"Yes.\n")[1] == texts[0] + "\n"


def test_symbols_are_copied_and_unknown_characters_named(run: Run, tiny: Path) -> None:
    code, stdout, stderr = run("translate", "-m", str(tiny), stdin="The 猫 sleeps. ♥ ≥\n🎉 Yes.".encode())
    assert code == 0
    assert stderr == ("warning: line 1: tiny reads 猫 ≥ as bytes only and may invent words; leave out what the "
                      "translation can do without\n")
    assert stdout.splitlines()[1] == "🎉 " + run("translate", "-m", str(tiny), stdin=b"Yes.")[1].rstrip("\n")


LINES = b"The cat sleeps.\n\n" + b"word " * 3000 + b"\nYes.\ncaf\xe9 noir\n" + b"x" * 30_000 + b"\nNo.\n"


@pytest.mark.parametrize("options", [("--batch", "1"), ("-f", "json")])
def test_an_invalid_line_is_empty_and_named_and_others_are_unaffected(
    run: Run, tiny: Path, options: tuple[str, ...]
) -> None:
    code, stdout, stderr = run("translate", "-m", str(tiny), *options, stdin=LINES)
    lines = stdout.split("\n")[:-1]
    valid = [run("translate", "-m", str(tiny), *options, stdin=line)[1].rstrip("\n")
             for line in (b"The cat sleeps.", b"Yes.", b"No.")]  # fmt: skip
    assert code == 2
    if "json" not in options:
        assert lines == [valid[0], "", "", valid[1], "", "", valid[2]]
    else:
        assert [line == "null" for line in lines] == [False, True, True, False, True, True, False]
        assert [Trace.from_json(lines[place]).source.text for place in (0, 3, 6)] == ["The cat sleeps.", "Yes.", "No."]
    errors = stderr.splitlines()
    assert all(line.startswith("error: ") for line in errors)
    for line, expected in zip(errors, (("Sentence 3", "512"), ("line 5", "byte 4", "UTF-8"), ("Sentence 6", "30,000")),
                              strict=True):
        assert all(part in line for part in expected), line


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_lines_in_utf_16_are_decoded(encoding: str) -> None:
    stream = io.BytesIO("\ufeffUn café.\r\n\nDeux.".encode(encoding))
    assert list(text_input.decode_lines(stream, "x.txt")) == ["Un café.", "", "Deux."]
    (error,) = text_input.decode_lines(io.BytesIO("\ufeffab".encode(encoding) + b"c"), "x.txt")
    assert isinstance(error, ValueError)
    assert str(error).startswith("x.txt is not UTF-8 text")


def test_overlong_lines_are_skipped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text_input, "MAX_LINE_BYTES", 100)
    lines = [b"a" * 98 + b"\n", b"b" * 99 + b"\n", b"The cat.\r\n", b"c" * 350 + b"\n", b"\n", b"d" * 1000]
    decoded_lines = list(text_input.decode_lines(io.BytesIO(b"".join(lines)), "x.txt"))
    assert [line if isinstance(line, str) else "" for line in decoded_lines] == ["a" * 98, "", "The cat.", "", "", ""]
    errors = [str(line) for line in decoded_lines if isinstance(line, ValueError)]
    assert [line.split(" of ")[0] for line in errors] == ["line 2", "line 4", "line 6"]
    assert all("x.txt has 100 bytes or more" in line for line in errors)


@pytest.mark.parametrize("name", CASES)
def test_hostile_lines_and_beginnings_are_translated_or_refused(run: Run, tiny: Path, name: str) -> None:
    text = CASES[name].encode("utf-8", "surrogatepass")
    text = text[:4000] if b"\n" in text else text  # more lines would only cost time
    code, stdout, stderr = run("translate", "-m", str(tiny), stdin=text)
    assert stdout.count("\n") == len(text.split(b"\n")) - (text.endswith(b"\n") or not text)
    errors = [line for line in stderr.splitlines() if not line.startswith("warning: line ")]
    assert code == (2 if errors else 0)
    assert all(line.startswith("error: ") for line in errors)
    assert all(len(line) < 500 for line in stderr.splitlines())
    assert "\x1b" not in stdout + stderr

    begin = CASES[name].replace("\0", "")  # not allowed in arguments
    code, stdout, stderr = run("translate", "-m", str(tiny), "--begin", begin, "-f", "json", stdin=b"The cat sleeps.")
    assert "\x1b" not in stdout + stderr
    if code:
        assert_one_error((code, stdout, stderr))
        assert stdout == "null\n"
    elif prefix := normalise(begin):
        assert Trace.from_json(stdout).target.text.startswith(prefix)


@pytest.mark.parametrize("settings", [
    {"beam": 3, "length_penalty": "gnmt", "alpha": 0.7, "beta": 0.3, "stop": "beam"},
    {"sample": True, "temperature": 0.5, "top_k": 4, "top_p": 0.75, "seed": 8},
])  # fmt: skip
def test_every_search_option_reaches_the_search(run: Run, tiny: Path, settings: dict[str, Any]) -> None:
    defaults = {name: value for name, value in settings.items() if name not in ("beam", "sample")}
    assert all(getattr(Settings(), name) != value for name, value in defaults.items())
    options = [f"--{name.replace('_', '-')}" + ("" if value is True else f"={value}")
               for name, value in settings.items()]  # fmt: skip
    code, stdout, stderr = run("translate", "-m", str(tiny), "-f", "json", *options, stdin=b"The cat sleeps.")
    assert (code, stderr) == (0, "")
    provenance = Trace.from_json(stdout).provenance
    recorded = {**provenance.settings, "seed": provenance.seed, "sample": provenance.search == "sampling"}
    assert settings.items() <= recorded.items()


# --- processes and streams


def start_process(tiny: Path, *arguments: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "model", "translate", "-m", str(tiny), *arguments]
    return subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                            env={**os.environ, "OMP_NUM_THREADS": "1"})


def test_lines_are_answered_as_they_arrive_and_the_reader_may_leave(tiny: Path) -> None:
    with start_process(tiny) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        for _ in range(2):
            process.stdin.write(b"The cat sleeps.\n")
            process.stdin.flush()
            assert process.stdout.readline().endswith(b"\n")
        process.stdout.close()
        process.stdin.write(b"Yes.\n" * 200)
        process.stdin.close()
        assert process.wait(timeout=300) == 0
        assert b"Traceback" not in process.stderr.read()


@pytest.fixture
def _default_sigint() -> Iterator[None]:
    """Do not let child processes inherit an ignored SIGINT, as in a background job."""
    inherited = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, inherited)


@pytest.mark.skipif(os.name != "posix", reason="signals and named pipes")
@pytest.mark.usefixtures("_default_sigint")
def test_ctrl_c_interrupts_the_wait_for_a_line(tiny: Path, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with start_process(tiny, str(pipe)) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        with pipe.open("wb", buffering=0) as lines:
            lines.write(b"The cat sleeps.\n")
            assert process.stdout.readline().endswith(b"\n")
            process.send_signal(signal.SIGINT)
            assert process.wait(timeout=300) == 130
        assert b"Fatal" not in process.stderr.read()


@pytest.mark.parametrize("error", [OSError("the disk is gone"), MemoryError("the line is too long")])
def test_grouped_lines_keep_their_order_and_raise_the_readers_error(error: Exception) -> None:
    def lines() -> Iterator[str]:
        yield from map(str, range(1000))
        raise error

    groups: list[list[str | ValueError]] = []
    with pytest.raises(type(error), match=str(error)):
        groups.extend(text_input.group_arriving_lines(lines(), 64))
    assert max(map(len, groups)) <= 64
    assert [line for group in groups for line in group] == [str(number) for number in range(1000)]


def test_closed_standard_input_is_refused(tiny: Path) -> None:
    command = f"{sys.executable} -m model translate -m {tiny} <&-"
    result = subprocess.run(["bash", "-c", command], cwd=ROOT, capture_output=True, text=True, check=False)
    assert_one_error((result.returncode, result.stdout, result.stderr), "standard input is closed")
