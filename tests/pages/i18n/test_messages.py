"""Every text of the interface stands in assets/words, in both languages, and is used; pages hold none themselves."""

import ast
import re
import string
from collections.abc import Iterator
from pathlib import Path

import pytest

from model.paths import ROOT
from pages.ui.i18n import messages
from pages.ui.i18n.messages import LANGUAGES, Messages, load_messages, match_locale
from pages.ui.url_state import params
from tests.pages.marks import strip_term_marks
from tests.player import payloads

SOURCES = [ROOT / "app.py", *sorted((ROOT / "pages").rglob("*.py"))]
RICH = ("format_html", "format_for_component")  # a text with its terms as buttons
SCRIPTS = sorted((ROOT / "assets" / "player").glob("[!bn]*/*.js"))  # neither built/ nor node_modules/


def calls() -> Iterator[tuple[Path, ast.Call]]:
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call):
                yield path, node


def pattern(node: ast.expr) -> str | None:
    """A regular expression for the keys that an argument can be: a text, or a text with places."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return re.escape(node.value)
    if isinstance(node, ast.JoinedStr):
        return "".join(re.escape(str(part.value)) if isinstance(part, ast.Constant) else r"\w+" for part in node.values)
    return None


def used_keys() -> set[str]:
    """The keys (as patterns) that Python asks for, and the tables that are handed to the components."""
    used = set()
    for _, call in calls():
        named = call.func.value if isinstance(call.func, ast.Attribute) and call.func.attr in RICH else call.func
        name = named.attr if isinstance(named, ast.Attribute) else getattr(named, "id", "")
        if name == "t" and (key := pattern(call.args[0])):
            used.add(key)
    return used


def chosen_keys() -> set[str]:
    """The names and the options of the rows of the table of links that pages offer as a choice."""
    keys = set()
    for _, call in calls():
        name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
        param_name = ast.unparse(call.args[0]) if call.args else ""
        if name in ("draw_option_buttons", "draw_model_control") and param_name.startswith("params."):
            row = getattr(params, param_name.removeprefix("params."))
            keys |= {f"option.{text}" for text in (row.name, *row.value_type.options())}
    return keys


def script_keys() -> set[str]:
    """The keys that components ask for, each of one of the tables that components are sent (that it has them all, tsc
    checks)."""
    # Not reading.words and the like, which are a translation's.
    asked = re.compile(r"(?<![.\w])(?:(?:\w+\.)*data\.)?words\.(\w+)")
    names = {key for path in SCRIPTS for key in asked.findall(path.read_text("utf-8"))}
    tables = payloads.tables(payloads.shapes())
    return {f"{table}.{name}" for table in tables for name in load_messages("en").get_table(table) if name in names}


def text_of(words: Messages, key: str) -> str:
    """The text of a key with its places unfilled, its terms as plain words."""
    table, _, name = key.rpartition(".")
    return strip_term_marks(words.get_table(table)[name])


def places(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_key_that_is_used_exists(language: str) -> None:
    keys = set(load_messages(language))
    missing = {use for use in used_keys() if not any(re.fullmatch(use, key) for key in keys)}
    assert not missing


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_key_is_used(language: str) -> None:
    offered = chosen_keys() | script_keys()
    exact = {use for use in used_keys() if r"\w+" not in use}
    loose = {use for use in used_keys() if r"\w+" in use and not use.startswith("option")}
    unused = [
        key
        for key in load_messages(language)
        if key not in offered
        and re.escape(key) not in exact
        and not any(re.fullmatch(use, key) for use in loose)
    ]
    assert not unused


@pytest.mark.verdict
def test_the_languages_have_the_same_keys_and_places() -> None:
    english, *others = (load_messages(language) for language in LANGUAGES)
    for other in others:
        assert list(english) == list(other)
        for key in english:
            assert places(text_of(english, key)) == places(text_of(other, key)), key


def test_korean_is_korean() -> None:
    same = {"app.title", "language.en", "language.ko", "download.trace", "set.flores200_devtest"}
    same |= {"number.powers", "number.part"}
    alike = r"\{\w+\}|\b(SVG|PDF|PNG|CSV|TSV|TXT|JSON|BLEU|chrF2?|log p|α)(?=\W|$)"  # places, kinds of files, measures
    for key in load_messages("ko"):
        text = text_of(load_messages("ko"), key)
        assert key in same or re.search("[가-힣]", text) or not re.search(r"[^\W\d_]", re.sub(alike, "", text)), key


@pytest.mark.parametrize(("language", "word", "attention"), [
    ("en", r"\bweights?\b", "attention weight|α"), ("ko", "가중치", "어텐션 가중치|α"),
])  # fmt: skip
def test_weights_are_those_of_attention(language: str, word: str, attention: str) -> None:
    """What training sets are called parameters, so that the word has one meaning."""
    words = load_messages(language)
    for key in words:
        text = re.sub(r"\{\w+\}", "", text_of(words, key))
        assert not re.search(word, text) or re.search(attention, text), (key, text)


def test_no_page_holds_a_text_of_its_own() -> None:
    """No letter reaches a Streamlit call, a component or the screen but through assets/words."""
    technical = {
        "key", "file_name", "mime", "bind", "persist_state", "label_visibility", "type", "layout", "position", "gap",
        "width", "on_click", "vertical_alignment", "autocomplete", "focus", "css", "js",
        "selection_mode", "height",
    }  # fmt: skip
    containers = {"container", "form", "component", "Page", "get", "pop", "setdefault", "getLogger", "error", "warning",
                  "get_option"}  # fmt: skip
    found = []
    for path, call in calls():
        function = call.func.attr if isinstance(call.func, ast.Attribute) else ""
        owner = call.func.value if isinstance(call.func, ast.Attribute) else None
        if not (isinstance(owner, ast.Name) and owner.id in {"st", "status"}) or function in containers:
            continue
        shown = [*call.args, *(word.value for word in call.keywords if word.arg not in technical)]
        for node in shown:
            texts = [node] if isinstance(node, ast.Constant) else getattr(node, "values", [])
            for text in texts:
                if isinstance(text, ast.Constant) and isinstance(text.value, str):
                    bare = re.sub(r"<[^>]*>?", "", text.value)
                    if re.search(r"[^\W\d_]", bare) and not bare.endswith(".py"):
                        found.append(f"{path.name}:{call.lineno}: {text.value!r}")
    assert not found
    for path in [*SOURCES, *SCRIPTS]:
        assert not re.search("[가-힣]", path.read_text("utf-8")), f"{path.name} holds Korean"


def test_components_hold_no_text_of_their_own() -> None:
    """Texts of more than one word do not stand in a component's code (comments aside)."""
    for path in SCRIPTS:
        code = re.sub(r"//.*", "", path.read_text("utf-8"))
        for text in re.findall(r'"([^"\n]*)"', code):
            assert not re.search(r"[a-z]{2,} [a-z]{2,}", text) or re.fullmatch(r"[a-z\- ${}.]+", text), text
        assert "innerHTML" not in code
        assert "insertAdjacentHTML" not in code


@pytest.mark.parametrize(
    ("locale", "language"),
    [("ko-KR", "ko"), ("ko", "ko"), ("en-GB", "en"), ("fr-FR", "en"), (None, "en"), ("", "en"), ("KO_kr", "ko")],
)
def test_the_browser_chooses_the_language_first(locale: str | None, language: str) -> None:
    assert match_locale(locale) == language


def test_a_language_of_a_region_is_chosen_where_it_is_one_of_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(messages, "LANGUAGES", ("en", "zh", "zh-TW"))
    assert [match_locale(one) for one in ("zh-TW", "zh_tw", "zh-CN", "zh", "ko")] == [
        "zh-TW",
        "zh-TW",
        "zh",
        "zh",
        "en",
    ]


@pytest.mark.parametrize(("count", "said"), [(1, "1 word"), ("1", "1 word"), (0, "0 words"), ("1,001", "1,001 words")])
def test_a_word_has_one_form_beside_one_and_another_beside_several(count: object, said: str) -> None:
    words = Messages("en", {"a.b": "{count} {count:word|words}"})
    assert words("a.b", count=count) == said
    assert words.format_html("a.b", count=count) == said
    with pytest.raises(KeyError):
        words("a.b", others=2)


def test_texts_are_filled_and_holes_are_refused() -> None:
    words = Messages("en", {"a.b": "{name} has {count}"})
    assert words("a.b", name="{x}", count=3) == "{x} has 3"
    with pytest.raises(KeyError):
        words("a.b", name="only one")
    with pytest.raises(KeyError):
        words("a.b")
    with pytest.raises(KeyError):
        words("a.c")
