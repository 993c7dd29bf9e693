"""The costs of attention: sentences, counts and table."""

from dataclasses import replace

import pytest

from model.analysis.costs import Cost, Costs, load_costs
from model.serialization.codec import CodecError
from pages.ui.concepts import costs as shown_costs
from pages.ui.i18n.messages import LANGUAGES, load_messages

T = load_messages("en")


def make_costs(parallel: tuple[float, ...], recurrent: tuple[float, ...]) -> Costs:
    costs = (Cost("rnnsearch", 10_000_000, True, recurrent, (1.0, 1.0, 1.0)),
             Cost("transformer", 11_000_000, True, parallel, (1.0, 1.0, 1.0)))  # fmt: skip
    return replace(load_costs(), lengths=(10, 100, 400), costs=costs)


@pytest.mark.parametrize(
    ("parallel", "recurrent", "key", "values"),
    [
        ((1.0, 2.0, 4.0), (2.0, 4.0, 12.0), "always", {"times": "3.0", "length": 400}),
        ((4.0, 8.0, 24.0), (2.0, 4.0, 12.0), "never", {"times": "2.0", "length": 400}),
        ((1.0, 5.0, 24.0), (2.0, 4.0, 12.0), "changes", {"length": 100, "last": 400, "times": "0.5"}),
    ],
)
def test_encoding_times_are_compared(parallel: tuple[float, ...], recurrent: tuple[float, ...], key: str,
                                      values: dict[str, object]) -> None:  # fmt: skip
    sentence = shown_costs.describe_comparison(make_costs(parallel, recurrent), T)[0]
    assert sentence == T(f"costs.{key}", one="Transformer", other="RNNsearch", **values)


@pytest.mark.parametrize(
    ("steps", "slow", "quick"), [(2.5, "Transformer", "RNNsearch"), (0.4, "RNNsearch", "Transformer")]
)
def test_decoder_step_times_are_compared(steps: float, slow: str, quick: str) -> None:
    measured = make_costs((1.0, 2.0, 4.0), (2.0, 4.0, 12.0))
    costs = (measured.costs[0], replace(measured.costs[1], step=(9.0, 9.0, steps)))
    sentence = shown_costs.describe_comparison(replace(measured, costs=costs), T)[1]
    assert sentence == T("costs.writes", slow=slow, quick=quick, times="2.5", length=400)


def test_no_comparison_with_one_network_missing() -> None:
    measured = make_costs((1.0, 2.0, 4.0), (2.0, 4.0, 12.0))
    assert shown_costs.describe_comparison(replace(measured, costs=measured.costs[:1]), T) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_table_has_a_row_per_network(language: str) -> None:
    html = shown_costs.format_table(load_costs(), load_messages(language))
    assert html.count("<th scope='row'>") == len(load_costs().costs) + len(shown_costs.UNMEASURED)
    rows = dict(zip((cost.kind for cost in load_costs().costs), html.split("<tr>")[2:], strict=False))
    assert "O(n² d)</td><td>O(1)</td><td>O(1)</td><td>O(1)" in rows["transformer"]
    assert "O(n d²)</td><td>O(n)</td><td>O(n)</td><td>O(1)" in rows["rnnsearch"]
    assert "O(n d²)</td><td>O(n)</td><td>O(n)</td><td>O(n)" in rows["rnnencdec"]


def test_unreadable_costs_are_left_out(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    def fail() -> Costs:
        raise CodecError("no costs")

    monkeypatch.setattr(shown_costs, "load_costs", fail)
    monkeypatch.setattr(shown_costs, "st", None)  # nothing is drawn
    shown_costs.render_measured_costs(T)
    assert "the costs of attention are left out: no costs" in caplog.text
