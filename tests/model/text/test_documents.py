"""Readers' files: what is read, what is left out and counted, and what is refused in one sentence."""

import contextlib
import io
import lzma
import re
import time
import tracemalloc
import zipfile
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from model.text import documents
from model.text.documents import (
    BYTE_LIMIT,
    SENTENCE_LIMIT,
    Contents,
    Document,
    DocumentError,
    Problem,
    base_name,
    read,
)
from model.text.normalise import normalise
from tests.canonical import canonical
from tests.hostile import CASES

PAIRS = (("The cat sleeps.", "Le chat dort."), ("I see the sea.", "Je vois la mer."))


def refused(data: bytes | str, name: str = "", contents: Contents = "detect") -> DocumentError:
    """The error, whose message is one sentence in the words of `kind`."""
    with pytest.raises(DocumentError) as caught:
        read(data, name, contents=contents)
    message = str(caught.value)
    assert message.startswith("The text ")
    assert message.endswith(".")
    assert "{" not in message
    assert not re.search(r"[.!?] [A-Z]", message)
    return caught.value


def test_lines_are_sentences() -> None:
    document = read(b"The cat sleeps.\n\n  I see  the sea.\r\n", "letters.txt")
    sources = tuple(canonical(["The cat sleeps.", "I see the sea."]))
    assert document == Document("letters.txt", sources, None, (1, 3), 1, False)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("The cat sleeps.\tLe chat dort.\nI see the sea.\tJe vois la mer.\n", ""),
        ("The cat sleeps.\tLe chat dort.\r\nI see the sea.\tJe vois la mer.", "a.tsv"),
        ('"The cat sleeps.","Le chat dort."\nI see the sea.,Je vois la mer.\n', "a.csv"),
        ("The cat sleeps.;Le chat dort.\nI see the sea.;Je vois la mer.\n", "a.CSV"),
        ("The cat sleeps.\tLe chat dort.\nI see the sea.\tJe vois la mer.\n", "a.csv"),
    ],
)
def test_two_columns_are_source_and_reference(text: str, name: str) -> None:
    document = read(text.encode(), name)
    assert tuple(zip(document.sources, document.references or (), strict=True)) == PAIRS
    assert document.lines == (1, 2)
    assert not document.header
    assert read(text.encode(), name, contents="source").references is None


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
def test_encodings_that_say_so(encoding: str) -> None:
    assert read("The café.\nThe sea.".encode(encoding)).sources == ("The café.", "The sea.")


def test_of_a_named_source_the_other_column_is_no_reference() -> None:
    text = "id,English\n17,The cat sleeps.\n"
    assert (read(text, "a.csv").sources, read(text, "a.csv").references) == (("The cat sleeps.",), None)
    asked = read("english,traduction\nThe cat sleeps.,Le chat dort.\n", "a.csv", contents="pair")
    assert (asked.sources, asked.references) == (("The cat sleeps.",), ("Le chat dort.",))


def test_columns_of_a_wide_table_are_named_too() -> None:
    names, cells = (["x"] * 118 for _ in range(2))
    text = "\t".join([*names, "source", "reference"]) + "\n" + "\t".join([*cells, "A cat.", "Un chat."])
    assert (read(text).sources, read(text).references) == (("A cat.",), ("Un chat.",))


def test_a_row_that_is_cut_does_not_choose_the_separator() -> None:
    text = "".join(f"{'a cat ' * 6000}{row};{'un chat ' * 500}{row}\n" for row in range(12))
    document = read(text, "a.csv")
    assert document.references is not None
    assert document.sources[0].endswith("a cat 0")


def test_a_first_line_that_names_columns() -> None:
    text = "French,English\nLe chat dort.,The cat sleeps.\n"
    document = read(text, "a.csv")
    assert (document.sources, document.references) == (("The cat sleeps.",), ("Le chat dort.",))
    assert document.lines == (2,)
    assert document.header
    unread = read(text, "a.csv", header="no")
    assert unread.sources == ("French", "Le chat dort.")
    assert not unread.header
    forced = read("What\nThe cat sleeps.", header="yes")
    assert forced.sources == ("The cat sleeps.",)
    assert forced.header


@pytest.mark.parametrize(
    ("first", "languages"),
    [
        ("de\ten", ("de", "en")), ("Deutsch\tEnglish", ("de", "en")), ("German\tEN", ("de", "en")),
        ("ko\ten", ("ko", "en")), ("한국어\tenglish", ("ko", "en")), ("pt-BR\tfr", ("pt-BR", "fr")),
        ("eo\ten", ("eo", "en")),
    ],
)
def test_columns_are_named_after_the_languages_of_the_model(first: str, languages: tuple[str, str]) -> None:
    document = read(f"{first}\nDas ist ein Hund.\tThis is a dog.\n", languages=languages)
    assert (document.sources, document.references) == (("Das ist ein Hund.",), ("This is a dog.",))
    turned = "\t".join(reversed(first.split("\t")))
    document = read(f"{turned}\nThis is a dog.\tDas ist ein Hund.\n", languages=languages)
    assert (document.sources, document.references) == (("Das ist ein Hund.",), ("This is a dog.",))


def test_a_column_of_references_is_never_its_own_source() -> None:
    document = read("fr\tsome text\nLe chat dort.\tThe cat sleeps.\n", header="yes")
    assert (document.sources, document.references) == (("The cat sleeps.",), ("Le chat dort.",))
    alone = read("fr\nLe chat dort.\n", header="yes")
    assert (alone.sources, alone.references) == (("Le chat dort.",), None)
    both = read("english\ttarget\nThe colour.\tThe color.\n", languages=("en-GB", "en-US"))
    assert (both.sources, both.references) == (("The colour.",), ("The color.",))


def test_two_named_columns_among_many() -> None:
    text = "line,source,reference,model: translation\n7,The cat sleeps.,Le chat dort.,Le chat.\n"
    document = read(text, "sentences.csv")
    assert (document.sources, document.references) == (("The cat sleeps.",), ("Le chat dort.",))


def test_cells_of_a_csv_hold_commas_quotes_and_line_breaks() -> None:
    document = read('"The ""old"" cat,\nasleep.",Le chat.\nThe sea.,La mer.\n', "a.csv")
    assert document.sources == ('The "old" cat, asleep.', "The sea.")
    assert document.lines == (1, 3)


def test_quotes_of_a_tsv_are_the_sentences_own() -> None:
    assert read('"Come here,\tViens ici,\n').sources == ('"Come here,',)


@pytest.mark.verdict
@pytest.mark.parametrize(
    ("data", "name", "kind"),
    [
        (b"", "", "empty"),
        (b"\n \n\t\n", "", "empty"),
        (b"source,reference\n", "a.csv", "empty"),
        (b"\xef\xbb\xbf", "", "empty"),
        ("The café.\nThe d\u00e9j\u00e0 vu.".encode("latin-1"), "a.txt", "encoding"),
        ("The cat.".encode("utf-16-le"), "a.txt", "nul"),
        (b"The cat.\nThe\0 sea.", "a.txt", "nul"),
        (b"\xff\xfeT", "a.txt", "encoding"),
        (b"a,b\nc\n", "a.csv", "ragged"),
        (b"a\tb\nc\n", "a.txt", "ragged"),
        (b"a,b,c\n", "a.csv", "columns"),
        (b'"a,b\nc,d\n', "a.csv", "quoting"),
        (b'"a"b,c\n', "a.csv", "quoting"),
        (b"\tle chat\n", "a.tsv", "no_source"),
        (b"the cat\t\n", "a.tsv", "no_reference"),
        (b"x" * (BYTE_LIMIT + 1), "a.txt", "size"),
        (b"the cat\n" * (SENTENCE_LIMIT + 1), "a.txt", "sentences"),
        (b"\t".join([b"x"] * 1_000_000), "a.tsv", "wide"),
        (b",".join([b"x"] * 1_000_000), "a.csv", "wide"),
        (b"\x1f\x8b\x08\0\0", "a.txt", "packed"),
        (lzma.compress(b"the cat"), "a.tsv", "packed"),
        (b"%PDF-1.7\n", "a.txt", "packed"),
    ],
)
def test_what_is_refused(data: bytes, name: str, kind: Problem) -> None:
    assert refused(data, name).kind == kind


def test_a_renamed_archive_is_named() -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("letters.txt", "The cat sleeps.")
    error = refused(packed.getvalue(), "letters.txt")
    assert error.values == {"format": "ZIP"}


def test_errors_say_where() -> None:
    assert refused(b"the cat\nthe caf\xe9", "a.txt").values == {"line": "2", "byte": "0xE9"}
    assert refused(b"a\tb\n\nc\n").values == {"got": "1", "line": "3", "expected": "2"}
    assert refused(b"a\n\n\0").values == {"line": "3"}
    assert refused("the cat\n" * 6000).values == {"got": "6,000", "limit": "5,000"}


def test_two_columns_may_be_insisted_on() -> None:
    assert refused(b"The cat sleeps.\n", contents="pair").kind == "one_column"
    assert refused(b"source\tthird\tfourth\na\tb\tc\n", contents="pair").kind == "columns"


def test_no_name_is_a_path() -> None:
    assert base_name("../../etc/passwd") == "passwd"
    assert base_name("C:\\files\\..\\letters.csv") == "letters.csv"
    assert base_name("folder/") == ""
    assert base_name("\u202egnp.exe\x00.txt") == "gnp.exe.txt"
    assert len(base_name("a" * 5000 + ".csv")) <= 80
    assert base_name("a" * 5000 + ".csv").endswith(".csv")


@pytest.mark.verdict
@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("name", ["a.txt", "a.csv"])
def test_hostile_text_is_read_or_refused(case: str, name: str) -> None:
    """Whatever comes, pasted or as bytes: canonical sentences that are not empty, or one sentence."""
    for data in (CASES[case], CASES[case].encode("utf-8", "replace")):
        document, refused = None, ""
        try:
            document = read(data, name)
        except DocumentError as error:
            refused = str(error)
        assert "\n" not in refused
        if document is None:
            continue
        assert document.sources
        for text in (*document.sources, *(document.references or ())):
            assert text
            assert text == normalise(text)
        assert len(document.lines) == len(document.sources)


def test_most_hostile_texts_can_be_read() -> None:
    def readable(text: str) -> bool:
        with contextlib.suppress(DocumentError):
            return bool(read(text, "a.txt").sources)
        return False

    assert sum(map(readable, CASES.values())) > 0.7 * len(CASES)


# --- files that hold next to nothing, or far too much, in five megabytes


def slow(text: str) -> tuple[list[tuple[int, list[str]]], int]:
    """What `_tab_rows` and `_filled` find, by looking at every line."""
    lines = re.split("\r\n|\r|\n", text)
    lines = lines[:-1] if not lines[-1] else lines
    rows = [(number, line.split("\t")) for number, line in enumerate(lines, 1)]
    filled = [row for row in rows if any(map(normalise, row[1]))]
    return filled, len(rows) - len(filled)


@given(st.text("ab \t\r\n\u200b\x0b", max_size=40))
def test_blank_lines_are_skipped_as_if_each_were_looked_at(text: str) -> None:
    assert documents._filled(documents._tab_rows(text)) == slow(text)


FIVE = 4_900_000
MUCH: dict[str, tuple[Callable[[int], bytes], str]] = {
    "line feeds": (lambda size: b"\n" * size, "holds no sentence"),
    "lines of tabs": (lambda size: b"\t\n" * (size // 2), "holds no sentence"),
    "a line of tabs": (lambda size: b"\t" * size, "holds no sentence"),
    "a line of columns": (lambda size: b"a\t" * (size // 2), "columns at line 1"),
    "zero-width": (lambda size: "\u200b\n".encode() * (size // 4), "more than 500,000 cells|holds no sentence"),
    "words": (lambda size: b"a\n" * (size // 2), "more than 20,000 rows"),
}


@pytest.mark.parametrize("ending", [".txt", ".csv"])
@pytest.mark.parametrize("kind", MUCH)
def test_five_megabytes_of_next_to_nothing_take_a_moment(kind: str, ending: str) -> None:
    """Processor time: everybody else's pages wait meanwhile. It took 77 s."""
    make, expected = MUCH[kind]
    data = make(FIVE)
    began = time.thread_time()
    with pytest.raises(DocumentError, match=expected if ending == ".txt" else None):
        read(data, f"x{ending}")
    assert time.thread_time() - began < 12


@pytest.mark.parametrize("ending", [".txt", ".csv"])
@pytest.mark.parametrize("kind", MUCH)
def test_a_quarter_of_a_megabyte_of_next_to_nothing_takes_little_memory(kind: str, ending: str) -> None:
    """A twentieth of the limit, as tracing memory makes everything ten times slower; 4.9 MB took 1.1 GB."""
    make, expected = MUCH[kind]
    data = make(FIVE // 20)
    tracemalloc.start()
    try:
        with pytest.raises(DocumentError, match=expected if ending == ".txt" else None):
            read(data, f"x{ending}")
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 10e6


def test_a_reference_that_nobody_could_mean_is_refused() -> None:
    with pytest.raises(DocumentError, match="20,001 characters at line 2"):
        read("Yes.\tOui.\nHi.\t" + "x" * 20_001)
    assert read("Hi.\t" + "x" * 20_000).references is not None
