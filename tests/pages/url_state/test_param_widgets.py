"""Choices of one or several: the default, what a link asks for, what it asks for in vain, an empty choice."""

from streamlit.testing.v1 import AppTest


def page() -> None:
    import streamlit as st

    from pages.ui.i18n.messages import load_messages
    from pages.ui.url_state import param_widgets
    from pages.ui.url_state.param_types import Choice, MultiChoice, Param

    many = Param("many", MultiChoice(lambda: ("a", "b", "c"), lambda options: options[:2]), ())
    several = param_widgets.draw_multi_buttons(many, "Many", str.upper, load_messages("en"))
    one = param_widgets.draw_buttons(
        Param("single", Choice(lambda: ("x", "y")), ()), "Single", str.upper, load_messages("en")
    )
    st.text(f"{several} {one}")


def opened(**query: str) -> AppTest:
    app = AppTest.from_function(page)
    for name, value in query.items():
        app.query_params[name] = value
    return app.run()


def test_the_default_is_not_in_the_link() -> None:
    app = opened()
    assert app.text[0].value == "('a', 'b') x"
    assert dict(app.query_params) == {}


def test_choices_keep_the_order_of_the_options_and_go_into_the_link() -> None:
    app = opened()
    app.segmented_control(key="many").set_value(["c", "a"])
    app.segmented_control(key="single").set_value("y").run()
    assert app.text[0].value == "('a', 'c') y"
    assert dict(app.query_params) == {"many": "a,c", "single": "y"}
    app.segmented_control(key="many").set_value([]).run()
    assert app.text[0].value == "() y"


def test_a_link_to_no_choice_at_all() -> None:
    app = opened(many="-")
    assert app.text[0].value == "() x"
    assert dict(app.query_params) == {"many": "-"}
    assert opened(many="").text[0].value == "('a', 'b') x"


def test_a_link_says_what_is_chosen() -> None:
    app = opened(many="c,b", single="y")
    assert app.text[0].value == "('b', 'c') y"
    assert dict(app.query_params) == {"many": "b,c", "single": "y"}


def test_what_is_asked_for_in_vain_is_noted() -> None:
    app = opened(many="c,<b>", single="z")
    assert app.text[0].value == "('c',) x"
    noted = app.session_state["notices"]
    assert [values["given"] for _, values in noted.values()] == ["<b>", "z"]
    assert opened(many="q").text[0].value == "('a', 'b') x"
