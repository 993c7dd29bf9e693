"""Shell commands that reproduce what the page shows."""

from collections.abc import Iterable

from pages.ui.backend.jobs import Job
from pages.ui.escape import escape_html
from pages.ui.your_text.sentence_bars import FILE_STEM


def get_file_name(job: Job) -> str:
    """Return the name of the file with the reader's sentences (`reports.to_text`)."""
    return f"{FILE_STEM}.tsv" if job.document.references else f"{FILE_STEM}.txt"


def build_commands(job: Job) -> list[str]:
    """Return a command per model: it evaluates if there are references, else it translates."""
    command = f"python -m model {'evaluate' if job.document.references else 'translate'} {get_file_name(job)}"
    return [f"{command} --model {name} --beam {job.settings.beam}" for name in job.working_models]


def commands_to_html(commands: Iterable[str]) -> str:
    """Return commands as HTML, one per line."""
    lines = "\n".join(map(escape_html, commands))
    return f'<pre class="commands" tabindex="0">{lines}</pre>'
