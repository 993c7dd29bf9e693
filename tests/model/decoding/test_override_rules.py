"""Rules for rows: each makes what it says of the network's own row, at every step there is; none of it leaks."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from model.decoding import OverrideError, OverrideRule, Overrides, RowOverride, Settings, search
from model.decoding.attention_override import AttentionOverride
from model.decoding.override_rules import MAX_STEPS, PARAMETER_RANGES, POSITION_KINDS, RULE_KINDS, RuleKind
from tests.model.decoding.test_overrides import SEARCHES, SOURCES, same
from tests.model.decoding.toy import EOS, Toy, random_toy
from tests.model.tiny import WIRINGS, build_tiny_network

MAP = "attention"
IDS = ["greedy", "beam", "sampling"]
TOY = [[3, 4, EOS], [4, 4, 3, 3, EOS], [3, EOS], [4, 3, 4, EOS]]


def rule(way: RuleKind, **more: object) -> OverrideRule:
    """A rule of each way, for all steps and the first source piece unless said otherwise."""
    what: dict[str, object] = {"positions": (1,)} if way in POSITION_KINDS else {}
    what |= {"parameter": {"shuffled": 7, "temperature": 0.5}.get(way, 0)}
    return OverrideRule(MAP, way, **(what | more))  # type: ignore[arg-type]


def expected(one: OverrideRule, own: np.ndarray, before: np.ndarray | None, step: int) -> np.ndarray:
    """What a rule makes of a row, told once more in another way."""
    size = len(own)
    peak, chosen = np.eye(size), np.isin(np.arange(1, size + 1), one.positions)
    if one.kind == "temperature":
        powers = np.exp(np.log(own) / one.parameter)
        return powers / powers.sum()
    kept = {"others": np.arange(size) != own.argmax(), "never": ~chosen, "only": chosen}
    if one.kind in kept:
        rest = np.where(kept[one.kind], own, 0)
        return rest / rest.sum()
    rows = {"uniform": np.full(size, 1 / size), "max": peak[own.argmax()], "before": own if before is None else before,
            "diagonal": peak[min(step, size) - 1]}  # fmt: skip
    return rows[one.kind]


@pytest.mark.parametrize("way", [way for way in RULE_KINDS if way != "shuffled"])
@pytest.mark.parametrize("how", SEARCHES, ids=IDS)
def test_a_rule_makes_of_every_row_what_it_says(way: RuleKind, how: Settings) -> None:
    """The toy tells what its own rows were for any hypothesis: attention changes nothing else of it."""
    network = random_toy(3, end=-0.5)
    one = rule(way)
    for source, found in zip(
        TOY, search(network, TOY, how, overrides=[Overrides(rules=(one,))] * len(TOY)), strict=True
    ):
        for hypothesis in found:
            own = [row for _, row, _ in network.recompute(source, hypothesis.tokens)]
            for i, row in enumerate(hypothesis.weights[MAP]):
                want = expected(one, own[i], own[i - 1] if i else None, i + 1)
                np.testing.assert_allclose(row, want, rtol=0, atol=1e-12)


def test_a_shuffled_row_has_the_same_weights_in_an_order_that_step_and_seed_decide() -> None:
    network = random_toy(3, end=-0.5)
    source = [4, 4, 3, 3, 4, 3, EOS]

    def rows(seed: int) -> tuple[np.ndarray, list[np.ndarray]]:
        found = search(network, [source], overrides=[Overrides(rules=(rule("shuffled", parameter=seed),))])[0][0]
        return found.weights[MAP], [row for _, row, _ in network.recompute(source, found.tokens)]

    used, own = rows(7)
    assert [sorted(row) for row in used.tolist()] == [sorted(row.tolist()) for row in own]
    assert any(row.tolist() != mine.tolist() for row, mine in zip(used, own, strict=True))
    assert np.array_equal(used, rows(7)[0])
    assert not np.array_equal(used, rows(8)[0])
    alike = AttentionOverride(1, [rule("shuffled")], [7], None)(torch.arange(7.0)[None])
    assert not torch.equal(alike, AttentionOverride(2, [rule("shuffled")], [7], None)(torch.arange(7.0)[None]))


@pytest.mark.parametrize("wiring", WIRINGS)
@pytest.mark.parametrize("how", SEARCHES, ids=IDS)
def test_what_leaves_rows_as_they_are_changes_nothing_to_the_bit(wiring: str, how: Settings) -> None:
    network = build_tiny_network("rnnsearch", wiring).float()  # type: ignore[arg-type]
    plain = search(network, SOURCES, how)
    for one in (lambda size: rule("temperature", parameter=1),
                lambda size: rule("only", positions=tuple(range(1, size + 1))),
                lambda size: rule("uniform", first_step=5000),
                lambda size: rule("before", first_step=1, last_step=1)):  # fmt: skip
        again = search(network, SOURCES, how, overrides=[Overrides(rules=(one(len(source)),)) for source in SOURCES])
        assert all(same(*pair) for found in zip(plain, again, strict=True) for pair in zip(*found, strict=True))


@pytest.mark.parametrize("how", SEARCHES, ids=IDS)
@pytest.mark.parametrize("kind", ["toy", "rnnsearch"])
@settings(max_examples=25, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.sampled_from(RULE_KINDS), min_size=4, max_size=4), st.integers(1, 4), st.integers(0, 6))
def test_a_batch_with_rules_equals_its_sentences_one_by_one(
    how: Settings, kind: str, ways: list[RuleKind], first: int, more: int
) -> None:
    network: Toy | torch.nn.Module = \
        random_toy(3, end=-0.5) if kind == "toy" else build_tiny_network("rnnsearch", "groundhog")
    edits = [Overrides(rules=(rule(way, first_step=first, last_step=first + more),)) for way in ways]
    together = search(network, TOY, how, overrides=edits)  # type: ignore[arg-type]
    for source, one, found in zip(TOY, edits, together, strict=True):
        for alone, other in zip(search(network, [source], how, overrides=[one])[0], found, strict=True):  # type: ignore[arg-type]
            assert alone.tokens == other.tokens
            np.testing.assert_allclose(alone.weights[MAP], other.weights[MAP], rtol=0, atol=1e-9)


def test_a_rule_for_all_steps_holds_for_those_that_the_new_translation_adds() -> None:
    network = random_toy(9, end=-3.0)
    found = search(network, [TOY[1]], Settings(max_ratio=4.0), overrides=[Overrides(rules=(rule("uniform"),))])[0][0]
    assert len(found.tokens) > 10
    assert np.all(found.weights[MAP] == 0.2)


def test_all_mass_on_the_end_and_a_rule_that_leaves_no_weight() -> None:
    network = build_tiny_network("rnnsearch", "groundhog")
    source = SOURCES[0]
    end = Overrides(rules=(rule("only", positions=(len(source),)),))
    rows = search(network, [source], overrides=[end])[0][0].weights[MAP]
    assert np.all(rows == np.eye(len(source))[-1])
    peak = torch.tensor([[0.0, 1.0, 0.0]])  # nothing is left but what had nothing
    assert AttentionOverride(1, [rule("others")], [3], None)(peak).tolist() == [[0.5, 0.0, 0.5]]
    assert AttentionOverride(1, [rule("never", positions=(2,))], [3], None)(peak).tolist() == [[0.5, 0.0, 0.5]]


def test_a_given_row_counts_before_a_rule_and_the_narrower_rule_before_the_wider() -> None:
    everywhere, some, later = (
        rule("uniform"),
        rule("max", first_step=2, last_step=5),
        rule("diagonal", first_step=4, last_step=7),
    )
    edits = Overrides((RowOverride(3, MAP, (1.0, 0.0)),), rules=(later, some, everywhere))
    assert edits == Overrides(edits.rows, rules=(everywhere, later, some))
    assert [edits.get_step(step)[MAP] for step in (1, 2, 3, 4, 7, 8)] == \
        [everywhere, some, (1.0, 0.0), later, later, everywhere]  # fmt: skip


def test_what_is_changed_later_takes_the_place_of_what_it_covers() -> None:
    by_hand, step = RowOverride(3, MAP, (1.0, 0.0)), rule("max", first_step=3, last_step=3)
    other = OverrideRule("other", "max", 2, 4)
    edits = Overrides((by_hand,), (7,), (rule("uniform"), other))
    assert edits.merge(Overrides(rules=(step,))) == Overrides((), (7,), (rule("uniform"), other, step))
    assert edits.merge(Overrides(rules=(rule("diagonal"),))) == Overrides((), (7,), (rule("diagonal"), other))
    assert Overrides(rules=(step, rule("max", first_step=2, last_step=5))).merge(Overrides((by_hand,))) == \
        Overrides((by_hand,), rules=(rule("max", first_step=2, last_step=5),))  # fmt: skip
    assert edits.merge(Overrides(prefix=(8, 9))).prefix == (8, 9)
    assert edits.remove(Overrides((by_hand,), (7,))) == Overrides(rules=(rule("uniform"), other))
    assert edits.remove(Overrides(rules=(other,))) == Overrides((by_hand,), (7,), (rule("uniform"),))


# ---- written and read -------------------------------------------------------------------------------------------

def any_rule() -> st.SearchStrategy[OverrideRule]:
    places = st.lists(st.integers(1, 99_999), min_size=1, max_size=6).map(tuple)

    def of(way: RuleKind, first: int, more: int, places: tuple[int, ...], seed: int, heat: float) -> OverrideRule:
        last = MAX_STEPS if more > 50 else min(MAX_STEPS, first + more)
        number = {"shuffled": seed, "temperature": heat}.get(way, 0)
        return OverrideRule(MAP, way, first, last, places if way in POSITION_KINDS else (), number)

    return st.builds(of, st.sampled_from(RULE_KINDS), st.integers(1, MAX_STEPS), st.integers(0, 60), places,
                     st.integers(0, 999_999), st.floats(*PARAMETER_RANGES["temperature"]))  # fmt: skip


@given(st.lists(any_rule(), max_size=4, unique_by=lambda one: (one.first_step, one.last_step)))
@settings(suppress_health_check=[HealthCheck.too_slow])
def test_what_is_written_is_read_again_exactly(rules: list[OverrideRule]) -> None:
    edits = Overrides((RowOverride(2, MAP, (0.25, 0.75)),), (5,), tuple(rules))
    text = edits.to_text()
    assert Overrides.from_text(text) == edits
    assert Overrides.from_text(text).to_text() == text
    assert hash(Overrides.from_text(text)) == hash(edits)


@pytest.mark.parametrize(("text", "means"), [
    ("attention@*:uniform", OverrideRule(MAP, "uniform")), ("attention@3:max", OverrideRule(MAP, "max", 3, 3)),
    ("attention@3-7:before", OverrideRule(MAP, "before", 3, 7)),
    ("attention@5-*:diagonal", OverrideRule(MAP, "diagonal", 5)),
    ("attention@*:never=2.3", OverrideRule(MAP, "never", positions=(2, 3))),
    ("attention@*:temperature=0.5", OverrideRule(MAP, "temperature", parameter=0.5)),
    ("attention@*:shuffled=7", OverrideRule(MAP, "shuffled", parameter=7)),
])  # fmt: skip
def test_the_written_forms(text: str, means: OverrideRule) -> None:
    assert Overrides.from_text(text) == Overrides(rules=(means,))
    assert Overrides(rules=(means,)).to_text() == text


@pytest.mark.parametrize("text", [
    "a@*:", "a@*:odd", "a@:max", "a@0:max", "a@7-3:max", "a@3-:max", "a@99999:max", "a@*:max=1", "a@*:never",
    "a@*:never=0", "a@*:never=1.", "a@*:only=-1", "a@*:temperature", "a@*:temperature=0", "a@*:temperature=1e999",
    "a@*:temperature=-2", "a@*:shuffled=0.5", "a@*:shuffled=-1", "a@*:temperature=nan", "a@*:max a@*:uniform",
    "a@*:<b>", "A@*:max", "a@*:max  a@1:max", " ".join(f"a@{step}:max" for step in range(1, 300)),
    "a@*:only=" + ".".join(map(str, range(1, 900))),
])  # fmt: skip
def test_other_rules_are_refused_in_one_sentence(text: str) -> None:
    with pytest.raises(OverrideError) as refused:
        Overrides.from_text(text)
    assert "\n" not in str(refused.value)
    assert len(str(refused.value)) < 300


@pytest.mark.parametrize(("one", "says"), [
    (rule("never", positions=(9,)), "names source piece 9, but the sentence has 3"),
    (rule("only", positions=(1, 4)), "names source piece 4"),
    (rule("never", positions=(1, 2, 3)), "nothing to look at"),
    (OverrideRule("other", "max"), "no map 'other' to change; it has attention"),
])  # fmt: skip
def test_rules_that_do_not_fit_the_sentence_are_refused(one: OverrideRule, says: str) -> None:
    with pytest.raises(OverrideError, match=says):
        search(build_tiny_network("rnnsearch", "groundhog"), [[5, 7, EOS]], overrides=[Overrides(rules=(one,))])


def test_a_model_without_attention_has_nothing_to_change_by_rule() -> None:
    with pytest.raises(OverrideError, match="none that looks at the source"):
        search(build_tiny_network("rnnencdec", "groundhog"), [[5, EOS]],
               overrides=[Overrides(rules=(rule("uniform"),))])
