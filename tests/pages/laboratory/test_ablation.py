"""What the table of rules is sent, and what it says of a measurement over a set."""

from types import SimpleNamespace

import pytest

from model.analysis.ablation.ablation import RULES, WORD_KINDS, Ablation, RuleAblation, build_rule_edits
from model.analysis.ablation.effect import Effect
from model.analysis.ablation.word_changes import END, WordPair
from model.trace import MapDescription
from pages.ui.charts.printing import render
from pages.ui.i18n.messages import LANGUAGES, load_messages
from pages.ui.i18n.typography import format_decimal
from pages.ui.laboratory import ablation, console, labels, need_set
from tests.pages.traces import LOST, ORDER, trace

SAY = load_messages("en")


GREY = WordPair(3, None, True)  # "gris" is left out


def made(broke: WordPair | None = GREY) -> Ablation:
    """A translation that lost three words under every rule."""
    before, after = trace(), trace(target=LOST, order=ORDER[:11])
    count = len(before.steps)
    effect = Effect((-0.1,) * count, (-0.2,) * count, (0.1,) * count, (True,) * count)
    rules = build_rule_edits([MapDescription("attention")])
    return Ablation(before, tuple(RuleAblation(name, edits, after, effect, 14, 11, broke, 14, 0.1 * count)
                              for name, edits in rules.items()))


def record(**more: object) -> dict[str, object]:
    given = {name: {kind: [100, 40, 1000] for kind in WORD_KINDS[:3]} | {WORD_KINDS[3]: [0, 0, 0]} for name in RULES}
    return {"data": {"name": "newstest2014, 500 evenly spaced", "sentences": 500}, "given": given} | more


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_rule_has_its_row(language: str) -> None:
    data = ablation.build_ablation_payload(made(), load_messages(language))
    assert len({row["said"] for row in data["rows"]}) == len(RULES)
    for row in data["rows"]:
        assert (row["kept"], row["still"], row["broke"], row["ends"]) == (11, 14, "− gris", False)
        assert not any(flipped for _, _, flipped in row["text"])  # words were lost, none is another one
        assert row["written"].startswith("attention@*:")


@pytest.mark.parametrize("language", LANGUAGES)
def test_one_figure_has_one_name(language: str) -> None:
    """What a rule costs its own words is the Δ log p of the console, by name and by number."""
    t, found = load_messages(language), made()
    one = found.rules[0]
    data = console.build_console_payload(found.original, found.original, one.effect, t)
    (row, *_), picture = (
        ablation.build_ablation_payload(found, t)["rows"],
        ablation.draw_ablation(ablation.build_ablation_payload(found, t), trace(), t),
    )
    assert t("need.lost") == t("console.gained") != t("console.log_name")
    assert data["sum"] == format_decimal(-row["lost"], 1, plus=True) == "−1.7"
    assert data["sum"] in render(picture, "svg", lambda letters: [str(letters)]).decode()


def test_where_it_breaks_is_told() -> None:
    for broke, told, ends in (
        (None, "", False), (WordPair(0, 2, True), "le → chat", False), (WordPair(None, 2, True), "+ chat", False),
        (WordPair(END, None, True), "it does not end", True), (WordPair(None, END, True), "it ends", True),
    ):  # fmt: skip
        rows = ablation.build_ablation_payload(made(broke), SAY)["rows"]
        assert {(row["broke"], row["ends"]) for row in rows} == {(told, ends)}


def test_a_measurement_over_a_set_is_told_by_kind_of_word(monkeypatch: pytest.MonkeyPatch) -> None:
    fingerprint = "0123456789ab"
    monkeypatch.setattr(ablation, "find_card", lambda name: SimpleNamespace(fingerprint=fingerprint))
    for file, shown in ((record(fingerprint=fingerprint), True), (record(fingerprint="f" * 12), False)):
        monkeypatch.setattr(ablation, "load_records", lambda kind, file=file: {"a.json": file})
        told = ablation.build_ablation_payload(made(), SAY)["set"]
        assert (told is not None) == shown
        if told is not None:
            assert "500 sentences of newstest2014" in told["title"]
            assert told["kinds"] == ["content words (100)", "function words (100)", "punctuation (100)", "numbers (0)"]
            assert [row["shares"] for row in told["rows"]] == [[0.4, 0.4, 0.4, None]] * len(RULES)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_picture_has_the_translation_and_below_it_that_of_every_rule(language: str) -> None:
    t = load_messages(language)
    drawing = ablation.draw_ablation(ablation.build_ablation_payload(made(), t), trace(), t)
    svg = render(drawing, "svg", lambda letters: [str(letters)]).decode()
    assert all(name in svg for name in (need_set.describe_named_rule(name, t) for name in RULES))
    assert svg.count(">gris<") == 1  # which every rule lost
    assert trace().source.text in drawing.title


def test_the_table_as_csv() -> None:
    lines = ablation.ablation_to_csv(made(), SAY).splitlines()
    assert len(lines) == 1 + len(RULES)
    assert lines[1] == f"only the maximum,14,11,14,{0.1 * len(trace().steps):.6g},gris,,{LOST}"
    assert ablation.ablation_to_csv(made(WordPair(END, None, True)), SAY).splitlines()[1].endswith(f",</s>,,{LOST}")


@pytest.mark.parametrize(("language", "sharper", "flatter"), [("en", "sharper", "flatter"), ("ko", "뾰족", "평평")])
def test_a_temperature_says_which_way_it_goes(language: str, sharper: str, flatter: str) -> None:
    t = load_messages(language)
    assert sharper in need_set.describe_named_rule("temperature-0.5", t)
    assert flatter in need_set.describe_named_rule("temperature-2", t)
    same = labels.describe_rule("temperature", 1, "", t)
    assert not any(way in same for way in (sharper, flatter))
