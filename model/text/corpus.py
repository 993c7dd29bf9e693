"""Data preparation: from files of sentence pairs to encoded corpora, development sets and a vocabulary."""

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
from itertools import chain
from pathlib import Path
from typing import Any

import sentencepiece

from model.progress import ProgressCallback, ignore_progress
from model.serialization.codec import dump_json
from model.serialization.files import compute_checksum, replace_file
from model.text.cleaning import (
    Pair,
    PairLimits,
    clean_lines,
    count_inner_words,
    count_sources_in_share,
    deduplicate,
    drop_known_targets,
    format_as_sentence,
    is_overlap_checked,
    is_selected_by_hash,
    make_bare,
    make_match_key,
    split_held_out,
)
from model.text.control_file import BARE_SUFFIX, ControlFile, CorpusSettings, build_default_control
from model.text.endings import EndingFinder
from model.text.everyday_sentences import collect_excluded_keys
from model.text.languages import LanguagePair, get_language
from model.text.pair_files import (
    PairFile,
    find_language_pair,
    find_pair_files,
    find_required_files,
    match_pair_files,
)
from model.text.politeness import TAGS, tag_pair
from model.text.prepared import META_FILE, CorpusError, encode_pairs
from model.text.synthetic.corpora import find_unavailable, generate_corpora
from model.text.vocabulary import Vocabulary, VocabularyError, VocabularyKind

_CHUNK = 20_000  # pairs per task of a worker process
_INNER_WORD_PAIRS = 10 * _CHUNK  # pairs of each corpus in which words inside sentences are counted
_VOCABULARY_THREADS = 2  # fixed: the sums of vocabulary training depend on their number


@dataclass(frozen=True)
class CorpusSummary:
    """What became of one corpus: pairs read and kept, tokens per side, and counts of rejected pairs by reason."""

    read: int
    kept: int
    source_tokens: int
    target_tokens: int
    rejected: dict[str, int]


@dataclass(frozen=True)
class PreparationSummary:
    """The result of `prepare_corpora`; all but the folder is also its metadata."""

    folder: Path
    languages: LanguagePair
    vocabulary_size: int
    corpora: dict[str, CorpusSummary]
    development: dict[str, int]
    """Pairs of each development file."""
    scored: tuple[str, ...]
    """Development files that dev BLEU is computed on."""
    by_length: tuple[str, ...]
    """Development files that BLEU by length is computed on."""
    inputs: dict[str, str] = field(repr=False)
    """SHA-256 of every file read."""
    missing: tuple[str, ...] = ()
    """Optional files that were not found."""
    notes: dict[str, str] = field(default_factory=dict)
    """How corpora in another format than UTF-8 lines "source<TAB>target" were read."""


@dataclass
class _WorkingCorpus:
    """A corpus during preparation."""

    pairs: list[Pair]
    read: int
    rejected: Counter[str] = field(default_factory=Counter)
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
    """Prepare the corpora under `source_dir` for training, as a control file says.

    Writes to `out_dir`: vocabulary.model, NAME.npz for each corpus (`EncodedCorpus`), dev-NAME.tsv, meta.json. The
    result depends on the inputs and the control file only, not on the number of workers.

    `control`: None prepares all of train/ and dev/ (`build_default_control`). `language_pair`: by default that of the
    control file, else that of the file names; files of the other direction are reversed. `vocabulary_size`,
    `vocabulary_kind`: override the control file. `vocabulary`: used instead of training one. `workers`: processes.

    Raises CorpusError if a file is missing or has no usable pair, VocabularyError if no such vocabulary can be trained,
    SettingsFileError if the overridden vocabulary contradicts the control file.
    """
    source_dir, out_dir = Path(source_dir), Path(out_dir)
    report = progress or ignore_progress
    control, language_pair = _resolve_settings(source_dir, control, language_pair)
    if vocabulary:
        vocabulary_size, vocabulary_kind = len(vocabulary), vocabulary.kind
    vocabulary_settings = replace(control.vocabulary, size=vocabulary_size or control.vocabulary.size,
                                  kind=vocabulary_kind or control.vocabulary.kind,
                                  joined_spaces=0 if vocabulary else control.vocabulary.joined_spaces)  # fmt: skip
    control = replace(control, vocabulary=vocabulary_settings)
    if vocabulary_settings.kind == "word":  # whole words in capitals are UNK almost all
        control = replace(control, synthetic=replace(control.synthetic, capitals={}))
    unspaced = [code for code in language_pair if not get_language(code).has_spaces]
    if unspaced and vocabulary_settings.kind == "word":
        raise VocabularyError(f"{unspaced[0]} has no spaces between words, so a vocabulary of whole words is "
                              "impossible; use the kind unigram")
    excluded_keys = collect_excluded_keys(control.keep_out)
    required = {name: f"train/{name}" for name in control.corpora}
    required |= {f"dev/{name}": file for name, file in control.development.files.items()}
    files = find_required_files(source_dir, required, language_pair)
    test_files = match_pair_files(source_dir, control.avoid, language_pair)
    development = {name: files[f"dev/{name}"].read_pairs() for name in control.development.files}
    test_pairs = [pair for pairs in development.values() for pair in pairs]
    test_pairs += [pair for file in test_files for pair in file.read_pairs()]
    test_keys = {make_match_key(source) for source, _ in test_pairs
                 if is_overlap_checked(source, language_pair[0], control.limits)}  # fmt: skip
    out_dir.mkdir(parents=True, exist_ok=True)

    with open_pool(workers) as map_chunks:
        corpora = {name: _clean_corpus(name, files[name], settings, control.limits, language_pair, map_chunks, report)
                   for name, settings in control.corpora.items()}  # fmt: skip
        for name, settings in control.corpora.items():
            if settings.held_out:
                corpus = corpora[name]
                count = min(settings.held_out, count_sources_in_share(corpus.pairs, settings.held_out_share))
                held_out, corpus.pairs = split_held_out(corpus.pairs, count, corpus.rejected)
                development.setdefault(settings.held_out_as or name, []).extend(held_out)
                test_keys |= {make_match_key(source) for source, _ in held_out}
        known_pairs = chain(test_pairs, *development.values())
        target_keys = {make_match_key(target) for _, target in known_pairs}
        for name, corpus in corpora.items():
            if control.corpora[name].back_translated:
                corpus.pairs = drop_known_targets(corpus.pairs, target_keys, corpus.rejected)
            corpus.pairs = deduplicate(corpus.pairs, test_keys, excluded_keys, control.limits, corpus.rejected,
                                       language_pair)  # fmt: skip
            if not corpus.pairs:
                raise files[name].build_empty_error(corpus.rejected)
        inner_counts = Counter[str](), Counter[str]()
        sample = [pair for corpus in corpora.values() for pair in corpus.pairs[:_INNER_WORD_PAIRS]]
        for chunk_counts in map_chunks(partial(count_inner_words, language_pair=language_pair), _split_chunks(sample)):
            for side_counts, chunk_side_counts in zip(inner_counts, chunk_counts, strict=True):
                side_counts.update(chunk_side_counts)

    real_pairs = {name: corpus.pairs for name, corpus in corpora.items()}
    for name, settings in control.corpora.items():
        if settings.bare:
            bare = [(make_bare(source, language_pair[0], inner_counts[0]),
                     make_bare(target, language_pair[1], inner_counts[1])) for source, target in real_pairs[name]]
            corpora[name + BARE_SUFFIX] = _WorkingCorpus(bare, len(bare))
    synthetic = generate_corpora(control.synthetic, real_pairs, inner_counts, language_pair, control.seed)
    for finished_count, (name, pairs) in enumerate(synthetic):
        report("making by rule", finished_count, len(control.synthetic.corpus_names))
        corpus = _WorkingCorpus([], len(pairs))
        corpus.pairs = deduplicate(pairs, test_keys, excluded_keys, control.limits, corpus.rejected, language_pair)
        corpora[name] = corpus
    if control.synthetic.corpus_names:
        report("making by rule", len(control.synthetic.corpus_names), len(control.synthetic.corpus_names))

    if control.style_tags and language_pair[1] == "ko":
        for corpus in corpora.values():
            corpus.pairs = [tag_pair(pair) for pair in corpus.pairs]

    vocabulary_path = out_dir / "vocabulary.model"
    if vocabulary:
        vocabulary.save(vocabulary_path)
    else:
        report("training the vocabulary", 0, 1)
        vocabulary = _train_vocabulary(corpora, control, language_pair, vocabulary_path)
        report("training the vocabulary", 1, 1)

    summaries: dict[str, CorpusSummary] = {}
    for finished_count, (name, corpus) in enumerate(corpora.items()):
        report("encoding", finished_count, len(corpora))
        encoded, too_long = encode_pairs(vocabulary, corpus.pairs, control.limits.pieces, workers, language_pair)
        corpus.rejected["too many tokens"] += too_long
        encoded.save(out_dir / f"{name}.npz")
        summaries[name] = CorpusSummary(corpus.read, len(encoded), len(encoded.source), len(encoded.target),
                                        dict(sorted(corpus.rejected.items())))  # fmt: skip
    report("encoding", len(corpora), len(corpora))
    for name, pairs in development.items():
        text = "".join(f"{source}\t{target}\n" for source, target in pairs)
        replace_file(out_dir / f"dev-{name}.tsv", text.encode())
    scored = control.development.scored or tuple(development)
    summary = PreparationSummary(
        folder=out_dir,
        languages=language_pair,
        vocabulary_size=len(vocabulary),
        corpora=summaries,
        development={name: len(pairs) for name, pairs in development.items()},
        scored=scored,
        by_length=control.development.by_length or scored,
        inputs={file.path.relative_to(source_dir).as_posix(): compute_checksum(file.path)
                for file in (*files.values(), *test_files)},
        missing=tuple(f"{pattern}.{'-'.join(language_pair)}.tsv" for pattern in control.avoid
                      if not match_pair_files(source_dir, [pattern], language_pair)),
        notes={name: corpus.note for name, corpus in corpora.items() if corpus.note},
    )  # fmt: skip
    meta = asdict(summary) | {
        "control": asdict(control), "vocabulary_sha256": compute_checksum(vocabulary_path),
        "sentencepiece": sentencepiece.__version__,
    }  # fmt: skip
    del meta["folder"]  # the metadata do not depend on the place
    replace_file(out_dir / META_FILE, (dump_json(meta, indent=2) + "\n").encode())
    return summary


def _resolve_settings(
    folder: Path, control: ControlFile | None, language_pair: LanguagePair | None
) -> tuple[ControlFile, LanguagePair]:
    """Return the control file and the languages, with defaults for None. Raises CorpusError."""
    if language_pair is None and control is not None and control.languages:
        source, target = control.languages
        language_pair = source, target
    language_pair = language_pair or find_language_pair(folder, control.corpora if control else ())
    if control is None:
        development = {name: f"dev/{name}" for name in find_pair_files(folder, "dev", language_pair)}
        corpora = list(find_pair_files(folder, "train", language_pair))
        if not corpora:
            raise CorpusError(f"{folder} holds no corpus train/NAME.{'-'.join(language_pair)}.tsv")
        control = build_default_control(corpora, development)
    if unavailable := find_unavailable(control.synthetic, language_pair):
        raise CorpusError(f"there are no synthetic corpora ({', '.join(unavailable)}) from {language_pair[0]} into "
                          f"{language_pair[1]}; leave out the section [synthetic]")
    if control.style_tags and "ko" not in language_pair:
        raise CorpusError(f"style_tags is for Korean, not for {'-'.join(language_pair)}; leave it out")
    return control, language_pair


def _clean_corpus(
    name: str,
    file: PairFile,
    settings: CorpusSettings,
    limits: PairLimits,
    language_pair: LanguagePair,
    map_chunks: Callable[..., Iterable[Any]],
    report: ProgressCallback,
) -> _WorkingCorpus:
    """Read and clean a corpus; its pairs keep their order."""
    lines, note = file.read_lines_and_note()
    chunks = _split_chunks(lines)
    corpus = _WorkingCorpus([], len(lines), note=note)
    clean = partial(clean_lines, limits=limits, is_minutes=settings.minutes, language_pair=language_pair,
                    is_reversed=file.is_reversed)  # fmt: skip
    for finished_count, (pairs, rejected) in enumerate(map_chunks(clean, chunks), 1):
        corpus.pairs += pairs
        corpus.rejected += rejected
        report(f"cleaning {name}", finished_count, len(chunks))
    if settings.phrases:
        corpus.pairs = [format_as_sentence(pair, language_pair) if is_selected_by_hash(pair[0]) else pair
                        for pair in corpus.pairs]  # fmt: skip
    return corpus


def _train_vocabulary(
    corpora: dict[str, _WorkingCorpus], control: ControlFile, language_pair: LanguagePair, path: Path
) -> Vocabulary:
    """Train a vocabulary on the corpora, each repeated as often as the control file says."""
    pairs: list[Pair] = []
    for name, settings in control.corpora.items():
        parts = [corpora[part].pairs for part in ([name, name + BARE_SUFFIX] if settings.bare else [name])]
        if limit := settings.vocabulary_pairs:
            parts = [random.Random(control.seed).sample(part, min(limit, len(part))) for part in parts]
        pairs += [pair for part in parts for pair in part] * settings.vocabulary_copies
    for name in control.synthetic.corpus_names:
        pairs += corpora[name].pairs
    vocabulary = control.vocabulary
    letters = "".join(get_language(code).alphabet for code in language_pair) if vocabulary.alphabet else ""
    alphabet = "".join(dict.fromkeys(letters))
    symbols = tuple(TAGS.values()) if control.style_tags else ()
    sides: list[Iterable[str]] = [[pair[side] for pair in pairs] for side in (0, 1)]
    if vocabulary.kind == "unigram":
        sides = [map(EndingFinder(language, side).mark, side) if language.endings else side
                 for language, side in zip(map(get_language, language_pair), sides, strict=True)]  # fmt: skip
    lines = (line for pair in zip(*sides, strict=True) for line in pair)
    try:
        return Vocabulary.train(lines, vocabulary.size, path, vocabulary.kind, alphabet=alphabet, symbols=symbols,
                                joined_spaces=vocabulary.joined_spaces, threads=_VOCABULARY_THREADS)
    except VocabularyError as error:
        hint = f"; {len(alphabet)} of them are the alphabet's, which vocabulary.alphabet = false leaves out"
        is_alphabet_too_large = alphabet and "letters alone take" in str(error)
        raise VocabularyError(f"{error}{hint if is_alphabet_too_large else ''}") from error


def _split_chunks(items: list[Any]) -> list[list[Any]]:
    return [items[start : start + _CHUNK] for start in range(0, len(items), _CHUNK)]


@contextlib.contextmanager
def open_pool(workers: int) -> Iterator[Callable[..., Iterable[Any]]]:
    """Yield an order-preserving `map`, in this process or in several. Raises CorpusError if a process dies."""
    if workers == 1:
        yield map
        return
    try:
        with ProcessPoolExecutor(workers, multiprocessing.get_context("spawn")) as pool:
            yield pool.map
    except BrokenProcessPool as error:
        raise CorpusError(f"one of the {workers} worker processes died, perhaps for lack of memory; try --workers 1"
                          ) from error
