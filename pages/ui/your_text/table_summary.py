"""How a reader's file was read, in words."""

from model.text.layout import SEPARATOR_CHARACTERS, TRIPLE_BAR
from model.text.tables import Table
from pages.ui.i18n.messages import Messages

_SEPARATOR_NAMES = {sign: name for name, sign in SEPARATOR_CHARACTERS.items()} | {TRIPLE_BAR: "bars"}


def summarise_table(table: Table, t: Messages) -> str:
    """Return one line: encoding, separator, header, number of sentences, and the notes."""
    key = _SEPARATOR_NAMES.get(table.separator)
    separator = t("reading.other", sign=table.separator or "") if key is None else t(f"reading.by_{key}")
    kind = "without_references" if table.references is None else "with_references"
    summary = t("reading.statement", encoding=table.encoding.upper(), separator=separator,
                  header=t("reading.header") if table.header else t("reading.no_header"),
                  sentences=t(f"your_text.{kind}", count=f"{len(table.sources):,}"))  # fmt: skip
    return " · ".join([summary, *describe_notes(table, t)])


def describe_notes(table: Table, t: Messages) -> list[str]:
    """Return a phrase for each thing that was left out or assumed."""
    return [
        t(f"reading.note_{note.kind}", **note.values | {"language": t.name_language(note.values.get("language", ""))})
        for note in table.notes
    ]
