"""Every text of the interface is in assets/words, in all languages, and is used; code contains none."""

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
SCRIPTS = sorted((ROOT / "assets" / "player").glob("[!bn]*/*.js"))  # neither built/ nor node_modules/
METHODS = ("format_html", "format_for_component")  # of Messages, besides the call


def list_calls() -> Iterator[tuple[Path, ast.Call]]:
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call):
                yield path, node


def build_key_pattern(node: ast.expr) -> str | None:
    """Return a regular expression for the keys that an argument, a string or f-string, can be."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return re.escape(node.value)
    if isinstance(node, ast.JoinedStr):
        return "".join(re.escape(str(part.value)) if isinstance(part, ast.Constant) else r"\w+" for part in node.values)
    return None


def list_python_patterns() -> set[str]:
    """Return patterns of the keys that Python code uses."""
    patterns = set()
    for _, call in list_calls():
        is_method = isinstance(call.func, ast.Attribute) and call.func.attr in METHODS
        function = call.func.value if is_method and isinstance(call.func, ast.Attribute) else call.func
        name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
        if name == "t" and (pattern := build_key_pattern(call.args[0])):
            patterns.add(pattern)
    return patterns


def list_option_keys() -> set[str]:
    """Return the keys of the controls' labels and options."""
    keys = set()
    for _, call in list_calls():
        name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
        param_name = ast.unparse(call.args[0]) if call.args else ""
        if name in ("draw_option_buttons", "draw_model_control") and param_name.startswith("params."):
            param = getattr(params, param_name.removeprefix("params."))
            keys |= {f"option.{text}" for text in (param.name, *param.value_type.options())}
    return keys


def list_component_keys() -> set[str]:
    """Return the keys that browser components use; tsc checks that they exist."""
    use = re.compile(r"(?<![.\w])(?:(?:\w+\.)*data\.)?words\.(\w+)")  # not reading.words, which are a translation's
    scripts = "\n".join(path.read_text("utf-8") for path in SCRIPTS)
    names, prefixes = set(use.findall(scripts)), tuple(re.findall(r"words(?: \}\))?\[`(\w+)\$\{", scripts))
    tables = payloads.list_message_tables(payloads.list_payload_types())
    return {f"{table}.{name}" for table in tables for name in load_messages("en").get_table(table)
            if name in names or name.startswith(prefixes)}  # fmt: skip


def get_raw_text(t: Messages, key: str) -> str:
    """Return a text with unfilled places, and its terms as plain words."""
    table, _, name = key.rpartition(".")
    return strip_term_marks(t.get_table(table)[name])


def list_places(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


@pytest.mark.verdict
def test_the_languages_have_the_same_keys_and_places() -> None:
    english, *translations = (load_messages(language) for language in LANGUAGES)
    for translation in translations:
        assert list(english) == list(translation)
        for key in english:
            assert list_places(get_raw_text(english, key)) == list_places(get_raw_text(translation, key)), key


def test_every_key_in_code_exists_and_every_key_is_used() -> None:
    keys, patterns = set(load_messages("en")), list_python_patterns()
    assert not {pattern for pattern in patterns if not any(re.fullmatch(pattern, key) for key in keys)}
    exact = {pattern for pattern in patterns if r"\w+" not in pattern}
    unused = {key for key in keys if re.escape(key) not in exact} - list_option_keys() - list_component_keys()
    with_places = {pattern for pattern in patterns - exact if not pattern.startswith("option")}
    assert not {key for key in unused if not any(re.fullmatch(pattern, key) for pattern in with_places)}


def test_korean_texts_are_in_korean() -> None:
    exceptions = {"app.title", "language.en", "language.ko", "download.trace", "set.flores200_devtest"}
    exceptions |= {"number.powers", "number.part"}
    # Places, file formats, metrics and symbols are the same in both languages.
    common_parts = r"\{\w+\}|(?<!\w)(SVG|PDF|PNG|CSV|TSV|TXT|JSON|BLEU|chrF2?|Δ? ?log p|α|e)(?=\W|$)"
    for key in load_messages("ko"):
        text = get_raw_text(load_messages("ko"), key)
        own_parts = re.sub(common_parts, "", text)
        assert key in exceptions or re.search("[가-힣]", text) or not re.search(r"[^\W\d_]", own_parts), key


def test_code_contains_no_text_and_browser_components_set_no_html() -> None:
    for path in [*SOURCES, *SCRIPTS]:
        assert not re.search("[가-힣]", path.read_text("utf-8")), f"{path.name} contains Korean"
    for path in SCRIPTS:
        code = re.sub(r"//.*", "", path.read_text("utf-8"))
        for text in re.findall(r'"([^"\n]*)"', code):
            assert not re.search(r"[a-z]{2,} [a-z]{2,}", text) or re.fullmatch(r"[a-z\- ${}.]+", text), text
        assert "innerHTML" not in code
        assert "insertAdjacentHTML" not in code


def test_the_longest_prefix_of_the_locale_selects_the_language(monkeypatch: pytest.MonkeyPatch) -> None:
    locales = ("ko-KR", "ko", "KO_kr", "en-GB", "fr-FR", "", None)
    assert [match_locale(locale) for locale in locales] == ["ko"] * 3 + ["en"] * 4
    monkeypatch.setattr(messages, "LANGUAGES", ("en", "zh", "zh-TW"))
    chinese = ("zh-TW", "zh_tw", "zh-CN", "zh", "ko")
    assert [match_locale(locale) for locale in chinese] == ["zh-TW"] * 2 + ["zh"] * 2 + ["en"]


def test_places_and_plurals_are_filled() -> None:
    t = Messages("en", {"a.b": "{name} has {count} {count:word|words}"})
    for count, text in ((1, "1 word"), ("1", "1 word"), (0, "0 words"), ("1,001", "1,001 words")):
        assert t("a.b", name="{x}", count=count) == t.format_html("a.b", name="{x}", count=count) == f"{{x}} has {text}"
    for key, values in (("a.b", {"name": "only one"}), ("a.b", {}), ("a.c", {})):
        with pytest.raises(KeyError):
            t(key, **values)
