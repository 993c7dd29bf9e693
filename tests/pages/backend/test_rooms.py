"""Rooms for votes: who may do what, how choices are counted, and what bounds them."""

import asyncio
import json
from collections import Counter
from typing import Any

import pytest

from pages.ui.backend import rooms
from pages.ui.backend.rooms import Question, Room, RoomError, Rooms
from tests.coroutines import run_coroutine
from tests.hostile import CASES

QUESTION: Question = {"kind": "attend", "text": "", "source": "I am.", "target": "Je",
                      "languages": ["en", "fr"], "options": ["I", "am", "."]}  # fmt: skip


class Clock:
    """A clock that stands still."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


def open_room(letter: str = "") -> tuple[Rooms, Room, Clock]:
    """Return rooms with one room that asks a question."""
    clock = Clock()
    all_rooms = Rooms(letter, clock)
    room = all_rooms.open_room("teacher")
    all_rooms.ask(room, QUESTION)
    return all_rooms, room, clock


def get_problem(function: Any, *args: Any) -> str:
    """Return the problem of the RoomError that a call raises, "" for none."""
    try:
        function(*args)
    except RoomError as error:
        return error.problem
    return ""


@pytest.mark.verdict
def test_every_reader_has_one_choice_which_may_change_until_the_vote_is_closed() -> None:
    all_rooms, room, _ = open_room()
    for k in range(100):
        all_rooms.choose(room, f"reader {k}", 1, k % 2)
    all_rooms.choose(room, "reader 0", 1, 2)
    assert room.count_choices() == [49, 50, 1]
    assert [room.get_state("reader 0")[key] for key in ("choice", "counts", "answer")] == [2, None, None]
    all_rooms.close(room)
    assert get_problem(all_rooms.choose, room, "reader 1", 1, 2) == "closed"
    all_rooms.reopen(room)
    all_rooms.choose(room, "reader 1", 1, 2)
    all_rooms.reveal(room, {"option": 1, "shares": [0.1, 0.8, 0.1]})
    state = room.get_state("somebody else")
    assert (state["choice"], state["counts"], state["answer"]) == (None, [49, 49, 2], room.answer)
    all_rooms.ask(room, QUESTION)
    assert (room.count_choices(), room.number, room.answer) == ([0, 0, 0], 2, None)
    assert get_problem(all_rooms.choose, room, "reader 1", 1, 0) == "changed"


def test_choices_that_no_option_has_are_refused() -> None:
    all_rooms, room, _ = open_room()
    for number, option in ((1, -1), (1, 3), (1, True), (1, "0"), (1, 0.0), (1, None), (True, 0), ("1", 0), (None, 0)):
        assert get_problem(all_rooms.choose, room, "reader", number, option) == "request"
    assert room.count_choices() == [0, 0, 0]


def test_only_the_owner_has_a_room_and_codes_are_plain_letters() -> None:
    all_rooms, room, clock = open_room("K")
    assert len(room.code) == 6
    assert set(room.code) <= set(rooms.LETTERS)
    assert not set("AEIOULNIO01258") & set(rooms.LETTERS)
    assert room.code[0] == "K"
    assert all_rooms.find(room.code.lower(), "class") is room
    for secret in ("", "x", room.secret[:-1], f"{room.secret}a", *CASES.values()):
        assert get_problem(all_rooms.find_own, room.code, "class", secret) in ("owner", "misses")
    clock.now += 60
    assert all_rooms.find_own(room.code, "class", room.secret) is room


def test_an_address_that_guesses_codes_is_refused_for_a_minute_but_not_readers_who_are_in() -> None:
    all_rooms, room, clock = open_room()
    all_rooms.join(room, "reader")
    problems = Counter(get_problem(all_rooms.find, "AAAAAA", "class") for _ in range(40))
    assert problems == {"unknown": rooms.MAX_MISSES, "misses": 40 - rooms.MAX_MISSES}
    assert get_problem(all_rooms.find, room.code, "class", "stranger") == "misses"
    assert all_rooms.find(room.code, "class", "reader") is room
    assert all_rooms.find(room.code, "elsewhere") is room
    assert all_rooms.find_own(room.code, "class", room.secret) is room
    clock.now += 60
    assert all_rooms.find(room.code, "class", "stranger") is room


def test_a_room_has_200_readers_and_those_away_give_way_unless_they_chose() -> None:
    all_rooms, room, clock = open_room()
    for k in range(rooms.MAX_READERS):
        all_rooms.join(room, str(k))
    assert get_problem(all_rooms.choose, room, "late", 1, 0) == "readers"
    all_rooms.choose(room, "0", 1, 0)
    assert all_rooms.get_counts(room)["readers"] == 200
    clock.now += rooms.AWAY_SECONDS + 1
    all_rooms.choose(room, "late", 1, 0)
    assert room.readers_last_seen.keys() == {"0", "late"}
    assert all_rooms.get_counts(room)["readers"] == 1


def test_rooms_are_bounded_and_end_without_their_owner() -> None:
    all_rooms, room, clock = open_room()
    for k in range(rooms.MAX_ROOMS - 1):
        all_rooms.open_room(f"teacher {k // rooms.MAX_ROOMS_PER_ADDRESS}")
    assert get_problem(all_rooms.open_room, "one more") == "rooms"
    assert get_problem(all_rooms.open_room, "teacher 0") == "rooms"
    clock.now += rooms.LEFT_SECONDS
    all_rooms.find_own(room.code, "teacher", room.secret)  # its owner is there
    all_rooms.open_room("one more")
    assert len(all_rooms) == rooms.MAX_ROOMS
    assert room.phase == "open"
    clock.now += rooms.MAX_IDLE_SECONDS + 1
    assert get_problem(all_rooms.find, room.code, "class") == "unknown"
    assert (len(all_rooms), room.phase, room.choices, room.readers_last_seen) == (0, "over", {}, {})


def test_phones_wait_for_a_change() -> None:
    async def play() -> None:
        all_rooms, room, _ = open_room()
        start = room.version
        waiting = [asyncio.create_task(room.wait_for_change(start, 30)) for _ in range(3)]
        await asyncio.sleep(0.01)
        assert not any(task.done() for task in waiting)
        all_rooms.choose(room, "reader", 1, 0)  # is no change for others
        await asyncio.sleep(0.01)
        assert not any(task.done() for task in waiting)
        all_rooms.close(room)
        await asyncio.wait_for(asyncio.gather(*waiting), 1)
        await room.wait_for_change(start, 30)  # has changed already
        await room.wait_for_change(room.version, 0.01)
        assert room.num_waiting == 0

    run_coroutine(play())


def test_hostile_questions_and_answers_are_refused_and_texts_stay_texts() -> None:
    bad: tuple[tuple[str, Any], ...] = (
        ("kind", "other"), ("options", ["one"]), ("options", ["a"] * 101), ("options", ["a", ""]), ("target", ["a"]),
        ("options", ["a", "b" * 81]), ("options", ["a", 1]), ("options", {"a": "b"}), ("text", None),
        ("source", "a" * 2001), ("languages", ["en"]), ("languages", ["en", "x" * 21]),
    )  # fmt: skip
    for name, value in bad:
        assert get_problem(rooms.parse_question, {**QUESTION, name: value}) == "question", (name, value)
    assert get_problem(rooms.parse_question, {**QUESTION, "kind": "own"}) == "question"
    for value in (None, [], "x", 1):
        assert get_problem(rooms.parse_question, value) == "question"
    for text in CASES.values():
        question = rooms.parse_question({**QUESTION, "kind": "own", "text": f"a{text}"[:2000]})
        json.dumps(question, ensure_ascii=False).encode()
    _, room, _ = open_room()
    assert rooms.parse_answer({"option": 2, "shares": [0, 0.5, 0.5]}, room) == {"option": 2, "shares": [0, 0.5, 0.5]}
    assert rooms.parse_answer({}, room) == {"option": None, "shares": None}
    answers: tuple[Any, ...] = ({"option": 3}, {"option": "1"}, {"option": True}, {"shares": [1]}, None,
               {"shares": [0, 0, 2]}, {"shares": [0, 0, float("nan")]}, {"shares": [0, 0, "1"]})  # fmt: skip
    for answer in answers:
        assert get_problem(rooms.parse_answer, answer, room) == "question"


def test_the_letter_of_a_process_is_an_option() -> None:
    assert rooms.parse_letter_option(["app.py", "--room-letter", "K"]) == "K"
    assert rooms.parse_letter_option(["app.py", "--room-letter=K"]) == "K"
    assert rooms.parse_letter_option(["app.py"]) == ""
    for arguments in (["--room-letter"], ["--room-letter", "A"], ["--room-letter", "BC"], ["--room-letter", ""],
                      ["--room-letter=A"], ["--room-letter="]):  # fmt: skip
        with pytest.raises(SystemExit, match="takes one of"):
            rooms.parse_letter_option(arguments)
