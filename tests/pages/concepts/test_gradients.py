"""Gradients by distance: payload, sentences, drawing and CSV, on known curves and for every kind of network."""

import csv
import io
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
import streamlit as st

from model.analysis.attribution.gradient_record import Gates, Gradients
from model.decoding import Settings
from model.text.normalise import normalise
from pages.ui.backend import cards
from pages.ui.charts import printing
from pages.ui.concepts import gradients, gradients_exports, gradients_text, token_labels
from pages.ui.concepts.gradients_payload_types import GradientsData, GradientsModel
from pages.ui.i18n.messages import load_messages
from pages.ui.widgets.family_results import FamilyResults
from tests.hostile import CASES
from tests.pages.fakes import ATTENDED, PLAIN, fake_gradients
from tests.traces import ENGLISH, LOST, make_trace

T = load_messages("en")


def known_gradients(name: str = PLAIN) -> Gradients:
    translation = make_trace(model=name) if name == ATTENDED else make_trace(target=LOST, order=None, model=name)
    return fake_gradients(SimpleNamespace(name=name), translation)


def build_payload(word_index: int = 0) -> GradientsData:
    traces = {PLAIN: make_trace(target=LOST, order=None, model=PLAIN), ATTENDED: make_trace(model=ATTENDED)}
    results = FamilyResults(
        normalise(ENGLISH), Settings(), "en", traces, {}, {name: known_gradients(name) for name in traces}
    )
    return gradients.build_gradients_payload(results, [PLAIN, ATTENDED], word_index, "", T)


def describe(*gradients_of: Gradients) -> str:
    titled = [gradients_text.TitledGradients(title, computed, "fr")
              for title, computed in zip("AB", gradients_of, strict=False)]  # fmt: skip
    return gradients_text.describe_everything(titled, T)


def format_remaining(title: str, factor: float, steps: int) -> str:
    return T("gradients.kept", model=title, left=gradients_text.format_factor(factor**steps))


@pytest.mark.verdict
def test_decay_and_bridging_by_attention_are_described() -> None:
    plain, attending = known_gradients(), known_gradients(ATTENDED)
    steps = len(plain.remaining_steps) - 1
    assert plain.direct is None
    assert attending.direct is not None
    text = describe(plain, attending)
    assert (
        T("gradients.falls", list=f"{format_remaining('A', 0.5, steps)}, {format_remaining('B', 0.5, steps)}") in text
    )
    assert T("gradients.bridged", list=format_remaining("B", 1.0, steps)) in text
    exchanged = replace(attending, total=attending.direct, direct=attending.total)
    text = describe(plain, exchanged)
    assert T("gradients.stays", list=format_remaining("B", 1.0, steps)) in text
    assert T("gradients.unbridged", list=format_remaining("B", 0.5, steps)) in text


def test_bidirectional_or_parallel_encoder_has_no_decay() -> None:
    """Each position is first for one direction and last for the other; a Transformer has no direction."""
    computed = known_gradients(ATTENDED)
    bridged = T("gradients.bridged", list=format_remaining("A", 1.0, len(computed.remaining_steps) - 1))
    forward, backward = (replace(computed.gates[0], side="encoder", direction=direction) for direction in (1, 2))
    text = describe(replace(computed, gates=(forward, backward)))
    assert bridged in text
    assert T("gradients.falls", list="").removesuffix(".")[:-1] not in text
    text = describe(replace(computed, is_recurrent=False, gates=()))
    assert text == f"{T('gradients.left')} {bridged}"


@pytest.mark.parametrize(("factor", "text"), [
    (5064.41, "5,064"), (12.4, "12"), (3.14, "3.1"), (0.256, "0.26"), (0.0123, "0.012"), (0.0001, "<0.001"),
    (0, "0.000"),
])  # fmt: skip
def test_factors_have_two_significant_digits(factor: float, text: str) -> None:
    assert gradients_text.format_factor(factor) == text


def test_word_depends_on_the_state_with_the_largest_gradient() -> None:
    text = build_payload()["descriptions"]
    words = LOST.split()
    assert len(text) == 1 + len(make_trace().target.words) + 1
    assert T("gradients.hangs", model=cards.get_title(PLAIN), word=words[0], piece="end", distance=0) in text[1]
    computed = known_gradients()
    computed.total[0] = computed.total[0, ::-1]
    farthest = len(computed.remaining_steps) - 1
    first, second = gradients_text.describe_curves([gradients_text.TitledGradients("A", computed, "fr")], T)[1:3]
    assert first == T("gradients.hangs", model="A", word=words[0], piece=ENGLISH.split()[0], distance=farthest)
    assert second == T("gradients.hangs", model="A", word=words[1], piece="end", distance=0)
    assert T("gradients.unwritten", model=cards.get_title(PLAIN), count=len(words) + 1) in text[-1]


def test_many_models_hide_lines_of_other_kinds(monkeypatch: pytest.MonkeyPatch) -> None:
    assert not any(model["is_hidden"] for model in build_payload()["models"])
    monkeypatch.setattr(gradients, "MANY_MODELS", 1)
    monkeypatch.setattr(gradients, "DEFAULT_KINDS", ("rnnencdec",))
    assert [model["is_hidden"] for model in build_payload()["models"]] == [False, True]


def test_continuing_pieces_have_a_dot() -> None:
    assert token_labels.label_tokens(make_trace("the sleeping cat", "le chat", (0, 2)).source, T) == [
        "the", "sle", "·eping", "cat", "end"]  # fmt: skip


@pytest.mark.parametrize(("values", "ticks"), [
    ([0.3, 0.05], [0.05, 0.1, 0.2, 0.5]), ([1], [1, 2]), ([], [1, 2]), ([7, 7], [5, 10]),
    ([0.01, 1], [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1]), ([0.02, 3], [0.01, 0.1, 1, 10]),
])  # fmt: skip
def test_ticks_enclose_all_values(values: list[float], ticks: list[float]) -> None:
    assert gradients_exports.choose_ticks(values) == pytest.approx(ticks)


@pytest.mark.parametrize(("word_index", "hidden", "curves", "direct"), [
    (0, [], 2, 1), (2, [], 2, 1), (13, [], 1, 1), (0, [ATTENDED], 1, 0),
])  # fmt: skip
def test_drawing_has_the_visible_curves(
    word_index: int, hidden: list[str], curves: int, direct: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(st, "session_state", {"family-gradients-lines": dict.fromkeys(hidden, False)})
    data = build_payload(word_index)
    drawing = gradients_exports.build_gradients_drawing("x", data, T)
    svg = printing.render(drawing, "svg", lambda _: ()).decode()
    assert drawing.title == data["descriptions"][word_index]
    assert (svg.count('id="curve"'), svg.count('id="look"')) == (curves, direct)
    assert (f">{cards.get_title(ATTENDED)}</text>" in svg) == (not hidden)
    assert (f">{T('gradients.look')}</text>" in svg) == bool(direct)
    assert T("gradients.across") in svg
    assert ">14</text>" in svg  # the last of the ticks, two apart, up to 15


def test_csv_has_every_number() -> None:
    data = build_payload()
    rows = list(csv.DictReader(io.StringIO(gradients_exports.to_csv(data))))
    assert len(rows) == sum(len(curve["values"]) for model in data["models"] for curve in model["curves"])
    assert {row["gradient through attention only"] for row in rows if row["model"] == cards.get_title(PLAIN)} == {""}
    last = [row for row in rows if row["model"] == cards.get_title(ATTENDED)][-1]
    assert (last["word"], last["gradient"], last["gradient through attention only"]) == (
        "end", str(data["models"][1]["curves"][-1]["values"][-1]), "0.125")  # fmt: skip
    gates = list(csv.DictReader(io.StringIO(gradients_exports.build_gates_csv(data))))
    assert {row["mean over the units"] for row in gates if row["side"] == "encoder"} == {"0.25"}
    assert [row for row in gates if not row["mean over the units"]]  # the decoder did not run before its first piece


@pytest.mark.parametrize("event", [
    None, {"choice": None}, {"choice": {"word_index": True}},
    {"choice": {"word_index": -1, "gates_model": "nobody"}},
    {"choice": {"visible_lines": [ATTENDED]}}, {"choice": {"visible_lines": {ATTENDED: CASES["script"]}}},
    {"choice": {"word_index": 10**9, "gates_model": CASES["script"]}},
    {"choice": {"word_index": "2", "gates_model": ["rnnsearch-50"]}},
])  # fmt: skip
def test_invalid_choices_are_ignored(event: dict[str, Any] | None, monkeypatch: pytest.MonkeyPatch) -> None:
    state = {"family-gradients": event}
    monkeypatch.setattr(st, "session_state", state)
    gradients.store_choices()
    assert list(state) == ["family-gradients"]


def test_valid_choices_are_stored(monkeypatch: pytest.MonkeyPatch) -> None:
    choice = {"word_index": 3, "gates_model": ATTENDED, "visible_lines": {ATTENDED: False, "nobody": True}}
    state: dict[str, object] = {"family-gradients": {"choice": choice}}
    monkeypatch.setattr(st, "session_state", state)
    gradients.store_choices()
    assert (state["gradient-word"], state["gates"], state["family-gradients-lines"]) == (3, ATTENDED, {ATTENDED: False})


def test_gates_are_labelled_by_layer_and_direction() -> None:
    computed = known_gradients(ATTENDED)

    def build_model(*gates: Gates) -> GradientsModel:
        with_gates = replace(computed, gates=gates, is_recurrent=bool(gates))
        traces = {ATTENDED: make_trace()}
        results = FamilyResults(normalise(ENGLISH), Settings(), "en", traces, {}, {ATTENDED: with_gates})
        (model,) = gradients.build_gradients_payload(results, [ATTENDED], 0, "", T)["models"]
        return model

    encoder, decoder = computed.gates
    names = ("<b>", "reset")
    directions = (replace(encoder, names=names), replace(encoder, names=names, direction=2))
    lower, upper = (replace(encoder, layer=layer) for layer in (1, 2))
    labels = [
        [row["label"] for table in build_model(*gates, decoder)["gates"][:1] for row in table["rows"]]
        for gates in (directions, (lower, upper))
    ]
    assert labels == [["→ <b>", "→ reset", "← <b>", "← reset"], ["1 → update", "1 → reset", "2 → update", "2 → reset"]]
    assert build_model(*computed.gates)["no_gates"] == ""
    assert build_model()["no_gates"] == T("gradients.no_steps")
