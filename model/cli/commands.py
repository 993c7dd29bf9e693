"""The command line: `python -m model models | translate | train | evaluate | everyday | robustness | bench | …`.

Whatever goes wrong for a reason a user can mend is one sentence on standard error and exit code 2.
"""

from __future__ import annotations

import contextlib
import io
import os
import queue
import sys
import threading
from collections.abc import Iterable, Iterator
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer
from rich.table import Table
from rich.text import Text

from model.checkpoints import checkpoint, model_folders
from model.cli import measure
from model.cli.claims import claims, compared
from model.cli.counterfactual import need, replay
from model.cli.gradients import gradients
from model.cli.inspect_file import inspect
from model.cli.lexicon import lexicon
from model.cli.lines import Beam, Name, Threads, amount, complain, lines_or_errors, load, millions, say, show, stages
from model.cli.results import results
from model.networks import registry
from model.serialization.messages import SHOWN, is_out_of_memory, quote_value
from model.training import DATA, RUNS
from model.training.recipe import recipe_names

if TYPE_CHECKING:
    from model.decoding import Settings
    from model.trace import Trace

app = typer.Typer(
    help="Neural translation that shows where it looks: RNNsearch (Bahdanau et al. 2015) and its relatives.",
    add_completion=False, pretty_exceptions_enable=False, rich_markup_mode="markdown",
)  # fmt: skip
RECIPES = ", ".join(recipe_names())



class Format(StrEnum):
    """What `translate` writes for each line."""

    text = "text"
    json = "json"


class Kind(StrEnum):
    """What the pieces of a vocabulary are."""

    unigram = "unigram"
    word = "word"


def main() -> NoReturn:
    """Run the command line; errors a user can mend end it with one sentence and exit code 2."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # the interface speaks UTF-8 whatever the locale says
            stream.reconfigure(encoding="utf-8", errors="replace")
    try:
        sys.exit(app(standalone_mode=False))
    except typer.BadParameter as error:
        fail(f"{error.format_message()} (help: python -m model COMMAND --help)")
    except typer.TyperException as error:
        fail(f"{error.format_message() if hasattr(error, 'format_message') else error} (help: python -m model --help)")
    except (KeyboardInterrupt, typer.Abort):
        fail("stopped", 130)
    except ValueError as error:  # every error of ours is one: a sentence on what was wrong and what to do
        fail(str(error))
    except OSError as error:
        fail(f"{error.filename or 'a file could not be read or written'}: {error.strerror or error}")
    except (MemoryError, RuntimeError) as error:
        if not is_out_of_memory(error):
            raise
        fail("this machine has too little memory for that; use smaller sizes or a smaller batch")


def fail(sentence: str, code: int = 2) -> NoReturn:
    """One sentence on standard error, and out."""
    complain(sentence)
    sys.exit(code)


@app.callback(invoke_without_command=True)
def start(
    context: typer.Context,
    models: Annotated[
        list[Path] | None,
        typer.Option(
            "--models",
            metavar="DIR",
            help="A folder of further models: a checkpoint, a run, or a folder of these; may be "
            f"given several times. The environment variable {model_folders.ENVIRONMENT_VARIABLE} names such folders too.",
        ),
    ] = None,
) -> None:
    """Without a command: help."""
    for folder in models or ():
        if not folder.is_dir():
            raise typer.BadParameter(f"--models {folder} is not a folder; give a checkpoint, a run, or a folder of "
                                     "them")
    model_folders.set_extra_folders(models or ())
    if context.invoked_subcommand is None:
        say(context.get_help())


@app.command()
def models() -> None:
    """List the models: name, title, kind of network and its settings, training and dev BLEU."""
    table = Table(box=None, pad_edge=False)
    for title in ("name", "title", "fingerprint", "kind", "network"):
        table.add_column(title)
    for title in ("parameters", "target pieces seen", "dev BLEU"):
        table.add_column(title, justify="right")
    for card in checkpoint.list_cards():
        try:
            table.add_row(*map(Text, _listed(card)))  # a Text is shown as it is: a card may hold signs of markup
        except ValueError as error:
            complain(f"{card.folder}: {error}", "damaged")
    for problem in checkpoint.list_errors():
        complain(str(problem), "damaged")
    if not table.row_count:
        fail(f"there are no models in {checkpoint.SHIPPED}; train one: python -m model train shipped")
    show(table)


def _listed(card: checkpoint.Card) -> tuple[str, ...]:
    """What `models` tells of a model, without torch. Raises ValueError where its card says what cannot be."""
    kind, best = registry.find_kind(card.kind), card.dev_bleu
    network = ", ".join(f"{_bare(key)} {_bare(value)}" for key, value in card.network.items()
                        if key != "kind")
    return (card.name, card.title, card.fingerprint, kind.title, network, f"{card.parameters:,}",
            f"{card.target_tokens:,}", "" if best is None else f"{best:.1f}")


def _bare(value: object) -> str:
    """A value of a card on one line, a text without its quotes."""
    return quote_value(value)[1:-1] if isinstance(value, str) and len(value) < SHOWN - 1 else quote_value(value)


@app.command()
def translate(
    file: Annotated[str, typer.Argument(metavar="[FILE|-]", help="Lines of text in UTF-8; - is stdin.")] = "-",
    model: Name = None,
    beam: Beam = 1,
    n_best: Annotated[int, typer.Option(min=1, help="With a beam: this many translations of each line, as rank, "
                                                    "score and text.")] = 1,
    begin: Annotated[str, typer.Option(metavar="TEXT", help="How every translation is to begin.")] = "",
    tree: Annotated[bool, typer.Option("--tree", help="With a beam and JSON: all that the search looked at.")] = False,
    form: Annotated[Format, typer.Option("--format", "-f", help="The translation, or a Trace as JSON, one a line.")]
        = Format.text,
    batch: Annotated[int, typer.Option(min=1, max=1024, help="Sentences decoded together.")] = 32,
    length_penalty: Annotated[str | None, typer.Option(help="With a beam: none, length or gnmt.")] = None,
    alpha: Annotated[float | None, typer.Option(help="Strength of the length penalty gnmt.")] = None,
    beta: Annotated[float | None, typer.Option(help="Strength of gnmt's coverage penalty.")] = None,
    stop: Annotated[str | None, typer.Option(help="When a beam ends: exact, or beam (sooner, but shorter).")] = None,
    sample: Annotated[bool, typer.Option("--sample", help="Draw each piece instead of taking the likeliest.")] = False,
    temperature: Annotated[float | None, typer.Option(help="With --sample: below 1 is more careful.")] = None,
    top_k: Annotated[int | None, typer.Option(help="With --sample: draw among this many likeliest pieces.")] = None,
    top_p: Annotated[float | None, typer.Option(help="With --sample: draw among the likeliest pieces that hold this "
                                                     "share of the probability.")] = None,
    seed: Annotated[int | None, typer.Option(help="With --sample: the same seed draws the same.")] = None,
    edits: Annotated[Path | None, typer.Option(metavar="FILE", help="Replay an experiment saved by the laboratory: its "
                                                                    "sentence, model, search and changes.")] = None,
) -> None:
    """Translate lines, in order and as they come; an empty line stays empty, and so does one that can't be translated:
    the reason is told on standard error, and the exit code is 2. Emoji and arrows are copied; a sign that the model can
    only read as bytes is named on standard error.

    **Examples**

    echo "The black cat sleeps." | python -m model translate

    python -m model translate --beam 5 --format json letter.txt > letter.jsonl

    python -m model translate --edits experiment.json
    """
    from model.decoding import Settings

    chosen = {"length_penalty": length_penalty, "alpha": alpha, "beta": beta, "stop": stop, "temperature": temperature,
              "top_k": top_k, "top_p": top_p, "seed": seed}  # fmt: skip
    given: dict[str, Any] = {name: value for name, value in chosen.items() if value is not None}
    if edits is not None:
        other = n_best != 1 or begin or tree or sample or batch != 32
        if file != "-" or model is not None or beam != 1 or other or given:
            raise typer.BadParameter("--edits replays an experiment with its own sentence, model and search: leave out "
                                     "all but --format.")
        (trace,) = replay(edits)
        say(trace.to_json() if form is Format.json else trace.target.text)
        return
    if stop and beam == 1:
        raise typer.BadParameter("--stop says when a beam ends: give --beam too, or leave it out")
    if tree and form is not Format.json:
        raise typer.BadParameter("--tree goes with --format json, which alone holds what was looked at")
    settings = Settings(beam=beam, n_best=n_best, sample=sample, tree=tree,
                        candidates=10 if form is Format.json else 0, **given)  # fmt: skip
    loaded = load(model)
    broken = False
    with lines_or_errors(file) as lines:
        for traces in _translations(loaded, lines, settings, batch, begin):
            if isinstance(traces, ValueError):
                complain(str(traces))
                broken, traces = True, []
            if not traces:
                say("" if form is Format.text else "null")
            for rank, trace in enumerate(traces, 1):
                if form is Format.json:
                    say(trace.to_json())
                else:
                    say(f"{rank}\t{trace.score:.4f}\t{trace.target.text}" if n_best > 1 else trace.target.text)
    if broken:
        raise typer.Exit(2)


@app.command()
def train(
    recipe: Annotated[str, typer.Argument(help=f"A recipe by name ({RECIPES}), or a .toml file.")] = "",
    kind: Annotated[str, typer.Option(help="The kind of network: rnnsearch, rnnencdec, ... (default: the recipe's, "
                                           "else rnnsearch).")] = "",
    longest: Annotated[int, typer.Option(help="The longest sentence it is shown, in words per side.")] = 50,
    name: Annotated[str, typer.Option(help="What to call it (default: KIND-LONGEST).")] = "",
    title: Annotated[str, typer.Option(help="The title that readers see (default: as papers write the kind).")] = "",
    data: Annotated[Path, typer.Option(help="The folder made by `python -m model data`.")] = DATA,
    runs: Annotated[Path, typer.Option(help="Where runs live, each in a folder of its name.")] = RUNS,
    resume: Annotated[bool, typer.Option("--resume", help="Go on exactly where the run of this name stopped.")] = False,
    init: Annotated[str, typer.Option(metavar="CHECKPOINT", help="Start from a checkpoint's weights alone.")] = "",
    pieces: Annotated[float, typer.Option(help="Stop at this many million pieces (0: never).",
                                          callback=millions)] = 0.0,
    minutes: Annotated[float, typer.Option(help="Stop after this many minutes (0: never).", callback=amount)] = 0.0,
    cool_down: Annotated[float, typer.Option(
        help="Let the learning rate fall to zero over this many million pieces (the last ones before --pieces, if "
             "given), then stop.",
        callback=millions)] = 0.0,
    threads: Threads = 0,
    ship: Annotated[bool, typer.Option("--ship", help="Copy the best weights so far to assets, and end.")] = False,
) -> None:
    """Train a model; Ctrl-C saves and says how to go on.

    **Examples**

    python -m model train shipped --kind rnnsearch --longest 50

    python -m model train --name rnnsearch-50 --resume
    """
    from model.training.batches import match_corpora_in_folder
    from model.training.console import run_with_progress, ship_best
    from model.training.lock import lock_run_folder
    from model.training.recipe import Plan, load_recipe
    from model.training.trainer import STATE, Trainer

    chosen = load_recipe(recipe) if recipe else None
    plan = Plan(kind or (chosen.kind if chosen else "") or "rnnsearch", longest, name, title)
    folder = runs / plan.name
    if folder.resolve() == data.resolve():
        raise typer.BadParameter(f"the run {plan.name} would stand among the prepared text of {data}: give another "
                                 "--name or --runs")
    if ship:
        say(ship_best(folder, plan.name, data))
        return
    with contextlib.ExitStack() as stack:
        if resume:
            if recipe or init:
                raise ValueError("--resume goes on with the recipe and weights of the run; leave out the recipe and "
                                 "--init")
            # Nobody may save between the reading of the state and the first update; of several processes one sees to it
            if (folder / STATE).exists() and os.environ.get("RANK", "0") == "0":
                stack.enter_context(lock_run_folder(folder))
            trainer = Trainer.resume(folder, data, threads=threads or None)
        else:
            if chosen is None:
                raise ValueError("name a recipe, such as: python -m model train shipped --kind rnnsearch")
            if (folder / STATE).exists():
                raise ValueError(f"{folder} already holds a run; go on with --resume, or move the folder away")
            read = match_corpora_in_folder(chosen.data, data)
            trainer = Trainer(folder, replace(chosen, data=read), plan, data, initial=init or None,
                              threads=threads or None)
            if read is not chosen.data and trainer.group.is_first:
                say(f"{data} holds none of the corpora that the recipe {chosen.name} names: an epoch is all that it "
                    f"holds, {', '.join(read.copies)}")
        if trainer.group.is_first:
            stack.enter_context(lock_run_folder(folder))
        limit = round(pieces * 1e6) or None
        if cool_down:
            trainer.schedule_cool_down(max(1, round(cool_down * 1e6)), until=limit)
        run_with_progress(trainer, pieces=limit, minutes=minutes or None)


@app.command()
def trials(
    file: Annotated[Path, typer.Argument(help="A file of trials (.toml); `model.training.trials` says what it holds.")],
    out: Annotated[Path, typer.Option(help="The table (.json) that grows with every trial.")],
    data: Annotated[Path, typer.Option(help="The folder made by `python -m model data`.")] = DATA,
    runs: Annotated[Path, typer.Option(help="Where the runs live, each in FILE/TRIAL.")] = RUNS / "trials",
    threads: Threads = 0,
) -> None:
    """Compare recipes by short runs from one start; stop and start as you like.

    **Example**

    python -m model trials model/training/recipes/trials/rnnsearch.toml --out assets/trials/rnnsearch.json
    """
    from model.training.trials import run_trials

    for trial in run_trials(file, data, runs, out, threads=threads or None):
        say(f"{trial.name}: {trial.pieces:,} pieces, {trial.updates:,} updates, {trial.processor_minutes} minutes of "
            f"processor time, dev loss {trial.dev_loss:.4f}, dev BLEU {trial.bleu['all']:.1f}")


@app.command()
def precision(
    recipe: Annotated[str, typer.Argument(help="A recipe by name or a .toml file.")] = "shipped",
    kind: Annotated[str, typer.Option(help="The kind of network: rnnsearch, rnnencdec, ...")] = "rnnsearch",
    longest: Annotated[int, typer.Option(help="The longest sentence it is shown, in words per side.")] = 50,
    data: Annotated[Path, typer.Option(help="The folder made by `python -m model data`.")] = DATA,
    updates: Annotated[int, typer.Option(min=1, help="Updates of each of the three runs.")] = 200,
    every: Annotated[int, typer.Option(min=1, help="Updates between two lines of the report.")] = 20,
    threads: Threads = 0,
) -> None:
    """Train in float32, in bfloat16 and in float32 with other dropout, side by side: do the loss curves agree?"""
    from model.training.precision import compare_precisions, summarize_losses
    from model.training.recipe import Plan, load_recipe

    losses = []
    say(f"{'updates':>11} {'float32':>9} {'bfloat16':>9} {'other dropout':>14}  mean loss a target piece, nats")
    for one in compare_precisions(load_recipe(recipe), Plan(kind, longest), data, updates, threads=threads or None):
        losses.append(one)
        if one.update % every == 0 or one.update == updates:
            mean, half, other = summarize_losses(losses[(one.update - 1) // every * every :])
            say(f"{one.update:>11,} {mean:>9.4f} {half:>+9.4f} {other:>+14.4f}")
    mean, half, other = summarize_losses(losses)
    say(f"{'all':>11} {mean:>9.4f} {half:>+9.4f} {other:>+14.4f}")


app.command()(inspect)
app.command()(measure.evaluate)
app.command()(measure.everyday)
app.command()(measure.robustness)
app.command()(measure.copied)
app.command()(measure.align)
app.command("alignment-error")(measure.alignment_error)
app.command()(claims)
app.command()(compared)
app.command()(results)
app.command()(need)
app.command()(lexicon)
app.command()(gradients)
app.command()(measure.bench)
app.command()(measure.costs)


@app.command()
def data(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A folder of corpora: train/NAME.SRC-TGT.tsv[.xz].")],
    control: Annotated[str, typer.Option(help="A control file by name (shipped, wide) or a .toml file.")] = "",
    languages: Annotated[str, typer.Option(metavar="SRC-TGT", help="Source and target, such as ko-en.")] = "",
    out: Annotated[Path, typer.Option(help="Where the prepared data goes.")] = DATA,
    workers: Annotated[int, typer.Option(min=1, max=64, help="Processes that clean and count.")] = 2,
    vocabulary: Annotated[int | None, typer.Option(min=4, max=65536, help="Pieces of the vocabulary (else the "
                                                                          "control file's).")] = None,
    kind: Annotated[Kind | None, typer.Option(help="Subwords and bytes, or whole words and UNK.")] = None,
    vocabulary_of: Annotated[str, typer.Option(metavar="CHECKPOINT", help="Learn no vocabulary: take this model's, so "
                                                                          "that its weights can go on.")] = "",
) -> None:
    """Clean corpora, count, learn the vocabulary, and write what training reads.

    Without a control file: every corpus of DIR/train once, development files from DIR/dev, or else held-out sentences.

    **Examples**

    python -m model data corpora --control shipped

    python -m model data corpora --control wide --vocabulary-of rnnsearch-50 --out runs/wide

    python -m model data mine --languages ko-en --vocabulary 4000 --out runs/data-ko
    """
    from model.checkpoints import checkpoint
    from model.text.control_file import load_control
    from model.text.corpus import prepare_corpora
    from model.text.languages import parse_language_pair
    from model.text.vocabulary import Vocabulary

    if vocabulary_of and (vocabulary or kind):
        raise typer.BadParameter("--vocabulary-of takes a model's vocabulary as it is: leave out --vocabulary and "
                                 "--kind")
    if (out / "meta.json").exists():
        raise typer.BadParameter(f"{out} holds prepared text already, which runs may go on with: give another --out, "
                                 "or delete that folder first, if no run is in it")
    given = Vocabulary.load(checkpoint.find_checkpoint(vocabulary_of) / "vocabulary.model") if vocabulary_of else None

    with stages() as progress:
        summary = prepare_corpora(folder, out, load_control(control) if control else None,
                          language_pair=parse_language_pair(languages) if languages else None, vocabulary_size=vocabulary,
                          vocabulary_kind=kind.value if kind else None, vocabulary=given, workers=workers,
                          progress=progress)  # fmt: skip
    say(f"from {summary.languages[0]} into {summary.languages[1]}")
    table = Table(box=None, pad_edge=False)
    for title in ("corpus", "pairs read", "pairs kept", "source pieces", "target pieces", "refused"):
        table.add_column(title, justify="left" if title in ("corpus", "refused") else "right")
    for corpus, counts in summary.corpora.items():
        refused = ", ".join(f"{number:,} {reason}" for reason, number in counts.refused.items() if number)
        table.add_row(corpus, f"{counts.read:,}", f"{counts.kept:,}", f"{counts.source_pieces:,}",
                      f"{counts.target_pieces:,}", refused)
    show(table)
    for corpus, note in summary.notes.items():
        say(f"{corpus}: {note}")
    for name in summary.missing:
        say(f"not found, and done without: {name}")


@app.command()
def opening() -> None:
    """Make the Traces that the first page, the family and the story open on, with the shipped models (into
    assets/opening, assets/opening_family and assets/story)."""
    from model.gallery.opening import write_family_traces, write_traces
    from model.gallery.story.growing_sentence import write_traces as write_growth

    for path in (*write_traces(), *write_family_traces(), write_growth()):
        say(str(path))


@app.command()
def phrases(
    folder: Annotated[Path, typer.Argument(help="The folder of the corpora, as `data` reads it.")],
) -> None:
    """Count the story's words and phrases in translated text (into assets/story)."""
    from model.gallery.story.phrase_table import FILE, write_table

    table = write_table(folder)
    say(f"{table.pairs:,} pairs of {', '.join(table.corpora)}: {len(table.phrases)} phrases")
    say(str(FILE))


@app.command()
def figures() -> None:
    """Make the Traces of the paper's figures, with the shipped models (into assets/figures)."""
    from model.analysis.paper.figures import write_figures

    for path in write_figures():
        say(str(path))


def _translations(
    loaded: checkpoint.Model, lines: Iterable[str | ValueError], settings: Settings, batch: int, begin: str
) -> Iterator[list[Trace] | ValueError]:
    """The n best Traces of each line, none for an empty one; in the place of a line that can't be translated why. Signs
    that the model reads in bytes only are named on standard error."""
    from model.decoding.translate import SentenceError, prepare_search, translate
    from model.text.normalise import Normalised, normalise
    from model.text.symbols import find_unspelled_signs

    number = 0
    for group in _arriving(lines, 4 * batch):
        answers: list[list[Trace] | ValueError | None] = []
        texts: list[Normalised] = []
        for line in group:
            number += 1
            try:
                if isinstance(line, ValueError):
                    answers.append(line)
                elif not (text := normalise(line)):
                    answers.append([])
                else:
                    prepare_search(loaded, text, normalise(begin), settings)
                    if signs := find_unspelled_signs(text, loaded.vocabulary):
                        complain(f"line {number}: {loaded.name} reads {' '.join(signs)} as bytes only and may invent "
                                 "words; leave out what the translation can do without", "warning")
                    answers.append(None)
                    texts.append(text)
            except SentenceError as error:
                answers.append(SentenceError(error.kind, error.size, error.limit, number))
        traces = translate(loaded, texts, settings, batch_size=batch, prefixes=[normalise(begin)] * len(texts))
        for answer in answers:
            yield next(traces) if answer is None else answer


def _arriving(lines: Iterable[str | ValueError], most: int) -> Iterator[list[str | ValueError]]:
    """Lines in groups of those that have arrived: one from a person who types, `most` from a file.

    What the reader fails of, such as an OSError, is raised once all lines before it have been given.
    """
    waiting: queue.Queue[str | ValueError | None] = queue.Queue(2 * most)
    failed: list[Exception] = []

    def read() -> None:
        try:
            for line in lines:
                waiting.put(line)
        except Exception as error:  # whatever it is: who waits for a line must hear of it
            failed.append(error)
        waiting.put(None)

    threading.Thread(target=read, daemon=True).start()
    end: str | ValueError | None = ""
    while end is not None:
        group: list[str | ValueError] = []
        end = waiting.get()
        while end is not None:
            group.append(end)
            if len(group) == most or waiting.empty():
                break
            end = waiting.get()
        if group:
            yield group
    if failed:
        raise failed[0]
