"""Downloads of a job (all numbers as CSV, Traces as JSON, alignments for other tools) and commands that do the same.

Downloads are made when the button is pressed, from the sentences finished by then. A model's files have a line (for
Nematus a block) per sentence, in the order of the reader's file. Unfinished sentences count as ones that cannot be
translated.
"""

import zlib
from collections.abc import Iterable, Iterator

from model.analysis.alignment.trace_formats import format_nematus
from model.text.politeness import add_missing_tag
from model.text.tables import write_table
from pages.ui.backend import cards
from pages.ui.backend.jobs import Job, SentenceResult
from pages.ui.csv_table import build_csv
from pages.ui.escape import escape_html
from pages.ui.your_text.sentence_bars import FILE_STEM

_SENTENCE_COLUMNS = ("line", "source", "reference", "source words")
_MODEL_COLUMNS = ("translation", "finished", "words", "length ratio", "log p per token", "repetition",
                  "attention confidence %", "coverage %", "BLEU", "chrF")  # fmt: skip


def to_csv(job: Job) -> str:
    """Return a row per finished sentence, with ten columns per model. Texts are safe in a spreadsheet."""
    indices = job.completed_indices  # before the models: one that fails later has finished these
    models, document = job.working_models, job.document

    def iterate_rows() -> Iterator[list[str | float | None]]:
        for index in indices:
            source = document.sources[index]
            reference = document.references[index] if document.references else None
            cells = [cell for model in models for cell in _build_cells(job.results[model][index])]
            yield [document.line_numbers[index], source, reference, job.word_counts[index], *cells]

    return build_csv(
        (*_SENTENCE_COLUMNS, *(f"{model}: {column}" for model in models for column in _MODEL_COLUMNS)), iterate_rows()
    )


def to_text(job: Job) -> str:
    """Return the reader's sentences for the commands, with the tag of a style of Korean: plain lines, or TSV if there
    are references."""
    document = job.document
    sources = [add_missing_tag(source, job.style) for source in document.sources]
    if document.references is None:
        return "".join(f"{source}\n" for source in sources)
    return write_table(("source", "reference"), zip(sources, document.references, strict=True), "\t")


def _build_cells(result: SentenceResult | None) -> list[str | float | None]:
    assert result is not None  # the sentence is complete
    measures, scores = result.measures, result.scores
    numbers: list[str | float | None] = (
        [None] * 6
        if measures is None
        else [measures.words, measures.ratio, measures.log_probability, measures.repetition, measures.confidence,
              measures.coverage]
    )  # fmt: skip
    return [
        result.output,
        result.is_finished,
        *numbers,
        *([None, None] if scores is None else [scores.bleu, scores.chrf]),
    ]


def to_json_lines(job: Job, model: str) -> bytes:
    """Return a Trace per line, without detail; "null" for a sentence that cannot be translated."""
    lines = (zlib.decompress(result.compressed_trace) if result and result.compressed_trace else b"null"
             for result in _iterate_results(job, model))  # fmt: skip
    return b"".join(line + b"\n" for line in lines)


def to_pharaoh(job: Job, model: str) -> str:
    """Return a line of `i-j` links per sentence, empty for one that cannot be translated."""
    return "".join(((result and result.pharaoh_alignment) or "") + "\n" for result in _iterate_results(job, model))


def to_nematus(job: Job, model: str) -> str:
    """Return α in Nematus' layout, sentences numbered from 0; those not translated are left out with their numbers.

    Raises TraceError for a model without attention.
    """
    traces = (None if result is None else result.trace for result in _iterate_results(job, model))
    return "".join(format_nematus(number, trace) for number, trace in enumerate(traces) if trace is not None)


def _iterate_results(job: Job, model: str) -> Iterator[SentenceResult | None]:
    """Yield the result of every sentence up to the last finished one, None for one not finished."""
    complete = set(job.completed_indices)
    for index in range(max(complete, default=-1) + 1):
        yield job.results[model][index] if index in complete else None


def has_attention(job: Job, model: str) -> bool:
    """Return whether any translation of the model has attention."""
    return any(result and result.pharaoh_alignment is not None for result in _iterate_results(job, model))


def get_file_name(job: Job) -> str:
    """Return the name of the file with the reader's sentences (`to_text`)."""
    return f"{FILE_STEM}.tsv" if job.document.references else f"{FILE_STEM}.txt"


def build_commands(job: Job) -> list[str]:
    """Return a command per model: it evaluates if there are references, else it translates."""
    command = f"python -m model {'evaluate' if job.document.references else 'translate'} {get_file_name(job)}"
    settings_by_model = {name: cards.resolve_unk(name, job.settings) for name in job.working_models}
    return [f"{command} --model {name} --beam {settings.beam}" + (" --unk replace" if settings.unk == "replace" else "")
            for name, settings in settings_by_model.items()]  # fmt: skip


def format_commands_html(commands: Iterable[str]) -> str:
    """Return commands as HTML, one per line."""
    lines = "\n".join(map(escape_html, commands))
    return f'<pre class="commands" tabindex="0">{lines}</pre>'
