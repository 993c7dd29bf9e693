"""Which tokens of a toolkit make a word, and which of them end a sentence.

Toolkits cut words in four ways: SentencePiece marks the beginning of a word (U+2581), GPT-2's byte pairs too (U+0120),
subword-nmt marks what goes on (@@ at the end of a piece), WordPiece what goes on with a word (## at its beginning).
A list in which none of these marks is found has whole words.
"""

from collections.abc import Sequence

from model.trace import END_PIECE, WORD_START, Side

BYTE_START = "\u0120"  # GPT-2's: a space before the piece
ENDS = frozenset({"</s>", "<eos>", "</S>", "<EOS>", "EOS", "[SEP]", "<|endoftext|>", "<|im_end|>", "_EOS", "<end>"})


def side(tokens: Sequence[str], *, ends: bool) -> Side:
    """One side of a translation by its tokens; with `ends`, the last of them is the end of the sentence."""
    body = list(tokens[:-1]) if ends else list(tokens)
    texts, begins = _cut(body)
    words: list[str] = []
    word_of: list[int] = []
    for text, begin in zip(texts, begins, strict=True):
        if begin or not words:
            words.append(text)
        else:
            words[-1] += text
        word_of.append(len(words) - 1)
    pieces = [WORD_START + text if begin else text for text, begin in zip(texts, begins, strict=True)]
    if ends:
        pieces.append(END_PIECE)
        word_of.append(-1)
    return Side(" ".join(words), tuple(words), tuple(pieces), tuple(word_of))


def ends(tokens: Sequence[str]) -> bool:
    """Whether the last token is an end of the sentence that some toolkit writes."""
    return len(tokens) > 1 and tokens[-1] in ENDS


def _cut(body: list[str]) -> tuple[list[str], list[bool]]:
    """The tokens without their marks, and which of them begin a word."""
    for mark in (WORD_START, BYTE_START):
        if any(token.startswith(mark) for token in body):
            begins = [token.startswith(mark) or _special(token) or number == 0 or _special(body[number - 1])
                      for number, token in enumerate(body)]
            return [token.removeprefix(mark) or token for token in body], begins
    if any(token.endswith("@@") and len(token) > 2 for token in body):
        begins = [number == 0 or not body[number - 1].endswith("@@") for number in range(len(body))]
        return [token.removesuffix("@@") or token for token in body], begins
    goes_on = [token.startswith("##") and len(token) > 2 for token in body]
    return ([token.removeprefix("##") if on else token for token, on in zip(body, goes_on, strict=True)],
            [not on for on in goes_on])


def _special(token: str) -> bool:
    """Whether the token is one that no text holds, as <s>, [CLS] or >>fra<<."""
    return len(token) > 2 and (token[0], token[-1]) in {("<", ">"), ("[", "]"), (">", "<")}
