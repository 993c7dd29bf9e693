"""Tests of sentence templates."""

from __future__ import annotations

import random

import pytest

from model.text.control_file import TEMPLATES
from model.text.normalise import normalise
from model.text.synthetic.lexicon import LexiconEntry, load_lexicon
from model.text.synthetic.templates import SlotFiller, Template, TemplateError, generate_pairs, load_templates


def find_entry(kind: str, english: str) -> LexiconEntry:
    entries = load_lexicon().entries_by_kind[kind.rstrip("0123456789")]
    return next(entry for entry in entries if entry.english[0] == english)


def fill_template(source: str, target: str, **words: str) -> tuple[str, str]:
    """Fill a template with words named in English, "English/f" for the feminine."""
    filling = {}
    for slot, word in words.items():
        english, _, gender = word.partition("/")
        entry = find_entry(slot, english)
        filling[slot] = SlotFiller(entry, gender or entry.genders[0])
    return Template(source, target, load_lexicon()).fill_slots(filling)


@pytest.mark.parametrize(("source", "target", "words", "expected"), [
    ("A {look animal}.", "{un animal look}.", {"look": "old", "animal": "bear"}, ("An old bear.", "Un vieil ours.")),
    ("A {look animal}.", "{un animal look}.", {"look": "new", "animal": "mouse"},
     ("A new mouse.", "Une nouvelle souris.")),
    ("{look animal+}.", "{un animal+ look}.", {"look": "old", "animal": "horse"}, ("Old horses.", "De vieux chevaux.")),
    ("Two {colour fruit+}.", "Deux {fruit+ colour}.", {"colour": "green", "fruit": "apple"},
     ("Two green apples.", "Deux pommes vertes.")),
    ("No {food} in the {place}.", "Pas de {food} à {le place}.", {"food": "oil", "place": "school"},
     ("No oil in the school.", "Pas d'huile à l'école.")),
    ("{who} {like~who} {my~who relative}.", "{who} {like~who} {mon~who relative}.",
     {"who": "I", "relative": "friend/f"}, ("I like my friend.", "J'aime mon amie.")),
    ("She is a {job}.", "Elle est {job/f}.", {"job": "actor"}, ("She is an actor.", "Elle est actrice.")),
    ("My favourite colour is {colour}.", "Ma couleur préférée est le {colour}.", {"colour": "white/f"},
     ("My favourite colour is white.", "Ma couleur préférée est le blanc.")),
    ("{country} is big.", "{le country} {be~country} {grand=country}.", {"country": "the Netherlands"},
     ("The Netherlands is big.", "Les Pays-Bas sont grands.")),
    ("In {country}, from {country2}.", "{en country}, {de country2}.",
     {"country": "the United States", "country2": "the Netherlands"},
     ("In the United States, from the Netherlands.", "Aux États-Unis, des Pays-Bas.")),
    ("In {country}, from {country2}.", "{en country}, {de country2}.", {"country": "Cuba", "country2": "Iran"},
     ("In Cuba, from Iran.", "À Cuba, d'Iran.")),
    ("In {city}, from {city2}.", "{à city}, {de city2}.", {"city": "Seoul", "city2": "Athens"},
     ("In Seoul, from Athens.", "À Séoul, d'Athènes.")),
])  # fmt: skip
def test_filled_templates_agree(source: str, target: str, words: dict[str, str], expected: tuple[str, str]) -> None:
    assert fill_template(source, target, **words) == expected


@pytest.mark.parametrize("name", TEMPLATES)
def test_pairs_are_normalised_and_depend_on_the_seed(name: str) -> None:
    pairs = list(generate_pairs(name, 400, seed=3))
    assert pairs == list(generate_pairs(name, 400, seed=3)) != list(generate_pairs(name, 400, seed=4))
    for side in (side for pair in pairs for side in pair):
        assert normalise(side) == side
        assert not set(side) & set("{}~=|_")
        assert side[0].isupper() or side[0].isdigit()
    assert len(set(pairs)) > 200


def test_every_kind_of_word_and_every_verb_is_used() -> None:
    templates = [template for name in TEMPLATES for template in load_templates(name)]
    slot_kinds = {slot.rstrip("0123456789") for template in templates for slot in template.slots}
    assert set(load_lexicon().entries_by_kind) == slot_kinds
    text = " ".join(template.source + template.target for template in templates)
    assert not [verb for verb in load_lexicon().verbs if f"{{{verb}~" not in text]


@pytest.mark.parametrize(("source", "target"), [("A {dragon}.", "{un dragon}."), ("A cat.", "{un animal}."),
                                                ("A {animal}.", "{un animal2}."), ("{a=b=c}", "un")])  # fmt: skip
def test_templates_with_unknown_slots_are_refused(source: str, target: str) -> None:
    with pytest.raises(TemplateError):
        Template(source, target, load_lexicon()).slots  # noqa: B018


def test_two_slots_of_a_kind_get_different_words() -> None:
    template = Template("{season} and {season2}", "{season} et {season2}", load_lexicon())
    rng = random.Random(2)
    assert all(len(set(template.sample(rng)[0].lower().split(" and "))) == 2 for _ in range(50))
