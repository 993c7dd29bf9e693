"""The BLEU computation of one sentence, with a reference from the reader."""

import re
from collections.abc import Callable

import pytest
from streamlit.testing.v1 import AppTest

from model.analysis.metrics.bleu_breakdown import break_down_bleu
from pages.ui.i18n.messages import LANGUAGES, load_messages
from pages.ui.widgets import bleu_details
from tests.hostile import CASES
from tests.pages.components import submit_sentence
from tests.pages.fakes import OTHER_SENTENCE
from tests.traces import ENGLISH, FRENCH, LOST

OpenApp = Callable[..., AppTest]


def get_bleu_html(app: AppTest) -> str:
    assert not app.exception
    return "".join(node.proto.body for node in app.get("html") if "class='bleu-details'" in node.proto.body)


@pytest.mark.verdict
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_computation_has_the_numbers_of_the_score(language: str) -> None:
    t = load_messages(language)
    html = bleu_details.format_bleu_table("RNNsearch-50", FRENCH, f"{FRENCH} oui", "fr", t)
    breakdown = break_down_bleu(FRENCH, f"{FRENCH} oui")
    assert t("bleu_details.title", model="RNNsearch-50", score=f"{breakdown.score:.1f}") in html
    for order in breakdown.orders:
        numbers = (len(order.shared_ngrams), order.ngram_count, f"{order.precision:.3f}")
        assert f"<th scope='row'>{order.n}</th>{''.join(f'<td>{number}</td>' for number in numbers)}" in html
    assert f"{breakdown.brevity_penalty:.2f}" in html
    assert breakdown.orders[1].shared_ngrams[0] in html


@pytest.mark.parametrize("name", ["script", "HTML", "closing tags", "lone high surrogate", "null bytes"])
def test_hostile_references_stay_text(name: str) -> None:
    text = CASES[name].encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    html = bleu_details.format_bleu_table(text, text, text, "fr", load_messages("en"))
    assert not re.search("<script|<img|<b>|</textarea", html)


def test_a_reference_gives_both_translations_their_bleu_until_the_sentence_changes(open_app: OpenApp) -> None:
    app = open_app("compare")
    assert get_bleu_html(submit_sentence(app, ENGLISH)) == ""
    app.text_input(key="reference").set_value(FRENCH).run()
    scores = [float(score) for score in re.findall(r"is computed: ([0-9.]+)", get_bleu_html(app))]
    assert scores == [100.0, pytest.approx(break_down_bleu(LOST, FRENCH).score, abs=0.05)]
    submit_sentence(app, OTHER_SENTENCE)
    assert (app.text_input(key="reference").value, get_bleu_html(app)) == ("", "")


def test_a_reference_may_be_longer_than_the_sentence_box_allows_up_to_a_limit(open_app: OpenApp) -> None:
    app = open_app("compare")
    app.text_input(key="reference").set_value(f"{FRENCH} {'encore ' * 400}fin").run()
    assert str(len(FRENCH.split()) + 401) in get_bleu_html(app)
    app.text_input(key="reference").set_value("x" * (bleu_details.MAX_REFERENCE_CHARACTERS + 1)).run()
    assert get_bleu_html(app) == ""
    assert any("20,001" in node.proto.body and "20,000" in node.proto.body for node in app.get("html"))


def page_with_reference_box(tag: str) -> None:
    import streamlit as st

    from pages.ui.i18n.messages import load_messages
    from pages.ui.widgets import bleu_details
    from tests.traces import make_trace

    if st.button("set"):
        bleu_details.set_reference("a cat .", "le chat")
    traces = make_trace(f"{tag}a cat .", "un chat .", tuple(range(3 + bool(tag)))), None
    bleu_details.draw_reference_box(traces, load_messages("en"), is_prefix_shown=True)


@pytest.mark.parametrize("tag", ["", "<polite> "])
def test_a_reference_can_be_set_for_the_page_opened_next(tag: str) -> None:
    app = AppTest.from_function(page_with_reference_box, args=(tag,)).run()
    app.button[0].click().run()
    assert app.text_input(key="reference").value == "le chat"
    assert get_bleu_html(app).count("<details") == 1
    assert get_bleu_html(app).count("whole sentence") == 1
