"""Which development pairs score a run, and which are counted by length."""

from __future__ import annotations

import json
from pathlib import Path

from model.text.vocabulary import Vocabulary
from model.training.development import BINS, DevelopmentSet


def test_files_that_meta_names_are_sampled_evenly(tiny_vocabulary: Vocabulary, tmp_path: Path) -> None:
    scored = [(f"number {number}", f"nombre {number}") for number in range(500)]
    binned = [("a house", "une maison"), ("no", "non"), (" ".join(["very"] * 12), "loin")]
    for name, pairs in (("a", scored), ("b", binned)):
        lines = "".join(f"{source}\t{target}\n" for source, target in pairs)
        (tmp_path / f"dev-{name}.tsv").write_text(lines, encoding="utf-8")
    meta = {"languages": ["en", "fr"], "scored": ["a"], "by_length": ["b"]}
    (tmp_path / "meta.json").write_text(json.dumps(meta), encoding="utf-8")
    development = DevelopmentSet(tmp_path, tiny_vocabulary)
    assert development.pairs == {"a": scored[::2]}
    assert development.bins == [binned[:2], binned[2:], *[[]] * (len(BINS) - 2)]
