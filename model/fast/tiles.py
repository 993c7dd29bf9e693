"""Products of many rows with a matrix, on processors that multiply tiles of eight bits (Intel's AMX): sooner than in
float32, and nearer to the exact ones.

Every row of x, and every column of the matrix, is multiplied by a power of two of its own, so that its farthest number
comes near 2^23, and is written in digits of eight bits, from -128 to 127: x as x1 256^2 + x2 256 + x3 + x4 / 256, w as
w1 256^2 + w2 256 + w3, which a number of half precision is exactly, unless it is very near to 0. A tile's product is a
sum of products of whole numbers, and exact. Added up are x1 w1; x1 w2 + x2 w1; x1 w3 + x2 w2 + x3 w1; x2 w3 + x3 w2 +
x4 w1; left out is what is 2^-30 of the first, and less. So all that is rounded is the float32 made of these sums at the
end (after Ootomo, Ozaki and Yokota 2024, DGEMM on integer matrix multiplication unit).

A tile has 16 rows of 64 bytes. The four sums of a tile of products are kept while both factors go by.
"""

from __future__ import annotations

from functools import cache, partial
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from llvmlite import ir
from numba import types
from numba.core import cgutils
from torch import Tensor

from model.fast.compilation import compiled
from model.fast.loops import Floats
from model.fast.machine import (
    BYTE,
    FLOATS,
    SIDE,
    WORD,
    WORDS,
    at,
    call,
    everywhere,
    instruction,
    joined,
    number,
)

Bytes = npt.NDArray[np.uint8]

# SIDE rows of a tile, numbers of 32 bits in a row of it, and what a matrix's columns are a whole multiple of
ROW = 64  # bytes of a tile's row, and of what comes from memory at once, if it begins at a multiple of that
TILE = SIDE * ROW
X, W = 4, 3  # digits
DEEPEST = 1 << 15  # rows of a matrix, up to which a sum of products of digits has room in 32 bits

FARTHEST = 127 * 256**2 + 127 * 256  # what three digits reach, but for the last, which is for rounding
_MIDDLE = 0x808080  # what makes three digits from 0 to 255 of those from -128 to 127
LEAST = 1e-30  # what a row's farthest counts as at least: the power of two of less would be none
_FARTHEST, _LEAST = np.float32(FARTHEST), np.float32(LEAST).view(np.uint32)
_SIZE, _INFINITE = np.uint32(0x7FFFFFFF), np.uint32(0x7F800000)  # of a float32's bits: all but the sign; infinity's
_PLACES = np.uint32(23)  # of a float32's fraction, behind which is its exponent
_OTHER = np.uint32(2 * 127 + 22)  # less the exponent of a number, that of the power of two that brings it to 2^22
_LOWEST, _HALF, _DIGIT, _NONE = np.uint32(0x80), np.float32(0.5), np.float32(256), np.uint32(0)

LAYOUT = np.zeros(64, np.uint8)  # eight tiles, each of SIDE rows of ROW bytes, as the processor wants to be told
LAYOUT[0], LAYOUT[16:32:2], LAYOUT[48:56] = 1, ROW, SIDE

def _on(*tiles: int) -> list[Any]:
    return [number(tile, BYTE) for tile in tiles]


def _moving(name: str, tile: int) -> Any:
    """Between a tile and an array, so many bytes from its beginning."""

    @instruction
    def move(_: Any, array: Any, first: Any) -> Any:
        def generated(context: Any, builder: Any, signature: Any, given: Any) -> Any:
            place = at(context, builder, signature.args[0], *given)
            call(builder, f"x86.{name}", [*_on(tile), place, number(ROW)])
            return context.get_dummy_value()

        return types.void(array, types.int64), generated

    return move


def _of_tiles(name: str, *tiles: int) -> Any:
    """What needs nothing but tiles: `tilezero` makes one 0, `tdpbssd` adds the product of two to a third."""

    @instruction
    def change(_: Any) -> Any:
        def generated(context: Any, builder: Any, signature: Any, given: Any) -> Any:
            call(builder, f"x86.{name}", _on(*tiles))
            return context.get_dummy_value()

        return types.void(), generated

    return change


@instruction
def _begin(_: Any, layout: Any) -> Any:
    def generated(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        call(builder, "x86.ldtilecfg", [at(context, builder, signature.args[0], given[0], number(0))])
        return context.get_dummy_value()

    return types.void(layout), generated


@instruction
def _end(_: Any) -> Any:
    def generated(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        call(builder, "x86.tilerelease", [])
        return context.get_dummy_value()

    return types.void(), generated


@instruction
def _fetch(_: Any, array: Any, first: Any, last: Any) -> Any:
    """Have these bytes of the array brought near, without waiting for them."""

    def generated(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        array, first, last = given
        how = [number(one, WORD) for one in (0, 1, 1)]  # to be read, into the second-level cache, as data
        with cgutils.for_range_slice(builder, first, last, number(ROW), inc=True) as (on, _):
            call(builder, "prefetch.p0i8", [at(context, builder, signature.args[0], array, on), *how])
        return context.get_dummy_value()

    return types.void(array, types.int64, types.int64), generated


@instruction
def _finish(_: Any, sums: Any, first: Any, by: Any, each: Any, second: Any, bias: Any, third: Any, products: Any,
            last: Any) -> Any:
    """A row of SIDE products: its four sums, TILE bytes apart, times what belongs to each and `by`, and a bias. Every
    array is followed by where in it, in bytes."""

    def generated(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        kinds = signature.args
        sums, first, by, each, second, bias, third, products, last = given

        def place(kind: Any, array: Any, on: Any, of: Any = FLOATS) -> Any:
            return at(context, builder, kind, array, on, of)

        parts = []
        for part in range(4):
            whole = place(kinds[0], sums, builder.add(first, number(part * TILE)), WORDS)
            parts.append(builder.sitofp(builder.load(whole, align=ROW), FLOATS))
        one, two = (ir.Constant(FLOATS, [digits] * SIDE) for digits in (256.0, 256.0**2))
        high, low = joined(builder, parts[0], one, parts[1]), joined(builder, parts[2], one, parts[3])
        own = builder.fmul(joined(builder, high, two, low), builder.load(place(kinds[3], each, second), align=4))
        added = builder.load(place(kinds[5], bias, third), align=4)
        builder.store(joined(builder, own, everywhere(builder, by), added), place(kinds[7], products, last), align=4)
        return context.get_dummy_value()

    return types.void(sums, types.int64, types.float32, each, types.int64, bias, types.int64, products,
                      types.int64), generated


_load_4, _load_5, _load_6, _load_7 = (_moving("tileloadd64", tile) for tile in (4, 5, 6, 7))
_store_0, _store_1, _store_2, _store_3 = (_moving("tilestored64", tile) for tile in range(4))
_clear_0, _clear_1, _clear_2, _clear_3 = (_of_tiles("tilezero", tile) for tile in range(4))
_add_11, _add_12, _add_21, _add_13, _add_22, _add_31, _add_23, _add_32, _add_41 = (
    _of_tiles("tdpbssd", *of) for of in ((0, 4, 6), (1, 4, 7), (1, 5, 6), (2, 4, 6), (2, 5, 7), (2, 4, 6), (3, 5, 6),
                                         (3, 4, 7), (3, 4, 6)))


@compiled
def _room(size: int) -> Bytes:
    """So many bytes that begin at a multiple of ROW: from elsewhere a tile's rows would come in two halves each."""
    room = np.empty(size + ROW, np.uint8)
    first = -room.ctypes.data % ROW
    return room[first : first + size]


@partial(compiled, in_order=True)  # of the subtractions
def _split(x: Floats, digits: Bytes, by: Floats) -> None:
    """The digits of x (rows, in) as tiles (rows / 16, in / 64, 4, 16, 64), 0 where x has nothing, and what a row's
    numbers in digits are to be multiplied by (rows,): NaN where the row has one that is none or infinite."""
    rows, width = x.shape
    whole = np.full(digits.shape[1] * ROW, np.uint32(_MIDDLE), np.uint32)
    rest = np.zeros(len(whole), np.int32)
    for row in range(len(digits) * SIDE):
        of, place = digits[row // SIDE], row % SIDE
        if row >= rows:
            of[:, :, place] = 0
            continue
        own, bits, most = x[row], x[row].view(np.uint32), _NONE
        for k in range(width):
            most = max(most, np.uint32(bits[k] & _SIZE))
        reached = np.uint32(max(most, _LEAST))
        power = np.uint32(np.uint32(_OTHER - np.uint32(reached >> _PLACES)) << _PLACES).view(np.float32)
        power = power if reached.view(np.float32) * power <= _FARTHEST else power * _HALF
        by[row] = np.float32(1) / power if most < _INFINITE else np.float32(np.nan)
        for k in range(width):
            exact = own[k] * power
            near = np.floor(exact + _HALF)
            whole[k] = np.uint32(np.int32(near) + np.int32(_MIDDLE))
            rest[k] = np.int32(np.floor((exact - near) * _DIGIT))
        for block in range(len(of)):
            given, left = whole[block * ROW : (block + 1) * ROW], rest[block * ROW : (block + 1) * ROW]
            for digit in range(X - 1):
                into, less = of[block, digit, place], np.uint32(8 * (X - 2 - digit))
                for k in range(ROW):
                    into[k] = np.uint8(np.uint32(given[k] >> less) ^ _LOWEST)
            into = of[block, X - 1, place]
            for k in range(ROW):
                into[k] = np.uint8(left[k])


@partial(compiled, in_order=True)  # of the factors, which may be very small
def multiply(x: Floats, matrix: Bytes, bias: Floats, products: Floats) -> None:
    """Products (rows, out) of x (rows, in) and a matrix, as `packed` gives it, and a bias (out,)."""
    rows, out, strip = x.shape[0], products.shape[1], matrix.shape[1] * ROW  # a strip: what 16 columns take
    blocks, bands = matrix.shape[1] // (W * SIDE), -(-rows // SIDE)
    size = bands * blocks * X * TILE
    room = _room(size + 4 * TILE)
    digits, sums, by = room[:size].reshape((bands, blocks, X, SIDE, ROW)), room[size:], np.empty(rows, np.float32)
    _split(x, digits, by)
    share = -(-strip // (bands * blocks * ROW)) * ROW  # of the next strip, which is fetched meanwhile
    _begin(LAYOUT)
    for n in range(0, out, SIDE):
        own = n // SIDE * strip
        ahead = own + strip
        for band in range(bands):
            _clear_0()
            _clear_1()
            _clear_2()
            _clear_3()
            for block in range(blocks):
                if n + SIDE < out:
                    _fetch(matrix, ahead, ahead + share)
                    ahead += share
                u, v = (band * blocks + block) * X * TILE, own + block * W * TILE
                _load_4(digits, u)  # x1
                _load_6(matrix, v + 2 * TILE)  # w3
                _add_13()
                _load_5(digits, u + TILE)  # x2
                _add_23()
                _load_7(matrix, v + TILE)  # w2
                _add_12()
                _add_22()
                _load_6(matrix, v)  # w1
                _add_11()
                _load_4(digits, u + 2 * TILE)  # x3
                _add_32()
                _add_31()
                _add_21()
                _load_4(digits, u + 3 * TILE)  # x4
                _add_41()
            _store_0(sums, 0)
            _store_1(sums, TILE)
            _store_2(sums, 2 * TILE)
            _store_3(sums, 3 * TILE)
            first = band * SIDE
            for row in range(first, min(first + SIDE, rows)):
                _finish(sums, (row - first) * ROW, by[row], matrix, own + strip - ROW, bias, 4 * n, products,
                        4 * (row * out + n))
    _end()


@cache
def available() -> bool:
    """Whether this processor multiplies tiles, and the system lets this process: it is asked for that here, and what
    multiplies ends the process where it was not."""
    return bool(torch.cpu._is_amx_tile_supported() and torch.cpu._init_amx())


def packed(columns: Tensor) -> Bytes | None:
    """A matrix (in, out) as `multiply` takes it: (out / 16, rows of ROW bytes, ROW), each strip of 16 columns being
    tiles of their three digits, (in / 64, 3, 16, 16, 4), in which a row has four numbers of each column, and behind
    them what the columns' numbers are to be multiplied by, in float32. None where the columns are not a whole multiple
    of SIDE or too long or not finite, or the processor has no tiles."""
    width, out = columns.shape
    if not available() or not 0 < width <= DEEPEST or not out or out % SIDE or not bool(columns.isfinite().all()):
        return None
    farthest = columns.abs().amax(0).double().clamp_min(LEAST)
    power = torch.ldexp(torch.ones_like(farthest), 23 - farthest.frexp().exponent)
    power = torch.where(farthest * power <= FARTHEST, power, power / 2)
    whole = (columns.double() * power).round().long() + _MIDDLE
    blocks = -(-width // ROW)
    digits = torch.zeros(W, blocks * ROW, out, dtype=torch.uint8)
    for digit in range(W):
        digits[digit, :width] = (whole >> 8 * (W - 1 - digit)).bitwise_and(255).bitwise_xor(128)
    tiles = digits.view(W, blocks, SIDE, 4, out // SIDE, SIDE).permute(4, 1, 0, 2, 5, 3).reshape(out // SIDE, -1, ROW)
    # numpy asks for large pages of memory for what is large, torch does not: they are found sooner.
    room = np.empty(tiles.numel() + out // SIDE * ROW + ROW, np.uint8)
    first = -room.ctypes.data % ROW
    made: Bytes = room[first : first + len(room) - ROW].reshape(out // SIDE, -1, ROW)
    made[:, :-1] = tiles.numpy()
    made[:, -1] = (256 / power).float().view(torch.uint8).view(out // SIDE, ROW).numpy()  # the last sum is of 256s
    return made
