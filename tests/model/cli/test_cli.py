"""The command line: what it writes, in what order, and how it says no."""

from __future__ import annotations

import contextlib
import io
import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch
import typer

from model import checkpoint, costs
from model.cli import commands, measure
from model.cli import lines as reading
from model.cli.lines import stages
from model.measure.alignment.alignment import align
from model.measure.contrast.robustness import measure as measure_robustness
from model.measure.evaluation.stored import records, stored
from model.measure.paper import campaign
from model.measure.paper.claims import CLAIMS
from model.measure.paper.runs import RUNS, read_runs
from model.measure.paper.runs import Run as ShortRun
from model.registry import KINDS, build
from model.rnnsearch import Configuration
from model.search import Settings
from model.text import typed
from model.text.normalise import normalise
from model.text.vocabulary import Vocabulary
from model.trace import Trace
from model.training.precision import compare, spread
from model.training.recipe import Plan, load_recipe
from model.training.trials import Trials
from tests.canonical import canonical_pairs
from tests.hostile import CASES
from tests.model.training.conftest import write_data
from tests.pages.evaluated import evaluation, store

ROOT = Path(__file__).parents[3]

Outcome = tuple[int, str, str]
Run = Callable[..., Outcome]


@pytest.fixture(scope="module")
def tiny(tiny_vocabulary: Vocabulary, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A checkpoint of random weights: it says nothing sensible, but it says something."""
    folder = tmp_path_factory.mktemp("checkpoint")
    vocabulary = folder / "vocabulary.model"
    tiny_vocabulary.save(vocabulary)
    torch.manual_seed(3)
    network = build(Configuration("rnnsearch", len(tiny_vocabulary), 8, 10, 9, 7)).eval()
    with torch.no_grad():
        for parameter in network.parameters():
            parameter.mul_(30)
    checkpoint.save(folder / "tiny", network, vocabulary, name="tiny", training={})
    return folder / "tiny"


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Run the command line in this process: arguments and standard input -> exit code, output, errors."""

    def call(*arguments: str, stdin: bytes = b"") -> Outcome:
        monkeypatch.setattr(sys, "argv", ["model", *arguments])
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        with pytest.raises(SystemExit) as left:
            commands.main()
        out, err = capsys.readouterr()
        return (left.value.code if isinstance(left.value.code, int) else 0), out, err

    return call


def one_sentence(outcome: Outcome, *expected: str) -> None:
    """Exit code 2, nothing half-said on the output's error side: one line that holds what is expected."""
    code, _, err = outcome
    assert code == 2
    assert err.startswith("error: ")
    assert err.count("\n") == 1
    assert len(err) < 1000
    assert "Traceback" not in err
    for part in expected:
        assert part in err


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


def test_a_line_without_an_end_is_passed_over_and_never_held(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "LONGEST", 100)
    asked: list[int] = []

    class Watched(io.BytesIO):
        def readline(self, size: int | None = -1, /) -> bytes:
            asked.append(-1 if size is None else size)
            return super().readline(size)

    long = [b"a" * 98 + b"\n", b"b" * 99 + b"\n", b"c" * 350 + b"\n", b"d" * 1000]
    given = b"".join([long[0], long[1], b"The cat.\r\n", long[2], b"\n", long[3]])
    out = list(reading._decoded(Watched(given), "x.txt"))
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
    told = err.splitlines()
    assert code == (2 if told else 0)
    assert all(line.startswith("error: ") and len(line) < 500 for line in told)
    assert "\x1b" not in out + err


@pytest.mark.parametrize("name", CASES)
def test_hostile_beginnings(run: Run, tiny: Path, name: str) -> None:
    """Whatever a translation is to begin with: it does, or one sentence says why not."""
    begin = CASES[name].replace("\0", "")  # which no argument of a process can hold
    code, out, err = run("translate", "-m", str(tiny), "--begin", begin, "-f", "json", stdin=b"The cat sleeps.")
    assert "\x1b" not in out + err
    if code:
        one_sentence((code, out, err))
        assert out == "null\n"
    elif wanted := normalise(begin):
        assert Trace.from_json(out).target.text.startswith(wanted)


@pytest.mark.parametrize("name", CASES)
def test_hostile_pairs(run: Run, tiny: Path, name: str) -> None:
    """Whatever stands on either side: a line of links for each pair, or one sentence that names the line."""
    side = " ".join(CASES[name].split())
    for pair in (f"{side}\tLe chat dort.", f"The cat sleeps. ||| {side}", CASES[name]):
        code, out, err = run("align", "-m", str(tiny), stdin=pair.encode("utf-8", "surrogatepass"))
        assert "\x1b" not in out + err
        if code:
            one_sentence((code, out, err))
        else:
            assert err == ""
            assert all(link.replace("-", "", 1).isdecimal() for link in out.split())


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


@pytest.mark.verdict
@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["translate", "--beam", "0"], ["beam", "1 to 100"]),
        (["translate", "--beam", "many"], ["--beam"]),
        (["translate", "--format", "xml"], ["xml"]),
        (["translate", "--n-best", "2"], ["n_best", "beam"]),
        (["translate", "--model", "nobody"], ["no model 'nobody'"]),
        (["translate", "--model", "../../etc"], ["no model"]),
        (["translate", "--model", "a\x00b"], ["no model"]),
        (["translate", "--model", ""], ["no model"]),
        (["translate", "no/such/file"], ["no/such/file"]),
        (["translate", "."], ["directory"]),
        (["translate", "--temperature", "2"], ["temperature", "sample"]),
        (["translate", "--top-p", "0.5"], ["top_p", "sample"]),
        (["translate", "--sample", "--top-p", "2"], ["top_p"]),
        (["translate", "--sample", "--beam", "5"], ["sample", "beam"]),
        (["translate", "--beam", "2", "--length-penalty", "short"], ["length_penalty", "gnmt"]),
        (["data", ".", "--vocabulary", "70000"], ["65536"]),
        (["data", ".", "--kind", "letter"], ["letter"]),
        (["train"], ["recipe"]),
        (["train", "nothing"], ["nothing", "shipped", "tiny"]),
        (["train", "tiny", "--kind", "moses"], ["moses", "rnnsearch"]),
        (["train", "--resume"], ["no run to resume"]),
        (["train", "tiny", "--resume"], ["leave out the recipe"]),
        (["train", "tiny", "--threads", "-1"], ["threads", "0"]),
        (["precision", "tiny", "--threads", "-1"], ["threads", "0"]),
        (["evaluate", "x.tsv", "--threads", "1000000000"], ["threads", "1024"]),
        *((["train", "tiny", option, value], [option[2:], "range from 0 to 1,000,000,000"])
          for option in ("--pieces", "--minutes") for value in ("inf", "nan", "-1", "-inf", "1e300")),
        *((["train", "tiny", option, "2500000"], [option[2:], "in millions: 2.5 for 2,500,000 pieces"])
          for option in ("--pieces", "--cool-down")),
        (["bench", "--hidden", "65536", "--embedding", "65536"], ["GiB", "smaller sizes"]),
        (["bench", "--batch", "1000000"], ["GiB", "smaller sizes"]),
        (["bench", "--hidden", "99999999"], ["hidden", "65536"]),
        (["bench", "--kind", "lstm"], ["no kind of network 'lstm'", "luong"]),
        (["bench", "--layers", "0"], ["layers", "1"]),
        (["bench", "--source", "1"], ["source", "2"]),
        (["bench", "--target", "9"], ["target", "10"]),
        (["train", "tiny", "--name", "x" * 5000], []),
        (["translate", "--model", "y" * 5000], ["no model"]),
        (["translate", "z" * 5000], ["zzz…zzz"]),
        (["train", "tiny", "--data", "d" * 5000], ["ddd…ddd"]),
        (["evaluate", "e" * 5000 + ".tsv"], ["eee…eee"]),
        (["data", "no/such/folder"], ["no/such/folder holds no corpus"]),
        (["sing"], ["sing"]),
        (["--sing"], ["--sing"]),
    ],
    ids=" ".join,
)
def test_bad_arguments_get_one_sentence(
    run: Run, tiny: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], expected: list[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    if arguments[0] == "translate" and "--model" not in arguments:
        arguments = [*arguments, "--model", str(tiny)]
    one_sentence(run(*arguments), *expected)


def test_changed_weights_are_named(run: Run, tiny: Path, tmp_path: Path) -> None:
    broken = tmp_path / "broken"
    broken.mkdir()
    for file in tiny.iterdir():
        content = bytearray(file.read_bytes())
        if file.name == "weights.safetensors":
            content[-1] ^= 1
        (broken / file.name).write_bytes(content)
    one_sentence(run("translate", "-m", str(broken), stdin=b"Yes."), "weights.safetensors", "damaged")


@pytest.mark.parametrize("command", ["", *typer.main.get_command(commands.app).commands])  # type: ignore[attr-defined]
def test_help_of_every_command(run: Run, command: str) -> None:
    code, out, _ = run(*([command] if command else []), "--help")
    assert code == 0
    assert "Usage: " in out


@pytest.mark.verdict
def test_models_lists_what_is_shipped(run: Run) -> None:
    code, out, _ = run("models")
    assert code == 0
    for name in ("rnnsearch-50", "rnnencdec-50"):
        assert name in out


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


@pytest.mark.skipif(os.name != "posix", reason="signals and named pipes")
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


@pytest.mark.skipif(os.name != "posix", reason="a closed stream by the shell's redirection")
def test_complaints_that_nobody_reads_harm_no_output(tiny: Path) -> None:
    """Standard error closed, or a pipe whose reader has left."""
    command = [sys.executable, "-m", "model", "translate", "-m", str(tiny)]
    given = b"Yes.\n" + b"\xff\n" * 3 + b"Yes.\n"
    for redirected in ("2>&-", "2> >(true)"):
        found = subprocess.run(["bash", "-c", f'"$@" {redirected}', "bash", *command], cwd=ROOT, input=given,
                               stdout=subprocess.PIPE, env={**os.environ, "OMP_NUM_THREADS": "1"}, check=False)
        assert found.returncode == 2
        first, *broken, last = found.stdout.split(b"\n")[:-1]
        assert first == last
        assert broken == [b"", b"", b""]


def test_without_standard_error_there_is_no_progress(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", None)
    with stages() as progress:
        progress("cleaning", 1, 2)


@pytest.mark.parametrize("error", [OSError("the disk is gone"), MemoryError("the line is too long")])
def test_arriving_lines_keep_order_and_end_with_the_error(error: Exception) -> None:
    def lines() -> Iterator[str]:
        yield from map(str, range(1000))
        raise error

    groups: list[list[str | ValueError]] = []
    with pytest.raises(type(error), match=str(error)):
        groups.extend(commands._arriving(lines(), 64))
    assert max(map(len, groups)) <= 64
    assert [line for group in groups for line in group] == [str(number) for number in range(1000)]


def test_normalised_output_has_no_line_breaks(run: Run, tiny: Path) -> None:
    _, out, _ = run("translate", "-m", str(tiny), stdin="one\u2028two\x0bthree".encode())
    assert out.count("\n") == 1
    assert out.strip() == normalise(out)


def test_evaluate_says_scores_signatures_and_lengths(
    run: Run, tiny: Path, tmp_path: Path, sentences: list[tuple[str, str]]
) -> None:
    file = tmp_path / "own.tsv"
    file.write_text("".join(f"{source}\t{target}\n" for source, target in sentences), encoding="utf-8")
    code, out, _ = run("evaluate", str(file), "-m", str(tiny), "--sample", "20")
    assert code == 0
    for part in ("own, 20 evenly spaced", "20 sentences, greedy", "tok:13a", "sacremoses", "chrf", "perplexity", "1-10",
                 "95 %"):  # fmt: skip
        assert part in out
    one_sentence(run("evaluate", str(tmp_path / "none.tsv"), "-m", str(tiny)), "none.tsv is missing")
    file.write_text("one side only\n", encoding="utf-8")
    one_sentence(run("evaluate", str(file), "-m", str(tiny)), "line 1", "a pair has 1")


@pytest.fixture(scope="module")
def german(tiny: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same weights, said to translate German into English."""
    folder = tmp_path_factory.mktemp("german") / "german"
    model = checkpoint.load(str(tiny))
    checkpoint.save(folder, model.network, tiny / "vocabulary.model", name="german", languages=("de", "en"),
                    training={})  # fmt: skip
    return folder


def test_a_test_set_is_read_as_its_name_says(
    run: Run, german: Path, tmp_path: Path, sentences: list[tuple[str, str]]
) -> None:
    for name, turned in (("own.de-en.tsv", False), ("own.en-de.tsv", True), ("own.de-fr.tsv", False)):
        lines = ("\t".join(pair[::-1] if turned else pair) for pair in sentences[:12])
        (tmp_path / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
    code, straight, _ = run("evaluate", str(tmp_path / "own.de-en.tsv"), "-m", str(german))
    assert code == 0
    assert "on own-de-en, 12 sentences" in straight
    code, reverse, _ = run("evaluate", str(tmp_path / "own.en-de.tsv"), "-m", str(german))
    assert (code, reverse.replace("own-en-de", "own-de-en")) == (0, straight)
    other = str(tmp_path / "own.de-fr.tsv")
    one_sentence(run("evaluate", other), "no model of the languages de-fr")
    for command in ("evaluate", "need"):
        one_sentence(run(command, other, "-m", str(german)), "de-fr", "german translates de-en")


def test_what_is_written_in_english_is_no_measure_of_other_models(run: Run, german: Path) -> None:
    for command in (("copied",), ("robustness",), ("everyday",), ("align", "--surface")):
        one_sentence(run(*command, "-m", str(german)), "English", "german translates de-en", "--model")


@pytest.fixture
def shipped(tiny: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> checkpoint.Card:
    """The tiny model as the only one shipped, and an empty folder of evaluations."""
    monkeypatch.setattr(checkpoint, "SHIPPED", tmp_path / "checkpoints")
    monkeypatch.setattr(measure, "EVALUATIONS", tmp_path / "evaluations")
    (tmp_path / "evaluations").mkdir()
    shutil.copytree(tiny, checkpoint.SHIPPED / "tiny")
    return checkpoint.read_card(checkpoint.SHIPPED / "tiny")


def test_a_card_says_what_the_evaluations_of_its_weights_came_to(
    shipped: checkpoint.Card, capsys: pytest.CaptureFixture[str]
) -> None:
    ours, theirs = (replace(evaluation("tiny", beam=beam), fingerprint=fingerprint)
                    for beam, fingerprint in ((12, shipped.fingerprint), (1, "0" * 12)))
    store(measure.EVALUATIONS, ours, theirs, replace(ours, model="huge"))
    measure.note_scores(shipped)
    (score,) = checkpoint.read_card(shipped.folder).scores
    assert score == {
        "data": "made-up", "sentences": 210, "search": "beam 12", "beam": 12,
        "evaluation": "made-up-tiny-beam12.json", "date": "2026-01-02T03:04:05+00:00", "command": "none",
        **{name: round(value, 2) for name, value in ours.scores.items()}, "signatures": {"bleu": "made-up|signature"},
    }  # fmt: skip
    assert checkpoint.load("tiny").card == replace(shipped, scores=[score])
    assert capsys.readouterr().out == ""


def test_scores_of_weights_that_were_replaced_meanwhile_are_not_noted(
    shipped: checkpoint.Card, capsys: pytest.CaptureFixture[str]
) -> None:
    """An evaluation takes hours, in which a training may ship."""
    store(measure.EVALUATIONS, replace(evaluation("tiny"), fingerprint=shipped.fingerprint))
    network = checkpoint.load("tiny").network
    with torch.no_grad():
        for parameter in network.parameters():
            parameter.mul_(0.5)
    vocabulary = measure.EVALUATIONS / "vocabulary.model"
    shutil.copy(shipped.folder / "vocabulary.model", vocabulary)
    renewed = checkpoint.save(shipped.folder, network, vocabulary, name="tiny", training={"target_pieces": 7})
    measure.note_scores(shipped)
    assert checkpoint.load("tiny").card == renewed, "the card of the new weights, and whole"
    told = capsys.readouterr().out
    assert "other weights" in told
    assert renewed.fingerprint in told


def test_a_card_keeps_what_was_written_on_it_meanwhile(shipped: checkpoint.Card) -> None:
    checkpoint.write_card(shipped.folder, replace(shipped, title="Tiny, renamed"))
    measure.note_scores(shipped)
    assert checkpoint.read_card(shipped.folder).title == "Tiny, renamed"


def test_alignment_error_says_rates_shifts_rules_and_what_is_published(run: Run, tiny: Path, tmp_path: Path) -> None:
    folder = tmp_path / "alignments"
    folder.mkdir()
    (folder / "hansards.en-fr.txt").write_text("the cat ||| le chat\nof the dog ||| de le chien\n", encoding="utf-8")
    (folder / "hansards.en-fr.gold").write_text("1-1 2-2\n1-1 2-2 3p3\n", encoding="utf-8")
    code, out, err = run("alignment-error", str(tmp_path), "-m", str(tiny))
    assert (code, err) == (0, "")
    for part in ("2 pairs, 4 sure links among 5 possible ones", "surface", "written", "diagonal", "rows moved by ",
                 "columns moved by", "fits best", "contraction: 1", "fast_align",
                 "1.1 million pairs of the Hansards"):  # fmt: skip
        assert part in out
    assert "1 pair, 2 sure" in run("alignment-error", str(tmp_path), "-m", str(tiny), "--sample", "1")[1]
    (folder / "hansards.en-fr.gold").write_text("1-1 2-2\n0-0\n", encoding="utf-8")
    one_sentence(run("alignment-error", str(tmp_path), "-m", str(tiny)), "Line 2", "from 1")
    one_sentence(run("alignment-error", str(tmp_path / "none"), "-m", str(tiny)), "hansards.en-fr.txt is missing")
    one_sentence(run("alignment-error", str(tmp_path), "-m", "rnnencdec-50"), "Line 2")


def test_a_lexicon_is_learnt_from_a_folder_and_written_where_it_is_wanted(run: Run, tmp_path: Path) -> None:
    (tmp_path / "train").mkdir()
    text = "The cat.\tLe chat.\nThe dog.\tLe chien.\n" * 9
    (tmp_path / "train" / "mine.en-fr.tsv").write_text(text, encoding="utf-8")
    control = tmp_path / "mine.toml"
    control.write_text('languages = ["en", "fr"]\n[corpora.mine]\n', encoding="utf-8")
    code, out, err = run("lexicon", str(tmp_path), "--control", str(control), "--out", str(tmp_path / "out"))
    assert (code, err) == (0, "")
    assert "3 words of 18 pairs of sentences" in out
    assert "cat 96 chat 96" in (tmp_path / "out" / "en-fr.json").read_text(encoding="utf-8")
    one_sentence(run("lexicon", str(tmp_path), "--control", "wide"), "lacks", "europarl")
    code, out, err = run("lexicon", str(tmp_path), "--out", str(tmp_path / "all"))  # of whatever is there
    assert (code, err) == (0, "")
    assert "3 words of 18 pairs of sentences" in out
    assert '"python -m model lexicon FOLDER --most 120000"' in (tmp_path / "all/en-fr.json").read_text(encoding="utf-8")
    (tmp_path / "train" / "ours.ko-en.tsv").write_text("고양이가 잔다.\tThe cat sleeps.\n" * 9, encoding="utf-8")
    one_sentence(run("lexicon", str(tmp_path)), "several pairs of languages", "--languages")
    code, out, err = run("lexicon", str(tmp_path), "--languages", "ko-en", "--out", str(tmp_path / "all"))
    assert (code, err) == (0, "")
    assert (tmp_path / "all/ko-en.json").exists()
    one_sentence(run("lexicon", str(tmp_path), "--languages", "de-en"), "no corpus of the languages de-en")


def test_a_recipe_that_names_none_of_ones_own_corpora_takes_them_all(
    run: Run, tiny_vocabulary: Vocabulary, sentences: list[tuple[str, str]], tmp_path: Path
) -> None:
    data = write_data(tmp_path / "data", tiny_vocabulary, sentences)
    (data / "tiny.npz").rename(data / "mine.npz")
    given = ("--data", str(data), "--runs", str(tmp_path / "runs"), "--pieces", "0.0005", "--threads", "1")
    code, out, err = run("train", "tiny", *given)
    assert (code, err) == (0, "")
    assert "none of the corpora that the recipe tiny names" in out
    assert "all that it holds, mine" in " ".join(out.split())
    saved = torch.load(tmp_path / "runs/rnnsearch-50/state.pt", weights_only=True)
    assert saved["recipe"]["data"]["copies"] == {"mine": 1}
    code, _, err = run("train", "--name", "rnnsearch-50", "--resume", *given[:4], "--pieces", "0.001")
    assert (code, err) == (0, "")


def test_claims_say_what_is_not_measured(run: Run, tmp_path: Path) -> None:
    code, out, _ = run("claims", "--from", str(tmp_path))
    assert code == 0
    assert out.count("not measured in full") == len(CLAIMS)
    assert out.index("Bahdanau, Cho and Bengio 2015:") < out.index("1. ") < out.index("Sutskever, Vinyals and Le 2014:")
    for part in ("RNNsearch-30 beats RNNencdec-50", "missing", "newstest2014, beam 12", "above 0", "below 0.1"):
        assert part in out
    (tmp_path / "odd.json").write_text("{")
    one_sentence(run("claims", "--from", str(tmp_path)), "odd.json: This is not a measurement but malformed JSON")


def test_claims_show_hours_and_what_is_not_compared(run: Run, tmp_path: Path) -> None:
    (tmp_path / RUNS).mkdir()
    for name, feeding, hours in (("fed", True, 2.0), ("unfed", False, 3.0)):
        network = {"kind": "luong", "feeding": feeding}
        made = ShortRun(1, name, "0" * 12, network, 50, hours, 1000, "made up", "2026-01-02", "none")
        (tmp_path / RUNS / made.file).write_text(made.to_json())
    out = run("claims", "--from", str(tmp_path))[1]
    (line,) = (line for line in out.splitlines() if "fed and unfed" in line and "flores200-devtest" in line)
    assert "missing" in line
    assert "2.0 and 3.0, not compared" in line


def test_short_runs_are_measured_and_kept_under_the_names_of_kind_and_folder(
    run: Run, tiny: Path, tmp_path: Path, sentences: list[tuple[str, str]]
) -> None:
    (tmp_path / "test").mkdir()
    for number, file in enumerate((campaign.NEWS, campaign.FLORES)):
        lines = (f"{source}\t{target}\n" for source, target in sentences[4 * number : 4 * number + 4])
        (tmp_path / "test" / file).write_text("".join(lines), encoding="utf-8")
    shutil.copytree(tiny, tmp_path / "runs" / "first" / "best")
    shutil.copytree(tiny, tmp_path / "runs" / "second")
    folders = [str(tmp_path / "runs" / name) for name in ("first", "second")]
    code, out, err = run("compared", str(tmp_path), *folders, "--out", str(tmp_path / "out"))
    assert (code, err) == (0, "")
    assert out.count(" made ") == 10
    names = ["rnnsearch-first", "rnnsearch-second"]
    assert [one.name for one in read_runs(tmp_path / "out")] == names
    assert {(one.model, one.data.name) for one in stored(tmp_path / "out" / RUNS)} == {
        (name, data) for name in names for data in ("newstest2014", "flores200-devtest")}  # fmt: skip
    for kind in ("looking", "copied"):
        assert {record["model"] for record in records(kind, tmp_path / "out" / RUNS).values()} == set(names)
    assert (tmp_path / "out" / "claims.json").is_file()
    assert run("compared", str(tmp_path), *folders, "--out", str(tmp_path / "out"))[1].count(" kept ") == 10
    assert run("compared", str(tmp_path), folders[0], "--sample", "2", "--out", str(tmp_path / "few"))[0] == 0
    for name in ("run-rnnsearch-first.json", "looking-rnnsearch-first.json"):
        assert json.loads((tmp_path / "few" / RUNS / name).read_text())["command"].endswith("RUN --sample 2")
    one_sentence(run("compared", str(tmp_path), folders[0], "--sample", "2"), "--out", "leave out --sample")
    shutil.copytree(tiny, tmp_path / "runs" / "rnnsearch-50")
    shutil.copytree(tiny, tmp_path / "elsewhere" / "first")
    one_sentence(run("compared", str(tmp_path), str(tmp_path / "runs" / "rnnsearch-50")), "rename", "rnnsearch-50")
    one_sentence(run("compared", str(tmp_path), folders[0], str(tmp_path / "elsewhere" / "first")), "called alike")
    one_sentence(run("compared", str(tmp_path), str(tmp_path / "nowhere")), "nowhere", "not a checkpoint")


@pytest.mark.parametrize(("arguments", "expected"), [
    (["--all", "--beam", "2"], ["--all", "leave out"]), (["--all", "--save"], ["--all", "leave out"]),
    (["--out", "somewhere"], ["--out goes with --all"]), (["--all", "-m", "nobody"], ["no model 'nobody'"]),
    (["--all", "--sample", "5"], ["--out", "leave out --sample"]),
    (["--all", "--sample", "5", "--out", str(measure.EVALUATIONS)], ["--out", "leave out --sample"]),
    (["--all", "--sample", "5", "--out", "somewhere"], ["hansards.en-fr.txt is missing"]),
    (["--all"], ["hansards.en-fr.txt is missing"]),
])  # fmt: skip
def test_all_takes_a_folder_alone(run: Run, tmp_path: Path, arguments: list[str], expected: list[str]) -> None:
    one_sentence(run("evaluate", str(tmp_path), *arguments), *expected)


def test_align_gives_a_line_a_pair(run: Run, tiny: Path) -> None:
    pairs = b"The cat sleeps.\tLe chat dort.\n\t\nYes. ||| Oui.\n"
    code, out, _ = run("align", "-m", str(tiny), stdin=pairs)
    assert code == 0
    model = checkpoint.load(str(tiny))
    known = canonical_pairs([("The cat sleeps.", "Le chat dort."), ("", ""), ("Yes.", "Oui.")])
    expected = ["" if one is None else one.pharaoh() for one in align(model, known)]
    assert expected[0]
    assert expected[2]
    assert out.splitlines() == expected
    code, out, _ = run("align", "-m", str(tiny), "--soft", stdin=pairs)
    assert Trace.from_json(out.splitlines()[0]).target.text == "Le chat dort."
    read = {}
    for option, given in (("--tokens", "Of the cat\tDe le chat"), ("--surface", "Of the cat\tDu chat")):
        code, out, _ = run("align", "-m", str(tiny), "--soft", option, stdin=b"of the cat ||| de le chat\n")
        assert (code, json.loads(out)["target"]) == (0, ["de", "le", "chat", "</s>"])
        read[option] = json.loads(out)["log_probability"]
        _, alone, _ = run("align", "-m", str(tiny), "--soft", stdin=given.encode())
        assert (read[option] == Trace.from_json(alone).log_probability) == (option == "--surface")
    assert read["--tokens"] != read["--surface"]
    one_sentence(run("align", "-m", str(tiny), stdin=b"no other side\n"), "Line 1", "tab")
    one_sentence(run("align", "-m", "rnnencdec-50", stdin=pairs), "no attention")


def test_everyday_counts_what_comes_out_right(run: Run) -> None:
    code, out, _ = run("everyday", "-m", "rnnsearch-50")
    lines = out.splitlines()
    assert code == 0
    assert len(lines) == 102
    forty, sixty = (sum(line.startswith("right") for line in part) for part in (lines[:40], lines[40:100]))
    assert f"everyday: {forty} of 40 right" in lines[100]
    assert f"everyday-60: {sixty} of 60 right" in lines[101]
    assert forty >= 20, "the shipped model has forgotten everyday sentences"


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """A bench that takes no time: a small product, and the opening sentences alone to translate."""
    monkeypatch.setattr("model.bench.PRODUCT", 64)
    monkeypatch.setattr("model.text.everyday.read_everyday", list)


@pytest.mark.usefixtures("short")
def test_bench_measures_every_contender(run: Run, tiny: Path) -> None:
    code, out, _ = run("bench", "--rounds", "1", "--batch", "4", "--hidden", "8", "--embedding", "6", "-m", str(tiny),
                       "--vocabulary", "50", "--source", "9", "--target", "10")
    assert code == 0
    drawn = 3 * len(KINDS)  # three ways of searching each, all sentences as long as they may be
    assert out.count("x its own step, 10 pieces a sentence") == drawn
    for part in ("load average", "training rnnsearch, plain", "training rnnencdec, fast, float32", "x plain",
                 "greedy, batch 1 ", "beam 5, batch 64", "drawn rnnencdec, beam 12, batch 1", "M parameters",
                 "sentences/s, peak memory"):  # fmt: skip
        assert part in out


@pytest.mark.usefixtures("short")
def test_bench_measures_the_kinds_that_are_named(run: Run, tiny: Path) -> None:
    code, out, _ = run("bench", "--rounds", "1", "--batch", "2", "--hidden", "8", "--embedding", "6", "-m", str(tiny),
                       "--vocabulary", "50", "--source", "9", "--target", "10", "--kind", "luong", "--layers", "3")
    assert code == 0
    assert "layers=3" in out
    assert {line.split()[1].rstrip(",") for line in out.splitlines() if line.startswith(("training", "drawn"))} == \
        {"luong"}


def test_kinds_are_measured_at_equal_sizes() -> None:
    """What the bench compares has as many parameters, within a fifth; RNNencdec has no second encoder and no look."""
    from model import registry
    from model.bench import Shape

    counts = {}
    ours = [kind for kind in registry.KINDS.values() if kind.network.startswith("model.")]  # tests register others
    for kind in ours:
        with torch.device("meta"):
            network = kind.build(Shape().configuration(kind))
        counts[kind.name] = sum(parameter.numel() for parameter in network.parameters())
        assert network.configuration.dropout == 0.0
    encdec = counts.pop("rnnencdec")
    assert encdec < min(counts.values())
    assert max(counts.values()) < 6 / 5 * min(counts.values()), counts


def test_products_are_counted_as_the_equations_have_them() -> None:
    """RNNsearch by its equations, 2 operations a weight and row, twice as many backward as forward. The first steps,
    which start from nothing, have less to do."""
    from model import registry
    from model.bench import Shape, products

    m, n, a, l, v = 3, 5, 4, 2, 11
    shape = Shape(hidden=n, alignment=a, embedding=m, readout=l, vocabulary=v, batch=2, source=60, target=80)
    kind = registry.find("rnnsearch")
    network = kind.build(shape.configuration(kind))
    source, target = (torch.randint(3, v, (shape.batch, length)) for length in (shape.source, shape.target))
    encoder = 2 * 3 * n * (m + n) + 2 * n * a
    look = n * a + shape.source * 2 * n  # the energies' last product has a vector for a matrix and is not counted
    decoder = 3 * n * (m + n + 2 * n) + look
    output = 2 * l * (n + m + 2 * n) + l * v
    expected = 3 * 2 * shape.batch * (shape.source * encoder + shape.target * (decoder + output))
    assert products(lambda: network.loss(source, target)) == pytest.approx(expected, rel=0.03)


# ---- experiments of the laboratory ------------------------------------------------------------------------------


def experiment(tiny: Path, **more: object) -> str:
    asked = {"schema": 1, "kind": "experiment", "sentence": "The grey cat sleeps.", "model": str(tiny), "beam": 1,
             "fingerprint": checkpoint.read_card(tiny).fingerprint, "edits": "attention@*:uniform"}  # fmt: skip
    return json.dumps(asked | more)


def test_an_experiment_is_replayed_exactly(run: Run, tiny: Path, tmp_path: Path) -> None:
    path = tmp_path / "experiment.json"
    path.write_text(experiment(tiny), encoding="utf-8")
    code, out, _ = run("translate", "--edits", str(path), "--format", "json")
    made = Trace.from_json(out)
    assert code == 0
    assert made.made_by.edits == "attention@*:uniform"
    pieces = len(made.source.pieces)
    assert made.map().values.tolist() == [pytest.approx([1 / pieces] * pieces, abs=1e-6)] * len(made.steps)
    code, text, _ = run("translate", "--edits", str(path))
    assert (code, text) == (0, made.target.text + "\n")


@pytest.mark.parametrize(("more", "says"), [
    ({"fingerprint": "0" * 12}, "cannot be replayed exactly"), ({"edits": "attention@1=1,0"}, "has 2 weights"),
    ({"edits": "attention@1=nan,1"}, "attention@1=nan,1"), ({"edits": "other@*:max"}, "no map"),
    ({"edits": "attention@1=0.7,0.7,0,0,0,0"}, "row changed at step 1"), ({"model": "nobody"}, "nobody"),
    ({"sentence": "a " * 4000}, "pieces"), ({"edits": CASES["script"]}, "cannot be read"),
])  # fmt: skip
def test_an_experiment_that_cannot_be_replayed_gets_one_sentence(
    run: Run, tiny: Path, tmp_path: Path, more: dict[str, object], says: str
) -> None:
    path = tmp_path / "experiment.json"
    path.write_text(experiment(tiny, **more), encoding="utf-8")
    one_sentence(run("translate", "--edits", str(path)), says)


@pytest.mark.parametrize("name", CASES)
def test_hostile_experiments(run: Run, tmp_path: Path, name: str) -> None:
    path = tmp_path / "experiment.json"
    path.write_bytes(CASES[name].encode("utf-8", "surrogatepass"))
    one_sentence(run("translate", "--edits", str(path)))


def test_drawing_among_next_to_nothing_takes_the_likeliest(run: Run, tiny: Path) -> None:
    given = b"The house is old.\nThe man sees the cat.\n"
    likeliest = run("translate", "-m", str(tiny), stdin=given)[1]
    assert run("translate", "-m", str(tiny), "--sample", "--top-p", "1e-9", stdin=given)[1] == likeliest
    assert run("translate", "-m", str(tiny), "--sample", "--temperature", "5", stdin=given)[1] != likeliest


def test_an_experiment_is_asked_alone(run: Run, tiny: Path, tmp_path: Path) -> None:
    path = tmp_path / "experiment.json"
    path.write_text(experiment(tiny), encoding="utf-8")
    for option in ("--beam", "--seed"):
        one_sentence(run("translate", "--edits", str(path), option, "5"), "--edits replays an experiment")
    one_sentence(run("translate", "--edits", str(tmp_path / "none.json")), "none.json")


def test_how_much_its_translations_need_attention_is_counted(run: Run, tiny: Path, tmp_path: Path) -> None:
    path = tmp_path / "pairs.en-fr.tsv"
    path.write_text("The grey cat sleeps.\tLe chat gris dort.\nYes.\tOui.\n", encoding="utf-8")
    code, out, _ = run("need", str(path), "--model", str(tiny))
    assert code == 0
    assert [line.split(":")[0] for line in out.splitlines()][1:] == [
        "max", "temperature-0.5", "temperature-2", "before", "others", "diagonal", "uniform", "shuffled"]  # fmt: skip


def test_gradients_are_a_table_by_distance(run: Run, tiny: Path) -> None:
    code, out, err = run("gradients", "The grey cat sleeps.", "-m", str(tiny))
    assert (code, err) == (0, "")
    lines = [line.split("\t") for line in out.splitlines()]
    assert lines[1] == ["distance", "piece", "all paths", "look alone"]
    table = [line for line in lines[2:] if line[0].isdigit()]
    assert [int(line[0]) for line in table] == list(range(len(table)))
    assert table[0][1] == "</s>"
    assert all(float(value) > 0 for line in table for value in line[2:])
    gates = [line for line in lines if line[0].endswith("gate")]
    assert len(gates) == 6  # two of each of three cells
    assert all(0 < float(value) < 1 for line in gates for value in line[1:])


@pytest.mark.parametrize("text", [text for text in CASES.values() if len(text) < 8])  # more takes long
def test_gradients_of_anything_at_all(run: Run, tiny: Path, text: str) -> None:
    outcome = run("gradients", "-m", str(tiny), "--", text)
    if outcome[0]:
        one_sentence(outcome)


def test_gradients_of_a_long_text_are_refused(run: Run, tiny: Path) -> None:
    one_sentence(run("gradients", "cat " * 300, "-m", str(tiny)), "pieces")


def test_saving_replaces_nothing_that_was_measured_otherwise(run: Run, tiny: Path, monkeypatch: pytest.MonkeyPatch,
                                                             tmp_path: Path) -> None:
    monkeypatch.setattr(measure, "EVALUATIONS", tmp_path)
    code, out, _ = run("copied", "-m", str(tiny), "--save")
    file = tmp_path / "copied-tiny.json"
    assert (code, str(file) in out) == (0, True)
    before = file.read_bytes()
    one_sentence(run("copied", "-m", str(tiny), "--beam", "2", "--save"), file.name, "copied --model tiny --save")
    assert file.read_bytes() == before
    assert run("copied", "-m", str(tiny), "--beam", "2")[0] == 0
    assert run("copied", "-m", str(tiny), "--save")[0] == 0  # the same, as when its weights are others
    one_sentence(run("costs", "--kind", "rnnsearch", "--save"), "--kind")
    one_sentence(run("costs", "--rounds", "1", "--save"), "--rounds")


def test_costs_are_kept_in_one_step(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept, found = tmp_path / "costs.json", costs.shipped()
    kept.write_text("before")
    monkeypatch.setattr(costs, "FILE", kept)
    monkeypatch.setattr(costs, "measure", lambda *_, **__: found)
    with kept.open() as reading:
        code, out, _ = run("costs", "--save")
        assert reading.read() == "before"
    assert (code, out.splitlines()[-1]) == (0, f"written to {kept}")
    assert costs.shipped(kept) == found


def test_robustness_is_measured_with_the_beam_that_was_asked_and_kept(
    run: Run, tiny: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    sentences = ("I don't sing.", "The cat sleeps.", "It is cold today.")
    asked: list[Settings] = []

    def measured(*arguments: Any, settings: Settings, **more: Any) -> dict[str, Any]:
        asked.append(settings)
        return measure_robustness(*arguments, settings=settings, **more)

    monkeypatch.setattr(measure, "EVALUATIONS", tmp_path)
    monkeypatch.setattr(typed, "read_typed", lambda: sentences)
    monkeypatch.setattr("model.measure.contrast.robustness.measure", measured)
    code, out, err = run("robustness", "-m", str(tiny), "--beam", "2", "--save")
    assert (code, err) == (0, "")
    assert [settings.beam for settings in asked] == [2]
    record = json.loads((tmp_path / "robustness-tiny.json").read_bytes())
    assert record["command"] == "python -m model robustness --model tiny --beam 2 --save"
    assert (record["model"], record["search"]["beam"], record["data"]["sentences"]) == ("tiny", 2, 3)
    for name, way in record["ways"].items():
        assert f"{name}: {way['changed']} of {way['sentences']} translations change" in out


@pytest.fixture
def data(sentences: list[tuple[str, str]], tiny_vocabulary: Vocabulary, tmp_path: Path) -> Path:
    """Prepared text that the recipe `tiny` can train on."""
    return write_data(tmp_path / "data", tiny_vocabulary, sentences)


def test_trials_grow_a_table_and_say_each_row(run: Run, data: Path, tmp_path: Path) -> None:
    file, table, runs = tmp_path / "some.toml", tmp_path / "some.json", tmp_path / "runs"
    file.write_text('[start]\nrecipe = "tiny"\nkind = "rnnsearch"\nlongest_words = 50\ninit = ""\npieces = 300\n'
                    'cool_down = 100\n[trials."as it is"]\n[trials.slower]\noptimiser.rate = 1e-3\n')
    arguments = ("trials", str(file), "--out", str(table), "--data", str(data), "--runs", str(runs))
    code, out, err = run(*arguments)
    assert (code, err) == (0, "")
    rows = Trials.load(table).trials
    assert [(one.name, one.changes) for one in rows] == [("as it is", ()), ("slower", ("optimiser.rate = 0.001",))]
    assert out.splitlines() == [
        f"{one.name}: {one.pieces:,} pieces, {one.updates:,} updates, {one.processor_minutes} minutes of processor "
        f"time, dev loss {one.dev_loss:.4f}, dev BLEU {one.bleu['all']:.1f}" for one in rows]  # fmt: skip
    assert sorted(path.name for path in (runs / "some").iterdir()) == ["as-it-is", "slower"]
    assert run(*arguments) == (0, "", "")


def test_a_model_is_trained_gone_on_with_cooled_down_and_shipped(
    run: Run, data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checkpoint, "SHIPPED", tmp_path / "shipped")
    given = ("--data", str(data), "--runs", str(tmp_path / "runs"), "--threads", "1")
    code, out, err = run("train", "tiny", "--kind", "rnnencdec", "--name", "first", *given, "--pieces", "0.002")
    assert (code, err) == (0, "")
    first = checkpoint.read_card(tmp_path / "runs/first/best")
    assert (first.kind, first.target_pieces >= 2000) == ("rnnencdec", True)

    started = ("train", "tiny", "--kind", "rnnencdec", "--name", "second", "--init", str(tmp_path / "runs/first"))
    code, out, err = run(*started, *given, "--pieces", "0.002", "--cool-down", "0.001")
    assert (code, err) == (0, "")
    second = checkpoint.read_card(tmp_path / "runs/second/best")
    assert second.training["from"]["fingerprint"] == first.fingerprint
    assert second.target_pieces >= first.target_pieces + 2000
    saved = torch.load(tmp_path / "runs/second/state.pt", weights_only=True)
    assert tuple(saved["progress"]["cooling"]) == (1000, 2000)

    code, out, err = run("train", "--name", "second", "--ship", *given)
    assert (code, err) == (0, "")
    assert "after rounding to eight bits" in " ".join(out.split())
    assert [card.name for card in checkpoint.shipped()] == ["second"]
    assert run("translate", "-m", "second", stdin=b"The cat sleeps.")[0] == 0


def test_prepared_text_has_the_vocabulary_of_a_model(run: Run, tiny: Path, tmp_path: Path) -> None:
    (tmp_path / "train").mkdir()
    (tmp_path / "train" / "mine.en-fr.tsv").write_text("".join(f"The cat has {one} toys.\tLe chat a {one} jouets.\n"
                                                               for one in range(300)), encoding="utf-8")  # fmt: skip
    code, _, err = run("data", str(tmp_path), "--vocabulary-of", str(tiny), "--out", str(tmp_path / "out"))
    assert (code, err) == (0, "")
    assert (tmp_path / "out/vocabulary.model").read_bytes() == (tiny / "vocabulary.model").read_bytes()
    one_sentence(run("data", str(tmp_path), "--vocabulary-of", str(tiny), "--kind", "word"), "--vocabulary and --kind")


def test_precision_says_how_far_the_losses_stray(run: Run, data: Path) -> None:
    code, out, err = run("precision", "tiny", "--data", str(data), "--updates", "5", "--every", "2")
    assert (code, err) == (0, "")
    losses = list(compare(load_recipe("tiny"), Plan("rnnsearch", 50), data, 5))
    parts = {"2": losses[:2], "4": losses[2:4], "5": losses[4:], "all": losses}
    assert [line.split() for line in out.splitlines()[1:]] == [
        [name, f"{mean:.4f}", f"{half:+.4f}", f"{other:+.4f}"]
        for name, (mean, half, other) in ((name, spread(part)) for name, part in parts.items())]  # fmt: skip


@pytest.mark.parametrize(("arguments", "expected"), [
    (["--models", "/nowhere", "models"], "/nowhere is not a folder"), (["translate", "--tree"], "--format json"),
    (["translate", "--stop", "beam"], "--beam"), (["bench", "--source", "2", "--target", "300"], "--target"),
    (["claims", "--from", "/nowhere"], "/nowhere is not a folder"),
    (["claims", "--from", "/", "--save"], "leave out --from"),
    (["evaluate", "/nowhere", "--all"], "/nowhere is not a folder"),
    (["train", "--name", "nobody", "--ship"], "no best weights"),
    (["train", "tiny", "--data", "/nowhere", "--runs", "/nowhere"], "python -m model data"),
])  # fmt: skip
def test_what_cannot_be_done_is_said_before_anything_is(run: Run, arguments: list[str], expected: str) -> None:
    one_sentence(run(*arguments), expected)


def test_another_model_of_a_shipped_one_s_name_is_not_measured_in_its_place(
    run: Run, tiny: Path, tmp_path: Path
) -> None:
    named = shutil.copytree(tiny, tmp_path / "rnnsearch-50")
    card = json.loads((named / "card.json").read_text())
    (named / "card.json").write_text(json.dumps(card | {"name": "rnnsearch-50"}))
    one_sentence(run("robustness", "-m", str(named), "--save"), "the shipped rnnsearch-50", "leave it out")


def test_a_run_does_not_stand_among_prepared_text(run: Run, tmp_path: Path) -> None:
    one_sentence(run("train", "tiny", "--name", "german", "--data", str(tmp_path / "german"), "--runs", str(tmp_path)),
                 "would stand among the prepared text", "--runs")


def test_prepared_text_is_not_written_over(run: Run, tmp_path: Path) -> None:
    (tmp_path / "meta.json").write_text("{}")
    one_sentence(run("data", str(tmp_path), "--out", str(tmp_path)), "prepared text already", "--out")
    assert [path.name for path in tmp_path.iterdir()] == ["meta.json"]


def test_a_run_is_called_by_its_folder(run: Run, tiny: Path, tmp_path: Path) -> None:
    shutil.copytree(tiny, tmp_path / "course" / "best")
    assert run("translate", "-m", str(tmp_path / "course"), stdin=b"Yes.")[0] == 0


def test_without_standard_input_it_says_so(tiny: Path) -> None:
    command = f"{sys.executable} -m model translate -m {tiny} <&-"
    done = subprocess.run(["bash", "-c", command], cwd=ROOT, capture_output=True, text=True, check=False)
    one_sentence((done.returncode, done.stdout, done.stderr), "standard input is closed")


def test_who_reads_a_line_and_goes_is_no_error() -> None:
    command = f"set -o pipefail; {sys.executable} -m model claims | head -1"
    done = subprocess.run(["bash", "-c", command], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("Bahdanau")
