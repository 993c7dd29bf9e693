"""Linear layers with packed and with float32 matrices give the same numbers."""

from __future__ import annotations

import pytest
import torch

from model.decoding.fast.packed_linear import MAX_PACKED_ROWS, PackedLinear
from tests.model.tiny import cycle_values

IN_SIZE, OUT_SIZE = 48, 90


def draw_matrix(rows: int, *, is_half: bool = True) -> torch.Tensor:
    weights = torch.randn(rows, IN_SIZE, generator=torch.Generator().manual_seed(rows))
    return weights.half().float() if is_half else weights


def can_pack() -> bool:
    """Tell whether torch can multiply by a matrix in fp16 on this processor."""
    try:
        torch.ops.quantized.linear_prepack_fp16(draw_matrix(OUT_SIZE), None)
    except RuntimeError:
        return False
    return True


@pytest.mark.parametrize(("rows", "is_half", "has_bias"), cycle_values(
    [1, 1, 2, 2, *[MAX_PACKED_ROWS] * 4, *[MAX_PACKED_ROWS + 1] * 4], [True, False], [True, True, False, False]))
def test_product_is_exact_for_any_number_of_rows(rows: int, is_half: bool, has_bias: bool) -> None:
    matrices = [draw_matrix(60, is_half=is_half), draw_matrix(OUT_SIZE - 60, is_half=is_half)]
    bias = torch.linspace(-1, 1, OUT_SIZE) if has_bias else None
    x = draw_matrix(rows, is_half=False)
    expected = x.double() @ torch.cat(matrices).double().T + (0.0 if bias is None else bias.double())
    linear = PackedLinear(matrices, bias)
    torch.testing.assert_close(linear(x).double(), expected, rtol=0, atol=2e-5)  # rounding to fp16 would be 1e-3 off
    torch.testing.assert_close(linear(x[None])[0].double(), expected, rtol=0, atol=2e-5)


@pytest.mark.verdict
def test_only_matrices_that_are_exact_in_fp16_are_packed(monkeypatch: pytest.MonkeyPatch) -> None:
    assert (PackedLinear([draw_matrix(OUT_SIZE)]).packed is not None) is can_pack()
    for matrix in (draw_matrix(OUT_SIZE, is_half=False), draw_matrix(OUT_SIZE).double(), draw_matrix(OUT_SIZE) * 1e6,
                   draw_matrix(OUT_SIZE) * float("nan")):
        assert PackedLinear([matrix]).packed is None

    def refuse_packing(*_: object) -> torch.Tensor:
        raise RuntimeError("not supported by QNNPACK")

    monkeypatch.setattr(torch.ops.quantized, "linear_prepack_fp16", refuse_packing)
    linear, x = PackedLinear([draw_matrix(OUT_SIZE)]), draw_matrix(1, is_half=False)
    assert linear.packed is None
    torch.testing.assert_close(linear(x), x @ draw_matrix(OUT_SIZE).T)
