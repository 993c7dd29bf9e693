"""Sentences with slots, filled so that both languages agree.

A template is a pair of sentences such as

    My {size animal} has {small food+}.      {mon size animal} a {small food+}.

A group in braces is a phrase of words that agree. A word is a slot, named by the kind of word that fills it (with a
digit where a sentence has several of a kind), a determiner in French, or one of

    animal+         the plural
    colour=hat      what agrees with another slot: an adjective, a participle ("parti"), a pronoun ("il"); "=hat+" with
                    its plural
    job/f           the feminine
    eat~who         the form of a verb for a subject; "my~who", "mon~who": whose something is
    in country      "en", "de", "à" before places: en France, au Japon, à Cuba

French puts an adjective where it belongs, whatever its place in the group is.
"""

from __future__ import annotations

import random
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from model.text.cleaning import Pair, make_match_key
from model.text.normalise import normalise
from model.text.synthetic import english, french
from model.text.synthetic.lexicon import FOLDER, Entry, Lexicon, lexicon

_GROUP = re.compile(r"\{([^{}]*)\}")
_WORD = re.compile(r"(?P<head>[^+~=/\s]+)(?P<plural>\+)?(?:(?P<sign>[~=/])(?P<of>\w+)(?P<several>\+)?)?")
_POSSESSIVES = ("my", "your", "his", "our", "your", "their")
_PREPOSITIONS = ("en", "de", "à")
_GENDERS = {"mf": "mmmf"}  # where English says neither, French mostly has the masculine


@dataclass(frozen=True)
class Drawn:
    """What a slot was filled with, as which gender."""

    entry: Entry
    gender: str


Filling = Mapping[str, Drawn]


class TemplateError(ValueError):
    """A template that can't be filled: a slot of no known kind, or slots that the two languages don't share."""


@dataclass(frozen=True)
class Word:
    """A word of a group, taken apart."""

    head: str
    plural: bool
    sign: str
    of: str
    several: bool

    @property
    def kind(self) -> str:
        return self.head.rstrip("0123456789")


@dataclass(frozen=True)
class Template:
    """A pair of sentences with slots, and the words that may fill them."""

    source: str
    target: str
    words: Lexicon

    @cached_property
    def slots(self) -> tuple[str, ...]:
        """The slots of both sides, sorted. Raises TemplateError."""
        found: list[set[str]] = []
        unknown: set[str] = set()
        for side, literal in ((self.source, frozenset[str]()), (self.target, french.DETERMINERS.union(_PREPOSITIONS))):
            slots: set[str] = set()
            for word in (word for group in _GROUP.findall(side) for word in _words(group)):
                slots |= {word.of} if word.sign in ("~", "=") else set()
                if word.sign == "~":
                    unknown |= {word.head} - self.words.verbs.keys() - {"my"} - french.DETERMINERS
                elif word.kind in self.words.kinds:
                    slots.add(word.head)
                elif word.sign != "=" and word.head not in literal:
                    unknown.add(word.head)
            found.append(slots)
        unknown |= {slot for slot in found[0] if slot.rstrip("0123456789") not in self.words.kinds}
        unknown |= found[1] - found[0]
        if unknown:
            raise TemplateError(f"the template {self.source!r} | {self.target!r} has slots that nothing fills: "
                                f"{', '.join(sorted(unknown))}")
        return tuple(sorted(found[0]))

    def draw(self, rng: random.Random) -> Pair:
        """The sentences with words drawn at random; two slots of a kind get different words."""
        filling: dict[str, Drawn] = {}
        for slot in self.slots:
            choices = self.words.kinds[slot.rstrip("0123456789")]
            taken = [one.entry.english for one in filling.values()]
            entry = rng.choice(choices)
            while entry.english in taken and len(choices) > len(taken):
                entry = rng.choice(choices)
            filling[slot] = Drawn(entry, rng.choice(_GENDERS.get(entry.genders, entry.genders)))
        return self.fill(filling)

    def fill(self, filling: Filling) -> Pair:
        """The sentences with these words, canonical."""
        source = _GROUP.sub(lambda group: " ".join(_in_english(word, filling, self.words)
                                                   for word in _words(group[1])), self.source)
        target = _GROUP.sub(lambda group: _in_french(_words(group[1]), filling, self.words), self.target)
        return normalise(_capital(english.joined(source))), normalise(_capital(french.joined(target)))

    def can_make(self, sentence: str) -> bool:
        """Whether some filling gives this English sentence, case, punctuation and spacing aside."""
        asked = make_match_key(sentence)
        return bool(self._outline.fullmatch(asked) and self._pattern.fullmatch(asked))

    @cached_property
    def _outline(self) -> re.Pattern[str]:
        """The pattern with anything in its groups: it costs little, and most sentences fail by it."""
        return re.compile(self._around(lambda group: ".+"))

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        return re.compile(self._around(lambda group: "".join(
            f"(?:{'|'.join(sorted(map(make_match_key, self._forms(word))))})" for word in _words(group))))  # fmt: skip

    def _around(self, written: Callable[[str], str]) -> str:
        """The words of the sentence as a pattern, with what is `written` for each group between them."""
        parts: list[str] = []
        for place, part in enumerate(_GROUP.split(self.source)):
            if place % 2:
                parts.append(written(part))
            else:
                parts += ["an?" if word.lower() == "a" else re.escape(make_match_key(word)) for word in part.split()]
        return "".join(parts)

    def _forms(self, word: Word) -> set[str]:
        """All that a word of a group may be in English."""
        if word.sign == "~":
            return set(_POSSESSIVES) | {"her"} if word.head == "my" else set(self.words.verbs[word.head].english)
        return {entry.english[word.plural] for entry in self.words.kinds[word.kind]}


def templates(name: str) -> list[Template]:
    """The templates of a file of this package. Raises TemplateError."""
    listed = tomllib.loads((FOLDER / f"{name}.toml").read_text(encoding="utf-8"))["templates"]
    words = lexicon()
    found = [Template(source, target, words) for source, target in listed]
    for template in found:
        template.slots  # noqa: B018 - which checks them
    return found


def made(name: str, draws: int, seed: int) -> Iterator[Pair]:
    """So many sentences of the templates of a file, drawn anew each, so that some come twice."""
    rng = random.Random(f"{seed} {name}")
    choices = templates(name)
    for _ in range(draws):
        yield rng.choice(choices).draw(rng)


def _words(group: str) -> list[Word]:
    found = []
    for text in group.split():
        match = _WORD.fullmatch(text)
        if match is None:
            raise TemplateError(f"{text!r} is no word of a template")
        found.append(Word(match["head"], bool(match["plural"]), match["sign"] or "", match["of"] or "",
                          bool(match["several"])))
    return found


def _in_english(word: Word, filling: Filling, words: Lexicon) -> str:
    if word.sign == "~":
        subject = filling[word.of]
        if word.head == "my":
            return "her" if (subject.entry.person, subject.gender) == (2, "f") else _POSSESSIVES[subject.entry.person]
        return words.verbs[word.head].english[subject.entry.person]
    return filling[word.head].entry.english[word.plural]


def _in_french(group: list[Word], filling: Filling, words: Lexicon) -> str:
    """A French phrase: determiner, what stands before the noun, the noun, what stands after it."""
    nouns = [word for word in group
             if word.sign != "~" and word.head in filling and not filling[word.head].entry.adjective]
    if not nouns:
        return " ".join(_alone(word, filling, words) for word in group)
    noun = nouns[0]
    drawn = filling[noun.head]
    several = noun.plural or drawn.entry.plural
    gender = _gender(noun, filling)
    name = drawn.entry.french[gender, several]
    before: list[str] = []
    after: list[str] = []
    for word in group:
        one = filling.get(word.head)
        if one is None or not one.entry.adjective:
            continue
        form = one.entry.french[gender, several]
        if one.entry.before and one.entry.vowel and (gender, several) == ("m", False) \
                and french.begins_with_vowel(name):
            form = one.entry.vowel
        (before if one.entry.before else after).append(form)
    phrase = " ".join([*before, name, *after])
    lead = ""
    for word in group:
        if word.head in _PREPOSITIONS:
            lead = _placed(word.head, drawn.entry, gender)
        elif word.head in french.DETERMINERS:
            lemma = french.POSSESSIVES[filling[word.of].entry.person] if word.sign == "~" else word.head
            if lemma == "un" and several and before:
                lead = "de"  # de vieux chevaux
            elif drawn.entry.article or lemma != "le":
                lead = french.determiner(lemma, gender, several, phrase)
    return f"{lead} {phrase}".strip()


def _placed(preposition: str, place: Entry, gender: str) -> str:
    """What "in", "to" and "from" are before a place: en France, en Iran, au Japon, aux Pays-Bas, à Cuba, de Séoul."""
    name = place.french[gender, place.plural]
    if not place.article:
        return "de" if preposition == "de" else "à"
    if place.plural:
        return "des" if preposition == "de" else "aux"
    if gender == "f" or french.begins_with_vowel(name):
        return "de" if preposition == "de" else "en"
    return "du" if preposition == "de" else "au"


def _alone(word: Word, filling: Filling, words: Lexicon) -> str:
    """A word that agrees with something outside of its group."""
    if word.sign == "~":
        return words.verbs[word.head].french[filling[word.of].entry.person]
    if word.sign == "=":
        other = filling[word.of]
        form = other.gender, word.several or other.entry.plural
        if word.head in filling:
            return filling[word.head].entry.french[form]
        if word.head in french.DETERMINERS:
            return french.determiner(word.head, *form)
        return french.forms(word.head)[form]
    one = filling[word.head]
    # A colour by itself is masculine: "ma couleur préférée est le vert", "peint en gris".
    own = "m" if one.entry.adjective and word.sign != "/" else _gender(word, filling)
    return one.entry.french[own, word.plural]


def _gender(word: Word, filling: Filling) -> str:
    """The gender that a slot is used in: its own, another slot's, or the one that is named."""
    if word.sign == "/":
        return word.of
    return filling[word.of].gender if word.sign == "=" else filling[word.head].gender


def _capital(sentence: str) -> str:
    return sentence[:1].upper() + sentence[1:]
