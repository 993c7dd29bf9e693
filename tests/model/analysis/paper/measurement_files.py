"""The files that `model.analysis.paper.measurement_plan` makes of a model, and writing one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from model.analysis.evaluation.evaluation import KNOWN_WORDS_SUFFIX
from model.analysis.evaluation.stored import name_evaluation_file
from model.analysis.paper import measurement_plan
from model.checkpoints import checkpoint, selection
from model.checkpoints.checkpoint import Card
from model.text.everyday_sentences import LISTS, PAIR_LISTS


def list_files(card: Card) -> list[str]:
    """Return the names of a model's files, as `list_measurements` and `list_korean_measurements` make them of whole
    texts.
    """
    if "ko" in card.languages:
        pair = card.languages[0], card.languages[1]
        sets = [(file.removesuffix(".tsv").replace(".", "-"), beam) for file, beam in measurement_plan.KOREAN_SETS]
        evaluations = [name_evaluation_file(data, card.name, beam) for data, beam in sets]
        return [*evaluations, *(f"{name}-{card.name}.json" for name in (*PAIR_LISTS[pair], "robustness"))]
    sets = [(file.split(".")[0] + (f", {per_bin} a bin" if per_bin else ""), beam)
            for file, per_bin, beam in measurement_plan.SETS]  # fmt: skip
    if card.has_unk:
        sets.append((measurement_plan.NEWS_FILE.split(".")[0] + KNOWN_WORDS_SUFFIX, measurement_plan.BEAM))
    names = [name_evaluation_file(data, card.name, beam) for data, beam in sets]
    names += [f"{name}-{card.name}.json" for name in (*LISTS, "robustness", "copying", "endings", "joined")]
    names += [f"coverage-{card.name}.json"] if card.main_map and card.main_map.rows_sum_to_one else []
    names += [f"alignment-{card.name}.json"] if card.has_attention else []
    default = selection.select_default(checkpoint.list_shipped_cards())
    return names + ([f"beam-sizes-{card.name}.json"] if default and card.name == default.name else [])


def write_record(folder: Path, name: str, content: dict[str, Any]) -> None:
    (folder / name).write_text(json.dumps(content), encoding="utf-8")
