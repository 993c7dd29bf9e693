"""The measuring half of the command line: evaluate, everyday, robustness, copied, align, alignment-error, bench.

Registered by `model.cli`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer
from rich.console import Console
from rich.table import Table

from model.checkpoints import checkpoint
from model.cli.lines import (
    Beam,
    Name,
    Threads,
    bytes_of,
    complain,
    load,
    load_for,
    number,
    say,
    show,
    stages,
    table_of,
    test_set_for,
    use_threads,
)

if TYPE_CHECKING:
    from model.analysis.paper.campaign import Measurement
    from model.progress import ProgressCallback

EVALUATIONS = checkpoint.SHIPPED.parent / "evaluations"
ROUNDS = 3  # of each length, for what looking costs

Corpora = Annotated[Path, typer.Argument(metavar="FOLDER", help="A folder of corpora, as model/training/README.md "
                                                                "describes it.")]


def evaluate(
    file: Annotated[Path, typer.Argument(metavar="FILE|FOLDER", help="A table of sources and references (TSV, CSV, "
                                        ".tsv.xz); with --all: a folder of corpora.")],
    model: Annotated[str, typer.Option("--model", "-m", metavar="NAME",
                                       help="Default: the default model; with --all: all that are shipped.")] = "",
    beam: Beam = 1,
    sample: Annotated[int, typer.Option(min=0, help="Only this many sentences, evenly spaced (0: all); with --all: "
                                                    "only together with --out.")] = 0,
    per_bin: Annotated[int, typer.Option(min=0, help="Only this many sentences of each length bin (0: all).")] = 0,
    stop: Annotated[str, typer.Option(help="When a beam ends: exact, or beam (sooner, but shorter).")] = "exact",
    threads: Threads = 0,
    save: Annotated[bool, typer.Option("--save", help="Write the evaluation, with its counts, into assets.")] = False,
    everything: Annotated[bool, typer.Option("--all", help="Make every measurement, from a folder of corpora; stop "
                                                           "and start as you like.")] = False,
    out: Annotated[Path | None, typer.Option(help="With --all: where to write, instead of assets.")] = None,
) -> None:
    """Translate a test set and score it: BLEU with its signature, chrF, perplexity, and BLEU by sentence length.

    **Examples**

    python -m model evaluate newstest2014.en-fr.tsv --beam 5

    python -m model evaluate FOLDER --all
    """
    from model.analysis.evaluation.evaluate import evaluate as run
    from model.analysis.evaluation.stored import evaluation_file_name
    from model.decoding import Settings
    from model.decoding.settings import StopRule

    if everything:
        if save or beam != 1 or per_bin or stop != "exact":
            raise typer.BadParameter("--all has its own beams and samples, and always saves: leave out --beam, "
                                     "--stop, --per-bin and --save")
        place = place_of(out, sample)
        use_threads(threads)
        _all(file, model, sample, place)
        return
    if out is not None:
        raise typer.BadParameter("--out goes with --all; a single evaluation is written with --save")
    settings = Settings(beam=beam, candidates=0, stop=cast(StopRule, stop))  # which says what is allowed
    text, loaded = test_set_for(file, model)
    text = text.sample_evenly(sample) if sample else text
    text = text.sample_by_length(per_bin) if per_bin else text
    use_threads(threads)
    command = f"python -m model evaluate {file.name} --model {loaded.name} --beam {beam}"
    command += f" --stop {stop}" if beam > 1 and stop != "exact" else ""
    command += (f" --sample {sample}" if sample else "") + (f" --per-bin {per_bin}" if per_bin else "")
    command = saving(command, loaded.card, evaluation_file_name(text.name, loaded.name, beam)) if save else command
    with stages() as progress:
        evaluation = run(loaded, text, settings, progress=progress, command=command)
    scores = evaluation.scores
    say(f"{evaluation.model} ({evaluation.fingerprint}) on {evaluation.data.name}, "
        f"{evaluation.data.sentences:,} sentences, {evaluation.search['name']}")
    band = f" ({scores['bleu_low']:.1f} to {scores['bleu_high']:.1f})" if evaluation.data.sentences > 1 else ""
    for name, value in (("bleu", f"{scores['bleu']:.2f}{band}"),
                        ("bleu_moses", f"{scores['bleu_moses']:.2f}"), ("chrf", f"{scores['chrf']:.2f}"),
                        ("perplexity", f"{scores['perplexity']:.2f}")):
        say(f"{name:<11} {value:<22} {evaluation.signatures[name]}")
    say(f"unfinished  {evaluation.unfinished}, untranslated {evaluation.untranslated}")
    table = Table(box=None, pad_edge=False)
    for title in ("source words", "sentences", "BLEU", "95 % of resamples"):
        table.add_column(title, justify="right")
    for part in evaluation.by_length:
        if part.sentences:
            band = f"{part.band[0]:.1f} to {part.band[1]:.1f}" if part.band else ""
            table.add_row(part.label, f"{part.sentences:,}", f"{part.bleu:.1f}", band)
    show(table)
    if save:
        save_record(evaluation_file_name(evaluation.data.name, loaded.name, beam), evaluation.to_json() + "\n")
        note_scores(loaded.card)


def _all(corpora: Path, model: str, sample: int, folder: Path) -> None:
    """Make every file of the campaign that is not there yet, then the claims and the cards' scores."""
    from model.analysis.evaluation.stored import load_fingerprints
    from model.analysis.paper import campaign
    from model.text.languages import DEFAULT_PAIR

    if not corpora.is_dir():
        raise typer.BadParameter(f"{corpora} is not a folder of corpora; model/training/README.md describes one")
    cards = [
        card for card in checkpoint.list_shipped_cards() if model in ("", card.name) and card.languages == DEFAULT_PAIR
    ]
    for card in checkpoint.list_shipped_cards():
        if card.languages != DEFAULT_PAIR and model == card.name:
            raise typer.BadParameter(f"--all measures on English and French text: {model} translates "
                                     f"{'-'.join(card.languages)}")
    if not cards:
        checkpoint.find_checkpoint(model)  # says which there are
        raise typer.BadParameter("--all makes what is shipped: --model must name a shipped model")
    todo = campaign.list_measurements(corpora, cards, sample)
    make_all(todo, folder)
    campaign.write_claims(folder)
    if folder.resolve() == EVALUATIONS.resolve():
        for card in cards:
            note_scores(card)
    fingerprints = {card.name: card.fingerprint for card in checkpoint.list_shipped_cards()}
    for name, made_by in load_fingerprints(folder).items():
        if any(fingerprints.get(maker) != fingerprint for maker, fingerprint in made_by.items()):
            say(f"{name} is of other weights than those shipped; delete it or make it again")


def place_of(out: Path | None, sample: int) -> Path:
    """The folder that a campaign writes to. Refused: assets for samples, which would stand there in the place of whole
    measurements, and which the claims would be made of."""
    place = out or EVALUATIONS
    if sample and place.resolve() == EVALUATIONS.resolve():
        raise typer.BadParameter("--sample would write measurements of a few sentences over the whole ones in assets: "
                                 "name another folder with --out, or leave out --sample")
    return place


def make_all(todo: Sequence[Measurement], folder: Path, load: Callable[[str], checkpoint.Model] | None = None) -> None:
    """Make what is not there yet of a campaign's files, a line each; `load` as `model.analysis.paper.campaign.run`
    takes it."""
    from model.analysis.paper import campaign

    with stages() as progress:
        def report(one: Measurement) -> ProgressCallback:
            return lambda stage, done, total: progress(f"{one.file.removesuffix('.json')}, {stage}", done, total)

        for place, (job, made) in enumerate(campaign.run_measurements(todo, folder, report, load), 1):
            say(f"{place:>3} of {len(todo)}  {'made' if made else 'kept'}  {job.file}")


def note_scores(card: checkpoint.Card) -> None:
    """Write what the evaluations in assets say of a shipped model's weights into its card, as that stands there now:
    since `card` was read, hours ago, other weights may have been shipped under its name, and then nothing is written.
    Raises CheckpointError where the card is gone."""
    from model.analysis.evaluation.stored import evaluation_file_name, load_evaluations

    if card.folder.parent != checkpoint.SHIPPED:
        return
    scores = []
    for found in load_evaluations(EVALUATIONS):
        if (found.model, found.fingerprint) == (card.name, card.fingerprint):
            beam = int(found.search["beam"])
            scores.append({
                "data": found.data.name, "sentences": found.data.sentences, "search": found.search["name"],
                "beam": beam, "evaluation": evaluation_file_name(found.data.name, card.name, beam), "date": found.date,
                "command": found.command,
                **{name: round(value, 2) for name, value in found.scores.items()}, "signatures": found.signatures,
            })  # fmt: skip
    standing = checkpoint.read_card(card.folder)
    if standing.fingerprint == card.fingerprint:
        checkpoint.write_card(card.folder, replace(standing, scores=scores))
    else:
        say(f"{card.folder} now holds other weights ({standing.fingerprint}) than those measured ({card.fingerprint}): "
            "its scores stay as they are; evaluate it again")


def everyday(
    model: Name = None,
    beam: Beam = 1,
    save: Annotated[bool, typer.Option("--save", help="Write the report into assets.")] = False,
    corpora: Annotated[str, typer.Option(metavar="DIR", help="First look up which stand in this training text, and "
                                         "note it in the lists (needs --save).")] = "",
) -> None:
    """Translate a hundred everyday sentences, in two lists, and say how many come out right and which don't."""
    from model.analysis.paper.everyday import check_everyday
    from model.decoding import Settings
    from model.text.everyday_sentences import LISTS, record_unseen

    if corpora and not save:
        raise ValueError("--corpora writes into the lists which of their sentences stand in that training text; say so "
                         "with --save, or leave it out.")
    loaded = load_for("the lists are English with French answers", model, "en", "fr")
    if corpora:
        for name, path in LISTS.items():
            say(f"{record_unseen(Path(corpora), path)} of the list {name} stand in no training text")
    command = f"python -m model everyday --model {loaded.name}" + (f" --beam {beam}" if beam > 1 else "")
    command = saving(command, loaded.card, *(f"{name}-{loaded.name}.json" for name in LISTS)) if save else command
    reports = [check_everyday(loaded, Settings(beam=beam), path, command=command) for path in LISTS.values()]
    for report in reports:
        for outcome in report.outcomes:
            say(f"{'right' if outcome.passed else 'WRONG'}  {outcome.source}  ->  {outcome.output}"
                f"{'' if outcome.unseen else '  (stands in the training text)'}")
    for report in reports:
        say(f"{report.model} ({report.fingerprint}), {report.data}: "
            f"{report.passed_count} of {len(report.outcomes)} right, "
            f"{report.unseen_passed_count} of the {report.unseen_count} that are in no training text")
        if save:
            save_record(f"{report.data}-{report.model}.json", report.to_json())


def robustness(
    model: Name = None,
    beam: Beam = 1,
    save: Annotated[bool, typer.Option("--save", help="Write the measurement into assets.")] = False,
) -> None:
    """How often a translation changes when its sentence is typed in another way: 200 sentences in six ways."""
    from model.analysis.errors.robustness import measure_robustness
    from model.decoding import Settings
    from model.serialization.codec import dump_entries
    from model.serialization.files import compute_checksum
    from model.text import typing_variants

    sentences = typing_variants.read_typed_sentences()
    loaded = load_for("the sentences are English", model, "en")
    command = f"python -m model robustness --model {loaded.name}" + (f" --beam {beam}" if beam > 1 else "")
    command = saving(command, loaded.card, f"robustness-{loaded.name}.json") if save else command
    with stages() as progress:
        record = measure_robustness(
            loaded,
            sentences,
            compute_checksum(typing_variants.FILE),
            settings=Settings(beam=beam, candidates=0),
            command=command,
            progress=progress,
        )
    for change in record["changes"]:
        say(f"{change['way']}: {change['typed']}  {change['before']}  ->  {change['after']}")
    for name, way in record["ways"].items():
        say(f"{name}: {way['changed']} of {way['sentences']} translations change in a word that carries meaning"
            + (f" ({way['same_text']} are the same text to the model)" if way["same_text"] else ""))
    if save:
        save_record(f"robustness-{loaded.name}.json", dump_entries(record))


def copied(
    model: Name = None,
    beam: Beam = 1,
    save: Annotated[bool, typer.Option("--save", help="Write the measurement into assets.")] = False,
) -> None:
    """How many names and numbers of a hundred sentences come out as they went in, and which don't."""
    from model.analysis.errors.copied import measure_copying
    from model.decoding import Settings
    from model.serialization.codec import dump_entries
    from model.serialization.files import compute_checksum
    from model.text.copy_sentences import FILE, read_copy_sentences

    loaded = load_for("the sentences are English", model, "en")
    command = f"python -m model copied --model {loaded.name}" + (f" --beam {beam}" if beam > 1 else "")
    command = saving(command, loaded.card, f"copied-{loaded.name}.json") if save else command
    with stages() as progress:
        record = measure_copying(
            loaded,
            read_copy_sentences(),
            compute_checksum(FILE),
            settings=Settings(beam=beam, candidates=0),
            command=command,
            progress=progress,
        )
    for one in record["outcomes"]:
        lost = [item for item, there in zip(one["items"], one["found"], strict=True) if not there]
        say(f"{'right' if not lost else 'lost ' + ', '.join(lost)}: {one['source']}  ->  {one['output']}")
    names, numbers = record["names"], record["numbers"]
    say(f"{names['found']} of {names['items']} names and {numbers['found']} of {numbers['items']} numbers came out; "
        f"{record['whole']} of {record['data']['sentences']} sentences have all of theirs")
    if save:
        save_record(f"copied-{loaded.name}.json", dump_entries(record))


def align(
    file: Annotated[str, typer.Argument(metavar="[FILE|-]", help="Source, tab, target, or ||| between.")] = "-",
    model: Name = None,
    soft: Annotated[bool, typer.Option("--soft", help="JSON with all weights instead of i-j.")] = False,
    tokens: Annotated[bool, typer.Option("--tokens", help="Count the file's own white-space tokens.")] = False,
    surface: Annotated[bool, typer.Option("--surface", help="The same, but the model reads them joined to real text "
                                                            "(l'eau for la eau), as alignment-error does.")] = False,
) -> None:
    """Where the model looks while it writes given translations: Pharaoh i-j (from 0, source-target), a line a pair, and
    an empty one for a blank line."""
    from model.analysis.alignment.alignment import TokenForm
    from model.analysis.alignment.alignment import align as run
    from model.text.pair_files import parse_table

    way: TokenForm | None = "surface" if surface else "written" if tokens else None
    loaded = load_for("--surface joins tokens of English and French", model, "en", "fr") if surface else load(model)
    table = parse_table(*bytes_of(file), loaded.languages, contents="pair", allow_partial=True)
    alignments = run(loaded, table.pairs_with_blanks(), tokens=way)
    for note in table.remarks:
        complain(note, "note")
    for alignment in alignments:
        say(alignment.to_json() if soft else alignment.pharaoh())


def alignment_error(
    folder: Corpora,
    model: Name = None,
    sample: Annotated[int, typer.Option(min=0, help="Only the first N pairs (0: all).")] = 0,
    threads: Threads = 0,
    save: Annotated[bool, typer.Option("--save", help="Write the measurement, without text, into assets.")] = False,
) -> None:
    """How far a model's attention agrees with the 447 Hansards pairs that people have aligned."""
    from model.analysis.alignment import alignment_error as measuring
    from model.analysis.alignment.hand_aligned import read_hand_aligned
    from model.serialization.codec import dump_entries

    text = read_hand_aligned(folder)
    text = text.first(sample) if sample else text
    loaded = load_for("the Hansards are English and French", model, "en", "fr")
    use_threads(threads)
    command = f"python -m model alignment-error FOLDER --model {loaded.name}"
    command += f" --sample {sample}" if sample else ""
    command = saving(command, loaded.card, f"alignment-{loaded.name}.json") if save else command
    with stages() as progress:
        record = measuring.measure_alignment_error(
            loaded, text, wiring=str(loaded.card.network.get("wiring", "")), command=command, progress=progress
        )
    data = record["data"]
    pairs = f"{data['sentences']} pair{'s' if data['sentences'] > 1 else ''}"
    wired = f", wiring {record['wiring']}" if record["wiring"] else ""
    say(f"{loaded.name} ({loaded.fingerprint}{wired}) on {data['name']}, {pairs}, "
        f"{data['sure']:,} sure links among {data['possible']:,} possible ones")
    table = table_of("in per cent", "AER", "95 % of resamples", "precision", "recall", "links")
    for name, found in record["scores"].items():
        share = {key: f"{100 * value:.1f}" for key, value in found.items() if key != "links"}
        band = f"{share['aer_low']} to {share['aer_high']}" if data["sentences"] > 1 else ""
        table.add_row(name, share["aer"], band, share["precision"],
                      share["recall"], f"{found['links']:,}")
    show(table)
    for what, key in (("rows", "shifts"), ("columns", "columns")):
        rates = "   ".join(f"{name}: {100 * rate:.1f}" for name, rate in record[key].items() if name != "best")
        say(f"{f'{what} moved by':<17}{rates}   ({record[key]['best']:+d} fits best)".replace("+0", "0"))
    say("real text of   " + "   ".join(f"{rule}: {pairs}" for rule, pairs in record["rules"].items()) + "   pairs")
    if "maps" in record:
        _show_maps(record["maps"])
    table = table_of("published", "AER English-French", "both directions together", "trained on")
    for aligner in record["published"]:
        table.add_row(aligner["name"], number(aligner["aer"]), number(aligner["symmetrised"]), aligner["trained_on"])
    show(table)
    if save:
        save_record(f"alignment-{loaded.name}.json", dump_entries(record))


def _show_maps(found: dict[str, Any]) -> None:
    """The error rates of each of several maps, the best one told by pairs that did not choose it."""
    table = table_of("by map, in per cent", "AER")
    for key, rate in sorted(found["aer"].items(), key=lambda one: one[1]):
        table.add_row(key, f"{100 * rate:.1f}")
    show(table)
    best = found["best"]
    told = f", on the other {best['sentences']} AER {100 * best['aer']:.1f}" if best["sentences"] else ""
    say(f"mean of the heads' rates {100 * found['heads']:.1f}; best on {best['chosen_on']} pairs: {best['map']}{told}")


def bench(
    rounds: Annotated[int, typer.Option(min=1, max=100_000, help="Turns each contender takes; medians are shown.")] = 5,
    threads: Threads = 0,
    batch: Annotated[int, typer.Option(min=1, max=1_000_000, help="Sentences in a training batch.")] = 128,
    hidden: Annotated[int, typer.Option(min=1, max=65536, help="n = n' = d, units per layer.")] = 384,
    embedding: Annotated[int, typer.Option(min=1, max=65536, help="m = l, embedding and readout.")] = 256,
    layers: Annotated[int, typer.Option(min=1, max=100, help="Layers of LSTMs and of the Transformer, a side.")] = 2,
    vocabulary: Annotated[int, typer.Option(min=10, max=1_000_000, help="Pieces that random networks know.")] = 8000,
    source: Annotated[int, typer.Option(min=2, max=1000, help="Pieces of a random source sentence.")] = 25,
    target: Annotated[int, typer.Option(min=10, max=1000, help="Pieces of its translation; a search takes 10.")] = 27,
    kind: Annotated[list[str] | None, typer.Option(help="A kind of network (repeat for more; default: all).")] = None,
    model: Name = None,
) -> None:
    """Measure speed: training by the plain loop and by model/decoding/fast in turns, search at the same sizes (random
    weights, targets of one length, so that other programs can be compared), and decoding with a shipped model."""
    from itertools import chain

    from model.analysis import benchmark as measuring
    from model.decoding.settings import MAX_RATIO
    from model.gallery.opening import SENTENCES
    from model.networks import registry
    from model.text.everyday_sentences import read_everyday

    kinds = [registry.find_kind(name) for name in kind or registry.KINDS]
    loaded = load(model)
    use_threads(threads)
    shape = measuring.BenchmarkSizes(
        hidden=hidden,
        alignment=hidden,
        embedding=embedding,
        readout=embedding,
        layers=layers,
        batch=batch,
        vocabulary=vocabulary,
        source=source,
        target=target,
    )
    if target - 0.5 > MAX_RATIO * source:
        raise typer.BadParameter(f"--target may be at most {MAX_RATIO} times --source: got {target} and {source}")
    shape.check_memory()
    sentences = [*SENTENCES, *(one.source for one in read_everyday())]
    for condition in [*measuring.describe_conditions(), f"{shape}"]:
        say(condition)
    console = Console(stderr=True)
    with console.status("") as status:
        for line in chain(measuring.benchmark_training(shape, rounds=rounds, progress=status.update, kinds=kinds),
                          measuring.benchmark_gpu_training(shape, rounds=rounds, progress=status.update, kinds=kinds),
                          measuring.benchmark_search(shape, rounds=rounds, progress=status.update, kinds=kinds),
                          measuring.benchmark_decoding(loaded, sentences, rounds=rounds, progress=status.update)):
            say(f"{line.name:<42} {line.value:>10,.0f} {line.unit:<16} {line.note}".rstrip())


def costs(
    rounds: Annotated[int, typer.Option(min=1, max=1000, help="Turns of each length; medians are kept.")] = ROUNDS,
    kind: Annotated[list[str] | None, typer.Option(help="A kind of network (repeat for more; default: all).")] = None,
    save: Annotated[bool, typer.Option("--save", help="Write what was measured into assets.")] = False,
) -> None:
    """Measure what looking costs: the time of reading a sentence and of one step of writing, by its length, for each
    kind of network at equal sizes, on one thread."""
    from model.analysis import costs as measuring
    from model.networks import registry
    from model.serialization.files import replace_file

    if save and (kind or rounds < ROUNDS):
        raise typer.BadParameter(f"--save keeps what the family's page shows: every kind, in {ROUNDS} rounds or more; "
                                 "leave out --kind and --rounds")
    kinds = [registry.find_kind(name) for name in kind] if kind else registry.list_kinds_by_year()
    with Console(stderr=True).status("") as status:
        found = measuring.measure_costs(kinds, rounds=rounds, progress=status.update)
    say(f"{found.machine}; d = {found.hidden}")
    table = table_of("kind", "parameters", *(f"{what} {length}" for what in ("read", "step")
                                           for length in (found.lengths[0], found.lengths[-1])))  # fmt: skip
    for one in found.costs:
        times = (one.reading[0], one.reading[-1], one.step[0], one.step[-1])
        table.add_row(one.kind, f"{one.parameters:,}", *(f"{time:.2f} ms" for time in times))
    show(table)
    if save:
        replace_file(measuring.FILE, measuring.costs_to_json(found).encode())
        say(f"written to {measuring.FILE}")


def saving(command: str, card: checkpoint.Card, *names: str) -> str:
    """The command that a measurement saved under these names says it was made by. Refused, before anything is measured,
    where one of them was measured in another way, or where a shipped model has the name of this one, which is another:
    figures on pages and in READMEs would change what they are of."""
    from model.serialization.codec import parse_json

    command += " --save"
    shipped = next((one for one in checkpoint.list_shipped_cards() if one.name == card.name), None)
    if shipped is not None and shipped.folder.resolve() != card.folder.resolve():
        raise typer.BadParameter(f"--save would write over what was measured of the shipped {card.name} with what is "
                                 f"measured of {card.folder}: leave it out")
    for path in [EVALUATIONS / name for name in names if (EVALUATIONS / name).exists()]:
        before = parse_json(path.read_bytes(), path.name).get("command", "")
        if before != command:
            raise typer.BadParameter(f"--save would write over {path.name}, which was made by: {before}; delete that "
                                     "file first, or leave out --save")
    return command


def save_record(name: str, text: str) -> None:
    from model.analysis.paper.campaign import write_file

    EVALUATIONS.mkdir(parents=True, exist_ok=True)
    write_file(EVALUATIONS / name, text)
    say(f"written to {EVALUATIONS / name}")
