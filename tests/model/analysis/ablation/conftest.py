"""A random model for the tests of ablation."""

from __future__ import annotations

import pytest

from model.text.vocabulary import Vocabulary
from tests.model.analysis.scripted import ScriptedModel, build_random_model


@pytest.fixture(scope="module")
def model(tiny_vocabulary: Vocabulary) -> ScriptedModel:
    return build_random_model(tiny_vocabulary)
