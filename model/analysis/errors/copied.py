"""Do names and numbers come out as they went in? A hundred sentences that say which."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from model.analysis.evaluation.evaluate import translate_texts
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
    """What `assets/evaluations/copied-NAME.json` holds: "items" and "found", all of them and those with a digit apart,
    "whole": sentences with every item, and "outcomes": each sentence with its translation and whether each item is
    there. `sha256`: of the sentences' file."""
    settings = settings or Settings()
    outputs = translate_texts(model, [normalise(one.source) for one in sentences], settings, progress)
    outcomes = [(one, output, one.find_copied_items(output)) for one, output in zip(sentences, outputs, strict=True)]
    kinds = [(is_number(item), there) for one, _, found in outcomes
             for item, there in zip(one.items, found, strict=True)]  # fmt: skip
    return {
        "schema": SCHEMA, "kind": "copied", "model": model.name, "fingerprint": model.fingerprint,
        "data": {"name": "copied", "sha256": sha256, "sentences": len(sentences)},
        "search": {"name": settings.method, **settings.provenance},
        "names": {"items": sum(not number for number, _ in kinds),
                  "found": sum(there for number, there in kinds if not number)},
        "numbers": {"items": sum(number for number, _ in kinds),
                    "found": sum(there for number, there in kinds if number)},
        "whole": sum(all(found) for _, _, found in outcomes),
        "date": datetime.now(UTC).isoformat(timespec="seconds"), "command": command,
        "outcomes": [{"source": one.source, "output": output, "items": list(one.items), "found": list(found)}
                     for one, output, found in outcomes],
    }  # fmt: skip


def is_number(item: str) -> bool:
    """Whether what is to come out is a number, a time or the like, and not a name."""
    return any(map(str.isdigit, item))
