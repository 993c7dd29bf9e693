"""The table of link parameters: every choice that a reader can make, with its default and the pages that have it.

Each control of each page has a `Param` here. It gives the name in the link and the session, the allowed values, the
default, and how far links carry it. state.py reads and writes parameters; param_widgets.py draws their controls.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import streamlit as st

from model.analysis.attribution.saliency_record import METHODS, Method
from model.analysis.metrics.learning_curve import TRAINING_UNITS, TrainingUnit
from model.decoding import Settings
from model.text.documents import BYTE_LIMIT, CONTENTS, HEADERS, SEPARATORS, Contents, Header, Separator
from model.text.languages import parse_language_pair
from model.text.politeness import CHOSEN_STYLES
from model.trace import select_displayable_maps
from model.training.live import settings as live
from model.training.live.tasks import MAX_INPUT_CHARACTERS, TASKS
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

PAGE_KEY = "page"  # session key of the current page
MAX_CHARACTERS = 2000  # of the sentence box
LECTURE_LIMIT = 6000  # characters of a lecture in a link; proxies commonly take addresses of 8,000
SEARCHES = {"greedy": Settings(), "beam": Settings(beam=5)}
LENGTH_BINNINGS = ("10", "5", "equal-5", "equal-10")
"""Bins of so many words each, or so many bins with equally many sentences."""
INPUT_METHODS = ("paste", "file", "attention")
"""How readers bring in their own text."""
NO_KIND = "none"
"""In place of the second network of Train."""

IDEAS = ("bottleneck", "bidirectional", "gates", "gradients", "retrieval", "scores", "word_order", "windows",
         "feeding", "coverage", "copying", "training", "choosing", "self_attention", "positions", "layers", "scaling",
         "costs", "outlook")  # fmt: skip
"""The ideas of Concepts in the order of their buttons; pages/concepts.py lists what draws them."""

IMPORTED_FILE, OTHER_IMPORTED_FILE = "imported-file", "other-imported-file"  # session keys of imported attention files
UPLOADED_TEXT = "uploaded"  # session key of the uploaded file with the reader's own text
LIVE_RUN = "training-run"  # session key of the key of the reader's run in Train


def get_page_name() -> str:
    """Return the name of the current page; Translate is at the root."""
    return st.session_state.get(PAGE_KEY) or "translate"


class LinkError(ValueError):
    """Values that no link can carry; the message is one sentence."""


def _choose_first_set(options: Sequence[str]) -> Sequence[str]:
    return options[:1]


def _choose_usual_models(options: Sequence[str]) -> Sequence[str]:
    return [name for name in options if name in (cards.get_default_model(options), cards.get_baseline_model(options))]


def _choose_first(options: Sequence[str]) -> str:
    return next(iter(options), "")


def _get_opening_sentence() -> str:
    """Return the sentence that the page opens on: in Compare the last example, which one of two models gets wrong; in
    All models one chosen for it; else the first example."""
    page, pair = st.session_state.get(PAGE_KEY), get_chosen_pair()
    if page == "family" and (sentence := shipped_traces.get_family_sentence(pair)):
        return sentence
    sentences = shipped_traces.list_sentences(pair)
    return _choose_first(sentences[-1:] if page == "compare" else sentences)


def get_imported_file(session_key: str) -> AttentionFile | None:
    """Return the attention file that this reader opened, IMPORTED_FILE or OTHER_IMPORTED_FILE; None without one."""
    file: AttentionFile | None = st.session_state.get(session_key)
    return file


def _list_imported_sentences() -> list[str]:
    file = get_imported_file(IMPORTED_FILE)
    count = len(file.content.sentences) if file is not None and file.content is not None else 0
    return [str(number) for number in range(1, count + 1)] or ["1"]


def build_example_text(pair: str) -> str:
    """Return the text that the box of *Your text* opens with."""
    return "\n".join(shipped_traces.list_sentences(pair))


def is_example_text(text: str) -> bool:
    """Return whether a text is what the box of *Your text* opens with for any pair of languages."""
    return text in map(build_example_text, cards.list_pairs())


def _list_models() -> list[str]:
    return [card.name for card in cards.list_pair_cards(get_chosen_pair())]


def _list_text_models() -> list[str]:
    return cards.sort_default_first(sorted(_list_models()))


def _list_comparable_models() -> list[str]:
    return cards.list_models_of_same_languages(get_chosen_model())


def _list_family_models() -> list[str]:
    return cards.list_family(get_chosen_model())


def get_chosen_pair() -> str:
    """Return the pair of languages, such as "ko-en", before any control is drawn: from the session or the link, which
    may name a model alone, else the default. Right after a page change the link counts first."""
    pairs, candidates = cards.list_pairs(), _list_candidates(PAIR, cards.get_pair(st.query_params.get(MODEL.name, "")))
    candidates += map(cards.get_pair, _list_candidates(MODEL))
    return next((pair for pair in candidates if pair in pairs), pairs[0])


def get_source_language() -> str:
    """Return the language code that is translated from."""
    return parse_language_pair(get_chosen_pair())[0]


def get_chosen_model() -> str:
    """Return the model from the session or the link, before any control is drawn; else the default."""
    options = _list_models()
    return next((name for name in _list_candidates(MODEL) if name in options), MODEL.get_default())


def get_style() -> str:
    """Return the style of Korean that the reader chose, before any control is drawn; "" for models without a choice."""
    is_korean = parse_language_pair(get_chosen_pair())[1].partition("-")[0] == "ko"
    if not is_korean or not cards.has_style_tags(get_chosen_model()):
        return ""
    return next((style for style in _list_candidates(STYLE) if style in CHOSEN_STYLES), STYLE.get_default())


def _list_candidates(param: Param[str], *implied_values: str) -> list[str]:
    """Return the candidate values of a choice, most important first: those of the session, then those of the link and
    `implied_values`, which the link implies. Right after a page change those of the link come first."""
    state, name = st.session_state, param.name
    stored_values = (state.get(name), state.get(f"{name}-last"))
    linked_values = (st.query_params.get(name), *implied_values)
    is_opened = state.get(f"{name}-page") != state.get(PAGE_KEY)
    values = (*linked_values, *stored_values) if is_opened else (*stored_values, *linked_values)
    return [value for value in values if isinstance(value, str)]


def _list_alignment_maps() -> list[str]:
    """Return the keys of the maps of all models that show source positions; a control offers those of its model."""
    maps = (description for card in cards.list_displayed_cards() for description in select_displayable_maps(card.maps))
    return list(dict.fromkeys(description.key for description in maps))


def _list_maps() -> list[str]:
    """Return "" for no map, then the keys of all maps of all models."""
    return ["", *dict.fromkeys(description.key for card in cards.list_displayed_cards() for description in card.maps)]


def _list_transformer_layers() -> list[str]:
    """Return the numbers of the layers in the chosen stack of the Transformer that Concepts shows."""
    network = _get_transformer_network()
    is_decoder = st.session_state.get(STACK.name) == "decoder"
    return _list_numbers(network.get("decoder_layers", network["layers"]) if is_decoder else network["layers"])


def _list_transformer_heads() -> list[str]:
    """Return the numbers of the heads of the Transformer that Concepts shows."""
    return _list_numbers(_get_transformer_network()["heads"])


def _get_transformer_network() -> Mapping[str, Any]:
    card = cards.find_card_of_kind("transformer", get_chosen_pair())
    return card.network if card else {"layers": 1, "heads": 1}


def _list_numbers(last: int) -> list[str]:
    return [str(number) for number in range(1, last + 1)]


def _load_index() -> evaluations.EvaluationIndex:
    return evaluations.load_pair_index(get_chosen_pair())


def _list_test_sets() -> list[str]:
    return [evaluations.slugify(name) for name in _load_index().test_sets]


def _list_longest_sources() -> tuple[str, ...]:
    """Return "" for the task's default, then the longest lengths of all tasks; a control offers those of its task."""
    return "", *_sort_numbers(tuple({limit for task in TASKS.values() for limit in task.limits}))


def _build_number_choice(numbers: Sequence[float]) -> Choice[str]:
    """Return a choice among numbers, in order; the first one given is the default."""
    return Choice(lambda: _sort_numbers(numbers), lambda _: f"{numbers[0]:g}")


def _sort_numbers(numbers: Sequence[float]) -> tuple[str, ...]:
    return tuple(f"{number:g}" for number in sorted(numbers))


PAGES = ("story", "translate", "step_by_step", "compare", "family", "concepts", "train_live", "laboratory",
         "length_and_bleu", "paper_figures", "your_text")  # fmt: skip
_TRANSLATION_PAGES = ("translate", "step_by_step", "compare", "laboratory")
_SENTENCE_PAGES = (*_TRANSLATION_PAGES, "family", "concepts")

_SWITCH = Choice(lambda: ("off", "on"))

SENTENCE = Param("sentence", Text(MAX_CHARACTERS, _get_opening_sentence), _SENTENCE_PAGES, has_page_default=True)
SEARCH = Param("search", Choice(lambda: tuple(SEARCHES)), (*_TRANSLATION_PAGES, "family", "your_text"))
UNK: Param[Literal["show", "replace"]] = Param(
    "unk", Choice(lambda: ("show", "replace")), (*_TRANSLATION_PAGES, "family", "your_text")
)
"""Whether UNK is shown or replaced, for models of whole words."""
PAIR = Param("pair", Choice(cards.list_pairs), (*_SENTENCE_PAGES, "your_text", "length_and_bleu"))
"""The languages translated between; models of other pairs are not offered."""
STYLE = Param("style", Choice(lambda: CHOSEN_STYLES), (*_SENTENCE_PAGES, "your_text"))
"""The style of Korean that is translated into."""
MODEL = Param("model", Choice(_list_models, cards.get_default_model), _TRANSLATION_PAGES)
OTHER_MODEL = Param("other-model", Choice(_list_comparable_models, cards.get_baseline_model), ("translate", "compare"))
UNIT: Param[Unit] = Param("unit", Choice(lambda: alignment_grid.UNITS), ("translate", "your_text"))
SCALE: Param[ColourScale] = Param("scale", Choice(lambda: alignment_grid.COLOUR_SCALES), ("translate", "your_text"))
GLOSS = Param("gloss", _SWITCH, ("translate",))
LIVE = Param("live", _SWITCH, (*_TRANSLATION_PAGES, "family"))
"""Whether the text is translated while it is typed."""
MORE_OPTIONS = Param("more", Flag(), ("translate",))
"""Whether the row of options is open."""
FAMILY_MODELS = Param("members", MultiChoice(_list_family_models, cards.select_one_per_kind), ("family", "concepts"))
"""The models compared on the page All models, and by the gradients of Concepts."""
EQUAL_HOURS = Param("equal-hours", Flag(), ("family",))
"""Whether the page All models shows RNNsearch of equal hours beside models with less training."""
GRADIENT_WORD = NumberParam("gradient-word", Number(MAX_CHARACTERS, default=0), ("concepts",), scope="page")
"""The target word whose gradients Concepts shows, from 1; 0 for all."""
GATES_MODEL = Param("gates", Choice(_list_family_models, _choose_first), ("concepts",), scope="page")
"""The model whose gates Concepts shows."""
MAP = Param("map", Choice(_list_alignment_maps, _choose_first), _TRANSLATION_PAGES)
ALL_MAPS = Param("heads", _SWITCH, ("translate",))
"""Whether all attention maps of a model are shown, or one."""
ENLARGED_MAP = Param("head", Choice(_list_maps), ("translate",))
"""Which of all maps is enlarged."""
OVERRIDES = Param("overrides", OverridesText(), _TRANSLATION_PAGES)
EXPERIMENT = Param("experiment", Choice(lambda: experiments.NAMES), ("laboratory",))
"""The open experiment of the laboratory."""
IDEA = Param("idea", Choice(lambda: IDEAS), ("concepts",))
"""The idea that Concepts shows."""
STACK: Param[Literal["encoder", "decoder"]] = Param("stack", Choice(lambda: ("encoder", "decoder")), ("concepts",))
LAYER = Param("layer", Choice(_list_transformer_layers), ("concepts",))
HEAD = Param("layer-head", Choice(_list_transformer_heads), ("concepts",))
"""The head of self-attention whose matrices Concepts shows."""
BEAM_WIDTH = Param("width", Choice(lambda: tuple(map(str, range(1, 13))), lambda _: "5"), ("laboratory", "concepts"))
"""The width of the beam whose tree the laboratory and Concepts show."""
BEAM_NODE = NumberParam("node", Number(99_999, default=0), ("laboratory",))
"""The selected node of the laboratory's tree, from 1; 0 for none."""
OWN_TRANSLATION = Param("own-translation", Text(MAX_CHARACTERS), ("laboratory",))
"""The reader's translation, for forced decoding."""
ATTRIBUTION_METHOD: Param[Method] = Param("method", Choice(lambda: METHODS), ("laboratory",))
"""The attribution method compared with attention."""
SENSE_WORD = NumberParam("sense-word", Number(99_999, default=0), ("laboratory",))
"""The selected word in the plane of word senses, from 1: the shipped sentences first, then the reader's."""
SAMPLE_COUNT = Param("samples", Choice(lambda: ("10", "30", "100"), lambda _: "30"), ("laboratory",))
"""How many translations the laboratory samples."""
TEMPERATURE = Param("temperature", Choice(lambda: ("0.3", "0.5", "0.7", "1", "1.5"), lambda _: "1"), ("laboratory",))
TRUNCATIONS: dict[str, dict[str, Any]] = {"every": {}, "top-5": {"top_k": 5}, "top-20": {"top_k": 20},
                                   "half": {"top_p": 0.5}, "nine-tenths": {"top_p": 0.9}}  # fmt: skip
TRUNCATION = Param("truncation", Choice(lambda: tuple(TRUNCATIONS)), ("laboratory",))
"""Which tokens the laboratory samples from."""
SEED = NumberParam("seed", Number(9999), ("laboratory",))
OPEN_SENTENCE = NumberParam("open-sentence", Number(MAX_CHARACTERS, default=0), ("translate",))
"""The open sentence, from 1, where each sentence in the box is translated separately; 0 where they are one text."""
HYPOTHESIS_RANK = NumberParam("rank", Number(1000), ("translate",))
STEP = NumberParam("step", Number(99_999), ("step_by_step",))
CLAUSE_COUNT = NumberParam("clauses", Number(MAX_CHARACTERS, default=0), ("compare",))
DIARY_SENTENCE = NumberParam("probe", Number(999), ("length_and_bleu",))
DIARY_MOMENT = NumberParam("moment", Number(9999, default=0), ("length_and_bleu",))
SCENE = NumberParam("scene", Number(6), ("story",), scope="page")
JOB_KEY = Param("text", Text(200), ("your_text",), scope="page")
TEST_SETS = Param("sets", MultiChoice(_list_test_sets, _choose_first_set), ("length_and_bleu",))
CURVE_MODELS = Param(
    "curves", MultiChoice(lambda: _load_index().models, cards.select_models_of_default_kinds), ("length_and_bleu",)
)
LENGTH_BINS = Param("bins", Choice(lambda: LENGTH_BINNINGS), ("length_and_bleu",))
EVALUATED_SEARCH = Param(
    "evaluated-search", Choice(lambda: [search.key for search in _load_index().searches], _choose_first),
    ("length_and_bleu",),
)  # fmt: skip
TRAINING_UNIT: Param[TrainingUnit] = Param("training-unit", Choice(lambda: TRAINING_UNITS), ("length_and_bleu",))
"""Whether learning curves count target tokens or hours."""
_TRAINING = ("train_live",)
TRAINING_TASK = Param("task", Choice(lambda: tuple(TASKS)), _TRAINING)
FIRST_KIND = Param("first-kind", Choice(lambda: live.KINDS), _TRAINING)
SECOND_KIND = Param("second-kind", Choice(lambda: (*live.KINDS, NO_KIND), lambda kinds: kinds[1]), _TRAINING)
LONGEST_SOURCE = Param("longest-source", Choice(_list_longest_sources), _TRAINING)
HIDDEN_SIZE = Param("hidden", _build_number_choice(live.HIDDEN), _TRAINING)
LUONG_SCORE = Param("score", Choice(lambda: live.SCORES), _TRAINING)
LEARNING_RATE = Param("rate", _build_number_choice(live.RATES), _TRAINING)
FORCING_SHARE = Param("forcing", _build_number_choice(live.FORCING), _TRAINING)
CLIP = Param("clip", _build_number_choice(live.CLIPS), _TRAINING)
INITIAL_SEED = Param("initial-seed", _build_number_choice(range(1, 10)), _TRAINING)
TRAINING_SECONDS = Param("time", _build_number_choice((60, 30, 120)), _TRAINING)
TRAINING_INPUT = Param("input", Text(MAX_INPUT_CHARACTERS), _TRAINING)
"""The reader's own input to the networks of Train."""
LANGUAGE = Param("lang", Choice(lambda: LANGUAGES, lambda _: match_locale(st.context.locale)), PAGES)
PRESENT = Param("present", Flag(), PAGES)
LECTURE = Param("lecture", Text(LECTURE_LIMIT), (), scope="page")
"""A lecture that the link opens, packed (assets/player/shared/lecture.js). The browser reads it."""
FINGERPRINTS = Param("weights", Fingerprints(), (*_SENTENCE_PAGES, "length_and_bleu"))
REFERENCE = Param("reference", Text(MAX_CHARACTERS), ("compare", "laboratory", "concepts"), scope="session")
INPUT_METHOD = Param("input-method", Choice(lambda: INPUT_METHODS), ("your_text",), scope="session")
CONTENT: Param[Contents] = Param("contents", Choice(lambda: CONTENTS), ("your_text",), scope="session")
HEADER: Param[Header] = Param("header", Choice(lambda: HEADERS), ("your_text",), scope="session")
SEPARATOR: Param[Separator] = Param("separator", Choice(lambda: SEPARATORS), ("your_text",), scope="session")
TEXT_MODELS = Param(
    "text-models", MultiChoice(_list_text_models, _choose_usual_models), ("your_text",), scope="session"
)
PASTED_TEXT = Param(
    "pasted", Text(BYTE_LIMIT, lambda: build_example_text(get_chosen_pair())), ("your_text",), scope="session"
)
IMPORTED_SENTENCE = Param("imported-sentence", Choice(_list_imported_sentences), ("your_text",), scope="session")
"""The displayed sentence of an imported attention file."""
IMPORTED_MAP = Param("imported-map", Choice(lambda: ("",)), ("your_text",), scope="session")
"""The displayed map of this sentence; the page replaces the options by those of the file."""
OTHER_IMPORTED_MAP = Param("other-imported-map", Choice(lambda: ("",)), ("your_text",), scope="session")
"""The same of the second file."""
IMPORTED_SOURCE = Param("imported-source", Text(BYTE_LIMIT), ("your_text",), scope="session")
IMPORTED_TARGET = Param("imported-target", Text(BYTE_LIMIT), ("your_text",), scope="session")
"""The sentences, typed by the reader, of a file that has none."""
SPECIAL_TOKENS = Param("special", Choice(lambda: ("shown", "left_out")), ("your_text",), scope="session")
"""Whether the picture includes special tokens."""
SHIPPED_SET = Param(
    "shipped-set", Choice(lambda: _load_index().test_sets, evaluations.choose_main_test_set), ("your_text",),
    scope="session",
)  # fmt: skip

TRANSLATION_PARAMS: tuple[Param[Any], ...] = (OVERRIDES, OPEN_SENTENCE, MAP)
"""Choices that belong to one translation, and are reset when another page opens another one."""

SENTENCE_POSITION_PARAMS: tuple[Param[Any], ...] = (
    HYPOTHESIS_RANK, STEP, CLAUSE_COUNT, BEAM_NODE, SENSE_WORD, OWN_TRANSLATION,
)  # fmt: skip
"""What belongs to one sentence. In the session each is kept with its sentence; links drop them with it."""

MODEL_PARAMS: tuple[Param[Any], ...] = (
    MODEL, OTHER_MODEL, FAMILY_MODELS, GATES_MODEL, TEXT_MODELS, CURVE_MODELS, TEST_SETS, EVALUATED_SEARCH, SHIPPED_SET,
)  # fmt: skip
"""Choices among the models of a pair of languages, kept for each pair."""

POSITION_PARAMS: tuple[Param[Any], ...] = (
    HYPOTHESIS_RANK, STEP, CLAUSE_COUNT, BEAM_NODE, SENSE_WORD, DIARY_SENTENCE, GRADIENT_WORD, GATES_MODEL,
    DIARY_MOMENT, SCENE, JOB_KEY, PRESENT, LECTURE, FINGERPRINTS, MORE_OPTIONS,
)  # fmt: skip
"""Positions within a page: links carry them, but a change of these alone adds no entry to the browser's history."""

ALL_PARAMS: tuple[Param[Any], ...] = tuple(value for value in list(globals().values()) if isinstance(value, Param))
LINK_PARAMS = {param.name: param for param in ALL_PARAMS if param.scope != "session"}
"""The parameters that a link may carry, by name."""


def build_query(values: Mapping[str, Any]) -> dict[str, str]:
    """Return the query parameters of a link that opens `values`, given by parameter name, such as {"unit": "pieces"}.

    Raises LinkError for an unknown name or a value that the parameter does not take.
    """
    query: dict[str, str] = {}
    for name, value in values.items():
        param = LINK_PARAMS.get(name)
        if param is None:
            raise LinkError(f"A link has no {name!r}; it may have {', '.join(LINK_PARAMS)}.")
        value = tuple(value) if isinstance(value, list) else value
        default, text = param.get_default(), param.value_type.format(value)
        if text is not None:
            query[name] = text
        elif type(value) is not type(default) or value != default:
            raise LinkError(f"{name} = {value!r} is none of {', '.join(param.value_type.list_allowed())}.")
    return query
