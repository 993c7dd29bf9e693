"""Check the alignment error of scripted attention, the shifts of rows and columns, and the alignment statistics."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from model.analysis.alignment.alignment import TOKEN_FORMS, TokenForm, align, render_pair
from model.analysis.alignment.alignment_error import (
    PairAttention,
    compute_pair_attention,
    measure_alignment_error,
    score_maps,
)
from model.analysis.alignment.alignment_statistics import COLUMNS, count_alignment_statistics, find_link_groups
from model.analysis.alignment.hand_aligned import AlignedPair, AlignedText, parse_pair
from model.serialization.codec import dump_entries
from model.text.normalise import normalise
from model.text.vocabulary import EOS, Vocabulary
from model.trace import MapDescription
from tests.model.analysis.scripted import Key, ScriptedModel, build_scripted_model

SOURCE, TARGET = "the grey cat of the two friends sleeps .", "le chat gris de les deux amis dort ."
ALL_RIGHT = "1-1 3-2 2-3 4-4 5-5 6-6 7-7 8-8 9-9"
PAIR = parse_pair(f"{SOURCE} ||| {TARGET}", ALL_RIGHT)


def build_attending_model(vocabulary: Vocabulary, pair: AlignedPair, plan: Sequence[int]) -> ScriptedModel:
    """Return a model that gives 0.9 of its attention to the planned source token of each target token (-1: the end).

    It is spread evenly over the model tokens of that token, and the rest over all; in either of TOKEN_FORMS.
    """
    tables: dict[Key, tuple[list[tuple[int, ...]], list[tuple[int, ...]]]] = {(EOS,): ([()], [()])}
    for token_form in TOKEN_FORMS:
        sides = render_pair(pair.source, pair.target, token_form)
        source_of, target_of = (_map_to_tokens(vocabulary, side.text, side.token_indices) for side in sides)
        tables[tuple(vocabulary.encode(normalise(sides[0].text)))] = source_of, target_of

    def compute_attention(key: Key, position: int) -> list[float]:
        source_of, target_of = tables[key]
        tokens = target_of[position] if position < len(target_of) else ()
        planned_token = plan[tokens[0]] if tokens else -1
        attended_pieces = [piece for piece, source_tokens in enumerate(source_of)
                           if (planned_token in source_tokens if planned_token >= 0 else not source_tokens)]
        return [0.1 / len(key) + (0.9 / len(attended_pieces) if piece in attended_pieces else 0.0)
                for piece in range(len(key))]

    return build_scripted_model(vocabulary, {}, compute_attention=compute_attention)


def _map_to_tokens(vocabulary: Vocabulary, text: str, owners: Sequence[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """Return the file tokens of each model token; one without characters goes with the next, "</s>" has none."""
    result: list[tuple[int, ...]] = []
    for span in reversed(vocabulary.find_spans(vocabulary.encode(normalise(text)))):
        file_tokens = tuple(sorted({token for owner in owners[span[0] : span[1]] for token in owner})) if span else ()
        result.append(file_tokens or (result[-1] if result else ()))
    return result[::-1]


def build_aligned_text(*pairs: AlignedPair) -> AlignedText:
    return AlignedText("made-up", "0" * 64, "1" * 64, pairs)


@pytest.mark.verdict
@pytest.mark.parametrize("token_form", TOKEN_FORMS)
def test_align_gives_the_links_that_are_scored(tiny_vocabulary: Vocabulary, token_form: TokenForm) -> None:
    model = build_attending_model(tiny_vocabulary, PAIR, [0, 2, 1, 3, 4, 5, -1, 7, 8])
    (scored,) = compute_pair_attention(model, [PAIR], token_form)
    (aligned,) = align(model, [(SOURCE, TARGET)], token_form=token_form)
    assert (aligned.source, aligned.target) == (PAIR.source, PAIR.target)
    assert aligned.links == scored.links
    assert np.array_equal(aligned.weights, scored.weights_by_row_shift[0])
    assert ((4, 4) in aligned.links) == (token_form == "written")  # "des", of "de les", has one row for both


@pytest.mark.verdict
def test_a_perfect_alignment_has_no_error_and_a_shifted_one_has(tiny_vocabulary: Vocabulary) -> None:
    """Shifted rows belong to a neighbouring word, so that the unshifted ones fit best."""
    pair = parse_pair(f"{SOURCE} ||| le chat gris de deux amis dort .", "1-1 3-2 2-3 4-4 6-5 7-6 8-7 9-8")
    model = build_attending_model(tiny_vocabulary, pair, [0, 2, 1, 3, 5, 6, 7, 8])
    record = measure_alignment_error(model, build_aligned_text(pair), wiring="groundhog")
    assert "chat" not in dump_entries(record)  # a record holds no text
    assert record["scores"]["surface"]["aer"] == 0.0
    assert record["shifts"]["best"] == 0
    assert min(record["shifts"]["-1"], record["shifts"]["+1"]) > 0.2
    assert record["scores"]["diagonal"]["aer"] == pytest.approx(1 - 2 * 6 / 16)  # by hand: all but two of eight


@pytest.mark.parametrize(("axis", "best"), [("shifts", 1), ("columns", 0), ("columns", 1)])
def test_shifted_attention_is_detected(tiny_vocabulary: Vocabulary, axis: str, best: int) -> None:
    """Rows of attention one target token late, or columns one source token to the left, as of a backward encoder."""
    model = build_attending_model(tiny_vocabulary, PAIR, [0, 2, 1, 3, 3, 5, 6, 7, 8])
    compute_attention = model.network.compute_attention
    assert compute_attention is not None
    if best and axis == "shifts":
        model.network.compute_attention = lambda key, position: compute_attention(key, max(0, position - 1))
    elif best:
        model.network.compute_attention = lambda key, position: (row := compute_attention(key, position))[1:] + row[:1]
    rates = measure_alignment_error(model, build_aligned_text(PAIR), wiring="groundhog")[axis]
    assert rates["best"] == best
    assert rates["+1" if best else "0"] < min(rates["-1"], rates["0" if best else "+1"])


def test_the_best_map_is_scored_on_held_out_pairs() -> None:
    right_links, wrong_links = tuple((k, k) for k in range(3)), tuple((k, 2 - k) for k in range(3))
    pair = parse_pair("one two three ||| un deux trois", "1-1 2-2 3-3")

    def build_attention(is_a_right: bool, is_b_right: bool) -> PairAttention:
        maps = {"a": right_links if is_a_right else wrong_links, "b": right_links if is_b_right else wrong_links}
        return PairAttention(pair, {}, {}, maps)

    # a is right where it counts for the choice, b on the others: a is chosen, and judged where it is wrong.
    result = score_maps(
        [build_attention(True, False), build_attention(False, True)] * 2 + [build_attention(True, True)],
        [MapDescription("a"), MapDescription("b")],
    )
    one_wrong = 1 - 2 * 1 / 6  # of three links the middle one is right either way
    assert result["aer"] == {"a": pytest.approx(2 / 5 * one_wrong), "b": pytest.approx(2 / 5 * one_wrong)}
    assert result["best"]["map"] == "a"
    assert (result["best"]["chosen_on"], result["best"]["sentences"]) == (3, 2)
    assert result["best"]["aer"] == pytest.approx(one_wrong)
    best = score_maps([build_attention(True, False)], [MapDescription("a")])["best"]
    assert (best["chosen_on"], best["sentences"], best["aer"]) == (1, 0, None)


def count_statistics(pair: AlignedPair, links: Sequence[tuple[int, int]], weights: object = None) -> dict[str, int]:
    weight_array = np.zeros((len(pair.target) + 1, len(pair.source) + 1)) if weights is None else np.asarray(weights)
    return dict(zip(COLUMNS, count_alignment_statistics(pair, links, weight_array), strict=True))


def test_backward_steps_are_counted() -> None:
    """Links 0 2 1 3 . 4: three steps before the gap, one of them backward; all but the last link are possible."""
    pair = parse_pair("a b c d e ||| A B C D E F", "1-1 3-2 2-3 4p4")
    result = count_statistics(pair, [(0, 0), (2, 1), (1, 2), (3, 3), (4, 5)])
    assert (result["steps"], result["steps_back"], result["steps_back_right"]) == (3, 1, 1)
    level = count_statistics(pair, [(0, 0), (0, 1)])
    assert (level["steps"], level["steps_back"]) == (1, 0)


def test_reordered_gold_links_are_counted() -> None:
    """Adjective and noun: one of the four steps of the sure links is backward."""
    pair = parse_pair("a b c d e ||| A B C D E", "1-1 3-2 2-3 4-4 5-5")
    result = count_statistics(pair, [(0, 0), (2, 1), (1, 2), (4, 3), (4, 4)])
    assert (result["gold_back"], result["gold_back_found"]) == (1, 1)


def test_link_groups_of_unequal_size_are_counted() -> None:
    """b has two words, d and e share one: three target tokens in unequal groups."""
    pair = parse_pair("a b c d e ||| A B C D E", "1-1 2-2 2p3 3-4 4p5 5-5")
    assert find_link_groups(pair) == [({0}, {0}), ({1}, {1, 2}), ({2}, {3}), ({3, 4}, {4})]
    result = count_statistics(pair, [(0, 0), (1, 1), (4, 2), (2, 3), (3, 4)])
    assert (result["unequal"], result["unequal_right"], result["unequal_diagonal"]) == (3, 2, 2)


def test_attention_to_the_next_words_source_is_summed() -> None:
    """le gives 0.25 to the source of chat, chat 0.1 to that of gris; gris precedes a full stop."""
    pair = parse_pair("the grey cat . ||| le chat gris .", "1-1 3-2 2-3 4-4")
    weights = [[0.7, 0, 0.25, 0, 0.05], [0, 0.1, 0.9, 0, 0], [0, 1, 0, 0, 0], [0, 0, 0, 1, 0], [0, 0, 0, 0, 1]]
    result = count_statistics(pair, [], weights)
    assert [result[name] for name in COLUMNS[-4:]] == [1, 250_000, 1, 100_000]
