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
from model.text.synthetic.lexicon import FOLDER, Lexicon, LexiconEntry, load_lexicon

_GROUP = re.compile(r"\{([^{}]*)\}")
_WORD = re.compile(r"(?P<head>[^+~=/\s]+)(?P<plural>\+)?(?:(?P<sign>[~=/])(?P<of>\w+)(?P<several>\+)?)?")
_POSSESSIVES = ("my", "your", "his", "our", "your", "their")
_PREPOSITIONS = ("en", "de", "à")
_GENDERS = {"mf": "mmmf"}  # where English says neither, French mostly has the masculine


@dataclass(frozen=True)
class SlotFiller:
    """What a slot was filled with, as which gender."""

    entry: LexiconEntry
    gender: str


Filling = Mapping[str, SlotFiller]


class TemplateError(ValueError):
    """A template that can't be filled: a slot of no known kind, or slots that the two languages don't share."""


@dataclass(frozen=True)
class TemplateWord:
    """A word of a group, taken apart."""

    head: str
    is_plural: bool
    sign: str
    referent: str
    is_referent_plural: bool

    @property
    def slot_kind(self) -> str:
        return self.head.rstrip("0123456789")


@dataclass(frozen=True)
class Template:
    """A pair of sentences with slots, and the words that may fill them."""

    source: str
    target: str
    lexicon: Lexicon

    @cached_property
    def slots(self) -> tuple[str, ...]:
        """The slots of both sides, sorted. Raises TemplateError."""
        found: list[set[str]] = []
        unknown: set[str] = set()
        for side, literal in ((self.source, frozenset[str]()), (self.target, french.DETERMINERS.union(_PREPOSITIONS))):
            slots: set[str] = set()
            for word in (word for group in _GROUP.findall(side) for word in _parse_group(group)):
                slots |= {word.referent} if word.sign in ("~", "=") else set()
                if word.sign == "~":
                    unknown |= {word.head} - self.lexicon.verbs.keys() - {"my"} - french.DETERMINERS
                elif word.slot_kind in self.lexicon.entries_by_kind:
                    slots.add(word.head)
                elif word.sign != "=" and word.head not in literal:
                    unknown.add(word.head)
            found.append(slots)
        unknown |= {slot for slot in found[0] if slot.rstrip("0123456789") not in self.lexicon.entries_by_kind}
        unknown |= found[1] - found[0]
        if unknown:
            raise TemplateError(f"the template {self.source!r} | {self.target!r} has slots that nothing fills: "
                                f"{', '.join(sorted(unknown))}")
        return tuple(sorted(found[0]))

    def sample(self, rng: random.Random) -> Pair:
        """The sentences with words drawn at random; two slots of a kind get different words."""
        filling: dict[str, SlotFiller] = {}
        for slot in self.slots:
            choices = self.lexicon.entries_by_kind[slot.rstrip("0123456789")]
            taken = [one.entry.english for one in filling.values()]
            entry = rng.choice(choices)
            while entry.english in taken and len(choices) > len(taken):
                entry = rng.choice(choices)
            filling[slot] = SlotFiller(entry, rng.choice(_GENDERS.get(entry.genders, entry.genders)))
        return self.fill_slots(filling)

    def fill_slots(self, filling: Filling) -> Pair:
        """The sentences with these words, canonical."""
        source = _GROUP.sub(lambda group: " ".join(_render_english(word, filling, self.lexicon)
                                                   for word in _parse_group(group[1])), self.source)
        target = _GROUP.sub(lambda group: _render_french(_parse_group(group[1]), filling, self.lexicon), self.target)
        return normalise(_capitalise(english.fix_articles(source))), normalise(_capitalise(french.elide_and_contract(target)))

    def can_generate(self, sentence: str) -> bool:
        """Whether some filling gives this English sentence, case, punctuation and spacing aside."""
        asked = make_match_key(sentence)
        return bool(self._coarse_pattern.fullmatch(asked) and self._pattern.fullmatch(asked))

    @cached_property
    def _coarse_pattern(self) -> re.Pattern[str]:
        """The pattern with anything in its groups: it costs little, and most sentences fail by it."""
        return re.compile(self._build_pattern(lambda group: ".+"))

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        return re.compile(self._build_pattern(lambda group: "".join(
            f"(?:{'|'.join(sorted(map(make_match_key, self._list_english_forms(word))))})" for word in _parse_group(group))))  # fmt: skip

    def _build_pattern(self, written: Callable[[str], str]) -> str:
        """The words of the sentence as a pattern, with what is `written` for each group between them."""
        parts: list[str] = []
        for place, part in enumerate(_GROUP.split(self.source)):
            if place % 2:
                parts.append(written(part))
            else:
                parts += ["an?" if word.lower() == "a" else re.escape(make_match_key(word)) for word in part.split()]
        return "".join(parts)

    def _list_english_forms(self, word: TemplateWord) -> set[str]:
        """All that a word of a group may be in English."""
        if word.sign == "~":
            return set(_POSSESSIVES) | {"her"} if word.head == "my" else set(self.lexicon.verbs[word.head].english)
        return {entry.english[word.is_plural] for entry in self.lexicon.entries_by_kind[word.slot_kind]}


def load_templates(name: str) -> list[Template]:
    """The templates of a file of this package. Raises TemplateError."""
    listed = tomllib.loads((FOLDER / f"{name}.toml").read_text(encoding="utf-8"))["templates"]
    words = load_lexicon()
    found = [Template(source, target, words) for source, target in listed]
    for template in found:
        template.slots  # noqa: B018 - which checks them
    return found


def generate_pairs(name: str, count: int, seed: int) -> Iterator[Pair]:
    """So many sentences of the templates of a file, drawn anew each, so that some come twice."""
    rng = random.Random(f"{seed} {name}")
    choices = load_templates(name)
    for _ in range(count):
        yield rng.choice(choices).sample(rng)


def _parse_group(group: str) -> list[TemplateWord]:
    found = []
    for text in group.split():
        match = _WORD.fullmatch(text)
        if match is None:
            raise TemplateError(f"{text!r} is no word of a template")
        found.append(TemplateWord(match["head"], bool(match["plural"]), match["sign"] or "", match["of"] or "",
                          bool(match["several"])))
    return found


def _render_english(word: TemplateWord, filling: Filling, words: Lexicon) -> str:
    if word.sign == "~":
        subject = filling[word.referent]
        if word.head == "my":
            return "her" if (subject.entry.person, subject.gender) == (2, "f") else _POSSESSIVES[subject.entry.person]
        return words.verbs[word.head].english[subject.entry.person]
    return filling[word.head].entry.english[word.is_plural]


def _render_french(group: list[TemplateWord], filling: Filling, words: Lexicon) -> str:
    """A French phrase: determiner, what stands before the noun, the noun, what stands after it."""
    nouns = [word for word in group
             if word.sign != "~" and word.head in filling and not filling[word.head].entry.is_adjective]
    if not nouns:
        return " ".join(_render_agreeing_word(word, filling, words) for word in group)
    noun = nouns[0]
    drawn = filling[noun.head]
    several = noun.is_plural or drawn.entry.is_plural
    gender = _find_gender(noun, filling)
    name = drawn.entry.french[gender, several]
    before: list[str] = []
    after: list[str] = []
    for word in group:
        one = filling.get(word.head)
        if one is None or not one.entry.is_adjective:
            continue
        form = one.entry.french[gender, several]
        if one.entry.precedes_noun and one.entry.vowel_form and (gender, several) == ("m", False) \
                and french.begins_with_vowel(name):
            form = one.entry.vowel_form
        (before if one.entry.precedes_noun else after).append(form)
    phrase = " ".join([*before, name, *after])
    lead = ""
    for word in group:
        if word.head in _PREPOSITIONS:
            lead = _choose_preposition(word.head, drawn.entry, gender)
        elif word.head in french.DETERMINERS:
            lemma = french.POSSESSIVES[filling[word.referent].entry.person] if word.sign == "~" else word.head
            if lemma == "un" and several and before:
                lead = "de"  # de vieux chevaux
            elif drawn.entry.article or lemma != "le":
                lead = french.inflect_determiner(lemma, gender, several, phrase)
    return f"{lead} {phrase}".strip()


def _choose_preposition(preposition: str, place: LexiconEntry, gender: str) -> str:
    """What "in", "to" and "from" are before a place: en France, en Iran, au Japon, aux Pays-Bas, à Cuba, de Séoul."""
    name = place.french[gender, place.is_plural]
    if not place.article:
        return "de" if preposition == "de" else "à"
    if place.is_plural:
        return "des" if preposition == "de" else "aux"
    if gender == "f" or french.begins_with_vowel(name):
        return "de" if preposition == "de" else "en"
    return "du" if preposition == "de" else "au"


def _render_agreeing_word(word: TemplateWord, filling: Filling, words: Lexicon) -> str:
    """A word that agrees with something outside of its group."""
    if word.sign == "~":
        return words.verbs[word.head].french[filling[word.referent].entry.person]
    if word.sign == "=":
        other = filling[word.referent]
        form = other.gender, word.is_referent_plural or other.entry.is_plural
        if word.head in filling:
            return filling[word.head].entry.french[form]
        if word.head in french.DETERMINERS:
            return french.inflect_determiner(word.head, *form)
        return french.build_forms(word.head)[form]
    one = filling[word.head]
    # A colour by itself is masculine: "ma couleur préférée est le vert", "peint en gris".
    own = "m" if one.entry.is_adjective and word.sign != "/" else _find_gender(word, filling)
    return one.entry.french[own, word.is_plural]


def _find_gender(word: TemplateWord, filling: Filling) -> str:
    """The gender that a slot is used in: its own, another slot's, or the one that is named."""
    if word.sign == "/":
        return word.referent
    return filling[word.referent].gender if word.sign == "=" else filling[word.head].gender


def _capitalise(sentence: str) -> str:
    return sentence[:1].upper() + sentence[1:]
