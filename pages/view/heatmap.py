"""The picture of one translation: both sentences, ribbons and the heatmap of α, as one browser component.

All data is sent once; pointing, keys and lighting run in the browser (assets/player/heatmap.js).
"""

from typing import Any

from model.trace import END_PIECE, WORD_START, Side, Trace
from pages.view.component import component
from pages.view.controls import shown_name
from pages.view.figures import Axis, Grid, Scale, Unit, grid, shade
from pages.view.typography import NARROW, french, spaced
from pages.view.words import Words

DRAWN = 120  # rows and columns of the heatmap; more are in the files only

_mount = component("heatmap")


def show(attended: Trace, plain: Trace | None, unit: Unit, scale: Scale, say: Words, focus: str) -> None:
    """Draw `attended` with its attention and, beside it, what `plain` (no attention, or None) made of the sentence.

    `focus` is the key of the widget that is given the keyboard when the picture is first drawn.
    """
    _mount(key="picture", data=payload(attended, plain, unit, scale, say) | {"focus": focus})


def payload(attended: Trace, plain: Trace | None, unit: Unit, scale: Scale, say: Words) -> dict[str, Any]:
    """What the component draws: plain lists and texts only, weights rounded to four places."""
    whole = grid(attended, unit)
    of = whole.first(DRAWN)
    target_words = french(attended.target)
    source = _labels(of.source, attended.source, spaced(attended.source), unit, say)
    target = _labels(of.target, attended.target, target_words, unit, say)
    return {
        "source": {"labels": source, "words": spaced(attended.source)},
        "target": {"labels": target, "words": target_words},
        "alpha": [[round(float(value), 4) for value in row] for row in of.values],
        "shade": [[round(shade(float(value), scale), 3) for value in row] for row in of.values],
        "log": [round(value, 3) for value in of.log_probabilities],
        "cut": DRAWN if max(whole.values.shape) > DRAWN else 0,
        "scale": scale,
        "unit": unit,
        "attended": {"name": shown_name(attended.made_by.model), "notes": notes(attended, say)},
        "plain": plain and {
            "name": shown_name(plain.made_by.model),
            "notes": [say("result.without"), *notes(plain, say)],
            "words": french(plain.target),
        },
        "made": provenance(attended, plain, say),
        "description": description(of, source, target, say),
        "words": say.table("heatmap"),
        "language": say.language,
    }  # fmt: skip


def _labels(axis: Axis, side: Side, words: list[tuple[str, str]], unit: Unit, say: Words) -> list[dict[str, Any]]:
    """Each label as {text, word, bound, joined}: bound says that the word has several pieces, joined that this one is
    not the first of them."""
    labels: list[dict[str, Any]] = []
    for position, (label, word) in enumerate(zip(axis.labels, axis.word_of, strict=True)):
        if word == -1 and label == END_PIECE:
            text = say("heatmap.end")
        elif unit == "words":
            text = words[word][1].strip(NARROW)
        else:
            text = label.removeprefix(WORD_START) or "␣"
        bound = word >= 0 and axis.word_of.count(word) > 1
        joined = bound and axis.word_of.index(word) < position
        labels.append({"text": text, "word": word, "bound": bound, "joined": joined})
    return labels


def notes(trace: Trace, say: Words) -> list[str]:
    """What is said beside a model's name: the natural logarithm of the translation's probability, and a stop."""
    said = [say("result.score", value=signed(trace.log_probability))]
    return said if trace.finished else [*said, say("result.unfinished")]


def provenance(attended: Trace, plain: Trace | None, say: Words) -> str:
    """Which weights made the picture: the models' fingerprints."""
    made_by = [trace.made_by.fingerprint for trace in (attended, plain) if trace is not None]
    return say("result.made", weights=", ".join(made_by))


def signed(value: float) -> str:
    """A logarithm with one decimal and a real minus sign."""
    return f"{value:.1f}".replace("-", "−")


def description(of: Grid, source: list[dict[str, Any]], target: list[dict[str, Any]], say: Words) -> str:
    """The heatmap in words, for those who do not see it: for every row what it looked at most."""
    rows = [
        say("description.row", target=label["text"], source=source[int(row.argmax())]["text"], value=f"{row.max():.2f}")
        for label, row in zip(target, of.values, strict=True)
    ]
    head = say("description.picture", rows=len(target), columns=len(source))
    return " ".join([head, "; ".join(rows) + "."])
