"""BLEU worked out on the sentence at hand, with a reference that the reader gives or brings along."""

import re
from collections.abc import Callable

import pytest
from streamlit.testing.v1 import AppTest

from model.analysis.metrics.bleu_breakdown import break_down_bleu as working
from pages.ui.i18n.messages import LANGUAGES, load_messages
from pages.ui.widgets import bleu_details
from tests.hostile import CASES
from tests.pages.fakes import OTHER
from tests.pages.traces import ENGLISH, FRENCH, LOST

Open = Callable[..., AppTest]


def shown(app: AppTest) -> str:
    assert not app.exception
    return "".join(node.proto.body for node in app.get("html") if "class='worked'" in node.proto.body)


@pytest.mark.verdict
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_working_shows_the_numbers_of_the_score(language: str) -> None:
    t = load_messages(language)
    html = bleu_details.render_bleu("RNNsearch-50", FRENCH, f"{FRENCH} oui", "fr", t)
    found = working(FRENCH, f"{FRENCH} oui")
    assert t("worked.title", model="RNNsearch-50", score=f"{found.score:.1f}") in html
    for order in found.orders:
        numbers = (len(order.shared), order.total, f"{order.share:.3f}")
        assert f"<th scope='row'>{order.n}</th>{''.join(f'<td>{number}</td>' for number in numbers)}" in html
    assert f"{found.penalty:.2f}" in html
    assert found.orders[1].shared[0] in html


def test_a_reference_gives_both_translations_their_bleu(open_app: Open) -> None:
    app = open_app()
    app.switch_page("pages/compare.py").run()
    app.text_area(key="sentence").set_value(ENGLISH)
    app.button(key="submit").click().run()
    assert shown(app) == ""
    app.text_input(key="reference").set_value(FRENCH).run()
    scores = [float(found) for found in re.findall(r"worked out: ([0-9.]+)", shown(app))]
    assert scores == [100.0, pytest.approx(working(LOST, FRENCH).score, abs=0.05)]
    app.text_area(key="sentence").set_value(OTHER)
    app.button(key="submit").click().run()
    assert (app.text_input(key="reference").value, shown(app)) == ("", ""), "a reference is its sentence's"


def page() -> None:
    import streamlit as st

    from pages.ui.i18n.messages import load_messages
    from pages.ui.widgets import bleu_details
    from tests.pages.traces import make_trace

    if st.button("Give"):
        bleu_details.set_reference("I saw the sea .", "la mer")
    bleu_details.draw_reference_box(
        (make_trace("I saw the sea .", "j' ai vu la mer .", (0, 1, 1, 2, 3, 4)), None), load_messages("en")
    )


def test_a_reference_comes_along_with_its_sentence() -> None:
    app = AppTest.from_function(page).run()
    assert app.text_input(key="reference").value == ""
    app.button[0].click().run()
    assert app.text_input(key="reference").value == "la mer"
    assert shown(app).count("<details") == 1


@pytest.mark.parametrize("name", ["script", "HTML", "closing tags", "lone high surrogate", "null bytes"])
def test_hostile_references_are_text(open_app: Open, name: str) -> None:
    text = CASES[name].encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    html = bleu_details.render_bleu(text, text, text, "fr", load_messages("en"))
    assert "<script" not in html
    assert "<img" not in html
    assert "<b>" not in html
    assert "</textarea" not in html


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_reference_counts_as_a_whole_or_not_at_all(open_app: Open, language: str) -> None:
    """Of a long sentence the translation is often longer than what the box takes."""
    app = open_app(lang=language)
    app.switch_page("pages/compare.py").run()
    long = f"{FRENCH} {'encore ' * 400}fin"
    app.text_input(key="reference").set_value(long).run()
    found = working(app.session_state["shown-en----2-False"][0][0].target.text, long)
    assert str(len(found.reference)) in shown(app)
    app.text_input(key="reference").set_value("x" * (bleu_details.MAX_CHARACTERS + 1)).run()
    assert shown(app) == ""
    assert any("20,001" in node.proto.body and "20,000" in node.proto.body for node in app.get("html"))


def both() -> None:
    import streamlit as st

    from pages.ui.i18n.messages import load_messages
    from pages.ui.url_state import param_widgets, params
    from pages.ui.widgets import bleu_details
    from tests.pages.traces import make_trace

    other = st.checkbox("other")
    if st.checkbox("laboratory"):
        param_widgets.draw_text_input(params.REFERENCE, "a cat ." if other else "I saw the sea .", "reference")
    else:
        made = (
            make_trace("a cat .", "un chat .", (0, 1, 2))
            if other
            else make_trace("I saw the sea .", "la mer .", (0, 3, 4))
        )
        bleu_details.draw_reference_box((made,), load_messages("en"))


def test_a_reference_is_its_sentence_s_on_every_page_that_asks_for_one() -> None:
    app = AppTest.from_function(both).run()
    app.checkbox[1].check().run()
    app.checkbox[0].check().run()
    app.text_input(key="reference").set_value("le chat").run()
    app.checkbox[1].uncheck().run()
    assert app.text_input(key="reference").value == "le chat"
    app.checkbox[1].check().run()
    app.checkbox[0].uncheck().run()
    assert app.text_input(key="reference").value == ""
