"""Overrides by rows and prefixes: their effect on search, their text form, and refused rows."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from model.decoding import (
    NO_OVERRIDES,
    OverrideError,
    OverrideRule,
    Overrides,
    RowOverride,
    Settings,
    search,
)
from model.networks.coverage import CoverageKind
from model.networks.transformer import describe_cross_map, describe_decoder_map, describe_encoder_map
from model.trace import MapDescription
from tests.hostile import CASES
from tests.model.decoding.helpers import SEARCHES, are_all_identical
from tests.model.decoding.toy import EOS, random_toy
from tests.model.networks.tiny_networks import build_tiny_coverage_network, build_tiny_transformer
from tests.model.tiny import PAIRS, V, build_tiny_network

SOURCES = [source for source, _ in PAIRS]
ALPHA = (MapDescription("attention"),)
GATE = [MapDescription("gate", rows_sum_to_one=False)]
HEAD, OTHER_HEAD = describe_decoder_map(2, 1).key, describe_decoder_map(2, 3).key
every_search = pytest.mark.parametrize("search_settings", SEARCHES.values(), ids=SEARCHES.keys())


def build_row(weights: tuple[float, ...], step: int = 1, key: str = "attention") -> Overrides:
    return Overrides((RowOverride(step, key, weights),))


@every_search
def test_rows_follow_their_sentence_through_the_batch(search_settings: Settings) -> None:
    network, sources = random_toy(3, end=-0.5), [[3, 4, EOS], [4, 4, 3, 3, EOS], [3, EOS], [4, 3, 4, EOS]]
    overrides = [
        Overrides(tuple(RowOverride(step, "attention", tuple(np.eye(len(source))[row % len(source)]))
                        for step in range(1, 9) if step != row))
        for row, source in enumerate(sources)
    ]
    batch_results = search(network, sources, search_settings, overrides=overrides)
    for source, override, hypotheses in zip(sources, overrides, batch_results, strict=True):
        assert are_all_identical(search(network, [source], search_settings, overrides=[override]), [hypotheses])
        for step, row in enumerate(hypotheses[0].weights["attention"], 1):
            expected = override.get_step_overrides(step)
            assert not expected or tuple(row.tolist()) == expected["attention"]


# ---- self-attention of a Transformer -----------------------------------------------------------------------------


@every_search
def test_self_attention_of_one_head_is_overridden(search_settings: Settings) -> None:
    network, search_settings = build_tiny_transformer("pre", seed=3), replace(search_settings, max_ratio=1.0)
    overrides = [Overrides(rules=(OverrideRule(HEAD, "uniform"),))] * len(SOURCES)
    for hypotheses in search(network, SOURCES, search_settings, overrides=overrides):
        for hypothesis in hypotheses:
            steps = len(hypothesis.tokens)
            rows = np.tril(np.ones((steps, steps)))
            np.testing.assert_allclose(hypothesis.weights[HEAD], rows / rows.sum(1, keepdims=True), atol=1e-12)
            assert steps < 3 or np.abs(hypothesis.weights[OTHER_HEAD] - hypothesis.weights[HEAD]).max() > 1e-3
    ((best, *_),) = search(network, SOURCES[:1], search_settings, overrides=[build_row((0.0, 1.0, 0.0), 3, HEAD)])
    assert best.weights[HEAD][2].tolist() == [0.0, 1.0, *[0.0] * (len(best.tokens) - 2)]


@pytest.mark.parametrize(("overrides", "message"), [
    (build_row((0.5, 0.5), 3, HEAD), "has 2 weights, .* it has 3: one for each step so far"),
    (build_row((0.5, 0.6), 2, HEAD), "must sum to 1"),
    (Overrides(rules=(OverrideRule(HEAD, "before"),)), "The rule “before” is for maps over the source"),
    (Overrides(rules=(OverrideRule(describe_encoder_map(1, 1).key, "uniform"),)),
     "no map 'encoder-self-attention-l1-h1' to change; it has cross-attention-l2, .* and 13 more"),
    (build_row((1.0,), 1, describe_cross_map(1, 1).key), "but the sentence has 6 tokens"),
])
def test_overrides_that_do_not_fit_a_transformer_are_refused(overrides: Overrides, message: str) -> None:
    with pytest.raises(OverrideError, match=message) as refused:
        search(build_tiny_transformer("pre"), SOURCES[:1], Settings(), overrides=[overrides])
    assert len(str(refused.value)) < 400


# ---- text form ---------------------------------------------------------------------------------------------------

weights = st.floats(0, 1, allow_nan=False) | st.floats(-1e6, 1e6) | st.floats(0, 1, width=32)
rows = st.builds(RowOverride, st.integers(1, 10_000), st.sampled_from(["attention", "cross-attention-l2-h3"]),
                 st.lists(weights, min_size=1, max_size=8).map(tuple))
random_overrides = st.builds(
    Overrides, st.lists(rows, max_size=5, unique_by=lambda row: (row.step, row.map_key)).map(tuple),
    st.lists(st.integers(0, 10**9 - 1), max_size=5).map(tuple))


@given(random_overrides)
@settings(max_examples=200)
def test_text_form_round_trips(overrides: Overrides) -> None:
    text = overrides.to_text()
    parsed = Overrides.from_text(text)
    assert (parsed, parsed.to_text(), hash(parsed)) == (overrides, text, hash(overrides))
    assert bool(overrides) == bool(text)
    assert Overrides(overrides.rows[::-1], overrides.prefix) == overrides


@pytest.mark.parametrize("text", [
    *filter(None, CASES.values()), "p", "p1.", "p-1", "attention@1", "attention@=1", "@1=1", "a@0=1", "a@1=", "a@1=nan",
    "a@1=1e999", "a@1=1,,2", "a@1=1 p5", "a@1=1 a@1=1", "A@1=1", "a@99999=1", "a@1=--1", "x" * 300_000, "a@1=1  b@1=1",
    "a@*:", "a@*:odd", "a@:max", "a@0:max", "a@7-3:max", "a@3-:max", "a@99999:max", "a@*:max=1", "a@*:never",
    "a@*:never=0", "a@*:never=1.", "a@*:only=-1", "a@*:temperature", "a@*:temperature=0", "a@*:temperature=1e999",
    "a@*:temperature=-2", "a@*:shuffled=0.5", "a@*:shuffled=-1", "a@*:temperature=nan", "a@*:max a@*:uniform",
    "a@*:<b>", "A@*:max", "a@*:max  a@1:max", " ".join(f"a@{step}:max" for step in range(1, 300)),
    "a@*:only=" + ".".join(map(str, range(1, 900))),
])
def test_other_texts_are_refused_in_one_sentence(text: str) -> None:
    with pytest.raises(OverrideError) as refused:
        Overrides.from_text(text)
    assert "\n" not in str(refused.value)
    assert len(str(refused.value)) < 300


@pytest.mark.parametrize(("first_text", "later_text", "merged_text"), [
    ("a@*:uniform", "a@*:uniform", "a@*:uniform"), ("a@*:uniform", "a@3:uniform", "a@*:uniform"),
    ("a@*:shuffled=1", "a@2-5:shuffled=2", "a@*:shuffled=1 a@2-5:shuffled=2"),
    ("a@*:max", "b@3:max", "a@*:max b@3:max"),
    ("a@*:uniform a@2:max", "a@2:uniform", "a@*:uniform a@2:uniform"),  # another rule holds there
    ("a@*:uniform a@2:max", "a@1-4:uniform", "a@*:uniform a@1-4:uniform"),
    ("a@*:uniform a@2=1,0", "a@2:uniform", "a@*:uniform a@2:uniform"),  # and so does a given row
    ("a@2-4:never=1", "a@3:never=1", "a@2-4:never=1"), ("a@2-4:never=1", "a@3:never=2", "a@2-4:never=1 a@3:never=2"),
    ("p7 a@*:uniform b@2-4:max a@3=1,0", "a@3:max", "p7 a@*:uniform b@2-4:max a@3:max"),
    ("p7 a@*:uniform b@2-4:max a@3=1,0", "a@*:diagonal", "p7 a@*:diagonal b@2-4:max"),
    ("a@2-5:max a@3:max", "a@3=1,0", "a@2-5:max a@3=1,0"), ("p7 a@1=1", "p8.9", "p8.9 a@1=1"),
    ("a@1-10:uniform", "a@*:max a@2-3:uniform", "a@*:max a@2-3:uniform"),  # the rule that did the same is replaced
    ("a@*:uniform", "a@2-5:max a@3:uniform", "a@*:uniform a@2-5:max a@3:uniform"),
])
def test_later_overrides_replace_what_they_cover(first_text: str, later_text: str, merged_text: str) -> None:
    assert Overrides.from_text(first_text).merge(Overrides.from_text(later_text)) == Overrides.from_text(merged_text)


def test_overrides_are_removed() -> None:
    overrides = Overrides.from_text("p7 a@*:uniform b@2-4:max a@3=1,0")
    assert overrides.remove(Overrides.from_text("p7 a@3=1,0")) == Overrides.from_text("a@*:uniform b@2-4:max")
    assert overrides.remove(Overrides.from_text("b@2-4:max")) == Overrides.from_text("p7 a@*:uniform a@3=1,0")


# ---- rows that fit or do not -------------------------------------------------------------------------------------


@pytest.mark.parametrize(("build", "message"), [
    (lambda: RowOverride(0, "attention", (1.0,)), "step from 1"),
    (lambda: RowOverride(1, "attention", (math.nan, 1.0)), "finite numbers"),
    (lambda: RowOverride(1, "attention", (math.inf,)), "finite numbers"),
    (lambda: RowOverride(1, "attention", ()), "finite numbers"),
    (lambda: Overrides(prefix=(-1,)), "A token id is 0 or more: got -1"),
    (lambda: Overrides((RowOverride(1, "a", (1.0,)), RowOverride(1, "a", (0.0,)))), "changed twice"),
    (lambda: Overrides(tuple(RowOverride(step, "a", (1.0,)) for step in range(1, 2002))), "At most 2,000 rows"),
    (lambda: build_row((1.0,), key="other").validate(ALPHA, 1), "no map 'other' to change; it has attention"),
    (lambda: build_row((0.5, 0.5)).validate(ALPHA, 3), "has 2 weights, but the sentence has 3 tokens"),
    (lambda: build_row((0.5, 0.5, 0.5)).validate(ALPHA, 3), "must sum to 1: it sums to 1.5000"),
    (lambda: build_row((1.5, -0.5, 0.0)).validate(ALPHA, 3), "below 0: -0.5"),
    (lambda: build_row((0.0, 1e39), key="gate").validate(GATE, 2), "choose weights from -1,000,000 to 1,000,000"),
    (lambda: build_row((0.0, -1e7), key="gate").validate(GATE, 2), "choose weights from -1,000,000 to 1,000,000"),
])
def test_invalid_rows_are_refused(build: Callable[[], object], message: str) -> None:
    with pytest.raises(OverrideError, match=message):
        build()


def test_search_validates_overrides() -> None:
    build_row((1e6, -1e6), key="gate").validate(GATE, 2)  # rows of this map need not sum to 1
    network = build_tiny_network("rnnsearch", "groundhog")
    with pytest.raises(OverrideError, match="must sum to 1"):
        search(network, [[5, 7, EOS]], overrides=[build_row((0.5, 0.5, 0.5))])
    with pytest.raises(ValueError, match="2 sources and 1 overrides"):
        search(network, [[5, EOS], [EOS]], overrides=[NO_OVERRIDES])
    for overrides in (build_row((0.5, 0.5)), Overrides(rules=(OverrideRule("attention", "uniform"),))):
        with pytest.raises(OverrideError, match="no map 'attention' to change; it has none that looks at the source"):
            search(build_tiny_network("rnnencdec", "groundhog"), [[5, EOS]], overrides=[overrides])


@pytest.mark.parametrize("total", [1.0009, 0.9991])
def test_row_that_nearly_sums_to_one_is_normalised(total: float) -> None:
    """Otherwise a copying model would give a token a probability above 1."""
    source, network = SOURCES[0], build_tiny_coverage_network("none", True).float()
    assert network.b_gen is not None
    with torch.no_grad():
        network.b_gen.fill_(-50.0)  # everything is copied
    (hypothesis,) = search(network, [source], overrides=[build_row((total, *[0.0] * (len(source) - 1)))])[0]
    assert hypothesis.weights["attention"][0, 0] == 1
    assert hypothesis.tokens[0] == source[0]
    assert hypothesis.log_probs[0] <= 1e-6


@pytest.mark.parametrize("search_settings", [SEARCHES["greedy"], SEARCHES["beam"]])
def test_prefix_that_overrides_make_impossible_is_refused(search_settings: Settings) -> None:
    network = build_tiny_coverage_network("none", True)
    source = [5, V, EOS]  # the second word is unknown and can only be copied
    overrides = Overrides.from_text(f"p5.{V} attention@*:never=2")
    with pytest.raises(OverrideError, match="cannot write the given token at step 2: change the row or the beginning"):
        search(network, [source], search_settings, overrides=[overrides])


@pytest.mark.parametrize("length", [1, 60, 400])
def test_softmax_row_is_not_normalised_again(length: int) -> None:
    generator = torch.Generator().manual_seed(length)
    for row in torch.randn(200, length, generator=generator).mul_(3).softmax(-1).tolist():
        assert build_row(tuple(row)).normalise(ALPHA) == build_row(tuple(row))


@pytest.mark.parametrize(("coverage_kind", "row"), [
    ("sum", None), ("linguistic", (-1.0, 2.0)), ("linguistic", (1e6, -1e6)), ("sum", (1e-30, 0.0)),
])
def test_temperature_of_a_coverage_map_stays_finite(
    coverage_kind: CoverageKind, row: tuple[float, float] | None
) -> None:
    """Coverage is 0 before the first step, and may be given with any values."""
    network = build_tiny_coverage_network(coverage_kind, True).float()
    given_rows = () if row is None else (RowOverride(1, "coverage", row),)
    for temperature in (0.05, 0.5, 20):
        overrides = Overrides(given_rows, rules=(OverrideRule("coverage", "temperature", parameter=temperature),))
        for hypothesis in search(network, [[5, EOS]], SEARCHES["beam"], overrides=[overrides])[0]:
            assert np.isfinite(hypothesis.weights["coverage"]).all()
            assert hypothesis.weights["coverage"][0].tolist() == np.array(row or (0.0, 0.0), np.float32).tolist()
