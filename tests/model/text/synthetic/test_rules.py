"""Other names, capitals and greetings."""

from __future__ import annotations

import pytest

from model.text.synthetic.french import begins_with_vowel
from model.text.synthetic.lexicon import read_names
from model.text.synthetic.rules import _substitute_name, build_greetings, replace_names, sample_in_capitals
from tests.canonical import canonical_pairs

NAMES = read_names()


@pytest.mark.parametrize(("target", "name", "expected"), [
    ("Le chat de Tom dort.", "Anna", "Le chat d'Anna dort."),
    ("Le chat de Tom dort.", "Minji", "Le chat de Minji dort."),
    ("Je crois que Tom ment.", "Élise", "Je crois qu'Élise ment."), ("Lorsque Tom dort", "Ahmed", "Lorsqu'Ahmed dort"),
    ("de Tom", "Yuki", "de Yuki"), ("de Tom", "Yves", "d'Yves"), ("de Tom", "Hana", "de Hana"),
    ("de Tom", "Hélène", "d'Hélène"), ("DE Tom", "Anna", "DE Anna"), ("Tom et le monde", "Ali", "Ali et le monde"),
])  # fmt: skip
def test_names_are_elided_right(target: str, name: str, expected: str) -> None:
    assert _substitute_name(target, r"\bTom\b", name) == expected
    assert begins_with_vowel(name) == ("'" in expected or name in ("Ali",) or expected == "DE Anna")


@pytest.mark.verdict
def test_men_are_replaced_by_men_and_women_by_women() -> None:
    pairs = canonical_pairs([
        ("Tom said that Mary had seen Tom's dog.", "Tom a dit que Marie avait vu le chien de Tom."),
        ("Nobody is here.", "Il n'y a personne."),
        ("Tom isn't here.", "Il n'est pas là."),  # named on one side alone
        ("Tommy and Tomorrow", "Tommy et demain"),
        ("Jean-Tom and Tom", "Jean-Tom et Tom"),
    ])  # fmt: skip
    for seed in range(30):
        found = list(replace_names(pairs, seed))
        assert len(found) == 1, found
        source, target = found[0]
        man, woman = source.split()[0], source.split()[3]
        assert man in NAMES["men"]
        assert woman in NAMES["women"]
        assert source == f"{man} said that {woman} had seen {man}'s dog."
        que, de = ("qu'" if begins_with_vowel(woman) else "que "), ("d'" if begins_with_vowel(man) else "de ")
        assert target == f"{man} a dit {que}{woman} avait vu le chien {de}{man}."
    assert list(replace_names(pairs, 1)) == list(replace_names(pairs, 1))


def test_the_names_are_many_and_none_is_replaced() -> None:
    for kind in ("men", "women"):
        assert len(NAMES[kind]) == len(set(NAMES[kind])) > 150
        assert not set(NAMES[kind]) & {*NAMES["replaced_men"], *NAMES["replaced_women"]}


def test_capitals() -> None:
    pairs = canonical_pairs([("It's été.", "C'est l'été."), ("A", "Un"), ("B", "Deux")])
    assert sorted(sample_in_capitals(pairs, 5, 1)) == [("A", "UN"), ("B", "DEUX"), ("IT'S ÉTÉ.", "C'EST L'ÉTÉ.")]
    assert sample_in_capitals(pairs, 2, 1) == sample_in_capitals(pairs, 2, 1)
    assert len(sample_in_capitals(pairs, 2, 1)) == 2


def test_greetings_stand_in_four_ways() -> None:
    found = build_greetings()
    assert {("Hello!", "Bonjour!"), ("Hello", "Bonjour"), ("hello", "bonjour"), ("HELLO!", "BONJOUR!")} <= set(found)
    assert {("I am cold.", "J'ai froid."), ("I am cold", "J'ai froid"), ("I am cold", "j'ai froid")} & set(found)
    assert {("yellow", "jaune"), ("monday", "lundi"), ("Twenty-one", "vingt et un")} & set(found)
    assert ("where?", "où?") in found
    assert len(found) == len(set(found)) > 800
