"""What a reader takes home of a file: every number as CSV, Traces as JSON, alignments for other tools.

All of it is made when its button is pressed, of the sentences that are done. In the files of one model a line (or, in
Nematus' layout, a block) stands for a sentence of the reader's file, in its order: of a file that was stopped, where
short sentences are done first, those not done count as ones that could not be translated.
"""

import zlib
from collections.abc import Iterator

from model.analysis.alignment.trace_formats import format_nematus
from model.text.tables import write_table
from pages.ui.backend.jobs import Job, SentenceResult
from pages.ui.csv_table import build_csv

_SHARED = ("line", "source", "reference", "source words")
_OWN = ("translation", "finished", "words", "length ratio", "log p a piece", "repetition", 
        "attention confidence %", "coverage %", "BLEU", "chrF")  # fmt: skip


def to_csv(job: Job) -> str:
    """A line a sentence, ten columns a model, numbers in full; sentences not done yet are left out. Texts are safe to
    open in a spreadsheet."""
    places = job.complete  # before the models: one that meets a problem later is done with these
    models, document = job.working, job.document

    def rows() -> Iterator[list[str | float | None]]:
        for place in places:
            source = document.sources[place]
            reference = document.references[place] if document.references else None
            own = [cell for model in models for cell in _build_cells(job.outcomes[model][place])]
            yield [document.lines[place], source, reference, job.lengths[place], *own]

    return build_csv((*_SHARED, *(f"{model}: {column}" for model in models for column in _OWN)), rows())


def to_text(job: Job) -> str:
    """Return the reader's sentences in canonical form for the commands: lines, or TSV where there are references."""
    document = job.document
    if document.references is None:
        return "".join(f"{source}\n" for source in document.sources)
    import pandas as pd  # it takes a second to import, and few readers ask for the file

    return write_table(pd.DataFrame({"source": document.sources, "reference": document.references}), "\t")


def _build_cells(outcome: SentenceResult | None) -> list[str | float | None]:
    assert outcome is not None  # the sentence is complete
    made, scores = outcome.measures, outcome.scores
    numbers: list[str | float | None] = (
        [None] * 6
        if made is None
        else [made.words, made.ratio, made.log_probability, made.repetition, made.confidence, made.coverage]
    )
    marks = [None, None] if scores is None else [scores.bleu, scores.chrf]
    return [outcome.output, outcome.finished, *numbers, *marks]


def to_json_lines(job: Job, model: str) -> bytes:
    """A Trace a line, without detail, "null" for a sentence that could not be translated."""
    lines = (zlib.decompress(one.packed) if one and one.packed else b"null" for one in _iterate_outcomes(job, model))
    return b"".join(line + b"\n" for line in lines)


def to_pharaoh(job: Job, model: str) -> str:
    """A line of `i-j` links a sentence, empty for one that could not be translated."""
    return "".join(((one and one.links) or "") + "\n" for one in _iterate_outcomes(job, model))


def to_nematus(job: Job, model: str) -> str:
    """α as Nematus writes it, sentences numbered from 0; those not translated are left out, and their numbers with
    them. TraceError for a model without attention."""
    traces = (None if one is None else one.trace for one in _iterate_outcomes(job, model))
    return "".join(format_nematus(number, trace) for number, trace in enumerate(traces) if trace is not None)


def _iterate_outcomes(job: Job, model: str) -> Iterator[SentenceResult | None]:
    """What became of every sentence up to the last one that is done, None for one that is not."""
    complete = set(job.complete)
    for place in range(max(complete, default=-1) + 1):
        yield job.outcomes[model][place] if place in complete else None


def has_attention(job: Job, model: str) -> bool:
    """Whether the model has attention, as far as its translations show."""
    return any(one and one.links is not None for one in _iterate_outcomes(job, model))
