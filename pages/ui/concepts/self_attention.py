"""Self-attention as matrices: Q, K and V of one head of the Transformer on the sentence, scores, weights and output.

The browser component is in assets/player/concepts. It computes scores, softmax and output, so that the causal mask can
be switched off.
"""

from pages.ui.charts.payload_parts import round_significant
from pages.ui.components.component import Component
from pages.ui.concepts.context import IdeaContext
from pages.ui.concepts.transformer import measure_internals, translate_with_transformer
from pages.ui.concepts.transformer_payload_types import SelfAttentionData
from pages.ui.frame import frame
from pages.ui.url_state import param_widgets, params

_mount = Component("self_attention", SelfAttentionData)


def render_self_attention(context: IdeaContext) -> None:
    """Draw the choice of a head, and its matrices."""
    t = context.t
    with frame.create_widget_row("head-choice", 36, "small"):
        stack = param_widgets.draw_buttons(params.STACK, t("qkv.stack"), lambda option: t(f"qkv.{option}"), t)
        layer = param_widgets.draw_buttons(params.LAYER, t("qkv.layer"), str, t)
        head = param_widgets.draw_buttons(params.HEAD, t("qkv.head"), str, t)
    translation = translate_with_transformer(context)
    internals = measure_internals(context, translation) if translation else None
    if translation is None or internals is None:
        return
    matrices = internals[stack].get_head(int(layer), int(head))
    is_decoder = stack == "decoder"
    data: SelfAttentionData = {
        "model": translation.card.title,
        "stack": stack,
        "layer": int(layer),
        "head": int(head),
        "tokens": translation.list_inputs(t("qkv.start")) if is_decoder else translation.source,
        "token_language": translation.trace.languages[is_decoder],
        "q": round_significant(matrices.q),
        "k": round_significant(matrices.k),
        "v": round_significant(matrices.v),
        "messages": t.get_table("qkv"),
        "language": t.language,
    }
    _mount(key="concept-self-attention", data=data)
