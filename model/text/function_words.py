"""Which words carry content: all but a short, closed list of articles, pronouns, auxiliaries and the commonest
prepositions and conjunctions of English and French.

Negations and modal verbs count as content: a translation that loses them says something else.
"""

from __future__ import annotations

from model.text.words import LANGUAGES, Language

_ENGLISH = """
a an the this that these those
i you he she it we they me him her us them my your his its our their who whom whose which what there
am is are was were be been being have has had having do does did will would shall
of to in on at by for with from into as than and or but if so
"""
_FRENCH = """
le la les l' un une des du de d' au aux ce cet cette ces c' ceux celle celles celui cela ça
je j' tu il elle on nous vous ils elles me m' te t' t se s' lui leur leurs y en soi eux moi toi
mon ma mes ton ta tes son sa ses notre nos votre vos qui que qu' dont où quel quelle quels quelles
suis es est sommes êtes sont étais était étions étiez étaient serai sera serons seront serait soit soient
être été étant ai as a avons avez ont avais avait avions avaient aurai aura aurons auront aurait ait aient
avoir eu ayant ne n' à dans sur par pour avec et ou mais si comme
"""
_LISTS: dict[Language, frozenset[str]] = {"en": frozenset(_ENGLISH.split()), "fr": frozenset(_FRENCH.split())}


def is_word(text: str) -> bool:
    """Whether `text` holds a letter or a digit: the others are punctuation."""
    return any(character.isalnum() for character in text)


def is_content(word: str, language: Language) -> bool:
    """Whether a word (as `split_words` gives it) carries content; of a hyphened word one part is enough.

    Raises ValueError for a language that is neither "en" nor "fr".
    """
    if language not in LANGUAGES:
        raise ValueError(f"the words of {language!r} are not known; choose 'en' or 'fr'")
    return any(is_word(part) and part not in _LISTS[language] for part in word.casefold().split("-"))
