"""A sentence cut into clauses, so that it can be fed to a model one clause more at a time.

The cuts are those of punctuation and of a short list of English words that begin a clause; no grammar is known.
"""

from __future__ import annotations

import re
from itertools import pairwise

from model.text.function_words import is_content
from model.text.normalise import normalise

SHORTEST = 4  # words of a clause, at least
STRIDE = 5  # words by which a sentence grows that has no clauses
MOST = 16  # clauses

_OPENERS = frozenset(
    ["and", "but", "or", "nor", "yet", "that", "which", "who", "whom", "whose", "because", "although", "though",
     "while", "whereas", "when", "where", "if", "unless", "until", "since", "before", "after", "whether"]
)  # fmt: skip
_BEFORE_NOUNS = frozenset(["of", "in", "on", "at", "by", "for", "with", "from", "to", "about", "than", "all", "like"])
_TITLES = frozenset(["mr.", "mrs.", "ms.", "dr.", "st.", "no.", "e.g.", "i.e."])
_STOP = re.compile(r"[,;:.!?][\"')\]]*$|^-$")
_CLOSING = re.compile(r"[\s,;:\"'()\[\]-]+$")
_END = re.compile(r"[.!?]+[\"')\]]*$")


def clauses(sentence: str) -> tuple[str, ...]:
    """The clauses of a normalised English sentence, in order; put together with spaces they are the sentence again.

    A clause ends at punctuation or before a conjunction or relative ("that" after a preposition is none), and has at
    least SHORTEST words; of places too near each other the first one counts, and punctuation more than a word. A
    sentence without such places is cut after about STRIDE words each time. There are at most MOST: a text of many
    clauses gets longer ones. A word, that is what stands between two spaces, is never cut. () for an empty sentence.
    """
    tokens = normalise(sentence).split()
    shortest = SHORTEST
    cuts = _cuts(tokens, shortest)
    while len(cuts) >= MOST:
        shortest += 1 + shortest // 4
        cuts = _cuts(tokens, shortest)
    if not cuts and len(tokens) >= 2 * SHORTEST:
        cuts = _strides(tokens)
    edges = [0, *cuts, len(tokens)]
    return tuple(" ".join(tokens[start:end]) for start, end in pairwise(edges) if start < end)


def prefixes(sentence: str) -> tuple[str, ...]:
    """The sentence growing: its first clause, its first two, … and the whole sentence, normalised, as it is.

    What stands at the open end of an unfinished one (a comma, a bracket) gives way to the sentence's own full stop,
    question or exclamation mark, if it has one, so that every step is a sentence such as the models know.
    """
    parts = clauses(sentence)
    end = _END.search(parts[-1]) if parts else None
    mark = end.group().rstrip("\"')]") if end else ""
    grown = []
    for count in range(1, len(parts)):
        text = _CLOSING.sub("", " ".join(parts[:count]))
        grown.append(text if text.endswith((".", "!", "?")) else text + mark)
    return (*grown, " ".join(parts)) if parts else ()


def _cuts(tokens: list[str], shortest: int) -> list[int]:
    """Before which tokens the sentence is cut. Where a word opens a clause, `shortest` words have to follow before the
    next punctuation too: that is the stronger place."""
    ends = [len(tokens)] * (len(tokens) + 1)  # where the punctuation after each token is
    for place in range(len(tokens) - 1, 0, -1):
        ends[place - 1] = place if _stops(tokens[place - 1]) else ends[place]
    cuts: list[int] = []
    last = 0
    for place in range(shortest, len(tokens) - shortest + 1):
        if place - last < shortest:
            continue
        if _stops(tokens[place - 1]) or (_opens(tokens, place) and ends[place] - place >= shortest):
            cuts.append(place)
            last = place
    return cuts


def _strides(tokens: list[str]) -> list[int]:
    """Cuts about STRIDE words apart, moved by at most two so as not to come after a function word ("sleeps on |")."""
    parts = min(MOST, max(2, round(len(tokens) / STRIDE)))
    cuts = []
    for part in range(1, parts):
        place = len(tokens) * part // parts
        near = [place, place - 1, place + 1, place - 2, place + 2]
        cuts.append(next((cut for cut in near if is_content(tokens[cut - 1].strip("\"'()[]"), "en")), place))
    return cuts


def _stops(token: str) -> bool:
    return bool(_STOP.search(token)) and token.casefold() not in _TITLES


def _opens(tokens: list[str], place: int) -> bool:
    word = tokens[place].lstrip("\"'([").rstrip(",").casefold()
    if word not in _OPENERS:
        return False
    return word != "that" or tokens[place - 1].casefold() not in _BEFORE_NOUNS
