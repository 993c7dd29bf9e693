"""What can be wrong with a file of attention, each in one sentence."""

from typing import Literal

Problem = Literal["size", "unpacked", "format", "json", "npz", "empty", "no_tokens", "no_maps", "tokens", "long",
                  "length", "shape", "ragged", "sides", "values", "range", "maps", "names", "header", "rows",
                  "sentences", "trace"]  # fmt: skip
_PROBLEMS: dict[Problem, str] = {
    "size": "has {got} bytes, and at most {limit} can be read: save fewer sentences or layers.",
    "unpacked": "unpacks to {got} bytes, and at most {limit} are read: save fewer sentences or layers.",
    "format": "is none of the forms that are read: JSON, NPZ, or the alignments Nematus writes.",
    "json": "is no well-formed JSON at line {line}: save it with a JSON library.",
    "npz": "is no NPZ archive of plain arrays: save it with numpy.savez, without Python objects.",
    "empty": "holds no sentence: give tokens and weights.",
    "no_tokens": "lacks the tokens of the {side} in sentence {sentence}: give them as a list of texts named {side}.",
    "no_maps": "holds no weights for sentence {sentence}: give a matrix of target rows and source columns.",
    "tokens": "has something else than texts among the {side} tokens of sentence {sentence}: give a list of texts.",
    "long": "has a {side} token of {got} characters in sentence {sentence}, and at most {limit} are read: give the "
            "tokens one by one.",
    "length": "has {got} {side} tokens in sentence {sentence}, and 1 to {limit} can be drawn: leave longer ones out.",
    "shape": "has the map {name} of sentence {sentence} with the shape {got}: give numbers as rows by columns, with "
             "layers and heads before them where there are several.",
    "ragged": "has rows of different lengths in the map {name} of sentence {sentence}: give every token a column.",
    "sides": "has the map {name} of sentence {sentence} with {rows} rows and {columns} columns, which fits neither "
             "{target} target and {source} source tokens nor one side by itself: give every token a row or a column.",
    "values": "has something that is not a finite number in the map {name} of sentence {sentence}: give numbers only, "
              "no NaN or infinity.",
    "range": "has the weight {got} in the map {name} of sentence {sentence}: give shares between 0 and 1, as they are "
             "after the softmax.",
    "maps": "has {got} maps in sentence {sentence}, and at most {limit} are read: save fewer layers or heads.",
    "names": "has two maps named {name} in sentence {sentence}: name them apart.",
    "header": "has no Nematus header at line {line}, where one must stand: write number, target, score, source and "
              "two lengths, with ||| between them.",
    "rows": "has {got} numbers at line {line}, where {expected} weights are expected: give as many as the header says.",
    "sentences": "has {got} sentences, and at most {limit} are read: save fewer.",
    "trace": "holds traces of ours, of which number {sentence} can't be opened: {reason}",
}  # fmt: skip


class ForeignError(ValueError):
    """A file that can't be read as attention; the message is one sentence for the reader.

    `kind` says what is wrong and `values` holds the numbers and names of the message, for pages that say it in their
    own words.
    """

    def __init__(self, kind: Problem, **values: int | str) -> None:
        shown = {key: f"{value:,}" if isinstance(value, int) else value for key, value in values.items()}
        super().__init__("The file " + _PROBLEMS[kind].format(**shown))
        self.kind, self.values = kind, shown
