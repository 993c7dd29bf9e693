"""The written form of a hand-aligned file's tokens, and which tokens each of its characters comes from.

The Hansards of Och and Ney (2000) are cut into tokens, and their French is undone further: "des" is two tokens, de les,
and "l'" is le. No model of real text has seen such French. Here it is written again by rules, as far as rules go:

- *contraction*: de le, de les, à le, à les become du, des, au, aux; not before a vowel ("de l'ordre"), nor where le and
  les are pronouns before an infinitive ("à le faire"), which its ending gives away;
- *elision*: le, la, de, que, je, ne, me, te, se, ce and a few more lose their vowel before a vowel or a mute h, not
  after a hyphen ("dis-le encore"); ce only before forms of être; si before il and ils;
- *hyphen*: words around one are joined to it; *spacing*: signs stand at the word they belong to;
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
RULES: tuple[Rule, ...] = ("contraction", "elision", "hyphen", "spacing", "capital")

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
    """`text`, in canonical form, and for each of its characters the tokens it comes from (none: a space).

    A contraction comes from two tokens. `rules`: those that changed something.
    """

    text: str
    token_indices: tuple[tuple[int, ...], ...]
    rules: frozenset[Rule]


def detokenize(tokens: Sequence[str], language: str) -> DetokenizedText:
    """The written form of a line's tokens. Every token owns at least one character, in order."""
    parts: list[tuple[str, tuple[int, ...]]] = []
    rules: set[Rule] = set()
    number = 0
    while number < len(tokens):
        token: str = normalise(tokens[number])
        text, following = token, tokens[number + 1 : number + 3]
        owners: tuple[int, ...] = (number,)
        if language == "en" and token == "i":
            text = "I"
            rules.add("capital")
        if language == "fr":
            contracted = _contraction(token, following)
            if contracted:
                text, owners = contracted, (number, number + 1)
                rules.add("contraction")
            elif following and (not parts or parts[-1][0] != "-") and _elides(token, following[0]):
                text = _elided(token)
                rules.add("elision")
        parts.append((text, owners))
        number += len(owners)
    characters: list[str] = []
    owned: list[tuple[int, ...]] = []
    quoting = False
    for place, (text, owned_by) in enumerate(parts):
        before = parts[place - 1][0] if place else ""
        joined = _joined([part for part, _ in parts], place, quoting)
        if place and joined is None:
            characters.append(" ")
            owned.append(())
        elif joined is not None and not before.endswith("'"):
            rules.add(joined)
        if text == '"':
            quoting = not quoting
        characters += text
        owned += [owned_by] * len(text)
    if characters and characters[0].islower():
        characters[0] = characters[0].upper()[:1]  # a letter stays a letter: "ß" would become two
        rules.add("capital")
    return DetokenizedText("".join(characters), tuple(owned), frozenset(rules))


def _contraction(token: str, following: Sequence[str]) -> str:
    """What these two tokens are contracted to, "" if they are not."""
    found = _CONTRACTED.get((token.lower(), following[0])) if following else None
    if found is None:
        return ""
    further = following[1] if len(following) > 1 else ""
    if following[0] == "le" and _begins_with_vowel(further):
        return ""
    if _INFINITIVE.search(further) and further not in _NOUNS:
        return ""
    return found.capitalize() if token[0].isupper() else found


def _elides(token: str, following: str) -> bool:
    word = token.lower()
    if word == "si":
        return following in ("il", "ils")
    if word == "quelque":
        return following in ("un", "une")
    if word == "ce":
        return following in _AFTER_CE
    return word in _ELIDED and _begins_with_vowel(following)


def _elided(token: str) -> str:
    return token[:-1] + "'"


def _begins_with_vowel(word: str) -> bool:
    return languages.get_language("fr").elision_triggers.match(word) is not None


def _joined(parts: Sequence[str], place: int, quoting: bool) -> Rule | None:
    """The rule by which a part follows the one before without a space, None if a space comes between."""
    if not place:
        return None
    before, here = parts[place - 1], parts[place]
    if before.endswith("'") and here.startswith("'"):
        return None  # two apostrophes together are a quotation mark
    if before.endswith("'"):
        return "elision"
    if here in _CLOSING or before in _OPENING:
        return "spacing"
    if here == '"' or before == '"':  # an opening one stands at the word after it, a closing one at that before
        return "spacing" if quoting else None
    if "-" in (here, before):
        dash = place if here == "-" else place - 1
        if 0 < dash < len(parts) - 1 and _is_word(parts[dash - 1]) and _is_word(parts[dash + 1]):
            return "hyphen"
    return None


def _is_word(text: str) -> bool:
    return text[-1:].isalnum() or text[:1].isalnum()
