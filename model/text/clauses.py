"""A sentence cut into clauses, so that it can be fed to a model one clause more at a time.

The cuts are those of punctuation and of a short list of words that begin a clause in a language
(model/text/languages.py); no grammar is known.
"""

from __future__ import annotations

import re
from itertools import pairwise

from model.text import languages
from model.text.languages import Language
from model.text.words import is_content_word

MIN_CLAUSE_WORDS = 4  # words of a clause, at least
STRIDE_WORDS = 5  # words by which a sentence grows that has no clauses
MAX_CLAUSES = 16  # clauses

_STOP = re.compile(r"[,;:.!?][\"')\]]*$|^-$")
_CLOSING = re.compile(r"[\s,;:\"'()\[\]-]+$")
_END = re.compile(r"[.!?]+[\"')\]]*$")


def split_clauses(sentence: str, language: str) -> tuple[str, ...]:
    """The clauses of a normalised sentence, in order; put together with spaces they are the sentence again.

    A clause ends at punctuation or before a conjunction or relative ("that" after a preposition is none), and has at
    least SHORTEST words; of places too near each other the first one counts, and punctuation more than a word. A
    sentence without such places is cut after about STRIDE words each time. There are at most MOST: a text of many
    clauses gets longer ones. A word, that is what stands between two spaces, is never cut. () for an empty sentence.
    """
    tokens, rules = sentence.split(), languages.get_language(language)
    shortest = MIN_CLAUSE_WORDS
    cuts = _find_cuts(tokens, shortest, rules)
    while len(cuts) >= MAX_CLAUSES:
        shortest += 1 + shortest // 4
        cuts = _find_cuts(tokens, shortest, rules)
    if not cuts and len(tokens) >= 2 * MIN_CLAUSE_WORDS:
        cuts = _find_stride_cuts(tokens, rules)
    edges = [0, *cuts, len(tokens)]
    return tuple(" ".join(tokens[start:end]) for start, end in pairwise(edges) if start < end)


def build_prefixes(sentence: str, language: str) -> tuple[str, ...]:
    """The sentence growing: its first clause, its first two, … and the whole sentence, normalised, as it is.

    What stands at the open end of an unfinished one (a comma, a bracket) gives way to the sentence's own full stop,
    question or exclamation mark, if it has one, so that every step is a sentence such as the models know.
    """
    parts = split_clauses(sentence, language)
    end = _END.search(parts[-1]) if parts else None
    mark = end.group().rstrip("\"')]") if end else ""
    grown = []
    for count in range(1, len(parts)):
        text = _CLOSING.sub("", " ".join(parts[:count]))
        if text:  # of signs alone nothing is left
            grown.append(text if text.endswith((".", "!", "?")) else text + mark)
    return (*grown, " ".join(parts)) if parts else ()


def _find_cuts(tokens: list[str], shortest: int, rules: Language) -> list[int]:
    """Before which tokens the sentence is cut. Where a word opens a clause, `shortest` words have to follow before the
    next punctuation too: that is the stronger place."""
    ends = [len(tokens)] * (len(tokens) + 1)  # where the punctuation after each token is
    for place in range(len(tokens) - 1, 0, -1):
        ends[place - 1] = place if _ends_clause(tokens[place - 1], rules) else ends[place]
    cuts: list[int] = []
    last = 0
    for place in range(shortest, len(tokens) - shortest + 1):
        if place - last < shortest:
            continue
        if _ends_clause(tokens[place - 1], rules) or (
            _opens_clause(tokens, place, rules) and ends[place] - place >= shortest
        ):
            cuts.append(place)
            last = place
    return cuts


def _find_stride_cuts(tokens: list[str], rules: Language) -> list[int]:
    """Cuts about STRIDE words apart, moved by at most two so as not to come after a function word ("sleeps on |")."""
    parts = min(MAX_CLAUSES, max(2, round(len(tokens) / STRIDE_WORDS)))
    cuts = []
    for part in range(1, parts):
        place = len(tokens) * part // parts
        near = [place, place - 1, place + 1, place - 2, place + 2]
        cuts.append(next((cut for cut in near if is_content_word(tokens[cut - 1].strip("\"'()[]"), rules.code)), place))
    return cuts


def _ends_clause(token: str, rules: Language) -> bool:
    return bool(_STOP.search(token)) and not rules.is_abbreviation(token.casefold())


def _opens_clause(tokens: list[str], place: int, rules: Language) -> bool:
    word = tokens[place].lstrip("\"'([").rstrip(",").casefold()
    if word not in rules.clause_openers:
        return False
    return word != "that" or tokens[place - 1].casefold() not in rules.that_blockers
