"""The table of parameters: links restore every state, and every page uses its parameters."""

import json
from collections.abc import Callable
from typing import Any

import pytest
import streamlit as st
from hypothesis import given, settings
from hypothesis import strategies as st_values

from model.decoding import Overrides, RowOverride
from model.paths import ROOT
from model.text.languages import DEFAULT_PAIR
from pages.ui.backend import evaluations
from pages.ui.backend.attention_files import open_file
from pages.ui.laboratory import context
from pages.ui.url_state import experiments, param_widgets, params, state
from pages.ui.url_state.param_types import (
    Choice,
    Fingerprints,
    Flag,
    MultiChoice,
    Number,
    OverridesText,
    Param,
    Text,
)
from tests.hostile import CASES
from tests.pages.components import open_page

TEXTS = st_values.text(st_values.characters(exclude_categories=["Cs"]), max_size=80)
FINGERPRINTS = st_values.from_regex("[0-9a-f]{12}", fullmatch=True, alphabet="0123456789abcdef")
OPTION_NAMES = TEXTS.filter(bool) | st_values.sampled_from(["-", "%2D", ",", "a,b", "%"])


def draw_values(value_type: object) -> st_values.SearchStrategy[Any]:
    """Return a strategy for the values of a type."""
    if isinstance(value_type, Choice):
        return st_values.sampled_from(list(value_type.options()))
    if isinstance(value_type, MultiChoice):
        options = list(value_type.options())
        subsets = st_values.sets(st_values.sampled_from(options)) if options else st_values.just(set())
        return subsets.map(lambda subset: tuple(option for option in options if option in subset))
    if isinstance(value_type, Text):
        return TEXTS.filter(str.strip)  # a link carries no blank text
    if isinstance(value_type, Number):
        return st_values.integers(1, value_type.maximum) | st_values.just(value_type.default)
    if isinstance(value_type, Flag):
        return st_values.booleans()
    if isinstance(value_type, OverridesText):
        rows = st_values.builds(
            RowOverride, st_values.integers(1, 99), st_values.sampled_from(["attention", "cross-attention-l2-h1"]),
            st_values.lists(st_values.floats(0, 1), min_size=1, max_size=5).map(tuple),
        )  # fmt: skip
        prefix = st_values.lists(st_values.integers(0, 9999), max_size=4).map(tuple)
        unique_rows = st_values.lists(rows, max_size=3, unique_by=lambda row: (row.step, row.map_key))
        return st_values.builds(Overrides, unique_rows, prefix)
    assert isinstance(value_type, Fingerprints)
    return st_values.lists(FINGERPRINTS, min_size=1, max_size=3, unique=True).map(tuple) | st_values.just(())


def draw_states() -> st_values.SearchStrategy[dict[str, Any]]:
    """Return a strategy for all values that one link may carry, for the default pair: options depend on its models."""
    values = {name: draw_values(param.value_type) for name, param in params.LINK_PARAMS.items()}
    values["pair"] = st_values.just("-".join(DEFAULT_PAIR))
    return st_values.fixed_dictionaries({}, optional=values)


@settings(max_examples=50)
@given(draw_states())
def test_a_link_restores_the_state_it_was_built_from(values: dict[str, Any]) -> None:
    query = params.build_query(values)
    with pytest.MonkeyPatch.context() as patch:
        link: dict[str, str] = {}
        patch.setattr(st, "query_params", link)
        patch.setattr(st, "session_state", {})
        for name, value in values.items():
            state.store_param(params.LINK_PARAMS[name], value)
        assert link.items() <= query.items()
        assert all(values[name] == params.LINK_PARAMS[name].get_default() for name in values.keys() - link.keys())
        link |= query
        new_session: dict[str, Any] = {}
        patch.setattr(st, "session_state", new_session)
        for name, value in values.items():
            state.restore_param(params.LINK_PARAMS[name])
            assert new_session[name] == (list(value) if isinstance(value, tuple) else value)
        assert "notices" not in new_session


@settings(max_examples=50)
@given(st_values.lists(OPTION_NAMES, min_size=1, max_size=6, unique=True), st_values.data())
def test_options_may_have_any_name(options: list[str], data: st_values.DataObject) -> None:
    multi_choice = MultiChoice(lambda: options, lambda _: ())
    subset = data.draw(draw_values(multi_choice))
    text = multi_choice.format(subset)
    assert text is not None
    assert multi_choice.parse(text) == (subset, ())
    choice = Choice(lambda: options)
    assert choice.parse(data.draw(draw_values(choice)))[1] == ()


@pytest.mark.parametrize("case", CASES)
def test_hostile_values_are_texts_or_invalid(case: str) -> None:
    for param in params.LINK_PARAMS.values():
        value, unknown = param.value_type.parse(CASES[case])
        assert value is not None or unknown == (CASES[case],) or isinstance(param.value_type, MultiChoice | Text)
        if not isinstance(param.value_type, Text) and CASES[case]:
            assert unknown, param.name
            assert param.value_type.format(CASES[case]) is None, param.name


def test_a_query_includes_defaults_that_a_link_can_carry() -> None:
    sets = list(params.TEST_SETS.get_default())
    assert params.build_query({"sentence": "one two", "scale": "violet", "sets": sets, "node": 0}) == {
        "sentence": "one two", "scale": "violet", "sets": ",".join(sets),
    }  # fmt: skip


@pytest.mark.parametrize(
    "values",
    [
        {"scale": "purple"}, {"sacle": "grey"}, {"step": 0}, {"step": True}, {"step": "2"}, {"sets": "all"},
        {"sets": ["none"]}, {"sentence": "x" * (params.MAX_CHARACTERS + 1)}, {"sentence": 3}, {"present": "yes"},
        {"weights": ["new"]}, {"pasted": "mine"},
    ],
)  # fmt: skip
def test_values_that_no_link_can_carry_are_refused_in_one_sentence(values: dict[str, Any]) -> None:
    (name,) = values
    with pytest.raises(params.LinkError, match=name) as caught:
        params.build_query(values)
    assert "\n" not in str(caught.value)


def test_numbers_are_bounded() -> None:
    value_type = params.STEP.with_maximum(7).value_type
    assert [value_type.parse(text)[0] for text in ("1", "7", "8", "07", "-1", "٣", "")] == [1, 7, *[None] * 5]
    assert value_type.list_allowed() == ("1–7",)
    assert params.CLAUSE_COUNT.with_maximum(2).value_type.list_allowed() == ["1", "2"]


def test_a_pair_without_evaluations_can_be_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(evaluations, "load_pair_index", lambda pair: evaluations.EvaluationIndex(()))
    monkeypatch.setattr(st, "session_state", {})
    monkeypatch.setattr(st, "query_params", {})
    state.reset_params(*params.MODEL_PARAMS)
    assert (st.session_state["evaluated-search"], st.session_state["shipped-set"]) == ("", "")


def test_the_link_of_a_page_just_opened_takes_precedence_over_the_session(monkeypatch: pytest.MonkeyPatch) -> None:
    session = {"page": "compare", "model": "rnnsearch-50", "model-last": "rnnsearch-50", "model-page": ""}
    monkeypatch.setattr(st, "session_state", session)
    monkeypatch.setattr(st, "query_params", {"model": "rnnencdec-50"})
    assert params.get_chosen_model() == "rnnencdec-50"
    session["model-page"] = "compare"
    assert params.get_chosen_model() == "rnnsearch-50"


def test_names_are_unique_and_private_parameters_stay_on_their_pages() -> None:
    assert len({param.name for param in params.ALL_PARAMS}) == len(params.ALL_PARAMS)
    assert {path.stem for path in (ROOT / "pages").glob("*.py")} - {"__init__"} == set(params.PAGES)
    assert {param.name for param in params.ALL_PARAMS if param.scope == "page"} == {
        "text", "scene", "lecture", "gradient-word", "gates",
    }  # fmt: skip
    assert "pasted" not in params.LINK_PARAMS


MANY_MAPS = {"source": ["a", "</s>"], "target": ["b"], "one": [[1, 0]], "two": [[1, 0]]}


@pytest.mark.parametrize("page", params.PAGES)
def test_a_page_uses_exactly_its_parameters(fakes: None, page: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the laboratory over all experiments, in *Concepts* over all ideas, in *Your text* for sentences and for
    attention files."""
    used_names: set[str] = set()

    def record(function: Callable[..., Any]) -> Callable[..., Any]:
        def recorded(param: Param[Any], *arguments: Any) -> Any:
            used_names.add(param.name)
            return function(param, *arguments)

        return recorded

    monkeypatch.setattr(Param, "format", record(Param.format))
    monkeypatch.setattr(param_widgets, "store_param", record(state.store_param))
    monkeypatch.setattr(context.ExperimentContext, "measure", lambda *_, **__: None)
    parts = {"laboratory": ("part", experiments.NAMES), "concepts": ("idea", params.IDEAS),
             "your_text": ("text", ("gone",))}  # fmt: skip
    name, values = parts.get(page, ("", ("",)))
    for query in [{name: value} if name else {} for value in values]:
        app = open_page(page, **query)
    if page == "your_text":
        app.session_state[params.IMPORTED_FILE] = open_file("weights.json", b"[[0.5, 0.5]]")
        app.segmented_control(key="input-method").set_value("attention").run()
        assert not app.exception
        for session_key in (params.IMPORTED_FILE, params.OTHER_IMPORTED_FILE):
            app.session_state[session_key] = open_file("maps.json", json.dumps([MANY_MAPS, MANY_MAPS]).encode())
        app.run()
        assert not app.exception
    used_names.discard("text" if page != "your_text" else "")
    assert used_names == {param.name for param in params.ALL_PARAMS if page in param.pages}
