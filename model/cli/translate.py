"""`python -m model translate`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from model.checkpoints import checkpoint
from model.cli.shared import (
    BeamOption,
    ModelOption,
    StopOption,
    UnkOption,
    check_stop,
    check_unk,
    load_model,
    print_error,
    print_line,
)
from model.cli.text_input import group_arriving_lines, open_lines
from model.decoding import Settings
from model.decoding.experiment import MAX_FILE_SIZE, SavedExperiment
from model.decoding.translate import SentenceError, prepare_search, translate_n_best
from model.decoding.translate import translate as translate_texts
from model.text.normalise import NormalisedText, normalise
from model.text.symbols import find_unspelled_signs
from model.trace import Trace


class Format(StrEnum):
    """What is written for each line."""

    text = "text"
    json = "json"

def translate(
    file: Annotated[str, typer.Argument(metavar="[FILE|-]", help="Lines of text in UTF-8, plain or .xz; - is "
                                                                   "stdin.")] = "-",
    model: ModelOption = None,
    beam: BeamOption = 1,
    n_best: Annotated[int, typer.Option(min=1, help="With a beam: this many translations of each line, as rank, "
                                                    "score and text.")] = 1,
    begin: Annotated[str, typer.Option(metavar="TEXT", help="The beginning of every translation.")] = "",
    tree: Annotated[bool, typer.Option("--tree", help="With a beam and JSON: the whole search tree.")] = False,
    form: Annotated[Format, typer.Option("--format", "-f", help="The translation, or a Trace as JSON, one per line.")]
        = Format.text,
    batch: Annotated[int, typer.Option(min=1, max=1024, help="Sentences decoded together.")] = 32,
    length_penalty: Annotated[str | None, typer.Option(help="With a beam: none, length or gnmt.")] = None,
    alpha: Annotated[float | None, typer.Option(help="Strength of the length penalty gnmt.")] = None,
    beta: Annotated[float | None, typer.Option(help="Strength of gnmt's coverage penalty.")] = None,
    stop: StopOption = None,
    sample: Annotated[bool, typer.Option("--sample", help="Sample each token instead of the likeliest.")] = False,
    temperature: Annotated[float | None, typer.Option(help="With --sample: below 1 favours likely tokens.")] = None,
    top_k: Annotated[int | None, typer.Option(help="With --sample: sample from this many likeliest tokens.")] = None,
    top_p: Annotated[float | None, typer.Option(help="With --sample: sample from the likeliest tokens that hold this "
                                                     "share of the probability.")] = None,
    seed: Annotated[int | None, typer.Option(help="With --sample: the same seed gives the same samples.")] = None,
    unk: UnkOption = "show",
    experiment: Annotated[Path | None, typer.Option(metavar="FILE", help="Replay an experiment saved by the "
                                                    "laboratory: its sentence, model, search and overrides.")] = None,
) -> None:
    """Translate lines, in order and as they arrive.

    An empty line stays empty (null with --format json). So does a line that cannot be translated: the reason is printed
    on standard error, and the exit code is 2. Emoji and arrows are copied. A warning names characters that the model
    can only read as bytes.

    **Examples**

    echo "The black cat sleeps." | python -m model translate

    python -m model translate --beam 5 --format json letter.txt > letter.jsonl

    python -m model translate --experiment experiment.json
    """
    optional = {"length_penalty": length_penalty, "alpha": alpha, "beta": beta, "stop": stop,
                "temperature": temperature, "top_k": top_k, "top_p": top_p, "seed": seed,
                "unk": unk if unk != "show" else None}  # fmt: skip
    search: dict[str, Any] = {name: value for name, value in optional.items() if value is not None}
    if experiment is not None:
        has_other_options = n_best != 1 or bool(begin) or tree or sample or batch != 32
        if file != "-" or model is not None or beam != 1 or has_other_options or search:
            raise typer.BadParameter("--experiment replays with the file's own sentence, model and search: leave out "
                                     "all but --format.")
        trace = replay_experiment(experiment)
        print_line(trace.to_json() if form is Format.json else trace.target.text)
        return
    check_stop(stop, beam)
    if tree and form is not Format.json:
        raise typer.BadParameter("--tree goes with --format json, which alone holds the search tree")
    settings = Settings(beam=beam, n_best=n_best, sample=sample, tree=tree,
                        candidates=10 if form is Format.json else 0, **search)  # fmt: skip
    loaded = load_model(model)
    check_unk(unk, loaded)
    has_failed = False
    with open_lines(file) as lines:
        for traces in _translate_lines(loaded, lines, settings, batch, begin):
            if isinstance(traces, ValueError):
                print_error(str(traces))
                has_failed, traces = True, []
            if not traces:
                print_line("" if form is Format.text else "null")
            for rank, trace in enumerate(traces, 1):
                if form is Format.json:
                    print_line(trace.to_json())
                else:
                    print_line(f"{rank}\t{trace.score:.4f}\t{trace.target.text}" if n_best > 1 else trace.target.text)
    if has_failed:
        raise typer.Exit(2)


def _translate_lines(
    model: checkpoint.Model, lines: Iterable[str | ValueError], settings: Settings, batch: int, begin: str
) -> Iterator[list[Trace] | ValueError]:
    """Yield the n best Traces of each line, none for an empty line, or the reason why it cannot be translated."""
    number = 0
    prefix = normalise(begin)
    for group in group_arriving_lines(lines, 4 * batch):
        results: list[list[Trace] | ValueError | None] = []  # None: translated with the batch
        texts: list[NormalisedText] = []
        for line in group:
            number += 1
            try:
                if isinstance(line, ValueError):
                    results.append(line)
                elif not (text := normalise(line)):
                    results.append([])
                else:
                    prepare_search(model, text, prefix, settings)
                    if signs := find_unspelled_signs(text, model.vocabulary):
                        print_error(f"line {number}: {model.name} reads {' '.join(signs)} as bytes only and may invent "
                                    "words; leave out what the translation can do without", "warning")
                    results.append(None)
                    texts.append(text)
            except SentenceError as error:
                results.append(error.add_number(number))
        traces = translate_texts(model, texts, settings, batch_size=batch, prefixes=[prefix] * len(texts))
        for result in results:
            yield next(traces) if result is None else result


def replay_experiment(file: Path) -> Trace:
    """Translate an experiment that the laboratory saved, with its sentence, model, search and changes.

    Raises ExperimentError, OverrideError or CheckpointError.
    """
    with file.open("rb") as stream:
        experiment = SavedExperiment.from_json(stream.read(MAX_FILE_SIZE + 1))
    model = load_model(experiment.model)
    experiment.check_fingerprint(model.fingerprint)
    (trace,) = translate_n_best(
        model, normalise(experiment.sentence), experiment.settings, overrides=experiment.parse_overrides()
    )
    return trace
