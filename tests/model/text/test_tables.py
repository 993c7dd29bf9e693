"""Tables as people save them: what is read, what is decided and said, what is left out, and what is refused."""

import contextlib
import io
import lzma
import re
import time
import tracemalloc
import zipfile
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from model.text.documents import BYTE_LIMIT, SENTENCE_LIMIT, Contents, DocumentError, DocumentProblem, base_name
from model.text.layout import TRIPLE_BAR
from model.text.normalise import normalise
from model.text.pair_files import PairFile, read_pairs
from model.text.prepared import CorpusError
from model.text.tables import Table, read_table, write_table
from tests.hostile import CASES

PAIRS = [("The cat sleeps.", "Le chat dort."), ("I see the sea.", "Je vois la mer.")]
Rows = list[tuple[str, str | None]]


def rows(table: Table) -> Rows:
    references = table.frame["reference"] if "reference" in table.frame else [None] * len(table.frame)
    return list(zip(table.frame["source"], references, strict=True))


def alone(*sources: str) -> Rows:
    return [(source, None) for source in sources]


def said(table: Table) -> list[str]:
    return list(map(str, table.notes))


def refused(data: bytes | str, name: str = "", contents: Contents = "detect") -> DocumentError:
    """The error, whose message is one sentence in the words of `kind`."""
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
        ("The cat sleeps.\tLe chat dort.\nI see the sea.\tJe vois la mer.\n", "", "\t"),
        ("The cat sleeps.\tLe chat dort.\r\nI see the sea.\tJe vois la mer.", "a.tsv", "\t"),
        ("The cat sleeps.\tLe chat dort.\rI see the sea.\tJe vois la mer.\r", "a.tsv", "\t"),
        ("The cat sleeps.\tLe chat dort.\t\nI see the sea.\tJe vois la mer.\n", "a.tsv", "\t"),
        ("The cat sleeps.\tLe chat dort.\nI see the sea.\tJe vois la mer.\n", "a.csv", "\t"),
        ('"The cat sleeps.","Le chat dort."\nI see the sea.,Je vois la mer.\n', "a.csv", ","),
        ('"The cat sleeps.", "Le chat dort."\n"I see the sea.", "Je vois la mer."\n', "a.csv", ","),
        ("The cat sleeps., Le chat dort.\nI see the sea., Je vois la mer.\n", "a.csv", ","),
        ("The cat sleeps.;Le chat dort.\nI see the sea.;Je vois la mer.\n", "a.CSV", ";"),
        ("The cat sleeps.|Le chat dort.\nI see the sea.|Je vois la mer.\n", "a.csv", "|"),
        ("source | reference\nThe cat sleeps. | Le chat dort.\nI see the sea. | Je vois la mer.\n", "a.txt", "|"),
        ("source;reference\nThe cat sleeps.;Le chat dort.\nI see the sea.;Je vois la mer.\n", "a.txt", ";"),
        ("The cat sleeps. ||| Le chat dort.\nI see the sea. ||| Je vois la mer.\n", "a.txt", TRIPLE_BAR),
        ("sep=;\r\nThe cat sleeps.;Le chat dort.\r\nI see the sea.;Je vois la mer.\r\n", "a.csv", ";"),
        ('"sep=|"\nsource|reference\nThe cat sleeps.|Le chat dort.\nI see the sea.|Je vois la mer.\n', "a.txt", "|"),
        ("SEP=^\nThe cat sleeps.^Le chat dort.\nI see the sea.^Je vois la mer.\n", "a.csv", "^"),
        ("sep=\t\nThe cat sleeps.\tLe chat dort.\nI see the sea.\tJe vois la mer.\n", "a.csv", "\t"),
        ("The cat sleeps.;Le chat dort.;\nI see the sea.;Je vois la mer.;\n", "a.csv", ";"),
    ],
)
def test_two_columns_are_source_and_reference(text: str, name: str, separator: str) -> None:
    table = read_table(text.encode(), name)
    assert (rows(table), table.separator) == (PAIRS, separator)
    assert table.sources == ("The cat sleeps.", "I see the sea.")
    assert read_table(text.encode(), name, contents="source").references is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # One comma in each sentence, and in each translation
        ("Well, go on.;Eh bien, continue.\nSo, you came.;Alors, te voilà.\n",
         [("Well, go on.", "Eh bien, continue."), ("So, you came.", "Alors, te voilà.")]),
        ("It costs 1,50.;Cela coûte 1,50.\nHe has 2,5 left.;Il lui reste 2,5.\n",
         [("It costs 1,50.", "Cela coûte 1,50."), ("He has 2,5 left.", "Il lui reste 2,5.")]),
        ('"a; b";c\n"d, e";f\n', [("a; b", "c"), ("d, e", "f")]),
        # Commas that belong to sentences
        ("Perhaps, but not now.\nIn short, we lost.\n", alone("Perhaps, but not now.", "In short, we lost.")),
        ("Perhaps, but not now.\nNo.\nRed, white, and blue.\n",
         alone("Perhaps, but not now.", "No.", "Red, white, and blue.")),
        ("It has 1,000 seats.\nIt holds 2,500 books.\n", alone("It has 1,000 seats.", "It holds 2,500 books.")),
        ('"Well, go on."\n"He said ""no""."\n', alone("Well, go on.", 'He said "no".')),
        ('"Hi," he said.\n"Yes," she said.\n', alone('"Hi," he said.', '"Yes," she said.')),
    ],
)  # fmt: skip
def test_a_comma_is_no_separator_because_a_file_is_called_csv(text: str, expected: Rows) -> None:
    assert rows(read_table(text, "a.csv")) == expected


def test_what_separates_can_be_said() -> None:
    text = "cat, chat\ndog, chien\n"
    assert rows(read_table(text, "a.csv")) == alone("cat, chat", "dog, chien")
    assert rows(read_table(text, "a.csv", separator="comma")) == [("cat", "chat"), ("dog", "chien")]
    assert rows(read_table("a\tb\n", separator="none")) == alone("a\tb")
    assert rows(read_table("a;b\tc\n", separator="semicolon")) == [("a", "b\tc")]


def test_a_row_that_is_long_does_not_choose_the_separator() -> None:
    text = "".join(f"{'a cat ' * 6000}{row};{'un chat ' * 500}{row}\n" for row in range(12))
    assert read_table(text, "a.csv").separator == ";"


# --- quotation marks and line breaks


def test_cells_of_a_csv_hold_commas_quotes_and_line_breaks() -> None:
    table = read_table('"The ""old"" cat,\nasleep.",Le chat.\n\nThe sea.,"La\n\nmer."\nA.,B.\n', "a.csv")
    assert rows(table) == [('The "old" cat,\nasleep.', "Le chat."), ("The sea.", "La\n\nmer."), ("A.", "B.")]
    assert table.sources[0] == 'The "old" cat, asleep.'
    assert (table.lines, table.blank_lines) == ((1, 4, 7), (3,))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # What spreadsheets enclose
        ('a\tb\n"Say ""no""."\tc\n', [("a", "b"), ('Say "no".', "c")]),
        ('"One.\nTwo."\t"Un.\nDeux."\nThree.\tTrois.\n', [("One.\nTwo.", "Un.\nDeux."), ("Three.", "Trois.")]),
        ('"a\tb"\tc\nd\te\n', [("a\tb", "c"), ("d", "e")]),
        ('"a"\t"b"\n"c"\t"d"\n', [("a", "b"), ("c", "d")]),
        ('Go.\tVa.\r\n"Well, go."\t"Eh bien, va."\r\n', [("Go.", "Va."), ("Well, go.", "Eh bien, va.")]),
        # What the sentences say themselves
        ('"Hi" he said.\t« Salut » dit-il.\nGo.\tVa.\n', [('"Hi" he said.', "« Salut » dit-il."), ("Go.", "Va.")]),
        ('"Stop!"\t"Arrête !"\nGo.\tVa.\n', [('"Stop!"', '"Arrête !"'), ("Go.", "Va.")]),
        ('"Well, go."\t"Eh bien, va."\nGo.\tVa.\n', [('"Well, go."', '"Eh bien, va."'), ("Go.", "Va.")]),
        ('"Well, go."\t"Bien."\r\nNo, go.\tVa.\r\n', [('"Well, go."', '"Bien."'), ("No, go.", "Va.")]),
        ('"Come here,\tViens ici,\n', [('"Come here,', "Viens ici,")]),
        ('"Come.\t"Viens.\nGo."\tVa."\n', [('"Come.', '"Viens.'), ('Go."', 'Va."')]),
        ('He says "no".\tb\n"a ""b"""\tc\n', [('He says "no".', "b"), ('"a ""b"""', "c")]),
        ('"Come here."\n"Go away."\n', alone('"Come here."', '"Go away."')),
    ],
)
def test_quotation_marks_of_a_tsv_are_the_sentences_own_unless_a_program_wrote_them(text: str, expected: Rows) -> None:
    assert rows(read_table(text)) == expected


def test_excels_unicode_text() -> None:
    text = 'source\treference\r\n"Yes, I do."\tOui.\r\n"One.\nTwo."\t"Il dit ""un"", puis deux."\r\n'
    table = read_table(text.encode("utf-16"), "Book1.txt")
    assert rows(table) == [("Yes, I do.", "Oui."), ("One.\nTwo.", 'Il dit "un", puis deux.')]
    assert table.summary == "read as UTF-16-LE, separated by tabs, first line taken as header"


def test_a_lone_carriage_return_ends_a_line_unless_it_stands_inside_of_a_cell() -> None:
    assert rows(read_table("one\rtwo\nthree\n")) == alone("one", "two", "three")
    assert rows(read_table("one\ttwo\rthree\nfour\tfive\n")) == [("one", "two three"), ("four", "five")]


# --- encodings


@pytest.mark.parametrize("name", ["a.txt", "a.csv"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32", "utf-16-le", "utf-16-be"])
def test_encodings(encoding: str, name: str) -> None:
    table = read_table("The café.\nThe sea.\n".encode(encoding), name)
    assert rows(table) == alone("The café.", "The sea.")
    expected = {"utf-8-sig": "utf-8", "utf-16": "utf-16-le", "utf-32": "utf-32-le"}.get(encoding, encoding)
    assert table.encoding == expected


def test_both_byte_orders_that_are_marked() -> None:
    for mark, encoding in ((b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be")):
        table = read_table(mark + "고양이\tcat\n".encode(encoding), languages=("ko", "en"))
        assert (rows(table), table.encoding) == ([("고양이", "cat")], encoding)


# --- values


def test_words_and_numbers_stay_what_they_are() -> None:
    words = ["NA", "null", "None", "nan", "NaN", "N/A", "true", "007", "1e5", "3.10", "1,000", "#N/A", "-", "inf"]
    text = "source\treference\n" + "".join(f"{word}\t{word}\n" for word in words)
    assert rows(read_table(text)) == [(word, word) for word in words]
    assert rows(read_table("\n".join(words))) == alone(*words)


def test_white_space_around_a_cell_is_none_of_it() -> None:
    assert rows(read_table(" The  cat. \t\u00a0Le chat.\n")) == [("The  cat.", "Le chat.")]


# --- headers


@pytest.mark.parametrize(
    ("first", "name"),
    [
        ("source\treference", ""), ("Source\tTarget", ""), ("Source sentence\tTarget sentence", ""), ("SRC\tTGT", ""),
        ("en\tfr", ""), ("EN\tFR", ""), ("en-GB\tfr-CA", ""), ("en_US\tfr_FR", ""), ("eng_Latn\tfra_Latn", ""),
        ("English\tFrench", ""), ("English\tFrançais", ""), ("Anglais\tFrançais", ""), ("영어\t프랑스어", ""),
        ("English sentences\tFrench sentences", ""), ("English words/sentences\tFrench words/sentences", ""),
        ("text_en\ttext_fr", ""), ("translation.en\ttranslation.fr", ""), ("Source (English)\tTarget (French)", ""),
        ("source_text,target_text", "a.csv"), ("source;translation", "a.csv"), ('"source","reference"', "a.csv"),
        ("原文\t译文", "no header"), ("English\tTranslation", ""), ("source\ttext", ""), ("원문\t번역", ""),
    ],
)  # fmt: skip
def test_a_header_is_not_translated(first: str, name: str) -> None:
    sign = re.sub(r"[^\t,;]", "", first)[0]
    table = read_table(f"{first}\nThe river.{sign}La rivière.\n", name if name.endswith(".csv") else "a.tsv")
    if name == "no header":  # nobody knows all languages: the header is in the rows, and the statement says so
        assert table.header is None
        return
    assert rows(table) == [("The river.", "La rivière.")]
    assert table.header == tuple(cell.strip('"') for cell in first.split(sign))
    assert read_table(f"{first}\nThe river.{sign}La rivière.\n", name, header="no").header is None


@pytest.mark.parametrize(
    "text",
    [
        "text\ttexte\nkeyboard\tclavier", "source\tsource\nriver\trivière", "English\tanglais\nFrench\tfrançais",
        "sentence\tphrase\nword\tmot", "word\tmot\nline\tligne", "input\tentrée\noutput\tsortie",
        "reference\tréférence", "German\tallemand\nItalian\titalien", "French\tfrançais",
        "translation\ttraduction", "he\til\nit\til",
        "original\toriginal\n", "German\tDeutsch\n", "date\tdate\n", "no\tnon\nyes\toui", "note\tnote",
        "text\nsentence\ninput", "English\nFrench\nGerman", "source", "en\nfr\nde", "Text\nWord\nEnglish\nFrench words",
    ],
)  # fmt: skip
def test_a_first_pair_or_word_is_not_eaten(text: str) -> None:
    table = read_table(text)
    assert table.header is None
    assert [list(filter(None, row)) for row in rows(table)] == [line.split("\t") for line in text.splitlines()]


def test_words_of_a_table_are_no_header_either() -> None:
    assert rows(read_table("text\nriver\nroad\n", "a.csv")) == alone("text", "river", "road")
    text = "text\tText\tCC-BY 2.0\nriver\trivière\tCC-BY 2.0\n"
    assert rows(read_table(text)) == [("text", "Text"), ("river", "rivière")]


def test_a_list_of_sentences_may_have_a_header_too() -> None:
    text, sentences = "sentence\nThe river is wide.\nThe road is long.\n", ["The river is wide.", "The road is long."]
    assert rows(read_table(text, "a.csv")) == alone(*sentences)
    assert rows(read_table(text, "a.csv", header="no")) == alone("sentence", *sentences)
    assert rows(read_table(text, "a.txt")) == alone("sentence", *sentences)
    assert rows(read_table(text.replace("sentence", "Source sentence"), "a.txt")) == alone(*sentences)


def test_a_header_turns_columns_round() -> None:
    text = "French,English\nLe chat dort.,The cat sleeps.\n"
    table = read_table(text, "a.csv")
    assert (rows(table), table.lines, table.header) == (PAIRS[:1], (2,), ("French", "English"))
    assert said(table) == ["the references stand before the sources"]
    assert rows(read_table(text, "a.csv", header="no"))[0] == ("French", "English")
    forced = read_table("What\nThe cat sleeps.", header="yes")
    assert (rows(forced), forced.header) == (alone("The cat sleeps."), ("What",))


@pytest.mark.parametrize(
    ("first", "languages"),
    [
        ("de\ten", ("de", "en")), ("Deutsch\tEnglish", ("de", "en")), ("German\tEN", ("de", "en")),
        ("ko\ten", ("ko", "en")), ("한국어\tenglish", ("ko", "en")), ("pt-BR\tfr", ("pt-BR", "fr")),
        ("eo\ten", ("eo", "en")),
    ],
)
def test_columns_are_named_after_the_languages_of_the_model(first: str, languages: tuple[str, str]) -> None:
    table = read_table(f"{first}\nDas ist ein Hund.\tThis is a dog.\n", languages=languages)
    assert rows(table) == [("Das ist ein Hund.", "This is a dog.")]
    turned = "\t".join(reversed(first.split("\t")))
    table = read_table(f"{turned}\nThis is a dog.\tDas ist ein Hund.\n", languages=languages)
    assert rows(table) == [("Das ist ein Hund.", "This is a dog.")]


def test_a_column_in_another_language_is_no_reference() -> None:
    table = read_table("English\tGerman\nThe cat sleeps.\tDie Katze schläft.\n")
    assert (rows(table), said(table)) == (
        alone("The cat sleeps."), ["column 2 (German) left out: neither source nor reference"])  # fmt: skip


def test_a_column_of_references_is_never_its_own_source() -> None:
    assert rows(read_table("fr\tsome text\nLe chat dort.\tThe cat sleeps.\n", header="yes")) == PAIRS[:1]
    assert rows(read_table("fr\nLe chat dort.\n", header="yes")) == alone("Le chat dort.")
    both = read_table("english\ttarget\nThe colour.\tThe color.\n", languages=("en-GB", "en-US"))
    assert rows(both) == [("The colour.", "The color.")]


# --- columns


def test_of_a_named_source_a_column_of_numbers_is_no_reference() -> None:
    table = read_table("id,English\n17,The cat sleeps.\n", "a.csv")
    assert (rows(table), said(table)) == (alone("The cat sleeps."), ["column 1 (id) left out: numbers"])
    asked = read_table("english,traduction\nThe cat sleeps.,Le chat dort.\n", "a.csv", contents="pair")
    assert rows(asked) == PAIRS[:1]


def test_columns_of_a_wide_table_are_named_too() -> None:
    names, cells = (["x"] * 118 for _ in range(2))
    text = "\t".join([*names, "source", "reference"]) + "\n" + "\t".join([*cells, "A cat.", "Un chat."])
    assert rows(read_table(text)) == [("A cat.", "Un chat.")]
    text = "line,source,reference,model: translation\n7,The cat sleeps.,Le chat dort.,Le chat.\n"
    assert rows(read_table(text, "sentences.csv")) == PAIRS[:1]


@pytest.mark.parametrize(
    ("text", "expected", "notes"),
    [
        ("31\teng\tIt rains.\n32\teng\tSing!\n", alone("It rains.", "Sing!"),
         ["column 1 left out: numbers", "column 2 left out: language codes"]),
        ("31\tfra\tIl pleut.\n32\teng\tSing!\n", alone("Sing!"),
         ["1 row left out: in other languages than en", "column 1 left out: numbers",
          "column 2 left out: language codes"]),
        ("31\teng\tIt rains.\tmary\t2010-01-02 03:04:05\t\\N\n", alone("It rains."),
         ["column 1 left out: numbers", "column 2 left out: language codes",
          "column 4 left out: neither source nor reference", "column 5, 6 left out: dates"]),
        ("31\tIt rains.\t7\tIl pleut.\n32\tSing!\t8\tChante !\n",
         [("It rains.", "Il pleut."), ("Sing!", "Chante !")], ["column 1, 3 left out: numbers"]),
        ("7\tfra\tIl pleut.\t31\teng\tIt rains.\n", [("It rains.", "Il pleut.")],
         ["column 1, 4 left out: numbers", "column 2, 5 left out: language codes",
          "the references stand before the sources"]),
        ("It rains.\tIl pleut.\tCC-BY 2.0 (France)\nSing!\tChante !\tCC-BY 2.0 (France)\n",
         [("It rains.", "Il pleut."), ("Sing!", "Chante !")], ["column 3 left out: licences"]),
        ("31\tIt rains today.\n45\tSing for us!\n", alone("It rains today.", "Sing for us!"),
         ["column 1 left out: numbers"]),
        ("1\tun\n21\tvingt et un\n", [("1", "un"), ("21", "vingt et un")], []),
        ("007\tzéro zéro sept\n12\tdouze\n", [("007", "zéro zéro sept"), ("12", "douze")], []),
        ("It rains.\tIl pleut.\t\n", [("It rains.", "Il pleut.")], ["column 3 left out: empty"]),
        ("It rains.\t\nSing!\t\n", alone("It rains.", "Sing!"), ["column 2 left out: empty"]),
        ("id\tlang\ttext\n31\teng\tIt rains.\n", alone("It rains."),
         ["column 1 (id) left out: numbers", "column 2 (lang) left out: language codes"]),
    ],
)  # fmt: skip
def test_numbers_codes_and_licences_are_no_sentences(text: str, expected: Rows, notes: list[str]) -> None:
    table = read_table(text)
    assert (rows(table), said(table)) == (expected, notes)


# --- blank lines


def test_blank_lines_are_left_out_and_counted() -> None:
    table = read_table(b"The cat sleeps.\n\n \xe2\x80\x8b\n  I see  the sea.\r\n\n", "letters.txt")
    assert rows(table) == alone("The cat sleeps.", "I see  the sea.")
    assert (table.lines, table.blank_lines) == ((1, 4), (2, 3, 5))
    assert said(table) == ["3 blank lines left out: 2, 3, 5"]
    table = read_table("a;b\n;\nc;d\n;;\n", "a.csv")
    assert (rows(table), table.lines) == ([("a", "b"), ("c", "d")], (1, 3))
    assert table.pairs_with_blanks() == [("a", "b"), ("", ""), ("c", "d"), ("", "")]


def test_a_row_may_lack_a_side_where_that_is_allowed() -> None:
    assert rows(read_table("a\tb\nc\t\n\td\n", allow_partial=True)) == [("a", "b"), ("c", ""), ("", "d")]


@given(st.text("ab \t\r\n\u200b\x0b", max_size=40))
def test_every_line_is_a_row_or_blank(text: str) -> None:
    with contextlib.suppress(DocumentError):
        table = read_table(text, separator="none")
        lines = re.split("\r\n|\r|\n", text)
        lines = lines if lines[-1] else lines[:-1]
        filled = {number: line.strip() for number, line in enumerate(lines, 1) if normalise(line)}
        assert dict(zip(table.lines, table.frame["source"], strict=True)) == filled
        assert set(table.blank_lines) == set(range(1, len(lines) + 1)) - set(filled)


# --- the writer


CELLS = st.text(st.sampled_from('ab"\',;|\t\n. =1é'), min_size=1, max_size=12).map(str.strip).filter(normalise)


@given(st.lists(st.tuples(CELLS, CELLS), min_size=1, max_size=6), st.sampled_from([",", ";", "\t", "|"]))
def test_what_is_written_is_read_again(pairs: list[tuple[str, str]], separator: str) -> None:
    written = write_table(pd.DataFrame(pairs, columns=["source", "reference"]), separator)
    table = read_table(written.encode(), "a.tsv" if separator == "\t" else "a.csv")
    assert (rows(table), table.header, said(table)) == (pairs, ("source", "reference"), [])


@given(st.lists(CELLS, min_size=1, max_size=6), st.sampled_from([",", "\t"]))
def test_one_column_that_is_written_is_read_again(cells: list[str], separator: str) -> None:
    written = write_table(pd.DataFrame({"source": cells}), separator)
    table = read_table(written, "a.csv", header="yes", separator="comma" if separator == "," else "tab")
    assert rows(table) == alone(*cells)


# --- what is refused


@pytest.mark.verdict
@pytest.mark.parametrize(
    ("data", "name", "kind"),
    [
        (b"", "", "empty"),
        (b"\n \n\t\n", "", "empty"),
        (b"source,reference\n", "a.csv", "empty"),
        (b"sep=;\n", "a.csv", "empty"),
        (b"\xef\xbb\xbf", "", "empty"),
        ("The café.\nThe d\u00e9j\u00e0 vu.".encode("latin-1"), "a.txt", "encoding"),
        (b"The cat.\nThe\0 sea.", "a.txt", "nul"),
        (b"\xff\xfeT", "a.txt", "encoding"),
        (b"a,b\nc\n", "a.csv", "ragged"),
        (b"source,reference\nYes, I do.,Oui, je le fais.\n", "a.csv", "ragged"),
        (b"My sentences\nsource,reference\nYes.,Oui.\n", "a.csv", "ragged"),
        (b"a\tb\nc\n", "a.txt", "ragged"),
        (b"a,b,c\n", "a.csv", "columns"),
        (b"a\tb\tc\n", "a.tsv", "columns"),
        (b'"a,b\nc,d\n', "a.csv", "quoting"),
        (b'"a"b,c\n', "a.csv", "quoting"),
        (b"\tle chat\n", "a.tsv", "no_source"),
        (b"a\tb\nthe cat\t\n", "a.tsv", "no_reference"),
        (b"source\treference\nthe cat\t\n", "a.tsv", "no_reference"),
        (b"x" * (BYTE_LIMIT + 1), "a.txt", "size"),
        (b"the cat\n" * (SENTENCE_LIMIT + 1), "a.txt", "sentences"),
        (b"\t".join([b"x"] * 1_000_000), "a.tsv", "wide"),
        (b",".join([b"x"] * 1_000_000), "a.csv", "wide"),
        (b"\x1f\x8b\x08\0\0", "a.txt", "packed"),
        (lzma.compress(b"the cat"), "a.tsv", "packed"),
        (b"%PDF-1.7\n", "a.txt", "packed"),
    ],
)
def test_what_is_refused(data: bytes, name: str, kind: DocumentProblem) -> None:
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
    assert refused(b'"a\n1",b\n"c\n\n2",d,e\n', "a.csv").values == {"got": "3", "line": "3", "expected": "2"}
    assert refused(b'"a\n1",b\nc,d\n"e",f\n"g"h,i\n', "a.csv").values == {"line": "5"}
    assert refused(b'"a\n1",b\nc,\n', "a.csv").values == {"line": "3"}
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
    """Whatever comes, pasted or as bytes: sentences that are not empty, or one sentence."""
    for data in (CASES[case], CASES[case].encode("utf-8", "replace"), CASES[case].encode("utf-16", "replace")):
        table, refused = None, ""
        try:
            table = read_table(data, name)
        except DocumentError as error:
            refused = str(error)
        assert "\n" not in refused
        if table is None:
            continue
        assert table.sources
        for text in (*table.sources, *(table.references or ())):
            assert text
            assert text == normalise(text)
        assert len(table.lines) == len(table.sources)


def test_most_hostile_texts_can_be_read() -> None:
    def readable(text: str) -> bool:
        with contextlib.suppress(DocumentError):
            return bool(read_table(text, "a.txt").sources)
        return False

    assert sum(map(readable, CASES.values())) > 0.7 * len(CASES)


# --- files that hold next to nothing, or far too much, in five megabytes


FIVE = 4_900_000
MUCH: dict[str, tuple[Callable[[int], bytes], str]] = {
    "line feeds": (lambda size: b"\n" * size, "holds no sentence"),
    "lines of tabs": (lambda size: b"\t\n" * (size // 2), "holds no sentence"),
    "a line of tabs": (lambda size: b"\t" * size, "holds no sentence"),
    "a line of columns": (lambda size: b"a\t" * (size // 2), "columns at line 1"),
    "zero-width": (lambda size: "\u200b\n".encode() * (size // 4), "more than 500,000 cells|holds no sentence"),
    "words": (lambda size: b"a\n" * (size // 2), "more than 20,000 rows"),
    "quoted cells": (lambda size: b'"a",\n' * (size // 5), "more than 500,000 cells"),
}


@pytest.mark.parametrize("ending", [".txt", ".csv"])
@pytest.mark.parametrize("kind", MUCH)
def test_five_megabytes_of_next_to_nothing_take_a_moment(kind: str, ending: str) -> None:
    """Processor time: everybody else's pages wait meanwhile."""
    make, expected = MUCH[kind]
    data = make(FIVE)
    began = time.thread_time()
    with pytest.raises(DocumentError, match=expected):
        read_table(data, f"x{ending}")
    assert time.thread_time() - began < 12


@pytest.mark.parametrize("ending", [".txt", ".csv"])
@pytest.mark.parametrize("kind", sorted(set(MUCH) - {"quoted cells"}))
def test_a_quarter_of_a_megabyte_of_next_to_nothing_takes_little_memory(kind: str, ending: str) -> None:
    """A twentieth of the limit, as tracing memory makes everything ten times slower; 4.9 MB took 1.1 GB."""
    make, _ = MUCH[kind]
    data = make(FIVE // 20)
    read_table("pandas is imported\n")
    tracemalloc.start()
    try:
        with contextlib.suppress(DocumentError):
            read_table(data, f"x{ending}")
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 10e6


@pytest.mark.parametrize(("separator", "name"), [("\t", "a.tsv"), (",", "a.csv")])
def test_five_megabytes_of_sentences_are_read_in_two_seconds(separator: str, name: str) -> None:
    row = f'{"word, " * 60}"x".', f"{'mot ' * 90}fin."
    data = write_table(pd.DataFrame([row] * SENTENCE_LIMIT, columns=["source", "reference"]), separator).encode()
    data = data[: data.rfind(b"\n", 0, BYTE_LIMIT) + 1]
    assert len(data) > 0.7 * BYTE_LIMIT
    began = time.thread_time()
    table = read_table(data, name)
    assert time.thread_time() - began < 2
    assert rows(table)[-1] == row


def test_a_reference_that_nobody_could_mean_is_refused() -> None:
    with pytest.raises(DocumentError, match="20,001 characters at line 2"):
        read_table("Yes.\tOui.\nHi.\t" + "x" * 20_001)
    assert read_table("Hi.\t" + "x" * 20_000).references is not None
    assert read_table("Hi.\t" + "x" * 20_001, has_limits=False).references is not None


# --- files of pairs


def test_training_text_is_read_line_by_line_unless_it_is_another_table(tmp_path: Path) -> None:
    usual = tmp_path / "usual.en-fr.tsv"
    usual.write_bytes(b'"Hi" he said.\t"Salut" dit-il.\nno tab\n\na\tb\tc\n')
    assert PairFile(usual).read_lines_and_note() == (
        ['"Hi" he said.\t"Salut" dit-il.\n', "no tab\n", "\n", "a\tb\tc\n"],
        "",
    )
    for encoding, name in (("utf-8", "a.en-fr.tsv"), ("utf-16", "b.en-fr.tsv")):
        path = tmp_path / name
        path.write_bytes('fr\ten\r\n"Un ""chat"".\nDeux."\tA cat.\r\n\r\nVa.\tGo.\r\n'.encode(encoding))
        lines, note = PairFile(path).read_lines_and_note()
        assert lines == ['A cat.\tUn "chat". Deux.\n', "Go.\tVa.\n", "\n"]
        assert "separated by tabs, first line taken as header" in note
        assert read_pairs(path) == [("A cat.", 'Un "chat". Deux.'), ("Go.", "Va.")]
    packed = tmp_path / "c.en-fr.tsv.xz"
    packed.write_bytes(lzma.compress(b"It rains.\tIl pleut.\tCC-BY 2.0\n"))
    assert PairFile(packed).read_lines_and_note()[0] == ["It rains.\tIl pleut.\n"]
    (tmp_path / "d.tsv").write_bytes(b"\n")
    with pytest.raises(CorpusError, match=r"d\.tsv holds no sentence"):
        read_pairs(tmp_path / "d.tsv")
