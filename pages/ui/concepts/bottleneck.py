"""One vector against many: a sentence that grows word by word, and what each model must translate it from.

The browser component is assets/player/concepts/bottleneck.js.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from model.analysis.errors.meaning import find_meaning_errors, has_lexicon
from model.analysis.probing.prefixes import PrefixTranslations, translate_prefixes
from model.analysis.probing.similarity import Array
from model.checkpoints.checkpoint import Model
from model.decoding import Settings, StopCallback
from model.text.normalise import NormalisedText
from model.text.words import count_without_punctuation, is_content_word, is_word
from model.trace import Trace
from pages.ui.backend.cards import get_title
from pages.ui.charts.payload_parts import count_tag_words, round_rows, round_values
from pages.ui.components.component import Component
from pages.ui.concepts import idea_parts
from pages.ui.concepts.context import IdeaContext
from pages.ui.concepts.recurrent_payload_types import BottleneckData, PrefixTranslation, SentencePrefix
from pages.ui.concepts.token_labels import label_tokens
from pages.ui.i18n.messages import Messages
from pages.ui.i18n.typography import typeset, typeset_text

VECTOR_UNITS = 16  # drawn of RNNencdec's vector, and of each annotation

_mount = Component("bottleneck", BottleneckData)


@dataclass(frozen=True, eq=False)
class GrownSentence:
    """The translations of every prefix of a sentence by one model, and the encoder states of each prefix."""

    translations: PrefixTranslations
    states: list[Array]


def render_bottleneck(context: IdeaContext) -> None:
    """Draw both models beside each other."""
    if not idea_parts.check_length(context):
        return
    sentences: list[GrownSentence] = []
    for name in idea_parts.choose_models(context, ("rnnencdec", "rnnsearch")):
        key = ("bottleneck", context.sentence.text)
        sentence = context.measure(name, key, partial(grow_sentence, context.sentence.text))
        if sentence is None:
            return
        sentences.append(sentence)
    if sentences:
        _mount(key="concept-bottleneck", data=build_bottleneck_payload(sentences, context.t))


def grow_sentence(text: NormalisedText, model: Model, should_stop: StopCallback) -> GrownSentence:
    """Translate and encode every prefix of a sentence."""
    from model.analysis.probing.recurrent_states import encode_texts  # imports torch

    translations = translate_prefixes(model, text, Settings(candidates=0), should_stop)
    return GrownSentence(translations, encode_texts(model, [NormalisedText(trace.source.text)
                                                            for trace in translations.traces]))  # fmt: skip


def build_bottleneck_payload(sentences: Sequence[GrownSentence], t: Messages) -> BottleneckData:
    """Return the component's data; `sentences`: by RNNencdec, then by RNNsearch."""
    rnnencdec, rnnsearch = sentences
    full_trace = rnnsearch.translations.full_trace
    models = [sentence.translations.full_trace.provenance.model for sentence in sentences]
    languages = (full_trace.source_language, full_trace.target_language)
    vector, annotation = (sentence.states[-1].shape[1] for sentence in sentences)
    half_units = VECTOR_UNITS // 2
    first = count_tag_words(full_trace.source)
    words = full_trace.source.words[first:]
    parts: list[SentencePrefix] = [
        {
            "end": end,
            "word_count": count_without_punctuation(words[: end - first]),
            "tokens": label_tokens(rnnsearch.translations.traces[index].source, t),
            "vector": round_values(rnnencdec.states[index][-1, :VECTOR_UNITS], idea_parts.DIGITS),
            "annotations": round_rows(
                rnnsearch.states[index][:, [*range(half_units), *range(annotation // 2, annotation // 2 + half_units)]],
                idea_parts.DIGITS),
            "translations": (_build_translation(rnnencdec.translations.traces[index]),
                             _build_translation(rnnsearch.translations.traces[index])),
        }
        for index, end in enumerate(rnnsearch.translations.prefix_lengths)
        if is_prefix_with_punctuation(words, end - first)
    ]  # fmt: skip
    return {
        "source": typeset(full_trace.source, languages[0]),
        "content": [index for index, word in enumerate(words, first) if is_content_word(word, languages[0])],
        "has_lexicon": has_lexicon(full_trace),
        "prefixes": parts,
        "sizes": (vector, annotation),
        "titles": (get_title(models[0]), get_title(models[1])),
        "languages": languages,
        "messages": t.get_table("bottleneck"),
        "controls": t.get_table("playback"),
        "language": t.language,
    }


def is_prefix_with_punctuation(words: Sequence[str], end: int) -> bool:
    """Return whether the prefix before `end` has a word, and the punctuation after its last word. The whole sentence
    counts too."""
    return end == len(words) or (any(map(is_word, words[:end])) and is_word(words[end]))


def _build_translation(trace: Trace) -> PrefixTranslation:
    errors = find_meaning_errors(trace)
    text = typeset_text(trace.target, trace.target_language)
    return {"text": text, "omissions": list(errors.omissions) if errors else []}
