"""The attention console: its payload, the description of overrides, and changes from the browser."""

from dataclasses import replace

import pytest

from model.analysis.ablation.effect import Effect
from model.analysis.ablation.word_changes import END, sum_by_word
from model.decoding import OverrideError, OverrideRule, Overrides, RowOverride
from model.trace import UNK_PIECE, Trace, WeightMap
from pages.ui.charts.alignment_grid import FIXED_POINT_ONE
from pages.ui.i18n.messages import LANGUAGES, load_messages
from pages.ui.i18n.typography import format_decimal
from pages.ui.laboratory import console
from tests.traces import FRENCH, LOST, ORDER, make_trace

T = load_messages("en")
UNIFORM = Overrides(rules=(OverrideRule("attention", "uniform"),))


def make_changed_trace(target: str, overrides: Overrides) -> Trace:
    """Return an invented translation made with overrides."""
    plain = make_trace(target=target, order=tuple(ORDER[: len(target.split())]))
    return replace(plain, provenance=replace(plain.provenance, overrides=overrides.to_text()))


@pytest.mark.verdict
def test_columns_have_the_effect_on_each_word() -> None:
    original, overridden = make_trace(), make_changed_trace(LOST, UNIFORM)
    count = len(original.steps)
    effect = Effect((-0.1,) * count, (-0.3,) * count, (0.05,) * count, (True,) * count)
    data = console.build_console_payload(original, overridden, effect, T)
    assert data["overridden"] is not None
    assert data["unchanged_note"] == T("console.kept", kept=11, words=14)
    changed_words = [column["word_before"] for column in data["columns"] if column["is_changed"]]
    words = [None if word is None or word < 0 else FRENCH.split()[word] for word in changed_words]
    assert words == ["gris", "chaud", "vieille"]
    (grey,) = [column for column in data["columns"] if column["word_before"] == 3]
    assert (grey["word_after"], grey["difference"]) == (None, None)
    assert grey["log_probability_gain"] == pytest.approx(-0.2 * original.target.word_of.count(3))
    assert grey["kl_divergence"] == pytest.approx(0.05 * original.target.word_of.count(3))
    assert grey["log_probability"] is None  # the word is gone
    assert data["total_gain"] == format_decimal(-0.2 * count, 1)
    assert data["columns"][-1]["word_before"] == data["columns"][-1]["word_after"] == END
    first = data["columns"][0]["difference"]
    assert first is not None
    assert sum(first) == pytest.approx(0, abs=30)  # rows of sum 1, rounded to parts
    assert len(first) == len(data["source"])
    assert data["overrides"] == [{"override": "attention@*:uniform", "description": "uniform · all steps"}]
    assert T("result.edited") in data["provenance"]

    rows = len(overridden.steps)
    lost_effect = Effect((-0.1,) * rows, (-0.3,) * rows, (0.05,) * rows, (True,) * rows)
    data = console.build_console_payload(overridden, make_changed_trace(FRENCH, UNIFORM), lost_effect, T)
    added_columns = [column for column in data["columns"] if column["word_before"] is None]
    assert [FRENCH.split()[column["word_after"] or 0] for column in added_columns] == ["gris", "chaud", "vieille"]
    for column in added_columns:
        assert (column["log_probability_gain"], column["kl_divergence"], column["difference"]) == (None,) * 3
    log_probs = sum_by_word(original, tuple(step.log_probability for step in original.steps))
    expected = [log_probs[column["word_after"] or 0] for column in added_columns]
    assert [column["log_probability"] for column in added_columns] == pytest.approx(expected)

    data = console.build_console_payload(original, original, None, T)
    assert (data["overridden"], data["overrides"], data["total_gain"], data["has_back_link"]) == (None, [], "", False)
    for column in data["columns"]:
        assert (column["is_changed"], column["log_probability_gain"], column["log_probability"]) == (False, None, None)
    assert all(abs(sum(row) - FIXED_POINT_ONE) < 100 for row in data["original"]["alpha"])


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_override_is_described(language: str) -> None:
    size = len(make_trace().source.pieces)
    text = ("p5.6 attention@*:uniform attention@6-*:before attention@1-9:never=2 attention@3-5:others "
            f"attention@8-9:shuffled=4 attention@9000-9001:temperature=0.5 attention@2:max attention@1:only={size} "
            f"attention@7:diagonal attention@4=1{',0' * (size - 1)}")  # fmt: skip
    overrides = Overrides.from_text(text)
    data = console.build_console_payload(
        make_trace(), make_changed_trace(FRENCH, overrides), None, load_messages(language)
    )
    descriptions = [change["description"] for change in data["overrides"]]
    assert len(set(descriptions)) == len(descriptions) == 11
    assert " ".join(change["override"] for change in data["overrides"]) == overrides.to_text()


def summarise(overrides: Overrides) -> str:
    return console.build_console_payload(make_trace(), make_changed_trace(FRENCH, overrides), None, T)["summary"]


def test_summary_names_at_most_two_overrides() -> None:
    size = len(make_trace().source.pieces)
    only_rule = OverrideRule("attention", "only", 2, 2, (3,))
    row = RowOverride(4, "attention", (1.0, *[0.0] * (size - 1)))
    assert summarise(Overrides()) == ""
    assert summarise(Overrides(rules=(only_rule,))) == "“petit” attends only to “grey”"
    assert summarise(Overrides((row,), rules=(only_rule,))).endswith("”; “gris” has a row edited by hand")
    rules = (OverrideRule("attention", "temperature", parameter=0.5), OverrideRule("attention", "max", 3), only_rule)
    assert summarise(Overrides((row,), (5,), rules)).endswith("; and 3 more")
    flatter = Overrides(rules=(OverrideRule("attention", "temperature", 3, 5, parameter=2),))
    assert summarise(flatter) == "every step from 3 to 5 has a flatter α (temperature 2)"
    assert summarise(Overrides(rules=(OverrideRule("attention", "max", 3),))).startswith("every step from 3 on ")
    never_overrides = Overrides(rules=(OverrideRule("attention", "never", 9000, 9000, (1,)),))
    assert summarise(never_overrides) == "step 9000 never attends to “the”"


def test_summary_names_unknown_words_and_the_end() -> None:
    trace = make_trace()
    pieces = tuple(UNK_PIECE if piece == "▁grey" else piece for piece in trace.source.pieces)
    trace = replace(trace, source=replace(trace.source, pieces=pieces))
    overrides = Overrides(rules=(OverrideRule("attention", "only", 2, 2, (3, len(pieces))),))
    summary = console.summarise_overrides(overrides, trace, trace, T)
    assert summary == f"“petit” attends only to “grey {T('console.end')}”"


@pytest.mark.parametrize(("keys", "name"), [
    (("attention-h1", "attention-h2"), ""), (("attention",), ""), (("attention-h1",), "attention head 1: "),
    (("attention-h2", "coverage"), "attention head 2, coverage: "),
])  # fmt: skip
def test_maps_are_named_unless_all_attention_is_overridden(keys: tuple[str, ...], name: str) -> None:
    """An override of the mean overrides every head; coverage is no attention."""
    plain = make_trace()
    values = plain.get_map().values
    maps = (WeightMap("attention", values), *(WeightMap("attention", values, head=head) for head in (1, 2)),
            WeightMap("coverage", values, rows_sum_to_one=False))  # fmt: skip
    overrides = Overrides(rules=tuple(OverrideRule(key, "uniform") for key in keys))
    trace = replace(plain, maps=maps, displayed_map_key=None,
                    provenance=replace(plain.provenance, overrides=overrides.to_text()))  # fmt: skip
    data = console.build_console_payload(trace, trace, None, T)
    assert data["summary"] == f"{name}every step attends uniformly"
    if len(keys) == 1:
        assert data["overrides"][0]["description"] == f"{name}uniform · all steps"


def test_overrides_too_long_for_a_link_are_refused() -> None:
    row = ",".join(["0.001234567"] * 700)
    first, second = ({"add": " ".join(f"attention@{step}={row}" for step in steps)}
                     for steps in (range(1, 16), range(16, 32)))  # fmt: skip
    overrides = console.apply_change(Overrides(), first)
    with pytest.raises(OverrideError):
        console.apply_change(overrides, second)


def test_changes_are_added_and_removed() -> None:
    one_rule = console.apply_change(Overrides(), {"add": "attention@*:uniform"})
    assert one_rule == UNIFORM
    two_overrides = console.apply_change(one_rule, {"add": "attention@3=0.5,0.5"})
    assert two_overrides == Overrides((RowOverride(3, "attention", (0.5, 0.5)),), rules=UNIFORM.rules)
    assert console.apply_change(two_overrides, {"remove": "attention@*:uniform"}) == Overrides(two_overrides.rows)
    assert console.apply_change(two_overrides, {"clear": True}) == Overrides()
    odds: list[object] = [None, 3, [], {"add": 1}, {"clear": 1}, {"other": "x"}]
    for event in odds:
        assert console.apply_change(two_overrides, event) == two_overrides
