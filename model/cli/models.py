"""`python -m model models` and `python -m model average`. The first does not need torch."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.text import Text

from model.checkpoints import checkpoint
from model.cli.shared import make_table, print_error, print_table
from model.networks import registry
from model.serialization.messages import MAX_VALUE_LENGTH, quote_value


def models() -> None:
    """List the models: name, title, kind of network and its settings, training and dev BLEU."""
    table = make_table("name", "title", "fingerprint", "kind", "network", "parameters", "target tokens seen",
                       "dev BLEU", text_columns=("title", "fingerprint", "kind", "network"))
    for card in checkpoint.list_cards():
        try:
            table.add_row(*map(Text, _describe(card)))  # Text, so that markup on a card is shown as it is
        except ValueError as error:
            print_error(f"{card.folder}: {error}", "damaged")
    for problem in checkpoint.list_errors():
        print_error(str(problem), "damaged")
    if not table.row_count:
        print_error(f"there are no models in {checkpoint.SHIPPED}; train one: python -m model train shipped")
        raise typer.Exit(2)
    print_table(table)


def average(
    checkpoints: Annotated[list[str], typer.Argument(metavar="CHECKPOINT...", help="Models, or folders of checkpoints, "
                                                     "of one network and vocabulary; the last gives the card.")],
    out: Annotated[Path, typer.Option(metavar="DIR", help="The folder of the new checkpoint.")],
) -> None:  # fmt: skip
    """Write a checkpoint with the mean of the weights of others."""
    from model.checkpoints.averaging import average_checkpoints

    card = average_checkpoints(checkpoints, out)
    typer.echo(f"{out}: {card.title} ({card.fingerprint}), the mean of {len(checkpoints)} checkpoints")


def _describe(card: checkpoint.Card) -> tuple[str, ...]:
    """Return the row of a model. Raises ValueError if its card has impossible values."""
    kind, bleu = registry.find_kind(card.kind), card.dev_bleu
    network = ", ".join(f"{_quote_briefly(key)} {_quote_briefly(value)}" for key, value in card.network.items()
                        if key != "kind")
    return (card.name, card.title, card.fingerprint, kind.title, network, f"{card.parameters:,}",
            f"{card.target_tokens:,}", "" if bleu is None else f"{bleu:.1f}")


def _quote_briefly(value: object) -> str:
    """Return a value on one line, a short string without its quotes."""
    return (
        quote_value(value)[1:-1] if isinstance(value, str) and len(value) < MAX_VALUE_LENGTH - 1 else quote_value(value)
    )
