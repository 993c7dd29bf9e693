"""The one table of what a reader can choose, and of what a link carries of it.

Every control of every page stands here as a row: its name in the link and in the session, what values it takes, which
one it has unless the reader or the link says another, which pages have it, and how far the link carries it. Controls
read and write through their row (state.py, picks.py); a link to any state of the app is made by `query` from a mapping
of names to values, and `problems` says what is wrong with a whole link.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from model.analysis.attribution.saliency_record import METHODS, Method
from model.analysis.metrics.learning_curve import AMOUNTS, Amount
from model.decoding import Settings
from model.text.documents import BYTE_LIMIT, CONTENTS, HEADERS, SEPARATORS, Contents, Header, Separator
from model.text.languages import DEFAULT_PAIR
from model.trace import select_displayable_maps
from pages.ui.backend import cards, evaluations, opening
from pages.ui.backend.attention_files import AttentionFile
from pages.ui.charts import alignment_grid
from pages.ui.charts.alignment_grid import ColourScale, Unit
from pages.ui.i18n.messages import LANGUAGES, preferred
from pages.ui.url_state import experiments
from pages.ui.url_state.rows import Changes, Counted, Fingerprints, Flag, Number, OneOf, Row, SeveralOf, Text

PAGE = "page"  # where the session keeps which page it is at
LIMIT = 2000  # characters in the box
SEARCHES = {"greedy": Settings(), "beam": Settings(beam=5)}
BINNINGS = ("10", "5", "equal-5", "equal-10")
"""How lengths are put together: even bins of so many words, or so many bins of equally many sentences."""
WAYS = ("paste", "file", "attention")
"""How a reader's own text comes in."""

READ_IN, READ_BESIDE = "read-in", "read-beside"  # where the session keeps an imported file, and one beside it


class LinkError(ValueError):
    """Values that no link can carry; the message is one sentence."""


def _first(options: Sequence[str]) -> Sequence[str]:
    return options[:1]


def _usual_models(options: Sequence[str]) -> Sequence[str]:
    return [name for name in options if name in (cards.default(), cards.baseline())]


def _opening() -> str:
    """The sentence that the page opens on: Compare on the last example, which one of two models can't follow, the
    family on one of its own."""
    if st.session_state.get(PAGE) == "family" and (own := opening.family(source_language())):
        return own
    sentences = opening.sentences(source_language())
    return next(iter(sentences[-1:] if st.session_state.get(PAGE) == "compare" else sentences), "")


def opened(place: str) -> AttentionFile | None:
    """The file of attention that this reader opened at READ_IN or READ_BESIDE; None where there is none."""
    found: AttentionFile | None = st.session_state.get(place)
    return found


def _read_sentences() -> list[str]:
    file = opened(READ_IN)
    count = len(file.found.sentences) if file is not None and file.found is not None else 0
    return [str(number) for number in range(1, count + 1)] or ["1"]


def _pasted() -> str:
    languages = cards.languages_of(next(iter(CHOSEN.kind.default()), ""))
    return "\n".join(opening.sentences(languages[0] if languages else DEFAULT_PAIR[0]))


def _models() -> list[str]:
    return [card.name for card in cards.models()]


def _beside() -> list[str]:
    """What may stand beside the model that is chosen: what speaks the same languages."""
    return cards.alike(chosen_model())


def _family() -> list[str]:
    """The models that may stand in the family: what speaks the languages of the one that is chosen."""
    return cards.family(chosen_model())


def source_language() -> str:
    """The code of the language that the chosen model translates from."""
    languages = cards.languages_of(chosen_model())
    return languages[0] if languages else DEFAULT_PAIR[0]


def chosen_model() -> str:
    """The model that the session or the link chose before any control is drawn, else the default."""
    options = _models()
    kept = (st.session_state.get(f"{MODEL.name}{part}") for part in ("", "-last"))
    return next((name for name in (*kept, st.query_params.get(MODEL.name)) if name in options), MODEL.kind.default())


def _maps() -> list[str]:
    """The maps of all models that picture where they look, by their keys; a control offers those of its model."""
    return list(dict.fromkeys(one.key for card in cards.models() for one in select_displayable_maps(card.maps)))


def _enlargeable() -> list[str]:
    """Every map of every model, by its key; "" before them for none."""
    return ["", *dict.fromkeys(one.key for card in cards.models() for one in card.maps)]


def _sets() -> list[str]:
    return [evaluations.slug(name) for name in evaluations.index().sets]


PAGES = ("story", "translate", "step_by_step", "compare", "family", "laboratory", "length_and_bleu", "paper_figures",
         "your_text")  # fmt: skip
_TRANSLATING = ("translate", "step_by_step", "compare", "laboratory")
_WITH_BOX = (*_TRANSLATING, "family")

SENTENCE = Row("sentence", Text(LIMIT, _opening), _WITH_BOX, own=True)
SEARCH = Row("search", OneOf(lambda: tuple(SEARCHES)), (*_WITH_BOX, "your_text"))
MODEL = Row("model", OneOf(_models, cards.default), _TRANSLATING)
BESIDE = Row("beside", OneOf(_beside, cards.baseline), ("translate", "compare"))
UNIT: Row[Unit] = Row("unit", OneOf(lambda: alignment_grid.UNITS), ("translate", "your_text"))
SCALE: Row[ColourScale] = Row("scale", OneOf(lambda: alignment_grid.COLOUR_SCALES), ("translate", "your_text"))
GLOSS = Row("gloss", OneOf(lambda: ("off", "on")), ("translate",))
LIVE = Row("live", OneOf(lambda: ("off", "on")), _WITH_BOX)
"""Whether the translation follows the typing."""
MEMBERS = Row("members", SeveralOf(_family, cards.one_a_kind), ("family",))
"""Which models stand side by side in the family."""
WRITTEN = Counted("written", Number(LIMIT, usual=0), ("family",))
"""Of which written word the family shows the gradients, from 1 on; 0 for all of them."""
GATES = Row("gates", OneOf(_family, lambda names: next(iter(names), "")), ("family",))
"""The model whose gates it shows beside them."""
MAP = Row("map", OneOf(_maps, lambda keys: next(iter(keys), "")), _TRANSLATING)
HEADS = Row("heads", OneOf(lambda: ("off", "on")), ("translate",))
"""Whether all maps of a model with several are shown side by side."""
HEAD = Row("head", OneOf(_enlargeable), ("translate",))
"""Which of them is enlarged."""
EDITS = Row("edits", Changes(), _TRANSLATING)
PART = Row("part", OneOf(lambda: experiments.NAMES), ("laboratory",))
"""Which experiment of the laboratory is open."""
WIDTH = Row("width", OneOf(lambda: tuple(map(str, range(1, 13))), lambda _: "5"), ("laboratory",))
"""How wide the beam is that the laboratory opens."""
NODE = Counted("node", Number(99_999, usual=0), ("laboratory",))
"""Which node of its tree, from 1 on."""
OWN = Row("own", Text(LIMIT), ("laboratory",))
"""A reader's own translation, which the laboratory sets beside the model's."""
ASKED: Row[Method] = Row("asked", OneOf(lambda: METHODS), ("laboratory",))
"""How the laboratory asks what a word leaned on."""
POINT = Counted("point", Number(99_999, usual=0), ("laboratory",))
"""Which word among words the laboratory looks at, from 1 on: those of the shipped sentences, then the reader's own."""
DRAWS = Row("draws", OneOf(lambda: ("10", "30", "100"), lambda _: "30"), ("laboratory",))
"""How many translations the laboratory draws."""
HEAT = Row("heat", OneOf(lambda: ("0.3", "0.5", "0.7", "1", "1.5"), lambda _: "1"), ("laboratory",))
"""At which temperature."""
CUTS: dict[str, dict[str, Any]] = {"every": {}, "top-5": {"top_k": 5}, "top-20": {"top_k": 20},
                                   "half": {"top_p": 0.5}, "nine-tenths": {"top_p": 0.9}}  # fmt: skip
CUT = Row("cut", OneOf(lambda: tuple(CUTS)), ("laboratory",))
"""Which pieces it draws among."""
SEED = Counted("seed", Number(9999), ("laboratory",))
APART = Counted("apart", Number(LIMIT, usual=0), ("translate",))
"""Which of the sentences in the box is opened, where each is translated by itself; 0 where they are one text."""
BEST = Counted("best", Number(1000), ("translate",))
STEP = Counted("step", Number(99_999), ("step_by_step",))
GROWN = Counted("grown", Number(LIMIT, usual=0), ("compare",))
PROBE = Counted("probe", Number(999), ("length_and_bleu",))
MOMENT = Counted("moment", Number(9999, usual=0), ("length_and_bleu",))
SCENE = Counted("scene", Number(6), ("story",), kept="page")
TEXT = Row("text", Text(200), ("your_text",), kept="page")
SETS = Row("sets", SeveralOf(_sets, _first), ("length_and_bleu",))
CURVES = Row("curves", SeveralOf(lambda: evaluations.index().models, cards.usual), ("length_and_bleu",))
BINS = Row("bins", OneOf(lambda: BINNINGS), ("length_and_bleu",))
SEARCHED = Row("searched", OneOf(lambda: [one.key for one in evaluations.index().searches]), ("length_and_bleu",))
LEARNT: Row[Amount] = Row("learnt", OneOf(lambda: AMOUNTS), ("length_and_bleu",))
"""Whether training is told by target pieces or by hours."""
LANG = Row("lang", OneOf(lambda: LANGUAGES, lambda _: preferred(st.context.locale)), PAGES)
PRESENT = Row("present", Flag(), PAGES)
WEIGHTS = Row("weights", Fingerprints(), (*_WITH_BOX, "length_and_bleu"))
REFERENCE = Row("reference", Text(LIMIT), ("compare", "laboratory"), kept="session")
GIVEN = Row("given", OneOf(lambda: WAYS), ("your_text",), kept="session")
CONTENT: Row[Contents] = Row("contents", OneOf(lambda: CONTENTS), ("your_text",), kept="session")
HEADER: Row[Header] = Row("header", OneOf(lambda: HEADERS), ("your_text",), kept="session")
SEPARATOR: Row[Separator] = Row("separator", OneOf(lambda: SEPARATORS), ("your_text",), kept="session")
CHOSEN = Row("chosen", SeveralOf(cards.names, _usual_models), ("your_text",), kept="session")
PASTED = Row("pasted", Text(BYTE_LIMIT, _pasted), ("your_text",), kept="session")
READ = Row("read-sentence", OneOf(_read_sentences), ("your_text",), kept="session")
"""Which sentence of a file of attention from elsewhere is looked at."""
READ_MAP = Row("read-map", OneOf(lambda: ("",)), ("your_text",), kept="session")
"""Which of its maps; the page says which there are."""
READ_BESIDE_MAP = Row("read-beside-map", OneOf(lambda: ("",)), ("your_text",), kept="session")
"""Which map of the sentence of the second file."""
READ_SOURCE = Row("read-source", Text(BYTE_LIMIT), ("your_text",), kept="session")
READ_TARGET = Row("read-target", Text(BYTE_LIMIT), ("your_text",), kept="session")
"""The sentences of a file that has none."""
SPECIAL = Row("special", OneOf(lambda: ("shown", "left_out")), ("your_text",), kept="session")
"""Whether special tokens are part of the picture."""
OWN_SET = Row("own-set", OneOf(lambda: evaluations.index().sets), ("your_text",), kept="session")

WITHIN: tuple[Row[Any], ...] = (EDITS, APART, MAP)
"""What a reader chose within a translation: of one that is opened from another page nothing of it is chosen yet."""

PLACES: tuple[Row[Any], ...] = (
    BEST, STEP, GROWN, NODE, POINT, PROBE, WRITTEN, GATES, MOMENT, SCENE, TEXT, PRESENT, WEIGHTS,
)  # fmt: skip
"""Where a reader is in what is shown, and what no reader chose: the link carries them, and going back in the browser's
history goes past them."""

TABLE: tuple[Row[Any], ...] = (
    SENTENCE, SEARCH, MODEL, BESIDE, MEMBERS, UNIT, SCALE, GLOSS, LIVE, BEST, STEP, GROWN, SCENE, TEXT, SETS, CURVES,
    BINS, SEARCHED, LEARNT, LANG, WRITTEN, GATES, PROBE, MOMENT, PRESENT, WEIGHTS, MAP, HEADS, HEAD, EDITS, PART, WIDTH,
    NODE, OWN, ASKED, POINT, DRAWS, HEAT, CUT, SEED, APART, REFERENCE, GIVEN, CONTENT, HEADER, SEPARATOR, CHOSEN,
    PASTED, READ, READ_MAP, READ_BESIDE_MAP, READ_SOURCE, READ_TARGET, SPECIAL, OWN_SET,
)  # fmt: skip
LINKED = {row.name: row for row in TABLE if row.kept != "session"}
"""The rows that a link may carry, by their names."""


def query(values: Mapping[str, Any], *, defaults: bool = False) -> dict[str, str]:
    """What a link says so that it opens `values`, by the names of their rows: {"unit": "pieces", "sets": ["a", "b"]}.

    What is the default is left out unless `defaults` asks for it. Raises LinkError for a name that is none, or a
    value that its row does not take.
    """
    said: dict[str, str] = {}
    for name, value in values.items():
        row = LINKED.get(name)
        if row is None:
            raise LinkError(f"A link has no {name!r}; it may have {', '.join(LINKED)}.")
        value = tuple(value) if isinstance(value, list) else value
        default = row.kind.default()
        usual = type(value) is type(default) and value == default
        spelt = row.kind.spell(value)
        if spelt is None and not usual:
            raise LinkError(f"{name} = {value!r} is none of {', '.join(row.kind.allowed())}.")
        if spelt is not None and (defaults or not usual):
            said[name] = spelt
    return said
