"""Word order: the sentence between English and French, nearly monotone, beside English and Korean, which crosses.

English is in the middle, so that both pictures share its words. From Korean into French there are two steps: Korean
into English, and that into French. The browser component is assets/player/concepts/word_order.js.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from model.analysis.alignment.word_order import WordOrder, find_links, find_turns, load_word_orders
from model.text.languages import parse_language_pair
from model.text.normalise import NormalisedText, normalise
from model.text.politeness import STYLES, add_tag, split_tag
from model.trace import Trace
from pages.ui.backend import cards
from pages.ui.backend.evaluations import describe_test_set
from pages.ui.charts.payload_parts import count_tag_words, round_rows
from pages.ui.components.component import Component
from pages.ui.concepts.attention_payload_types import ColumnTranslation, WordColumn, WordOrderData, WordOrderShare
from pages.ui.concepts.context import IdeaContext
from pages.ui.concepts.idea_parts import DIGITS, check_length
from pages.ui.i18n.messages import Messages
from pages.ui.url_state import params
from pages.ui.widgets.controls import name_pair
from pages.ui.widgets.fetch import Request, SentenceInput
from pages.ui.widgets.translations import translate

ENGLISH, FRENCH, KOREAN = "en", "fr", "ko"

_mount = Component("word_order", WordOrderData)


@dataclass(frozen=True)
class WordMap:
    """The words of a translation, without a tag of style, and α: a row per target word, the end as last column."""

    trace: Trace
    source: tuple[str, ...]
    target: tuple[str, ...]
    weights: NDArray[np.float64]

    @classmethod
    def from_trace(cls, trace: Trace) -> WordMap:
        """Leave out the tag of style, which is no word of the sentence."""
        first = count_tag_words(trace.source)
        weights = np.asarray(trace.compute_word_map_with_end(), np.float64)[: len(trace.target.words), first:]
        return cls(trace, trace.source.words[first:], trace.target.words, weights)

    def get_words(self, language: str) -> tuple[str, ...]:
        """Return the words of the side in this language."""
        return self.source if self.trace.source_language.partition("-")[0] == language else self.target


def render_word_order(context: IdeaContext) -> None:
    """Draw the columns of words, and the measured shares."""
    if not check_length(context):
        return
    maps = translate_both_ways(context)
    if maps:
        _mount(key="concept-word-order", data=build_word_order_payload(maps, load_word_orders(), context.t))


def translate_both_ways(context: IdeaContext) -> list[WordMap]:
    """Return the translations to draw: of the sentence by the chosen pair's model, and by the other pair with English.

    From Korean the other one translates the English of the first.
    """
    first_pair = params.get_chosen_pair()
    source, target = (code.partition("-")[0] for code in parse_language_pair(first_pair))
    first = _translate(context, first_pair, context.sentence.text)
    if first is None:
        return []
    if source == ENGLISH and target in (FRENCH, KOREAN):
        second_pair = f"{ENGLISH}-{KOREAN if target == FRENCH else FRENCH}"
        second = _translate(context, second_pair, NormalisedText(split_tag(context.sentence.text)[1]))
    elif (source, target) == (KOREAN, ENGLISH):
        second = _translate(context, f"{ENGLISH}-{FRENCH}", normalise(first.trace.target.text))
    else:
        second = None
    # Another vocabulary may divide English into other words; then there is no common column.
    has_common = second is not None and second.get_words(ENGLISH) == first.get_words(ENGLISH)
    return [first, second] if second is not None and has_common else [first]


def _translate(context: IdeaContext, pair: str, text: NormalisedText) -> WordMap | None:
    """Return the translation by a pair's default model; None without a model that attends, or for an empty text."""
    names = [card.name for card in cards.list_pair_cards(pair) if card.has_attention]
    if not names or not text:
        return None
    name = cards.get_default_model(names)
    if pair.endswith(f"-{KOREAN}") and cards.has_style_tags(name) and not split_tag(text)[0]:
        text = add_tag(text, STYLES[0])
    if pair == params.get_chosen_pair():
        traces = replace(context, sentence=SentenceInput(context.sentence.typed_text, text)).translate([name])
        trace = traces[0] if traces else None
    else:  # the link names the weights of the chosen pair's model alone
        translations, problem = translate(text, [Request(name, params.SEARCHES["greedy"])], context.t, context.status)
        trace = translations[0][0] if translations else None
        if problem:
            context.status.show_problem(problem)
    return WordMap.from_trace(trace) if trace is not None and trace.has_attention else None


def build_word_order_payload(maps: list[WordMap], word_orders: tuple[WordOrder, ...], t: Messages) -> WordOrderData:
    """Return the payload: columns from left to right, Korean first, and the links between neighbours."""
    languages: dict[str, tuple[str, ...]] = {}
    for word_map in maps:
        languages.setdefault(word_map.trace.source_language, word_map.source)
        languages.setdefault(word_map.trace.target_language, word_map.target)
    order = sorted(languages, key=lambda code: (code.partition("-")[0] != KOREAN, code.partition("-")[0] == FRENCH))
    columns: list[WordColumn] = [
        {"language": code, "name": t.name_language(code), "words": list(languages[code])} for code in order
    ]
    return {
        "columns": columns,
        "translations": [_link_columns(word_map, order) for word_map in maps],
        "is_chain": len(maps) > 1 and maps[0].trace.target_language == maps[1].trace.source_language,
        "reversed_shares": _list_shares(word_orders, t),
        "is_model_missing": not any(map(_has_korean, cards.list_pairs())),
        "messages": t.get_table("concept_word_order"),
        "language": t.language,
    }


def _has_korean(pair: str) -> bool:
    return KOREAN in (code.partition("-")[0] for code in parse_language_pair(pair))


def _link_columns(word_map: WordMap, order: list[str]) -> ColumnTranslation:
    links = find_links(word_map.weights, word_map.source, word_map.target)
    return {
        "source": order.index(word_map.trace.source_language),
        "target": order.index(word_map.trace.target_language),
        "title": name_pair("-".join(word_map.trace.languages)),
        "model": cards.get_title(word_map.trace.provenance.model),
        "links": [(source, target) for source, target in links],
        "reversed_words": find_turns(links),
        "weights": round_rows(word_map.weights[:, : len(word_map.source)], DIGITS),
    }


def _list_shares(word_orders: tuple[WordOrder, ...], t: Messages) -> list[WordOrderShare]:
    """Return the shares of present models, one for each pair: that of the pair's default model, if it is measured."""
    shares: dict[str, WordOrderShare] = {}
    for pair in cards.list_pairs():
        names = [card.name for card in cards.list_pair_cards(pair)]
        pair_orders = [
            word_order for word_order in word_orders
            if word_order.model in names and word_order.fingerprint == cards.get_fingerprint(word_order.model)
        ]  # fmt: skip
        pair_orders.sort(key=lambda word_order, names=names: word_order.model != cards.get_default_model(names))  # type: ignore[misc]
        for word_order in pair_orders[:1]:
            shares[pair] = {
                "title": name_pair(pair), "model": cards.get_title(word_order.model),
                "data": describe_test_set(str(word_order.data["name"]).partition(",")[0], t),
                "sentences": int(word_order.data["sentences"]),
                "share": word_order.share.value, "low": word_order.share.low, "high": word_order.share.high,
                "command": word_order.command,
            }  # fmt: skip
    return list(shares.values())
