"""The run that the reader watches: started on the server, or recorded with the default settings.

The browser asks the server for news of a run by itself (assets/player/train_live); the page is drawn anew only when the
reader changes a control or presses Train.
"""

import json
from collections.abc import Sequence
from functools import cache

import streamlit as st

from model.paths import ASSETS
from model.training.live.records import NetworkReport
from model.training.live.settings import BATCH_PAIRS, EXAM_PAIRS, SNAPSHOT_PAIRS, LiveSettings
from model.training.live.tasks import TASKS
from pages.ui.backend.live_runs import get_live_runs
from pages.ui.components.component import Component
from pages.ui.i18n.messages import Messages
from pages.ui.train_live.choices import get_default_settings
from pages.ui.train_live.payload_types import TrainingData
from pages.ui.url_state import params, state

KEY = "training"
RECORDED = ASSETS / "train_live.json"
_SETTINGS = f"{KEY}-settings"
_mount = Component("train_live", TrainingData)


def draw_run(settings: Sequence[LiveSettings], t: Messages) -> TrainingData:
    """Draw the reader's run, else the recorded one; return what was drawn."""
    st.session_state[_SETTINGS] = list(settings)
    data = build_data(settings, t)
    _mount(key=KEY, data=data, on_train_change=_start)
    return data


def build_data(settings: Sequence[LiveSettings], t: Messages) -> TrainingData:
    """Return the payload of the reader's run as it is now, else of the recorded one."""
    key = str(st.session_state.get(params.LIVE_RUN, ""))
    run = get_live_runs().find(key) if key else None
    networks = run.reports if run else load_recorded()
    is_default = list(settings) == get_default_settings()
    if run:
        note = "" if run.settings == tuple(settings) else t("training.changed")
    else:
        note = t("training.recorded" if is_default else "training.recorded_other")
    task_name = networks[0]["settings"]["task"]
    task = TASKS[task_name]
    typed_input = str(state.get_param(params.TRAINING_INPUT))
    return {
        "key": key if run else "",
        "version": run.version if run else 0,
        "networks": networks,
        "note": note,
        "styles": [{"name": t(f"training.kind_{network['settings']['kind']}"), "is_dashed": number > 0}
                   for number, network in enumerate(networks)],
        "separators": (task.separator, task.target_separator),
        "input": "" if run and task_name != settings[0].task else typed_input,
        "example": task.examples[0],
        "is_export": False,
        "messages": t.get_table("training"),
        "language": t.language,
    }  # fmt: skip


@cache
def load_recorded() -> list[NetworkReport]:
    """Return the shipped run with the default settings (`python -m model live --save`)."""
    networks: list[NetworkReport] = json.loads(RECORDED.read_text("utf-8"))["networks"]
    return networks


def describe_method(data: TrainingData, t: Messages) -> str:
    """Return how the numbers of a run are made."""
    text = t("training.method", few=SNAPSHOT_PAIRS, many=EXAM_PAIRS, batch=BATCH_PAIRS)
    return f"{text} {t('training.forced')}" if data["networks"][0]["settings"]["forcing"] < 1 else text


def _start() -> None:
    """Start a run with the settings on the screen, in place of the reader's last one."""
    settings: list[LiveSettings] = st.session_state.get(_SETTINGS) or get_default_settings()
    st.session_state[params.LIVE_RUN] = get_live_runs().start(settings, state.get_reader_id())
