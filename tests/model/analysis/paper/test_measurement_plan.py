"""Check which files the measuring command makes, and that it resumes."""

from __future__ import annotations

import json
import lzma
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from model.analysis.alignment.hand_aligned import GOLD, TEXT
from model.analysis.errors import endings, joined
from model.analysis.evaluation.evaluation import Evaluation
from model.analysis.evaluation.stored import load_fingerprints, load_records
from model.analysis.paper import beam_sizes, measurement_plan
from model.analysis.paper.measurement_plan import list_measurements, run_measurements
from model.checkpoints import checkpoint
from model.text.prepared import CorpusError
from model.text.vocabulary import Vocabulary
from tests.model.analysis.paper.measurement_files import list_files, write_record
from tests.model.analysis.scripted import build_random_model
from tests.word_models import build_unsure_network, save_word_model, train_word_vocabulary

NAMES = {"rnnencdec-50": "rnnencdec", "rnnsearch-50": "rnnsearch"}
FILES = ("newstest2014-{}-greedy", "newstest2014-{}-beam12", "flores200-devtest-{}-greedy",
         "flores200-devtest-{}-beam12", "europarl-2000q4-{}-greedy", "europarl-2000q4-2-a-bin-{}-beam12",
         "everyday-{}", "everyday-60-{}", "robustness-{}", "copying-{}", "endings-{}", "joined-{}")  # fmt: skip
ATTENTION_FILES = ("coverage-{}", "alignment-{}", "beam-sizes-{}")


@pytest.fixture(scope="module")
def shipped(tiny_vocabulary: Vocabulary, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write two checkpoints of random weights."""
    folder = tmp_path_factory.mktemp("shipped")
    vocabulary = folder / "vocabulary.model"
    tiny_vocabulary.save(vocabulary)
    for seed, (name, kind) in enumerate(NAMES.items()):
        network = build_random_model(tiny_vocabulary, kind, seed).network.float()
        checkpoint.save_checkpoint(folder / name, network, vocabulary, name=name, training={})
    vocabulary.unlink()
    return folder


@pytest.fixture
def cards(shipped: Path, monkeypatch: pytest.MonkeyPatch) -> list[checkpoint.Card]:
    monkeypatch.setattr(checkpoint, "SHIPPED", shipped)
    monkeypatch.setattr(beam_sizes, "SIZES", (1, 2))
    monkeypatch.setattr(measurement_plan, "PER_BIN", 2)
    sets = tuple((file, per_bin and 2, beam) for file, per_bin, beam in measurement_plan.SETS)
    monkeypatch.setattr(measurement_plan, "SETS", sets)
    monkeypatch.setattr(endings, "MIN_WORDS", 8)
    monkeypatch.setattr(joined, "WORDS", (8,))
    return checkpoint.list_cards()


@pytest.fixture
def corpora(tmp_path: Path, sentences: list[tuple[str, str]]) -> Path:
    """Write test sets of four pairs each, and two hand-aligned pairs."""
    folder = tmp_path / "corpora"
    (folder / "test").mkdir(parents=True)
    lines = [f"{source}\t{target}\n" for source, target in sentences]
    long = f"{sentences[3][0]} {sentences[20][0]} {sentences[31][0]}\t" \
           f"{sentences[20][1]} {sentences[31][1]} {sentences[44][1]}\n"
    (folder / "test" / measurement_plan.NEWS_FILE).write_text("".join(lines[:4]), encoding="utf-8")
    (folder / "test" / measurement_plan.FLORES_FILE).write_text("".join(lines[4:8]), encoding="utf-8")
    compressed = lzma.compress("".join([*lines[8:11], long]).encode())
    (folder / "test" / measurement_plan.EUROPARL_FILE).write_bytes(compressed)
    (folder / "alignments").mkdir()
    (folder / "alignments" / TEXT).write_text("a cat ||| un chat\nyes . ||| oui .\n", encoding="utf-8")
    (folder / "alignments" / GOLD).write_text("1-1 2-2\n1-1 2-2\n", encoding="utf-8")
    return folder


@pytest.mark.parametrize("languages", [("ko", "en"), ("en", "ko")])
def test_korean_models_have_their_own_text_lists_and_ways_of_typing(
    languages: tuple[str, str], cards: list[checkpoint.Card], tmp_path: Path
) -> None:
    (tmp_path / "test").mkdir()
    for file in dict.fromkeys(file for file, _ in measurement_plan.KOREAN_SETS):
        (tmp_path / "test" / file).write_text("I read.\t나는 읽는다.\n", encoding="utf-8")
    name = f"tiny-{'-'.join(languages)}"
    card = replace(cards[0], name=name, languages=languages)
    measurements = measurement_plan.list_korean_measurements(tmp_path, [card])
    assert [measurement.file for measurement in measurements] == [
        f"tatoeba-en-ko-{name}-greedy.json", f"tatoeba-en-ko-{name}-beam12.json",
        f"flores200-devtest-en-ko-{name}-greedy.json", f"flores200-devtest-en-ko-{name}-beam12.json",
        f"everyday-{'-'.join(languages)}-{name}.json", f"robustness-{name}.json"]  # fmt: skip
    signature = measurements[0].expected_content["signatures"]["bleu"]
    assert signature.count("tok:" + ("13a" if languages[1] == "en" else "char"))


def test_all_files_are_made_once(corpora: Path, cards: list[checkpoint.Card], tmp_path: Path) -> None:
    """The command is stopped after three files, one of which is damaged before it resumes."""
    folder = tmp_path / "out"
    measurements = list_measurements(corpora, cards)
    files = [measurement.file for measurement in measurements]
    assert sorted(files) == sorted([
        *(f"{file.format(name)}.json" for name in NAMES for file in FILES),
        *(f"{file.format('rnnsearch-50')}.json" for file in ATTENTION_FILES)])
    assert files == [file for card in cards for file in list_files(card)]
    running = run_measurements(measurements, folder)
    assert [next(running)[1] for _ in range(3)] == [True] * 3
    assert sorted(path.name for path in folder.iterdir()) == sorted(files[:3])
    (folder / files[1]).write_text("{", encoding="utf-8")
    resumed = list(run_measurements(list_measurements(corpora, cards), folder))
    assert [is_new for _, is_new in resumed] == [False, True, False] + [True] * (len(measurements) - 3)
    repeated = run_measurements(list_measurements(corpora, cards), folder)
    assert not any(is_new for _, is_new in repeated)
    stated = {item for models in load_fingerprints(folder).values() for item in models.items()}
    assert stated == {(card.name, card.fingerprint) for card in cards}
    for path in folder.iterdir():
        content = json.loads(path.read_bytes())
        assert content["command"].startswith("python -m model ")
        assert len(content["data"]["sha256"]) == 64
    (sizes,) = load_records("beam-sizes", folder).values()
    assert (sizes["data"]["name"], sizes["sizes"]) == ("newstest2014", [1, 2])


def test_whole_words_are_also_measured_without_unknown_words(
    corpora: Path, cards: list[checkpoint.Card], sentences: list[tuple[str, str]], tmp_path: Path
) -> None:
    """The paper's All and No UNK: the second leaves out sentences, and search never writes UNK."""
    vocabulary = train_word_vocabulary(sentences[:3], tmp_path, 43)
    save_word_model(measurement_plan.checkpoint.SHIPPED / "words", build_unsure_network(vocabulary), vocabulary)
    card = checkpoint.read_card(measurement_plan.checkpoint.SHIPPED / "words")
    measurements_by_file = {measurement.file: measurement for measurement in list_measurements(corpora, [card])}
    assert list(measurements_by_file) == list_files(card)
    files = ["newstest2014-words-beam12.json", "newstest2014-known-words-words-beam12.json"]
    list(run_measurements([measurements_by_file[file] for file in files], tmp_path / "out"))
    full_evaluation, known_words_evaluation = (Evaluation.from_json((tmp_path / "out" / file).read_bytes())
                                               for file in files)
    assert (full_evaluation.data.sentences, known_words_evaluation.data.sentences) == (4, 3)
    assert ("unk" not in full_evaluation.search, known_words_evaluation.search["unk"]) == (True, "avoid")
    assert known_words_evaluation.command.endswith("--known-words --unk avoid --save")
    shutil.rmtree(card.folder)


def test_other_weights_data_or_settings_are_made_anew(corpora: Path, cards: list[checkpoint.Card],
                                                      tmp_path: Path) -> None:
    measurement = list_measurements(corpora, cards)[0]
    list(run_measurements([measurement], tmp_path))
    assert measurement.is_done(tmp_path)
    content = measurement.expected_content
    for changed_content in ({"fingerprint": "0" * 12}, {"data": content["data"] | {"sha256": "0" * 64}},
                            {"search": content["search"] | {"max_ratio": 2.0}}, {"signatures": {"bleu": "tok:other"}}):
        assert not replace(measurement, expected_content=content | changed_content).is_done(tmp_path)
    stored = json.loads((tmp_path / measurement.file).read_bytes())
    write_record(tmp_path, measurement.file, stored | {"search": stored["search"] | {"unk": "avoid"}})
    assert not measurement.is_done(tmp_path)
    (corpora / "test" / measurement_plan.FLORES_FILE).unlink()
    with pytest.raises(CorpusError, match=measurement_plan.FLORES_FILE):
        list_measurements(corpora, cards)
