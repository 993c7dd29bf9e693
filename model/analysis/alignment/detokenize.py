"""Detokenise the hand-aligned Hansards to normal spelling, and record which tokens each character comes from.

The files of Och and Ney (2000) are tokenised, and French contractions and elisions are undone: "des" is "de les", "l'"
is "le". The models have seen only normal text. These rules restore it:

- *contraction*: de le, de les, à le, à les become du, des, au, aux. Exceptions: before a vowel ("de l'ordre"), and le
  or les as pronouns before an infinitive ("à le faire"), recognised by its ending;
- *elision*: le, la, de, que, je, ne, me, te, se, ce and a few more lose their vowel before a vowel or a mute h.
  Exceptions: after a hyphen ("dis-le encore"); ce only before est, était, étaient, eût and en; quelque only before un
  and une; si only before il and ils;
- *hyphen*: the words around a hyphen are joined; *spacing*: punctuation is attached to its word;
- *capital*: the first letter of the line, and the English I.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from model.text import languages
from model.text.normalise import normalise

Rule = Literal["contraction", "elision", "hyphen", "spacing", "capital"]
DETOKENIZATION_RULES: tuple[Rule, ...] = ("contraction", "elision", "hyphen", "spacing", "capital")

_CONTRACTED = {("de", "le"): "du", ("de", "les"): "des", ("à", "le"): "au", ("à", "les"): "aux"}
_ELIDED = frozenset(("le", "la", "de", "que", "je", "ne", "me", "te", "se",
                     "jusque", "lorsque", "puisque", "quoique"))  # fmt: skip
_AFTER_CE = frozenset(("est", "était", "étaient", "eût", "en"))
_INFINITIVE = re.compile(
    r"([^i]er|(if|ud|ubl|éd)ier|[^o]ir|(c?e|a|^|re|pré)voir|valoir|vouloir|savoir|([aeo]i?n|er|or|eu)dre|ettre|aître"
    r"|battre|ompre|(^|re|dé|satis)faire|traire|plaire|(^|re|é)lire|(^|re|pré|inter|contre)dire|crire|[uû]ire"
    r"|clure|(^|pour)suivre|(^|sur|re)vivre|croire|boire)$")  # fmt: skip
_NOUNS = frozenset(("avenir", "plaisir", "désir", "souvenir", "loisir", "tir", "cuir", "hiver", "danger", "étranger",
                    "boulanger", "fer", "enfer", "cancer", "ver", "cher", "cendre", "contraire"))  # fmt: skip
_CLOSING, _OPENING = frozenset((".", ",", ";", ":", "?", "!", ")", "...", "'s")), frozenset(("(", "$"))


@dataclass(frozen=True)
class DetokenizedText:
    """Detokenised text.

    Attributes:
        text: the text, normalised.
        token_indices: for each character the tokens that it comes from: none for a space, two for a contraction.
        rules: the rules that changed something.
    """

    text: str
    token_indices: tuple[tuple[int, ...], ...]
    rules: frozenset[Rule]


def detokenize(tokens: Sequence[str], language: str) -> DetokenizedText:
    """Detokenise a line. Every token has at least one character, in order."""
    parts: list[tuple[str, tuple[int, ...]]] = []
    rules: set[Rule] = set()
    index = 0
    while index < len(tokens):
        token: str = normalise(tokens[index])
        text, next_tokens = token, tokens[index + 1 : index + 3]
        indices: tuple[int, ...] = (index,)
        if language == "en" and token == "i":
            text = "I"
            rules.add("capital")
        if language == "fr":
            contraction = _contract(token, next_tokens)
            if contraction:
                text, indices = contraction, (index, index + 1)
                rules.add("contraction")
            elif next_tokens and (not parts or parts[-1][0] != "-") and _elides(token, next_tokens[0]):
                text = token[:-1] + "'"
                rules.add("elision")
        parts.append((text, indices))
        index += len(indices)
    characters: list[str] = []
    token_indices: list[tuple[int, ...]] = []
    is_in_quotes = False
    for position, (text, part_indices) in enumerate(parts):
        previous = parts[position - 1][0] if position else ""
        rule = _find_attaching_rule([part for part, _ in parts], position, is_in_quotes)
        if position and rule is None:
            characters.append(" ")
            token_indices.append(())
        elif rule is not None and not previous.endswith("'"):
            rules.add(rule)
        if text == '"':
            is_in_quotes = not is_in_quotes
        characters += text
        token_indices += [part_indices] * len(text)
    if characters and characters[0].islower():
        characters[0] = characters[0].upper()[:1]  # one letter: "ß" would become two
        rules.add("capital")
    return DetokenizedText("".join(characters), tuple(token_indices), frozenset(rules))


def _contract(token: str, next_tokens: Sequence[str]) -> str:
    """Return the contraction of `token` and the next one, "" if there is none."""
    contraction = _CONTRACTED.get((token.lower(), next_tokens[0])) if next_tokens else None
    if contraction is None:
        return ""
    second_next = next_tokens[1] if len(next_tokens) > 1 else ""
    if next_tokens[0] == "le" and _begins_with_vowel(second_next):
        return ""
    if _INFINITIVE.search(second_next) and second_next not in _NOUNS:
        return ""
    return contraction.capitalize() if token[0].isupper() else contraction


def _elides(token: str, next_token: str) -> bool:
    word = token.lower()
    if word == "si":
        return next_token in ("il", "ils")
    if word == "quelque":
        return next_token in ("un", "une")
    if word == "ce":
        return next_token in _AFTER_CE
    return word in _ELIDED and _begins_with_vowel(next_token)


def _begins_with_vowel(word: str) -> bool:
    return languages.get_language("fr").elision_triggers.match(word) is not None


def _find_attaching_rule(parts: Sequence[str], position: int, is_in_quotes: bool) -> Rule | None:
    """Return the rule that attaches a part to the one before it, None if a space separates them."""
    if not position:
        return None
    previous, current = parts[position - 1], parts[position]
    if previous.endswith("'") and current.startswith("'"):
        return None  # two apostrophes make a quotation mark
    if previous.endswith("'"):
        return "elision"
    if current in _CLOSING or previous in _OPENING:
        return "spacing"
    if current == '"' or previous == '"':  # attach an opening quote to the next word, a closing one to the word before
        return "spacing" if is_in_quotes else None
    if "-" in (current, previous):
        hyphen = position if current == "-" else position - 1
        if 0 < hyphen < len(parts) - 1 and _is_word(parts[hyphen - 1]) and _is_word(parts[hyphen + 1]):
            return "hyphen"
    return None


def _is_word(text: str) -> bool:
    return text[-1:].isalnum() or text[:1].isalnum()
