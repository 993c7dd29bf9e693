"""The commands that score models: `evaluate`, `claims` and `runs`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, cast

import typer

from model.analysis.evaluation import stored
from model.analysis.evaluation.evaluate import evaluate as evaluate_model
from model.analysis.evaluation.stored import load_evaluations, load_fingerprints, name_evaluation_file
from model.analysis.paper import claims as paper_claims
from model.analysis.paper import measurement_plan
from model.analysis.paper.checks import VERDICTS, Check
from model.analysis.paper.measurement_plan import PlannedMeasurement
from model.analysis.paper.result_store import ResultStore
from model.analysis.paper.runs import RUNS_FOLDER, name_run, read_run_card
from model.checkpoints import checkpoint
from model.cli.result_files import CorporaArgument, add_save_option, load_test_set, save_record, set_threads
from model.cli.shared import (
    BeamOption,
    SaveOption,
    StopOption,
    ThreadsOption,
    UnkOption,
    check_stop,
    check_unk,
    format_number,
    make_table,
    print_line,
    print_table,
    show_progress,
)
from model.decoding import Settings
from model.decoding.settings import StopRule
from model.progress import ProgressCallback
from model.serialization.codec import dump_entries
from model.text.languages import DEFAULT_PAIR


def evaluate(
    file: Annotated[Path, typer.Argument(metavar="FILE|FOLDER", help="A table of sources and references (TSV, CSV, "
                                        ".tsv.xz); with --all: a folder of corpora.")],
    model: Annotated[str, typer.Option("--model", "-m", metavar="NAME",
                                       help="Default: the default model; with --all: all shipped models.")] = "",
    beam: BeamOption = 1,
    sample: Annotated[int, typer.Option(min=0, help="Only this many sentences, evenly spaced (0: all); with --all: "
                                                    "only together with --out.")] = 0,
    per_bin: Annotated[int, typer.Option(min=0, help="Only this many sentences of each length bin (0: all).")] = 0,
    stop: StopOption = None,
    unk: UnkOption = "show",
    known_words: Annotated[bool, typer.Option("--known-words", help="With a model of whole words: only sentences "
                                                                   "without unknown words.")] = False,
    threads: ThreadsOption = 0,
    save: SaveOption = False,
    should_make_all: Annotated[bool, typer.Option("--all", help="Make every measurement, from a folder of corpora; can "
                                                                "be stopped and started again.")] = False,
    out: Annotated[Path | None, typer.Option(help="With --all: where to write, instead of assets.")] = None,
) -> None:
    """Translate a test set and score it: BLEU with its signature, chrF, perplexity, and BLEU by sentence length.

    **Examples**

    python -m model evaluate newstest2014.en-fr.tsv --beam 5

    python -m model evaluate FOLDER --all
    """
    if should_make_all:
        if save or beam != 1 or per_bin or stop is not None or unk != "show" or known_words:
            raise typer.BadParameter("--all has its own beams and samples, and always saves: leave out --beam, "
                                     "--stop, --per-bin, --unk, --known-words and --save")
        folder = _choose_output_folder(out, sample)
        set_threads(threads)
        _make_all_measurements(file, model, sample, folder)
        return
    if out is not None:
        raise typer.BadParameter("--out goes with --all; a single evaluation is written with --save")
    check_stop(stop, beam)
    stop_rule = cast(StopRule, "exact" if stop is None else stop)  # Settings checks the value
    settings = Settings(beam=beam, candidates=0, stop=stop_rule, unk=unk)
    text, loaded = load_test_set(file, model)
    check_unk(unk, loaded)
    if known_words and not loaded.card.has_unk:
        raise typer.BadParameter(f"{loaded.name} spells every word in subwords: leave out --known-words")
    text = text.sample_evenly(sample) if sample else text
    text = text.sample_by_length(per_bin) if per_bin else text
    text = text.select_known_words(loaded.vocabulary) if known_words else text
    set_threads(threads)
    command = f"python -m model evaluate {file.name} --model {loaded.name} --beam {beam}"
    command += f" --stop {stop_rule}" if stop_rule != "exact" else ""
    command += (f" --sample {sample}" if sample else "") + (f" --per-bin {per_bin}" if per_bin else "")
    command += " --known-words" if known_words else ""
    command += f" --unk {unk}" if unk != "show" else ""
    name = name_evaluation_file(text.name, loaded.name, beam)
    command = add_save_option(command, loaded.card, name) if save else command
    with show_progress() as progress:
        evaluation = evaluate_model(loaded, text, settings, progress=progress, command=command)
    scores = evaluation.scores
    print_line(f"{evaluation.model} ({evaluation.fingerprint}) on {evaluation.data.name}, "
               f"{evaluation.data.sentences:,} sentences, {evaluation.search['name']}")
    band = f" ({scores['bleu_low']:.1f} to {scores['bleu_high']:.1f})" if evaluation.data.sentences > 1 else ""
    for metric in ("bleu", "bleu_moses", "chrf", "perplexity"):
        value = f"{scores[metric]:.2f}{band if metric == 'bleu' else ''}"
        print_line(f"{metric:<11} {value:<22} {evaluation.signatures[metric]}")
    print_line(f"unfinished  {evaluation.unfinished}, untranslated {evaluation.untranslated}")
    table = make_table("source words", "sentences", "BLEU", "95 % of resamples")
    for part in evaluation.by_length:
        if part.sentences:
            band = f"{part.band[0]:.1f} to {part.band[1]:.1f}" if part.band else ""
            table.add_row(part.label, f"{part.sentences:,}", f"{part.bleu:.1f}", band)
    print_table(table)
    if save:
        save_record(name, evaluation.to_json() + "\n")
        write_scores_to_card(loaded.card)


def _make_all_measurements(corpora: Path, model: str, sample: int, folder: Path) -> None:
    """Make every missing planned file, then the claims and the scores on the cards.

    A folder with test sets of Korean and English measures the models of these languages; one with test sets of English
    and French, or without either, those of English and French.
    """
    if not corpora.is_dir():
        raise typer.BadParameter(f"{corpora} is not a folder of corpora; model/training/README.md describes one")
    shipped = checkpoint.list_shipped_cards()
    has_french, has_korean = ((corpora / "test" / file).exists()
                              for file in (measurement_plan.NEWS_FILE, measurement_plan.KOREAN_SETS[0][0]))
    korean_pairs = (("ko", "en"), ("en", "ko")) if has_korean else ()
    pairs = (*((DEFAULT_PAIR,) if has_french or not has_korean else ()), *korean_pairs)
    cards = [card for card in shipped if model in ("", card.name) and card.languages in pairs]
    for card in shipped:
        if card.languages not in pairs and model == card.name:
            raise typer.BadParameter(f"--all measures on text of {' and '.join(map('-'.join, pairs))} there: {model} "
                                     f"translates {'-'.join(card.languages)}")
    if not cards:
        checkpoint.find_checkpoint(model)  # raises an error that lists the models
        raise typer.BadParameter("--all measures shipped models: --model must name one")
    measurements = list[PlannedMeasurement]()
    for group_pairs, list_measurements in (((DEFAULT_PAIR,), measurement_plan.list_measurements),
                                           (korean_pairs, measurement_plan.list_korean_measurements)):
        if group := [card for card in cards if card.languages in group_pairs]:
            measurements += list_measurements(corpora, group, sample)
    _make_missing_files(measurements, folder)
    measurement_plan.write_claims(folder)
    if folder.resolve() == stored.EVALUATIONS_FOLDER.resolve():
        for card in cards:
            write_scores_to_card(card)
    fingerprints = {card.name: card.fingerprint for card in shipped}
    for name, model_fingerprints in load_fingerprints(folder).items():
        if any(fingerprints.get(maker) != fingerprint for maker, fingerprint in model_fingerprints.items()):
            print_line(f"{name} is of other weights than those shipped; delete it or make it again")


def _choose_output_folder(folder: Path | None, sample: int) -> Path:
    """Return the folder that `--all` writes to; raise BadParameter if samples would replace whole measurements."""
    output_folder = folder or stored.EVALUATIONS_FOLDER
    if sample and output_folder.resolve() == stored.EVALUATIONS_FOLDER.resolve():
        raise typer.BadParameter("--sample would write measurements of a few sentences over the whole ones in assets: "
                                 "name another folder with --out, or leave out --sample")
    return output_folder


def _make_missing_files(measurements: Sequence[PlannedMeasurement], folder: Path,
                        load: Callable[[str], checkpoint.Model] | None = None) -> None:
    """Make the planned files that are missing and print a line for each file."""
    with show_progress() as progress:
        def report(job: PlannedMeasurement) -> ProgressCallback:
            return lambda stage, finished_count, total: progress(
                f"{job.file.removesuffix('.json')}, {stage}", finished_count, total)

        results = measurement_plan.run_measurements(measurements, folder, report, load)
        for number, (job, is_new) in enumerate(results, 1):
            print_line(f"{number:>3} of {len(measurements)}  {'made' if is_new else 'kept'}  {job.file}")


def write_scores_to_card(card: checkpoint.Card) -> None:
    """Write the evaluations in assets of a shipped model's weights into its card.

    The card is read again: in the hours since `card` was read it may have been edited. Nothing is written if other
    weights were shipped meanwhile. Raises CheckpointError if the card is gone.
    """
    if card.folder.resolve().parent != checkpoint.SHIPPED.resolve():
        return
    scores = []
    for evaluation in load_evaluations(stored.EVALUATIONS_FOLDER):
        if (evaluation.model, evaluation.fingerprint) == (card.name, card.fingerprint):
            data, beam = evaluation.data, int(evaluation.search["beam"])
            scores.append({
                "data": data.name, "sentences": data.sentences, "search": evaluation.search["name"], "beam": beam,
                "evaluation": name_evaluation_file(data.name, card.name, beam), "date": evaluation.date,
                "command": evaluation.command,
                **{name: round(value, 2) for name, value in evaluation.scores.items()},
                "signatures": evaluation.signatures,
            })  # fmt: skip
    current = checkpoint.read_card(card.folder)
    if current.fingerprint == card.fingerprint:
        checkpoint.write_card(card.folder, replace(current, scores=scores))
    else:
        print_line(f"{card.folder} now holds other weights ({current.fingerprint}) than those measured "
                   f"({card.fingerprint}): its scores stay as they are; evaluate it again")


def claims(
    save: Annotated[bool, typer.Option("--save", help="Write the verdicts into assets.")] = False,
    folder: Annotated[Path | None, typer.Option("--from", help="The folder of the files, instead of assets.")] = None,
) -> None:
    """List the claims of the papers and what the measurements say about each."""
    if folder is not None and (save or not folder.is_dir()):
        raise typer.BadParameter("--save keeps the verdicts of the measurements in assets: leave out --from" if save
                                 else f"--from {folder} is not a folder of measurements")
    store = ResultStore(checkpoint.list_shipped_cards(), folder or stored.EVALUATIONS_FOLDER)
    results, paper = paper_claims.compute_claims(store), ""
    for claim in results:
        if paper_claims.PAPERS[claim.number] != paper:
            paper = paper_claims.PAPERS[claim.number]
            print_line(f"{paper}:")
        print_line(f"{claim.number}. {paper_claims.CLAIMS[claim.number]}: {VERDICTS[claim.verdict]}")
        table = make_table("  ", "value", "95 % of resamples", "bound", "hours", "data", "models",
                           text_columns=("data", "models"))
        for check in claim.checks:
            bound = f"above {check.above:g}" if check.above is not None else f"below {check.below:g}"
            band = "" if check.low is None else f"{check.low:.3f} to {check.high:.3f}"
            table.add_row(f"  {check.outcome:<9}{paper_claims.CHECKS[check.key]}", format_number(check.value, 3), band,
                          bound, _format_hours(check), check.data + (f", beam {check.beam}" if check.beam > 1 else ""),
                          " and ".join(check.models))
        print_table(table)
    if save:
        record = paper_claims.build_record(results, store, "python -m model claims --save")
        save_record("claims.json", dump_entries(record))


def _format_hours(check: Check) -> str:
    """Return the training hours of a check, and whether they are too different for a comparison."""
    hours = " and ".join(f"{hour:.1f}" for hour in check.hours)
    return hours if check.has_similar_hours else f"{hours}, not compared"


def runs(
    corpora: CorporaArgument,
    run_folders: Annotated[list[Path], typer.Argument(metavar="RUN...", help="The folders of the runs; each is named "
                                                                             "by its kind and its folder.")],
    sample: Annotated[int, typer.Option(min=0, help="Only this many sentences of each text (0: all); needs "
                                                    "--out.")] = 0,
    threads: ThreadsOption = 0,
    out: Annotated[Path | None, typer.Option(help="Where to write, instead of assets.")] = None,
) -> None:
    """Measure short runs that claims compare and whose weights are not shipped, and update the claims.

    Keeps the facts of their cards and their evaluations. Can be stopped and started again.

    **Example**

    python -m model runs FOLDER runs/trials/luong/*/
    """
    folder = _choose_output_folder(out, sample)
    run_cards = [(run, read_run_card(run)) for run in run_folders]
    for run, card in run_cards:
        if card.languages != DEFAULT_PAIR:
            raise typer.BadParameter(f"the claims compare models of {'-'.join(DEFAULT_PAIR)}: {run} translates "
                                     f"{'-'.join(card.languages)}")
    cards = {name_run(run, card.kind): card for run, card in run_cards}
    conflicting_names = {card.name for card in checkpoint.list_shipped_cards()} & set(cards)
    if conflicting_names or len(cards) < len(run_folders):
        raise typer.BadParameter("every run needs its own name, which no shipped model has: rename the folder of "
                                 f"{', '.join(sorted(conflicting_names)) or 'one of two that have the same name'}")
    set_threads(threads)

    def load(name: str) -> checkpoint.Model:
        model = checkpoint.load_model(cards[name].folder)
        return replace(model, card=replace(model.card, name=name))

    _make_missing_files(measurement_plan.list_run_measurements(corpora, cards, sample), folder / RUNS_FOLDER, load)
    measurement_plan.write_claims(folder)
