"""Errors and notes about attention files, each one sentence for the user."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

ImportProblem = Literal[
    "size", "unpacked", "format", "json", "npz", "pickled", "empty", "no_tokens", "no_maps", "tokens",
    "empty_token", "ids", "long", "length", "no_words", "shape", "ragged", "batch", "sides", "not_cross",
    "not_encoder", "not_decoder", "start", "missing_source", "missing_target", "unclear", "transposed", "subwords",
    "values", "range", "maps", "names", "axes", "header", "rows", "hard", "no_attention", "need_tokens", "lines",
    "sentences", "trace",
]  # fmt: skip
_PROBLEMS: dict[ImportProblem, str] = {
    "size": "has {got} bytes, and at most {limit} can be read: save fewer sentences or layers.",
    "unpacked": "unpacks to {got} bytes, and at most {limit} are read: save fewer sentences or layers.",
    "format": "is in no format that can be read: give JSON, NPZ, NPY, or the output of Nematus, marian (--alignment "
              "soft), fairseq (--print-alignment soft) or OpenNMT-py (-attn_debug).",
    "json": "is not well-formed JSON at line {line}: save it with json.dump.",
    "npz": "is not an NPY or NPZ file of plain arrays: save it with numpy.savez.",
    "pickled": "holds Python objects, which are never opened: save arrays of numbers with numpy.savez, tokens as "
               "arrays of strings.",
    "empty": "holds no sentence: give tokens and weights.",
    "no_tokens": "lacks the tokens of the {side} in sentence {sentence}: give them as a list of strings named {side}.",
    "no_maps": "holds no weights for sentence {sentence}: give a matrix of target rows and source columns.",
    "tokens": "has something other than strings among the {side} tokens of sentence {sentence}: give a list of "
              "strings.",
    "empty_token": "has an empty string as {side} token {place} of sentence {sentence}: leave it out, with its "
                   "weights.",
    "ids": "has numbers as the {side} tokens of sentence {sentence}: save tokenizer.convert_ids_to_tokens(ids) "
           "instead.",
    "long": "has a {side} token of {got} characters in sentence {sentence}, and at most {limit} are read: give the "
            "tokens one by one.",
    "length": "has {got} {side} tokens in sentence {sentence}, and 1 to {limit} can be drawn: leave longer ones out.",
    "no_words": "has no words on the {side} side of sentence {sentence}: leave the sentence out.",
    "shape": "has the map {name} of sentence {sentence} with the shape {got}: give rows by columns, with layers and "
             "heads before them where there are several.",
    "ragged": "has rows of different lengths in the map {name} of sentence {sentence}: give every token a column.",
    "batch": "has the map {name} of sentence {sentence} for a batch of {got} sentences or beams: save one sentence at "
             "a time (weights[:, 0]), translated with num_beams=1.",
    "sides": "has the map {name} of sentence {sentence} with {rows} rows and {columns} columns, which fits neither "
             "{target} target and {source} source tokens nor one side by itself: give every token a row or a column.",
    "not_cross": "has the map {name} of sentence {sentence} with {rows} rows and {columns} columns, but as "
                 "cross-attention it would have {target} rows (target) and {source} columns (source): save that, or "
                 "correct its name or the tokens.",
    "not_encoder": "has the map {name} of sentence {sentence} with {rows} rows and {columns} columns, but by its name "
                   "it is the encoder's self-attention, which has {source} rows and {source} columns (source); the "
                   "target has {target} tokens: if it is cross-attention, name it cross_attentions.",
    "not_decoder": "has the map {name} of sentence {sentence} with {rows} rows and {columns} columns, but by its name "
                   "it is the decoder's self-attention, which has {target} rows and {target} columns (target); the "
                   "source has {source} tokens: if it is cross-attention, name it cross_attentions.",
    "start": "has {target} target tokens in sentence {sentence}, the first of them {token}, and the map {name} has "
             "{rows} rows: leave out the start token (target[1:]), or save a row for it too.",
    "missing_source": "has {source} source tokens in sentence {sentence}, the end among them, and the map {name} has "
                      "{columns} columns: a token is missing, perhaps a language code or start token at the front; "
                      "save the tokens exactly as the model read them.",
    "missing_target": "has {target} target tokens in sentence {sentence}, the end among them, and the map {name} has "
                      "{rows} rows: a token is missing, perhaps a language code or start token at the front; save the "
                      "tokens exactly as the model wrote them.",
    "unclear": "has the map {name} of sentence {sentence} with {rows} rows and {columns} columns for {target} target "
               "and {source} source tokens: if it is cross-attention, a token is missing or too many; if it is "
               "self-attention, name it encoder_self_attention or decoder_self_attention.",
    "transposed": "has the map {name} of sentence {sentence} with {rows} rows and {columns} columns for {target} "
                  "target and {source} source tokens: turn it round (.T), so that each target token is a row.",
    "subwords": "has {got} {side} tokens in sentence {sentence}, and its weights are for {expected}: give the subwords "
                "that the model worked with ({option}).",
    "values": "has something that is not a finite number in the map {name} of sentence {sentence}: give numbers only, "
              "no NaN or infinity.",
    "range": "has the weight {got} in the map {name} of sentence {sentence}: give shares between 0 and 1, as they are "
             "after the softmax.",
    "maps": "has {got} maps in sentence {sentence}, and at most {limit} are read: save fewer layers or heads.",
    "names": "has two maps named {name} in sentence {sentence}: name them apart.",
    "axes": 'has "axes" in sentence {sentence} that are no pairs of "target" and "source" for maps by their names: '
            'give for example {{"decoder_attentions": ["target", "source"]}}.',
    "header": "has no header at line {line}, where the next sentence must begin: write number, target, score, source "
              "and two lengths, with ||| between them.",
    "rows": "has {got} numbers at line {line}, and the first row of that sentence has {expected}: give every target "
            "token as many weights as there are source tokens.",
    "hard": "holds links between words at line {line} and no weights: run {option} again.",
    "no_attention": "is from fairseq and has no lines that begin with A-: run fairseq-generate again with "
                    "--print-alignment soft.",
    "need_tokens": "holds weights without tokens ({side}): open it in the app and paste the sentences, or save JSON "
                   "with source, target and the weights.",
    "lines": "holds weights for {expected} sentences, and {got} {side} lines are given: give one line for each.",
    "sentences": "has {got} sentences, and at most {limit} are read: save fewer.",
    "trace": "holds traces of this app, of which number {sentence} can't be opened: {reason}",
}  # fmt: skip

ImportNoteKind = Literal["left_out", "end_of_source", "end_of_target", "start_row", "sums", "transposed", "padded",
                   "open", "self", "cut"]  # fmt: skip
_NOTES: dict[ImportNoteKind, str] = {
    "left_out": "Sentence {sentences} is left out. {reason}",
    "end_of_source": "The weights have one column more than there are source tokens (sentence {sentences}). It is read "
                     "as the end of the sentence; if it is anything else, list it among the tokens.",
    "end_of_target": "The weights have one row more than there are target tokens (sentence {sentences}). It is read as "
                     "the end of the sentence; if it is anything else, list it among the tokens.",
    "start_row": "The target begins with {token}, which has a row of its own (sentence {sentences}). Rows are read as "
                 "the tokens that the model wrote; if they are its input, leave out the first token and the last row.",
    "sums": "The rows of {name} do not all sum to 1 (sentence {sentences}): row {row} of sentence {first} sums to "
            "{sum}.",
    "transposed": "{name} is transposed, since its columns sum to 1 and its rows don't (sentence {sentences}).",
    "padded": "Rows or columns beyond the tokens are left out as padding (sentence {sentences}).",
    "open": "{name} may be {role} or {other}: both sides have the same number of tokens, {length} in sentence {first} "
            "(sentence {sentences}). It is read as "
            '{role}; to have it as {other}, put "axes": {{"{name}": {axes}}} beside it in JSON.',
    "self": "{name} is read as {role}, because of its rows and columns, {rows} and {columns} in sentence {first} "
            "(sentence {sentences}).",
    "cut": "OpenNMT-py cuts tokens to 7 characters (source) and 10 (target) in its tables: for whole ones, run it with "
           "-verbose too.",
}  # fmt: skip
_MAX_LISTED = 5  # sentences listed in a note


class AttentionFileError(ValueError):
    """A file that can't be read as attention; the message is one sentence for the user.

    `kind` and `values` (the numbers and names in the message) let pages translate it.
    """

    def __init__(self, kind: ImportProblem, **values: int | str) -> None:
        formatted = {key: f"{value:,}" if isinstance(value, int) else value for key, value in values.items()}
        super().__init__("The file " + _PROBLEMS[kind].format(**formatted))
        self.kind, self.values = kind, formatted


@dataclass(frozen=True)
class ImportNote:
    """A note on a file that was read.

    `values`: names and numbers in its text; `sentences`: the numbers of the sentences it is about, from 1; `reason`:
    why a sentence is left out.
    """

    kind: ImportNoteKind
    values: Mapping[str, str] = field(default_factory=dict)
    sentences: tuple[int, ...] = ()
    reason: AttentionFileError | None = None

    @property
    def sentence_list(self) -> str:
        """The numbers of the first sentences: "2, 3, 5", or "1, 2, 3, 4, 5, …" if there are more."""
        numbers = ", ".join(map(str, self.sentences[:_MAX_LISTED]))
        return f"{numbers}, …" if len(self.sentences) > _MAX_LISTED else numbers

    def __str__(self) -> str:
        reason = "" if self.reason is None else str(self.reason)
        return _NOTES[self.kind].format(**self.values, sentences=self.sentence_list, reason=reason)


def merge_notes(notes: list[ImportNote]) -> tuple[ImportNote, ...]:
    """Merge notes of one kind about the same map, side, token and role.

    Their numbers are those of the first sentence, whose number is the value "first".
    """
    merged: dict[tuple[str, ...], ImportNote] = {}
    for note in notes:
        values = note.values if note.reason is None else note.reason.values
        subject = (note.kind, "" if note.reason is None else note.reason.kind)
        key = (*subject, *(str(values.get(name, "")) for name in ("name", "side", "token", "role")))
        first = merged.get(key)
        merged[key] = note if first is None else replace(first, sentences=(*first.sentences, *note.sentences))
    return tuple(merged.values())
