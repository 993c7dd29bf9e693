"""The Trace: derived values, checks, and JSON, which is exact."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from model.serialization.codec import CodecError
from model.trace import (
    Candidate,
    Provenance,
    Side,
    Step,
    Symbol,
    Trace,
    TraceError,
    WeightMap,
    continues_word,
    is_unk,
)

SOURCE = Side("the owls", ("the", "owls"), ("▁the", "▁ow", "ls", "</s>"), (0, 1, 1, -1))
TARGET = Side("les hiboux", ("les", "hiboux"), ("▁les", "▁hi", "bou", "x", "</s>"), (0, 1, 1, 1, -1))
LOGS = (-0.5, -1.0, -0.25, -0.125, -2.0)
ALPHA = np.array([
    [0.50, 0.25, 0.125, 0.125],
    [0.00, 0.50, 0.250, 0.250],
    [0.25, 0.25, 0.500, 0.000],
    [0.125, 0.375, 0.5, 0.000],
    [0.00, 0.00, 0.250, 0.750],
])
PROVENANCE = Provenance(
    "rnnsearch-50", "0123456789ab", "beam", {"beam": 5, "max_ratio": 3.0, "length_penalty": "length"}
)


def build_trace(**changes: Any) -> Trace:
    steps = tuple(Step(10 + k, piece, log, (Candidate(10 + k, piece, log), Candidate(9, "ette", -7.5)))
                  for k, (piece, log) in enumerate(zip(TARGET.pieces, LOGS, strict=True)))
    parts: dict[str, Any] = {
        "source": SOURCE, "target": TARGET, "steps": steps, "maps": (WeightMap("attention", ALPHA),),
        "log_probability": sum(LOGS), "score": sum(LOGS) / 5, "is_finished": True, "provenance": PROVENANCE,
    }
    return Trace(**(parts | changes))


# ---- derived values ---------------------------------------------------------------------------------------------


def test_words_sum_over_source_pieces_and_average_over_target_pieces() -> None:
    expected = [[0.50, 0.375], [0.125, (0.75 + 0.75 + 0.875) / 3]]
    np.testing.assert_allclose(build_trace().compute_word_map("attention"), expected, rtol=1e-6)
    with_end = [[0.50, 0.375, 0.125], [0.125, 2.375 / 3, 0.25 / 3], [0.0, 0.25, 0.75]]
    np.testing.assert_allclose(build_trace().compute_word_map_with_end("attention"), with_end, rtol=1e-6)
    np.testing.assert_array_equal(build_trace().compute_word_log_probs(), [-0.5, -1.375])
    self_attention = WeightMap("source to source", np.full((4, 4), 0.25), rows="source", columns="source")
    trace = build_trace(maps=(WeightMap("attention", ALPHA), self_attention))
    np.testing.assert_allclose(trace.compute_word_map("source-to-source"), [[0.25, 0.5], [0.25, 0.5]])


def test_columns_of_decoder_self_attention_are_the_pieces_before() -> None:
    """Nothing, then "les", then the pieces of "hiboux"."""
    values = np.tril(np.ones((5, 5), np.float32)) / np.arange(1, 6, dtype=np.float32)[:, None]
    trace = build_trace(maps=(WeightMap("attention", ALPHA), WeightMap("decoder", values, columns="target")))
    expected = np.array([[1.0, 0, 0], [13 / 36, 13 / 36, 10 / 36], [0.2, 0.2, 0.6]])
    np.testing.assert_allclose(trace.compute_word_map_in_order("decoder"), expected, rtol=1e-6)
    np.testing.assert_allclose(trace.compute_word_map("decoder"), expected[:2, 1:], rtol=1e-6)
    with_end = trace.compute_word_map_with_end("attention")
    np.testing.assert_array_equal(trace.compute_word_map_in_order("attention"), with_end)


def test_word_map_of_targets_without_end_or_without_words() -> None:
    steps = build_trace().steps
    target = replace(TARGET, pieces=TARGET.pieces[:4], word_of=TARGET.word_of[:4])
    maps = (WeightMap("attention", ALPHA[:4]),)
    unfinished = build_trace(target=target, steps=steps[:4], maps=maps, is_finished=False)
    assert unfinished.compute_word_map_with_end("attention").shape == (2, 3)
    end, maps = Side("", (), ("</s>",), (-1,)), (WeightMap("attention", ALPHA[4:]),)
    empty = build_trace(target=end, steps=steps[4:], maps=maps)
    assert empty.compute_word_map("attention").shape == (0, 2)
    np.testing.assert_allclose(empty.compute_word_map_with_end("attention"), [[0, 0.25, 0.75]])
    assert empty.compute_word_log_probs().shape == (0,)


def test_unk_of_a_word_is_written_without_the_pieces_beside_it() -> None:
    side = Side("d'Artagnan's friend", ("d'Artagnan's", "friend"), ("▁d'", "<unk>", "'s", "▁friend"), (0, 0, 0, 1))
    assert [side.get_written_piece(k) for k in range(4)] == ["▁d'", "▁Artagnan", "'s", "▁friend"]


def test_word_spans_skip_and_include_copied_symbols() -> None:
    words = ("1", "owl", "!!", "1")
    side = Side("1️⃣ 1 owl!🦉!1", words, words, (0, 1, 2, 3), (Symbol("1️⃣", 0), Symbol("🦉", 10)))
    assert [side.text[slice(*span)] for span in side.word_spans if span] == ["1", "owl", "!🦉!", "1"]
    assert side.word_spans[0] == (4, 5)
    assert Side("abc", ("x", "c"), ("x", "c"), (0, 1)).word_spans == (None, (2, 3))


@pytest.mark.parametrize("symbols", [(Symbol("🦉", 1),), (Symbol("", 0),), (Symbol("🦉", 4), Symbol("🦉", 4))])
def test_copied_symbols_that_are_not_in_the_text_are_refused(symbols: tuple[Symbol, ...]) -> None:
    with pytest.raises(TraceError, match="A copied symbol stands in the text"):
        Side("owl 🦉", ("owl",), ("▁owl",), (0,), symbols)


def test_missing_map_is_an_error_that_lists_the_maps() -> None:
    assert build_trace().get_map("attention") == WeightMap("attention", ALPHA)
    with pytest.raises(TraceError, match="'rnnsearch-50' has no weight map 'coverage'; it has 'attention'"):
        build_trace().get_map("coverage")
    with pytest.raises(TraceError, match="it has none"):
        build_trace(maps=()).get_map("attention")
    encoder_map = WeightMap("encoder", np.full((4, 4), 0.25), rows="source", columns="source")
    with pytest.raises(TraceError, match="has no target x source map; it has 'encoder'"):
        build_trace(maps=(encoder_map,)).get_map()


@pytest.mark.parametrize(("piece", "continues"), [("▁le", False), ("ls", True), ("</s>", False), ("<0xE2>", True),
                                                 ("<unk>", False)])
def test_pieces_continue_a_word(piece: str, continues: bool) -> None:
    assert continues_word(piece) is continues


@pytest.mark.parametrize(("word", "expected"), [("UNK", True), ("UNK's", True), ("UNKNOWN", False), ("Oulu", False)])
def test_unk_may_have_an_ending(word: str, expected: bool) -> None:
    assert is_unk(word) is expected


# ---- immutability and equality ----------------------------------------------------------------------------------


def test_values_are_copied_and_arrays_are_float32_and_read_only() -> None:
    values, energies, settings = ALPHA.copy(), np.ones((5, 4)), dict(PROVENANCE.settings)
    trace = build_trace(maps=(WeightMap("attention", values),), detail={"energies": energies},
                        provenance=replace(PROVENANCE, settings=settings))  # fmt: skip
    values[0, 0] = energies[0, 0] = settings["beam"] = 77
    assert trace == build_trace(detail={"energies": np.ones((5, 4))})
    for array in (trace.get_map("attention").values, (trace.detail or {})["energies"]):
        assert (array.dtype, array.flags.writeable) == (np.float32, False)


def test_equality_compares_every_part() -> None:
    trace = build_trace(detail={"energies": np.ones((5, 4))})
    assert trace == build_trace(detail={"energies": np.ones((5, 4))})
    changed_alpha = ALPHA.copy()
    changed_alpha[0, :2] += (0.01, -0.01)
    different_traces = [
        build_trace(), replace(trace, source_detail={}), build_trace(detail={"gates": np.ones((5, 4))}),
        build_trace(detail={"energies": np.zeros((5, 4))}),
        replace(trace, maps=(WeightMap("attention", changed_alpha),)), replace(trace, score=-0.5)]  # fmt: skip
    assert all(trace != other for other in different_traces)
    assert len({build_trace(), build_trace(), different_traces[4]}) == 2


# ---- checks -----------------------------------------------------------------------------------------------------

NARROW = np.full((5, 3), 1 / 3)
REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"maps": (WeightMap("attention", ALPHA[:3]),)}, "got 5 target pieces and a map of 3 rows"),
    ({"maps": (WeightMap("attention", NARROW),)}, "got 4 source pieces and a map of 3 columns"),
    ({"maps": (WeightMap("a", ALPHA), WeightMap("a", ALPHA))}, "Two weight maps have one name"),
    ({"steps": ()}, "at least one step"),
    ({"steps": build_trace().steps[:4]}, "got 5 target pieces and 4 steps"),
    ({"steps": build_trace().steps[::-1]}, "Step 1 wrote '</s>' and the target has '▁les' there"),
    ({"is_finished": False}, "An unfinished target must not end"),
    ({"target": SOURCE, "source": Side("a", ("a",), ("▁a",), (0,))}, "The source must end .* got '▁a'"),
    ({"target": Side("les", ("les",), ("▁les",), (0,))}, "A finished target must end .* got '▁les'"),
    ({"score": math.nan}, "The score of the trace must be finite: got nan"),
    ({"log_probability": -math.inf}, "The log-probability of the trace must be finite: got -inf"),
    ({"detail": {"energies": np.ones((4, 4))}}, "The detail 'energies' .* got 5 target pieces and 4 rows"),
    ({"detail": {"energies": 3.0}}, "got 5 target pieces and one number"),
    ({"detail": {"energies": [[0.0], [0.0], [math.inf], [math.nan], [0.0]]}}, "2 of 5 are not"),
    ({"source_detail": {"annotations": np.ones((5, 4))}},
     "source detail 'annotations' .* got 4 source pieces and 5 rows"),
    ({"schema": 99}, "reads traces of schema 1 to 4: got schema 99"),
]


@pytest.mark.parametrize(("changes", "message"), REFUSED)
def test_parts_that_do_not_fit_are_refused(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(TraceError, match=message):
        build_trace(**changes)


@pytest.mark.parametrize(("words", "pieces", "word_of", "message"), [
    (("a",), ("▁a", "</s>"), (0,), "got 2 pieces and 1 word numbers"),
    (("a", "b"), ("▁b", "▁a"), (1, 0), "must not fall"),
    (("a", "b"), ("▁a", "</s>"), (0, -1), "got 2 words and the word numbers"),
    (("a",), ("▁a", "▁b"), (0, 1), "got 1 words and the word numbers"),
    (("a",), ("▁a", "▁b"), (-2, 0), "must cover every word"),
    (("ab",), ("▁a", "<x>", "b"), (0, -1, 0), "must stand side by side"),
    (("a",), ("\udcff",), (0,), "broken character"),
])
def test_side_must_cover_its_words_in_order(
    words: tuple[str, ...], pieces: tuple[str, ...], word_of: tuple[int, ...], message: str
) -> None:
    with pytest.raises(TraceError, match=message):
        Side(" ".join(words), words, pieces, word_of)


@pytest.mark.parametrize(("values", "message"), [
    ([[0.5, 0.5], [0.5, 0.4]], "row 2 sums to 0.9000"),
    ([[1.5, -0.5]], "no number below 0: got -0.5"),
    ([0.5, 0.5], "must have 2 axes: got 1"),
    ([[0.5, 0.5], [1.0]], "rows of equal length"),
    ([[math.nan, 1.0]], "1 of 2 are not"),
    ([[1e300, 0.0]], "1 of 2 are not"),
    (np.zeros((0, 3)), "is empty"),
])
def test_weights_are_checked(values: Any, message: str) -> None:
    with pytest.raises(TraceError, match=message):
        WeightMap("attention", values)


@pytest.mark.parametrize(("build", "message"), [
    (lambda: Step(3, "▁a", 0.5), r"at most 0: got 0\.5"),
    (lambda: Candidate(3, "▁a", -math.inf), "must be finite"),
    (lambda: Candidate(-1, "▁a", -1.0), "A token id is 0 or more: got -1"),
    (lambda: Step(3, "▁a", -1.0, (Candidate(3, "▁a", -2.0), Candidate(4, "b", -1.0))), r"got -2\.0 before -1\.0"),
    (lambda: Provenance("m", "f", "beam", {"beam": None}), "setting 'beam' must be"),  # type: ignore[dict-item]
    (lambda: Provenance("m", "f", "beam", {"ratio": math.nan}), "finite number"),
    (lambda: WeightMap("coverage", ALPHA, columns="sideways"), '"target" or "source": got \'sideways\''),
])  # fmt: skip
def test_steps_settings_and_descriptions_are_checked(build: Callable[[], object], message: str) -> None:
    with pytest.raises(TraceError, match=message):
        build()


# ---- JSON -------------------------------------------------------------------------------------------------------

FEW_EXAMPLES = settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow])
FLOAT32 = st.floats(width=32, allow_nan=False, allow_infinity=False)
TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)


@st.composite
def traces(draw: st.DrawFn) -> Trace:
    """Traces with any text and any finite numbers."""
    finite = st.floats(allow_nan=False, allow_infinity=False)
    pieces = tuple(draw(st.lists(TEXT.filter(lambda piece: piece != "</s>"), min_size=1, max_size=4)))
    target = Side(draw(TEXT), tuple(draw(TEXT) for _ in pieces), (*pieces, "</s>"), (*range(len(pieces)), -1))
    logs = st.floats(max_value=0, allow_infinity=False)
    steps = tuple(Step(draw(st.integers(0, 9999)), piece, draw(logs), (Candidate(1, draw(TEXT), draw(logs)),))
                  for piece in target.pieces)  # fmt: skip
    shape = (len(steps), len(SOURCE.pieces))
    any_map = WeightMap("any", draw(arrays.arrays(np.float32, shape, elements=FLOAT32)), rows_sum_to_one=False)
    alpha = draw(arrays.arrays(np.float64, shape, elements=st.floats(0, 1))) + 1e-3
    attention = WeightMap("attention", alpha / alpha.sum(1, keepdims=True))
    maps = draw(st.sampled_from([(), (any_map,), (attention, any_map)]))
    setting = st.booleans() | st.integers(-10**9, 10**9) | TEXT | finite
    provenance = Provenance(draw(TEXT), draw(TEXT), draw(TEXT), draw(st.dictionaries(TEXT, setting, max_size=3)),
                         draw(st.none() | st.integers()))  # fmt: skip
    detail, source_detail = (draw(st.none() | st.dictionaries(TEXT, arrays.arrays(
        np.float32, (length, 2), elements=FLOAT32), max_size=2)) for length in (len(steps), len(SOURCE.pieces)))
    return Trace(SOURCE, target, steps, maps, draw(finite), draw(finite), True, provenance, detail,
                 source_detail=source_detail)  # fmt: skip


@pytest.mark.verdict
@given(traces())
@FEW_EXAMPLES
def test_json_round_trip_is_exact(trace: Trace) -> None:
    text = trace.to_json()
    loaded_trace = Trace.from_json(text)
    assert loaded_trace == trace
    assert loaded_trace.to_json() == text
    for one, other in zip(trace.maps, loaded_trace.maps, strict=True):
        assert one.values.tobytes() == other.values.tobytes()  # the sign of -0.0 too
    assert {key: type(value) for key, value in loaded_trace.provenance.settings.items()} == {
        key: type(value) for key, value in trace.provenance.settings.items()}
    json.loads(text, parse_constant=pytest.fail)  # no NaN or Infinity


@pytest.mark.parametrize(("schema", "message"), [
    (5, "schema 1 to 4: got schema 5"), (True, "got schema True"), (1, 'lacks the key "source"'),
])  # fmt: skip
def test_other_schema_or_missing_key_is_refused(schema: int, message: str) -> None:
    with pytest.raises(CodecError, match=message):
        Trace.from_json(json.dumps({"schema": schema}))
    with pytest.raises(CodecError, match='does not say its "schema"'):
        Trace.from_json("{}")


JSON = st.recursive(st.none() | st.booleans() | st.floats() | st.integers() | st.text(),
                    lambda children: st.lists(children) | st.dictionaries(st.text(), children), max_leaves=8)


@given(st.data())
@FEW_EXAMPLES
def test_any_replaced_part_gives_a_trace_or_one_sentence(data: st.DataObject) -> None:
    content: Any = json.loads(build_trace(detail={"energies": ALPHA}).to_json())
    parent = content
    while True:
        keys = st.sampled_from(sorted(parent)) if isinstance(parent, dict) else st.integers(0, len(parent) - 1)
        key = data.draw(keys)
        if not isinstance(parent[key], (dict, list)) or not parent[key] or data.draw(st.booleans()):
            break
        parent = parent[key]
    parent[key] = data.draw(JSON)
    message = ""
    try:
        Trace.from_json(json.dumps(content))
    except CodecError as error:
        message = str(error)
    assert len(message.splitlines()) < 2
    assert len(message) < 300


@pytest.mark.parametrize(("schema", "old_names"), [
    (2, {"finished": "is_finished", "made_by": "provenance", "shown": "displayed_map_key", "edits": "overrides"}),
    (3, {"edits": "overrides"}),
])  # fmt: skip
def test_json_of_older_schemas_is_read(schema: int, old_names: dict[str, str]) -> None:
    trace = build_trace()
    text = trace.to_json().replace('"schema": 4', f'"schema": {schema}')
    for old_name, new_name in old_names.items():
        text = text.replace(f'"{new_name}"', f'"{old_name}"')
    assert all(f'"{old_name}":' in text for old_name in old_names)
    assert Trace.from_json(text) == trace
