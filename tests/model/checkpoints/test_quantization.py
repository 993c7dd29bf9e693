"""Eight-bit weights: rounding errors and sizes."""

from __future__ import annotations

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from safetensors import safe_open

from model.checkpoints import checkpoint
from model.checkpoints.quantization import BLOCK_SIZE, dequantize_weights, quantize_weights

MAX_BYTES = 11_000_000
MAX_WORD_BYTES = 16_000_000  # for a vocabulary of whole words
BYTES_PER_PARAMETER = 1.07  # with scales and header


@given(rows=st.integers(1, 5), columns=st.integers(1, 3 * BLOCK_SIZE + 1), seed=st.integers(0, 99),
       size=st.sampled_from([1e-3, 1.0, 300.0]))
def test_rounding_error_is_bounded_in_each_block(rows: int, columns: int, seed: int, size: float) -> None:
    matrix = size * torch.randn(rows, columns, generator=torch.Generator().manual_seed(seed))
    packed = quantize_weights({"w": matrix})
    restored = dequantize_weights(packed)["w"]
    assert restored.shape == matrix.shape
    for row in range(rows):
        for start in range(0, columns, BLOCK_SIZE):
            part = slice(start, start + BLOCK_SIZE)
            error, largest = restored[row, part] - matrix[row, part], float(matrix[row, part].abs().max())
            # Half a step of the scale, which bfloat16 rounds by up to 1/256; then half precision rounds.
            bound = largest * (0.5 / 127 + 1 / 256 + 2**-11) + 2**-25
            assert float(error.norm()) <= bound * error.numel() ** 0.5
    assert packed["w"].dtype == torch.int8
    assert packed["w.scale"].shape == (rows, -(-columns // BLOCK_SIZE))


def test_dequantized_weights_are_half_precision_numbers() -> None:
    restored = dequantize_weights(quantize_weights({"w": sample_normal(3, 50) * 1e-3}))["w"]
    assert restored.dtype == torch.float32
    assert torch.equal(restored, restored.half().float())
    assert not dequantize_weights(quantize_weights({"w": torch.full((2, 40), 1e-9)}))["w"].any()  # underflows


def test_quantized_row_computed_by_hand() -> None:
    row = torch.tensor([[127.0, -64.0, 0.4, 3.0] + [0.0] * 28 + [0.5, -0.5]])
    packed = quantize_weights({"w": row})
    assert packed["w"].tolist() == [[127, -64, 0, 3] + [0] * 28 + [127, -127]]
    assert packed["w.scale"][0, 0] == 1.0
    expected = row.clone()
    expected[0, 2] = 0.0
    torch.testing.assert_close(dequantize_weights(packed)["w"], expected, rtol=1e-3, atol=0)


def test_zeros_vectors_and_names_like_those_of_scales_are_preserved() -> None:
    weights = {"zeros": torch.zeros(2, 40), "b": torch.tensor([1.5, -2.0]), "own.scale": torch.tensor([[3.0, 1.0]])}
    restored = dequantize_weights(quantize_weights(weights))
    assert {name: value.tolist() for name, value in restored.items()} == {
        "zeros": [[0.0] * 40] * 2, "b": [1.5, -2.0], "own.scale": [[pytest.approx(3.0, rel=0.01), pytest.approx(1.0,
                                                                                                       rel=0.01)]]}


def sample_normal(*size: int) -> torch.Tensor:
    return torch.randn(*size, generator=torch.Generator().manual_seed(5))


def test_shipped_models_are_quantized_and_small() -> None:
    for card in checkpoint.list_shipped_cards():
        sizes = {path.name: path.stat().st_size for path in card.folder.iterdir()}
        assert {checkpoint.CARD, *card.sha256} == sizes.keys()
        weights = sizes.pop(checkpoint.WEIGHTS)
        with safe_open(card.folder / checkpoint.WEIGHTS, "pt") as file:
            kinds = {file.get_slice(name).get_dtype() for name in file.offset_keys()}
        assert "rounded" in card.training, card.name
        assert "I8" in kinds, card.name
        assert weights <= BYTES_PER_PARAMETER * card.parameters, card.name
        limit = MAX_WORD_BYTES if card.has_unk else MAX_BYTES
        assert BYTES_PER_PARAMETER * card.parameters + sum(sizes.values()) < limit, card.name
