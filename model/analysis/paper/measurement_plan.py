"""Evaluate all shipped models with one command that can be stopped and resumed.

For every shipped model: newstest2014 and FLORES-200 devtest, greedy and with beam 12; Europarl's test set, greedy in
full and with the beam on some sentences of each length; everyday sentences; typing variants; names and numbers; the
endings of long sentences; sentences joined to long texts. Between Korean and English: Tatoeba and FLORES-200 devtest,
everyday sentences and typing variants. For models of whole words also newstest2014 without unknown words. With
attention also repetitions and coverage, and the alignment error rate; for one model BLEU by beam width. For short runs,
whose weights are not shipped: what their claims need.

A file is kept if it states the same weights, data and settings, else made anew. Files are written atomically.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cache, partial
from pathlib import Path
from typing import Any

from model.analysis.alignment import alignment_error
from model.analysis.alignment.hand_aligned import AlignedText, read_hand_aligned
from model.analysis.errors import copying, coverage, endings, joined, robustness
from model.analysis.evaluation.evaluate import evaluate
from model.analysis.evaluation.evaluation import SCHEMA, EvaluationError, ParallelText
from model.analysis.evaluation.stored import name_evaluation_file
from model.analysis.paper import beam_sizes, claims, runs
from model.analysis.paper.checks import BEAM, PER_BIN
from model.analysis.paper.everyday import check_everyday
from model.analysis.paper.related_claims import BASE_KIND, COVERAGE_DATA, SHORT_SETS
from model.analysis.paper.result_store import ResultStore
from model.checkpoints import checkpoint, selection
from model.checkpoints.checkpoint import Card, Model
from model.decoding import Settings
from model.decoding.settings import StopRule, UnkRule
from model.progress import ProgressCallback
from model.serialization.codec import CodecError, dump_entries, parse_json, to_plain
from model.serialization.files import compute_checksum, replace_file
from model.text import copy_sentences, everyday_sentences
from model.text.bleu import get_bleu_signature
from model.text.everyday_sentences import PAIR_LISTS
from model.text.languages import DEFAULT_PAIR
from model.text.vocabulary import Vocabulary

NEWS_FILE, FLORES_FILE = "newstest2014.en-fr.tsv", "flores200-devtest.en-fr.tsv"
EUROPARL_FILE = "europarl-2000q4.en-fr.tsv.xz"
STOP_RULE: StopRule = "beam"
"""Search stops after twelve finished hypotheses, as in the paper's code; exact search takes 50 % longer."""
SETS = ((NEWS_FILE, 0, 1), (NEWS_FILE, 0, BEAM), (FLORES_FILE, 0, 1), (FLORES_FILE, 0, BEAM), (EUROPARL_FILE, 0, 1),
        (EUROPARL_FILE, PER_BIN, BEAM))
"""File under test/, sentences per length bin (0: all), beam."""
KOREAN_SETS = tuple((f"{name}.en-ko.tsv", beam) for name in ("tatoeba", "flores200-devtest") for beam in (1, BEAM))
"""File under test/ and beam, for the models between Korean and English."""


@dataclass(frozen=True)
class PlannedMeasurement:
    """A file to be made.

    Attributes:
        file: its name.
        model: the name of the model.
        expected_content: what a finished file states.
        make_text: makes the content of the file.
    """

    file: str
    model: str
    expected_content: dict[str, Any]
    make_text: Callable[[Model, ProgressCallback | None], str]

    def is_done(self, folder: Path) -> bool:
        """Return whether the folder has this file, made with the same weights, data and settings."""
        expected = self.expected_content
        try:
            content = parse_json((folder / self.file).read_bytes(), "a measurement")
        except (OSError, CodecError):
            return False
        return _contains(content, expected) and ("search" not in expected or content["search"] == expected["search"])


def list_measurements(corpora: Path, cards: Sequence[Card], sample: int = 0) -> list[PlannedMeasurement]:
    """Return all measurements of these models, model by model. With `sample`, only so many sentences of each text.

    `corpora` holds test/ and alignments/. Raises CorpusError, EvaluationError or HandAlignedError for missing or
    malformed files.
    """

    @cache
    def read_text(file: str, per_bin: int = 0) -> ParallelText:
        text = _read_sample(corpora, file, sample)
        return text.sample_by_length(per_bin) if per_bin else text

    aligned = read_hand_aligned(corpora)
    aligned = aligned.limit(sample) if sample else aligned
    measurements, default_model = [], _find_default_model()
    for card in cards:
        option = _sample_option(sample)
        command = f"python -m model evaluate FOLDER --all --model {card.name}{option}"
        measurements += [_plan_evaluation(card, file, per_bin, beam, read_text(file, per_bin), sample)
                         for file, per_bin, beam in SETS]
        if card.has_unk:
            measurements += _plan_known_words(card, NEWS_FILE, read_text(NEWS_FILE), sample)
        measurements += list_sentence_measurements(card)
        if any(len(source.split()) > endings.MIN_WORDS for source, _ in read_text(EUROPARL_FILE, PER_BIN).pairs):
            measurements.append(_plan_endings(card, read_text(EUROPARL_FILE, PER_BIN), command))
        if joined.join_sentences(read_text(EUROPARL_FILE).pairs, joined.WORDS[0]):
            measurements.append(_plan_joined(card, read_text(EUROPARL_FILE), command))
        if _has_normalised_attention(card):
            measurements.append(_plan_coverage(card, read_text(FLORES_FILE), command))
        if card.has_attention:
            save_command = f"python -m model alignment-error FOLDER --model {card.name}{option} --save"
            measurements.append(_plan_alignment_error(card, aligned, save_command))
        if card.name == default_model:
            measurements.append(_plan_beam_sizes(card, read_text(NEWS_FILE), command))
    return measurements


def list_korean_measurements(corpora: Path, cards: Sequence[Card], sample: int = 0) -> list[PlannedMeasurement]:
    """Return all measurements of models between Korean and English. Raises CorpusError or EvaluationError."""
    measurements = []
    for card in cards:
        pair = card.languages[0], card.languages[1]
        for file, beam in KOREAN_SETS:
            text = _read_sample(corpora, file, sample).orient_for(card.name, pair)
            measurements.append(_plan_evaluation(card, file, 0, beam, text, sample))
        measurements += list_sentence_measurements(card)
    return measurements


def list_sentence_measurements(card: Card) -> list[PlannedMeasurement]:
    """Return the measurements of a model on sentences in assets: everyday ones, typing variants, names and numbers."""
    pair = card.languages[0], card.languages[1]
    measurements = [*(_plan_everyday(card, path) for path in PAIR_LISTS[pair].values()), _plan_robustness(card)]
    if pair == DEFAULT_PAIR:
        measurements.append(_plan_copying(card, f"python -m model copying --model {card.name} --save"))
    return measurements


def list_run_measurements(corpora: Path, cards: Mapping[str, Card], sample: int = 0) -> list[PlannedMeasurement]:
    """Return the measurements of short runs by name (`model.analysis.paper.runs`).

    These are the record of the run and its evaluations; for RNNsearch, the base of coverage and copying, also coverage
    and copied items. Raises the errors of `list_measurements`.
    """
    measurements = []
    command = "python -m model runs FOLDER RUN" + _sample_option(sample)
    for name, run_card in cards.items():
        card = replace(run_card, name=name)
        measurements.append(_plan_run(runs.build_run(run_card, name, command)))
        for file, per_bin, beam in SETS:
            if not per_bin and (file.split(".")[0], beam) in SHORT_SETS:
                text = _read_sample(corpora, file, sample)
                measurements.append(_plan_evaluation(card, file, 0, beam, text, sample, command))
                if card.kind == BASE_KIND and (text.name.partition(",")[0], beam) == COVERAGE_DATA:
                    measurements.append(_plan_coverage(card, text, command))
        if card.kind == BASE_KIND:
            measurements.append(_plan_copying(card, command))
    return measurements


def run_measurements(
    measurements: Sequence[PlannedMeasurement],
    folder: Path,
    progress: Callable[[PlannedMeasurement], ProgressCallback] | None = None,
    load: Callable[[str], Model] | None = None,
) -> Iterator[tuple[PlannedMeasurement, bool]]:
    """Make the missing files; yield each measurement once its file exists, and whether it was made now.

    `load` loads a model by name, by default a shipped one.
    """
    folder.mkdir(parents=True, exist_ok=True)
    loaded: Model | None = None
    for measurement in measurements:
        is_new = not measurement.is_done(folder)
        if is_new:
            if loaded is None or loaded.name != measurement.model:
                loaded = (load or checkpoint.load_model)(measurement.model)
            text = measurement.make_text(loaded, progress(measurement) if progress else None)
            replace_file(folder / measurement.file, text.encode())
        yield measurement, is_new


def write_claims(folder: Path) -> None:
    """Write the claims for the measurements of shipped models and short runs in a folder."""
    store = ResultStore(checkpoint.list_shipped_cards(), folder)
    record = claims.build_record(claims.compute_claims(store), store, "python -m model claims --save")
    replace_file(folder / "claims.json", dump_entries(record).encode())


def _has_normalised_attention(card: Card) -> bool:
    """Return whether the main attention map has rows that sum to 1, as coverage deviation requires."""
    return card.main_map is not None and card.main_map.rows_sum_to_one


def _find_default_model() -> str:
    """Return the name of the shipped model whose beam widths are measured."""
    card = selection.select_default(checkpoint.list_shipped_cards())
    return card.name if card else ""


def _read_sample(corpora: Path, file: str, sample: int) -> ParallelText:
    text = ParallelText.read(corpora / "test" / file)
    return text.sample_evenly(sample) if sample else text


def _sample_option(sample: int) -> str:
    """Return the command-line option of a sample."""
    return f" --sample {sample}" if sample else ""


def _plan_evaluation(card: Card, file: str, per_bin: int, beam: int, text: ParallelText, sample: int,
                     command: str = "", unk: UnkRule = "show") -> PlannedMeasurement:
    settings = Settings(beam=beam, stop=STOP_RULE, unk=unk)
    if not command:
        command = f"python -m model evaluate {file} --model {card.name} --beam {beam}"
        command += f" --stop {STOP_RULE}" if beam > 1 else ""
        command += _sample_option(sample) + (f" --per-bin {per_bin}" if per_bin else "") + " --save"
    expected = _describe_weights(card, SCHEMA, asdict(text.describe()), settings)
    expected |= {"signatures": {"bleu": get_bleu_signature(card.languages[1])}}

    def make_text(model: Model, progress: ProgressCallback | None) -> str:
        return evaluate(model, text, settings, command=command, progress=progress).to_json() + "\n"

    return PlannedMeasurement(name_evaluation_file(text.name, card.name, beam), card.name, expected, make_text)


def _plan_known_words(card: Card, file: str, text: ParallelText, sample: int) -> list[PlannedMeasurement]:
    """Return the evaluation on sentences without unknown words, where UNK is never written, as the paper's No UNK; none
    without such sentences."""
    try:
        known_words_text = text.select_known_words(Vocabulary.load(card.folder / checkpoint.VOCABULARY))
    except EvaluationError:
        return []
    command = f"python -m model evaluate {file} --model {card.name} --beam {BEAM} --stop {STOP_RULE}"
    command += f"{_sample_option(sample)} --known-words --unk avoid --save"
    return [_plan_evaluation(card, file, 0, BEAM, known_words_text, sample, command, unk="avoid")]


def _plan_everyday(card: Card, path: Path) -> PlannedMeasurement:
    def make_text(model: Model, progress: ProgressCallback | None) -> str:
        command = f"python -m model everyday --model {card.name} --save"
        return check_everyday(model, path=path, command=command).to_json()

    expected = _describe_weights(card, everyday_sentences.SCHEMA, {"sha256": compute_checksum(path)}, Settings())
    return PlannedMeasurement(f"{path.stem}-{card.name}.json", card.name, expected, make_text)


def _plan_robustness(card: Card) -> PlannedMeasurement:
    file, sentences = robustness.read_test_sentences(card.languages[0])
    settings, sha256 = Settings(), compute_checksum(file)
    command = f"python -m model robustness --model {card.name} --save"
    make_record = partial(robustness.measure_robustness, sentences=sentences, sha256=sha256, data=file.stem,
                          settings=settings, command=command)  # fmt: skip
    return _plan_record(card, "robustness", robustness.SCHEMA, {"sha256": sha256}, make_record, settings)


def _plan_copying(card: Card, command: str) -> PlannedMeasurement:
    settings, sha256 = Settings(), compute_checksum(copy_sentences.FILE)
    make_record = partial(copying.measure_copying, sentences=copy_sentences.read_copy_sentences(), sha256=sha256,
                          settings=settings, command=command)  # fmt: skip
    return _plan_record(card, "copying", copying.SCHEMA, {"sha256": sha256}, make_record, settings)


def _plan_endings(card: Card, text: ParallelText, command: str) -> PlannedMeasurement:
    settings, text = Settings(), endings.select_long_sentences(text)
    make_record = partial(endings.measure_endings, text=text, settings=settings, command=command)
    return _plan_record(card, "endings", endings.SCHEMA, asdict(text.describe()), make_record, settings)


def _plan_joined(card: Card, text: ParallelText, command: str) -> PlannedMeasurement:
    settings = Settings(candidates=0)
    make_record = partial(joined.measure_joined, text=text, settings=settings, command=command)
    return _plan_record(card, "joined", joined.SCHEMA, asdict(text.describe()), make_record, settings)


def _plan_coverage(card: Card, text: ParallelText, command: str) -> PlannedMeasurement:
    settings = Settings(candidates=0)
    make_record = partial(coverage.measure_coverage, text=text, settings=settings, command=command)
    return _plan_record(card, "coverage", coverage.SCHEMA, asdict(text.describe()), make_record, settings)


def _plan_alignment_error(card: Card, text: AlignedText, command: str) -> PlannedMeasurement:
    data = {"sha256": text.sha256, "gold_sha256": text.gold_sha256, "sentences": len(text.pairs)}
    make_record = partial(alignment_error.measure_alignment_error, text=text,
                          wiring=str(card.network.get("wiring", "")), command=command)  # fmt: skip
    measurement = _plan_record(card, "alignment-error", alignment_error.SCHEMA, data, make_record)
    return replace(measurement, file=f"alignment-{card.name}.json")


def _plan_beam_sizes(card: Card, text: ParallelText, command: str) -> PlannedMeasurement:
    text, sizes = text.sample_evenly(beam_sizes.SENTENCES), beam_sizes.SIZES
    make_record = partial(beam_sizes.measure_beam_sizes, text=text, sizes=sizes, command=command)
    measurement = _plan_record(card, "beam-sizes", beam_sizes.SCHEMA, asdict(text.describe()), make_record)
    expected = {"sizes": list(sizes), "rankings": list(beam_sizes.RANKINGS)}
    return replace(measurement, expected_content=measurement.expected_content | expected)


def _plan_run(run: runs.ShortRun) -> PlannedMeasurement:
    facts = {key: value for key, value in to_plain(run).items() if key not in ("date", "command")}
    return PlannedMeasurement(run.file, run.name, {"kind": "run", **facts}, lambda model, progress: run.to_json())


def _plan_record(
    card: Card, kind: str, schema: int, data: dict[str, Any], make_record: Callable[..., dict[str, Any]],
    settings: Settings | None = None,
) -> PlannedMeasurement:
    """Return the measurement of a record of a kind, in the file KIND-MODEL.json."""
    expected = _describe_weights(card, schema, data, settings) | {"kind": kind}
    return PlannedMeasurement(f"{kind}-{card.name}.json", card.name, expected,
                              lambda model, progress: dump_entries(make_record(model, progress=progress)))  # fmt: skip


def _describe_weights(card: Card, schema: int, data: dict[str, Any], settings: Settings | None) -> dict[str, Any]:
    search = {"search": settings.search_record} if settings else {}
    return {"schema": schema, "model": card.name, "fingerprint": card.fingerprint, "data": data, **search}


def _contains(content: Any, expected: Any) -> bool:
    """Return whether a JSON value has all that is expected; objects may have more keys."""
    if isinstance(expected, dict):
        return isinstance(content, dict) and all(name in content and _contains(content[name], value)
                                                 for name, value in expected.items())
    return bool(content == expected)
