"""The toy tasks: what the right target is, what is held out, and which inputs have no answer."""

from random import Random

import pytest

from model.training.live.tasks import TASKS, TaskInputError, TaskVocabulary, is_held_out


@pytest.mark.parametrize(
    ("task", "text", "target"),
    [
        ("reverse", "Attention", "noitnetta"),
        ("copy", "abc", "abc"),
        ("sort", "attention", "aeinnottt"),
        ("dates", "5 March 2024", "2024-03-05"),
        ("dates", "february 29, 2000", "2000-02-29"),
        ("numbers", "4,207", "four thousand two hundred and seven"),
        ("numbers", "0", "zero"),
        ("order", "the friend of the teacher meets the doctor", "선생님 의 친구 가 의사 를 만난다"),
        ("order", "The son sees the guest of the king", "아들 이 왕 의 손님 을 본다"),
    ],
)
def test_target(task: str, text: str, target: str) -> None:
    answer = TASKS[task].parse(text)[1]
    assert TASKS[task].target_separator.join(answer) == target


@pytest.mark.parametrize(
    ("task", "text", "reason"),
    [
        ("reverse", " ", "empty"),
        ("reverse", "été", "unknown"),
        ("reverse", "a" * 100, "long"),
        ("dates", "31 February 2024", "unknown"),
        ("dates", "5 March 1066", "unknown"),
        ("numbers", "04", "unknown"),
        ("order", "the doctor the friend sees", "unknown"),
        ("order", "the friend of meets the doctor", "unknown"),
    ],
)
def test_input_without_an_answer(task: str, text: str, reason: str) -> None:
    with pytest.raises(TaskInputError) as error:
        TASKS[task].parse(text)
    assert error.value.reason == reason


@pytest.mark.parametrize("task", TASKS.values(), ids=TASKS)
def test_pairs_of_each_length(task: object) -> None:
    random, task = Random(1), TASKS[task.name]  # type: ignore[attr-defined]
    vocabulary = TaskVocabulary(task.alphabet)
    for length in task.lengths:
        for held_out in (False, True):
            source, target = task.draw_pair(random, length, held_out=held_out)
            assert len(source) == length
            assert length < 3 or is_held_out(source) == held_out
            assert task.answer(source) == target
            assert tuple(vocabulary.decode(vocabulary.encode(target))) == target
    for text in task.examples:
        task.parse(text)


def test_lengths_beyond_training() -> None:
    reverse, dates = TASKS["reverse"], TASKS["dates"]
    assert (reverse.list_lengths(4), reverse.list_longer(4)) == ([1, 2, 3, 4], [5, 6, 7, 8])
    assert (dates.list_lengths(4), dates.list_longer(4)) == (list(range(10, 19)), [])
