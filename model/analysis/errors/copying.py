"""Measure whether names and numbers are copied to the translation, on sentences made for this."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from model.analysis.evaluation.evaluate import translate_texts
from model.analysis.evaluation.stored import build_date_and_command, build_record_head
from model.decoding import Settings
from model.decoding.translate import TranslationModel
from model.progress import ProgressCallback
from model.text.copy_sentences import CopySentence
from model.text.normalise import normalise

SCHEMA = 1


def measure_copying(
    model: TranslationModel,
    sentences: Sequence[CopySentence],
    sha256: str,
    *,
    settings: Settings | None = None,
    command: str = "",
    progress: ProgressCallback | None = None,
) -> dict[str, Any]:
    """Return the content of `assets/evaluations/copying-NAME.json`.

    `names` and `numbers` count the items and those found, `whole` the sentences with all items. `outcomes` has each
    sentence with its translation and which items were found. `sha256` is of the file of sentences.
    """
    settings = settings or Settings()
    outputs = translate_texts(model, [normalise(sentence.source) for sentence in sentences], settings, progress)
    outcomes = [
        (sentence, output, sentence.find_copied_items(output))
        for sentence, output in zip(sentences, outputs, strict=True)
    ]
    items = [(is_number(item), is_found) for sentence, _, flags in outcomes
             for item, is_found in zip(sentence.items, flags, strict=True)]  # fmt: skip
    data = {"name": "copying", "sha256": sha256, "sentences": len(sentences)}
    return {
        **build_record_head("copying", SCHEMA, model, data, settings),
        "names": {"items": sum(not number for number, _ in items),
                  "found": sum(is_found for number, is_found in items if not number)},
        "numbers": {"items": sum(number for number, _ in items),
                    "found": sum(is_found for number, is_found in items if number)},
        "whole": sum(all(flags) for _, _, flags in outcomes),
        **build_date_and_command(command),
        "outcomes": [{"source": sentence.source, "output": output, "items": list(sentence.items), "found": list(flags)}
                     for sentence, output, flags in outcomes],
    }  # fmt: skip


def is_number(item: str) -> bool:
    """Return whether an item is a number, a time or the like, not a name."""
    return any(map(str.isdigit, item))
