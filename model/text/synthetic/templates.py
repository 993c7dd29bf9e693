"""Sentence templates, filled so that both languages agree.

A template is a pair of sentences such as

    My {size animal} has {small food+}.      {mon size animal} a {small food+}.

A group in braces is a phrase whose words agree. A word of a group is a slot or a French determiner. A slot is named by
the kind of word that fills it, with a digit where a sentence has several of a kind, or is one of

    animal+         the plural
    colour=hat      agreement with another slot: an adjective, a participle ("parti"), a pronoun ("il"); "=hat+" agrees
                    with its plural
    job/f           the feminine
    eat~who         the form of a verb for a subject; "my~who", "mon~who": a possessive for a subject
    in country      "en", "de", "à" before places: en France, au Japon, à Cuba

The order of words in a French group does not matter: adjectives are placed by rule.
"""

from __future__ import annotations

import random
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from model.text.cleaning import Pair
from model.text.normalise import normalise
from model.text.synthetic import english, french
from model.text.synthetic.lexicon import FOLDER, Lexicon, LexiconEntry, load_lexicon

_GROUP = re.compile(r"\{([^{}]*)\}")
_WORD = re.compile(
    r"(?P<head>[^+~=/\s]+)(?P<plural>\+)?(?:(?P<operator>[~=/])(?P<referent>\w+)(?P<referent_plural>\+)?)?"
)
_POSSESSIVES = ("my", "your", "his", "our", "your", "their")
_PREPOSITIONS = ("en", "de", "à")
_GENDERS = {"mf": "mmmf"}  # French prefers the masculine where English leaves the gender open


@dataclass(frozen=True)
class SlotFiller:
    """The entry that fills a slot, and its gender."""

    entry: LexiconEntry
    gender: str


Filling = Mapping[str, SlotFiller]


class TemplateError(ValueError):
    """A template with a slot of unknown kind, or with slots that the two languages don't share."""


@dataclass(frozen=True)
class TemplateWord:
    """A parsed word of a group: `head`, "+", and an operator ("~", "=" or "/") with its slot or gender."""

    head: str
    is_plural: bool
    operator: str
    referent: str
    is_referent_plural: bool


@dataclass(frozen=True)
class Template:
    """A pair of sentences with slots, and the words that may fill them."""

    source: str
    target: str
    lexicon: Lexicon

    @cached_property
    def slots(self) -> tuple[str, ...]:
        """The slots of the English side, sorted. Raises TemplateError."""
        slots_by_side: list[set[str]] = []
        unknown: set[str] = set()
        for side, literals in ((self.source, frozenset[str]()), (self.target, french.DETERMINERS.union(_PREPOSITIONS))):
            slots: set[str] = set()
            for word in (word for group in _GROUP.findall(side) for word in _parse_group(group)):
                slots |= {word.referent} if word.operator in ("~", "=") else set()
                if word.operator == "~":
                    unknown |= {word.head} - self.lexicon.verbs.keys() - {"my"} - french.DETERMINERS
                elif _get_kind(word.head) in self.lexicon.entries_by_kind:
                    slots.add(word.head)
                elif word.operator != "=" and word.head not in literals:
                    unknown.add(word.head)
            slots_by_side.append(slots)
        source_slots, target_slots = slots_by_side
        unknown |= {slot for slot in source_slots if _get_kind(slot) not in self.lexicon.entries_by_kind}
        unknown |= target_slots - source_slots
        if unknown:
            raise TemplateError(f"the template {self.source!r} | {self.target!r} has slots that nothing fills: "
                                f"{', '.join(sorted(unknown))}")
        return tuple(sorted(source_slots))

    def sample(self, rng: random.Random) -> Pair:
        """Fill the slots at random; two slots of a kind get different words."""
        filling: dict[str, SlotFiller] = {}
        for slot in self.slots:
            choices = self.lexicon.entries_by_kind[_get_kind(slot)]
            used_words = [filler.entry.english for filler in filling.values()]
            entry = rng.choice(choices)
            while entry.english in used_words and len(choices) > len(used_words):
                entry = rng.choice(choices)
            filling[slot] = SlotFiller(entry, rng.choice(_GENDERS.get(entry.genders, entry.genders)))
        return self.fill_slots(filling)

    def fill_slots(self, filling: Filling) -> Pair:
        """Return the pair with these words in its slots, normalised."""
        source = _GROUP.sub(lambda group: " ".join(_render_english(word, filling, self.lexicon)
                                                   for word in _parse_group(group[1])), self.source)
        target = _GROUP.sub(lambda group: _render_french(_parse_group(group[1]), filling, self.lexicon), self.target)
        source, target = english.fix_articles(source), french.elide_and_contract(target)
        return normalise(_capitalise(source)), normalise(_capitalise(target))


def load_templates(name: str) -> list[Template]:
    """Read a template file of this package. Raises TemplateError."""
    pairs = tomllib.loads((FOLDER / f"{name}.toml").read_text(encoding="utf-8"))["templates"]
    templates = [Template(source, target, load_lexicon()) for source, target in pairs]
    for template in templates:
        template.slots  # noqa: B018 - the property raises for a wrong template
    return templates


def generate_pairs(name: str, count: int, seed: int) -> Iterator[Pair]:
    """Yield `count` pairs from the templates of a file; some may be equal."""
    rng = random.Random(f"{seed} {name}")
    templates = load_templates(name)
    for _ in range(count):
        yield rng.choice(templates).sample(rng)


def _get_kind(slot: str) -> str:
    return slot.rstrip("0123456789")


def _parse_group(group: str) -> list[TemplateWord]:
    words = []
    for text in group.split():
        match = _WORD.fullmatch(text)
        if match is None:
            raise TemplateError(f"{text!r} is no word of a template")
        operator, referent = match["operator"] or "", match["referent"] or ""
        is_plural, is_referent_plural = bool(match["plural"]), bool(match["referent_plural"])
        words.append(TemplateWord(match["head"], is_plural, operator, referent, is_referent_plural))
    return words


def _render_english(word: TemplateWord, filling: Filling, lexicon: Lexicon) -> str:
    if word.operator == "~":
        subject = filling[word.referent]
        if word.head == "my":
            return "her" if (subject.entry.person, subject.gender) == (2, "f") else _POSSESSIVES[subject.entry.person]
        return lexicon.verbs[word.head].english[subject.entry.person]
    return filling[word.head].entry.english[word.is_plural]


def _render_french(group: list[TemplateWord], filling: Filling, lexicon: Lexicon) -> str:
    """Render a noun phrase: determiner or preposition, adjectives before the noun, noun, adjectives after it."""
    candidates = (word for word in group if word.operator != "~" and word.head in filling)
    noun = next((word for word in candidates if not filling[word.head].entry.is_adjective), None)
    if noun is None:
        return " ".join(_render_agreeing_word(word, filling, lexicon) for word in group)
    entry = filling[noun.head].entry
    is_plural = noun.is_plural or entry.is_plural
    gender = _find_gender(noun, filling)
    noun_form = entry.french[gender, is_plural]
    preceding_adjectives: list[str] = []
    following_adjectives: list[str] = []
    for word in group:
        filler = filling.get(word.head)
        if filler is None or not filler.entry.is_adjective:
            continue
        adjective = filler.entry
        form = adjective.french[gender, is_plural]
        if adjective.precedes_noun and adjective.vowel_form and (gender, is_plural) == ("m", False) \
                and french.begins_with_vowel(noun_form):
            form = adjective.vowel_form
        (preceding_adjectives if adjective.precedes_noun else following_adjectives).append(form)
    phrase = " ".join([*preceding_adjectives, noun_form, *following_adjectives])
    prefix = ""
    for word in group:
        if word.head in _PREPOSITIONS:
            prefix = _choose_preposition(word.head, entry, gender)
        elif word.head in french.DETERMINERS:
            lemma = french.POSSESSIVES[filling[word.referent].entry.person] if word.operator == "~" else word.head
            if lemma == "un" and is_plural and preceding_adjectives:
                prefix = "de"  # de vieux chevaux
            elif entry.article or lemma != "le":
                prefix = french.inflect_determiner(lemma, gender, is_plural, phrase)
    return f"{prefix} {phrase}".strip()


def _choose_preposition(preposition: str, place: LexiconEntry, gender: str) -> str:
    """Return "in", "to" or "from" before a place: en France, en Iran, au Japon, aux Pays-Bas, à Cuba, de Séoul."""
    name = place.french[gender, place.is_plural]
    if not place.article:
        return "de" if preposition == "de" else "à"
    if place.is_plural:
        return "des" if preposition == "de" else "aux"
    if gender == "f" or french.begins_with_vowel(name):
        return "de" if preposition == "de" else "en"
    return "du" if preposition == "de" else "au"


def _render_agreeing_word(word: TemplateWord, filling: Filling, lexicon: Lexicon) -> str:
    """Render a word that agrees with a slot outside its group."""
    if word.operator == "~":
        return lexicon.verbs[word.head].french[filling[word.referent].entry.person]
    if word.operator == "=":
        referent = filling[word.referent]
        form = referent.gender, word.is_referent_plural or referent.entry.is_plural
        if word.head in filling:
            return filling[word.head].entry.french[form]
        if word.head in french.DETERMINERS:
            return french.inflect_determiner(word.head, *form)
        return french.build_forms(word.head)[form]
    entry = filling[word.head].entry
    # A colour alone is masculine: "ma couleur préférée est le vert", "peint en gris".
    gender = "m" if entry.is_adjective and word.operator != "/" else _find_gender(word, filling)
    return entry.french[gender, word.is_plural]


def _find_gender(word: TemplateWord, filling: Filling) -> str:
    """Return the gender of a slot: its own, another slot's ("="), or the one named ("/")."""
    if word.operator == "/":
        return word.referent
    return filling[word.referent].gender if word.operator == "=" else filling[word.head].gender


def _capitalise(sentence: str) -> str:
    return sentence[:1].upper() + sentence[1:]
