"""Products of many rows with a matrix in half precision, on processors that multiply tiles of bfloat16 (Intel's AMX):
sooner than in float32, and as near to the exact ones.

A number of float32 is the sum of three of bfloat16, x1 + x2 + x3, which have eight digits each; one of half precision,
which has eleven, is w1 + w2. Then x w is x1 w1 + x2 w1 + x3 w1 + x1 w2 + x2 w2 but for 2^-26 of it, and products of
bfloat16 are added up in float32 (Henry, Tang and Heinecke 2019, Leveraging the bfloat16 artificial intelligence
datatype for higher-precision computations).

A tile has 16 rows of 64 bytes. Two by two of them, of sums, are kept while both factors go by.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from llvmlite import ir
from numba import types
from numba.core import cgutils
from torch import Tensor

from model.fast.loops import Floats, compiled, instruction

Words = npt.NDArray[np.uint16]  # numbers in bfloat16, as their sixteen bits

SIDE = 16  # rows of a tile, and numbers of float32 in a row of it
PAIR = 2 * SIDE  # numbers of bfloat16 in a row of it, and what sizes have to be whole multiples of
ROW = 64  # bytes
TILE = SIDE * ROW

LAYOUT = np.zeros(64, np.uint8)  # eight tiles, each of SIDE rows of ROW bytes, as the processor wants to be told
LAYOUT[0], LAYOUT[16:32:2], LAYOUT[48:56] = 1, ROW, SIDE

_HALF, _ODD, _UNDER = np.uint32(16), np.uint32(1), np.uint32(0x7FFF)  # of a float32's bits, those that are rounded off

_BYTE, _LONG, _NOTHING = ir.IntType(8), ir.IntType(64), ir.VoidType()
_PLACE = _BYTE.as_pointer()


def _call(builder: Any, name: str, given: list[Any]) -> None:
    """Call the instruction of that name; what it takes is of the types of what it is given."""
    kind = ir.FunctionType(_NOTHING, [one.type for one in given])
    builder.call(cgutils.get_or_insert_function(builder.module, kind, f"llvm.x86.{name}"), given)


def _at(context: Any, builder: Any, signature: Any, given: Any) -> Any:
    """Where in memory the array is, its first argument, so many bytes on, its second."""
    array = context.make_array(signature.args[0])(context, builder, given[0])
    return builder.gep(builder.bitcast(array.data, _PLACE), [given[1]])


def _on(*tiles: int) -> list[Any]:
    return [ir.Constant(_BYTE, tile) for tile in tiles]


def _moving(name: str, tile: int) -> Any:
    """Between a tile and an array, so many bytes from its beginning, its rows so many bytes apart."""

    @instruction
    def move(_: Any, array: Any, first: Any, apart: Any) -> Any:
        def generated(context: Any, builder: Any, signature: Any, given: Any) -> Any:
            _call(builder, name, [*_on(tile), _at(context, builder, signature, given), given[2]])
            return context.get_dummy_value()

        return types.void(array, types.int64, types.int64), generated

    return move


def _multiplying(sums: int, first: int, second: int) -> Any:
    """Add the product of two tiles to a third."""

    @instruction
    def multiply(_: Any) -> Any:
        def generated(context: Any, builder: Any, signature: Any, given: Any) -> Any:
            _call(builder, "tdpbf16ps", _on(sums, first, second))
            return context.get_dummy_value()

        return types.void(), generated

    return multiply


@instruction
def _begin(_: Any, layout: Any) -> Any:
    def generated(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        _call(builder, "ldtilecfg", [_at(context, builder, signature, [given[0], ir.Constant(_LONG, 0)])])
        return context.get_dummy_value()

    return types.void(layout), generated


@instruction
def _end(_: Any) -> Any:
    def generated(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        _call(builder, "tilerelease", [])
        return context.get_dummy_value()

    return types.void(), generated


_load_0, _load_1, _load_2, _load_3 = (_moving("tileloadd64", tile) for tile in range(4))
_load_upper, _load_lower, _load_left, _load_right = (_moving("tileloadd64", tile) for tile in range(4, 8))
_store_0, _store_1, _store_2, _store_3 = (_moving("tilestored64", tile) for tile in range(4))
_add_0, _add_1, _add_2, _add_3 = (_multiplying(*of) for of in ((0, 4, 6), (1, 4, 7), (2, 5, 6), (3, 5, 7)))


@compiled
def _nearest(bits: Any) -> Any:
    """The sixteen bits of the bfloat16 nearest to a float32, given its thirty-two; of two as near, the even one."""
    return np.uint32(np.uint32(bits + np.uint32(_UNDER + np.uint32(np.uint32(bits >> _HALF) & _ODD))) >> _HALF)


@compiled
def _split(x: Floats, parts: Words) -> None:
    """x (rows, in) as tiles of x1, x2 and x3, parts (rows / 16, in / 32, 3, 16, 32), 0 in rows that x has not."""
    rows, width = x.shape
    words = np.empty((3, width), np.uint32)
    for row in range(len(parts) * SIDE):
        of, place = parts[row // SIDE], row % SIDE
        if row >= rows:
            of[:, :, place] = 0
            continue
        own, first, second, third = x[row], words[0], words[1], words[2]
        for k in range(width):
            first[k] = _nearest(np.float32(own[k]).view(np.uint32))
            rest = np.float32(own[k] - np.uint32(first[k] << _HALF).view(np.float32))
            second[k] = _nearest(rest.view(np.uint32))
            rest = np.float32(rest - np.uint32(second[k] << _HALF).view(np.float32))
            third[k] = _nearest(rest.view(np.uint32))
        for block in range(len(of)):
            for part in range(3):
                given, into = words[part], of[block, part, place]
                for k in range(PAIR):
                    into[k] = given[block * PAIR + k]


@compiled
def _times(parts: Words, x: int, band: int, two: bool) -> None:
    """Add to the sums what the matrix's two tiles make of a tile of x, and of the one `band` bytes on if there is."""
    _load_upper(parts, x, ROW)
    _add_0()
    _add_1()
    if two:
        _load_lower(parts, x + band, ROW)
        _add_2()
        _add_3()


@compiled
def multiply(x: Floats, matrix: Words, bias: Floats, products: Floats) -> None:
    """Products (rows, out) of x (rows, in) and a matrix, as `packed` gives it, and a bias (out,)."""
    rows, blocks, out = x.shape[0], matrix.shape[1], products.shape[1]
    parts = np.empty((-(-rows // SIDE), blocks, 3, SIDE, PAIR), np.uint16)
    _split(x, parts)
    some = np.empty((SIDE, SIDE), np.float32)  # a tile of which not every row is wanted
    strip, band = 2 * blocks * TILE, 3 * blocks * TILE  # bytes of what has to do with 16 columns, and with 16 rows
    apart = 4 * out
    _begin(LAYOUT)
    for n in range(0, out, PAIR):
        left = n // SIDE * strip
        for m in range(0, len(parts), 2):
            two = m + 1 < len(parts)
            upper = m * band
            _load_0(bias, 4 * n, 0)  # one row, the same for all
            _load_1(bias, 4 * (n + SIDE), 0)
            _load_2(bias, 4 * n, 0)
            _load_3(bias, 4 * (n + SIDE), 0)
            for block in range(blocks):
                w, x = left + block * 2 * TILE, upper + block * 3 * TILE
                _load_left(matrix, w, ROW)  # w1
                _load_right(matrix, w + strip, ROW)
                for part in (2, 1, 0):
                    _times(parts, x + part * TILE, band, two)
                _load_left(matrix, w + TILE, ROW)  # w2
                _load_right(matrix, w + strip + TILE, ROW)
                for part in (0, 1):
                    _times(parts, x + part * TILE, band, two)
            first = m * SIDE
            if first + SIDE <= rows:
                _store_0(products, first * apart + 4 * n, apart)
                _store_1(products, first * apart + 4 * n + ROW, apart)
            else:
                _store_0(some, 0, ROW)
                products[first:, n : n + SIDE] = some[: rows - first]
                _store_1(some, 0, ROW)
                products[first:, n + SIDE : n + PAIR] = some[: rows - first]
            first += SIDE
            if two and first + SIDE <= rows:
                _store_2(products, first * apart + 4 * n, apart)
                _store_3(products, first * apart + 4 * n + ROW, apart)
            elif two:
                _store_2(some, 0, ROW)
                products[first:, n : n + SIDE] = some[: rows - first]
                _store_3(some, 0, ROW)
                products[first:, n + SIDE : n + PAIR] = some[: rows - first]
    _end()


@cache
def available() -> bool:
    """Whether this processor multiplies tiles, and the system lets this process: it is asked for that here, and what
    multiplies ends the process where it was not."""
    return bool(torch.cpu._is_amx_tile_supported() and torch.cpu._init_amx())


def packed(columns: Tensor) -> Words | None:
    """A matrix (in, out) of numbers of half precision as `multiply` takes it, tiles of w1 and w2: (out / 16, in / 32,
    2, 16, 16, 2), in which a row has two numbers of each of 16 columns. None where it is not made of whole tiles, or
    the processor has none."""
    width, out = columns.shape
    if not available() or not width or not out or width % PAIR or out % PAIR:
        return None
    rest = columns - columns.bfloat16().float()
    parts = torch.stack([columns.bfloat16(), rest.bfloat16()]).view(torch.uint16).numpy()
    tiles = parts.reshape(2, width // PAIR, SIDE, 2, out // SIDE, SIDE)  # part, block, row, of two, strip, column
    return np.ascontiguousarray(tiles.transpose(4, 1, 0, 2, 5, 3))
