"""The residual stream through the layers of the Transformer on the sentence, beside pre-norm and post-norm as boxes.

The browser component is in assets/player/concepts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pages.ui.charts.payload_parts import round_significant
from pages.ui.components.component import Component
from pages.ui.concepts.context import IdeaContext
from pages.ui.concepts.transformer import measure_internals, translate_with_transformer
from pages.ui.concepts.transformer_payload_types import LayersData, StreamData

if TYPE_CHECKING:
    from model.analysis.probing.transformer_internals import StackInternals

_mount = Component("layers", LayersData)


def render_layers(context: IdeaContext) -> None:
    """Draw the boxes and the stream; with post-norm the boxes alone, since nothing adds up there."""
    t, translation = context.t, translate_with_transformer(context)
    internals = measure_internals(context, translation) if translation else None
    if translation is None or internals is None:
        return
    norm, languages = translation.card.network["norm"], translation.trace.languages
    streams = [
        build_stream(internals["encoder"], translation.source, languages[0]),
        build_stream(internals["decoder"], translation.list_inputs(t("qkv.start")), languages[1]),
    ]
    data: LayersData = {
        "model": translation.card.title,
        "norm": norm,
        "inner_size": translation.card.network["feed_forward"],
        "streams": streams if norm == "pre" else [],
        "messages": t.get_table("residual"),
        "language": t.language,
    }
    _mount(key="concept-layers", data=data)


def build_stream(stack: StackInternals, tokens: list[str], language: str) -> StreamData:
    """Return the norms and shares of a stack with pre-norm, whose last state is the sum of all outputs.

    The share of an output o in the last state x is (o · x) / (x · x); the shares of a token sum to 1.
    """
    outputs = np.stack([stack.embedded, *(part.output for part in stack.sublayers)]).astype(np.float64)
    stream = outputs.cumsum(axis=0)
    last = stream[-1]
    return {
        "tokens": tokens,
        "token_language": language,
        "layers": [part.layer for part in stack.sublayers],
        "kinds": [part.name for part in stack.sublayers],
        "update_norms": round_significant(np.linalg.norm(outputs, axis=2)),
        "stream_norms": round_significant(np.linalg.norm(stream, axis=2)),
        "shares": round_significant((outputs * last).sum(axis=2) / (last * last).sum(axis=1)),
        "active": round_significant(
            np.stack([part.active_share for part in stack.sublayers if part.active_share is not None])
        ),
    }
