"""Toy tasks for a network that learns in a minute: letters, dates, numbers, and sentences with the order turned round.

A task makes sources by rule, and the one right target of each. A tenth of the sources of three and more tokens is never
trained on (`is_held_out`), so that accuracy is measured on sources that the network has not seen.
"""

from __future__ import annotations

import calendar
import re
import string
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random

from model.text.hangul import split_syllable
from model.text.synthetic.english import spell_number
from model.text.vocabulary import EOS, UNK

HELD_OUT_DIVISOR = 10  # one source in so many
MIN_HELD_OUT_TOKENS = 3  # of shorter ones there are too few
MAX_DRAWS = 10_000
MAX_INPUT_CHARACTERS = 200

Tokens = tuple[str, ...]


class TaskInputError(ValueError):
    """A reader's input that the task has no answer to. `reason` is "empty", "long" or "unknown", `part` the place."""

    def __init__(self, reason: str, part: str = "") -> None:
        super().__init__(f"the input is {reason}: {part}" if part else f"the input is {reason}")
        self.reason, self.part = reason, part


@dataclass(frozen=True)
class Task:
    """A toy task. Lengths count source tokens, without EOS.

    `draw`: makes a source of a length; 0 is any, for tasks without limits.
    `answer`: returns the target of a source; None if the tokens are not a source of this task.
    `split`: returns the tokens of a typed text.
    `lengths`: all lengths of sources, in order.
    `limits`: the longest lengths to train on that a reader may choose, the default first; empty if all are trained on.
    `examples`: fixed sources.
    `separator`, `target_separator`: between the tokens of a source or a target as text.
    """

    name: str
    alphabet: Tokens
    draw: Callable[[Random, int], Tokens]
    answer: Callable[[Tokens], Tokens | None]
    split: Callable[[str], Tokens]
    lengths: tuple[int, ...]
    limits: tuple[int, ...]
    examples: tuple[str, ...]
    separator: str = ""
    target_separator: str = ""

    def get_limit(self, limit: int) -> int:
        """Return the longest length to train on: the reader's, or the default if the task does not have it."""
        return limit if limit in self.limits else (self.limits or self.lengths[-1:])[0]

    def list_lengths(self, limit: int) -> list[int]:
        """Return the lengths that are trained on."""
        return [length for length in self.lengths if length <= limit or not self.limits]

    def list_longer(self, limit: int) -> list[int]:
        """Return the lengths beyond training, up to twice its longest."""
        return [length for length in self.lengths if self.limits and limit < length <= 2 * limit]

    def draw_pair(self, random: Random, length: int, *, held_out: bool) -> tuple[Tokens, Tokens]:
        """Draw a source, held out from training or not, and return it with its target."""
        for _ in range(MAX_DRAWS):
            source = self.draw(random, length)
            if held_out == is_held_out(source) or (held_out and length < MIN_HELD_OUT_TOKENS):
                target = self.answer(source)
                assert target is not None
                return source, target
        raise ValueError(f"the task {self.name} has no source of length {length}")

    def parse(self, text: str) -> tuple[Tokens, Tokens]:
        """Return the source and target of a typed text. Raises TaskInputError."""
        if len(text) > MAX_INPUT_CHARACTERS:
            raise TaskInputError("long")
        source = self.split(text)
        if not source:
            raise TaskInputError("empty")
        for token in source:
            if token not in self.alphabet:
                raise TaskInputError("unknown", token)
        if len(source) > 2 * max(self.limits or self.lengths):
            raise TaskInputError("long")
        target = self.answer(source)
        if target is None:
            raise TaskInputError("unknown", text.strip())
        return source, target


def is_held_out(source: Tokens) -> bool:
    """Return whether a source is never trained on."""
    return len(source) >= MIN_HELD_OUT_TOKENS and zlib.crc32(" ".join(source).encode()) % HELD_OUT_DIVISOR == 0


@dataclass(frozen=True)
class TaskVocabulary:
    """The ids of a task's tokens, after PAD, EOS and UNK."""

    tokens: Tokens

    def __len__(self) -> int:
        return len(self.tokens) + 3

    def encode(self, tokens: Sequence[str]) -> list[int]:
        """Return ids, EOS last."""
        return [*(self.tokens.index(token) + 3 for token in tokens), EOS]

    def decode(self, ids: Sequence[int]) -> list[str]:
        """Return the tokens of the ids; PAD, EOS and UNK are left out wherever they stand."""
        return [self.tokens[index - 3] for index in ids if index > UNK]


# ---- letters ----------------------------------------------------------------------------------------------------

_LETTERS = tuple(string.ascii_lowercase)
_LETTER_LIMITS = (12, 4, 6, 8, 10, 14, 16)


def _draw_letters(random: Random, length: int) -> Tokens:
    return tuple(random.choices(_LETTERS, k=length))


def _split_letters(text: str) -> Tokens:
    return tuple(text.lower().replace(" ", ""))


def _build_letter_task(name: str, answer: Callable[[Tokens], Tokens]) -> Task:
    return Task(name, _LETTERS, _draw_letters, answer, _split_letters, tuple(range(1, 33)), _LETTER_LIMITS,
                ("attention", "abcdefgh", "translator"))  # fmt: skip


# ---- dates ------------------------------------------------------------------------------------------------------

_MONTHS = tuple(calendar.month_name)[1:]
_DATE = re.compile(rf"(?:(\d\d?) ({'|'.join(_MONTHS)}) |({'|'.join(_MONTHS)}) (\d\d?), )(\d{{4}})")
_YEARS = (1900, 2099)


def _draw_date(random: Random, length: int) -> Tokens:
    while True:
        year, month = random.randint(*_YEARS), random.randint(1, 12)
        day, name = random.randint(1, calendar.monthrange(year, month)[1]), _MONTHS[month - 1]
        text = f"{day} {name} {year}" if random.random() < 0.5 else f"{name} {day}, {year}"
        if length in (0, len(text)):
            return tuple(text)


def _answer_date(source: Tokens) -> Tokens | None:
    match = _DATE.fullmatch("".join(source))
    if not match:
        return None
    day, month, year = int(match[1] or match[4]), _MONTHS.index(match[2] or match[3]) + 1, int(match[5])
    if not (_YEARS[0] <= year <= _YEARS[1] and 1 <= day <= calendar.monthrange(year, month)[1]):
        return None
    return tuple(f"{year}-{month:02}-{day:02}")


# ---- numbers ----------------------------------------------------------------------------------------------------


def _draw_number(random: Random, length: int) -> Tokens:
    return tuple(str(random.randint(10 ** (length - 1) if length > 1 else 0, 10**length - 1)))


def _answer_number(source: Tokens) -> Tokens | None:
    text = "".join(source)
    if not re.fullmatch("0|[1-9][0-9]{0,3}", text):
        return None
    return tuple(spell_number(int(text)).replace("-", " ").split())


_NUMBER_WORDS = tuple(sorted({word for number in range(10_000) for word in _answer_number(tuple(str(number))) or ()}))


# ---- word order -------------------------------------------------------------------------------------------------

# People whom the sentences are about, in English and in Korean. Particles follow the last sound of the Korean noun.
_PEOPLE = {
    "mother": "어머니", "teacher": "선생님", "friend": "친구", "doctor": "의사", "brother": "형", "son": "아들",
    "neighbour": "이웃", "student": "학생", "king": "왕", "singer": "가수", "painter": "화가", "guest": "손님",
}  # fmt: skip
_VERBS = {"sees": "본다", "helps": "돕는다", "knows": "안다", "calls": "부른다", "visits": "방문한다", 
          "meets": "만난다", "paints": "그린다", "praises": "칭찬한다"}  # fmt: skip
_PHRASE = rf"the (?:{'|'.join(_PEOPLE)})(?: of the (?:{'|'.join(_PEOPLE)}))*"
_SENTENCE = re.compile(rf"({_PHRASE}) ({'|'.join(_VERBS)}) ({_PHRASE})")


def _has_final_consonant(noun: str) -> bool:
    return split_syllable(noun[-1])[2] != ""


def _draw_sentence(random: Random, length: int) -> Tokens:
    """Draw "the PERSON (of the PERSON)* VERB the PERSON (of the PERSON)*": 5 words, and 3 more for each "of"."""
    chains = (length - 5) // 3
    first_count = random.randint(0, chains)
    phrases = []
    for count in (first_count, chains - first_count):
        people = random.choices(list(_PEOPLE), k=count + 1)
        phrases.append(["the", people[0], *(word for person in people[1:] for word in ("of", "the", person))])
    return (*phrases[0], random.choice(list(_VERBS)), *phrases[1])


def _answer_sentence(source: Tokens) -> Tokens | None:
    """Put the verb last, and each chain of people in the opposite order, joined by 의."""
    match = _SENTENCE.fullmatch(" ".join(source))
    if not match:
        return None
    words: list[str] = []
    for phrase, after_consonant, after_vowel in ((match[1], "이", "가"), (match[3], "을", "를")):
        *owners, last = [_PEOPLE[word] for word in reversed(phrase.split()) if word in _PEOPLE]
        words += [part for noun in owners for part in (noun, "의")]
        words += [last, after_consonant if _has_final_consonant(last) else after_vowel]
    return (*words, _VERBS[match[2]])


_ORDER_WORDS = ("the", "of", *_PEOPLE, *_VERBS, *_PEOPLE.values(), *_VERBS.values(), "의", "이", "가", "을", "를")

TASKS = {
    task.name: task
    for task in (
        _build_letter_task("reverse", lambda source: source[::-1]),
        _build_letter_task("copy", lambda source: source),
        _build_letter_task("sort", lambda source: tuple(sorted(source))),
        Task("dates", tuple(sorted({*"".join(_MONTHS), *string.digits, *" ,-"})), _draw_date, _answer_date,
             lambda text: tuple(" ".join(text.title().split())), tuple(range(10, 19)), (),
             ("5 March 2024", "December 31, 1999", "17 June 2058")),
        Task("numbers", (*string.digits, *_NUMBER_WORDS), _draw_number, _answer_number,
             lambda text: tuple(re.sub(r"[\s,]", "", text)), (1, 2, 3, 4), (4, 2, 3),
             ("4207", "99", "1860"), target_separator=" "),
        Task("order", _ORDER_WORDS, _draw_sentence, _answer_sentence, lambda text: tuple(text.lower().split()),
             tuple(range(5, 30, 3)), (11, 5, 8, 14),
             ("the student praises the teacher", "the friend of the teacher meets the doctor",
              "the son of the king sees the friend of the mother"), " ", " "),
    )
}  # fmt: skip
"""All tasks by name, in the order in which they are offered."""
