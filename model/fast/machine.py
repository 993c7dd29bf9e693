"""What is said in the machine's own words in compiled functions, where numba has none for it, or too few numbers are
worked on at once: by itself it makes no vector longer than half of what some processors have.

Vectors are of SIDE numbers; a processor with shorter ones takes two or four instructions in place of one.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

SIDE = 16
ROWS = 8  # of a matrix that are taken at a time: it comes from memory no sooner, and sums are fetched less often

BYTE, WORD, LONG, NOTHING = ir.IntType(8), ir.IntType(32), ir.IntType(64), ir.VoidType()
WORDS, FLOATS, HALVES = (ir.VectorType(of, SIDE) for of in (WORD, ir.FloatType(), ir.HalfType()))
_PLACE = BYTE.as_pointer()

instruction: Any = intrinsic
"""Makes a function that compiled ones can call of one that says what machine code is to stand there."""


def call(builder: Any, name: str, given: list[Any], gives: Any = NOTHING) -> Any:
    """Call the instruction of that name; what it takes is of the types of what it is given."""
    kind = ir.FunctionType(gives, [one.type for one in given])
    return builder.call(cgutils.get_or_insert_function(builder.module, kind, f"llvm.{name}"), given)


def at(context: Any, builder: Any, kind: Any, array: Any, on: Any, of: Any = BYTE) -> Any:
    """Where in memory the array is, of that type, so many bytes on; what stands there is taken for one `of` these."""
    begins = context.make_array(kind)(context, builder, array).data
    return builder.bitcast(builder.gep(builder.bitcast(begins, _PLACE), [on]), of.as_pointer())


def number(value: int, kind: Any = LONG) -> Any:
    return ir.Constant(kind, value)


def everywhere(builder: Any, value: Any) -> Any:
    """A vector of the same float32."""
    nothing = ir.Constant(FLOATS, ir.Undefined)
    return builder.shuffle_vector(builder.insert_element(nothing, value, number(0, WORD)), nothing,
                                  ir.Constant(WORDS, [0] * SIDE))


def joined(builder: Any, one: Any, other: Any, added: Any) -> Any:
    """one . other + added, of vectors of float32, rounded once."""
    return call(builder, "fma.v16f32", [one, other, added], FLOATS)


@instruction
def single(_: Any, half: Any) -> Any:
    """The float32 that a number in half precision is, of which numba knows no more than its sixteen bits."""

    def generated(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        return builder.fpext(builder.bitcast(given[0], ir.HalfType()), ir.FloatType())

    return types.float32(types.uint16), generated


@instruction
def add_rows(_: Any, sums: Any, matrix: Any, first: Any, x: Any) -> Any:
    """Add to the sums (out,) what ROWS rows of a matrix (in, out) in half precision, from the `first` on, and their
    numbers of a vector x (in,) make: to all but those that are left over behind whole vectors. The rows are added up by
    twos, so that few sums are rounded one after the other."""

    def generated(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        sums, matrix, first, x = given
        kinds = signature.args
        out = builder.extract_value(context.make_array(kinds[0])(context, builder, sums).shape, 0)
        order = [builder.add(first, number(row)) for row in range(ROWS)]
        begins = [builder.mul(row, builder.mul(out, number(2))) for row in order]
        by = [everywhere(builder, builder.load(at(context, builder, kinds[3], x, builder.mul(row, number(4)),
                                                  ir.FloatType()))) for row in order]
        last = builder.sub(out, builder.urem(out, number(SIDE)))
        with cgutils.for_range_slice(builder, number(0), last, number(SIDE), inc=True) as (k, _):

            def row(place: int) -> Any:
                on = builder.add(begins[place], builder.mul(k, number(2)))
                return builder.fpext(builder.load(at(context, builder, kinds[1], matrix, on, HALVES), align=2), FLOATS)

            parts = [joined(builder, by[place], row(place), builder.fmul(by[place + 1], row(place + 1)))
                     for place in range(0, ROWS, 2)]
            while len(parts) > 1:
                parts = [builder.fadd(*parts[place : place + 2]) for place in range(0, len(parts), 2)]
            into = at(context, builder, kinds[0], sums, builder.mul(k, number(4)), FLOATS)
            builder.store(builder.fadd(builder.load(into, align=4), parts[0]), into, align=4)
        return context.get_dummy_value()

    return types.void(sums, matrix, types.int64, x), generated
