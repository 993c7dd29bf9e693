"""The commands about word alignment: `align`, `alignment-error` and `word-order`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from model.analysis.alignment.alignment import TokenForm
from model.analysis.alignment.alignment import align as align_pairs
from model.analysis.alignment.alignment_error import measure_alignment_error
from model.analysis.alignment.hand_aligned import read_hand_aligned
from model.analysis.alignment.word_order import FILE_PREFIX, find_links, measure_word_order
from model.cli.result_files import CorporaArgument, add_save_option, load_test_set, save_record, set_threads
from model.cli.shared import (
    ModelOption,
    SaveOption,
    ThreadsOption,
    format_number,
    load_model,
    load_model_for,
    make_table,
    print_error,
    print_line,
    print_table,
    show_progress,
)
from model.cli.text_input import read_input_bytes
from model.serialization.codec import dump_entries, to_plain
from model.text.pair_files import parse_file_languages, parse_table


def align(
    file: Annotated[str, typer.Argument(metavar="[FILE|-]", help="Source, tab, target, or ||| between.")] = "-",
    model: ModelOption = None,
    soft: Annotated[bool, typer.Option("--soft", help="JSON with all weights instead of i-j.")] = False,
    tokens: Annotated[bool, typer.Option("--tokens", help="Count the file's own white-space tokens.")] = False,
    surface: Annotated[bool, typer.Option("--surface", help="Count the file's tokens, but let the model read them "
                                                            "joined to real text (l'eau for la eau), as "
                                                            "alignment-error does.")] = False,
) -> None:
    """Align given sentence pairs by attention: Pharaoh links i-j (from 0, source-target).

    Each pair gives a line, a blank line an empty one.
    """
    if surface and tokens:
        raise typer.BadParameter("--surface and --tokens are two ways to read the file's tokens: give one")
    form: TokenForm | None = "surface" if surface else "written" if tokens else None
    loaded = load_model_for("--surface joins tokens of English and French", model, "en", "fr") if surface \
        else load_model(model)
    languages = parse_file_languages(Path(file).name)
    if languages not in (None, loaded.languages):
        raise typer.BadParameter(f"{file} is of {'-'.join(languages)}, as its name says, and {loaded.name} translates "
                                 f"{'-'.join(loaded.languages)}: name another model with --model, or swap the sides")
    table = parse_table(*read_input_bytes(file), loaded.languages, contents="pair", allow_partial=True)
    alignments = align_pairs(loaded, table.list_pairs_with_blanks(), token_form=form)
    for note in table.remarks:
        print_error(note, "note")
    for alignment in alignments:
        print_line(alignment.to_json() if soft else alignment.format_pharaoh())


def alignment_error(
    folder: CorporaArgument,
    model: ModelOption = None,
    sample: Annotated[int, typer.Option(min=0, help="Only the first N pairs (0: all).")] = 0,
    threads: ThreadsOption = 0,
    save: SaveOption = False,
) -> None:
    """Measure how far attention agrees with the 447 Hansards pairs that annotators aligned."""
    text = read_hand_aligned(folder)
    text = text.limit(sample) if sample else text
    loaded = load_model_for("the Hansards are English and French", model, "en", "fr")
    set_threads(threads)
    command = f"python -m model alignment-error FOLDER --model {loaded.name}"
    command += f" --sample {sample}" if sample else ""
    command = add_save_option(command, loaded.card, f"alignment-{loaded.name}.json") if save else command
    with show_progress() as progress:
        record = measure_alignment_error(loaded, text, wiring=str(loaded.card.network.get("wiring", "")),
                                         command=command, progress=progress)
    data = record["data"]
    pairs = f"{data['sentences']} pair{'s' if data['sentences'] > 1 else ''}"
    wiring = f", wiring {record['wiring']}" if record["wiring"] else ""
    print_line(f"{loaded.name} ({loaded.fingerprint}{wiring}) on {data['name']}, {pairs}, "
               f"{data['sure']:,} sure links among {data['possible']:,} possible ones")
    table = make_table("in per cent", "AER", "95 % of resamples", "precision", "recall", "links")
    for name, scores in record["scores"].items():
        percent = {key: f"{100 * value:.1f}" for key, value in scores.items() if key != "links"}
        band = f"{percent['aer_low']} to {percent['aer_high']}" if data["sentences"] > 1 else ""
        table.add_row(name, percent["aer"], band, percent["precision"], percent["recall"], f"{scores['links']:,}")
    print_table(table)
    for shift, key in (("row i from i+k", "shifts"), ("column j from j-k", "columns")):
        rates = "   ".join(f"{name}: {100 * rate:.1f}" for name, rate in record[key].items() if name != "best")
        print_line(f"{shift:<19}{rates}   ({record[key]['best']:+d} fits best)".replace("+0", "0"))
    rules = "   ".join(f"{rule}: {count}" for rule, count in record["rules"].items())
    print_line(f"{'real text of':<19}{rules}   pairs")
    if "maps" in record:
        _print_maps(record["maps"])
    table = make_table("published", "AER English-French", "both directions together", "trained on",
                       text_columns=("trained on",))
    for aligner in record["published"]:
        table.add_row(aligner["name"], format_number(aligner["aer"]), format_number(aligner["symmetrised"]),
                      aligner["trained_on"])
    print_table(table)
    if save:
        save_record(f"alignment-{loaded.name}.json", dump_entries(record))


def word_order(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Lines of a source, a tab, its target: .tsv, .tsv.xz.")],
    model: ModelOption = None,
    sample: Annotated[int, typer.Option(min=0, help="Only this many sentences, evenly spaced (0: all).")] = 500,
    save: SaveOption = False,
) -> None:
    """Measure the share of reordered alignment links: those to an earlier source word than the link before.

    **Example**

    python -m model word-order tatoeba.en-ko.tsv --model rnnsearch-ko-en --save
    """
    text, loaded = load_test_set(file, model)
    text = text.sample_evenly(sample) if sample else text
    name = f"{FILE_PREFIX}{loaded.name}.json"
    command = f"python -m model word-order {file.name} --model {loaded.name} --sample {sample}"
    command = add_save_option(command, loaded.card, name) if save else command
    measured = measure_word_order(
        (find_links(alignment.weights, alignment.source, alignment.target)
         for alignment in align_pairs(loaded, text.pairs) if alignment.trace),
        model=loaded.name, fingerprint=loaded.fingerprint, languages=loaded.languages,
        data={"name": text.name, "sha256": text.sha256}, command=command,
    )  # fmt: skip
    share = measured.share
    print_line(f"{loaded.name} ({loaded.fingerprint}) on {text.name}: {measured.turned:,} of {measured.links:,} links "
               f"are reordered, {100 * share.value:.1f}% ({100 * share.low:.1f} to {100 * share.high:.1f})")
    if save:
        save_record(name, dump_entries(to_plain(measured)))


def _print_maps(maps: dict[str, Any]) -> None:
    """Print the error rate of each map; the best map is chosen on one part of the pairs and measured on the other."""
    table = make_table("by map, in per cent", "AER")
    for key, rate in sorted(maps["aer"].items(), key=lambda item: item[1]):
        table.add_row(key, f"{100 * rate:.1f}")
    print_table(table)
    best = maps["best"]
    held_out_rate = f", on the other {best['sentences']} AER {100 * best['aer']:.1f}" if best["sentences"] else ""
    print_line(f"mean of the heads' rates {100 * maps['heads']:.1f}; "
               f"best on {best['chosen_on']} pairs: {best['map']}{held_out_rate}")
