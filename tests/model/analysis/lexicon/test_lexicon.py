"""Check the lexicon on small known entries, and the shipped files."""

import json
from pathlib import Path

import pytest

from model.analysis.lexicon.lexicon import FOLDER, SCHEMA, UNKNOWN_ENTRY, Entry, Lexicon, LexiconError, load_lexicon

ENTRIES = """\
a 60 un 50
chair 89 chaise 92 fauteuil 59
chairs 95 chaises 98
old 80 vieux 75 vieille 70
portugal 95 = 93
sleep 70 dormir 70 sommeil 80
sleeps 93 dort 39
sleeping 60 dort 23 endormi 10"""


def build_lexicon(entries: str = ENTRIES, languages: tuple[str, str] = ("en", "fr")) -> Lexicon:
    return Lexicon(SCHEMA, languages, "by hand", "today", {"hand": 8}, {"passes": 0}, entries)


@pytest.mark.verdict
def test_translations_are_sorted_by_probability() -> None:
    assert build_lexicon().find_translations("Chair") == Entry(0.89, ("chaise", "fauteuil"))
    assert build_lexicon().find_translations("Portugal") == Entry(0.95, ("portugal",))
    assert build_lexicon().find_translations("a") == Entry(0.6, ("un",))  # the first line, and a word of one letter
    assert {build_lexicon().find_translations(word) for word in ("ol", "zebra", "")} == {UNKNOWN_ENTRY}


def test_sources_are_sorted_by_backward_probability() -> None:
    assert build_lexicon().find_sources("dort") == Entry(pytest.approx(0.62), ("sleeps", "sleeping"))  # type: ignore[arg-type]
    assert build_lexicon().find_sources("Portugal") == Entry(0.93, ("portugal",))
    assert {build_lexicon().find_sources(word) for word in ("dor", "50", "sleep")} == {UNKNOWN_ENTRY}


def test_an_unlisted_form_uses_the_listed_ones() -> None:
    assert build_lexicon().find_translations("sleeper") == Entry(0.93, ("dormir", "sommeil", "dort"))
    assert build_lexicon().find_sources("endormie") == Entry(0.1, ("sleeping",))
    assert build_lexicon().find_sources("vieillard") == Entry(0.7, ("old",))


@pytest.mark.parametrize(("source", "target", "pair"), [
    ("chair", "chaise", True), ("Chair", "Fauteuil", True), ("chair", "chaises", True), ("chair", "table", False),
    ("sleeping", "endormie", True), ("sleeps", "dormir", True), ("sleeps", "endormi", False), ("sits", "asseoir", True),
    ("postcards", "cartes", True), ("postcards", "assied", False), ("zebra", "zèbre", True), ("zebra", "âne", False),
])  # fmt: skip
def test_words_pair_by_entry_form_or_spelling(source: str, target: str, pair: bool) -> None:
    extra_entries = "\ncards 95 cartes 82\npostcards 86 postales 90\nsit 79 asseoir 90\nsits 89 assied 84"
    assert build_lexicon("\n".join(sorted((ENTRIES + extra_entries).split("\n")))).is_pair(source, target) is pair


def test_json_round_trip(tmp_path: Path) -> None:
    (tmp_path / "en-fr.json").write_text(build_lexicon().to_json(), encoding="utf-8")
    stored_lexicon = load_lexicon("en", "fr", tmp_path)
    assert stored_lexicon is not None
    assert stored_lexicon.to_json() == build_lexicon().to_json()
    assert load_lexicon("en-GB", "fr-CA", tmp_path).to_json() == build_lexicon().to_json()  # type: ignore[union-attr]
    assert load_lexicon("fr", "en", tmp_path) is load_lexicon("ko", "en", tmp_path) is None


def test_damaged_lexicons_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "en-fr.json"
    good = json.loads(build_lexicon().to_json())
    damaged: list[dict[str, object]] = [{}, good | {"schema": 2}, good | {"languages": ["en", "ko"]}]
    for broken in damaged:
        load_lexicon.cache_clear()
        path.write_text(json.dumps(broken), encoding="utf-8")
        with pytest.raises(ValueError, match=r"lexicon|schema"):
            load_lexicon("en", "fr", tmp_path)
    for line in ("chair", "chair x chaise 92", "chair 89 chaise", "chair 101 chaise 92", "chair 89 chaise -3"):
        with pytest.raises(LexiconError, match="line of a lexicon"):
            build_lexicon(line).find_translations("chair")
    load_lexicon.cache_clear()


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.json")), ids=lambda path: path.stem)
def test_the_shipped_lexicons_are_complete_and_small(path: Path) -> None:
    shipped = load_lexicon(*path.stem.split("-"))
    assert shipped is not None
    lines = shipped.entries.split("\n")
    assert len(lines) > 10_000
    assert lines == sorted(set(lines))
    for line in lines:
        entry = shipped.find_translations(line.partition(" ")[0])
        assert 0 <= entry.known_probability <= 1
        assert entry.translations
    if path.stem == "en-fr":
        assert not {"dict", "dict-articles", "vocab", "phrasebook"} & set(shipped.data)
    assert path.stat().st_size < 600_000


def test_korean_words_are_found_by_their_stems() -> None:
    reverse = build_lexicon("library 90 도서관 90\nstudent 90 학생 95\nwent 80 갔 70", ("en", "ko"))
    assert reverse.find_sources("학생입니다") == reverse.find_sources("학생") == Entry(0.95, ("student",))
    assert reverse.find_sources("도서관에서는") == Entry(0.9, ("library",))
    assert reverse.is_pair("went", "갔습니다")
    assert reverse.find_sources("학생증") == UNKNOWN_ENTRY  # "증" is no ending
    forward = build_lexicon("고양이 90 cat 90\n학생 90 student 95", ("ko", "en"))
    assert forward.find_translations("학생이었다") == Entry(0.9, ("student",))
    assert [forward.is_pair(word, "cat") for word in ("고양이가", "고양")] == [True, False]
    assert forward.find_translations("학생" + 40 * "다고") == UNKNOWN_ENTRY  # too long for a word with endings
