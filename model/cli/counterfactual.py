"""The command that asks how much a model's translations need its attention, and the replay of an experiment."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from model.cli.lines import Beam, Name, load, say, stages, test_set_for
from model.cli.measure import save_record, saving

if TYPE_CHECKING:
    from model.trace import Trace


def need(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Lines of a source, a tab, its target: .tsv or .tsv.xz; "
                                                              "only the source is read.")],
    model: Name = None,
    beam: Beam = 1,
    sample: Annotated[int, typer.Option(min=0, help="Only this many sentences, evenly spaced (0: all).")] = 500,
    save: Annotated[bool, typer.Option("--save", help="Write the counts into assets.")] = False,
) -> None:
    """How much of its translations a model would still write if it looked elsewhere: eight rules for its attention,
    by kind of word. Counts only, no text.

    **Example**

    python -m model need newstest2014.en-fr.tsv --save
    """
    import torch

    from model.analysis.ablation.ablation import WORD_KINDS, measure_ablation
    from model.decoding import Settings
    from model.serialization.codec import dump_entries

    torch.set_num_threads(1)  # nine rows a step are too few for two, which wait for one another ten times as long
    text, loaded = test_set_for(file, model)
    text = text.sample_evenly(sample) if sample else text
    if not any(one.looks for one in loaded.network.maps):
        raise ValueError(f"{loaded.name} has no attention, so that there is nothing to change; name a model that has.")
    command = f"python -m model need {file.name} --model {loaded.name} --sample {sample}"
    command += f" --beam {beam}" if beam > 1 else ""
    command = saving(command, loaded.card, f"attention-need-{loaded.name}.json") if save else command
    with stages() as progress:
        record = measure_ablation(loaded, [source for source, _ in text.pairs], {"name": text.name, "sha256": text.sha256},
                         settings=Settings(beam=beam, candidates=0), command=command, progress=progress)
    say("of words given, how many would still be the likeliest")
    for name, table in record["given"].items():
        shares = ", ".join(f"{kind} {_share(table[kind][1], table[kind][0])}" for kind in WORD_KINDS)
        say(f"{name}: {shares}; free, {_share(record['free'][name][1], record['free'][name][0])} of all words stay")
    if save:
        save_record(f"attention-need-{loaded.name}.json", dump_entries(record))


def replay(file: Path) -> list[Trace]:
    """The translation of an experiment that the laboratory saved, with its sentence, model, search and changes. Raises
    ExperimentError, EditsError or CheckpointError."""
    from model.decoding.experiment import LARGEST, Experiment
    from model.decoding.translate import translate_best
    from model.text.normalise import normalise

    with file.open("rb") as opened:
        found = Experiment.from_json(opened.read(LARGEST + 1))
    loaded = load(found.model)
    found.check_weights(loaded.fingerprint)
    return translate_best(loaded, normalise(found.sentence), found.settings, edits=found.changes)


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f}%" if whole else "none"
