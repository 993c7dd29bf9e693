"""One glossary for every term on the screen, in both languages, short, and told by one mechanism."""

import re
import tomllib

import pytest

from model.checkpoints.checkpoint import Card
from model.networks import registry
from pages.ui.backend import cards
from pages.ui.components import glossary
from pages.ui.i18n.messages import FOLDER, LANGUAGES, TERM_MARK, Messages, load_messages
from pages.ui.url_state import params
from tests.cards import build_card

SHORT = 30  # words


def raw(language: str) -> dict[str, str]:
    """Every text of a language as it stands in its files."""
    texts: dict[str, str] = {}
    for path in (FOLDER / language).glob("*.toml"):
        for table, entries in tomllib.loads(path.read_text("utf-8")).items():
            texts |= {f"{table}.{key}": text for key, text in entries.items() if isinstance(text, str)}
    return texts


def pointed_at(text: str) -> list[str]:
    return sorted(name for name, _ in TERM_MARK.findall(text))


@pytest.mark.verdict
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_term_is_told_in_thirty_words(language: str) -> None:
    t = load_messages(language)
    for name in glossary.list_terms(t):
        told = t(f"glossary.{name}")
        assert 2 <= len(told.split()) <= SHORT, name
        assert told.endswith("."), name
        assert t(f"term.{name}"), name


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_mark_points_at_a_term_and_every_term_is_pointed_at(language: str) -> None:
    texts, names = raw(language), set(glossary.list_terms(load_messages(language)))
    marked = {name for text in texts.values() for name in pointed_at(text)}
    assert marked <= names, marked - names
    explained = {name for told in glossary.CONTROL_TERMS.values() for name in told}
    kinds = {kind.glossary_key for kind in registry.KINDS.values()}
    assert names <= marked | explained | kinds, names - marked - explained - kinds
    assert not [text for text in texts.values() if re.search(r"\[\[|\]\]", TERM_MARK.sub("", text))]


def test_all_languages_point_at_the_same_terms() -> None:
    english, *others = (raw(language) for language in LANGUAGES)
    for other in others:
        for key, text in english.items():
            assert pointed_at(text) == pointed_at(other[key]), key


def test_a_mark_is_words_a_button_or_signs_for_the_browser() -> None:
    words = Messages("en", {"a.b": "A row of [[alpha|α]] for {name}."})
    assert words("a.b", name="x") == "A row of α for x."
    assert words.format_html("a.b", name="<b>[[alpha|x]]") == (
        'A row of <span role="button" tabindex="0" class="term" data-term="alpha">α</span> for &lt;b&gt;[[alpha|x]].'
    )
    assert words.format_for_component("a.b", name="x") == "A row of \u2061alpha\u2063α\u2064 for x."
    assert words.get_table("a") == {"b": "A row of \u2061alpha\u2063α\u2064 for {name}."}


def test_controls_are_explained_by_the_same_texts() -> None:
    t = load_messages("en")
    assert set(glossary.CONTROL_TERMS) <= {row.name for row in params.ALL_PARAMS}
    told = glossary.get_control_help("unit", t)
    assert told is not None
    assert t("term.piece") in told
    assert glossary.get_control_help("lang", t) is None


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_model_is_told_by_its_kind_else_by_what_it_does(language: str, monkeypatch: pytest.MonkeyPatch) -> None:
    t = load_messages(language)
    shipped = {one.name: glossary.describe_model(one, t) for one in cards.list_models()}
    assert shipped["rnnsearch-50"].startswith(t("glossary.rnnsearch"))
    assert shipped["rnnencdec-30"] == f"{t('glossary.rnnencdec')} {t('about.longest', words=30)}"
    stranger: Card = build_card("stranger", kind="nobody's", maps=())
    assert glossary.describe_model(stranger, t).startswith(t("about.plain"))
    monkeypatch.setitem(registry.KINDS, "nobody's", registry.NetworkKind("nobody's", "X", "", "", glossary_key="gru"))
    assert glossary.describe_model(stranger, t).startswith(t("glossary.gru"))
    monkeypatch.setitem(
        registry.KINDS, "nobody's", registry.NetworkKind("nobody's", "X", "", "", glossary_key="no_such_term")
    )
    assert glossary.describe_model(stranger, t).startswith(t("about.plain"))


def test_the_browser_is_told_every_term_and_every_model() -> None:
    t = load_messages("ko")
    keys = [key for key, _, _ in glossary.list_entries(t)]
    assert len(keys) == len(set(keys))
    assert set(keys) == {*glossary.list_terms(t), *(f"model:{one.title}" for one in cards.list_models())}
