"""The link carries what is on the screen, restores it, and is answered with a notice where it is invalid."""

import html
import re
from collections.abc import Callable
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from model.paths import ROOT
from pages.ui.backend import cards, service
from pages.ui.i18n.messages import LANGUAGES, load_messages
from pages.ui.url_state import old_links, params, state
from tests.hostile import CASES
from tests.pages.components import list_data, open_page, submit_sentence
from tests.pages.fakes import ATTENDED, PLAIN, translate_backwards

OpenApp = Callable[..., AppTest]
PAGES = sorted(path.stem for path in (ROOT / "pages").glob("*.py") if path.stem != "__init__")
FINGERPRINTS = {ATTENDED: "a" * 12, PLAIN: "b" * 12}


def list_notices(app: AppTest) -> list[str]:
    assert not app.exception
    bodies = [node.proto.body for node in app.get("html")]
    return [html.unescape(re.sub("<[^>]*>", "", body)) for body in bodies if body.startswith('<p role="alert">')]


@pytest.fixture
def fingerprints(monkeypatch: pytest.MonkeyPatch, fakes: None) -> None:
    """Give the fake models and their Traces fingerprints."""

    def decode(model: SimpleNamespace, *arguments: Any) -> service.Traces:
        (trace,) = translate_backwards(model, *arguments)
        return (replace(trace, provenance=replace(trace.provenance, fingerprint=FINGERPRINTS[model.name])),)

    monkeypatch.setattr(service, "load_model", lambda name: SimpleNamespace(name=name, fingerprint=FINGERPRINTS[name]))
    monkeypatch.setattr(service, "translate_sentence", decode)


@pytest.mark.verdict
def test_a_valid_link_is_restored_without_notice(open_app: OpenApp) -> None:
    app = open_app(lang="ko", sentence="one two", unit="pieces", scale="root", search="beam", present="1")
    assert list_notices(app) == []
    values = {key: app.session_state[key] for key in ("sentence", "unit", "scale", "search", "lang", "present")}
    assert values == {
        "sentence": "one two", "unit": "pieces", "scale": "root", "search": "beam", "lang": "ko", "present": True,
    }  # fmt: skip
    linked = {key: value for key, value in dict(app.query_params).items() if key != "weights"}
    assert linked == values | {"present": "1", "more": "1"}


def test_a_link_with_the_names_of_earlier_versions_is_read(open_app: OpenApp) -> None:
    app = open_page("laboratory", sentence="one two", part="words", edits="p5")
    assert list_notices(app) == []
    assert (app.session_state["experiment"], app.session_state["overrides"].to_text()) == ("forced_decoding", "p5")
    linked = dict(app.query_params)
    assert not {"part", "edits"} & set(linked)
    assert (linked["experiment"], linked["overrides"]) == ("forced_decoding", "p5")
    assert open_page("laboratory", part="words", experiment="beam").session_state["experiment"] == "beam"
    assert set(old_links.OLD_NAMES.values()) <= set(params.LINK_PARAMS)
    assert not set(old_links.OLD_NAMES) & set(params.LINK_PARAMS)


@pytest.mark.verdict
def test_each_invalid_value_or_name_has_a_notice(open_app: OpenApp) -> None:
    app = open_app(scale="purple", unit="cats", search="beam 7", lang="xx", present="yes", sacle="grey")
    notices = list_notices(app)
    assert len(notices) == 6
    for text in ("“purple” for scale", "“cats” for unit", "“beam 7” for search", "“xx” for lang", "“yes” for present",
                 "“sacle”"):  # fmt: skip
        assert any(text in notice for notice in notices)
    assert dict(app.query_params) == {}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_notice_names_the_allowed_values_follows_the_language_and_stays_until_closed(
    open_app: OpenApp, language: str
) -> None:
    (other_language,) = set(LANGUAGES) - {language}

    def describe_scale(language: str) -> list[str]:
        return [load_messages(language)("notice.value", name="scale", given="purple", allowed="violet, grey, root")]

    app = open_app(locale=language, scale="purple", unit="pieces")
    assert list_notices(app) == describe_scale(language)
    assert app.segmented_control(key="scale").value == "violet"
    assert app.segmented_control(key="unit").value == "pieces"
    assert "scale" not in app.query_params
    app.segmented_control(key="unit").set_value("words").run()
    app.segmented_control(key="lang").set_value(other_language).run()
    assert list_notices(app) == describe_scale(other_language)
    assert list_notices(app.button(key="notices-close").click().run()) == []
    assert list_notices(app.segmented_control(key="unit").set_value("pieces").run()) == []


@pytest.mark.usefixtures("fingerprints")
def test_the_link_carries_fingerprints_and_a_notice_says_that_they_have_changed(open_app: OpenApp) -> None:
    app = open_app()
    assert "weights" not in app.query_params
    submit_sentence(app, "one two")
    current = f"{'a' * 12},{'b' * 12}"
    assert app.query_params["weights"] == current
    assert list_notices(open_app(sentence="one two", weights=f"{'b' * 12},{'a' * 12}")) == []
    assert list_notices(open_app(sentence="one two", weights=cards.list_cards()[-1].fingerprint)) == []
    for link_text, key in ((f"{'a' * 12},{'c' * 12}", "weights"), ("new", "fingerprints")):
        app = open_app(sentence="one two", weights=link_text)
        assert list_notices(app) == [load_messages("en")(f"notice.{key}", given=link_text, now=current)]
        assert app.query_params["weights"] == current


@pytest.mark.parametrize(("page", "case"), [
    *((page, "HTML") for page in PAGES), ("translate", "Markdown"), ("step_by_step", "null bytes"),
    ("translate", "empty"), ("compare", "JSON with a prototype"), ("laboratory", "not a value"),
])  # fmt: skip
def test_hostile_values_have_notices_and_stay_text(fakes: None, page: str, case: str) -> None:
    app = open_page(page, **dict.fromkeys((*params.LINK_PARAMS, "other"), CASES[case]))
    assert list_notices(app)
    bodies = [node.proto.body for node in app.get("html")]
    assert "<img src=x" not in " ".join(bodies)
    assert "<b>bold" not in " ".join(bodies)
    for body in bodies:
        if body.startswith("<p role="):
            assert "<" not in re.sub(r'<p (role="\w+"|class="previous")>|</p>', "", body)


def test_hostile_names_have_short_notices_with_the_names_of_the_page(open_app: OpenApp) -> None:
    for case in ("HTML", "Markdown", "attribute", "100,000 characters"):
        (notice,) = list_notices(open_app(**{CASES[case]: "x"}))
        assert len(notice) < 400
        assert "scale" in notice  # a parameter of this page
        assert "moment" not in notice


def test_going_back_over_a_change_of_language_leaves_one_language(
    open_app: OpenApp, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The browser's Back changes the link of the same page without a control."""
    monkeypatch.setattr(state, "STALE_SECONDS", 0.0)

    def list_titles(app: AppTest) -> list[str]:
        assert not app.exception
        return [link.proto.label for link in app.get("page_link")]

    app = open_app()
    english = list_titles(app)
    app.segmented_control(key="lang").set_value("ko").run()
    assert list_titles(app) != english
    del app.query_params["lang"]
    app.run()
    assert app.segmented_control(key="lang").value == "en"
    assert list_titles(app) == english
    assert {data["language"] for data in list_data(app) if "language" in data} == {"en"}


@pytest.mark.parametrize("query", [{}, {"sentence": "My uncle sells old bicycles."}])
def test_an_empty_box_is_taken_over_only_if_it_was_submitted(query: dict[str, str]) -> None:
    app = open_page(**query)
    sentence, link = app.text_area(key="sentence").value, dict(app.query_params)
    app.text_area(key="sentence").set_value("").run()
    assert (app.text_area(key="sentence").value, dict(app.query_params)) == (sentence, link)
    assert submit_sentence(app, "").text_area(key="sentence").value == ""
    assert app.run().text_area(key="sentence").value == ""


def test_a_position_in_a_sentence_leaves_the_link_with_the_sentence() -> None:
    app = open_page(step="3", clauses="2", model="rnnsearch-50")
    assert (app.query_params["step"], app.query_params["clauses"]) == ("3", "2")
    submit_sentence(app, "My uncle sells old bicycles.")
    assert not {"step", "clauses"} & set(app.query_params)
