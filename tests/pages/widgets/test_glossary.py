"""The glossary: every term is explained shortly in every language, and every term is used."""

import re
import tomllib
from dataclasses import replace

import pytest

from model.checkpoints.checkpoint import Card
from model.networks import registry
from pages.ui.backend import cards
from pages.ui.components import glossary
from pages.ui.i18n.messages import FOLDER, LANGUAGES, TERM_MARK, Messages, load_messages
from pages.ui.url_state import params
from tests.cards import build_card

MAX_WORDS = 30


def load_raw_texts(language: str) -> dict[str, str]:
    """Return every text of a language as it is in the files, with the marks of its terms."""
    texts: dict[str, str] = {}
    for path in (FOLDER / language).glob("*.toml"):
        for table, entries in tomllib.loads(path.read_text("utf-8")).items():
            texts |= {f"{table}.{key}": text for key, text in entries.items() if isinstance(text, str)}
    return texts


def list_marked_terms(text: str) -> list[str]:
    return sorted(name for name, _ in TERM_MARK.findall(text))


@pytest.mark.verdict
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_term_is_explained_in_thirty_words(language: str) -> None:
    t = load_messages(language)
    for name in glossary.list_terms(t):
        explanation = t(f"glossary.{name}")
        assert 2 <= len(explanation.split()) <= MAX_WORDS, name
        assert explanation.endswith("."), name
        assert t(f"term.{name}"), name


@pytest.mark.parametrize("language", LANGUAGES)
def test_marks_name_terms_and_every_term_is_used(language: str) -> None:
    texts, terms = load_raw_texts(language), set(glossary.list_terms(load_messages(language)))
    marked_terms = {name for text in texts.values() for name in list_marked_terms(text)}
    assert marked_terms <= terms, marked_terms - terms
    in_help = {name for names in glossary.CONTROL_TERMS.values() for name in names}
    of_kinds = {kind.glossary_key for kind in registry.KINDS.values()}
    assert terms <= marked_terms | in_help | of_kinds, terms - marked_terms - in_help - of_kinds
    assert not [text for text in texts.values() if re.search(r"\[\[|\]\]", TERM_MARK.sub("", text))]
    for key, text in load_raw_texts("en").items():
        assert list_marked_terms(text) == list_marked_terms(texts[key]), key


def test_a_marked_term_is_plain_text_or_a_button_or_marked_for_components() -> None:
    t = Messages("en", {"a.b": "A row of [[alpha|α]] for {name}."})
    assert t("a.b", name="x") == "A row of α for x."
    assert t.format_html("a.b", name="<b>[[alpha|x]]") == (
        'A row of <span role="button" tabindex="0" class="term" data-term="alpha">α</span> for &lt;b&gt;[[alpha|x]].'
    )
    assert t.format_for_component("a.b", name="x") == "A row of \u2061alpha\u2063α\u2064 for x."
    assert t.get_table("a") == {"b": "A row of \u2061alpha\u2063α\u2064 for {name}."}


def test_the_help_of_a_control_explains_its_terms() -> None:
    t = load_messages("en")
    assert set(glossary.CONTROL_TERMS) <= {param.name for param in params.ALL_PARAMS}
    assert t("term.piece") in (glossary.get_control_help("unit", t) or "")
    assert glossary.get_control_help("lang", t) is None


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_model_is_described_by_its_kind_or_whether_it_has_attention(
    language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    t = load_messages(language)
    shipped = {card.name: glossary.describe_model(card, t) for card in cards.list_displayed_cards()}
    assert shipped["rnnsearch-50"].startswith(t("glossary.rnnsearch"))
    assert shipped["rnnencdec-30"] == f"{t('glossary.rnnencdec')} {t('about.longest', words=30)}"
    card: Card = build_card("stranger", kind="unknown", maps=())
    korean = replace(card, training={"recipe": {"data": {"copies": {"kss": 1}}}})
    assert glossary.describe_model(korean, t).endswith(t("about.small_talk"))
    assert glossary.describe_model(card, t).startswith(t("about.plain"))
    for glossary_key, text_key in (("gru", "glossary.gru"), ("no_such_term", "about.plain")):
        kind = registry.NetworkKind("unknown", "X", "", "", glossary_key=glossary_key)
        monkeypatch.setitem(registry.KINDS, "unknown", kind)
        assert glossary.describe_model(card, t).startswith(t(text_key))
