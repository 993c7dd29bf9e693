"""All measurements that the project ships, made by one command that can be stopped and goes on where it was.

For every shipped model: newstest2014 and FLORES-200 devtest, greedy and with a beam of 12; Europarl's test set greedily
in full, and with the beam on so many sentences of each length; everyday sentences; sentences typed in other ways; names
and numbers; what long sentences keep of their ends; how evenly it looks and how often it repeats itself, and the
alignment error rate, where there is attention; and for one model BLEU by the size of the beam. For short runs, whose
weights are not shipped: what the claims that compare them ask for. A file is left as it is where it says that it was
made with these weights, this data and these settings; it is made anew otherwise. A file appears whole or not at all.
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
STOP: StopRule = "beam"  # once twelve have ended, as in the paper's code; searching exactly takes half as long again
PER_BIN = 500
SETS = ((NEWS, 0, 1), (NEWS, 0, BEAM), (FLORES, 0, 1), (FLORES, 0, BEAM), (EUROPARL, 0, 1), (EUROPARL, PER_BIN, BEAM))
"""File under test/, sentences a length bin (0: all), beam."""


@dataclass(frozen=True)
class Measurement:
    """A file to be made: its name, whose model it is about, what a finished one says, and how to make its text."""

    file: str
    model: str
    expected_content: dict[str, Any]
    make: Callable[[Model, ProgressCallback | None], str]

    def is_done(self, folder: Path) -> bool:
        """Whether the folder holds this file, made with these weights, this data and these settings."""
        try:
            return _holds(parse_json((folder / self.file).read_bytes(), "a measurement"), self.expected_content)
        except (OSError, CodecError):
            return False


def list_measurements(corpora: Path, cards: Sequence[Card], sample: int = 0) -> list[Measurement]:
    """All files for these models, model by model. `sample`: of each text only so many sentences (0: all), for trying.

    `corpora` holds test/ and alignments/. Raises CorpusError, EvaluationError or HandAlignedError for missing or
    malformed files.
    """

    @cache
    def text(file: str, per_bin: int = 0) -> ParallelText:
        whole = ParallelText.read(corpora / "test" / file)
        whole = whole.sample_evenly(sample) if sample else whole
        return whole.sample_by_length(per_bin) if per_bin else whole

    aligned = read_hand_aligned(corpora)
    aligned = aligned.limit(sample) if sample else aligned
    found, shown = [], _default()
    for card in cards:
        again = f"python -m model evaluate FOLDER --all --model {card.name}{_sampled(sample)}"
        found += [_evaluation(card, file, per_bin, beam, text(file, per_bin), sample) for file, per_bin, beam in SETS]
        again_everyday = f"python -m model everyday --model {card.name} --save"
        found += [_everyday(card, path, again_everyday) for path in LISTS.values()]
        found.append(_robustness(card, f"python -m model robustness --model {card.name} --save"))
        found.append(_copied(card, f"python -m model copied --model {card.name} --save"))
        if any(len(source.split()) > endings.MIN_WORDS for source, _ in text(EUROPARL, PER_BIN).pairs):
            found.append(_endings(card, endings.select_long_sentences(text(EUROPARL, PER_BIN)), again))
        if _looks(card):
            found.append(_looking(card, text(FLORES), again))
        if card.has_attention:
            command = f"python -m model alignment-error FOLDER --model {card.name}{_sampled(sample)} --save"
            data = {"sha256": aligned.sha256, "gold_sha256": aligned.gold_sha256, "sentences": len(aligned.pairs)}
            wiring = str(card.network.get("wiring", ""))
            measured = partial(alignment_error.measure_alignment_error, text=aligned, wiring=wiring, command=command)
            expected = _head(card, alignment_error.SCHEMA, data) | {"kind": "alignment-error"}
            found.append(Measurement(f"alignment-{card.name}.json", card.name, expected, _record(measured)))
        if card.name == shown:
            news = text(NEWS).sample_evenly(beam_sizes.SENTENCES)
            measured = partial(beam_sizes.measure_beam_sizes, text=news, sizes=beam_sizes.SIZES, command=again)
            expected = _head(card, beam_sizes.SCHEMA, _data(news)) | {
                "kind": "beam-sizes", "sizes": list(beam_sizes.SIZES), "rankings": list(beam_sizes.RANKINGS)}
            found.append(Measurement(f"beam-sizes-{card.name}.json", card.name, expected, _record(measured)))
    return found


def list_files(card: Card) -> list[str]:
    """What the files of a model are called, as `measurements` makes them of whole texts."""
    sets = [(file.split(".")[0] + (f", {per_bin} a bin" if per_bin else ""), beam) for file, per_bin, beam in SETS]
    names = [evaluation_file_name(data, card.name, beam) for data, beam in sets]
    names += [f"{name}-{card.name}.json" for name in (*LISTS, "robustness", "copied", "endings")]
    names += [f"looking-{card.name}.json"] if _looks(card) else []
    names += [f"alignment-{card.name}.json"] if card.has_attention else []
    return names + ([f"beam-sizes-{card.name}.json"] if card.name == _default() else [])


def list_run_measurements(corpora: Path, cards: Mapping[str, Card], sample: int = 0) -> list[Measurement]:
    """The files of short runs, by their names (`model.analysis.paper.runs`): what each was, and its evaluations; of the
    kind that coverage and copying are added to also how it looks and what it copies. Raises as `measurements` does."""
    found = []
    for name, card in cards.items():
        command = "python -m model compared FOLDER RUN" + _sampled(sample)
        run = runs.build_run(card, name, command)
        told = {key: value for key, value in to_plain(run).items() if key not in ("date", "command")}
        found.append(Measurement(run.file, name, {"kind": "run", **told}, _told(run)))
        for file, per_bin, beam in SETS:
            if not per_bin and (file.split(".")[0], beam) in SHORT_SETS:
                text = ParallelText.read(corpora / "test" / file)
                text = text.sample_evenly(sample) if sample else text
                found.append(_evaluation(replace(card, name=name), file, 0, beam, text, sample, command))
                if card.kind == BASE_KIND and (text.name.partition(",")[0], beam) == COVERAGE_DATA:
                    found.append(_looking(replace(card, name=name), text, command))
        if card.kind == BASE_KIND:
            found.append(_copied(replace(card, name=name), command))
    return found


def run_measurements(
    todo: Sequence[Measurement], folder: Path, progress: Callable[[Measurement], ProgressCallback] | None = None,
    load: Callable[[str], Model] | None = None,
) -> Iterator[tuple[Measurement, bool]]:
    """Make what is not there yet; gives back each job once its file is there, and whether it was made now. `load` finds
    a job's model by its name, unless it is a shipped one."""
    folder.mkdir(parents=True, exist_ok=True)
    loaded: Model | None = None
    for job in todo:
        made = not job.is_done(folder)
        if made:
            if loaded is None or loaded.name != job.model:
                loaded = (load or checkpoint.load_model)(job.model)
            write_file(folder / job.file, job.make(loaded, progress(job) if progress else None))
        yield job, made


def write_file(path: Path, text: str) -> None:
    """Put a text in a file's place in one step: whoever is stopped leaves the old file or the new one."""
    replace_file(path, text.encode())


def write_claims(folder: Path) -> None:
    """Put the claims anew beside the measurements of shipped models and short runs that lie in a folder."""
    measured = ResultStore(checkpoint.list_shipped_cards(), folder)
    record = claims.build_record(claims.compute_claims(measured), measured, "python -m model claims --save")
    write_file(folder / "claims.json", dump_entries(record))


def _looks(card: Card) -> bool:
    """Whether its looks are shares of 1, so that it can be said how even they are."""
    return card.main_map is not None and card.main_map.rows_sum_to_one


def _default() -> str:
    """The name of the shipped model that beam sizes are measured of."""
    card = selection.select_default(checkpoint.list_shipped_cards())
    return card.name if card else ""


def _sampled(sample: int) -> str:
    """What a command that measured so many sentences says of it."""
    return f" --sample {sample}" if sample else ""


def _evaluation(card: Card, file: str, per_bin: int, beam: int, text: ParallelText, sample: int,
                command: str = "") -> Measurement:
    settings = Settings(beam=beam, candidates=0, stop=STOP)
    again = f"python -m model evaluate {file} --model {card.name} --beam {beam}"
    again += f" --stop {STOP}" if beam > 1 else ""
    again += _sampled(sample) + (f" --per-bin {per_bin}" if per_bin else "") + " --save"
    expected = _head(card, SCHEMA, _data(text)) | _search(settings)
    expected |= {"signatures": {"bleu": get_bleu_signature(card.languages[1])}}

    def make(model: Model, progress: ProgressCallback | None) -> str:
        return evaluate(model, text, settings, command=command or again, progress=progress).to_json() + "\n"

    return Measurement(evaluation_file_name(text.name, card.name, beam), card.name, expected, make)


def _everyday(card: Card, path: Path, command: str) -> Measurement:
    def make(model: Model, progress: ProgressCallback | None) -> str:
        return check_everyday(model, path=path, command=command).to_json()

    expected = _head(card, everyday_sentences.SCHEMA, {"sha256": compute_checksum(path)}) | _search(Settings())
    return Measurement(f"{path.stem}-{card.name}.json", card.name, expected, make)


def _robustness(card: Card, command: str) -> Measurement:
    settings, sha256 = Settings(candidates=0), compute_checksum(typing_variants.FILE)
    measured = partial(
        robustness.measure_robustness,
        sentences=typing_variants.read_typed_sentences(),
        sha256=sha256,
        settings=settings,
        command=command,
    )
    expected = _head(card, robustness.SCHEMA, {"sha256": sha256}) | _search(settings) | {"kind": "robustness"}
    return Measurement(f"robustness-{card.name}.json", card.name, expected, _record(measured))


def _copied(card: Card, command: str) -> Measurement:
    settings, sha256 = Settings(candidates=0), compute_checksum(copied_text.FILE)
    measured = partial(
        copied.measure_copying,
        sentences=copied_text.read_copy_sentences(),
        sha256=sha256,
        settings=settings,
        command=command,
    )
    expected = _head(card, copied.SCHEMA, {"sha256": sha256}) | _search(settings) | {"kind": "copied"}
    return Measurement(f"copied-{card.name}.json", card.name, expected, _record(measured))


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


def _told(run: runs.ShortRun) -> Callable[[Model, ProgressCallback | None], str]:
    return lambda model, progress: run.to_json()


def _record(measured: Callable[..., dict[str, Any]]) -> Callable[[Model, ProgressCallback | None], str]:
    return lambda model, progress: dump_entries(measured(model, progress=progress))


def _head(card: Card, schema: int, data: dict[str, Any]) -> dict[str, Any]:
    return {"schema": schema, "model": card.name, "fingerprint": card.fingerprint, "data": data}


def _data(text: ParallelText) -> dict[str, Any]:
    return {"name": text.name, "sha256": text.sha256, "sentences": len(text.pairs)}


def _search(settings: Settings) -> dict[str, Any]:
    return {"search": {"name": settings.method, **settings.provenance}}


def _holds(content: Any, expected: Any) -> bool:
    """Whether a JSON value has all that is expected of it; of objects, more keys may be there."""
    if isinstance(expected, dict):
        return isinstance(content, dict) and all(name in content and _holds(content[name], value)
                                                 for name, value in expected.items())
    return bool(content == expected)
