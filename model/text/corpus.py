"""From files of sentence pairs to what a training run reads: compact arrays of piece ids, and development sets."""

from __future__ import annotations

import contextlib
import hashlib
import lzma
import multiprocessing
import os
import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, get_args

import sentencepiece

from model.codec import dump
from model.text.cleaning import Limits, Pair, bare, clean, inner_words, key
from model.text.encoded import CorpusError, encode_pairs, written
from model.text.normalise import normalise
from model.text.vocabulary import EUROPEAN, Kind, Vocabulary

Progress = Callable[[str, int, int], None]
"""Called with the stage's name, how much of it is done and how much there is."""

EUROPARL = "train/europarl.en-fr.tsv.xz"
TATOEBA = "train/tatoeba.en-fr.tsv.xz"
DEVELOPMENT = {
    "europarl": "dev/europarl-2000q4.en-fr.tsv",
    "newstest2012": "dev/newstest2012.en-fr.tsv",
    "newstest2013": "dev/newstest2013.en-fr.tsv",
}
_CHUNK = 20_000
_THREADS = 2  # of the vocabulary's training, whose sums depend on their number


@dataclass(frozen=True)
class Settings:
    """How corpora are prepared."""

    vocabulary: int = 8000
    """Pieces of the vocabulary."""
    kind: Kind = "unigram"
    """"unigram" for subwords and bytes, "word" for whole words and UNK."""
    vocabulary_europarl: int = 300_000
    """Europarl pairs the vocabulary is trained on, beside all of Tatoeba,"""
    vocabulary_everyday: int = 2
    """which is read so many times as it is and bare, or its words would be spelt in bits for want of weight."""
    held_out: int = 1000
    """English sentences of Tatoeba kept for development."""
    seed: int = 1
    """Chooses the Europarl pairs the vocabulary is trained on."""
    limits: Limits = field(default_factory=Limits)

    def __post_init__(self) -> None:
        if self.kind not in get_args(Kind):
            raise ValueError(f"Settings.kind is {self.kind!r}; allowed: {', '.join(get_args(Kind))}")
        if not 4 <= self.vocabulary <= 65536:
            raise ValueError(f"Settings.vocabulary is {self.vocabulary}, but ids of pieces are 16-bit: 4 to 65536")
        for name in ("vocabulary_europarl", "vocabulary_everyday", "held_out"):
            if getattr(self, name) < 0:
                raise ValueError(f"Settings.{name} is {getattr(self, name)}, but cannot be negative")


@dataclass(frozen=True)
class CorpusSummary:
    """What became of one corpus: pairs read, pairs kept, pieces on each side, and what was refused for what."""

    read: int
    kept: int
    source_pieces: int
    target_pieces: int
    refused: dict[str, int]


@dataclass(frozen=True)
class Summary:
    """What `prepare` made: where, of which inputs, and how much."""

    folder: Path
    vocabulary: int
    corpora: dict[str, CorpusSummary]
    development: dict[str, int]
    inputs: dict[str, str] = field(repr=False)
    """sha256 of every file read."""
    missing: tuple[str, ...] = ()
    """What was looked for and not found, though one can do without it."""


def read_lines(path: str | os.PathLike[str]) -> Iterator[str]:
    """Yield the lines of a UTF-8 file, plain or .xz; only a line feed ends a line. Raises CorpusError."""
    path = Path(path)
    opened = lzma.open if path.suffix == ".xz" else open
    try:
        with opened(path, "rt", encoding="utf-8", newline="\n") as file:
            yield from file
    except FileNotFoundError as error:
        raise CorpusError(f"the file {path} is missing") from error
    except UnicodeDecodeError as error:
        raise CorpusError(f"the file {path} is not UTF-8 (byte {error.start})") from error
    except (OSError, EOFError, lzma.LZMAError) as error:
        raise CorpusError(f"the file {path} cannot be read: {error}") from error


def read_pairs(path: str | os.PathLike[str]) -> list[Pair]:
    """Return the normalised pairs of a file of lines "english<TAB>french"; raises CorpusError for any other line."""
    pairs: list[Pair] = []
    for number, line in enumerate(read_lines(path), 1):
        fields = line.rstrip("\r\n").split("\t")
        if len(fields) != 2:
            raise CorpusError(f"line {number} of {os.fspath(path)} has {len(fields)} fields, but a pair has 2")
        pairs.append((normalise(fields[0]), normalise(fields[1])))
    return pairs


def prepare(
    source_dir: str | os.PathLike[str],
    out_dir: str | os.PathLike[str],
    settings: Settings | None = None,
    *,
    workers: int = 1,
    progress: Progress | None = None,
) -> Summary:
    """Make the training data of the shipped models out of the files under `source_dir`, and say what became of them.

    Reads train/, dev/ and, only so that nothing in it is learnt, test/. Writes to `out_dir` vocabulary.model; of each
    corpus (europarl, tatoeba, and tatoeba-bare: the same as typed in haste) NAME.npz, an `Encoded`; dev-NAME.tsv;
    meta.json. The result depends on the inputs and settings alone, not on how many `workers` (processes) clean and
    count. Raises CorpusError where a file is missing.
    """
    source_dir, out_dir = Path(source_dir), Path(out_dir)
    settings = settings or Settings()
    report = progress or (lambda stage, done, total: None)
    needed = [EUROPARL, TATOEBA, *DEVELOPMENT.values()]
    missing = [name for name in needed if not (source_dir / name).is_file()]
    if missing:
        raise CorpusError(f"{source_dir} lacks {', '.join(missing)}; download them first")
    tests = sorted(str(path.relative_to(source_dir)) for path in source_dir.glob("test/*.tsv*"))
    out_dir.mkdir(parents=True, exist_ok=True)

    development = {name: read_pairs(source_dir / path) for name, path in DEVELOPMENT.items()}
    unseen = [pair for pairs in development.values() for pair in pairs]
    unseen += [pair for path in tests for pair in read_pairs(source_dir / path)]
    forbidden = {key(source) for source, _ in unseen if len(source.split()) > settings.limits.overlap}

    corpora: dict[str, list[Pair]] = {}
    refused: dict[str, Counter[str]] = {}
    read: dict[str, int] = {}
    inner = {"en": Counter[str](), "fr": Counter[str]()}
    with _pool(workers) as mapped:
        for name, path in (("tatoeba", TATOEBA), ("europarl", EUROPARL)):
            lines = list(read_lines(source_dir / path))
            chunks = [lines[start : start + _CHUNK] for start in range(0, len(lines), _CHUNK)]
            read[name] = len(lines)
            pairs: list[Pair] = []
            refused[name] = Counter()
            worker = partial(clean, limits=settings.limits, minutes=name == "europarl")
            for done, (kept, counts) in enumerate(mapped(worker, chunks), 1):
                pairs += kept
                refused[name] += counts
                report(f"cleaning {name}", done, len(chunks))
            if name == "tatoeba":
                development["tatoeba"], pairs = _hold_out(pairs, settings.held_out, refused[name])
                forbidden |= {key(source) for source, _ in development["tatoeba"]}
            corpora[name] = _distinct(pairs, forbidden, settings.limits, refused[name])
        chunks_of_pairs = _chunks(corpora["tatoeba"] + corpora["europarl"][: 10 * _CHUNK])
        for counted in mapped(inner_words, chunks_of_pairs):
            for language, words in counted.items():
                inner[language].update(words)

    corpora["tatoeba-bare"] = [
        (bare(source, "en", inner["en"]), bare(target, "fr", inner["fr"])) for source, target in corpora["tatoeba"]
    ]
    read["tatoeba-bare"], refused["tatoeba-bare"] = len(corpora["tatoeba-bare"]), Counter()

    report("training the vocabulary", 0, 1)
    everyday = (corpora["tatoeba"] + corpora["tatoeba-bare"]) * settings.vocabulary_everyday
    minutes = random.Random(settings.seed).sample(
        corpora["europarl"], min(settings.vocabulary_europarl, len(corpora["europarl"]))
    )
    vocabulary = Vocabulary.train(
        (side for pair in everyday + minutes for side in pair),
        settings.vocabulary, out_dir / "vocabulary.model", settings.kind, alphabet=EUROPEAN, threads=_THREADS,
    )  # fmt: skip
    report("training the vocabulary", 1, 1)

    summaries: dict[str, CorpusSummary] = {}
    for done, (name, pairs) in enumerate(corpora.items()):
        report("encoding", done, len(corpora))
        encoded, too_long = encode_pairs(vocabulary, pairs, settings.limits.pieces, workers)
        refused[name]["too many pieces"] += too_long
        encoded.save(out_dir / f"{name}.npz")
        summaries[name] = CorpusSummary(
            read[name], len(encoded), len(encoded.source), len(encoded.target), dict(sorted(refused[name].items()))
        )
    report("encoding", len(corpora), len(corpora))
    for name, pairs in development.items():
        _write(out_dir / f"dev-{name}.tsv", "".join(f"{source}\t{target}\n" for source, target in pairs))
    summary = Summary(
        folder=out_dir,
        vocabulary=len(vocabulary),
        corpora=summaries,
        development={name: len(pairs) for name, pairs in development.items()},
        inputs={name: _sha256(source_dir / name) for name in [*needed, *tests]},
        missing=() if tests else ("test/*.tsv",),
    )
    meta = asdict(summary) | {
        "settings": asdict(settings), "vocabulary_sha256": _sha256(out_dir / "vocabulary.model"),
        "sentencepiece": sentencepiece.__version__,
    }  # fmt: skip
    del meta["folder"]  # where it lies says nothing about what it is
    _write(out_dir / "meta.json", dump(meta, indent=2) + "\n")
    return summary


def _hold_out(pairs: list[Pair], count: int, refused: Counter[str]) -> tuple[list[Pair], list[Pair]]:
    """Split off the pairs of `count` English sentences, chosen by hash; of each the first pair is for development."""
    ranked = sorted({key(source) for source, _ in pairs}, key=lambda text: hashlib.sha256(text.encode()).digest())
    chosen = set(ranked[:count])
    first: dict[str, Pair] = {}
    rest: list[Pair] = []
    for pair in pairs:
        name = key(pair[0])
        if name in chosen:
            first.setdefault(name, pair)
            refused["held out for development"] += 1
        else:
            rest.append(pair)
    return list(first.values()), rest


def _distinct(pairs: Iterable[Pair], forbidden: set[str], limits: Limits, refused: Counter[str]) -> list[Pair]:
    """The pairs, each once, whose English side is in no development or test file (unless it is a short phrase)."""
    seen: dict[Pair, None] = {}
    for pair in pairs:
        if pair in seen:
            refused["duplicate"] += 1
        elif len(pair[0].split()) > limits.overlap and key(pair[0]) in forbidden:
            refused["in a development or test file"] += 1
        else:
            seen[pair] = None
    return list(seen)


def _chunks(pairs: list[Pair]) -> list[list[Pair]]:
    return [pairs[start : start + _CHUNK] for start in range(0, len(pairs), _CHUNK)]


@contextlib.contextmanager
def _pool(workers: int) -> Iterator[Callable[..., Iterable[Any]]]:
    """A `map` over chunks that keeps their order, in this process or in several."""
    if workers == 1:
        yield map
        return
    with multiprocessing.get_context("spawn").Pool(workers) as pool:
        yield pool.imap


def _write(path: Path, text: str) -> None:
    with written(path) as partial_path:
        partial_path.write_text(text, encoding="utf-8", newline="\n")


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
