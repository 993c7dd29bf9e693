"""The commands about parallel text: `data`, `inspect` and `lexicon`."""

from __future__ import annotations

import json
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from model.analysis.lexicon.learn import LexiconSettings, learn_lexicon
from model.analysis.lexicon.lexicon import FOLDER
from model.checkpoints import checkpoint
from model.cli.shared import make_table, print_line, print_table, show_progress
from model.cli.text_input import read_input_bytes
from model.importers import describe_attention_file, is_attention_file
from model.serialization.files import replace_file
from model.text.control_file import build_default_control, load_control
from model.text.corpus import prepare_corpora
from model.text.languages import parse_language_pair
from model.text.pair_files import find_language_pair, find_pair_files, parse_table
from model.text.prepared import META_FILE, CorpusError
from model.text.vocabulary import MAX_VOCABULARY, Vocabulary
from model.training import DATA

LanguagesOption = Annotated[str, typer.Option(metavar="SRC-TGT", help="Source and target, such as ko-en.")]


class VocabularyKind(StrEnum):
    """What the entries of a vocabulary are."""

    unigram = "unigram"
    word = "word"


def data(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A folder of corpora: train/NAME.SRC-TGT.tsv[.xz].")],
    control: Annotated[str, typer.Option(help="A control file by name (shipped, wide, korean) or a .toml file.")] = "",
    languages: LanguagesOption = "",
    out: Annotated[Path, typer.Option(help="The folder for the prepared data.")] = DATA,
    workers: Annotated[int, typer.Option(min=1, max=64, help="Processes that clean and count.")] = 2,
    vocabulary: Annotated[int | None, typer.Option(min=4, max=MAX_VOCABULARY, help="Size of the vocabulary (default: "
                                                                                   "the control file's).")] = None,
    kind: Annotated[VocabularyKind | None, typer.Option(help="Subwords and bytes, or whole words and UNK.")] = None,
    vocabulary_of: Annotated[str, typer.Option(metavar="CHECKPOINT", help="Use the vocabulary of this model, so that "
                                                                          "its training can continue.")] = "",
) -> None:
    """Clean corpora, learn the vocabulary, and write the data for training.

    Without a control file: every corpus of DIR/train once, development files from DIR/dev, or else held-out sentences.

    **Examples**

    python -m model data corpora --control shipped

    python -m model data corpora --control wide --vocabulary-of rnnsearch-50 --out runs/wide

    python -m model data corpora --control korean --languages ko-en --out runs/korean-ko-en

    python -m model data mine --languages de-en --vocabulary 4000 --out runs/data-de
    """
    if vocabulary_of and (vocabulary or kind):
        raise typer.BadParameter("--vocabulary-of takes a model's vocabulary as it is: leave out --vocabulary and "
                                 "--kind")
    if (out / META_FILE).exists():
        raise typer.BadParameter(f"{out} holds prepared text already, which runs may need: give another --out, or "
                                 "delete that folder first, if no run is in it")
    if leftovers := [path.name for path in sorted((*out.glob("*.npz"), *out.glob("dev-*.tsv")))]:
        raise typer.BadParameter(f"{out} holds {', '.join(leftovers)} of a preparation that did not end, perhaps of "
                                 "another vocabulary: delete that folder first, or give another --out")
    model_vocabulary = None
    if vocabulary_of:
        model_vocabulary = Vocabulary.load(checkpoint.find_checkpoint(vocabulary_of) / checkpoint.VOCABULARY)
    with show_progress() as progress:
        summary = prepare_corpora(folder, out, load_control(control) if control else None,
                                  language_pair=parse_language_pair(languages) if languages else None,
                                  vocabulary_size=vocabulary, vocabulary_kind=kind.value if kind else None,
                                  vocabulary=model_vocabulary, workers=workers, progress=progress)  # fmt: skip
    print_line(f"from {summary.languages[0]} into {summary.languages[1]}")
    table = make_table("corpus", "pairs read", "pairs kept", "source tokens", "target tokens", "rejected",
                       text_columns=("rejected",))
    for corpus, counts in summary.corpora.items():
        rejected = ", ".join(f"{number:,} {reason}" for reason, number in counts.rejected.items() if number)
        table.add_row(corpus, f"{counts.read:,}", f"{counts.kept:,}", f"{counts.source_tokens:,}",
                      f"{counts.target_tokens:,}", rejected)
    print_table(table)
    for corpus, note in summary.notes.items():
        print_line(f"{corpus}: {note}")
    for name in summary.missing:
        print_line(f"not found, left out: {name}")


def inspect(
    file: Annotated[str, typer.Argument(metavar="FILE|-", help="A text (lines, TSV or CSV, plain or .xz) or a "
                                                                  "file of attention weights.")],
    languages: Annotated[str, typer.Option(metavar="SRC-TGT", help="Source and target, if the file's name "
                                                                   "does not name them.")] = "en-fr",
) -> None:
    """Show how a file is understood, as JSON, without translating.

    Of a text: encoding, separator, header, rows and notes. Of attention weights: tokens, words, maps and notes.

    **Examples**

    python -m model inspect pairs.csv

    python -m model inspect paare.tsv --languages de-en

    python -m model inspect attention.json
    """
    content, name = read_input_bytes(file)
    if is_attention_file(name, content):
        description = describe_attention_file(name, content)
    else:
        description = parse_table(content, name, parse_language_pair(languages)).to_dict()
    print_line(json.dumps(description, ensure_ascii=False, indent=2))


def lexicon(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="A folder of corpora, as "
                                                                  "model/training/README.md describes it.")],
    control: Annotated[str, typer.Option(help="A control file by name or path; its corpora are read, except those with "
                                              "`phrases`. Default: every corpus.")] = "",
    languages: LanguagesOption = "",
    most: Annotated[int, typer.Option(min=1, help="At most this many pairs of each corpus.")] = 120_000,
    out: Annotated[Path | None, typer.Option(help="The folder to write to, instead of assets.")] = None,
) -> None:
    """Learn word translation probabilities for marking omissions and additions (into assets/lexicon).

    **Examples**

    python -m model lexicon corpora --control wide

    python -m model lexicon mine --languages ko-en
    """
    pair = parse_language_pair(languages) if languages else None
    if control:
        corpora = load_control(control)
        corpora = replace(corpora, languages=pair) if pair else corpora
    else:
        pair = pair or find_language_pair(folder)
        files = list(find_pair_files(folder, "train", pair))
        if not files:
            raise CorpusError(f"{folder} holds no corpus of the languages {'-'.join(pair)}: put its pairs into "
                              f"train/NAME.{'-'.join(pair)}.tsv")
        corpora = replace(build_default_control(files, {}), languages=pair)
    options = f" --control {Path(control).name}" if control else ""
    options += (f" --languages {languages}" if languages else "") + f" --most {most}"
    with show_progress() as progress:
        command = f"python -m model lexicon FOLDER{options}"
        lexicon = learn_lexicon(folder, corpora, LexiconSettings(max_pairs=most), command, progress)
    path = (out or FOLDER) / f"{'-'.join(lexicon.languages)}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    replace_file(path, lexicon.to_json().encode())
    word_count = lexicon.entries.count("\n") + 1
    print_line(f"{path}: {word_count:,} words of {sum(lexicon.data.values()):,} pairs of sentences")
