"""The commands that measure a model on sentences of the repository or on your own: `everyday` to `gradients`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import torch
import typer

from model.analysis.ablation.ablation import WORD_KINDS, measure_ablation
from model.analysis.attribution.gradient_record import Gradients, fit_decay_factor
from model.analysis.attribution.gradients import measure_gradients
from model.analysis.errors.copying import measure_copying
from model.analysis.errors.robustness import measure_robustness, read_test_sentences
from model.analysis.paper.everyday import check_everyday
from model.cli.result_files import add_save_option, load_test_set, save_record
from model.cli.shared import BeamOption, ModelOption, SaveOption, load_model, load_model_for, print_line, show_progress
from model.decoding import Settings
from model.decoding.translate import translate_sentence
from model.serialization.codec import dump_entries
from model.serialization.files import compute_checksum
from model.text import copy_sentences
from model.text.everyday_sentences import PAIR_LISTS, record_unseen
from model.text.normalise import normalise


def everyday(
    model: ModelOption = None,
    beam: BeamOption = 1,
    save: SaveOption = False,
    corpora: Annotated[str, typer.Option(metavar="DIR", help="First look up which sentences occur in this training "
                                         "text, and note it in the lists (needs --save).")] = "",
) -> None:
    """Translate the everyday sentences of the model's languages, and show which come out right."""
    if corpora and not save:
        raise typer.BadParameter("--corpora writes into the lists which of their sentences occur in that training "
                                 "text: confirm it with --save, or leave it out")
    loaded = load_model(model)
    lists = PAIR_LISTS.get(loaded.languages, {})
    if not lists:
        pairs = ", ".join("-".join(pair) for pair in PAIR_LISTS)
        raise typer.BadParameter(f"the lists are English and Korean ({pairs}), and {loaded.name} translates "
                                 f"{'-'.join(loaded.languages)}: name another model with --model")
    command = f"python -m model everyday --model {loaded.name}" + (f" --beam {beam}" if beam > 1 else "")
    names = [f"{name}-{loaded.name}.json" for name in lists]
    command = add_save_option(command, loaded.card, *names) if save else command
    if corpora:
        for name, path in lists.items():
            unseen_count = record_unseen(Path(corpora), path, loaded.languages[0])
            print_line(f"{unseen_count} of the list {name} occur in no training text")
    reports = [check_everyday(loaded, Settings(beam=beam), path, command=command) for path in lists.values()]
    for report in reports:
        for outcome in report.outcomes:
            print_line(f"{'right' if outcome.passed else 'WRONG'}  {outcome.source}  ->  {outcome.output}"
                       f"{'' if outcome.unseen else '  (occurs in the training text)'}")
    for report in reports:
        print_line(f"{report.model} ({report.fingerprint}), {report.data}: "
                   f"{report.passed_count} of {len(report.outcomes)} right, "
                   f"{report.unseen_passed_count} of the {report.unseen_count} that are in no training text")
        if save:
            save_record(f"{report.data}-{report.model}.json", report.to_json())


def robustness(model: ModelOption = None, beam: BeamOption = 1, save: SaveOption = False) -> None:
    """Measure how often a translation changes when its sentence is typed differently: 200 English sentences in six
    ways, or 60 Korean ones in seven, another style of politeness among them.
    """
    loaded = load_model(model)
    try:
        file, sentences = read_test_sentences(loaded.languages[0])
    except ValueError as error:
        raise typer.BadParameter(f"{error} ({loaded.name} translates {'-'.join(loaded.languages)})") from error
    command = f"python -m model robustness --model {loaded.name}" + (f" --beam {beam}" if beam > 1 else "")
    command = add_save_option(command, loaded.card, f"robustness-{loaded.name}.json") if save else command
    with show_progress() as progress:
        record = measure_robustness(loaded, sentences, compute_checksum(file), data=file.stem,
                                    settings=Settings(beam=beam, candidates=0), command=command, progress=progress)
    for change in record["changes"]:
        print_line(f"{change['variant']}: {change['typed']}  {change['before']}  ->  {change['after']}")
    for name, result in record["variants"].items():
        print_line(f"{name}: {result['changed']} of {result['sentences']} translations change in a content word"
                   + (f" ({result['same_text']} are the same text to the model)" if result["same_text"] else ""))
    for style, count in record.get("styles", {}).items():
        print_line(f"asked for {style}: {count} of {record['data']['sentences']} translations are")
    if save:
        save_record(f"robustness-{loaded.name}.json", dump_entries(record))


def copying(model: ModelOption = None, beam: BeamOption = 1, save: SaveOption = False) -> None:
    """Count how many names and numbers of a hundred sentences are copied, and show which are lost."""
    loaded = load_model_for("the sentences are English", model, "en")
    command = f"python -m model copying --model {loaded.name}" + (f" --beam {beam}" if beam > 1 else "")
    command = add_save_option(command, loaded.card, f"copying-{loaded.name}.json") if save else command
    with show_progress() as progress:
        record = measure_copying(loaded, copy_sentences.read_copy_sentences(), compute_checksum(copy_sentences.FILE),
                                 settings=Settings(beam=beam, candidates=0), command=command, progress=progress)
    for outcome in record["outcomes"]:
        lost_items = [item for item, is_found in zip(outcome["items"], outcome["found"], strict=True) if not is_found]
        verdict = f"lost {', '.join(lost_items)}" if lost_items else "right"
        print_line(f"{verdict}: {outcome['source']}  ->  {outcome['output']}")
    names, numbers = record["names"], record["numbers"]
    print_line(f"{names['found']} of {names['items']} names and {numbers['found']} of {numbers['items']} numbers are "
               f"copied; {record['whole']} of {record['data']['sentences']} sentences have all of theirs")
    if save:
        save_record(f"copying-{loaded.name}.json", dump_entries(record))


def ablation(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Lines of a source, a tab, its target: .tsv or .tsv.xz; "
                                                              "only the source is read.")],
    model: ModelOption = None,
    beam: BeamOption = 1,
    sample: Annotated[int, typer.Option(min=0, help="Only this many sentences, evenly spaced (0: all).")] = 500,
    save: SaveOption = False,
) -> None:
    """Count the words of a model's translations that it still predicts when attention is changed (ablation).

    Eight rules change the attention. The counts are by kind of word; no text is kept.

    **Example**

    python -m model ablation newstest2014.en-fr.tsv --save
    """
    torch.set_num_threads(1)  # steps of nine rows are too small for several threads, which is ten times slower
    text, loaded = load_test_set(file, model)
    text = text.sample_evenly(sample) if sample else text
    if not any(description.is_target_by_source for description in loaded.network.maps):
        raise ValueError(f"{loaded.name} has no attention that could be changed; name a model that has.")
    command = f"python -m model ablation {file.name} --model {loaded.name} --sample {sample}"
    command += f" --beam {beam}" if beam > 1 else ""
    command = add_save_option(command, loaded.card, f"ablation-{loaded.name}.json") if save else command
    with show_progress() as progress:
        record = measure_ablation(loaded, [source for source, _ in text.pairs],
                                  {"name": text.name, "sha256": text.sha256},
                                  settings=Settings(beam=beam, candidates=0), command=command, progress=progress)
    print_line("given the words before it, how many words are still the likeliest")
    for name, table in record["forced"].items():
        shares = ", ".join(f"{kind} {_format_share(table[kind][1], table[kind][0])}" for kind in WORD_KINDS)
        word_count, kept_count = record["free"][name][:2]
        print_line(f"{name}: {shares}; translated anew, {_format_share(kept_count, word_count)} of all words stay")
    if save:
        save_record(f"ablation-{loaded.name}.json", dump_entries(record))


def _format_share(part: int, total: int) -> str:
    return f"{100 * part / total:.1f}%" if total else "none"


def gradients(
    text: Annotated[str, typer.Argument(help="A sentence in the model's source language.")],
    model: ModelOption = None,
) -> None:
    """Measure the gradient of a translation with respect to the encoder states, by distance; and mean gate values.

    The norm of the gradient of log p(y_i), averaged over the target tokens, by the encoder steps that remain.

    **Example**

    python -m model gradients "The dog did not eat the soup." --model rnnencdec-50
    """
    loaded = load_model(model)
    trace = translate_sentence(loaded, normalise(text))
    for line in _format_gradients(measure_gradients(loaded, trace)):
        print_line(line)


def _format_gradients(record: Gradients) -> Iterator[str]:
    """Yield the curves as a tab-separated table, the decay factor of each curve, and a line for each gate."""
    yield f"{record.model}: {record.target.text}"
    curves = {"all paths": record.compute_decay_curve(record.total)}
    if record.direct is not None:
        curves["attention only"] = record.compute_decay_curve(record.direct)
    yield "\t".join(["distance", "token", *curves])
    for distance, (piece, *values) in enumerate(zip(record.list_tokens_by_distance(), *curves.values(), strict=True)):
        yield "\t".join([str(distance), piece, *(f"{value:.4g}" for value in values)])
    for name, curve in curves.items():
        factor = fit_decay_factor(curve)
        yield f"factor of one step, {name}: " + ("unknown" if factor is None else f"{factor:.3f}")
    for cell in record.gates:
        direction = ", second direction" if cell.direction == 2 else ""
        for name, values in zip(cell.names, cell.values, strict=True):
            yield "\t".join([f"{cell.side} {cell.layer}{direction}, {name} gate", *(f"{x:.3f}" for x in values)])
    if not record.gates:
        yield "no gates: the network is not recurrent"
