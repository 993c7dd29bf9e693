"""The command that asks how far the gradient reaches back, and its lines."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from model.cli.lines import Name, load, say

if TYPE_CHECKING:
    from model.analysis.attribution.gradient_record import Gradients


def gradients(
    text: Annotated[str, typer.Argument(help="A sentence in the model's source language.")],
    model: Name = None,
) -> None:
    """How much of the encoder's state at each source piece still reaches its own translation: the norm of the gradient
    of log p(y_i), mean over the pieces written, by steps of reading left; and the means of the gates.

    **Example**

    python -m model gradients "The dog did not eat the soup." --model rnnencdec-50
    """
    from model.analysis.attribution.gradients import measure_gradients
    from model.decoding.translate import translate_one
    from model.text.normalise import normalise

    loaded = load(model)
    trace = translate_one(loaded, normalise(text))
    for line in told(measure_gradients(loaded, trace)):
        say(line)


def told(found: Gradients) -> Iterator[str]:
    """The curves as a table of tabs, what a step leaves of them, and a line for each gate."""
    from model.analysis.attribution.gradient_record import fit_decay_factor

    yield f"{found.model}: {found.target.text}"
    curves = {"all paths": found.decay_curve(found.total)}
    if found.direct is not None:
        curves["look alone"] = found.decay_curve(found.direct)
    yield "\t".join(["distance", "piece", *curves])
    for distance, (piece, *values) in enumerate(zip(found.pieces_by_distance(), *curves.values(), strict=True)):
        yield "\t".join([str(distance), piece, *(f"{value:.4g}" for value in values)])
    for name, curve in curves.items():
        left = fit_decay_factor(curve)
        yield f"a step leaves, {name}: " + ("unknown" if left is None else f"{left:.3f}")
    for one in found.gates:
        way = ", from the other end" if one.direction == 2 else ""
        for name, values in zip(one.names, one.values, strict=True):
            yield "\t".join([f"{one.side} {one.layer}{way}, {name} gate", *(f"{value:.3f}" for value in values)])
    if not found.gates:
        yield "no gates: nothing goes from step to step"
