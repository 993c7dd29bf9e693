"""`inspect`: how a file is read, as JSON."""

from __future__ import annotations

import json
import lzma
from pathlib import Path

from tests.model.cli.running import Run, assert_one_error


def test_inspect_reports_encoding_separator_header_rows_and_notes(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "mine.csv"
    text = '"sep=;"\r\nSource sentence;Target sentence\r\n"One; ""two"".";Un.\r\n\r\nNA;007\r\n'
    file.write_bytes(text.encode("utf-16"))
    code, stdout, stderr = run("inspect", str(file))
    assert (code, stderr) == (0, "")
    assert json.loads(stdout) == {
        "encoding": "utf-16-le", "separator": ";", "header": ["Source sentence", "Target sentence"],
        "rows": [{"source": 'One; "two".', "reference": "Un."}, {"source": "NA", "reference": "007"}],
        "notes": ["1 blank line left out: 4", "the first line names the separator"],
    }  # fmt: skip
    assert_one_error(run("inspect", str(tmp_path / "none.csv")), "none.csv is missing")
    assert_one_error(run("inspect", "-", stdin=b""), "standard input holds no sentence")
    assert json.loads(run("inspect", "-", stdin=b"However, it rains.\n")[1]) == {
        "encoding": "utf-8", "separator": None, "header": None, "notes": [],
        "rows": [{"source": "However, it rains.", "reference": None}]}  # fmt: skip


def test_inspect_describes_attention_files(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "mine.json"
    file.write_text(json.dumps({"source": ["a", "b"], "target": ["c"], "cross": [[0.25, 0.75]]}), encoding="utf-8")
    code, stdout, stderr = run("inspect", str(file))
    assert (code, stderr) == (0, "")
    (sentence,) = json.loads(stdout)["sentences"]
    assert (sentence["source"]["tokens"], sentence["target"]["words"]) == (["a", "b"], ["c"])
    (attention,) = sentence["maps"]
    assert (attention["rows"], attention["columns"], attention["shape"]) == ("target", "source", [1, 2])


def test_header_may_name_languages_of_the_option_or_file_name(run: Run, tmp_path: Path) -> None:
    text = "de\ten\nDer Hund.\tThe dog.\n"
    (tmp_path / "a.tsv").write_text(text, encoding="utf-8")
    (tmp_path / "a.de-en.tsv.xz").write_bytes(lzma.compress(text.encode()))
    for arguments in (["a.tsv", "--languages", "de-en"], ["a.de-en.tsv.xz"]):
        code, stdout, _ = run("inspect", str(tmp_path / arguments[0]), *arguments[1:])
        assert (code, json.loads(stdout)["rows"]) == (0, [{"source": "Der Hund.", "reference": "The dog."}])
