"""Make all shipped measurements with one command that can be stopped and resumed.

For every shipped model: newstest2014 and FLORES-200 devtest, greedy and with beam 12; Europarl's test set, greedy in
full and with the beam on some sentences of each length; everyday sentences; typing variants; names and numbers; the
endings of long sentences. With attention also repetitions and coverage, and the alignment error rate; for one model
BLEU by beam width. For short runs, whose weights are not shipped: what their claims need.

A file is kept if it states the same weights, data and settings, else made anew. Files are written atomically.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path
from typing import Any

from model.analysis.alignment import alignment_error
from model.analysis.alignment.hand_aligned import read_hand_aligned
from model.analysis.errors import copied, coverage, endings, robustness
from model.analysis.evaluation.evaluate import evaluate
from model.analysis.evaluation.evaluation import SCHEMA, ParallelText
from model.analysis.evaluation.stored import evaluation_file_name
from model.analysis.paper import beam_sizes, claims, runs
from model.analysis.paper.everyday import check_everyday
from model.analysis.paper.relatives import BASE_KIND, COVERAGE_DATA, SHORT_SETS
from model.analysis.paper.result_store import ResultStore
from model.checkpoints import checkpoint, selection
from model.checkpoints.checkpoint import Card, Model
from model.decoding import Settings
from model.decoding.settings import StopRule
from model.progress import ProgressCallback
from model.serialization.codec import CodecError, dump_entries, parse_json, to_plain
from model.serialization.files import compute_checksum, replace_file
from model.text import copy_sentences as copied_text
from model.text import everyday_sentences, typing_variants
from model.text.bleu import get_bleu_signature
from model.text.everyday_sentences import LISTS

NEWS, FLORES, EUROPARL = ("newstest2014.en-fr.tsv", "flores200-devtest.en-fr.tsv", "europarl-2000q4.en-fr.tsv.xz")
BEAM = 12
STOP: StopRule = "beam"  # stop after twelve finished hypotheses, as the paper's code; exact search takes 50 % longer
PER_BIN = 500
SETS = ((NEWS, 0, 1), (NEWS, 0, BEAM), (FLORES, 0, 1), (FLORES, 0, BEAM), (EUROPARL, 0, 1), (EUROPARL, PER_BIN, BEAM))
"""File under test/, sentences per length bin (0: all), beam."""


@dataclass(frozen=True)
class Measurement:
    """A file to be made.

    Attributes:
        file: its name.
        model: the name of the model.
        expected_content: what a finished file states.
        make: makes its text.
    """

    file: str
    model: str
    expected_content: dict[str, Any]
    make: Callable[[Model, ProgressCallback | None], str]

    def is_done(self, folder: Path) -> bool:
        """Return whether the folder has this file, made with the same weights, data and settings."""
        try:
            return _contains(parse_json((folder / self.file).read_bytes(), "a measurement"), self.expected_content)
        except (OSError, CodecError):
            return False


def list_measurements(corpora: Path, cards: Sequence[Card], sample: int = 0) -> list[Measurement]:
    """Return all measurements of these models, model by model. With `sample`, only so many sentences of each text.

    `corpora` holds test/ and alignments/. Raises CorpusError, EvaluationError or HandAlignedError for missing or
    malformed files.
    """

    @cache
    def text(file: str, per_bin: int = 0) -> ParallelText:
        parallel_text = ParallelText.read(corpora / "test" / file)
        parallel_text = parallel_text.sample_evenly(sample) if sample else parallel_text
        return parallel_text.sample_by_length(per_bin) if per_bin else parallel_text

    aligned = read_hand_aligned(corpora)
    aligned = aligned.limit(sample) if sample else aligned
    measurements, default_model = [], _find_default_model()
    for card in cards:
        command_all = f"python -m model evaluate FOLDER --all --model {card.name}{_sample_option(sample)}"
        measurements += [
            _evaluation(card, file, per_bin, beam, text(file, per_bin), sample) for file, per_bin, beam in SETS
        ]
        everyday_command = f"python -m model everyday --model {card.name} --save"
        measurements += [_everyday(card, path, everyday_command) for path in LISTS.values()]
        measurements.append(_robustness(card, f"python -m model robustness --model {card.name} --save"))
        measurements.append(_copied(card, f"python -m model copied --model {card.name} --save"))
        if any(len(source.split()) > endings.MIN_WORDS for source, _ in text(EUROPARL, PER_BIN).pairs):
            measurements.append(_endings(card, endings.select_long_sentences(text(EUROPARL, PER_BIN)), command_all))
        if _has_normalised_attention(card):
            measurements.append(_looking(card, text(FLORES), command_all))
        if card.has_attention:
            command = f"python -m model alignment-error FOLDER --model {card.name}{_sample_option(sample)} --save"
            data = {"sha256": aligned.sha256, "gold_sha256": aligned.gold_sha256, "sentences": len(aligned.pairs)}
            wiring = str(card.network.get("wiring", ""))
            make_record = partial(alignment_error.measure_alignment_error, text=aligned, wiring=wiring, command=command)
            expected = _head(card, alignment_error.SCHEMA, data) | {"kind": "alignment-error"}
            measurements.append(Measurement(f"alignment-{card.name}.json", card.name, expected, _record(make_record)))
        if card.name == default_model:
            news = text(NEWS).sample_evenly(beam_sizes.SENTENCES)
            make_record = partial(beam_sizes.measure_beam_sizes, text=news, sizes=beam_sizes.SIZES, command=command_all)
            expected = _head(card, beam_sizes.SCHEMA, _data(news)) | {
                "kind": "beam-sizes", "sizes": list(beam_sizes.SIZES), "rankings": list(beam_sizes.RANKINGS)}
            measurements.append(Measurement(f"beam-sizes-{card.name}.json", card.name, expected, _record(make_record)))
    return measurements


def list_files(card: Card) -> list[str]:
    """Return the file names of a model's measurements, as `list_measurements` makes them of whole texts."""
    sets = [(file.split(".")[0] + (f", {per_bin} a bin" if per_bin else ""), beam) for file, per_bin, beam in SETS]
    names = [evaluation_file_name(data, card.name, beam) for data, beam in sets]
    names += [f"{name}-{card.name}.json" for name in (*LISTS, "robustness", "copied", "endings")]
    names += [f"looking-{card.name}.json"] if _has_normalised_attention(card) else []
    names += [f"alignment-{card.name}.json"] if card.has_attention else []
    return names + ([f"beam-sizes-{card.name}.json"] if card.name == _find_default_model() else [])


def list_run_measurements(corpora: Path, cards: Mapping[str, Card], sample: int = 0) -> list[Measurement]:
    """Return the measurements of short runs by name (`model.analysis.paper.runs`).

    These are the record of the run and its evaluations; for RNNsearch, the base of coverage and copying, also coverage
    and copied items. Raises the errors of `list_measurements`.
    """
    measurements = []
    for name, card in cards.items():
        command = "python -m model compared FOLDER RUN" + _sample_option(sample)
        run = runs.build_run(card, name, command)
        facts = {key: value for key, value in to_plain(run).items() if key not in ("date", "command")}
        measurements.append(Measurement(run.file, name, {"kind": "run", **facts}, _write_run(run)))
        for file, per_bin, beam in SETS:
            if not per_bin and (file.split(".")[0], beam) in SHORT_SETS:
                text = ParallelText.read(corpora / "test" / file)
                text = text.sample_evenly(sample) if sample else text
                measurements.append(_evaluation(replace(card, name=name), file, 0, beam, text, sample, command))
                if card.kind == BASE_KIND and (text.name.partition(",")[0], beam) == COVERAGE_DATA:
                    measurements.append(_looking(replace(card, name=name), text, command))
        if card.kind == BASE_KIND:
            measurements.append(_copied(replace(card, name=name), command))
    return measurements


def run_measurements(
    measurements: Sequence[Measurement],
    folder: Path,
    progress: Callable[[Measurement], ProgressCallback] | None = None,
    load: Callable[[str], Model] | None = None,
) -> Iterator[tuple[Measurement, bool]]:
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
            write_file(folder / measurement.file, measurement.make(loaded, progress(measurement) if progress else None))
        yield measurement, is_new


def write_file(path: Path, text: str) -> None:
    """Replace a file's text atomically."""
    replace_file(path, text.encode())


def write_claims(folder: Path) -> None:
    """Write the claims for the measurements of shipped models and short runs in a folder."""
    store = ResultStore(checkpoint.list_shipped_cards(), folder)
    record = claims.build_record(claims.compute_claims(store), store, "python -m model claims --save")
    write_file(folder / "claims.json", dump_entries(record))


def _has_normalised_attention(card: Card) -> bool:
    """Return whether the main attention map has rows that sum to 1, as coverage deviation requires."""
    return card.main_map is not None and card.main_map.rows_sum_to_one


def _find_default_model() -> str:
    """Return the name of the shipped model whose beam widths are measured."""
    card = selection.select_default(checkpoint.list_shipped_cards())
    return card.name if card else ""


def _sample_option(sample: int) -> str:
    """Return the command-line option of a sample."""
    return f" --sample {sample}" if sample else ""


def _evaluation(card: Card, file: str, per_bin: int, beam: int, text: ParallelText, sample: int,
                command: str = "") -> Measurement:
    settings = Settings(beam=beam, candidates=0, stop=STOP)
    command_here = f"python -m model evaluate {file} --model {card.name} --beam {beam}"
    command_here += f" --stop {STOP}" if beam > 1 else ""
    command_here += _sample_option(sample) + (f" --per-bin {per_bin}" if per_bin else "") + " --save"
    expected = _head(card, SCHEMA, _data(text)) | _search(settings)
    expected |= {"signatures": {"bleu": get_bleu_signature(card.languages[1])}}

    def make(model: Model, progress: ProgressCallback | None) -> str:
        return evaluate(model, text, settings, command=command or command_here, progress=progress).to_json() + "\n"

    return Measurement(evaluation_file_name(text.name, card.name, beam), card.name, expected, make)


def _everyday(card: Card, path: Path, command: str) -> Measurement:
    def make(model: Model, progress: ProgressCallback | None) -> str:
        return check_everyday(model, path=path, command=command).to_json()

    expected = _head(card, everyday_sentences.SCHEMA, {"sha256": compute_checksum(path)}) | _search(Settings())
    return Measurement(f"{path.stem}-{card.name}.json", card.name, expected, make)


def _robustness(card: Card, command: str) -> Measurement:
    settings, sha256 = Settings(candidates=0), compute_checksum(typing_variants.FILE)
    make_record = partial(
        robustness.measure_robustness,
        sentences=typing_variants.read_typed_sentences(),
        sha256=sha256,
        settings=settings,
        command=command,
    )
    expected = _head(card, robustness.SCHEMA, {"sha256": sha256}) | _search(settings) | {"kind": "robustness"}
    return Measurement(f"robustness-{card.name}.json", card.name, expected, _record(make_record))


def _copied(card: Card, command: str) -> Measurement:
    settings, sha256 = Settings(candidates=0), compute_checksum(copied_text.FILE)
    make_record = partial(
        copied.measure_copying,
        sentences=copied_text.read_copy_sentences(),
        sha256=sha256,
        settings=settings,
        command=command,
    )
    expected = _head(card, copied.SCHEMA, {"sha256": sha256}) | _search(settings) | {"kind": "copied"}
    return Measurement(f"copied-{card.name}.json", card.name, expected, _record(make_record))


def _endings(card: Card, text: ParallelText, command: str) -> Measurement:
    settings = Settings(candidates=0)
    expected = _head(card, endings.SCHEMA, _data(text)) | _search(settings) | {"kind": "endings"}
    return Measurement(f"endings-{card.name}.json", card.name, expected,
               _record(partial(endings.measure_endings, text=text, settings=settings, command=command)))


def _looking(card: Card, text: ParallelText, command: str) -> Measurement:
    settings = Settings(candidates=0)
    expected = _head(card, coverage.SCHEMA, _data(text)) | _search(settings) | {"kind": "looking"}
    return Measurement(f"looking-{card.name}.json", card.name, expected,
                       _record(partial(coverage.measure_coverage, text=text, settings=settings, command=command)))


def _write_run(run: runs.ShortRun) -> Callable[[Model, ProgressCallback | None], str]:
    return lambda model, progress: run.to_json()


def _record(make_record: Callable[..., dict[str, Any]]) -> Callable[[Model, ProgressCallback | None], str]:
    return lambda model, progress: dump_entries(make_record(model, progress=progress))


def _head(card: Card, schema: int, data: dict[str, Any]) -> dict[str, Any]:
    return {"schema": schema, "model": card.name, "fingerprint": card.fingerprint, "data": data}


def _data(text: ParallelText) -> dict[str, Any]:
    return {"name": text.name, "sha256": text.sha256, "sentences": len(text.pairs)}


def _search(settings: Settings) -> dict[str, Any]:
    return {"search": {"name": settings.method, **settings.provenance}}


def _contains(content: Any, expected: Any) -> bool:
    """Return whether a JSON value has all that is expected; objects may have more keys."""
    if isinstance(expected, dict):
        return isinstance(content, dict) and all(name in content and _contains(content[name], value)
                                                 for name, value in expected.items())
    return bool(content == expected)
