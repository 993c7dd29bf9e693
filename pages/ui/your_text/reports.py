"""Downloads of a job: all numbers as CSV, Traces as JSON, alignments for other tools.

They are made when the button is pressed, from the sentences done by then. A model's files have a line (for Nematus a
block) per sentence, in the order of the reader's file. Sentences not done count as ones that cannot be translated.
"""

import zlib
from collections.abc import Iterator

from model.analysis.alignment.trace_formats import format_nematus
from model.text.tables import write_table
from pages.ui.backend.jobs import Job, SentenceResult
from pages.ui.csv_table import build_csv

_SENTENCE_COLUMNS = ("line", "source", "reference", "source words")
_MODEL_COLUMNS = ("translation", "finished", "words", "length ratio", "log p a piece", "repetition",
                  "attention confidence %", "coverage %", "BLEU", "chrF")  # fmt: skip


def to_csv(job: Job) -> str:
    """Return a row per finished sentence, with ten columns per model. Texts are safe in a spreadsheet."""
    places = job.completed_indices  # before the models: one that fails later has finished these
    models, document = job.working_models, job.document

    def rows() -> Iterator[list[str | float | None]]:
        for place in places:
            source = document.sources[place]
            reference = document.references[place] if document.references else None
            cells = [cell for model in models for cell in _build_cells(job.results[model][place])]
            yield [document.lines[place], source, reference, job.word_counts[place], *cells]

    return build_csv(
        (*_SENTENCE_COLUMNS, *(f"{model}: {column}" for model in models for column in _MODEL_COLUMNS)), rows()
    )


def to_text(job: Job) -> str:
    """Return the reader's sentences for the commands: plain lines, or TSV if there are references."""
    document = job.document
    if document.references is None:
        return "".join(f"{source}\n" for source in document.sources)
    import pandas as pd  # takes a second, and few readers want this file

    return write_table(pd.DataFrame({"source": document.sources, "reference": document.references}), "\t")


def _build_cells(outcome: SentenceResult | None) -> list[str | float | None]:
    assert outcome is not None  # the sentence is complete
    measures, scores = outcome.measures, outcome.scores
    numbers: list[str | float | None] = (
        [None] * 6
        if measures is None
        else [measures.words, measures.ratio, measures.log_probability, measures.repetition, measures.confidence,
              measures.coverage]
    )  # fmt: skip
    return [
        outcome.output,
        outcome.is_finished,
        *numbers,
        *([None, None] if scores is None else [scores.bleu, scores.chrf]),
    ]


def to_json_lines(job: Job, model: str) -> bytes:
    """Return a Trace per line, without detail; "null" for a sentence that cannot be translated."""
    lines = (zlib.decompress(outcome.compressed_trace) if outcome and outcome.compressed_trace else b"null"
             for outcome in _iterate_outcomes(job, model))  # fmt: skip
    return b"".join(line + b"\n" for line in lines)


def to_pharaoh(job: Job, model: str) -> str:
    """Return a line of `i-j` links per sentence, empty for one that cannot be translated."""
    return "".join(((outcome and outcome.pharaoh_alignment) or "") + "\n" for outcome in _iterate_outcomes(job, model))


def to_nematus(job: Job, model: str) -> str:
    """Return α in Nematus' layout, sentences numbered from 0; those not translated are left out with their numbers.

    Raises TraceError for a model without attention.
    """
    traces = (None if outcome is None else outcome.trace for outcome in _iterate_outcomes(job, model))
    return "".join(format_nematus(number, trace) for number, trace in enumerate(traces) if trace is not None)


def _iterate_outcomes(job: Job, model: str) -> Iterator[SentenceResult | None]:
    """Yield the outcome of every sentence up to the last finished one, None for one not finished."""
    complete = set(job.completed_indices)
    for place in range(max(complete, default=-1) + 1):
        yield job.results[model][place] if place in complete else None


def has_attention(job: Job, model: str) -> bool:
    """Return whether any translation of the model has attention."""
    return any(outcome and outcome.pharaoh_alignment is not None for outcome in _iterate_outcomes(job, model))
