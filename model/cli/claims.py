"""The commands about the papers' claims: the claims themselves, and the short runs that some of them compare."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from model.checkpoints import checkpoint
from model.cli.lines import Threads, number, say, show, table_of, use_threads
from model.cli.measure import EVALUATIONS, Corpora, make_all, place_of, save_record

if TYPE_CHECKING:
    from model.analysis.paper.checks import Check


def claims(
    save: Annotated[bool, typer.Option("--save", help="Write the verdicts into assets.")] = False,
    folder: Annotated[Path | None, typer.Option("--from", help="Where the files are, instead of assets.")] = None,
) -> None:
    """What the paper and its relatives claim, claim by claim, and what the measurements say about it."""
    from model.analysis.paper import claims as checking
    from model.analysis.paper.checks import VERDICTS
    from model.analysis.paper.result_store import ResultStore
    from model.serialization.codec import dump_entries

    if folder is not None and (save or not folder.is_dir()):
        raise typer.BadParameter("--save keeps the verdicts of the measurements in assets: leave out --from" if save
                                 else f"--from {folder} is not a folder of measurements")
    measured = ResultStore(checkpoint.list_shipped_cards(), folder or EVALUATIONS)
    found, paper = checking.compute_claims(measured), ""
    for claim in found:
        if checking.PAPERS[claim.number] != paper:
            paper = checking.PAPERS[claim.number]
            say(f"{paper}:")
        say(f"{claim.number}. {checking.CLAIMS[claim.number]}: {VERDICTS[claim.verdict]}")
        table = table_of("  ", "value", "95 % of resamples", "bound", "hours", "data", "models")
        for check in claim.checks:
            bound = f"above {check.above:g}" if check.above is not None else f"below {check.below:g}"
            band = "" if check.low is None else f"{check.low:.3f} to {check.high:.3f}"
            table.add_row(f"  {check.outcome:<9}{checking.CHECKS[check.key]}", number(check.value, 3), band, bound,
                          _hours(check), check.data + (f", beam {check.beam}" if check.beam else ""),
                          " and ".join(check.models))
        show(table)
    if save:
        record = checking.build_record(found, measured, "python -m model claims --save")
        save_record("claims.json", dump_entries(record))


def compared(
    corpora: Corpora,
    runs: Annotated[list[Path], typer.Argument(metavar="RUN...", help="The folders of the runs; each is named by "
                                                                      "its kind and its folder.")],
    sample: Annotated[int, typer.Option(min=0, help="Only this many sentences of each text (0: all); needs "
                                                    "--out.")] = 0,
    threads: Threads = 0,
    out: Annotated[Path | None, typer.Option(help="Where to write, instead of assets.")] = None,
) -> None:
    """Measure short runs that claims compare and that are not shipped: keeps the facts of their cards and their
    evaluations, not their weights, and the claims anew. Stop and start as you like.

    **Example**

    python -m model compared FOLDER runs/trials/luong/*/
    """
    from model.analysis.paper import campaign
    from model.analysis.paper.runs import RUNS, name_run, read_run_card

    place = place_of(out, sample)
    found = [(folder, read_run_card(folder)) for folder in runs]
    cards = {name_run(folder, card.kind): card for folder, card in found}
    taken = {card.name for card in checkpoint.list_shipped_cards()} & set(cards)
    if taken or len(cards) < len(runs):
        raise typer.BadParameter("every run needs a name of its own, which no shipped model has: rename the folder of "
                                 f"{', '.join(sorted(taken)) or 'one of two that are called alike'}")
    use_threads(threads)

    def load(name: str) -> checkpoint.Model:
        model = checkpoint.load_model(cards[name].folder)
        return replace(model, card=replace(model.card, name=name))

    make_all(campaign.list_run_measurements(corpora, cards, sample), place / RUNS, load)
    campaign.write_claims(place)


def _hours(check: Check) -> str:
    """The hours of training beside a check, and that they are too far apart where they are."""
    hours = " and ".join(f"{one:.1f}" for one in check.hours)
    return hours if check.fair else f"{hours}, not compared"
