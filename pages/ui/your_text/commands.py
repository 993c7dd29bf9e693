"""The commands that make at the command line what the page shows."""

from collections.abc import Iterable

from pages.ui.backend.jobs import Job
from pages.ui.escape import escape_html
from pages.ui.your_text.sentence_bars import FILE_STEM


def get_file_name(job: Job) -> str:
    """What the reader's sentences are called as a file of their own (reports.to_text)."""
    return f"{FILE_STEM}.tsv" if job.document.references else f"{FILE_STEM}.txt"


def build_commands(job: Job) -> list[str]:
    """A command for each model: with references they give the scores, without them the translations."""
    command = f"python -m model {'evaluate' if job.document.references else 'translate'} {get_file_name(job)}"
    return [f"{command} --model {name} --beam {job.settings.beam}" for name in job.working]


def commands_to_html(commands: Iterable[str]) -> str:
    """Commands, a line each."""
    lines = "\n".join(map(escape_html, commands))
    return f'<pre class="commands" tabindex="0">{lines}</pre>'
