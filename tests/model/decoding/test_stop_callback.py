"""Search calls the stop callback before every step."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from model.decoding import SearchStopped, Settings, search
from model.decoding.translate import translate, translate_n_best
from model.text.normalise import normalise
from tests.canonical import normalise_all
from tests.model.decoding.helpers import SEARCHES, TinyModel, are_all_identical
from tests.model.decoding.toy import EOS, constant_toy

SOURCES = [[3, 4, EOS]]


def stop_after(steps: int) -> Callable[[], bool]:
    calls = iter(range(1000))
    return lambda: next(calls) >= steps


@pytest.mark.parametrize("settings", [*SEARCHES.values(), Settings(detail=True)], ids=[*SEARCHES, "with detail"])
def test_search_stops_before_the_step_at_which_the_callback_returns_true(settings: Settings) -> None:
    toy, plain, calls = constant_toy([0, 0, 0, 0.6, 0.4]), constant_toy([0, 0, 0, 0.6, 0.4]), []
    with pytest.raises(SearchStopped, match="before its end"):
        search(toy, SOURCES, settings, should_stop=stop_after(4))
    assert len(toy.batch_sizes) == 4
    toy.batch_sizes.clear()

    def never_stop() -> bool:
        calls.append(len(toy.batch_sizes))
        return False

    assert are_all_identical(search(toy, SOURCES, settings, should_stop=never_stop), search(plain, SOURCES, settings))
    assert toy.batch_sizes == plain.batch_sizes
    assert calls == list(range(len(toy.batch_sizes)))


def test_translate_passes_the_callback_to_search(model: TinyModel) -> None:
    with pytest.raises(SearchStopped):
        translate_n_best(model, normalise("The grey cat sleeps."), Settings(beam=2), should_stop=stop_after(1))
    texts = normalise_all(["The cat sleeps.", "The dog runs."])
    with pytest.raises(SearchStopped):
        next(translate(model, texts, Settings(beam=2), batch_size=1, should_stop=stop_after(0)))
