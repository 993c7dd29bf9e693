"""Gradients by distance as the page tells, draws and saves them: on curves that are known, and of every kind."""

import csv
import io
import math
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
import streamlit as st

from model.analysis.attribution.gradient_record import Gates, Gradients
from model.analysis.attribution.gradients import measure_gradients
from model.checkpoints import checkpoint
from model.decoding import Settings
from model.text.normalise import normalise
from model.text.vocabulary import Vocabulary
from pages.ui.backend import cards
from pages.ui.charts import printing
from pages.ui.i18n.messages import LANGUAGES, load
from pages.ui.models import gradients, gradients_exports, gradients_text
from pages.ui.models.family_results import FamilyResults
from pages.ui.models.gradients_types import GradientsData
from tests.hostile import CASES
from tests.pages import stages
from tests.pages.fakes import ATTENDED, PLAIN, felt
from tests.pages.traces import ENGLISH, LOST, trace

SAY = load("en")


def found(name: str = PLAIN) -> Gradients:
    made = trace(model=name) if name == ATTENDED else trace(target=LOST, order=None, model=name)
    return felt(SimpleNamespace(name=name), made)


def data(written: int = 0) -> GradientsData:
    traces = {PLAIN: trace(target=LOST, order=None, model=PLAIN), ATTENDED: trace(model=ATTENDED)}
    asked = FamilyResults(normalise(ENGLISH), Settings(), "en", traces, {}, {name: found(name) for name in traces})
    return gradients.build_gradients_payload(asked, [PLAIN, ATTENDED], written, "", SAY)


def named(one: Gradients, title: str = "A") -> gradients_text.TitledGradients:
    return gradients_text.TitledGradients(title, one, "fr")


def told(*of: Gradients) -> str:
    return gradients_text.describe_everything([named(one, title) for one, title in zip(of, "AB", strict=False)], SAY)


def kept(title: str, step: float, steps: int) -> str:
    return SAY("gradients.kept", model=title, left=gradients_text.format_factor(step**steps))


@pytest.mark.verdict
def test_what_fades_and_what_looking_bridges_is_told_from_the_figures() -> None:
    plain, attending = found(), found(ATTENDED)
    steps = len(plain.remaining_steps) - 1
    assert plain.direct is None
    assert attending.direct is not None
    said = told(plain, attending)
    assert SAY("gradients.falls", list=f"{kept('A', 0.5, steps)}, {kept('B', 0.5, steps)}") in said
    assert SAY("gradients.bridged", list=kept("B", 1.0, steps)) in said
    other = replace(attending, whole=attending.direct, direct=attending.total)
    said = told(plain, other)
    assert SAY("gradients.stays", list=kept("B", 1.0, steps)) in said
    assert SAY("gradients.unbridged", list=kept("B", 0.5, steps)) in said


def test_of_an_encoder_that_reads_both_ways_only_the_look_is_told() -> None:
    """Its state at the first place is read first by one direction and last by the other."""
    one = found(ATTENDED)
    gates = one.gates[0]
    back = replace(gates, side="encoder", way=2)
    said = told(replace(one, gates=(replace(back, way=1), back)))
    assert SAY("gradients.bridged", list=kept("A", 1.0, len(one.remaining_steps) - 1)) in said
    assert SAY("gradients.falls", list="").removesuffix(".")[:-1] not in said


def test_of_a_network_without_recurrence_only_the_look_is_told() -> None:
    one = found(ATTENDED)
    said = told(replace(one, recurrent=False, gates=()))
    bridged = SAY("gradients.bridged", list=kept("A", 1.0, len(one.remaining_steps) - 1))
    assert said == f"{SAY('gradients.left')} {bridged}"


@pytest.mark.parametrize(("factor", "said"), [
    (5064.41, "5,064"), (12.4, "12"), (3.14, "3.1"), (0.256, "0.26"), (0.0123, "0.012"), (0.0001, "<0.001"),
    (0, "0.000"),
])  # fmt: skip
def test_factors_are_told_in_two_digits_or_more(factor: float, said: str) -> None:
    assert gradients_text.format_factor(factor) == said


def test_a_written_word_hangs_on_the_state_with_the_steepest_gradient() -> None:
    said = data()["told"]
    words = LOST.split()
    assert len(said) == 1 + len(trace().target.words) + 1
    assert SAY("gradients.hangs", model=cards.title_of(PLAIN), word=words[0], piece="the end", distance=0) in said[1]
    assert SAY("gradients.unwritten", model=cards.title_of(PLAIN), count=len(words) + 1) in said[-1]


def test_of_many_models_the_lines_of_four_kinds_are_drawn_at_first(monkeypatch: pytest.MonkeyPatch) -> None:
    assert not any(model["quiet"] for model in data()["models"])
    monkeypatch.setattr(gradients, "MANY", 1)
    monkeypatch.setattr(gradients, "FIRST", ("rnnencdec",))
    assert [model["quiet"] for model in data()["models"]] == [False, True]


def test_pieces_that_go_on_a_word_have_a_dot() -> None:
    assert gradients_text.label_pieces(trace("the sleeping cat", "le chat", (0, 2)).source, SAY) == [
        "the", "sle", "·eping", "cat", "the end"]  # fmt: skip


@pytest.mark.parametrize(("values", "marks"), [
    ([0.3, 0.05], [0.05, 0.1, 0.2, 0.5]), ([1], [1, 2]), ([], [1, 2]), ([7, 7], [5, 10]),
    ([0.01, 1], [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1]), ([0.002, 3], [0.001, 0.01, 0.1, 1, 10]),
])  # fmt: skip
def test_marks_hold_every_value(values: list[float], marks: list[float]) -> None:
    assert gradients_exports.choose_ticks(values) == pytest.approx(marks)


def test_many_powers_have_few_marks() -> None:
    assert [round(math.log10(mark)) for mark in gradients_exports.choose_ticks([1e-12, 3])] == [*range(-12, 3, 2)]


@pytest.mark.parametrize("written", [0, 2, 13])
def test_the_picture_is_printed(written: int) -> None:
    drawing = gradients_exports.build_gradients_drawing("x", data(written), SAY)
    svg = printing.render(drawing, "svg", lambda _: ()).decode()
    assert drawing.title == data(written)["told"][written]
    assert svg.count('id="curve"') == (1 if written == 13 else 2)
    assert cards.title_of(ATTENDED) in svg
    assert SAY("gradients.across") in svg


def test_the_tables_hold_every_number() -> None:
    sent = data()
    rows = list(csv.DictReader(io.StringIO(gradients_exports.to_csv(sent))))
    assert len(rows) == sum(len(curve["values"]) for model in sent["models"] for curve in model["curves"])
    assert {row["by the look alone"] for row in rows if row["model"] == cards.title_of(PLAIN)} == {""}
    last = [row for row in rows if row["model"] == cards.title_of(ATTENDED)][-1]
    assert (last["word"], last["gradient"], last["by the look alone"]) == (
        "the end", str(sent["models"][1]["curves"][-1]["values"][-1]), "0.125")  # fmt: skip
    gates = list(csv.DictReader(io.StringIO(gradients_exports.gates_to_csv(sent))))
    assert {row["mean over the units"] for row in gates if row["side"] == "encoder"} == {"0.25"}
    assert [row for row in gates if not row["mean over the units"]]  # a decoder that was not run before its first piece


@pytest.mark.parametrize("sent", [
    None, 3, {"reached": None}, {"reached": {"written": -1, "gates": "nobody"}}, {"reached": {"written": True}},
    {"reached": {"lines": [ATTENDED]}}, {"reached": {"lines": {ATTENDED: CASES["script"]}}},
    {"reached": {"written": 10**9, "gates": CASES["script"]}}, {"reached": {"written": "2", "gates": ["rnnsearch-50"]}},
])  # fmt: skip
def test_whatever_else_a_browser_sends_chooses_nothing(sent: object, monkeypatch: pytest.MonkeyPatch) -> None:
    state = {"family-gradients": sent if isinstance(sent, dict) else None}
    monkeypatch.setattr(st, "session_state", state)
    gradients._reached()
    assert list(state) == ["family-gradients"]


def test_what_a_reader_reached_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = {ATTENDED: False, "nobody": True}
    state: dict[str, object] = {"family-gradients": {"reached": {"written": 3, "gates": ATTENDED, "lines": lines}}}
    monkeypatch.setattr(st, "session_state", state)
    gradients._reached()
    assert (state["written"], state["gates"], state["family-gradients-lines"]) == (3, ATTENDED, {ATTENDED: False})


def test_the_picture_has_the_lines_that_the_screen_has(monkeypatch: pytest.MonkeyPatch) -> None:
    assert printed_lines() == {"curve": 2, "look": 1}
    monkeypatch.setattr(gradients, "st", SimpleNamespace(session_state={"family-gradients-lines": {ATTENDED: False}}))
    assert printed_lines() == {"curve": 1, "look": 0}


def printed_lines() -> dict[str, int]:
    svg = printing.render(gradients_exports.build_gradients_drawing("x", data(), SAY), "svg", lambda _: ()).decode()
    return {of: svg.count(f'id="{of}"') for of in ("curve", "look")}


def test_half_as_it_is_told_is_half() -> None:
    below, half = gradients_text.RemainingGradient("a", 0.494), gradients_text.RemainingGradient("b", 0.496)
    assert gradients_text._parted([half, below]) == ([below], [half])


def test_a_network_with_steps_and_no_gates_says_so() -> None:
    one = replace(found(ATTENDED), gates=())
    asked = FamilyResults(normalise(ENGLISH), Settings(), "en", {ATTENDED: trace()}, {}, {ATTENDED: one})
    (model,) = gradients.build_gradients_payload(asked, [ATTENDED], 0, "", SAY)["models"]
    assert (model["gates"], model["gateless"]) == ([], SAY("gradients.no_gates"))


def test_a_gate_that_nobody_knows_keeps_its_name() -> None:
    one = found(ATTENDED)
    gates = tuple(Gates(cell.side, 1, 1, ("<b>", "reset"), cell.values) for cell in one.gates)
    asked = FamilyResults(
        normalise(ENGLISH), Settings(), "en", {ATTENDED: trace()}, {}, {ATTENDED: replace(one, gates=gates)}
    )
    (model,) = gradients.build_gradients_payload(asked, [ATTENDED], 0, "", SAY)["models"]
    assert [row["label"] for row in model["gates"][0]["rows"]] == ["→ <b>", "→ reset"]


LABELS = {
    "seq2seq": [f"{layer} ← {gate}" for layer in (1, 2) for gate in ("input", "forget", "output")],
    "forwards": [f"{layer} → {gate}" for layer in range(1, 6) for gate in ("input", "forget", "output")],
    "luong": [f"{layer} ← {gate}" for layer in (1, 2) for gate in ("input", "forget", "output")],
    "coverage": [f"{way} {gate}" for way in "→←" for gate in ("update", "reset")],
    "transformer": [],
}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("which", LABELS)
def test_every_kind_is_drawn(which: str, language: str, tiny_vocabulary: Vocabulary, tmp_path: Path,
                             monkeypatch: pytest.MonkeyPatch) -> None:  # fmt: skip
    made, _ = stages.translated(which, tiny_vocabulary, tmp_path)
    model = checkpoint.load_model(tmp_path / which)
    monkeypatch.setattr(cards, "find", lambda name: model.card)
    t = load(language)
    found = {which: measure_gradients(model, made)}
    asked = FamilyResults(normalise(made.source.text), Settings(), "en", {which: made}, {}, found)
    sent = gradients.build_gradients_payload(asked, [which], 0, which, t)
    (one,) = sent["models"]
    looks = bool(made.maps)
    assert one["dashed"] == (not looks)
    assert len(one["curves"]) == len(one["words"]) + 1 == len(sent["told"])
    assert len(one["pieces"]) == len(one["curves"][0]["values"]) == len(made.source.pieces)
    assert (one["curves"][0]["look"] is not None) == (looks and which != "transformer")
    assert one["gateless"] == ("" if LABELS[which] else t("gradients.no_steps"))
    assert all(sent["told"])
    if language == "en":
        assert [row["label"] for table in one["gates"][:1] for row in table["rows"]] == LABELS[which]
    assert printing.render(gradients_exports.build_gradients_drawing("x", sent, t), "svg", lambda _: ())
