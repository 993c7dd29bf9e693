"""Tests of reading and writing tables: separators, quotation marks, encodings, headers, columns, errors and limits."""

import contextlib
import re
import tracemalloc
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from model.text.documents import BYTE_LIMIT, SENTENCE_LIMIT, Contents, DocumentError, DocumentProblem, shorten_file_name
from model.text.layout import TRIPLE_BAR
from model.text.normalise import normalise
from model.text.tables import Table, read_table, write_table
from tests.hostile import CASES

PAIRS = [("The cat sleeps.", "Le chat dort."), ("I see the sea.", "Je vois la mer.")]
Rows = list[tuple[str, str | None]]


def get_rows(table: Table) -> Rows:
    references = table.frame["reference"] if "reference" in table.frame else [None] * len(table.frame)
    return list(zip(table.frame["source"], references, strict=True))


def as_sources(*sources: str) -> Rows:
    return [(source, None) for source in sources]


def get_notes(table: Table) -> list[str]:
    return list(map(str, table.notes))


def read_error(data: bytes | str, name: str = "", contents: Contents = "detect") -> DocumentError:
    """Return the error, after checking that its message is one sentence."""
    with pytest.raises(DocumentError) as caught:
        read_table(data, name, contents=contents)
    message = str(caught.value)
    assert message.startswith("The text ")
    assert message.endswith(".")
    assert "{" not in message
    assert not re.search(r"[.!?] [A-Z]", message)
    return caught.value


# --- separators


@pytest.mark.parametrize(
    ("text", "name", "separator"),
    [
        ("The cat sleeps.\tLe chat dort.\rI see the sea.\tJe vois la mer.\r", "a.tsv", "\t"),
        ('"The cat sleeps.", "Le chat dort."\n"I see the sea.", "Je vois la mer."\n', "a.csv", ","),
        ("The cat sleeps.;Le chat dort.\nI see the sea.;Je vois la mer.\n", "a.CSV", ";"),
        ("source | reference\nThe cat sleeps. | Le chat dort.\nI see the sea. | Je vois la mer.\n", "a.txt", "|"),
        ("The cat sleeps. ||| Le chat dort.\nI see the sea. ||| Je vois la mer.\n", "a.txt", TRIPLE_BAR),
        ("SEP=^\nThe cat sleeps.^Le chat dort.\nI see the sea.^Je vois la mer.\n", "a.csv", "^"),
    ],
)
def test_two_columns_are_source_and_reference(text: str, name: str, separator: str) -> None:
    table = read_table(text.encode(), name)
    assert (get_rows(table), table.separator) == (PAIRS, separator)
    assert table.sources == ("The cat sleeps.", "I see the sea.")
    assert read_table(text.encode(), name, contents="source").references is None


def test_separator_and_contents_can_be_given() -> None:
    assert get_rows(read_table("cat, chat\ndog, chien\n", "a.csv", separator="comma"))[1] == ("dog", "chien")
    assert get_rows(read_table("a\tb\n", separator="none")) == as_sources("a\tb")
    assert get_rows(read_table("a\tb\nc\t\n\td\n", allow_partial=True)) == [("a", "b"), ("c", ""), ("", "d")]
    assert read_table("Hi.\t" + "x" * 20_001, has_limits=False).references is not None
    assert read_error(b"The cat sleeps.\n", contents="pair").kind == "one_column"
    assert read_error(b"source\tthird\tfourth\na\tb\tc\n", contents="pair").kind == "columns"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # a comma in each sentence and each translation
        ("Well, go on.;Eh bien, continue.\nSo, you came.;Alors, te voilà.\n",
         [("Well, go on.", "Eh bien, continue."), ("So, you came.", "Alors, te voilà.")]),
        ('"a; b";c\n"d, e";f\n', [("a; b", "c"), ("d, e", "f")]),
        # commas of sentences
        ("Perhaps, but not now.\nNo.\nRed, white, and blue.\n",
         as_sources("Perhaps, but not now.", "No.", "Red, white, and blue.")),
        ('"Hi," he said.\n"Yes," she said.\n', as_sources('"Hi," he said.', '"Yes," she said.')),
    ],
)  # fmt: skip
def test_commas_of_sentences_are_no_separators_in_csv(text: str, expected: Rows) -> None:
    assert get_rows(read_table(text, "a.csv")) == expected


# --- quotation marks and line breaks


def test_quoted_csv_cells_may_hold_commas_quotes_and_line_breaks() -> None:
    assert get_rows(read_table("one\ttwo\rthree\nfour\tfive\n")) == [("one", "two three"), ("four", "five")]
    table = read_table('"The ""old"" cat,\nasleep.",Le chat.\n\nThe sea.,"La\n\nmer."\nA.,B.\n', "a.csv")
    assert get_rows(table) == [('The "old" cat,\nasleep.', "Le chat."), ("The sea.", "La\n\nmer."), ("A.", "B.")]
    assert table.sources[0] == 'The "old" cat, asleep.'
    assert (table.line_numbers, table.blank_line_numbers) == ((1, 4, 7), (3,))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # quoted by a program
        ('"One.\nTwo."\t"Un.\nDeux."\nThree.\tTrois.\n', [("One.\nTwo.", "Un.\nDeux."), ("Three.", "Trois.")]),
        # quotation marks of the sentences
        ('"Hi" he said.\t« Salut » dit-il.\nGo.\tVa.\n', [('"Hi" he said.', "« Salut » dit-il."), ("Go.", "Va.")]),
        ('He says "no".\tb\n"a ""b"""\tc\n', [('He says "no".', "b"), ('"a ""b"""', "c")]),
    ],
)
def test_tsv_cells_are_quoted_only_by_programs(text: str, expected: Rows) -> None:
    assert get_rows(read_table(text)) == expected


# --- encodings and values


@pytest.mark.parametrize(("encoding", "reported"), [
    ("utf-8-sig", "utf-8"), ("utf-16", "utf-16-le"), ("utf-32", "utf-32-le"), ("utf-16-be", "utf-16-be"),
])  # fmt: skip
def test_encoding_is_recognised(encoding: str, reported: str) -> None:
    table = read_table("The café.\nThe sea.\n".encode(encoding), "a.csv")
    assert (get_rows(table), table.encoding) == (as_sources("The café.", "The sea."), reported)


def test_cells_are_not_converted() -> None:
    words = ["NA", "null", "None", "nan", "NaN", "N/A", "true", "007", "1e5", "3.10", "1,000", "#N/A", "-", "inf"]
    text = "source\treference\n" + "".join(f"{word}\t{word}\n" for word in words)
    assert get_rows(read_table(text)) == [(word, word) for word in words]
    assert get_rows(read_table(" The  cat. \t\u00a0Le chat.\n")) == [("The  cat.", "Le chat.")]  # but stripped


# --- headers


@pytest.mark.parametrize("header", [
    "source\treference", "Source sentence\tTarget sentence", "SRC\tTGT", "en-GB\tfr-CA", "eng_Latn\tfra_Latn",
    "English\tFrançais", "영어\t프랑스어", "English words/sentences\tFrench words/sentences",
    "translation.en\ttranslation.fr", "Source (English)\tTarget (French)", "source_text,target_text",
    '"source";"translation"', "source\ttext",
])  # fmt: skip
def test_header_is_recognised(header: str) -> None:
    separator = re.sub(r"[^\t,;]", "", header)[0]
    text, name = f"{header}\nThe river.{separator}La rivière.\n", "a.tsv" if separator == "\t" else "a.csv"
    table = read_table(text, name)
    assert get_rows(table) == [("The river.", "La rivière.")]
    assert table.header == tuple(cell.strip('"') for cell in header.split(separator))
    assert read_table(text, name, header="no").header is None


@pytest.mark.parametrize("text", [
    "source\tsource\nriver\trivière", "English\tanglais\nFrench\tfrançais", "word\tmot\nline\tligne",
    "reference\tréférence", "he\til\nit\til", "German\tDeutsch\n", "원문\t译文\nriver\trivière",
    "text\nsentence\ninput", "source", "en\nfr\nde", "Text\nWord\nEnglish\nFrench words",
])  # fmt: skip
def test_first_line_without_clear_names_is_no_header(text: str) -> None:
    table = read_table(text)
    assert table.header is None
    assert [list(filter(None, row)) for row in get_rows(table)] == [line.split("\t") for line in text.splitlines()]


def test_header_of_one_column() -> None:
    text, sentences = "sentence\nThe river is wide.\nThe road is long.\n", ["The river is wide.", "The road is long."]
    assert get_rows(read_table(text, "a.csv")) == as_sources(*sentences)
    assert get_rows(read_table(text, "a.csv", header="no")) == as_sources("sentence", *sentences)
    assert get_rows(read_table(text, "a.txt")) == as_sources("sentence", *sentences)
    assert get_rows(read_table(text.replace("sentence", "Source sentence"), "a.txt")) == as_sources(*sentences)
    assert get_rows(read_table("text\nriver\nroad\n", "a.csv")) == as_sources("text", "river", "road")  # a word list


def test_header_decides_which_column_is_the_source() -> None:
    text = "French,English\nLe chat dort.,The cat sleeps.\n"
    table = read_table(text, "a.csv")
    assert (get_rows(table), table.line_numbers, table.header) == (PAIRS[:1], (2,), ("French", "English"))
    assert get_notes(table) == ["the references stand before the sources"]
    assert get_rows(read_table(text, "a.csv", header="no"))[0] == ("French", "English")
    forced = read_table("What\nThe cat sleeps.", header="yes")
    assert (get_rows(forced), forced.header) == (as_sources("The cat sleeps."), ("What",))


@pytest.mark.parametrize(("source", "target", "language"), [("German", "EN", "de"), ("한국어", "english", "ko")])
def test_columns_may_be_named_after_the_languages(source: str, target: str, language: str) -> None:
    for text in (f"{source}\t{target}\nEin Hund.\tA dog.\n", f"{target}\t{source}\nA dog.\tEin Hund.\n"):
        assert get_rows(read_table(text, languages=(language, "en"))) == [("Ein Hund.", "A dog.")]


def test_columns_of_named_languages_become_source_and_reference() -> None:
    table = read_table("English\tGerman\nThe cat sleeps.\tDie Katze schläft.\n")
    assert get_rows(table) == as_sources("The cat sleeps.")
    assert get_notes(table) == ["column 2 (German) left out: neither source nor reference"]
    assert get_rows(read_table("fr\tsome text\nLe chat dort.\tThe cat sleeps.\n", header="yes")) == PAIRS[:1]
    bilingual_table = read_table("english\ttarget\nThe colour.\tThe color.\n", languages=("en-GB", "en-US"))
    assert get_rows(bilingual_table) == [("The colour.", "The color.")]


# --- columns


def test_columns_are_found_by_name() -> None:
    pairs = read_table("english,traduction\nThe cat sleeps.,Le chat dort.\n", "a.csv", contents="pair")
    assert get_rows(pairs) == PAIRS[:1]
    text = "line,source,reference,model: translation\n7,The cat sleeps.,Le chat dort.,Le chat.\n"
    assert get_rows(read_table(text, "sentences.csv")) == PAIRS[:1]


@pytest.mark.parametrize(
    ("text", "expected", "notes"),
    [
        ("31\tfra\tIl pleut.\n32\teng\tSing!\n", as_sources("Sing!"),
         ["1 row left out: in other languages than en", "column 1 left out: numbers",
          "column 2 left out: language codes"]),
        ("31\teng\tIt rains.\tmary\t2010-01-02 03:04:05\t\\N\n", as_sources("It rains."),
         ["column 1 left out: numbers", "column 2 left out: language codes",
          "column 4 left out: neither source nor reference", "column 5, 6 left out: dates"]),
        ("7\tfra\tIl pleut.\t31\teng\tIt rains.\n", [("It rains.", "Il pleut.")],
         ["column 1, 4 left out: numbers", "column 2, 5 left out: language codes",
          "the references stand before the sources"]),
        ("It rains.\tIl pleut.\tCC-BY 2.0 (France)\nSing!\tChante !\tCC-BY 2.0 (France)\n",
         [("It rains.", "Il pleut."), ("Sing!", "Chante !")], ["column 3 left out: licences"]),
        ("31\tIt rains today.\n45\tSing for us!\n", as_sources("It rains today.", "Sing for us!"),
         ["column 1 left out: numbers"]),
        ("It rains.\tIl pleut.\t\n", [("It rains.", "Il pleut.")], ["column 3 left out: empty"]),
    ],
)  # fmt: skip
def test_columns_are_found_by_content(text: str, expected: Rows, notes: list[str]) -> None:
    table = read_table(text)
    assert (get_rows(table), get_notes(table)) == (expected, notes)


@pytest.mark.parametrize("numbers", [("1", "", "3"), ("1", "2", "9" * 5000), ("1", "02", "3")])
def test_other_numbers_do_not_number_the_sentences(numbers: tuple[str, str, str]) -> None:
    table = read_table("".join(f"{number}\tHow are you today?\n" for number in numbers), allow_partial=True)
    assert table.references == ("How are you today?",) * 3


# --- blank lines


def test_blank_lines_are_left_out_with_a_note() -> None:
    table = read_table(b"The cat sleeps.\n\n \xe2\x80\x8b\n  I see  the sea.\r\n\n", "letters.txt")
    assert get_rows(table) == as_sources("The cat sleeps.", "I see  the sea.")
    assert (table.line_numbers, table.blank_line_numbers) == ((1, 4), (2, 3, 5))
    assert get_notes(table) == ["3 blank lines left out: 2, 3, 5"]
    table = read_table("a;b\n;\nc;d\n;;\n", "a.csv")
    assert (get_rows(table), table.line_numbers) == ([("a", "b"), ("c", "d")], (1, 3))
    assert table.list_pairs_with_blanks() == [("a", "b"), ("", ""), ("c", "d"), ("", "")]


@given(st.text("ab \t\r\n\u200b\x0b", max_size=40))
def test_every_line_is_a_row_or_blank(text: str) -> None:
    lines = re.split("\r\n|\r|\n", text)
    lines = lines if lines[-1] else lines[:-1]
    filled = {number: line.strip() for number, line in enumerate(lines, 1) if normalise(line)}
    if not filled:
        with pytest.raises(DocumentError) as caught:
            read_table(text, separator="none")
        assert caught.value.kind == "empty"
        return
    table = read_table(text, separator="none")
    assert dict(zip(table.line_numbers, table.frame["source"], strict=True)) == filled
    assert set(table.blank_line_numbers) == set(range(1, len(lines) + 1)) - set(filled)


# --- writing


CELLS = st.text(st.sampled_from('ab"\',;|\t\n. =1é'), min_size=1, max_size=12).map(str.strip).filter(normalise)


@given(st.lists(st.tuples(CELLS, CELLS), min_size=1, max_size=6), st.sampled_from([",", ";", "\t", "|"]))
@settings(max_examples=50)
def test_written_pairs_are_read_back(pairs: list[tuple[str, str]], separator: str) -> None:
    content = write_table(["source", "reference"], pairs, separator)
    table = read_table(content.encode(), "a.tsv" if separator == "\t" else "a.csv")
    assert (get_rows(table), table.header, get_notes(table)) == (pairs, ("source", "reference"), [])


# --- errors


@pytest.mark.verdict
@pytest.mark.parametrize(("data", "name", "kind", "values"), [
    (b"", "", "empty", {}),
    (b"source,reference\n", "a.csv", "empty", {}),
    (b"the cat\nthe caf\xe9", "a.txt", "encoding", {"line": "2", "byte": "0xE9"}),
    (b"a\n\n\0", "a.txt", "nul", {"line": "3"}),
    (b"a\tb\n\nc\n", "a.txt", "ragged", {"got": "1", "line": "3", "expected": "2"}),
    (b'"a\n1",b\n"c\n\n2",d,e\n', "a.csv", "ragged", {"got": "3", "line": "3", "expected": "2"}),
    (b'"a\n1",b\nc,d\n"e",f\n"g"h,i\n', "a.csv", "quoting", {"line": "5"}),
    (b"sep=;\na;b\nc;d\ne;f;g\n", "a.csv", "ragged", {"got": "3", "line": "4", "expected": "2"}),
    (b"\tle chat\n", "a.tsv", "no_source", {"line": "1"}),
    (b'"a\n1",b\nc,\n', "a.csv", "no_reference", {"line": "3"}),
    (b"x" * (BYTE_LIMIT + 1), "a.txt", "size", {}),
    (b"the cat\n" * 6000, "a.txt", "sentences", {"got": "6,000", "limit": "5,000"}),
    (b"\t".join([b"x"] * 1_000_000), "a.tsv", "wide", {}),
    (b"\x1f\x8b\x08\0\0", "a.txt", "packed", {"format": "gzip"}),
    (b"Yes.\tOui.\nHi.\t" + b"x" * 20_001, "", "long", {"got": "20,001", "line": "2"}),
])  # fmt: skip
def test_invalid_file_is_refused(data: bytes, name: str, kind: DocumentProblem, values: dict[str, str]) -> None:
    error = read_error(data, name)
    assert error.kind == kind
    assert values.items() <= error.values.items()


def test_displayed_name_is_never_a_path() -> None:
    assert shorten_file_name("../../etc/passwd") == "passwd"
    assert shorten_file_name("C:\\files\\..\\letters.csv") == "letters.csv"
    assert shorten_file_name("\u202egnp.exe\x00.txt") == "gnp.exe.txt"
    assert len(name := shorten_file_name("a" * 5000 + ".csv")) <= 80
    assert name.endswith(".csv")


@pytest.mark.verdict
def test_hostile_text_is_read_or_refused() -> None:
    read_count = 0
    for text in CASES.values():
        for data, name in ((text, "a.csv"), (text.encode("utf-8", "replace"), "a.txt"),
                           (text.encode("utf-16", "replace"), "a.csv")):  # fmt: skip
            try:
                table = read_table(data, name)
            except DocumentError as error:
                assert "\n" not in str(error)  # noqa: PT017 - either outcome is right
                continue
            read_count += 1
            for sentence in (*table.sources, *(table.references or ())):
                assert sentence
                assert sentence == normalise(sentence)
            assert len(table.line_numbers) == len(table.sources) > 0
    assert read_count > 0.6 * 3 * len(CASES)


# --- large files


LARGE_FILES: dict[str, tuple[Callable[[int], bytes], str]] = {
    "a line of tabs": (lambda size: b"\t" * size, "holds no sentence"),
    "a line of columns": (lambda size: b"a\t" * (size // 2), "columns at line 1"),
    "zero-width": (lambda size: "\u200b\n".encode() * (size // 4), "more than 500,000 cells|holds no sentence"),
    "words": (lambda size: b"a\n" * (size // 2), "more than 20,000 rows"),
    "quoted cells": (lambda size: b'"a",\n' * (size // 5), "more than 500,000 cells"),
}


@pytest.mark.parametrize("case", LARGE_FILES)
def test_five_megabytes_without_sentences_are_refused(case: str) -> None:
    build_data, message = LARGE_FILES[case]
    data = build_data(4_900_000)
    with pytest.raises(DocumentError, match=message):
        read_table(data, "a.csv")


@pytest.mark.parametrize("case", ["a line of tabs", "a line of columns", "words"])
def test_files_without_sentences_take_little_memory(case: str) -> None:
    """With a twentieth of the size, because tracing memory is slow."""
    data = LARGE_FILES[case][0](245_000)
    read_table("pandas is imported\n")
    tracemalloc.start()
    try:
        with contextlib.suppress(DocumentError):
            read_table(data, "a.txt")
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 10e6


def test_five_megabytes_of_sentences_are_read() -> None:
    row = f'{"word, " * 60}"x".', f"{'mot ' * 90}fin."
    data = write_table(["source", "reference"], [row] * SENTENCE_LIMIT).encode()
    data = data[: data.rfind(b"\n", 0, BYTE_LIMIT) + 1]
    assert len(data) > 0.7 * BYTE_LIMIT
    table = read_table(data, "a.csv")
    assert get_rows(table)[-1] == row
