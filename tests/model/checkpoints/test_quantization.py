"""Eight bits: how far a weight may move, and what fits in how many bytes."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from safetensors import safe_open

from model.checkpoints import checkpoint
from model.checkpoints.quantization import BLOCK_SIZE, dequantize_weights, quantize_weights

MOST_BYTES = 11_000_000
BYTES = 1.07  # a weight's in eight bits, its share of the scales and of the file's beginning with it


@given(rows=st.integers(1, 5), columns=st.integers(1, 3 * BLOCK_SIZE + 1), seed=st.integers(0, 99),
       size=st.sampled_from([1e-3, 1.0, 300.0]))
def test_no_weight_moves_further_than_its_block_allows(rows: int, columns: int, seed: int, size: float) -> None:
    matrix = size * torch.randn(rows, columns, generator=torch.Generator().manual_seed(seed))
    packed = quantize_weights({"w": matrix})
    found = dequantize_weights(packed)["w"]
    assert found.shape == matrix.shape
    for row in range(rows):
        for start in range(0, columns, BLOCK_SIZE):
            part = slice(start, start + BLOCK_SIZE)
            off, most = (found[row, part] - matrix[row, part]).abs(), matrix[row, part].abs().max()
            # Half a step of the scale that reaches the farthest value, which bfloat16 rounds by up to 1 in 256. Then
            # half precision rounds, by 2 ** -25 next to zero.
            allowed = float(most) * (0.5 / 127 + 1 / 256 + 2**-11) + 2**-25
            assert float(off.norm()) <= allowed * off.numel() ** 0.5
    assert packed["w"].dtype == torch.int8
    assert packed["w.scale"].shape == (rows, -(-columns // BLOCK_SIZE))


def test_what_is_read_are_numbers_of_half_precision() -> None:
    found = dequantize_weights(
        quantize_weights({"w": torch.randn(3, 50, generator=torch.Generator().manual_seed(1)) * 1e-3})
    )["w"]
    assert found.dtype == torch.float32
    assert torch.equal(found, found.half().float())
    assert not dequantize_weights(quantize_weights({"w": torch.full((2, 40), 1e-9)}))["w"].any()  # it has none so small


def test_a_row_by_hand() -> None:
    row = torch.tensor([[127.0, -64.0, 0.4, 3.0] + [0.0] * 28 + [0.5, -0.5]])
    packed = quantize_weights({"w": row})
    assert packed["w"].tolist() == [[127, -64, 0, 3] + [0] * 28 + [127, -127]]
    assert packed["w.scale"][0, 0] == 1.0
    expected = row.clone()
    expected[0, 2] = 0.0
    torch.testing.assert_close(dequantize_weights(packed)["w"], expected, rtol=1e-3, atol=0)


def test_zeros_vectors_and_names_that_look_like_scales_stay() -> None:
    given = {"zeros": torch.zeros(2, 40), "b": torch.tensor([1.5, -2.0]), "own.scale": torch.tensor([[3.0, 1.0]])}
    found = dequantize_weights(quantize_weights(given))
    assert {name: value.tolist() for name, value in found.items()} == {
        "zeros": [[0.0] * 40] * 2, "b": [1.5, -2.0], "own.scale": [[pytest.approx(3.0, rel=0.01), pytest.approx(1.0,
                                                                                                       rel=0.01)]]}


def test_packing_what_was_packed_changes_next_to_nothing() -> None:
    matrix = torch.randn(40, 96, generator=torch.Generator().manual_seed(3))
    once = dequantize_weights(quantize_weights({"w": matrix}))
    twice = dequantize_weights(quantize_weights(once))
    assert float((twice["w"] - once["w"]).abs().max()) < 0.02 * float((once["w"] - matrix).abs().max())


def normal(*size: int) -> torch.Tensor:
    return torch.randn(*size, generator=torch.Generator().manual_seed(5))


@pytest.mark.parametrize(("matrix", "most"), [(normal(200, 224), 0.0056), (normal(200, 224) ** 3, 0.0092)],
                         ids=["normal", "with far values"])
def test_rounding_costs_a_certain_share_of_a_matrix(matrix: torch.Tensor, most: float) -> None:
    """Its relative norm: as much as was measured, and never so little that it could not have been rounded."""
    assert most / 2 < lost(matrix) < most


def lost(matrix: torch.Tensor) -> float:
    return float((dequantize_weights(quantize_weights({"w": matrix}))["w"] - matrix).norm() / matrix.norm())


def test_of_trained_weights_no_more_is_lost() -> None:
    """Those of every shipped model, moved by a hundredth: the ones that are shipped have been rounded before."""
    for card in checkpoint.list_shipped_cards():
        found = [lost(part + 0.01 * part.std() * normal(*part.shape)) for weights in
                 checkpoint.load_model(card.folder).network.state_dict().values() if weights.ndim == 2
                 for part in [weights[:64]]]
        assert 0.004 < np.mean(found) < 0.0065, card.name


def test_a_shipped_model_takes_at_most_eleven_million_bytes() -> None:
    """In eight bits, and those that are not would; half precision is left to models that were shipped before."""
    for card in checkpoint.list_shipped_cards():
        sizes = {path.name: path.stat().st_size for path in card.folder.iterdir()}
        assert {checkpoint.CARD, *card.sha256} == sizes.keys()
        weights = sizes.pop(checkpoint.WEIGHTS)
        with safe_open(card.folder / checkpoint.WEIGHTS, "pt") as file:
            kinds = {file.get_slice(name).get_dtype() for name in file.offset_keys()}
        assert "rounded" in card.training, card.name
        assert "I8" in kinds, card.name
        assert weights <= BYTES * card.parameters, card.name
        assert BYTES * card.parameters + sum(sizes.values()) < MOST_BYTES, card.name
