"""The table of links: what a link is made of opens again, every control has its row, every row its controls."""

import ast
import json
from collections.abc import Callable, Sequence
from typing import Any

import pytest
import streamlit as st
from hypothesis import given
from hypothesis import strategies as some
from streamlit.testing.v1 import AppTest

from model.decoding import Overrides, RowOverride
from model.paths import ROOT
from pages.ui.backend.attention_files import open_file
from pages.ui.laboratory import context
from pages.ui.url_state import experiments, param_widgets, params, state
from pages.ui.url_state.param_types import (
    Choice,
    Fingerprints,
    Flag,
    MultiChoice,
    Number,
    NumberParam,
    OverridesText,
    Param,
    Text,
)
from tests.hostile import CASES

TEXTS = some.text(some.characters(exclude_categories=["Cs"]), max_size=80)
PRINTS = some.from_regex("[0-9a-f]{12}", fullmatch=True, alphabet="0123456789abcdef")
BY_NAME = {row.name: row for row in params.ALL_PARAMS}

WIDGETS = {
    "segmented_control", "pills", "radio", "selectbox", "multiselect", "checkbox", "toggle", "slider", "select_slider",
    "number_input", "text_input", "text_area", "chat_input", "color_picker", "date_input", "time_input", "feedback",
    "data_editor", "pagination", "menu_button", "datetime_input",
}  # fmt: skip
"""Streamlit's controls that hold a value. A file that is uploaded is no value that a link could carry."""


def values(kind: object) -> some.SearchStrategy[Any]:
    """Values that a row of this kind can have."""
    if isinstance(kind, Choice):
        return some.sampled_from(list(kind.options()))
    if isinstance(kind, MultiChoice):
        options = list(kind.options())
        chosen = some.sets(some.sampled_from(options)) if options else some.just(set())
        return chosen.map(lambda found: tuple(option for option in options if option in found))
    if isinstance(kind, Text):
        return TEXTS
    if isinstance(kind, Number):
        return some.integers(1, kind.maximum) | some.just(kind.default)
    if isinstance(kind, Flag):
        return some.booleans()
    if isinstance(kind, OverridesText):
        rows = some.builds(RowOverride, some.integers(1, 99), some.sampled_from(["attention", "cross-attention-l2-h1"]),
                           some.lists(some.floats(0, 1), min_size=1, max_size=5).map(tuple))  # fmt: skip
        prefix = some.lists(some.integers(0, 9999), max_size=4).map(tuple)
        return some.builds(
            Overrides, some.lists(rows, max_size=3, unique_by=lambda one: (one.step, one.map_key)), prefix
        )
    assert isinstance(kind, Fingerprints)
    return some.lists(PRINTS, min_size=1, max_size=3, unique=True).map(tuple) | some.just(())


def states() -> some.SearchStrategy[dict[str, Any]]:
    """Any state of everything that a link may carry."""
    return some.fixed_dictionaries(
        {}, optional={name: values(row.value_type) for name, row in params.LINK_PARAMS.items()}
    )


@given(states())
def test_a_link_made_from_any_state_opens_that_state(chosen: dict[str, Any]) -> None:
    said = params.build_query(chosen)
    assert all(params.LINK_PARAMS[name].value_type.parse(given)[1] == () for name, given in said.items())
    for name, value in chosen.items():
        kind = params.LINK_PARAMS[name].value_type
        assert (kind.parse(said[name])[0] if name in said else kind.get_default()) == value
    assert params.build_query(chosen, defaults=True).items() >= said.items()


@given(states())
def test_what_controls_write_is_what_the_next_session_reads(chosen: dict[str, Any]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        address: dict[str, str] = {}
        patch.setattr(st, "query_params", address)
        patch.setattr(st, "session_state", {})
        for name, value in chosen.items():
            state.store_param(params.LINK_PARAMS[name], value)
        assert address == params.build_query(chosen)
        session: dict[str, Any] = {}
        patch.setattr(st, "session_state", session)
        for name, value in chosen.items():
            row = params.LINK_PARAMS[name]
            state.restore_param(row)
            assert session[name] == (list(value) if isinstance(value, tuple) else value)
        assert "notices" not in session


NAMES = TEXTS.filter(bool) | some.sampled_from(["-", "%2D", ",", "a,b", "%"])


@given(some.lists(NAMES, min_size=1, max_size=6, unique=True), some.data())
def test_options_may_have_any_name(options: list[str], data: some.DataObject) -> None:
    kind = MultiChoice(lambda: options, lambda _: ())
    chosen = data.draw(values(kind))
    spelt = kind.format(chosen)
    assert spelt is not None
    assert kind.parse(spelt) == (chosen, ())
    one = Choice(lambda: options)
    assert one.parse(data.draw(values(one)))[1] == ()


@pytest.mark.parametrize("case", CASES)
def test_hostile_values_are_values_or_named(case: str) -> None:
    for row in params.LINK_PARAMS.values():
        value, unknown = row.value_type.parse(CASES[case])
        assert value is not None or unknown == (CASES[case],) or isinstance(row.value_type, MultiChoice)
        if not isinstance(row.value_type, Text) and CASES[case]:
            assert unknown, row.name
            assert row.value_type.format(CASES[case]) is None, row.name


def test_a_link_for_a_page_from_plain_values() -> None:
    sets = list(params.TEST_SETS.get_default())
    assert params.build_query({"sentence": "one two", "unit": "pieces", "scale": "violet"}) == {
        "sentence": "one two", "unit": "pieces",
    }  # fmt: skip
    assert params.build_query({"sets": sets}) == {}
    assert params.build_query({"sets": sets, "bins": "5"}, defaults=True) == {
        "sets": ",".join(sets), "bins": "5",
    }  # fmt: skip


@pytest.mark.parametrize(
    "values",
    [
        {"scale": "purple"}, {"sacle": "grey"}, {"step": 0}, {"step": True}, {"step": "2"}, {"sets": "all"},
        {"sets": ["none"]}, {"sentence": "x" * (params.MAX_CHARACTERS + 1)}, {"sentence": 3}, {"present": "yes"},
        {"weights": ["new"]}, {"pasted": "mine"},
    ],
)  # fmt: skip
def test_what_no_link_can_carry_is_refused_in_a_sentence(values: dict[str, Any]) -> None:
    (name,) = values
    with pytest.raises(params.LinkError, match=name) as caught:
        params.build_query(values)
    assert "\n" not in str(caught.value)


def test_numbers_are_followed_as_far_as_there_are_any() -> None:
    row = params.STEP.with_maximum(7)
    assert [row.value_type.parse(text)[0] for text in ("1", "7", "8", "07", "-1", "٣", "")] == [1, 7, *[None] * 5]
    assert row.value_type.list_allowed() == ("1–7",)
    assert params.CLAUSE_COUNT.with_maximum(2).value_type.list_allowed() == ["1", "2"]
    assert isinstance(row, NumberParam)


def test_names_are_there_once() -> None:
    assert len(BY_NAME) == len(params.ALL_PARAMS)
    constants = [value for value in vars(params).values() if isinstance(value, Param)]
    assert {id(row) for row in constants} == {id(row) for row in params.ALL_PARAMS}
    assert {path.stem for path in (ROOT / "pages").glob("*.py")} - {"__init__"} == set(params.PAGES)


MANY_MAPS = {"source": ["a", "</s>"], "target": ["b"], "one": [[1, 0]], "two": [[1, 0]]}


@pytest.mark.parametrize("page", params.PAGES)
def test_a_page_uses_the_rows_that_are_said_to_be_its(fakes: None, page: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every row is written by a control of each of its pages, and by no other; in the laboratory by one experiment or
    another, in *Your own text* for sentences or for attention."""
    used: set[str] = set()

    def noting(work: Callable[..., Any]) -> Callable[..., Any]:
        def noted(row: Param[Any], *rest: Any) -> Any:
            used.add(row.name)
            return work(row, *rest)

        return noted

    monkeypatch.setattr(Param, "format", noting(Param.format))
    monkeypatch.setattr(param_widgets, "store_param", noting(state.store_param))
    app = AppTest.from_file("../../../app.py", default_timeout=60)
    app.context = {"locale": "en-GB"}
    if page == "your_text":
        app.query_params["text"] = "gone"
    monkeypatch.setattr(context.ExperimentContext, "measure", lambda *_, **__: None)
    for part in experiments.NAMES if page == "laboratory" else ("",):
        if part:
            app.query_params["part"] = part
            app.session_state["part"] = part
        app.switch_page(f"pages/{page}.py").run()
        assert not app.exception
    if page == "your_text":  # a file of attention has controls of its own
        app.session_state[params.IMPORTED_FILE] = open_file("weights.json", b"[[0.5, 0.5]]")
        app.segmented_control(key="given").set_value("attention").run()
        assert not app.exception
        for place in (params.IMPORTED_FILE, params.OTHER_IMPORTED_FILE):
            app.session_state[place] = open_file("maps.json", json.dumps([MANY_MAPS, MANY_MAPS]).encode())
        app.run()
        assert not app.exception
    used.discard("text" if page != "your_text" else "")
    assert used == {row.name for row in params.ALL_PARAMS if page in row.pages}


def test_no_control_goes_past_the_table() -> None:
    """Controls that hold a value are drawn in two modules, under the name of their row; the address is read and written
    beside them."""
    drawn: list[str] = []
    for path in sorted((ROOT / "pages").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Attribute) and node.attr == "query_params":
                assert path.parent.name in ("frame", "url_state", "widgets"), path
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in WIDGETS:
                assert (path.parent.name, path.stem) in {("url_state", "param_widgets"), ("widgets", "controls")}, path
                keys = [ast.unparse(keyword.value) for keyword in node.keywords if keyword.arg == "key"]
                assert keys in (["param.name"], ["params.SENTENCE.name"]), path
                drawn += keys
    assert len(drawn) == 7


def names(rows: Sequence[Param[Any]]) -> set[str]:
    return {row.name for row in rows}


def test_a_reader_s_own_text_and_the_scene_stay_on_their_pages() -> None:
    assert names([row for row in params.ALL_PARAMS if row.scope == "page"]) == {"text", "scene"}
    assert "pasted" not in params.LINK_PARAMS
