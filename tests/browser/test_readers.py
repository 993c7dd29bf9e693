"""Several readers use one server at the same time: each gets their own result."""

from dataclasses import replace

from tests.browser.readers import generate_sentences, list_wrong_sentences, run_readers


def test_each_of_several_readers_gets_their_own_result(server: str) -> None:
    generator = generate_sentences()
    sentences = [next(generator) for _ in range(4)]
    waits = run_readers(server, [[sentence] for sentence in sentences])
    assert sorted(wait.sentence for wait in waits) == sorted(sentences)
    assert list_wrong_sentences(waits) == []
    swapped = replace(waits[0], picture=waits[1].picture)
    assert list_wrong_sentences([swapped]) == [swapped.sentence]
