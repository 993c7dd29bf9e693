"""Several drawn translations: independent, the same for the same seed, and the first the one that search draws."""

from __future__ import annotations

from collections import Counter

import pytest
import torch

from model.decoding import Settings
from model.decoding.sampling import sample
from model.decoding.translate import MAX_SAMPLES, sample_translations, translate_sentence
from model.text.normalise import normalise
from model.text.vocabulary import Vocabulary
from tests.model.analysis.attribution.test_saliency import a_model
from tests.model.decoding.toy import EOS, constant_toy

TEXT = normalise("The grey cat sleeps.")
DRAWN = Settings(sample=True, seed=7, max_ratio=1.0)


def test_the_first_is_the_one_that_search_draws_and_a_seed_gives_the_same_again(tiny_vocabulary: Vocabulary) -> None:
    model = a_model(tiny_vocabulary)
    found = sample_translations(model, TEXT, DRAWN, 5)
    assert found[0].target == translate_sentence(model, TEXT, DRAWN).target
    assert [one.target.text for one in sample_translations(model, TEXT, DRAWN, 5)] == [one.target.text for one in found]
    assert [one.target.text for one in sample_translations(model, TEXT, DRAWN, 3)] == [
        one.target.text for one in found[:3]
    ]
    assert len({one.target.text for one in found}) > 1


def test_draws_for_one_sentence_follow_the_probabilities() -> None:
    chances = {EOS: 0.2, 3: 0.5, 4: 0.3}
    count = 3000
    found = sample(constant_toy([0, 0.2, 0, 0.5, 0.3]), [[3, 5, EOS]] * count, Settings(sample=True, candidates=0),
                   draw_numbers=list(range(count)))
    first = Counter(one.tokens[0] for (one,) in found)
    chi = sum((first[piece] - chance * count) ** 2 / (chance * count) for piece, chance in chances.items())
    assert chi < 13.8  # 1 in 1000, with 2 degrees of freedom
    pairs = Counter(tuple(one.tokens[0] for (one,) in found[k : k + 2]) for k in range(0, count, 2))
    independent = sum((pairs[a, b] - p * q * count / 2) ** 2 / (p * q * count / 2)
                      for a, p in chances.items() for b, q in chances.items())
    assert independent < 26.1  # the same, with 8


def test_numbers_out_of_range_and_other_searches_are_refused(tiny_vocabulary: Vocabulary) -> None:
    model = a_model(tiny_vocabulary)
    for count in (0, MAX_SAMPLES + 1):
        with pytest.raises(ValueError, match=f"From 1 to {MAX_SAMPLES}"):
            sample_translations(model, TEXT, DRAWN, count)
    with pytest.raises(ValueError, match="greedy"):
        sample_translations(model, TEXT, Settings(), 3)
    assert not torch.is_inference_mode_enabled()
