"""The commands that measure time: `bench` and `costs`."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain
from typing import Annotated

import typer
from rich.console import Console

from model.analysis import benchmark, cost_measurement
from model.analysis import costs as step_costs
from model.cli.result_files import set_threads
from model.cli.shared import (
    ModelOption,
    SaveOption,
    ThreadsOption,
    load_model,
    make_table,
    print_line,
    print_table,
)
from model.decoding.settings import MAX_RATIO
from model.gallery.opening import SENTENCES
from model.networks import registry
from model.serialization.files import replace_file
from model.text.everyday_sentences import read_everyday

COST_ROUNDS = 3  # of each length

KindsOption = Annotated[list[str] | None, typer.Option(help="A kind of network (may be repeated; default: all).")]


def bench(
    rounds: Annotated[int, typer.Option(min=1, max=100_000, help="Repetitions of each measurement; medians are "
                                                                 "shown.")] = 5,
    threads: ThreadsOption = 0,
    batch: Annotated[int, typer.Option(min=1, max=1_000_000, help="Sentences in a training batch.")] = 128,
    hidden: Annotated[int, typer.Option(min=1, max=65536, help="n = n' = d, units per layer.")] = 384,
    embedding: Annotated[int, typer.Option(min=1, max=65536, help="m = l, embedding and readout.")] = 256,
    layers: Annotated[int, typer.Option(min=1, max=100, help="Layers of LSTMs and of the Transformer, a side.")] = 2,
    vocabulary: Annotated[int, typer.Option(min=10, max=1_000_000, help="Vocabulary of the random networks.")] = 8000,
    source: Annotated[int, typer.Option(min=2, max=1000, help="Tokens of a random source sentence.")] = 25,
    target: Annotated[int, typer.Option(min=10, max=1000, help="Tokens of its translation, at least 10: search allows "
                                                              "as many to any source.")] = 27,
    kind: KindsOption = None,
    model: ModelOption = None,
) -> None:
    """Measure the speed of training, of search and of a shipped model on this machine.

    Training is measured by the plain loop and by the fused loss in turns, search at the same sizes. Both use random
    weights and sentences of one length, so that other programs can be compared.
    """
    kinds = [registry.find_kind(name) for name in kind or registry.KINDS]
    loaded = load_model(model)
    set_threads(threads)
    sizes = benchmark.BenchmarkSizes(hidden=hidden, alignment=hidden, embedding=embedding, readout=embedding,
                                     layers=layers, batch=batch, vocabulary=vocabulary, source=source, target=target)
    # The benchmark's max_ratio is (target - 0.5) / source, so that the limit of a search rounds up to the target.
    if target - 0.5 > MAX_RATIO * source:
        raise typer.BadParameter(f"--target may be at most {MAX_RATIO} times --source: got {target} and {source}")
    sizes.check_memory()
    sentences = [*SENTENCES, *(sentence.source for sentence in read_everyday())]
    for condition in [*benchmark.describe_conditions(), f"{sizes}"]:
        print_line(condition)
    with Console(stderr=True).status("") as status:
        for line in chain(benchmark.benchmark_training(sizes, rounds=rounds, progress=status.update, kinds=kinds),
                          benchmark.benchmark_gpu_training(sizes, rounds=rounds, progress=status.update, kinds=kinds),
                          benchmark.benchmark_search(sizes, rounds=rounds, progress=status.update, kinds=kinds),
                          benchmark.benchmark_decoding(loaded, sentences, rounds=rounds, progress=status.update)):
            print_line(f"{line.name:<42} {line.value:>10,.0f} {line.unit:<16} {line.note}".rstrip())


def costs(
    rounds: Annotated[int, typer.Option(min=1, max=1000, help="Repetitions of each length; medians are kept.")]
        = COST_ROUNDS,
    kind: KindsOption = None,
    save: SaveOption = False,
) -> None:
    """Measure the time of encoding a sentence and of one decoder step by source length, on one thread.

    Every kind of network is measured at equal sizes.
    """
    if save and (kind or rounds < COST_ROUNDS):
        raise typer.BadParameter(f"--save keeps what the page All models shows: every kind, in {COST_ROUNDS} rounds or "
                                 "more; leave out --kind and --rounds")
    kinds = [registry.find_kind(name) for name in kind] if kind else registry.list_kinds_by_year()
    with Console(stderr=True).status("") as status:
        measured = cost_measurement.measure_costs(kinds, rounds=rounds, progress=status.update)
    if rounds != COST_ROUNDS:
        measured = replace(measured, command=f"python -m model costs --rounds {rounds} --save")
    print_line(f"{measured.machine}; d = {measured.hidden}")
    table = make_table("kind", "parameters", *(f"{phase} {length}" for phase in ("encode", "step")
                                               for length in (measured.lengths[0], measured.lengths[-1])))
    for cost in measured.costs:
        times = (cost.encoding[0], cost.encoding[-1], cost.step[0], cost.step[-1])
        table.add_row(cost.kind, f"{cost.parameters:,}", *(f"{time:.2f} ms" for time in times))
    print_table(table)
    if save:
        replace_file(step_costs.FILE, step_costs.dump_costs(measured).encode())
        print_line(f"written to {step_costs.FILE}")
