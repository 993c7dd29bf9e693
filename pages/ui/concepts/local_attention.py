"""Global attention against local windows (Luong et al. 2015), computed from the scores of Luong's network.

The browser component is assets/player/concepts/windows.js.
"""

from __future__ import annotations

from model.analysis.probing.attention_record import ScoredTranslation, WindowTranslations
from model.checkpoints.checkpoint import Model
from model.decoding import StopCallback
from pages.ui.backend.cards import find_languages
from pages.ui.charts.payload_parts import round_rows
from pages.ui.components.component import Component
from pages.ui.concepts.attention_parts import build_tokenized_data
from pages.ui.concepts.attention_payload_types import WindowsData
from pages.ui.concepts.context import IdeaContext
from pages.ui.concepts.idea_parts import DIGITS, check_sentence, choose_model
from pages.ui.i18n.messages import Messages
from pages.ui.i18n.typography import typeset_text

_mount = Component("windows", WindowsData)


def render_local_attention(context: IdeaContext) -> None:
    """Draw the windows over the attention of Luong's network."""
    text, name = context.sentence.text, choose_model(context, "luong")

    def compute(model: Model, should_stop: StopCallback) -> tuple[ScoredTranslation, WindowTranslations]:
        from model.analysis.probing.attention_forms import (  # here: it imports torch
            measure_luong_scores,
            translate_in_windows,
        )

        return measure_luong_scores(model, text, should_stop), translate_in_windows(model, text, should_stop)

    if not name or not check_sentence(context):
        return
    results = context.measure(name, ("windows", text), compute)
    if results is not None:
        _mount(key="concept-windows", data=build_local_attention_payload(name, *results, context.t))


def build_local_attention_payload(
    name: str, scored_translation: ScoredTranslation, window_translations: WindowTranslations, t: Messages
) -> WindowsData:
    """Return the payload of translations by the model `name`. Its own score function is the last one."""
    _, language = find_languages([name])
    return {
        **build_tokenized_data(scored_translation, [name], t),
        "energies": round_rows(list(scored_translation.scores.values())[-1], DIGITS),
        "translation": typeset_text(scored_translation.target, language),
        "local_m": [typeset_text(side, language) for side in window_translations.local_m],
        "local_p": [typeset_text(side, language) for side in window_translations.local_p],
        "target_language": language,
        "shared_messages": t.get_table("concept_parts"),
        "messages": t.get_table("concept_windows"),
    }
