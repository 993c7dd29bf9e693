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
from pages.ui.backend import cards, evaluations, shipped_traces
from pages.ui.backend.attention_files import AttentionFile
from pages.ui.charts import alignment_grid
from pages.ui.charts.alignment_grid import ColourScale, Unit
from pages.ui.i18n.messages import LANGUAGES, match_locale
from pages.ui.url_state import experiments
from pages.ui.url_state.param_types import (
    Choice,
    Fingerprints,
    Flag,
    MultiChoice,
    Number,
    NumberParam,
    OverridesText,
    Param,
    Text,
)

PAGE_KEY = "page"  # where the session keeps which page it is at
MAX_CHARACTERS = 2000  # characters in the box
SEARCHES = {"greedy": Settings(), "beam": Settings(beam=5)}
LENGTH_BINNINGS = ("10", "5", "equal-5", "equal-10")
"""How lengths are put together: even bins of so many words, or so many bins of equally many sentences."""
INPUT_METHODS = ("paste", "file", "attention")
"""How a reader's own text comes in."""

IMPORTED_FILE, OTHER_IMPORTED_FILE = (
    "read-in",
    "read-beside",
)  # where the session keeps an imported file, and one beside it


class LinkError(ValueError):
    """Values that no link can carry; the message is one sentence."""


def _choose_first(options: Sequence[str]) -> Sequence[str]:
    return options[:1]


def _choose_usual_models(options: Sequence[str]) -> Sequence[str]:
    return [name for name in options if name in (cards.get_default_model(), cards.get_baseline_model())]


def _get_opening_sentence() -> str:
    """The sentence that the page opens on: Compare on the last example, which one of two models can't follow, the
    family on one of its own."""
    if st.session_state.get(PAGE_KEY) == "family" and (
        own := shipped_traces.get_family_sentence(get_source_language())
    ):
        return own
    sentences = shipped_traces.list_sentences(get_source_language())
    return next(iter(sentences[-1:] if st.session_state.get(PAGE_KEY) == "compare" else sentences), "")


def get_imported_file(place: str) -> AttentionFile | None:
    """The file of attention that this reader opened at READ_IN or READ_BESIDE; None where there is none."""
    found: AttentionFile | None = st.session_state.get(place)
    return found


def _list_imported_sentences() -> list[str]:
    file = get_imported_file(IMPORTED_FILE)
    count = len(file.found.sentences) if file is not None and file.found is not None else 0
    return [str(number) for number in range(1, count + 1)] or ["1"]


def _get_example_text() -> str:
    languages = cards.get_languages(next(iter(TEXT_MODELS.kind.default()), ""))
    return "\n".join(shipped_traces.list_sentences(languages[0] if languages else DEFAULT_PAIR[0]))


def _list_models() -> list[str]:
    return [card.name for card in cards.list_models()]


def _list_comparable_models() -> list[str]:
    """What may stand beside the model that is chosen: what speaks the same languages."""
    return cards.list_same_languages(get_chosen_model())


def _list_family_models() -> list[str]:
    """The models that may stand in the family: what speaks the languages of the one that is chosen."""
    return cards.list_family(get_chosen_model())


def get_source_language() -> str:
    """The code of the language that the chosen model translates from."""
    languages = cards.get_languages(get_chosen_model())
    return languages[0] if languages else DEFAULT_PAIR[0]


def get_chosen_model() -> str:
    """The model that the session or the link chose before any control is drawn, else the default."""
    options = _list_models()
    kept = (st.session_state.get(f"{MODEL.name}{part}") for part in ("", "-last"))
    return next((name for name in (*kept, st.query_params.get(MODEL.name)) if name in options), MODEL.kind.default())


def _list_alignment_maps() -> list[str]:
    """The maps of all models that picture where they look, by their keys; a control offers those of its model."""
    return list(dict.fromkeys(one.key for card in cards.list_models() for one in select_displayable_maps(card.maps)))


def _list_maps() -> list[str]:
    """Every map of every model, by its key; "" before them for none."""
    return ["", *dict.fromkeys(one.key for card in cards.list_models() for one in card.maps)]


def _list_test_sets() -> list[str]:
    return [evaluations.slugify(name) for name in evaluations.load_index().sets]


PAGES = ("story", "translate", "step_by_step", "compare", "family", "laboratory", "length_and_bleu", "paper_figures",
         "your_text")  # fmt: skip
_TRANSLATION_PAGES = ("translate", "step_by_step", "compare", "laboratory")
_SENTENCE_PAGES = (*_TRANSLATION_PAGES, "family")

SENTENCE = Param("sentence", Text(MAX_CHARACTERS, _get_opening_sentence), _SENTENCE_PAGES, own=True)
SEARCH = Param("search", Choice(lambda: tuple(SEARCHES)), (*_SENTENCE_PAGES, "your_text"))
MODEL = Param("model", Choice(_list_models, cards.get_default_model), _TRANSLATION_PAGES)
OTHER_MODEL = Param("beside", Choice(_list_comparable_models, cards.get_baseline_model), ("translate", "compare"))
UNIT: Param[Unit] = Param("unit", Choice(lambda: alignment_grid.UNITS), ("translate", "your_text"))
SCALE: Param[ColourScale] = Param("scale", Choice(lambda: alignment_grid.COLOUR_SCALES), ("translate", "your_text"))
GLOSS = Param("gloss", Choice(lambda: ("off", "on")), ("translate",))
LIVE = Param("live", Choice(lambda: ("off", "on")), _SENTENCE_PAGES)
"""Whether the translation follows the typing."""
FAMILY_MODELS = Param("members", MultiChoice(_list_family_models, cards.select_one_per_kind), ("family",))
"""Which models stand side by side in the family."""
GRADIENT_WORD = NumberParam("written", Number(MAX_CHARACTERS, usual=0), ("family",))
"""Of which written word the family shows the gradients, from 1 on; 0 for all of them."""
GATES_MODEL = Param("gates", Choice(_list_family_models, lambda names: next(iter(names), "")), ("family",))
"""The model whose gates it shows beside them."""
MAP = Param("map", Choice(_list_alignment_maps, lambda keys: next(iter(keys), "")), _TRANSLATION_PAGES)
ALL_MAPS = Param("heads", Choice(lambda: ("off", "on")), ("translate",))
"""Whether all maps of a model with several are shown side by side."""
ENLARGED_MAP = Param("head", Choice(_list_maps), ("translate",))
"""Which of them is enlarged."""
OVERRIDES = Param("edits", OverridesText(), _TRANSLATION_PAGES)
EXPERIMENT = Param("part", Choice(lambda: experiments.NAMES), ("laboratory",))
"""Which experiment of the laboratory is open."""
BEAM_WIDTH = Param("width", Choice(lambda: tuple(map(str, range(1, 13))), lambda _: "5"), ("laboratory",))
"""How wide the beam is that the laboratory opens."""
BEAM_NODE = NumberParam("node", Number(99_999, usual=0), ("laboratory",))
"""Which node of its tree, from 1 on."""
OWN_TRANSLATION = Param("own", Text(MAX_CHARACTERS), ("laboratory",))
"""A reader's own translation, which the laboratory sets beside the model's."""
ATTRIBUTION_METHOD: Param[Method] = Param("asked", Choice(lambda: METHODS), ("laboratory",))
"""How the laboratory asks what a word leaned on."""
SENSE_WORD = NumberParam("point", Number(99_999, usual=0), ("laboratory",))
"""Which word among words the laboratory looks at, from 1 on: those of the shipped sentences, then the reader's own."""
SAMPLE_COUNT = Param("draws", Choice(lambda: ("10", "30", "100"), lambda _: "30"), ("laboratory",))
"""How many translations the laboratory draws."""
TEMPERATURE = Param("heat", Choice(lambda: ("0.3", "0.5", "0.7", "1", "1.5"), lambda _: "1"), ("laboratory",))
"""At which temperature."""
TRUNCATIONS: dict[str, dict[str, Any]] = {"every": {}, "top-5": {"top_k": 5}, "top-20": {"top_k": 20},
                                   "half": {"top_p": 0.5}, "nine-tenths": {"top_p": 0.9}}  # fmt: skip
TRUNCATION = Param("cut", Choice(lambda: tuple(TRUNCATIONS)), ("laboratory",))
"""Which pieces it draws among."""
SEED = NumberParam("seed", Number(9999), ("laboratory",))
OPEN_SENTENCE = NumberParam("apart", Number(MAX_CHARACTERS, usual=0), ("translate",))
"""Which of the sentences in the box is opened, where each is translated by itself; 0 where they are one text."""
HYPOTHESIS_RANK = NumberParam("best", Number(1000), ("translate",))
STEP = NumberParam("step", Number(99_999), ("step_by_step",))
CLAUSE_COUNT = NumberParam("grown", Number(MAX_CHARACTERS, usual=0), ("compare",))
DIARY_SENTENCE = NumberParam("probe", Number(999), ("length_and_bleu",))
DIARY_MOMENT = NumberParam("moment", Number(9999, usual=0), ("length_and_bleu",))
SCENE = NumberParam("scene", Number(6), ("story",), kept="page")
JOB_KEY = Param("text", Text(200), ("your_text",), kept="page")
TEST_SETS = Param("sets", MultiChoice(_list_test_sets, _choose_first), ("length_and_bleu",))
CURVE_MODELS = Param(
    "curves", MultiChoice(lambda: evaluations.load_index().models, cards.select_default_kinds), ("length_and_bleu",)
)
LENGTH_BINS = Param("bins", Choice(lambda: LENGTH_BINNINGS), ("length_and_bleu",))
EVALUATED_SEARCH = Param(
    "searched", Choice(lambda: [one.key for one in evaluations.load_index().searches]), ("length_and_bleu",)
)
TRAINING_UNIT: Param[Amount] = Param("learnt", Choice(lambda: AMOUNTS), ("length_and_bleu",))
"""Whether training is told by target pieces or by hours."""
LANGUAGE = Param("lang", Choice(lambda: LANGUAGES, lambda _: match_locale(st.context.locale)), PAGES)
PRESENT = Param("present", Flag(), PAGES)
FINGERPRINTS = Param("weights", Fingerprints(), (*_SENTENCE_PAGES, "length_and_bleu"))
REFERENCE = Param("reference", Text(MAX_CHARACTERS), ("compare", "laboratory"), kept="session")
INPUT_METHOD = Param("given", Choice(lambda: INPUT_METHODS), ("your_text",), kept="session")
CONTENT: Param[Contents] = Param("contents", Choice(lambda: CONTENTS), ("your_text",), kept="session")
HEADER: Param[Header] = Param("header", Choice(lambda: HEADERS), ("your_text",), kept="session")
SEPARATOR: Param[Separator] = Param("separator", Choice(lambda: SEPARATORS), ("your_text",), kept="session")
TEXT_MODELS = Param("chosen", MultiChoice(cards.list_model_names, _choose_usual_models), ("your_text",), kept="session")
PASTED_TEXT = Param("pasted", Text(BYTE_LIMIT, _get_example_text), ("your_text",), kept="session")
IMPORTED_SENTENCE = Param("read-sentence", Choice(_list_imported_sentences), ("your_text",), kept="session")
"""Which sentence of a file of attention from elsewhere is looked at."""
IMPORTED_MAP = Param("read-map", Choice(lambda: ("",)), ("your_text",), kept="session")
"""Which of its maps; the page says which there are."""
OTHER_IMPORTED_MAP = Param("read-beside-map", Choice(lambda: ("",)), ("your_text",), kept="session")
"""Which map of the sentence of the second file."""
IMPORTED_SOURCE = Param("read-source", Text(BYTE_LIMIT), ("your_text",), kept="session")
IMPORTED_TARGET = Param("read-target", Text(BYTE_LIMIT), ("your_text",), kept="session")
"""The sentences of a file that has none."""
SPECIAL_TOKENS = Param("special", Choice(lambda: ("shown", "left_out")), ("your_text",), kept="session")
"""Whether special tokens are part of the picture."""
SHIPPED_SET = Param("own-set", Choice(lambda: evaluations.load_index().sets), ("your_text",), kept="session")

TRANSLATION_PARAMS: tuple[Param[Any], ...] = (OVERRIDES, OPEN_SENTENCE, MAP)
"""What a reader chose within a translation: of one that is opened from another page nothing of it is chosen yet."""

POSITION_PARAMS: tuple[Param[Any], ...] = (
    HYPOTHESIS_RANK, STEP, CLAUSE_COUNT, BEAM_NODE, SENSE_WORD, DIARY_SENTENCE, GRADIENT_WORD, GATES_MODEL,
    DIARY_MOMENT, SCENE, JOB_KEY, PRESENT, FINGERPRINTS,
)  # fmt: skip
"""Where a reader is in what is shown, and what no reader chose: the link carries them, and going back in the browser's
history goes past them."""

ALL_PARAMS: tuple[Param[Any], ...] = tuple(value for value in list(globals().values()) if isinstance(value, Param))
LINK_PARAMS = {row.name: row for row in ALL_PARAMS if row.kept != "session"}
"""The rows that a link may carry, by their names."""


def build_query(values: Mapping[str, Any], *, defaults: bool = False) -> dict[str, str]:
    """What a link says so that it opens `values`, by the names of their rows: {"unit": "pieces", "sets": ["a", "b"]}.

    What is the default is left out unless `defaults` asks for it. Raises LinkError for a name that is none, or a
    value that its row does not take.
    """
    said: dict[str, str] = {}
    for name, value in values.items():
        row = LINK_PARAMS.get(name)
        if row is None:
            raise LinkError(f"A link has no {name!r}; it may have {', '.join(LINK_PARAMS)}.")
        value = tuple(value) if isinstance(value, list) else value
        default = row.kind.default()
        usual = type(value) is type(default) and value == default
        spelt = row.kind.spell(value)
        if spelt is None and not usual:
            raise LinkError(f"{name} = {value!r} is none of {', '.join(row.kind.allowed())}.")
        if spelt is not None and (defaults or not usual):
            said[name] = spelt
    return said
