"""Several readers at one server at once: each gets their own result."""

from itertools import islice

from tests.browser.readers import differing, read, sentences


def test_each_of_several_readers_gets_their_own_result(server: str) -> None:
    coming = sentences()
    shares = [[next(coming)] for _ in range(4)]
    waits = read(server, shares)
    assert sorted(wait.sentence for wait in waits) == sorted(sentence for (sentence,) in shares)
    assert differing(waits) == []


def test_a_wrong_picture_is_noticed(server: str) -> None:
    """The comparison itself can fail: one reader's picture under another's sentence."""
    first, second = read(server, [["The cat sleeps."], ["The dog runs in the garden."]])
    swapped = [type(first)(first.sentence, first.seconds, second.picture)]
    assert differing(swapped) == [first.sentence]


def test_there_are_sentences_for_any_number_of_readers() -> None:
    assert len(set(islice(sentences(), 3000))) == 3000
