"""The payload of the component of Train. The browser code is type-checked against it."""

from typing import Annotated, TypedDict

from model.training.live.records import NetworkReport


class TrainingStyle(TypedDict):
    """How a network is named and drawn."""

    name: str
    is_dashed: bool


class TrainingData(TypedDict):
    """A run to watch, or a recorded one.

    `key`: of the run on the server; "" for a recorded one. `networks`: what is known of it when the page is drawn.
    `note`: which recording it is, or "". `styles`: of each network. `separators`: between the tokens of source and
    target. `input`: the reader's own. `example`: an input that the task has an answer to. `is_export`: whether the page
    is an exported file.
    """

    key: str
    version: int
    networks: list[NetworkReport]
    note: str
    styles: list[TrainingStyle]
    separators: tuple[str, str]
    input: str
    example: str
    is_export: bool
    messages: Annotated[dict[str, str], "training"]
    language: str
