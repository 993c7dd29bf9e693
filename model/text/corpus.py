"""From files of sentence pairs to what a training run reads: compact arrays of piece ids, and development sets."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

import sentencepiece

from model.progress import ProgressCallback
from model.serialization.codec import dump_json
from model.serialization.files import compute_checksum
from model.text import languages
from model.text.chosen import count_share, deduplicate, is_overlap_checked, split_held_out
from model.text.cleaning import (
    LanguagePair,
    Limits,
    Pair,
    clean_lines,
    count_inner_words,
    format_as_sentence,
    is_selected_by_hash,
    make_bare,
    make_match_key,
)
from model.text.control_file import BARE_SUFFIX, ControlFile, CorpusSettings, build_default_control
from model.text.encoded import CorpusError, encode_pairs, written
from model.text.everyday_sentences import collect_excluded_keys
from model.text.pair_files import PairFile, find_language_pair, find_pair_files, find_required_files, match_pair_files
from model.text.prepared import META_FILE
from model.text.synthetic.corpora import generate_corpora
from model.text.vocabulary import Vocabulary, VocabularyError, VocabularyKind

_CHUNK = 20_000
_LOOKED_THROUGH = 10 * _CHUNK  # pairs of each corpus that say which words have capitals inside sentences
_THREADS = 2  # of the vocabulary's training, whose sums depend on their number


@dataclass(frozen=True)
class CorpusSummary:
    """What became of one corpus: pairs read, pairs kept, pieces on each side, and what was refused for what."""

    read: int
    kept: int
    source_pieces: int
    target_pieces: int
    refused: dict[str, int]


@dataclass(frozen=True)
class PreparationSummary:
    """What `prepare` made: where, of which inputs, and how much."""

    folder: Path
    languages: LanguagePair
    vocabulary: int
    corpora: dict[str, CorpusSummary]
    development: dict[str, int]
    scored: tuple[str, ...]
    """Those of the development files that dev BLEU is made of,"""
    by_length: tuple[str, ...]
    """and those that BLEU by length is made of."""
    inputs: dict[str, str] = field(repr=False)
    """sha256 of every file read."""
    missing: tuple[str, ...] = ()
    """What was looked for and not found, though one can do without it."""
    notes: dict[str, str] = field(default_factory=dict)
    """How corpora were read that are no UTF-8 lines of a source, a tab and its translation."""


@dataclass
class _WorkingCorpus:
    """A corpus on its way: its pairs, how many lines were read, and what was refused for what."""

    pairs: list[Pair]
    read: int
    refused: Counter[str] = field(default_factory=Counter)
    note: str = ""


def prepare_corpora(
    source_dir: str | os.PathLike[str],
    out_dir: str | os.PathLike[str],
    control: ControlFile | None = None,
    *,
    language_pair: LanguagePair | None = None,
    vocabulary_size: int | None = None,
    vocabulary_kind: VocabularyKind | None = None,
    vocabulary: Vocabulary | None = None,
    workers: int = 1,
    progress: ProgressCallback | None = None,
) -> PreparationSummary:
    """Make what training reads out of the files under `source_dir`, as `control` says, and say what became of them.

    Without a control file all of train/ is read, and all of dev/ (`model.text.control_file.plain`). `spoken` are source and
    target, else the control file's, else those of the files' names; files of the other direction are turned. `size` and
    `kind` of the vocabulary take the place of the control file's; where a vocabulary is `given`, none is learnt.
    Writes to `out_dir` vocabulary.model; of each corpus NAME.npz, an `Encoded`; dev-NAME.tsv; meta.json. The result
    depends on the inputs and the control file alone, not on how many `workers` (processes) clean and count. Raises
    CorpusError where a file is missing or nothing of it is left, VocabularyError where no such vocabulary can be made.
    """
    source_dir, out_dir = Path(source_dir), Path(out_dir)
    report = progress or (lambda stage, done, total: None)
    control, language_pair = _resolve_settings(source_dir, control, language_pair)
    if vocabulary:
        vocabulary_size, vocabulary_kind = len(vocabulary), vocabulary.kind
    vocabulary_settings = replace(control.vocabulary, size=vocabulary_size or control.vocabulary.size,
                                  kind=vocabulary_kind or control.vocabulary.kind)
    control = replace(control, vocabulary=vocabulary_settings)
    whole = [
        code
        for code in language_pair
        if vocabulary_settings.kind == "word" and not languages.get_language(code).has_spaces
    ]
    if whole:
        raise VocabularyError(f"no spaces tell the words of {whole[0]} apart, so that whole words can't be its pieces; "
                              "take the vocabulary's kind unigram")
    asked = collect_excluded_keys(control.keep_out)
    needed = {name: f"train/{name}" for name in control.corpora}
    needed |= {f"dev/{name}": file for name, file in control.development.files.items()}
    files = find_required_files(source_dir, needed, language_pair)
    avoided = match_pair_files(source_dir, control.avoid, language_pair)
    development = {name: files[f"dev/{name}"].read_pairs() for name in control.development.files}
    unseen = [pair for pairs in development.values() for pair in pairs]
    unseen += [pair for file in avoided for pair in file.read_pairs()]
    forbidden = {
        make_match_key(source) for source, _ in unseen if is_overlap_checked(source, language_pair[0], control.limits)
    }
    out_dir.mkdir(parents=True, exist_ok=True)

    with _open_pool(workers) as mapped:
        corpora = {name: _clean_corpus(name, files[name], settings, control.limits, language_pair, mapped, report)
                   for name, settings in control.corpora.items()}
        for name, settings in control.corpora.items():
            if settings.held_out:
                count = min(settings.held_out, count_share(corpora[name].pairs, settings.held_out_share))
                held_out, corpora[name].pairs = split_held_out(corpora[name].pairs, count, corpora[name].refused)
                development.setdefault(settings.held_out_as or name, []).extend(held_out)
                forbidden |= {make_match_key(source) for source, _ in held_out}
        for name, corpus in corpora.items():
            corpus.pairs = deduplicate(corpus.pairs, forbidden, asked, control.limits, corpus.refused, language_pair)
            if not corpus.pairs:
                raise files[name].build_empty_error(corpus.refused)
        inner = Counter[str](), Counter[str]()
        looked_through = [pair for corpus in corpora.values() for pair in corpus.pairs[:_LOOKED_THROUGH]]
        for counted in mapped(partial(count_inner_words, language_pair=language_pair), _chunks(looked_through)):
            for words, more in zip(inner, counted, strict=True):
                words.update(more)

    read = {name: corpus.pairs for name, corpus in corpora.items()}
    for name, settings in control.corpora.items():
        if settings.bare:
            haste = [(make_bare(source, language_pair[0], inner[0]), make_bare(target, language_pair[1], inner[1]))
                     for source, target in corpora[name].pairs]
            corpora[name + BARE_SUFFIX] = _WorkingCorpus(haste, len(haste))
    for done, (name, pairs) in enumerate(generate_corpora(control.made, read, inner, language_pair, control.seed)):
        report("making by rule", done, len(control.made.corpus_names))
        made = _WorkingCorpus([], len(pairs))
        made.pairs = deduplicate(pairs, forbidden, asked, control.limits, made.refused, language_pair)
        corpora[name] = made
    if control.made.corpus_names:
        report("making by rule", len(control.made.corpus_names), len(control.made.corpus_names))

    if vocabulary:
        vocabulary.save(out_dir / "vocabulary.model")
        vocabulary = vocabulary
    else:
        report("training the vocabulary", 0, 1)
        vocabulary = _train_vocabulary(corpora, control, language_pair, out_dir / "vocabulary.model")
        report("training the vocabulary", 1, 1)

    summaries: dict[str, CorpusSummary] = {}
    for done, (name, corpus) in enumerate(corpora.items()):
        report("encoding", done, len(corpora))
        encoded, too_long = encode_pairs(vocabulary, corpus.pairs, control.limits.pieces, workers, language_pair)
        corpus.refused["too many pieces"] += too_long
        encoded.save(out_dir / f"{name}.npz")
        refused = {reason: count for reason, count in sorted(corpus.refused.items())}
        summaries[name] = CorpusSummary(corpus.read, len(encoded), len(encoded.source), len(encoded.target), refused)
    report("encoding", len(corpora), len(corpora))
    for name, pairs in development.items():
        _write(out_dir / f"dev-{name}.tsv", "".join(f"{source}\t{target}\n" for source, target in pairs))
    scored = control.development.scored or tuple(development)
    summary = PreparationSummary(
        folder=out_dir,
        languages=language_pair,
        vocabulary=len(vocabulary),
        corpora=summaries,
        development={name: len(pairs) for name, pairs in development.items()},
        scored=scored,
        by_length=control.development.by_length or scored,
        inputs={file.path.relative_to(source_dir).as_posix(): compute_checksum(file.path)
                for file in (*files.values(), *avoided)},
        missing=tuple(f"{pattern}.{'-'.join(language_pair)}.tsv" for pattern in control.avoid
                      if not match_pair_files(source_dir, [pattern], language_pair)),
        notes={name: corpus.note for name, corpus in corpora.items() if corpus.note},
    )
    meta = asdict(summary) | {
        "control": asdict(control), "vocabulary_sha256": compute_checksum(out_dir / "vocabulary.model"),
        "sentencepiece": sentencepiece.__version__,
    }  # fmt: skip
    del meta["folder"]  # where it lies says nothing about what it is
    _write(out_dir / META_FILE, dump_json(meta, indent=2) + "\n")
    return summary


def _resolve_settings(
    folder: Path, control: ControlFile | None, spoken: LanguagePair | None
) -> tuple[ControlFile, LanguagePair]:
    """The control file and the languages that hold, as far as neither was given. Raises CorpusError."""
    if spoken is None and control is not None and control.languages:
        source, target = control.languages
        spoken = source, target
    spoken = spoken or find_language_pair(folder, control.corpora if control else ())
    if control is None:
        development = {name: f"dev/{name}" for name in find_pair_files(folder, "dev", spoken)}
        corpora = list(find_pair_files(folder, "train", spoken))
        if not corpora:
            raise CorpusError(f"{folder} holds no corpus train/NAME.{'-'.join(spoken)}.tsv")
        control = build_default_control(corpora, development)
    if control.made.corpus_names and spoken != languages.DEFAULT_PAIR:
        raise CorpusError(f"what is made by rule ({', '.join(control.made.corpus_names)}) is from English into French, "
                          f"not from {spoken[0]} into {spoken[1]}; leave out the section [made]")
    return control, spoken


def _clean_corpus(
    name: str, file: PairFile, settings: CorpusSettings, limits: Limits, spoken: LanguagePair,
    mapped: Callable[..., Iterable[Any]], report: ProgressCallback,
) -> _WorkingCorpus:
    """A corpus read and cleaned, its lines in their order."""
    lines, note = file.read_lines_and_note()
    chunks = [lines[start : start + _CHUNK] for start in range(0, len(lines), _CHUNK)]
    corpus = _WorkingCorpus([], len(lines), note=note)
    worker = partial(
        clean_lines, limits=limits, is_minutes=settings.minutes, language_pair=spoken, is_reversed=file.is_reversed
    )
    for done, (kept, counts) in enumerate(mapped(worker, chunks), 1):
        corpus.pairs += kept
        corpus.refused += counts
        report(f"cleaning {name}", done, len(chunks))
    if settings.phrases:
        corpus.pairs = [
            format_as_sentence(pair, spoken) if is_selected_by_hash(pair[0]) else pair for pair in corpus.pairs
        ]
    return corpus


def _train_vocabulary(
    corpora: dict[str, _WorkingCorpus], control: ControlFile, spoken: LanguagePair, path: Path
) -> Vocabulary:
    """The vocabulary of the corpora's text, each corpus as often as the control file says, bare ones after it."""
    text: list[Pair] = []
    for name, settings in control.corpora.items():
        pairs = corpora[name].pairs
        if settings.vocabulary_pairs:
            pairs = random.Random(control.seed).sample(pairs, min(settings.vocabulary_pairs, len(pairs)))
        if settings.bare:
            pairs = pairs + corpora[name + BARE_SUFFIX].pairs
        text += pairs * settings.vocabulary_copies
    for name in control.made.corpus_names:
        text += corpora[name].pairs
    wanted = control.vocabulary
    letters = "".join(languages.get_language(code).alphabet for code in spoken) if wanted.alphabet else ""
    alphabet = "".join(dict.fromkeys(letters))
    try:
        return Vocabulary.train((side for pair in text for side in pair), wanted.size, path, wanted.kind,
                                alphabet=alphabet, threads=_THREADS)
    except VocabularyError as error:
        hint = f"; {len(alphabet)} of them are the alphabet's, which vocabulary.alphabet = false leaves out"
        raise VocabularyError(f"{error}{hint if alphabet and wanted.kind == 'unigram' else ''}") from error


def _chunks(pairs: list[Pair]) -> list[list[Pair]]:
    return [pairs[start : start + _CHUNK] for start in range(0, len(pairs), _CHUNK)]


@contextlib.contextmanager
def _open_pool(workers: int) -> Iterator[Callable[..., Iterable[Any]]]:
    """A `map` over chunks that keeps their order, in this process or in several; CorpusError where one of them dies."""
    if workers == 1:
        yield map
        return
    try:
        with ProcessPoolExecutor(workers, multiprocessing.get_context("spawn")) as pool:
            yield pool.map
    except BrokenProcessPool as error:
        raise CorpusError(f"one of the {workers} processes that clean was ended, perhaps for want of memory; try with "
                          "--workers 1") from error


def _write(path: Path, text: str) -> None:
    with written(path) as partial_path:
        partial_path.write_text(text, encoding="utf-8", newline="\n")
