"""The controls of Train, and the settings that they make."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import streamlit as st

from model.training.live.settings import LiveSettings
from model.training.live.tasks import TASKS
from pages.ui.i18n.messages import Messages
from pages.ui.url_state import param_widgets, params
from pages.ui.url_state.param_types import Choice, Param
from pages.ui.widgets import folds

NO_CLIP = 1000.0  # larger than any norm


def draw_controls(t: Messages) -> list[LiveSettings]:
    """Draw all controls; return the settings of one or two networks."""
    with st.container(key="training-choices", horizontal=True, gap="small"):
        task = _draw_choice(params.TRAINING_TASK, "task", t, "task_{}")
        longest = _draw_longest(task, t)
        first_kind = _draw_choice(params.FIRST_KIND, "first", t, "kind_{}")
        second_kind = _draw_choice(_exclude_kind(first_kind), "second", t, "kind_{}")
        param_widgets.draw_text_input(params.TRAINING_INPUT, task, t("training.input"))
    with folds.create_fold("training", t, t("training.more")), st.container(
        key="training-more", horizontal=True, gap="small"
    ):
        hidden = _draw_number(params.HIDDEN_SIZE, "hidden", t)
        score = _draw_choice(params.LUONG_SCORE, "score", t)
        rate = _draw_number(params.LEARNING_RATE, "rate", t)
        forcing = _draw_number(params.FORCING_SHARE, "forcing", t, lambda text: f"{float(text):.0%}")
        clip = _draw_number(
            params.CLIP, "clip", t, lambda text: t("training.no_clip") if float(text) >= NO_CLIP else text
        )
        seed = _draw_number(params.INITIAL_SEED, "init", t)
        seconds = _draw_number(params.TRAINING_SECONDS, "time", t)
    return [
        LiveSettings(task, kind, int(longest), int(hidden), score, rate, forcing, clip, int(seed), seconds)
        for kind in (first_kind, second_kind)
        if kind != params.NO_KIND
    ]


def get_default_settings() -> list[LiveSettings]:
    """Return the settings that the page opens with."""
    kinds = (params.FIRST_KIND.get_default(), params.SECOND_KIND.get_default())
    return [LiveSettings(kind=kind) for kind in kinds]


def _exclude_kind(first_kind: str) -> Param[str]:
    """Return the parameter of the second network without the kind of the first."""
    kinds = tuple(kind for kind in param_widgets.list_options(params.SECOND_KIND) if kind != first_kind)
    return replace(params.SECOND_KIND, value_type=Choice(lambda: kinds, _choose_second_kind))


def _choose_second_kind(kinds: Sequence[str]) -> str:
    default = params.SECOND_KIND.get_default()
    return default if default in kinds else kinds[0]


def _draw_longest(task: str, t: Messages) -> float:
    """Draw the choice of the longest source to train on; 0 for a task that has none."""
    limits = TASKS[task].limits
    if not limits:
        return 0
    options = tuple(str(limit) for limit in sorted(limits))
    of_task = replace(params.LONGEST_SOURCE, value_type=Choice(lambda: options, lambda _: str(limits[0])))
    return _draw_number(of_task, "longest", t)


def _draw_choice(param: Param[str], key: str, t: Messages, option_key: str = "") -> str:
    labels: Mapping[str, str] = {option: t(f"training.{option_key.format(option)}") if option_key else option
                                 for option in param_widgets.list_options(param)}  # fmt: skip
    return param_widgets.draw_selectbox(param, t(f"training.{key}"), labels.__getitem__, is_label_hidden=False)


def _draw_number(param: Param[str], key: str, t: Messages, label: Callable[[str], str] = str) -> float:
    return float(param_widgets.draw_selectbox(param, t(f"training.{key}"), label, is_label_hidden=False))
