"""The player as one HTML file, with one translation."""

from pages.ui.components import standalone
from pages.ui.i18n.messages import Messages
from pages.ui.step_by_step.payload_types import PlayerData


def build_player_document(data: PlayerData, t: Messages) -> str:
    """A whole page that plays `data`, a payload of `payload.py`, from a file and without the net."""
    title = t("step_by_step.title", model=data["model"], sentence=_sentence(data))
    return standalone.build_document("step_by_step", title, data, t)


def _sentence(data: PlayerData) -> str:
    parts = [("" if piece["joined"] else " ") + piece["text"] for piece in data["source"] if piece["word"] >= 0]
    return "".join(parts).strip()
