"""Override rules: the row that each one gives, the steps it holds for, its text form, and refused rules."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from model.decoding import OverrideError, OverrideRule, Overrides, RowOverride, Settings, search
from model.decoding.attention_override import MapOverride
from model.decoding.override_rules import MAX_STEPS, POSITION_KINDS, RULE_KINDS, RuleKind
from model.trace import MapDescription
from tests.model.decoding.helpers import SEARCHES
from tests.model.decoding.toy import EOS, random_toy
from tests.model.tiny import PAIRS

MAP = "attention"
SOURCES = [source for source, _ in PAIRS]
TOY_SOURCES = [[3, 4, EOS], [4, 4, 3, 3, EOS], [3, EOS], [4, 3, 4, EOS]]
every_search = pytest.mark.parametrize("search_settings", SEARCHES.values(), ids=SEARCHES.keys())


def build_rule(kind: RuleKind, **fields: object) -> OverrideRule:
    """Build a rule, by default for all steps and the first source token."""
    defaults: dict[str, object] = {"positions": (1,)} if kind in POSITION_KINDS else {}
    defaults["parameter"] = {"shuffled": 7, "temperature": 0.5}.get(kind, 0)
    return OverrideRule(MAP, kind, **(defaults | fields))  # type: ignore[arg-type]


def compute_expected_row(rule: OverrideRule, own_row: np.ndarray, previous: np.ndarray | None, step: int) -> np.ndarray:
    """Apply a rule to a row, independently of the implementation."""
    size = len(own_row)
    one_hot, is_named = np.eye(size), np.isin(np.arange(1, size + 1), rule.positions)
    if rule.kind == "temperature":
        powers = np.exp(np.log(own_row) / rule.parameter)
        return powers / powers.sum()
    kept_masks = {"others": np.arange(size) != own_row.argmax(), "never": ~is_named, "only": is_named}
    if rule.kind in kept_masks:
        kept_weights = np.where(kept_masks[rule.kind], own_row, 0)
        return kept_weights / kept_weights.sum()
    rows = {"uniform": np.full(size, 1 / size), "max": one_hot[own_row.argmax()],
            "before": own_row if previous is None else previous, "diagonal": one_hot[min(step, size) - 1]}
    return rows[rule.kind]


@pytest.mark.parametrize("kind", [kind for kind in RULE_KINDS if kind != "shuffled"])
@every_search
def test_rule_changes_every_row(kind: RuleKind, search_settings: Settings) -> None:
    """Attention does not influence the toy translator, so that its own rows can be recomputed."""
    rule = build_rule(kind)
    overrides = [Overrides(rules=(rule,))] * len(TOY_SOURCES)
    for network in (random_toy(3, end=-0.5), random_toy(4, end=-3.0)):
        results = search(network, TOY_SOURCES, search_settings, overrides=overrides)
        for source, hypothesis in [(source, hypothesis) for source, hypotheses in zip(TOY_SOURCES, results, strict=True)
                                   for hypothesis in hypotheses]:
            own_rows = [row for _, row, _ in network.recompute(source, hypothesis.tokens)]
            expected = [compute_expected_row(rule, row, own_rows[i - 1] if i else None, i + 1)
                        for i, row in enumerate(own_rows)]
            np.testing.assert_allclose(hypothesis.weights[MAP], expected, rtol=0, atol=1e-12)


def test_shuffled_order_depends_on_step_and_seed() -> None:
    network, source = random_toy(3, end=-0.5), [4, 4, 3, 3, 4, 3, EOS]

    def shuffle(seed: int) -> tuple[np.ndarray, list[np.ndarray]]:
        overrides = [Overrides(rules=(build_rule("shuffled", parameter=seed),))]
        hypothesis = search(network, [source], overrides=overrides)[0][0]
        return hypothesis.weights[MAP], [row for _, row, _ in network.recompute(source, hypothesis.tokens)]

    shuffled, own_rows = shuffle(7)
    overrides = [Overrides(rules=(build_rule("shuffled", parameter=7),))] * (1 + len(TOY_SOURCES))
    assert np.array_equal(search(network, [source, *TOY_SOURCES], overrides=overrides)[0][0].weights[MAP], shuffled)
    assert [sorted(row) for row in shuffled.tolist()] == [sorted(row.tolist()) for row in own_rows]
    assert not np.array_equal(shuffled, own_rows)
    assert np.array_equal(shuffled, shuffle(7)[0])
    assert not np.array_equal(shuffled, shuffle(8)[0])
    first, second = (MapOverride(step, [build_rule("shuffled")], [7], None)(torch.arange(7.0)[None])
                     for step in (1, 2))
    assert not torch.equal(first, second)


def test_rule_that_leaves_no_weight_gives_equal_weights() -> None:
    weights = torch.tensor([[0.0, 1.0, 0.0]])
    for rule in (build_rule("others"), build_rule("never", positions=(2,))):
        assert MapOverride(1, [rule], [3], None)(weights).tolist() == [[0.5, 0.0, 0.5]]


@pytest.mark.parametrize(("rule", "expected"), [
    (build_rule("temperature", parameter=0.5), [0.8 * 16 / 26, 0.8 * 9 / 26, 0.8 * 1 / 26]),
    (build_rule("temperature", parameter=1), [0.4, 0.3, 0.1]), (build_rule("never"), [0, 0.3, 0.1]),
    (build_rule("only"), [0.4, 0, 0]), (build_rule("others"), [0, 0.3, 0.1]),
])
def test_rows_that_need_not_sum_to_one_are_not_normalised(rule: OverrideRule, expected: list[float]) -> None:
    weights = torch.tensor([[0.4, 0.3, 0.1], [0, 0, 0]], dtype=torch.float64)
    row, zeros = MapOverride(1, [rule, rule], [3, 3], None, rows_sum_to_one=False)(weights)
    np.testing.assert_allclose(row, expected, rtol=0, atol=1e-12)
    assert not zeros.any()


def test_given_rows_and_narrower_rules_take_precedence() -> None:
    general_rule = build_rule("uniform")
    early_rule = build_rule("max", first_step=2, last_step=5)
    late_rule = build_rule("diagonal", first_step=4, last_step=7)
    overrides = Overrides((RowOverride(3, MAP, (1.0, 0.0)),), rules=(late_rule, early_rule, general_rule))
    assert overrides == Overrides(overrides.rows, rules=(general_rule, late_rule, early_rule))
    assert [overrides.get_step_overrides(step)[MAP] for step in (1, 2, 3, 4, 7, 8)] == [
        general_rule, early_rule, (1.0, 0.0), late_rule, late_rule, general_rule]
    assert overrides.get_step_overrides(MAX_STEPS + 1) == {MAP: general_rule}


# ---- text form and errors ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("text", "rule"), [
    ("attention@*:uniform", OverrideRule(MAP, "uniform")), ("attention@3:max", OverrideRule(MAP, "max", 3, 3)),
    ("attention@3-7:before", OverrideRule(MAP, "before", 3, 7)),
    ("attention@5-*:diagonal", OverrideRule(MAP, "diagonal", 5)),
    ("attention@*:never=2.3", OverrideRule(MAP, "never", positions=(2, 3))),
    ("attention@*:temperature=0.3", OverrideRule(MAP, "temperature", parameter=0.3)),
    ("attention@*:shuffled=7", OverrideRule(MAP, "shuffled", parameter=7)),
])
def test_text_forms(text: str, rule: OverrideRule) -> None:
    assert Overrides.from_text(text) == Overrides(rules=(rule,))
    assert rule.to_text() == text


@pytest.mark.parametrize(("rule", "message"), [
    (build_rule("never", positions=(9,)), "names source token 9, but the sentence has 3"),
    (build_rule("only", positions=(1, 4)), "names source token 4"),
    (build_rule("never", positions=(1, 2, 3)), "nothing to look at"),
    (OverrideRule("other", "max"), "no map 'other' to change; it has attention"),
])
def test_rules_that_do_not_fit_the_sentence_are_refused(rule: OverrideRule, message: str) -> None:
    with pytest.raises(OverrideError, match=message):
        Overrides(rules=(rule,)).validate((MapDescription(MAP),), 3)
