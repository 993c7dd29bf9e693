"""A bidirectional encoder as a player: left to right, right to left, joined.

The browser component is assets/player/concepts/bidirectional.js.
"""

from __future__ import annotations

from model.analysis.probing.similarity import Array
from model.checkpoints.checkpoint import Model
from model.text.normalise import NormalisedText
from model.trace import Side
from pages.ui.backend import cards
from pages.ui.charts.payload_parts import round_rows
from pages.ui.components.component import Component
from pages.ui.concepts import idea_parts
from pages.ui.concepts.context import IdeaContext
from pages.ui.concepts.recurrent_payload_types import DirectionsData
from pages.ui.concepts.token_labels import label_tokens
from pages.ui.i18n.messages import Messages
from pages.ui.url_state import params

SHOWN_UNITS = 12  # of each direction: those that change most

_mount = Component("bidirectional", DirectionsData)
States = tuple[Side, Array, Array, int]
"""The sentence, the shown units of both directions, and the number of all units of one."""


def render_bidirectional(context: IdeaContext) -> None:
    """Draw the player."""
    if not idea_parts.check_length(context):
        return
    name = idea_parts.choose_model(context, "rnnsearch")
    text = context.sentence.text
    states = context.measure(name, ("directions", text), lambda model, _: encode(model, text)) if name else None
    if states is not None:
        _mount(key="concept-bidirectional", data=build_directions_payload(cards.get_title(name), states, context.t))


def encode(model: Model, text: NormalisedText) -> States:
    """Run the encoder and keep the units that change most."""
    from model.analysis.probing.recurrent_states import choose_units, encode_directions  # imports torch

    side, *directions = encode_directions(model, text)
    forward, backward = (states[:, choose_units(states, SHOWN_UNITS)] for states in directions)
    return side, forward, backward, directions[0].shape[1]


def build_directions_payload(title: str, states: States, t: Messages) -> DirectionsData:
    """Return the component's data."""
    side, forward, backward, units = states
    return {
        "tokens": label_tokens(side, t),
        "forward": round_rows(forward, idea_parts.DIGITS),
        "backward": round_rows(backward, idea_parts.DIGITS),
        "units": units,
        "title": title,
        "source_language": params.get_source_language(),
        "messages": t.get_table("bidirectional"),
        "controls": t.get_table("playback"),
        "language": t.language,
    }
