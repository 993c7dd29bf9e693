"""The controls that several pages have: the sentence box, the search, the choice of models and maps."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from model.checkpoints.checkpoint import Card, list_corpora
from model.decoding import Settings
from model.text.control_file import SYNTHETIC_CORPORA
from model.text.languages import parse_language_pair
from model.trace import MapDescription, select_displayable_maps
from pages.ui.backend import cards, shipped_traces
from pages.ui.backend.cards import get_title
from pages.ui.components import glossary
from pages.ui.escape import escape_html, escape_markdown
from pages.ui.frame import frame
from pages.ui.i18n.messages import Messages
from pages.ui.i18n.typography import format_decimal
from pages.ui.url_state import param_widgets, params, state
from pages.ui.url_state.param_types import Choice, Param
from pages.ui.widgets import map_names

MAX_BUTTONS = 6  # models or maps that are offered as buttons; more are offered as a list
MAX_PAIRED_BUTTONS = 4  # the same where two choices of a model share a line
_CHOICES_KEY = "choices-by-pair"  # session key of the models chosen for each pair of languages
_PAIR_KEY = "box-pair"  # session key of the pair of languages that the sentence in the box was for


def draw_sentence_box(t: Messages) -> str:
    """Draw the box, its button and the examples; return the sentence in the box and write it to the link."""
    pair, language = params.get_chosen_pair(), params.get_source_language()
    state.restore_param(params.SENTENCE)
    previous, st.session_state[_PAIR_KEY] = st.session_state.get(_PAIR_KEY, pair), pair
    sentence = st.session_state[params.SENTENCE.name]
    if previous != pair and sentence in shipped_traces.list_foreign_sentences(pair):
        state.reset_params(params.SENTENCE)  # an example of the previous pair, not typed by the reader
    with st.container(key="box", height=84, border=False), st.form("ask", border=False):
        st.text_area(
            t("box.label", language=t.name_language(language)),
            key=params.SENTENCE.name,
            persist_state="session",
            placeholder=t("box.placeholder", language=t.name_language(language)),
            height="content",
            label_visibility="collapsed",
        )
        st.form_submit_button(t("box.submit"), key="submit", on_click=state.record_submission)
    with frame.create_widget_row("examples", 32):
        draw_pair_control(t)
        draw_style_control(t)
        for number, example in enumerate(shipped_traces.list_sentences(pair)):
            st.button(escape_markdown(example), key=f"example-{number}", on_click=set_sentence, args=(example,))
    sentence = str(st.session_state[params.SENTENCE.name] or "")
    state.store_param(params.SENTENCE, sentence)
    return sentence


def draw_pair_control(t: Messages) -> None:
    """Draw the choice of the languages translated between, if there are models of several pairs."""
    st.session_state[f"{params.PAIR.name}-last"] = params.get_chosen_pair()  # the link may name it by a model alone
    if len(cards.list_pairs()) < 2:
        param_widgets.get_choice(params.PAIR)
    else:
        with st.container(key="pair-choice", width="content"):
            param_widgets.draw_buttons(
                params.PAIR, t("option.pair"), name_pair, t, is_label_hidden=True, on_change=reset_pair_choices
            )


def draw_style_control(t: Messages) -> None:
    """Draw the choice of the style of Korean, if the model has one."""
    if not params.get_style():
        param_widgets.get_choice(params.STYLE)
        return
    with st.container(key="style-choice", width="content"):
        param_widgets.draw_buttons(
            params.STYLE, t("option.style"), lambda style: t(f"option.{style}"), t, is_label_hidden=True
        )


def name_pair(pair: str) -> str:
    """Return a pair of languages as readers see it: "KO→EN"."""
    return "→".join(code.upper() for code in parse_language_pair(pair))


def choose_pair(pair: str) -> None:
    """Choose a pair of languages, also on a page without a control for it; for callbacks."""
    st.session_state[params.PAIR.name] = pair
    reset_pair_choices()


def reset_pair_choices() -> None:
    """Choose the models that the reader last chose for the new pair, or its default ones, and write the pair to the
    link before the page is drawn."""
    pair, previous = st.session_state[params.PAIR.name], st.session_state.get(f"{params.PAIR.name}-last")
    choices_by_pair = st.session_state.setdefault(_CHOICES_KEY, {})
    choices_by_pair[previous] = {param: st.session_state[f"{param.name}-last"] for param in params.MODEL_PARAMS
                                 if f"{param.name}-last" in st.session_state}  # fmt: skip
    state.store_param(params.PAIR, pair)
    state.reset_params(*params.MODEL_PARAMS, *params.TRANSLATION_PARAMS)
    for param, value in choices_by_pair.get(pair, {}).items():
        st.session_state[param.name] = value
        st.session_state[f"{param.name}-last"] = value  # a page that draws the choice writes it to its link


def set_sentence(sentence: str) -> None:
    """Put a sentence into the box; for callbacks."""
    st.session_state[params.SENTENCE.name] = sentence


def draw_search_control(t: Messages, *models: str) -> Settings:
    """Draw the choice between greedy and beam search, and for models of whole words that of what becomes of UNK."""
    param_widgets.draw_option_buttons(params.SEARCH, t, width=params.SEARCHES["beam"].beam)
    if cards.has_unk(*models):
        param_widgets.draw_option_buttons(params.UNK, t)
    return get_search_settings()


def get_search_settings() -> Settings:
    """Return the chosen search where the choice is not drawn."""
    search, unk = param_widgets.get_choice(params.SEARCH), param_widgets.get_choice(params.UNK)
    return replace(params.SEARCHES[search], unk=unk)


def draw_live_control(t: Messages) -> None:
    """Draw the switch for translating while typing (assets/player/shared/sentence_box.js)."""
    param_widgets.draw_option_buttons(params.LIVE, t)


def draw_model_control(param: Param[str], t: Messages, max_buttons: int = MAX_BUTTONS) -> str:
    """Draw a choice of a model, as buttons or, beyond `max_buttons`, as a list; a single one needs no choice. Without
    any model return the default, for which the service will raise an error."""
    models = cards.list_displayed_cards()
    if not models:
        return param.get_default()
    num_options = len(param_widgets.list_options(param))
    if num_options < 2:
        return param_widgets.get_choice(param)
    if num_options > max_buttons:
        return param_widgets.draw_selectbox(param, t(f"option.{param.name}"), get_title, is_label_hidden=False)
    return param_widgets.draw_option_buttons(param, t, lambda name: escape_markdown(get_title(name)))


def get_model(param: Param[str]) -> str:
    """Return the chosen model where the choice is not drawn."""
    return param_widgets.get_choice(param) if cards.list_displayed_cards() else param.get_default()


def has_several_maps(model_name: str) -> bool:
    """Return whether a model has several attention maps."""
    card = cards.find_card(model_name)
    return card is not None and len(card.maps) > 1


def draw_map_control(model_name: str, t: Messages) -> str:
    """Draw a choice of the model's maps over the source, if it has several; return the key of the map, "" without a
    choice."""
    param, maps = _select_map_param(model_name)
    return draw_map_choice(param, maps, t) if maps else ""


def get_map(model_name: str) -> str:
    """Return the key of the chosen map, "" without a choice, without drawing the control."""
    param, maps = _select_map_param(model_name)
    return param_widgets.get_choice(param) if maps else ""


def _select_map_param(model_name: str) -> tuple[Param[str], dict[str, MapDescription]]:
    """Return the parameter for a model's maps, and the maps by their keys; reset, and no maps, for fewer than two."""
    card = cards.find_card(model_name)
    maps = {description.key: description for description in select_displayable_maps(card.maps)} if card else {}
    if len(maps) < 2:
        _reset_unused(params.MAP)
        return params.MAP, {}
    return replace(params.MAP, value_type=Choice(lambda: tuple(maps))), maps


def draw_map_choice(param: Param[str], maps: Mapping[str, MapDescription], t: Messages) -> str:
    """Draw a choice of one of `maps`, given by their keys: as buttons, or as a list if there are many."""
    descriptions, is_list = tuple(maps.values()), len(maps) > MAX_BUTTONS

    def name_map(key: str) -> str:
        return map_names.name_map(maps[key], descriptions, t, is_short=is_list)

    if is_list:
        return param_widgets.draw_selectbox(param, t("option.map"), name_map, is_label_hidden=False)
    return param_widgets.draw_buttons(param, t("option.map"), lambda key: escape_markdown(name_map(key)), t)


def draw_all_maps_control(model_name: str, t: Messages) -> bool:
    """Draw the switch between one map and all maps, if the model has several; return whether all are displayed."""
    return _choose_all_maps(model_name, lambda: param_widgets.draw_option_buttons(params.ALL_MAPS, t))


def has_all_maps_displayed(model_name: str) -> bool:
    """Return whether all maps are displayed, without drawing the switch."""
    return _choose_all_maps(model_name, lambda: param_widgets.get_choice(params.ALL_MAPS))


def _choose_all_maps(model_name: str, choose: Callable[[], str]) -> bool:
    has_several = has_several_maps(model_name)
    if not has_several:
        _reset_unused(params.ALL_MAPS)
    are_all_displayed = has_several and choose() == "on"
    if not are_all_displayed:
        _reset_unused(params.ENLARGED_MAP)
    return are_all_displayed


def _reset_unused(param: Param[str]) -> None:
    """Reset a parameter that has no control now."""
    state.get_param(param)
    state.reset_params(param)


def draw_about(t: Messages, *, has_choice: bool = False) -> DeltaGenerator:
    """Draw the facts about all models, in a popover; return the container above them.

    `has_choice`: the page chooses its models in that container.
    """
    models = cards.list_displayed_cards()
    if not models:
        return st.container(key="chosen-models", width="content")
    with st.popover(t("about.choose") if has_choice else t("about.label"), key="about", type="tertiary"):
        container = st.container(key="chosen-models")
        st.html("".join(_render_card(card, t) for card in models) + format_corpora(models, t))
    return container


def _render_card(card: Card, t: Messages) -> str:
    facts = t.format_html(
        "about.card",
        parameters=f"{card.parameters:,}",
        pieces=f"{card.target_tokens:,}",
        hours=format_decimal(card.hours, 1),
        weights=card.fingerprint,
    )
    description = escape_html(glossary.describe_model(card, t))
    return f"<p><b>{escape_html(card.title)}</b> {description}<br><small>{facts}</small></p>"


def format_corpora(models: Sequence[Card], t: Messages) -> str:
    """Return the training corpora as HTML, a paragraph for all models with the same ones."""
    titles_by_corpora: dict[str, list[str]] = {}
    for card in models:
        names = dict.fromkeys(_name_corpus(name, t) for name in list_corpora(card.training))
        if names:
            titles_by_corpora.setdefault(", ".join(names), []).append(card.title)
    paragraphs = []
    for corpora, titles in titles_by_corpora.items():
        if len(titles) == len(models) > 1:
            text = t("about.text_of_all", corpora=corpora)
        else:
            text = t("about.text", models=", ".join(titles), corpora=corpora)
        paragraphs.append(f"<p><small>{escape_html(text)}</small></p>")
    return "".join(paragraphs)


def _name_corpus(name: str, t: Messages) -> str:
    """Return the full name of a corpus, known by the start of its name ("tatoeba-bare"); else the name itself."""
    kind = "synthetic" if name in SYNTHETIC_CORPORA else name.partition("-")[0]
    return t(f"corpus.{kind}") if f"corpus.{kind}" in t else name
