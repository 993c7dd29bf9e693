"""The options of Translate, in two rows that one button opens and closes.

Closed, they keep their values: from the link, or chosen before.
"""

from dataclasses import dataclass
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from model.decoding import Settings
from pages.ui.frame import frame
from pages.ui.heatmap.heatmap import HeatmapView
from pages.ui.i18n.messages import Messages
from pages.ui.url_state import param_widgets, params, state
from pages.ui.url_state.param_types import Param
from pages.ui.widgets import controls

ROW_HEIGHT = 36  # pixels
_CHOICES: tuple[Param[Any], ...] = (
    params.SEARCH, params.UNK, params.LIVE, params.UNIT, params.SCALE, params.GLOSS, params.MODEL, params.OTHER_MODEL,
    params.MAP, params.ALL_MAPS,
)  # fmt: skip


@dataclass(frozen=True)
class Options:
    """What the reader chose. `export_container`: for the downloads, None while the rows are closed."""

    settings: Settings
    view: HeatmapView
    model: str
    other_model: str
    map_key: str
    shows_all_maps: bool
    export_container: DeltaGenerator | None


def draw_more_button(t: Messages) -> bool:
    """Draw the button that opens and closes the rows; return whether they are open.

    They stay as the reader leaves them; at first they are open only if the link carries one of their choices.
    """
    name = params.MORE_OPTIONS.name
    if name not in st.session_state and f"{name}-last" not in st.session_state and has_choices():
        st.session_state[f"{name}-last"] = True
    is_open = state.get_param(params.MORE_OPTIONS)
    with st.container(key="more", width="content"):
        st.button(t("more.close") if is_open else t("more.open"), key="more-button", type="tertiary", on_click=_toggle)
    return is_open


def has_choices() -> bool:
    """Return whether the reader or the link has chosen anything but the defaults."""
    linked_values = {param: state.read_link_param(param, should_notify=False) for param in _CHOICES}
    return any(
        st.session_state.get(param.name, value) not in (None, param.get_default())
        for param, value in linked_values.items()
    )


def _toggle() -> None:
    st.session_state[params.MORE_OPTIONS.name] = not st.session_state[params.MORE_OPTIONS.name]


def draw_options(t: Messages) -> Options:
    """Draw both rows: search and picture, then models, maps and the place of the downloads."""
    with frame.create_widget_row("options", ROW_HEIGHT, "small"):
        settings = controls.draw_search_control(
            t, params.get_chosen_model(), state.get_param(params.OTHER_MODEL)
        )
        controls.draw_live_control(t)
        unit = param_widgets.draw_option_buttons(params.UNIT, t)
        scale = param_widgets.draw_option_buttons(params.SCALE, t)
        label = t("option.gloss", language=t.name_language(params.get_source_language()))
        gloss = param_widgets.draw_buttons(params.GLOSS, label, lambda option: t(f"option.{option}"), t)
    with frame.create_widget_row("maps", ROW_HEIGHT, "small"):
        with controls.draw_about(t, has_choice=True):
            model = controls.draw_model_control(params.MODEL, t)
            other_model = controls.draw_model_control(params.OTHER_MODEL, t)
        map_key = controls.draw_map_control(model, t)
        shows_all_maps = controls.draw_all_maps_control(model, t)
        export_container = st.container(key="exports", horizontal=True, width="content", gap="xsmall")
    view = HeatmapView(unit, scale, gloss == "on")
    return Options(settings, view, model, other_model, map_key, shows_all_maps, export_container)


def get_options() -> Options:
    """Return the options without their rows."""
    settings = controls.get_search_settings()
    param_widgets.get_choice(params.LIVE)
    unit, scale = param_widgets.get_choice(params.UNIT), param_widgets.get_choice(params.SCALE)
    view = HeatmapView(unit, scale, param_widgets.get_choice(params.GLOSS) == "on")
    model, other_model = controls.get_model(params.MODEL), controls.get_model(params.OTHER_MODEL)
    map_key = controls.get_map(model)
    return Options(settings, view, model, other_model, map_key, controls.has_all_maps_displayed(model), None)
