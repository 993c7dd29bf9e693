"""A search looks between its steps whether it is still wanted."""

from collections.abc import Callable
from dataclasses import replace
from types import SimpleNamespace

import pytest
import torch

from model.decoding import SearchStopped, Settings, search
from model.decoding.translate import translate, translate_n_best
from model.networks.registry import build_network
from model.networks.rnnsearch import RNNsearchConfig
from model.text.normalise import normalise
from model.text.vocabulary import EOS, Vocabulary
from tests.canonical import normalise_all
from tests.model.decoding.toy import Toy

SEARCHES = {
    "greedy": Settings(max_ratio=10),
    "beam": Settings(max_ratio=10, beam=3),
    "sampling": Settings(max_ratio=10, sample=True),
    "with detail": Settings(max_ratio=10, detail=True),
}


def endless() -> Toy:
    """A network that never ends a sentence of its own will."""
    table = torch.full((8, 8, 8), -2.0, dtype=torch.float64)
    table[:, :, EOS] = -torch.inf
    return Toy(table)


def after(steps: int) -> Callable[[], bool]:
    """A flag that is down for the first so many looks."""
    looks = iter(range(1000))
    return lambda: next(looks) >= steps


@pytest.mark.parametrize("settings", SEARCHES.values(), ids=SEARCHES.keys())
def test_it_stops_before_the_step_at_which_it_is_told_to(settings: Settings) -> None:
    toy = endless()
    with pytest.raises(SearchStopped, match="before its end"):
        search(toy, [[3, 4, EOS]], settings, should_stop=after(4))
    assert len(toy.batch_sizes) == 4


@pytest.mark.parametrize("settings", SEARCHES.values(), ids=SEARCHES.keys())
def test_a_flag_that_stays_down_changes_nothing(settings: Settings) -> None:
    asked, unasked = endless(), endless()
    looks: list[int] = []

    def look() -> bool:
        looks.append(len(asked.batch_sizes))
        return False

    found = search(asked, [[3, 4, EOS]], settings, should_stop=look)[0][0]
    assert found.tokens == search(unasked, [[3, 4, EOS]], settings)[0][0].tokens
    assert asked.batch_sizes == unasked.batch_sizes
    assert looks == list(range(len(asked.batch_sizes)))


def test_translating_hands_the_flag_down(tiny_vocabulary: Vocabulary) -> None:
    network = build_network(RNNsearchConfig("rnnsearch", len(tiny_vocabulary), 6, 6, 6, 4)).eval()
    model = SimpleNamespace(name="tiny", fingerprint="0" * 12, vocabulary=tiny_vocabulary, network=network,
                            languages=("en", "fr"))
    settings = replace(SEARCHES["greedy"], beam=2)
    with pytest.raises(SearchStopped):
        translate_n_best(model, normalise("The grey cat sleeps."), settings, should_stop=after(1))
    stream = translate(
        model, normalise_all(["The cat sleeps.", "The dog runs."]), settings, batch_size=1, should_stop=after(0)
    )
    with pytest.raises(SearchStopped):
        next(stream)
