"""Products with few rows: the same numbers, whether the matrix is fetched in half precision or not."""

from __future__ import annotations

import pytest
import torch

from model.decoding.fast.packed_linear import MAX_PACKED_ROWS, PackedLinear

IN, OUT = 48, 90


def drawn(rows: int, *, half: bool = True) -> torch.Tensor:
    weights = torch.randn(rows, IN, generator=torch.Generator().manual_seed(rows))
    return weights.half().float() if half else weights


def packs() -> bool:
    """Whether this processor has a product with a matrix in half precision."""
    try:
        torch.ops.quantized.linear_prepack_fp16(drawn(OUT), None)
    except RuntimeError:
        return False
    return True


@pytest.mark.parametrize("half", [True, False])
@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("rows", [1, 2, MAX_PACKED_ROWS, MAX_PACKED_ROWS + 1])
def test_few_rows_and_many_give_the_same_numbers(rows: int, bias: bool, half: bool) -> None:
    matrices = [drawn(60, half=half), drawn(OUT - 60, half=half)]
    added = torch.linspace(-1, 1, OUT) if bias else None
    x = drawn(rows, half=False)
    expected = x.double() @ torch.cat(matrices).double().T + (0.0 if added is None else added.double())
    made = PackedLinear(matrices, added)
    torch.testing.assert_close(made(x).double(), expected, rtol=0, atol=2e-5)  # rounding to half would be off by 1e-3
    torch.testing.assert_close(made(x[None])[0].double(), expected, rtol=0, atol=2e-5)


@pytest.mark.verdict
def test_only_what_is_half_precision_is_held_in_it() -> None:
    assert (PackedLinear([drawn(OUT)]).packed is not None) is packs()
    for other in (drawn(OUT, half=False), drawn(OUT).double(), drawn(OUT) * 1e6, drawn(OUT) * float("nan")):
        assert PackedLinear([other]).packed is None


def test_a_processor_without_such_a_product_does_without(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(*_: object) -> torch.Tensor:
        raise RuntimeError("not supported by QNNPACK")

    monkeypatch.setattr(torch.ops.quantized, "linear_prepack_fp16", missing)
    made, x = PackedLinear([drawn(OUT)]), drawn(1, half=False)
    assert made.packed is None
    torch.testing.assert_close(made(x), x @ drawn(OUT).T)
