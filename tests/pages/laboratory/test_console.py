"""What the attention console is sent, and what becomes of what it sends back."""

import pytest

from model.analysis.ablation.effect import Effect
from model.analysis.ablation.word_changes import (
    END,
    WordPair,
    align_traces,
    count_unchanged,
    find_first_change,
    sum_by_word,
)
from model.decoding import OverrideError, OverrideRule, Overrides, RowOverride
from model.decoding.override_rules import POSITION_KINDS, RULE_KINDS
from model.trace import Provenance, Trace, WeightMap
from pages.ui.charts.alignment_grid import FIXED_POINT_ONE
from pages.ui.i18n.messages import LANGUAGES, load_messages
from pages.ui.i18n.typography import format_decimal
from pages.ui.laboratory import console
from tests.hostile import CASES
from tests.pages.traces import FRENCH, LOST, ORDER, trace

SAY = load_messages("en")
UNIFORM = Overrides(rules=(OverrideRule("attention", "uniform"),))


def edited(target: str, edits: Overrides) -> Trace:
    """A made-up translation that says it was made with changes."""
    plain = trace(target=target, order=tuple(ORDER[: len(target.split())]))
    made = plain.made_by
    told = Provenance(made.model, made.fingerprint, made.search, made.settings, made.seed, edits.to_text())
    return Trace(plain.source, plain.target, plain.steps, plain.maps, plain.log_probability, plain.score,
                 plain.finished, told)  # fmt: skip


@pytest.mark.verdict
def test_columns_say_what_flipped_and_what_the_change_made_of_each_word() -> None:
    before, after = trace(), edited(LOST, UNIFORM)
    count = len(before.steps)
    effect = Effect((-0.1,) * count, (-0.3,) * count, (0.05,) * count, (True,) * count)
    data = console.build_console_payload(before, after, effect, SAY)
    assert data["after"] is not None
    assert data["kept"] == "11 of 14 words stayed"
    words = [None if one["before"] is None or one["before"] < 0 else FRENCH.split()[one["before"]]
             for one in data["columns"] if one["flipped"]]  # fmt: skip
    assert words == ["gris", "chaud", "vieille"]
    (grey,) = [one for one in data["columns"] if one["before"] == 3]
    assert (grey["after"], grey["difference"]) == (None, None)
    assert grey["gained"] == pytest.approx(-0.2 * before.target.word_of.count(3))
    assert grey["moved"] == pytest.approx(0.05 * before.target.word_of.count(3))
    assert grey["log"] is None  # nothing stands there any more
    assert data["sum"] == format_decimal(-0.2 * count, 1)
    assert data["columns"][-1]["before"] == data["columns"][-1]["after"] == END
    first = data["columns"][0]["difference"]
    assert first is not None
    assert sum(first) == pytest.approx(0, abs=30)  # rows of sum 1, rounded to parts
    assert len(first) == len(data["source"])
    assert data["changes"] == [{"written": "attention@*:uniform", "said": "uniform · all steps"}]
    assert SAY("result.edited") in data["made"]


def test_each_figure_is_of_the_word_that_it_stands_under() -> None:
    """A word that the change puts in has its own probability, and takes no figure of the words around it."""
    before, after = trace(target=LOST, order=tuple(ORDER[:11])), edited(FRENCH, UNIFORM)
    count = len(before.steps)
    gained = [float(place) for place in range(count)]
    data = console.build_console_payload(
        before, after, Effect((0.0,) * count, tuple(gained), (0.5,) * count, (True,) * count), SAY
    )
    put_in = [one for one in data["columns"] if one["before"] is None]
    assert [FRENCH.split()[one["after"] or 0] for one in put_in] == ["gris", "chaud", "vieille"]
    logs = sum_by_word(after, tuple(step.log_probability for step in after.steps))
    for one in data["columns"]:
        own = sum_by_word(before, tuple(gained)).get(one["before"]) if one["before"] is not None else None
        assert one["gained"] == (None if own is None else pytest.approx(own))
        assert (one["moved"] is None) == (one["before"] is None)
        assert one["log"] == (None if one["after"] is None else pytest.approx(logs[one["after"]], abs=1e-6))
        assert (one["difference"] is None) == (one["before"] is None or one["after"] is None)


def test_without_changes_there_is_one_translation_and_nothing_flipped() -> None:
    data = console.build_console_payload(trace(), trace(), None, SAY)
    assert data["after"] is None
    assert not any(one["flipped"] for one in data["columns"])
    assert {one["gained"] for one in data["columns"]} == {None}
    assert data["changes"] == []
    assert {one["log"] for one in data["columns"]} == {None}
    assert (data["sum"], data["back"]) == ("", False)
    assert all(abs(sum(row) - FIXED_POINT_ONE) < 100 for row in data["before"]["alpha"])


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_kind_of_change_is_told_in_words(language: str) -> None:
    size = len(trace().source.pieces)
    rules = [
        OverrideRule("attention", "max", 2, 2),
        OverrideRule("attention", "others", 3, 5),
        OverrideRule("attention", "before", 6),
        OverrideRule("attention", "diagonal", 7, 7),
        OverrideRule("attention", "shuffled", 8, 9, parameter=4),
        OverrideRule("attention", "temperature", 9000, 9001, parameter=0.5),
        OverrideRule("attention", "never", 1, 9, (2,)),
        OverrideRule("attention", "only", 1, 1, (size,)),
        OverrideRule("attention", "uniform"),
    ]
    edits = Overrides((RowOverride(4, "attention", (1.0, *[0.0] * (size - 1))),), (5, 6), tuple(rules))
    data = console.build_console_payload(trace(), edited(FRENCH, edits), None, load_messages(language))
    told = [one["said"] for one in data["changes"]]
    assert len(set(told)) == len(told) == len(rules) + 2
    assert " ".join(one["written"] for one in data["changes"]) == edits.to_text()


def headline(edits: Overrides, language: str = "en", before: Trace | None = None) -> str:
    before = before or trace()
    return console.build_console_payload(before, edited(FRENCH, edits), None, load_messages(language))["told"]


def test_what_is_changed_is_told_in_a_line() -> None:
    """At most two changes are told, and how many more there are."""
    size = len(trace().source.pieces)
    only, row = OverrideRule("attention", "only", 2, 2, (3,)), RowOverride(4, "attention", (1.0, *[0.0] * (size - 1)))
    assert headline(Overrides()) == ""
    assert headline(Overrides(rules=(only,))) == "“petit” looks at “grey” alone"
    assert headline(Overrides((row,), rules=(only,))) == "“petit” looks at “grey” alone; “gris” looks as set by hand"
    many = (OverrideRule("attention", "temperature", parameter=0.5), OverrideRule("attention", "max", 3), only)
    assert headline(Overrides((row,), (5,), many)).endswith("; and 3 more")
    sharper, flatter = (headline(Overrides(rules=(OverrideRule("attention", "temperature", 3, 5, parameter=number),)))
                        for number in (0.5, 2))  # fmt: skip
    assert sharper == "every step from 3 to 5 looks with a sharper α (temperature 0.5)"
    assert flatter == "every step from 3 to 5 looks with a flatter α (temperature 2)"
    assert headline(Overrides(rules=(OverrideRule("attention", "max", 3),))).startswith("every step from 3 on ")
    assert (
        headline(Overrides(rules=(OverrideRule("attention", "never", 9000, 9000, (1,)),)))
        == "step 9000 never looks at “the”"
    )


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_change_has_its_own_sentence(language: str) -> None:
    rules = [OverrideRule("attention", way, positions=(1,) if way in POSITION_KINDS else (), parameter=number)
             for way in RULE_KINDS for number in ((0.5, 1, 2) if way == "temperature" else (0,))]  # fmt: skip
    told = {headline(Overrides(rules=(rule,)), language) for rule in rules}
    assert len(told) == len(rules)
    assert all(load_messages(language)("console.who_all") in sentence for sentence in told)


def test_what_is_made_of_every_map_alike_is_told_once() -> None:
    plain = trace()
    values = plain.get_map().values
    heads = tuple(WeightMap("attention", values, head=head) for head in (1, 2))
    made = edited(FRENCH, Overrides())
    two = Trace(made.source, made.target, made.steps, heads, made.log_probability, made.score, made.finished,
                made.made_by)  # fmt: skip
    keys = [one.key for one in two.maps]
    every, first = (Overrides(rules=tuple(OverrideRule(key, "uniform") for key in some)) for some in (keys, keys[:1]))
    assert console.summarize_overrides(every, two, two, SAY) == "every step looks equally everywhere"
    assert console.summarize_overrides(first, two, two, SAY) == f"{keys[0]}: every step looks equally everywhere"


def test_changes_too_long_to_be_written_are_refused() -> None:
    row = ",".join(["0.001234567"] * 700)
    now = Overrides()
    for step in range(1, 16):
        now = console.apply_change(now, {"more": f"attention@{step}={row}"})
    longer = {"more": " ".join(f"attention@{step}={row}" for step in range(16, 32))}
    with pytest.raises(OverrideError):
        console.apply_change(now, longer)
    assert Overrides.from_text(now.to_text()) == now


def test_what_is_asked_for_becomes_part_of_the_edits() -> None:
    once = console.apply_change(Overrides(), {"more": "attention@*:uniform"})
    assert once == UNIFORM
    twice = console.apply_change(once, {"more": "attention@3=0.5,0.5"})
    assert twice == Overrides((RowOverride(3, "attention", (0.5, 0.5)),), rules=UNIFORM.rules)
    assert console.apply_change(twice, {"less": "attention@*:uniform"}) == Overrides(twice.rows)
    assert console.apply_change(twice, {"none": True}) == Overrides()
    odds: list[object] = [None, 3, [], {"more": 1}, {"none": 1}, {"other": "x"}]
    for odd in odds:
        assert console.apply_change(twice, odd) == twice


@pytest.mark.parametrize("text", [*CASES.values(), "attention@1=nan,0", "attention@*:<b>"])
def test_hostile_changes_get_one_sentence(text: str) -> None:
    if text == "":
        assert console.apply_change(UNIFORM, {"more": text}) == UNIFORM
        return
    with pytest.raises(OverrideError) as refused:
        console.apply_change(UNIFORM, {"more": text})
    assert "\n" not in str(refused.value)
    assert len(str(refused.value)) < 300


def test_words_kept_and_the_first_that_flipped() -> None:
    before, after = trace(), trace(target=LOST, order=ORDER[:11])
    pairs = align_traces(before, after)
    assert find_first_change(pairs) == WordPair(3, None, True)  # "gris"
    assert find_first_change(align_traces(after, before)) == WordPair(None, 3, True)
    other = trace(target=FRENCH.replace("gris", "noir"))
    assert find_first_change(align_traces(before, other)) == WordPair(3, 3, True)
    assert find_first_change(align_traces(before, before)) is None
    assert count_unchanged(align_traces(before, before)) == len(before.target.words)
    assert count_unchanged(pairs) == sum(not one.is_changed and one.before != END for one in pairs)
    assert find_first_change(align_traces(before, trace(finished=False))) == WordPair(END, None, True)
    assert find_first_change(align_traces(trace(finished=False), before)) == WordPair(None, END, True)
