"""Files of a run: a page that works offline, a table, and one moving picture."""

from collections.abc import Callable, Sequence

import streamlit as st

from model.training.live.records import NetworkReport
from pages.ui.components import standalone
from pages.ui.csv_table import Cell, build_csv
from pages.ui.i18n.messages import Messages
from pages.ui.train_live import animation
from pages.ui.train_live.payload_types import TrainingData
from pages.ui.widgets import downloads

COLUMNS = ("network", "seed", "snapshot", "seconds", "updates", "examples", "loss", "exact", "gradient_norm",
           "largest_gradient_norm", "clipped")  # fmt: skip


def draw_buttons(data: TrainingData, t: Messages) -> None:
    """Draw a button for each file. It holds what the run has reported when the button is pressed."""
    name = "-".join(["training", *(str(network["settings"]["kind"]) for network in data["networks"])])
    builders: dict[str, tuple[str, Callable[[], str]]] = {
        "csv": ("text/csv", lambda: to_csv(data["networks"])),
        "html": ("text/html", lambda: build_page(data, t)),
        "svg": ("image/svg+xml", lambda: animation.build_svg(data, t)),
    }
    with st.container(key="training-files", horizontal=True, gap="xsmall"):
        for suffix, (mime, build) in builders.items():
            downloads.draw_download_button(
                f"training-{suffix}", t(f"training.{suffix}"), f"{name}.{suffix}", mime, build,
                t(f"training.{suffix}_help"),
            )  # fmt: skip


def to_csv(networks: Sequence[NetworkReport]) -> str:
    """Return a row for each snapshot, then a row for the last test. Accuracy by length has a column for
    each length."""
    lengths = sorted({length for network in networks for length in (*network["lengths"], *network["longer"])})
    rows: list[list[Cell]] = []
    for network in networks:
        start: list[Cell] = [network["settings"]["kind"], network["settings"]["seed"]]
        for number, snapshot in enumerate(network["snapshots"]):
            shares = dict(zip(network["lengths"], snapshot["by_length"], strict=True))
            rows.append([*start, number, *(snapshot[key] for key in (
                "seconds", "updates", "pairs", "loss", "accuracy", "norm", "max_norm", "clipped")),
                *map(shares.get, lengths)])  # fmt: skip
        if network["exam"]:
            final_scores = {score["length"]: score["accuracy"] for score in network["exam"]}
            rows.append([*start, "final_test", *[None] * (len(COLUMNS) - 3), *map(final_scores.get, lengths)])
    return build_csv([*COLUMNS, *(f"exact_at_{length}" for length in lengths)], rows)


def build_page(data: TrainingData, t: Messages) -> str:
    """Return the run as an HTML page."""
    title = t("training.document", task=t(f"training.task_{data['networks'][0]['settings']['task']}"),
              names=", ".join(style["name"] for style in data["styles"]))  # fmt: skip
    return standalone.build_document("train_live", title, {**data, "key": "", "note": title, "is_export": True}, t)
