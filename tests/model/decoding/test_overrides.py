"""Edits: a model's own alpha put back changes nothing; another changes what follows; written, read and refused."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from model.decoding import (
    NO_OVERRIDES,
    Hypothesis,
    OverrideError,
    OverrideRule,
    Overrides,
    RowOverride,
    Settings,
    search,
)
from model.networks.coverage import CoverageKind
from model.trace import MapDescription
from tests.hostile import CASES
from tests.model.decoding.toy import EOS, random_toy
from tests.model.networks.test_coverage import tiny as coverage
from tests.model.tiny import PAIRS, WIRINGS, build_tiny_network

SEARCHES = (Settings(), Settings(beam=3, n_best=3), Settings(sample=True, seed=4))
SOURCES = [source for source, _ in PAIRS]
ALPHA = (MapDescription("attention"),)


def own(hypothesis: Hypothesis) -> Overrides:
    """Every row of a hypothesis's alpha, as edits."""
    rows = hypothesis.weights["attention"]
    return Overrides(tuple(RowOverride(step, "attention", tuple(row)) for step, row in enumerate(rows.tolist(), 1)))


def same(one: Hypothesis, other: Hypothesis) -> bool:
    parts = ("tokens", "log_probs", "candidates", "total_log_prob", "score", "is_finished")
    return all(getattr(one, part) == getattr(other, part) for part in parts) and all(
        np.array_equal(values, other.weights[key]) for key, values in one.weights.items()
    )


@pytest.mark.parametrize("wiring", WIRINGS)
@pytest.mark.parametrize("kind", [torch.float32, torch.float64])
def test_a_models_own_alpha_put_back_changes_nothing_to_the_bit(wiring: str, kind: torch.dtype) -> None:
    network = build_tiny_network("rnnsearch", wiring).to(kind)  # type: ignore[arg-type]
    for how in (SEARCHES[0], SEARCHES[2]):
        plain = [found[0] for found in search(network, SOURCES, how)]
        again = search(network, SOURCES, how, overrides=[own(one) for one in plain])
        assert all(same(one, found[0]) for one, found in zip(plain, again, strict=True))
    # In a beam every live path takes the changed row, so that putting back one path's rows keeps that path's numbers.
    beam = [found[0] for found in search(network, SOURCES, SEARCHES[1])]
    for one, source in zip(beam, SOURCES, strict=True):
        forced = replace(SEARCHES[0], max_ratio=3.0)
        free = search(network, [source], forced, overrides=[Overrides(own(one).rows, one.tokens[:-1])])[0][0]
        if one.is_finished:  # another number of rows rounds otherwise, by the last bit of logits around 1
            close = pytest.approx(one.log_probs[:-1], rel=1e-6, abs=8 * torch.finfo(kind).eps)
            assert free.log_probs[: len(one.tokens) - 1] == close


def test_an_edit_acts_from_its_step_on_and_on_its_sentence_alone() -> None:
    network = build_tiny_network("rnnsearch", "groundhog")
    plain = [found[0] for found in search(network, SOURCES, Settings(candidates=5))]
    number = max(range(len(SOURCES)), key=lambda one: len(plain[one].tokens) * len(SOURCES[one]))
    source, before = SOURCES[number], plain[number]
    step = 2
    changed = Overrides((RowOverride(step, "attention", (1.0, *[0.0] * (len(source) - 1))),))
    edits = [changed if one == number else NO_OVERRIDES for one in range(len(SOURCES))]
    after = [found[0] for found in search(network, SOURCES, Settings(candidates=5), overrides=edits)]
    for one, (was, now) in enumerate(zip(plain, after, strict=True)):
        assert same(was, now) == (one != number)
    now = after[number]
    assert now.tokens[: step - 1] == before.tokens[: step - 1]
    assert now.candidates[: step - 1] == before.candidates[: step - 1]
    assert now.weights["attention"][step - 1].tolist() == list(changed.rows[0].weights)
    assert now.candidates[step - 1] != before.candidates[step - 1]


def test_an_edit_beyond_the_end_changes_nothing() -> None:
    network = build_tiny_network("rnnsearch", "groundhog")
    for how in SEARCHES:
        plain = search(network, SOURCES, how)
        late = [Overrides((RowOverride(9000, "attention", (1.0, *[0.0] * (len(source) - 1))),)) for source in SOURCES]
        again = search(network, SOURCES, how, overrides=late)
        assert all(same(*pair) for found in zip(plain, again, strict=True) for pair in zip(*found, strict=True))


@pytest.mark.parametrize("how", SEARCHES, ids=["greedy", "beam", "sampling"])
def test_an_edited_batch_equals_its_sentences_one_by_one(how: Settings) -> None:
    """Whose row is changed follows the sentence through finishing, opening and reordering."""
    network = random_toy(3, end=-0.5)
    sources = [[3, 4, EOS], [4, 4, 3, 3, EOS], [3, EOS], [4, 3, 4, EOS]]
    edits = [
        Overrides(tuple(
            RowOverride(step, "attention", peak(len(source), place)) for step in range(1, 9) if step != place
        )) for place, source in enumerate(sources)
    ]  # fmt: skip
    together = search(network, sources, how, overrides=edits)
    for source, one, found in zip(sources, edits, together, strict=True):
        alone = search(network, [source], how, overrides=[one])[0]
        assert all(same(a, b) for a, b in zip(alone, found, strict=True))
        for step, row in enumerate(found[0].weights["attention"], 1):
            asked = one.get_step(step)
            assert not asked or tuple(row.tolist()) == asked["attention"]


def peak(pieces: int, place: int) -> tuple[float, ...]:
    return tuple(float(piece == place % pieces) for piece in range(pieces))


def test_a_prefix_among_the_edits_begins_the_translation() -> None:
    network = build_tiny_network("rnnsearch", "groundhog")
    found = search(network, [SOURCES[0]], Settings(), overrides=[Overrides(prefix=(5, 7))])[0][0]
    given = search(network, [SOURCES[0]], Settings(), [[5, 7]])[0][0]
    assert same(found, given)
    assert found.tokens[:2] == (5, 7)


# ---- written and read -------------------------------------------------------------------------------------------

weights = st.floats(0, 1, allow_nan=False) | st.floats(-1e6, 1e6) | st.floats(0, 1, width=32)
rows = st.builds(RowOverride, st.integers(1, 10_000), st.sampled_from(["attention", "cross-attention-l2-h3"]),
                 st.lists(weights, min_size=1, max_size=8).map(tuple))  # fmt: skip
edited = st.builds(Overrides, st.lists(rows, max_size=5, unique_by=lambda one: (one.step, one.map_key)).map(tuple),
                   st.lists(st.integers(0, 10**9 - 1), max_size=5).map(tuple))  # fmt: skip


@given(edited)
@settings(max_examples=200)
def test_what_is_written_is_read_again_exactly(edits: Overrides) -> None:
    text = edits.to_text()
    assert Overrides.from_text(text) == edits
    assert Overrides.from_text(text).to_text() == text
    assert hash(Overrides.from_text(text)) == hash(edits)
    assert bool(edits) == bool(text)


@pytest.mark.parametrize(("held", "more", "then"), [
    ("a@*:uniform", "a@*:uniform", "a@*:uniform"), ("a@*:uniform", "a@3:uniform", "a@*:uniform"),
    ("a@*:shuffled=1", "a@2-5:shuffled=2", "a@*:shuffled=1 a@2-5:shuffled=2"),
    ("a@*:max", "b@3:max", "a@*:max b@3:max"),
    ("a@*:uniform a@2:max", "a@2:uniform", "a@*:uniform a@2:uniform"),  # another rule counts there
    ("a@*:uniform a@2:max", "a@1-4:uniform", "a@*:uniform a@1-4:uniform"),
    ("a@*:uniform a@2=1,0", "a@2:uniform", "a@*:uniform a@2:uniform"),  # so does a row by hand
    ("a@2-4:never=1", "a@3:never=1", "a@2-4:never=1"), ("a@2-4:never=1", "a@3:never=2", "a@2-4:never=1 a@3:never=2"),
])  # fmt: skip
def test_a_rule_that_holds_already_is_not_given_twice(held: str, more: str, then: str) -> None:
    assert Overrides.from_text(held).merge(Overrides.from_text(more)) == Overrides.from_text(then)


def test_the_order_in_which_rows_are_given_does_not_matter() -> None:
    one, two = RowOverride(3, "attention", (0.5, 0.5)), RowOverride(1, "attention", (1.0, 0.0))
    assert Overrides((one, two)) == Overrides((two, one))
    assert Overrides((one, two), (7,)).to_text() == "p7 attention@1=1,0 attention@3=0.5,0.5"


@pytest.mark.parametrize("text", [*CASES.values(), "p", "p1.", "p-1", "attention@1", "attention@=1", "@1=1", "a@0=1",
                                  "a@1=", "a@1=nan", "a@1=1e999", "a@1=1,,2", "a@1=1 p5", "a@1=1 a@1=1", "A@1=1",
                                  "a@99999=1", "a@1=--1", "x" * 300_000, "a@1=1  b@1=1"])
def test_other_texts_are_refused_in_one_sentence(text: str) -> None:
    if not text.strip() and not text:
        assert Overrides.from_text(text) == NO_OVERRIDES
        return
    with pytest.raises(OverrideError) as refused:
        Overrides.from_text(text)
    assert "\n" not in str(refused.value)
    assert len(str(refused.value)) < 300


@pytest.mark.parametrize(("given", "says"), [
    ((0.5, 0.5), "has 2 weights, but the sentence has 3 pieces"), ((0.5, 0.5, 0.5), "must sum to 1: it sums to 1.5000"),
    ((1.5, -0.5, 0.0), "below 0: -0.5"), ((1.0, 0.0, 0.0, 0.0), "has 4 weights"),
])  # fmt: skip
def test_rows_that_do_not_fit_are_refused(given: tuple[float, ...], says: str) -> None:
    with pytest.raises(OverrideError, match=says):
        search(
            build_tiny_network("rnnsearch", "groundhog"), [[5, 7, EOS]],
            overrides=[Overrides((RowOverride(1, "attention", given),))],
        )


@pytest.mark.parametrize("given", [(math.nan, 1.0), (math.inf,), ()])
def test_a_row_holds_finite_numbers(given: tuple[float, ...]) -> None:
    with pytest.raises(OverrideError, match="finite numbers"):
        RowOverride(1, "attention", given)


@pytest.mark.parametrize(("make", "says"), [
    (lambda: RowOverride(0, "attention", (1.0,)), "step from 1"), (lambda: Overrides(prefix=(-1,)), "counts from 0"),
    (lambda: Overrides((RowOverride(1, "a", (1.0,)), RowOverride(1, "a", (0.0,)))), "changed twice"),
    (lambda: Overrides(tuple(RowOverride(step, "a", (1.0,)) for step in range(1, 2002))), "At most 2,000 rows"),
])  # fmt: skip
def test_edits_that_contradict_themselves_are_refused(make: type, says: str) -> None:
    with pytest.raises(OverrideError, match=says):
        make()


def test_a_model_without_attention_has_no_row_to_change() -> None:
    edits = Overrides((RowOverride(1, "attention", (0.5, 0.5)),))
    with pytest.raises(OverrideError, match="no map 'attention' to change; it has none that looks at the source"):
        search(build_tiny_network("rnnencdec", "groundhog"), [[5, EOS]], overrides=[edits])
    with pytest.raises(OverrideError, match="no map 'other' to change; it has attention"):
        Overrides((RowOverride(1, "other", (1.0,)),)).validate(ALPHA, 1)


def test_a_map_whose_rows_need_not_sum_to_one_takes_any_row() -> None:
    Overrides((RowOverride(1, "gate", (3.0, -1.0)),)).validate([MapDescription("gate", rows_sum_to_one=False)], 2)


@pytest.mark.parametrize("weight", [1e39, -1e39, 1_000_001.0])
def test_weights_that_float32_cannot_add_up_are_refused(weight: float) -> None:
    free = [MapDescription("gate", rows_sum_to_one=False)]
    Overrides((RowOverride(1, "gate", (1e6, -1e6)),)).validate(free, 2)
    with pytest.raises(OverrideError, match="choose weights from -1,000,000 to 1,000,000"):
        Overrides((RowOverride(1, "gate", (0.0, weight)),)).validate(free, 2)


@pytest.mark.parametrize("total", [1.0009, 0.9991])
def test_a_row_that_sums_to_one_nearly_is_made_to(total: float) -> None:
    """Else a model that copies by it would give a piece more than certainty."""
    source = SOURCES[0]
    network = coverage("none", True).float()
    assert network.b_gen is not None
    with torch.no_grad():
        network.b_gen.fill_(-50.0)  # all is copied
    rows = (RowOverride(1, "attention", (total, *[0.0] * (len(source) - 1))),)
    (found,) = search(network, [source], overrides=[Overrides(rows)])[0]
    assert found.weights["attention"][0, 0] == 1
    assert found.tokens[0] == source[0]
    assert found.log_probs[0] <= 1e-6


@pytest.mark.parametrize("size", [1, 7, 60, 400])
def test_a_row_that_a_network_gave_stays_its_own(size: int) -> None:
    generator = torch.Generator().manual_seed(size)
    for row in torch.randn(200, size, generator=generator).mul_(3).softmax(-1).tolist():
        edits = Overrides((RowOverride(1, "attention", tuple(row)),))
        assert edits.normalize(ALPHA) == edits


@pytest.mark.parametrize("way", ["sum", "linguistic"])
@pytest.mark.parametrize("how", SEARCHES, ids=["greedy", "beam", "sampling"])
@pytest.mark.parametrize("row", [None, (-1.0, 2.0), (0.0, 0.0), (1e6, -1e6), (1e-30, 0.0)])
def test_coverage_takes_any_temperature(way: CoverageKind, how: Settings, row: tuple[float, float] | None) -> None:
    """Before the first look it sums to 0, and where a reader changed it before to whatever it was changed to."""
    network = coverage(way, True).float()
    source = [5, EOS]
    given = () if row is None else (RowOverride(1, "coverage", row),)
    for number in (0.05, 0.5, 20):
        edits = Overrides(given, rules=(OverrideRule("coverage", "temperature", parameter=number),))
        for one in search(network, [source], how, overrides=[edits])[0]:
            assert np.isfinite(one.weights["coverage"]).all()
            assert one.weights["coverage"][0].tolist() == np.array(row or (0.0, 0.0), np.float32).tolist()


def test_as_many_edits_as_sources() -> None:
    with pytest.raises(ValueError, match="2 sources and 1 overrides"):
        search(build_tiny_network("rnnsearch", "groundhog"), [[5, EOS], [EOS]], overrides=[NO_OVERRIDES])


