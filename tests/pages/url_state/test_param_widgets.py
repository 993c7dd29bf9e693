"""The widgets of parameters: the default, a value from the link, an invalid value, an empty choice."""

from streamlit.testing.v1 import AppTest


def page() -> None:
    import streamlit as st

    from pages.ui.i18n.messages import load_messages
    from pages.ui.url_state import param_widgets, state
    from pages.ui.url_state.param_types import Choice, MultiChoice, Param

    multi = Param("many", MultiChoice(lambda: ("a", "b", "c"), lambda options: options[:2]), ())
    single = Param("single", Choice(lambda: ("x", "y")), ())
    t = load_messages("en")
    known_options = state.get_param(multi)
    selected_options = param_widgets.draw_multi_buttons(multi, "Many", str.upper, t)
    st.text(f"{selected_options} {param_widgets.draw_buttons(single, 'Single', str.upper, t)}")
    st.text(str(known_options))


def open_page(**query: str) -> AppTest:
    app = AppTest.from_function(page)
    for name, value in query.items():
        app.query_params[name] = value
    return app.run()


def test_chosen_values_are_ordered_and_written_to_the_link_unless_they_are_the_default() -> None:
    app = open_page()
    assert [text.value for text in app.text] == ["('a', 'b') x", "('a', 'b')"]
    assert dict(app.query_params) == {}
    app.segmented_control(key="many").set_value(["c", "a"])
    app.segmented_control(key="single").set_value("y").run()
    assert app.text[0].value == "('a', 'c') y"
    assert dict(app.query_params) == {"many": "a,c", "single": "y"}
    app.segmented_control(key="many").set_value([]).run()
    assert app.text[0].value == "() y"
    assert app.query_params["many"] == "-"


def test_values_are_read_from_the_link() -> None:
    app = open_page(many="c,b", single="y")
    assert app.text[0].value == "('b', 'c') y"
    assert dict(app.query_params) == {"many": "b,c", "single": "y"}
    assert open_page(many="-").text[0].value == "() x"
    assert open_page(many="").text[0].value == "('a', 'b') x"


def page_with_a_list() -> None:
    import streamlit as st

    from pages.ui.url_state import param_widgets, state
    from pages.ui.url_state.param_types import Choice, Param

    choice = Param("listed", Choice(lambda: ("x", "y", "z")), ())
    st.text(state.get_param(choice))
    if st.checkbox("open", True, key="open"):
        language = state.get_language()
        param_widgets.draw_selectbox(choice, "Listed", lambda option: f"{option} {language}")


def test_an_option_of_a_list_is_chosen_although_its_value_was_read_before() -> None:
    app = AppTest.from_function(page_with_a_list)
    app.query_params["listed"] = "y"
    app.run().selectbox(key="listed").set_value("z").run()
    assert (app.text[0].value, app.query_params["listed"]) == ("z", "z")
    app.checkbox(key="open").uncheck().run().checkbox(key="open").check().run()
    assert app.selectbox(key="listed").value == "z"


def test_an_option_of_a_list_is_kept_in_another_language() -> None:
    app = AppTest.from_function(page_with_a_list).run()
    app.selectbox(key="listed").set_value("z").run()
    app.session_state["lang"] = "ko"
    app.run()
    assert app.selectbox(key="listed").proto.raw_value == "z ko"
    app.checkbox(key="open").check().run()
    assert app.text[0].value == "z"


def test_invalid_values_are_dropped_with_a_notice() -> None:
    app = open_page(many="c,<b>", single="z")
    assert app.text[0].value == "('c',) x"
    assert [values["given"] for _, values in app.session_state["notices"].values()] == ["<b>", "z"]
    assert open_page(many="q").text[0].value == "('a', 'b') x"
