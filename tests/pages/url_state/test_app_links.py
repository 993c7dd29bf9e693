"""The link: it carries what is on the screen, opens what it says, and says in a sentence what is wrong with it."""

import html
import re
from collections.abc import Callable
from dataclasses import replace
from types import SimpleNamespace
from typing import Any
from urllib.parse import parse_qs

import pytest
from streamlit.testing.v1 import AppTest

from model.paths import ROOT
from pages.ui.backend import service
from pages.ui.i18n.messages import LANGUAGES, load_messages
from pages.ui.url_state import params, state
from tests.hostile import CASES
from tests.pages.components import list_data
from tests.pages.fakes import ATTENDED, PLAIN, translate_backwards

Open = Callable[..., AppTest]
PAGES = sorted(path.stem for path in (ROOT / "pages").glob("*.py") if path.stem != "__init__")

PRINTS = {ATTENDED: "a" * 12, PLAIN: "b" * 12}


def noted(app: AppTest) -> list[str]:
    """What is said of the link."""
    assert not app.exception
    bodies = [node.proto.body for node in app.get("html")]
    return [html.unescape(re.sub("<[^>]*>", "", body)) for body in bodies if body.startswith('<p role="alert">')]


@pytest.fixture
def printed(monkeypatch: pytest.MonkeyPatch, fakes: None) -> None:
    """Models whose weights have fingerprints, in what they make of a sentence too."""
    def decode(model: SimpleNamespace, *rest: Any) -> service.Traces:
        (trace,) = translate_backwards(model, *rest)
        made_by = replace(trace.made_by, fingerprint=PRINTS[model.name])
        return (replace(trace, made_by=made_by),)

    monkeypatch.setattr(service, "load_model", lambda name: SimpleNamespace(name=name, fingerprint=PRINTS[name]))
    monkeypatch.setattr(service, "translate_sentence", decode)


@pytest.mark.verdict
def test_a_good_link_is_followed_and_nothing_is_said(open_app: Open) -> None:
    app = open_app(lang="ko", sentence="one two", unit="pieces", scale="root", search="beam", present="1")
    assert noted(app) == []
    values = {key: app.session_state[key] for key in ("sentence", "unit", "scale", "search", "lang", "present")}
    assert values == {
        "sentence": "one two", "unit": "pieces", "scale": "root", "search": "beam", "lang": "ko", "present": True,
    }  # fmt: skip
    linked = {key: value for key, value in dict(app.query_params).items() if key != "weights"}
    assert linked == values | {"present": "1"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_broken_value_is_named_with_what_is_allowed_and_the_rest_is_shown(open_app: Open, language: str) -> None:
    app = open_app(locale=language, scale="purple", unit="pieces")
    assert noted(app) == [
        load_messages(language)("notice.value", name="scale", given="purple", allowed="violet, grey, root")
    ]
    assert app.segmented_control(key="scale").value == "violet"
    assert app.segmented_control(key="unit").value == "pieces"
    assert "scale" not in app.query_params


@pytest.mark.verdict
def test_each_broken_value_has_its_sentence(open_app: Open) -> None:
    app = open_app(scale="purple", unit="cats", search="beam 7", lang="xx", present="yes", sacle="grey")
    said = noted(app)
    assert len(said) == 6
    for name in ("scale = “purple”", "unit = “cats”", "search = “beam 7”", "lang = “xx”", "present = “yes”"):
        assert any(name in sentence for sentence in said)
    assert any("“sacle”" in sentence for sentence in said)
    assert dict(app.query_params) == {}


def test_what_is_wrong_stays_until_it_is_closed_and_follows_the_language(open_app: Open) -> None:
    app = open_app(scale="purple")
    app.segmented_control(key="unit").set_value("pieces").run()
    app.segmented_control(key="lang").set_value("ko").run()
    assert noted(app) == [
        load_messages("ko")("notice.value", name="scale", given="purple", allowed="violet, grey, root")
    ]
    assert noted(app.button(key="notices-close").click().run()) == []
    assert noted(app.segmented_control(key="unit").set_value("words").run()) == []


def test_the_link_notes_the_weights_once_it_says_anything(open_app: Open, printed: None) -> None:
    app = open_app()
    assert "weights" not in app.query_params
    app.text_area(key="sentence").set_value("one two")
    app.button(key="submit").click().run()
    assert app.query_params["weights"] == f"{'a' * 12},{'b' * 12}"


def test_a_link_with_the_same_weights_is_good(open_app: Open, printed: None) -> None:
    assert noted(open_app(sentence="one two", weights=f"{'b' * 12},{'a' * 12}")) == []


def test_a_link_with_other_weights_says_that_they_have_changed(open_app: Open, printed: None) -> None:
    app = open_app(sentence="one two", weights=f"{'a' * 12},{'c' * 12}")
    now = f"{'a' * 12},{'b' * 12}"
    assert noted(app) == [load_messages("en")("notice.weights", given=f"{'a' * 12},{'c' * 12}", now=now)]
    assert app.query_params["weights"] == now


def test_weights_that_are_no_fingerprints(open_app: Open, printed: None) -> None:
    assert noted(open_app(sentence="one two", weights="new")) == [
        load_messages("en")("notice.fingerprints", given="new")
    ]


def test_the_links_to_the_pages_carry_what_the_page_says(open_app: Open) -> None:
    app = open_app(sentence="one two")
    app.segmented_control(key="unit").set_value("pieces").run()
    links = app.get("page_link")
    assert len(links) == len(PAGES)
    for link in links:
        said = {name: values[0] for name, values in parse_qs(link.proto.query_string).items()}
        assert said == dict(app.query_params)
        assert said["sentence"] == "one two"
        assert said["unit"] == "pieces"


@pytest.mark.parametrize("name", [*params.LINK_PARAMS, "other"])
def test_hostile_values(open_app: Open, name: str) -> None:
    """Whatever stands in the link, the page opens and what is said of it is text."""
    for case in ("HTML", "Markdown", "null bytes", "bidirectional overrides", "JSON with a prototype", "empty"):
        app = open_app(**{name: CASES[case]})
        for body in [node.proto.body for node in app.get("html") if node.proto.body.startswith("<p role=")]:
            assert "<" not in re.sub(r'<p (role="\w+"|class="previous")>|</p>', "", body), case
        if name in ("search", "unit", "scale", "lang", "present", "weights", "other"):
            assert noted(app), case


@pytest.mark.parametrize("page", PAGES)
def test_a_hostile_link_to_each_page(fakes: None, page: str) -> None:
    """Every name with a hostile value at once: the page opens, says what is wrong, and runs nothing."""
    for case in ("HTML", "JSON with a prototype", "not a value"):
        app = AppTest.from_file("../../../app.py", default_timeout=30)
        app.context = {"locale": "en-GB"}
        for name in params.LINK_PARAMS:
            app.query_params[name] = CASES[case]
        app.switch_page(f"pages/{page}.py").run()
        assert noted(app), case
        drawn = " ".join(node.proto.body for node in app.get("html"))
        assert "<img src=x" not in drawn
        assert "<b>bold" not in drawn
        app.segmented_control(key="lang").set_value("ko").run()
        assert noted(app), case


def test_going_back_over_a_change_of_language_leaves_one_language(
    open_app: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The browser's Back changes the link of the same page without a control."""
    monkeypatch.setattr(state, "_STALE_SECONDS", 0.0)

    def titles(app: AppTest) -> list[str]:
        assert not app.exception
        return [link.proto.label for link in app.get("page_link")]

    app = open_app()
    english = titles(app)
    app.segmented_control(key="lang").set_value("ko").run()
    assert titles(app) != english
    del app.query_params["lang"]
    app.run()
    assert app.segmented_control(key="lang").value == "en"
    assert titles(app) == english
    assert {data["language"] for data in list_data(app) if "language" in data} == {"en"}
    app.query_params["lang"] = "ko"
    app.run()
    assert {data["language"] for data in list_data(app) if "language" in data} == {"ko"}


def test_a_hostile_name(open_app: Open) -> None:
    for case in ("HTML", "Markdown", "attribute", "100,000 characters"):
        (said,) = noted(open_app(**{CASES[case]: "x"}))
        assert len(said) < 400
        assert "scale" in said  # which this page has
        assert "moment" not in said
