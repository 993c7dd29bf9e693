"""The measuring half of the command line: evaluate, everyday, align, bench. Registered by `model.cli`."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from model import checkpoint
from model.cli_lines import Beam, Name, lines_of, say, show, stages

EVALUATIONS = checkpoint.SHIPPED.parent / "evaluations"


def evaluate(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Lines english<TAB>french, as .tsv or .tsv.xz.")],
    model: Name = "rnnsearch-50",
    beam: Beam = 1,
    sample: Annotated[int, typer.Option(min=0, help="Only so many sentences, evenly spaced (0: all).")] = 0,
    threads: Annotated[int, typer.Option(min=0, help="Threads (0: as many as there are cores).")] = 0,
    save: Annotated[bool, typer.Option("--save", help="Write the evaluation, with its counts, into assets.")] = False,
) -> None:
    """Translate a test set and score it: BLEU with its signature, chrF, perplexity, and BLEU by sentence length.

    **Example**

    python -m model evaluate newstest2014.en-fr.tsv --beam 5
    """
    from model.measure.evaluate import evaluate as run
    from model.measure.evaluation import ParallelText
    from model.search import Settings

    settings = Settings(beam=beam, candidates=0)
    text = ParallelText.read(file)
    text = text.spaced(sample) if sample else text
    loaded = checkpoint.load(model)
    _use_threads(threads)
    command = f"python -m model evaluate {file.name} --model {loaded.name} --beam {beam}"
    with stages() as progress:
        evaluation = run(loaded, text, settings, progress=progress,
                         command=command + (f" --sample {sample}" if sample else ""))
    scores = evaluation.scores
    say(f"{evaluation.model} ({evaluation.fingerprint}) on {evaluation.data.name}, "
        f"{evaluation.data.sentences:,} sentences, {evaluation.search['name']}")
    for name, value in (("bleu", f"{scores['bleu']:.2f} ({scores['bleu_low']:.1f} to {scores['bleu_high']:.1f})"),
                        ("bleu_moses", f"{scores['bleu_moses']:.2f}"), ("chrf", f"{scores['chrf']:.2f}"),
                        ("perplexity", f"{scores['perplexity']:.2f}")):
        say(f"{name:<11} {value:<22} {evaluation.signatures[name]}")
    say(f"unfinished  {evaluation.unfinished}, untranslated {evaluation.untranslated}")
    table = Table(box=None, pad_edge=False)
    for title in ("source words", "sentences", "BLEU", "95 % of resamples"):
        table.add_column(title, justify="right")
    for part in evaluation.by_length:
        if part.sentences:
            table.add_row(part.label, f"{part.sentences:,}", f"{part.bleu:.1f}", f"{part.low:.1f} to {part.high:.1f}")
    show(table)
    if save:
        EVALUATIONS.mkdir(parents=True, exist_ok=True)
        search = "greedy" if beam == 1 else f"beam{beam}"
        path = EVALUATIONS / f"{evaluation.data.name.replace(', ', '-').replace(' ', '-')}-{loaded.name}-{search}.json"
        path.write_text(evaluation.to_json() + "\n", encoding="utf-8")
        note_scores(loaded.card)
        say(f"written to {path}")


def note_scores(card: checkpoint.Card) -> None:
    """Write what the evaluations in assets say of a shipped model's weights into its card."""
    from model.measure.evaluation import Evaluation

    scores = []
    for path in sorted(EVALUATIONS.glob(f"*-{card.name}-*.json")):
        found = Evaluation.from_json(path.read_text(encoding="utf-8"))
        if found.fingerprint == card.fingerprint:
            scores.append({
                "data": found.data.name, "sentences": found.data.sentences, "search": found.search["name"],
                "beam": found.search["beam"], "evaluation": path.name, "date": found.date, "command": found.command,
                **{name: round(value, 2) for name, value in found.scores.items()}, "signatures": found.signatures,
            })  # fmt: skip
    if card.folder.parent == checkpoint.SHIPPED:
        checkpoint.write_card(card.folder, replace(card, scores=scores))


def everyday(
    model: Name = "rnnsearch-50",
    beam: Beam = 1,
    save: Annotated[bool, typer.Option("--save", help="Write the report into assets.")] = False,
    corpora: Annotated[str, typer.Option(metavar="DIR", help="First look up which stand in training text.")] = "",
) -> None:
    """Translate forty everyday sentences, and say how many come out right and which don't."""
    from model.measure.everyday import check_everyday, record_unseen
    from model.search import Settings

    if corpora:
        say(f"{record_unseen(Path(corpora))} of them stand in no training text")
    report = check_everyday(checkpoint.load(model), Settings(beam=beam))
    for outcome in report.outcomes:
        say(f"{'right' if outcome.passed else 'WRONG'}  {outcome.source}  ->  {outcome.output}"
            f"{'' if outcome.unseen else '  (stands in the training text)'}")
    say(f"{report.model} ({report.fingerprint}): {report.passed} of {len(report.outcomes)} right, "
        f"{report.unseen_passed} of the {report.unseen} that are in no training text")
    if save:
        EVALUATIONS.mkdir(parents=True, exist_ok=True)
        path = EVALUATIONS / f"everyday-{report.model}.json"
        path.write_text(report.to_json(), encoding="utf-8")
        say(f"written to {path}")


def align(
    file: Annotated[str, typer.Argument(metavar="[FILE|-]", help="english<TAB>french or english ||| french.")] = "-",
    model: Name = "rnnsearch-50",
    soft: Annotated[bool, typer.Option("--soft", help="JSON with all weights instead of i-j.")] = False,
    tokens: Annotated[bool, typer.Option("--tokens", help="Count the file's own white-space tokens.")] = False,
) -> None:
    """Where the model looks while it writes given translations: Pharaoh i-j (from 0, English-French), a line a pair."""
    from model.measure.alignment import align as run
    from model.measure.alignment import read_pairs_as_given

    loaded = checkpoint.load(model)
    with lines_of(file) as lines:
        for alignment in run(loaded, read_pairs_as_given(lines), tokens=tokens, batch_size=1 if file == "-" else 32):
            say(alignment.to_json() if soft else alignment.pharaoh())


def bench(
    rounds: Annotated[int, typer.Option(min=1, help="Turns each contender takes; medians are shown.")] = 5,
    threads: Annotated[int, typer.Option(min=0, help="Threads (0: as many as there are cores).")] = 0,
    batch: Annotated[int, typer.Option(min=1, help="Sentences in a training batch.")] = 128,
    hidden: Annotated[int, typer.Option(min=1, help="n = n', units of the GRUs and of the alignment model.")] = 384,
    embedding: Annotated[int, typer.Option(min=1, help="m = l, embedding and readout.")] = 256,
    model: Name = "rnnsearch-50",
) -> None:
    """Measure speed: training by the plain loop and by model/fast.py in turns, and decoding with a shipped model."""
    from itertools import chain

    from model import bench as measuring
    from model.measure.everyday import read_everyday
    from model.opening import SENTENCES

    loaded = checkpoint.load(model)
    _use_threads(threads)
    shape = measuring.Shape(hidden=hidden, alignment=hidden, embedding=embedding, readout=embedding, batch=batch)
    sentences = [*SENTENCES, *(one.source for one in read_everyday())]
    for condition in [*measuring.conditions(), f"{shape}"]:
        say(condition)
    console = Console(stderr=True)
    with console.status("") as status:
        for line in chain(measuring.training(shape, rounds=rounds, progress=status.update),
                          measuring.decoding(loaded, sentences, rounds=rounds, progress=status.update)):
            say(f"{line.what:<42} {line.value:>10,.0f} {line.unit:<16} {line.note}".rstrip())


def _use_threads(threads: int) -> None:
    import torch

    if threads:
        torch.set_num_threads(threads)
