"""Rooms for votes in a lecture: a code for the phones, one question at a time, and the choices of its readers.

A room stores choices by a random number of each browser, and nothing else about readers. Rooms are in this process's
memory. Everything here runs in the server's event loop, hence without locks.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, Literal, TypedDict

LETTERS = "BCDFGHJKMPQRSTVWXYZ"
"""Of codes: no vowels, hence no words, and no letter that is easily taken for another letter or a digit."""
CODE_LENGTH = 6
LETTER_OPTION = "--room-letter"

MAX_ROOMS = 20
MAX_ROOMS_PER_ADDRESS = 5
MAX_READERS = 200  # of a room
MAX_IDLE_SECONDS = 2 * 3600.0  # without its owner a room ends
LEFT_SECONDS = 600.0  # a room without its owner for so long gives way to a new one
AWAY_SECONDS = 60.0  # a phone that has not asked for so long counts as away
MAX_MISSES = 30  # unknown codes from one address in a minute
MAX_OPTIONS = 100
MAX_OPTION_CHARACTERS = 80
MAX_CHARACTERS = 2000  # of each other text of a question

Kind = Literal["attend", "next", "own"]
Phase = Literal["waiting", "open", "closed", "revealed", "over"]
Problem = Literal["unknown", "misses", "owner", "rooms", "readers", "closed", "changed", "question", "request",
                  "cookie"]  # fmt: skip


class RoomError(ValueError):
    """A request that is refused; `problem` says why."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem)
        self.problem: Problem = problem


class Question(TypedDict):
    """What is asked. `text`: the lecturer's own words. `source`, `target`: the sentence and its translation so far.
    `languages`: of both, as BCP 47 codes."""

    kind: Kind
    text: str
    source: str
    target: str
    languages: list[str]
    options: list[str]


class Answer(TypedDict):
    """The right option, if there is one, and each option's share of α or its probability, if it has one."""

    option: int | None
    shares: list[float] | None


class RoomState(TypedDict):
    """What a phone sees. `number`: of the question. `choice`: its own. `counts`, `answer`: once they are revealed."""

    version: int
    phase: Phase
    number: int
    question: Question | None
    choice: int | None
    counts: list[int] | None
    answer: Answer | None


class RoomCounts(TypedDict):
    """What the room's owner sees. `readers`: phones that are there."""

    phase: Phase
    number: int
    question: Question | None
    counts: list[int]
    readers: int
    answer: Answer | None


@dataclass
class Room:
    """One room. `change_event` is set, and replaced, when its phase changes.

    `readers_last_seen`: when each phone asked last.
    """

    code: str
    address: str
    owner_last_seen: float
    secret: str = field(default_factory=lambda: secrets.token_urlsafe(24))
    phase: Phase = "waiting"
    number: int = 0
    question: Question | None = None
    answer: Answer | None = None
    choices: dict[str, int] = field(default_factory=dict)
    readers_last_seen: dict[str, float] = field(default_factory=dict)
    version: int = 0
    num_waiting: int = 0
    change_event: asyncio.Event = field(default_factory=asyncio.Event)

    def set_phase(self, phase: Phase) -> None:
        """Set the phase, and wake everybody who waits for it."""
        self.phase = phase
        self.version += 1
        self.change_event.set()
        self.change_event = asyncio.Event()

    async def wait_for_change(self, version: int, seconds: float) -> None:
        """Wait until the room is no longer at `version`, for at most so many seconds."""
        if self.version != version or self.num_waiting >= MAX_READERS:
            return
        self.num_waiting += 1
        try:
            await asyncio.wait_for(self.change_event.wait(), seconds)
        except TimeoutError:
            pass
        finally:
            self.num_waiting -= 1

    def count_choices(self) -> list[int]:
        counts = Counter(self.choices.values())
        return [counts[option] for option in range(len(self.question["options"]) if self.question else 0)]

    def get_state(self, reader: str) -> RoomState:
        is_revealed = self.phase == "revealed"
        return {"version": self.version, "phase": self.phase, "number": self.number, "question": self.question,
                "choice": self.choices.get(reader), "counts": self.count_choices() if is_revealed else None,
                "answer": self.answer if is_revealed else None}  # fmt: skip


class Rooms:
    """All rooms of this process. `letter`: the first letter of their codes, "" for any. By this letter a proxy before
    several processes sends each code to its process."""

    def __init__(self, letter: str = "", clock: Callable[[], float] = time.monotonic) -> None:
        self._letter = letter
        self._clock = clock
        self._rooms: dict[str, Room] = {}
        self._misses: Counter[str] = Counter()
        self._misses_since = -60.0

    def __len__(self) -> int:
        return len(self._rooms)

    # --- for readers

    def find(self, code: str, address: str, reader: str = "") -> Room:
        """Return the room of a code, in upper or lower case.

        An address that tried too many unknown codes is refused for the rest of the minute, except for readers who are
        in the room already: a class often has one address.
        """
        self._drop_idle_rooms()
        current_time = self._clock()
        if current_time - self._misses_since >= 60:
            self._misses.clear()
            self._misses_since = current_time
        room = self._rooms.get(code.upper())
        if self._misses[address] >= MAX_MISSES and not (room and reader in room.readers_last_seen):
            raise RoomError("misses")
        if room is None:
            self._misses[address] += 1
            raise RoomError("unknown")
        return room

    def join(self, room: Room, reader: str) -> None:
        """Note that a reader is there. Raises RoomError if the room is full."""
        current_time = self._clock()
        if reader not in room.readers_last_seen and len(room.readers_last_seen) >= MAX_READERS:
            absent_readers = [name for name, last_seen in room.readers_last_seen.items()
                              if current_time - last_seen > AWAY_SECONDS and name not in room.choices]  # fmt: skip
            for name in absent_readers:
                del room.readers_last_seen[name]
            if not absent_readers:
                raise RoomError("readers")
        room.readers_last_seen[reader] = current_time

    def choose(self, room: Room, reader: str, number: Any, option: Any) -> None:
        """Count a reader's choice for the question of that number, in place of an earlier one."""
        if type(number) is not int or type(option) is not int:
            raise RoomError("request")
        if number != room.number or room.question is None:
            raise RoomError("changed")
        if room.phase != "open":
            raise RoomError("closed")
        if not 0 <= option < len(room.question["options"]):
            raise RoomError("request")
        self.join(room, reader)
        room.choices[reader] = option

    # --- for the owner

    def open_room(self, address: str) -> Room:
        """Open a room. If there are too many, one that its owner has left gives way."""
        self._drop_idle_rooms()
        own_rooms = [room for room in self._rooms.values() if room.address == address]
        candidates = own_rooms if len(own_rooms) >= MAX_ROOMS_PER_ADDRESS else list(self._rooms.values())
        if len(own_rooms) >= MAX_ROOMS_PER_ADDRESS or len(self._rooms) >= MAX_ROOMS:
            abandoned_room = min(candidates, key=lambda room: room.owner_last_seen)
            if self._clock() - abandoned_room.owner_last_seen < LEFT_SECONDS:
                raise RoomError("rooms")
            self.end(abandoned_room)
        code = ""
        while not code or code in self._rooms:
            code = self._letter + "".join(secrets.choice(LETTERS) for _ in range(CODE_LENGTH - len(self._letter)))
        room = self._rooms[code] = Room(code, address, self._clock())
        return room

    def find_own(self, code: str, address: str, secret: str) -> Room:
        """Return the room of a code for its owner, who knows its secret and is never refused for others' misses."""
        room = self._rooms.get(code.upper())
        if not room or not secrets.compare_digest(room.secret.encode(), secret.encode(errors="replace")):
            self.find(code, address)
            self._misses[address] += 1
            raise RoomError("owner")
        room.owner_last_seen = self._clock()
        return room

    def ask(self, room: Room, question: Question) -> None:
        """Ask a question; the choices of the one before are forgotten."""
        room.question, room.answer = question, None
        room.choices.clear()
        room.number += 1
        room.set_phase("open")

    def close(self, room: Room) -> None:
        """Count no more choices."""
        self._move(room, "open", "closed")

    def reopen(self, room: Room) -> None:
        self._move(room, "closed", "open")

    def reveal(self, room: Room, answer: Answer) -> None:
        """Show readers the counts and the answer, which the room did not have before."""
        if room.phase not in ("open", "closed"):
            raise RoomError("changed")
        room.answer = answer
        room.set_phase("revealed")

    def end(self, room: Room) -> None:
        self._rooms.pop(room.code, None)
        room.choices.clear()
        room.readers_last_seen.clear()
        room.set_phase("over")

    def get_counts(self, room: Room) -> RoomCounts:
        oldest = self._clock() - AWAY_SECONDS
        return {"phase": room.phase, "number": room.number, "question": room.question,
                "counts": room.count_choices(), "answer": room.answer,
                "readers": sum(last_seen >= oldest for last_seen in room.readers_last_seen.values())}  # fmt: skip

    def _move(self, room: Room, old_phase: Phase, new_phase: Phase) -> None:
        if room.phase != old_phase:
            raise RoomError("changed")
        room.set_phase(new_phase)

    def _drop_idle_rooms(self) -> None:
        oldest = self._clock() - MAX_IDLE_SECONDS
        for room in [room for room in self._rooms.values() if room.owner_last_seen < oldest]:
            self.end(room)


def parse_question(value: Any) -> Question:
    """Check a question that a browser sent. Raises RoomError if it is none."""
    if not isinstance(value, Mapping) or value.get("kind") not in ("attend", "next", "own"):
        raise RoomError("question")
    options, languages = value.get("options"), value.get("languages")
    if not isinstance(options, list) or not 2 <= len(options) <= MAX_OPTIONS:
        raise RoomError("question")
    if not isinstance(languages, list) or len(languages) != 2:
        raise RoomError("question")
    texts = [_check_text(value.get(name), MAX_CHARACTERS) for name in ("text", "source", "target")]
    question: Question = {
        "kind": value["kind"], "text": texts[0], "source": texts[1], "target": texts[2],
        "languages": [_check_text(code, 20) for code in languages],
        "options": [_check_text(option, MAX_OPTION_CHARACTERS, 1) for option in options],
    }  # fmt: skip
    if question["kind"] == "own" and not question["text"]:
        raise RoomError("question")
    return question


def parse_answer(value: Any, room: Room) -> Answer:
    """Check the answer to a room's question."""
    count = len(room.question["options"]) if room.question else 0
    if not isinstance(value, Mapping):
        raise RoomError("question")
    option, shares = value.get("option"), value.get("shares")
    if option is not None and (type(option) is not int or not 0 <= option < count):
        raise RoomError("question")
    if shares is not None:
        is_list = isinstance(shares, list) and len(shares) == count
        if not is_list or not all(type(share) in (int, float) and 0 <= share <= 1 for share in shares):
            raise RoomError("question")
    return {"option": option, "shares": shares}


def parse_letter_option(arguments: list[str]) -> str:
    """Return the letter in `--room-letter B` or `--room-letter=B` of a command line, or "". Ends the program for none
    of LETTERS."""
    letters = [argument.partition("=")[2] for argument in arguments if argument.startswith(f"{LETTER_OPTION}=")]
    letters += [letter for option, letter in pairwise([*arguments, ""]) if option == LETTER_OPTION]
    if not letters:
        return ""
    if letters[0] not in tuple(LETTERS):
        raise SystemExit(f"{LETTER_OPTION} takes one of {LETTERS}.")
    return letters[0]


def _check_text(value: Any, longest: int, shortest: int = 0) -> str:
    """Return a text of acceptable length, without the spaces around it."""
    if not isinstance(value, str) or len(value) > longest:
        raise RoomError("question")
    text = value.encode("utf-8", "ignore").decode().strip()  # without lone surrogates, which no answer could carry
    if len(text) < shortest:
        raise RoomError("question")
    return text
