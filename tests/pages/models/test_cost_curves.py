"""What looking costs, on the page: where the curves cross, and what stands beside them."""

from dataclasses import replace

import pytest

from model.analysis.costs import Cost, Costs, load_costs
from model.serialization.codec import CodecError
from pages.ui.i18n.messages import LANGUAGES, load
from pages.ui.models import cost_curves

SAY = load("en")


def made(at_once: tuple[float, ...], by_piece: tuple[float, ...]) -> Costs:
    costs = (Cost("rnnsearch", 10_000_000, True, by_piece, (1.0, 1.0, 1.0)),
             Cost("transformer", 11_000_000, True, at_once, (1.0, 1.0, 1.0)))  # fmt: skip
    return replace(load_costs(), lengths=(10, 100, 400), costs=costs)


@pytest.mark.parametrize(
    ("at_once", "by_piece", "key", "values"),
    [
        ((1.0, 2.0, 4.0), (2.0, 4.0, 12.0), "always", {"times": "3.0", "length": 400}),
        ((4.0, 8.0, 24.0), (2.0, 4.0, 12.0), "never", {"times": "2.0", "length": 400}),
        ((1.0, 5.0, 24.0), (2.0, 4.0, 12.0), "changes", {"length": 100, "last": 400, "times": "0.5"}),
    ],
)
def test_where_the_curves_cross(at_once: tuple[float, ...], by_piece: tuple[float, ...], key: str,
                                values: dict[str, object]) -> None:  # fmt: skip
    said = cost_curves.describe_comparison(made(at_once, by_piece), SAY)[0]
    assert said == SAY(f"costs.{key}", one="Transformer", other="RNNsearch", **values)


@pytest.mark.parametrize(
    ("steps", "slow", "quick"), [(2.5, "Transformer", "RNNsearch"), (0.4, "RNNsearch", "Transformer")]
)
def test_what_a_step_of_writing_costs_is_told_too(steps: float, slow: str, quick: str) -> None:
    whole = made((1.0, 2.0, 4.0), (2.0, 4.0, 12.0))
    costs = (whole.costs[0], replace(whole.costs[1], step=(9.0, 9.0, steps)))
    said = cost_curves.describe_comparison(replace(whole, costs=costs), SAY)[1]
    assert said == SAY("costs.writes", slow=slow, quick=quick, times="2.5", length=400)


def test_nothing_is_said_where_one_side_is_missing() -> None:
    whole = made((1.0, 2.0, 4.0), (2.0, 4.0, 12.0))
    assert cost_curves.describe_comparison(replace(whole, costs=whole.costs[:1]), SAY) == []


def test_the_counts_of_the_paper_cross_at_d() -> None:
    recurrent, looking = cost_curves.build_counted_curves(replace(load_costs(), lengths=(100, 384, 400), costs=()), SAY)
    assert recurrent.values[0] > looking.values[0]
    assert recurrent.values[1] == looking.values[1]
    assert recurrent.values[2] < looking.values[2]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_table_has_a_row_for_each_kind(language: str) -> None:
    html = cost_curves.format_table(load_costs(), load(language))
    assert html.count("<th scope='row'>") == len(load_costs().costs)
    rows = dict(zip((one.kind for one in load_costs().costs), html.split("<tr>")[2:], strict=True))
    assert "O(n² d)</td><td>O(1)</td><td>O(1)</td><td>O(1)" in rows["transformer"]
    assert "O(n d²)</td><td>O(n)</td><td>O(n)</td><td>O(1)" in rows["rnnsearch"]
    assert "O(n d²)</td><td>O(n)</td><td>O(n)</td><td>O(n)" in rows["rnnencdec"]


def test_without_a_measurement_the_rest_of_the_page_stands(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken() -> Costs:
        raise CodecError("no costs")

    monkeypatch.setattr(cost_curves, "load_costs", broken)
    monkeypatch.setattr(cost_curves, "st", None)  # nothing is drawn
    cost_curves.render_costs(SAY)
    assert "what looking costs is left out: no costs" in caplog.text
