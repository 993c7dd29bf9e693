"""Fixtures of the tests of decoding."""

from __future__ import annotations

import pytest

from model.text.vocabulary import Vocabulary
from tests.model.decoding.helpers import TinyModel, build_tiny_model


@pytest.fixture(scope="module")
def model(tiny_vocabulary: Vocabulary) -> TinyModel:
    return build_tiny_model(tiny_vocabulary)
