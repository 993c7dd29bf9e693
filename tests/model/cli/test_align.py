"""`align`, `alignment-error` and `lexicon`."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from model.analysis.alignment.alignment import align
from model.checkpoints import checkpoint
from model.trace import Trace
from tests.canonical import normalise_pairs
from tests.hostile import CASES
from tests.model.cli.running import Run, assert_one_error


@pytest.mark.parametrize("name", CASES)
def test_hostile_pairs_are_aligned_or_refused(run: Run, tiny: Path, name: str) -> None:
    for pair in (f"The cat sleeps. ||| {' '.join(CASES[name].split())}", CASES[name]):
        code, stdout, stderr = run("align", "-m", str(tiny), stdin=pair.encode("utf-8", "surrogatepass"))
        assert "\x1b" not in stdout + stderr
        if code:
            assert_one_error((code, stdout, stderr))
        else:
            assert stderr == ""
            assert all(link.replace("-", "", 1).isdecimal() for link in stdout.split())


def test_align_writes_a_line_per_input_line(run: Run, tiny: Path, tmp_path: Path) -> None:
    text = b"The cat sleeps.\tLe chat dort.\n\nYes.\tOui.\nNo.\t\n"
    code, stdout, stderr = run("align", "-m", str(tiny), stdin=text)
    assert code == 0
    assert stderr.splitlines() == [
        "note: read as UTF-8, separated by tabs, no header", "note: 1 blank line left out: 2"]  # fmt: skip
    pairs = normalise_pairs([("The cat sleeps.", "Le chat dort."), ("", ""), ("Yes.", "Oui."), ("No.", "")])
    alignments = align(checkpoint.load_model(str(tiny)), pairs)
    expected = [alignment.format_pharaoh() for alignment in alignments]
    assert [bool(line) for line in expected] == [True, False, True, False]
    assert stdout.splitlines() == expected
    code, stdout, _ = run("align", "-m", str(tiny), "--soft", stdin=text)
    assert Trace.from_json(stdout.splitlines()[0]).target.text == "Le chat dort."
    assert_one_error(run("align", "-m", str(tiny), stdin=b"no other side\n"), "standard input has one column", "tab")
    assert_one_error(run("align", "-m", "rnnencdec-50", stdin=text), "no attention")
    assert_one_error(run("align", "-m", str(tiny), "--surface", "--tokens", stdin=text), "give one")
    (tmp_path / "mine.fr-en.tsv").write_bytes(text)
    assert_one_error(run("align", "-m", str(tiny), str(tmp_path / "mine.fr-en.tsv")), "is of fr-en", "swap the sides")


def test_align_counts_given_tokens_and_may_join_them(run: Run, tiny: Path) -> None:
    probabilities = {}
    for option, pair_text in (("--tokens", "Of the cat\tDe le chat"), ("--surface", "Of the cat\tDu chat")):
        code, stdout, _ = run("align", "-m", str(tiny), "--soft", option, stdin=b"of the cat ||| de le chat\n")
        assert (code, json.loads(stdout)["target"]) == (0, ["de", "le", "chat", "</s>"])
        probabilities[option] = json.loads(stdout)["log_probability"]
        expected = Trace.from_json(run("align", "-m", str(tiny), "--soft", stdin=pair_text.encode())[1]).log_probability
        assert (probabilities[option] == expected) == (option == "--surface")
    assert probabilities["--tokens"] != probabilities["--surface"]


def test_alignment_error_prints_rates_shifts_rules_and_published_systems(run: Run, tiny: Path, tmp_path: Path) -> None:
    folder = tmp_path / "alignments"
    folder.mkdir()
    (folder / "hansards.en-fr.txt").write_text("the cat ||| le chat\nof the dog ||| de le chien\n", encoding="utf-8")
    (folder / "hansards.en-fr.gold").write_text("1-1 2-2\n1-1 2-2 3p3\n", encoding="utf-8")
    code, stdout, stderr = run("alignment-error", str(tmp_path), "-m", str(tiny))
    assert (code, stderr) == (0, "")
    for part in ("2 pairs, 4 sure links among 5 possible ones", "surface", "written", "diagonal", "row i from i+k",
                 "column j from j-k", "fits best", "contraction: 1", "fast_align",
                 "1.1 million pairs of the Hansards"):  # fmt: skip
        assert part in stdout
    assert "1 pair, 2 sure" in run("alignment-error", str(tmp_path), "-m", str(tiny), "--sample", "1")[1]
    assert_one_error(run("alignment-error", str(tmp_path / "none"), "-m", str(tiny)), "hansards.en-fr.txt is missing")


def test_lexicon_reads_a_control_file_or_the_only_language_pair(run: Run, tmp_path: Path) -> None:
    (tmp_path / "train").mkdir()
    text = "The cat.\tLe chat.\nThe dog.\tLe chien.\n" * 9
    (tmp_path / "train" / "mine.en-fr.tsv").write_text(text, encoding="utf-8")
    control = tmp_path / "mine.toml"
    control.write_text('languages = ["en", "fr"]\n[corpora.mine]\n', encoding="utf-8")
    for name, options in (("out", ("--control", str(control))), ("all", ())):
        code, stdout, stderr = run("lexicon", str(tmp_path), *options, "--out", str(tmp_path / name))
        assert (code, stderr) == (0, "")
        assert "3 words of 18 pairs of sentences" in stdout
        assert "cat 96 chat 96" in (tmp_path / name / "en-fr.json").read_text(encoding="utf-8")
    assert json.loads((tmp_path / "out/en-fr.json").read_bytes())["command"] == \
        "python -m model lexicon FOLDER --control mine.toml --most 120000"
    assert_one_error(run("lexicon", str(tmp_path), "--control", "wide"), "lacks", "europarl")
    german = "Die Katze.\tThe cat.\nDer Hund.\tThe dog.\n" * 9
    (tmp_path / "train" / "ours.de-en.tsv").write_text(german, encoding="utf-8")
    assert_one_error(run("lexicon", str(tmp_path)), "several pairs of languages", "--languages")
    code, stdout, stderr = run("lexicon", str(tmp_path), "--languages", "de-en", "--out", str(tmp_path / "all"))
    assert (code, stderr) == (0, "")
    assert (tmp_path / "all/de-en.json").exists()


def test_word_order_prints_the_share_of_reordered_links(run: Run, tiny: Path, tmp_path: Path) -> None:
    file = tmp_path / "pairs.en-fr.tsv"
    file.write_text("the cat sleeps\tle chat dort\nthe dog eats\tle chien mange\n", encoding="utf-8")
    code, stdout, _ = run("word-order", str(file), "--model", str(tiny))
    assert code == 0
    assert re.search(r"on pairs: \d of \d links are reordered, \d+\.\d% \(\d+\.\d to \d+\.\d\)", stdout), stdout
