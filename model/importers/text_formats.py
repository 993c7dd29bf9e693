"""Readers of the output of Nematus and its relatives, marian, fairseq and OpenNMT-py.

Each reader gets the lines of a file and returns a RawSentence, or an error, for every sentence.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Sequence
from itertools import islice, pairwise

from model.importers.errors import AttentionFileError
from model.importers.sentences import CROSS_AXES, RawSentence

ReadResult = list[RawSentence | AttentionFileError]
_TRIPLE_BAR = "|||"
_ESCAPED_BARS = "&#124;" * 3  # bars within a text in this app's own files
_WHOLE_NUMBER, _LENGTHS = re.compile(r"\d{1,9}"), re.compile(r"\d{1,9} +\d{1,9}")
_NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?|[-+]?(?:nan|inf)", re.IGNORECASE)
_HARD = re.compile(r"\d{1,3}-\d{1,3}(?: \d{1,3}-\d{1,3})*")  # no years: "1914-1918"
_SCORE_OF_SCORER = re.compile(r"-?\d+\.\d{6}")
# S source, H hypothesis, A alignment; other lines, such as T for the reference, are ignored
_FAIRSEQ = re.compile(r"([SHA])-(\d{1,9})\t(.*)")
_TABLE_NUMBER = re.compile(r"\*{0,9}[01]\.\d{7}")
_LOG_PREFIX = re.compile(r"^\[\d{4}-\d\d-\d\d [^\]]{0,40}\] ?")
_DETECTION_LINES = 5  # lines that decide on marian's format
_LITERAL_LIMIT = 100_000  # characters of a list of tokens in a log

MARIAN_COMMAND = "marian-decoder --no-spm-decode"
FAIRSEQ_COMMAND = "fairseq-generate without --remove-bpe, --post-process and --bpe"
TABLE_TOKEN_WIDTHS = {"source": 7, "target": 10}  # characters of a token in a table of OpenNMT-py


def find_reader(lines: Sequence[str]) -> Callable[[Sequence[str]], ReadResult] | None:
    """Return the reader for a toolkit's format, None for any other text."""
    lines_with_weights = (line for line in lines if line.strip() and not line.rstrip().endswith(_TRIPLE_BAR))
    first_lines = list(islice(lines_with_weights, _DETECTION_LINES))
    if first_lines and _parse_nematus_header(first_lines[0]) is not None:
        return read_nematus
    if first_lines and (_are_soft_alignments(first_lines) or all(map(_is_hard_alignment, first_lines))):
        return read_marian
    if len({match[1] for line in lines if (match := _FAIRSEQ.match(line))}) > 1:
        return read_fairseq
    if any(_is_table_row(row) and _is_table_header(header, row) for header, row in pairwise(lines)):
        return read_opennmt
    return None


# ---- Nematus ----------------------------------------------------------------------------------------------------


def _parse_nematus_header(line: str) -> tuple[str, str] | None:
    """Return target and source of a header: number, target, score, source and, usually, lengths in one or two fields.

    The lengths are ignored: some tools write 0 or 1, or don't count the end.
    """
    fields = [field.strip() for field in line.split(_TRIPLE_BAR)]
    if not 4 <= len(fields) <= 6 or not _WHOLE_NUMBER.fullmatch(fields[0]) or not _NUMBER.fullmatch(fields[2]):
        return None
    if len(fields) == 5 and not _LENGTHS.fullmatch(fields[4]):
        return None
    if len(fields) == 6 and not all(_WHOLE_NUMBER.fullmatch(field) for field in fields[4:]):
        return None
    target, source = (field.replace(_ESCAPED_BARS, _TRIPLE_BAR) for field in (fields[1], fields[3]))
    return target, source


def read_nematus(lines: Sequence[str]) -> ReadResult:
    """Read headers, each followed by a row of weights for every target token, up to an empty line or a header."""
    sentences: ReadResult = []
    position = 0
    while position < len(lines):
        if not lines[position].strip():
            position += 1
            continue
        header = _parse_nematus_header(lines[position])
        if header is None:
            raise AttentionFileError("header", line=position + 1)
        end = position + 1
        while end < len(lines) and lines[end].strip() and _TRIPLE_BAR not in lines[end]:
            end += 1
        target, source = header
        rows = [line.split() for line in lines[position + 1 : end]]
        matrix = _parse_rows(rows, range(position + 2, end + 1))
        if not isinstance(matrix, AttentionFileError):
            sentences.append(RawSentence(source, target, {"attention": matrix} if matrix else {}, axes=CROSS_AXES,
                                         omits_ends=True))  # fmt: skip
        else:
            sentences.append(matrix)
        position = end
    return sentences


def _parse_rows(rows: Sequence[Sequence[str]], lines: Sequence[int]) -> list[list[float]] | AttentionFileError:
    """Return rows of numbers, or the error of the first wrong row. `lines`: the line number of each row."""
    matrix: list[list[float]] = []
    for row, line in zip(rows, lines, strict=True):
        numbers = [float(cell) for cell in row if _NUMBER.fullmatch(cell)]
        expected = len(matrix[0]) if matrix else len(row)
        if len(numbers) != len(row) or len(row) != expected:
            return AttentionFileError("rows", line=line, got=len(numbers), expected=expected)
        matrix.append(numbers)
    return matrix


# ---- marian -----------------------------------------------------------------------------------------------------


def _parse_soft_alignments(text: str) -> list[list[str]] | None:
    """Split soft alignments, "w,w,w" for each target token; return None for anything else."""
    groups = [group.split(",") for group in text.split(" ")]
    return groups if all(_NUMBER.fullmatch(cell) for group in groups for cell in group) else None


def _is_distribution(groups: Sequence[Sequence[str]]) -> bool:
    """Return whether groups of numbers may be attention: of one length, each with the sum 1."""
    return len({len(group) for group in groups}) == 1 and all(
        abs(sum(map(float, group)) - 1) < 0.05 for group in groups)


def _parse_marian_line(line: str) -> tuple[int | None, str | None, list[list[str]]] | None:
    """Return number (None except in an n-best list), translation (or None) and soft alignments of a line."""
    fields = [field.strip() for field in line.split(_TRIPLE_BAR)]
    if len(fields) == 1:
        groups = _parse_soft_alignments(fields[0])
        return None if groups is None or not _is_distribution(groups) or len(groups[0]) < 2 else (None, None, groups)
    is_nbest = len(fields) > 3 and bool(_WHOLE_NUMBER.fullmatch(fields[0])) and bool(_NUMBER.fullmatch(fields[-1]))
    text_index = 1 if is_nbest else 0
    groups = _parse_soft_alignments(fields[text_index + 1])
    if groups is None or not _is_distribution(groups):
        return None
    translation = None if len(fields) == 2 and _SCORE_OF_SCORER.fullmatch(fields[0]) else fields[text_index]
    return (int(fields[0]) if is_nbest else None), translation, groups


def _are_soft_alignments(lines: Sequence[str]) -> bool:
    """Return whether the first line and at least half of all have soft alignments, and not just whole numbers, as any
    text may have."""
    parsed_lines = [_parse_marian_line(line) for line in lines]
    valid_lines = [fields for fields in parsed_lines if fields is not None]
    has_fraction = any("." in cell for _, _, groups in valid_lines for group in groups for cell in group)
    return parsed_lines[0] is not None and 2 * len(valid_lines) >= len(lines) and has_fraction


def _is_hard_alignment(line: str) -> bool:
    fields = [field.strip() for field in line.split(_TRIPLE_BAR)]
    return len(fields) > 1 and any(_HARD.fullmatch(field) for field in fields[1:])


def read_marian(lines: Sequence[str]) -> ReadResult:
    """Read `--alignment soft`: translation ||| alignments, an n-best list, or alignments only.

    There is no source, and from marian-scorer no target either.
    """
    sentences: ReadResult = []
    for number, line in enumerate(lines):
        if _is_hard_alignment(line):
            raise AttentionFileError("hard", line=number + 1, option="marian --alignment soft")
        fields = _parse_marian_line(line)
        if fields is None:
            sentences.append(AttentionFileError("no_maps", sentence=number + 1))
            continue
        nbest_number, translation, groups = fields
        weights = {"attention": [[float(cell) for cell in group] for group in groups]}
        row = number if nbest_number is None else nbest_number
        sentences.append(RawSentence(None, translation, weights, row=row, axes=CROSS_AXES, command=MARIAN_COMMAND))
    return sentences


# ---- fairseq ----------------------------------------------------------------------------------------------------


def read_fairseq(lines: Sequence[str]) -> ReadResult:
    """Read `--print-alignment soft`: source in S-, translation in H-, its weights in the next A-."""
    sentences: ReadResult = []
    sources: dict[str, str] = {}
    translations: dict[str, str] = {}
    for number, line in enumerate(lines, 1):
        match = _FAIRSEQ.match(line)
        if match is None:
            continue
        kind, key, content = match.groups()
        if kind == "S":
            sources[key] = content
        elif kind == "H":
            translations[key] = content.partition("\t")[2]
        else:
            if _HARD.fullmatch(content.strip()):
                raise AttentionFileError("hard", line=number,
                                         option="fairseq-generate --print-alignment soft")  # fmt: skip
            matrix = _parse_rows([group.split(",") for group in content.split()], [number] * len(content.split()))
            if isinstance(matrix, AttentionFileError):
                sentences.append(matrix)
                continue
            weights = {"attention": matrix} if matrix else {}
            sentences.append(RawSentence(sources.get(key), translations.get(key), weights, row=int(key),
                                         axes=CROSS_AXES, command=FAIRSEQ_COMMAND, omits_ends=True))  # fmt: skip
    if not sentences:
        raise AttentionFileError("no_attention")
    return sentences


# ---- OpenNMT-py -------------------------------------------------------------------------------------------------


def _split_cells(line: str) -> list[str]:
    return [cell for cell in _LOG_PREFIX.sub("", line).split(" ") if cell]


def _is_table_row(line: str) -> bool:
    cells = _split_cells(line)
    return len(cells) > 1 and all(map(_TABLE_NUMBER.fullmatch, cells[1:]))


def _is_table_header(line: str, row: str) -> bool:
    return len(_split_cells(line)) == len(_split_cells(row)) - 1 and not _is_table_row(line)


def read_opennmt(lines: Sequence[str]) -> ReadResult:
    """Read the tables of `-attn_debug` and `-align_debug`: source tokens above, a target token before each row.

    The tables truncate tokens; the lines "SENT 1: [...]" and "PRED 1: ..." of -verbose before them have full tokens.
    """
    sentences: ReadResult = []
    full_tokens: dict[str, list[str]] = {}
    position = 0
    while position < len(lines):
        text = _LOG_PREFIX.sub("", lines[position])
        full_tokens |= _parse_verbose_tokens(text)
        end = position + 1
        while end < len(lines) and _is_table_row(lines[end]) and _is_table_header(lines[position], lines[end]):
            end += 1
        if end > position + 1:
            rows = [_split_cells(line) for line in lines[position + 1 : end]]
            source = _restore_tokens(_split_cells(lines[position]), full_tokens.get("source"), "source")
            target = _restore_tokens([row[0] for row in rows], full_tokens.get("target"), "target")
            matrix = [[float(cell.lstrip("*")) for cell in row[1:]] for row in rows]
            sentences.append(RawSentence(source, target, {"attention": matrix}, axes=CROSS_AXES))
            full_tokens = {}
            position = end
        else:
            position += 1
    return sentences


def _parse_verbose_tokens(line: str) -> dict[str, list[str]]:
    """Return the tokens of a line "SENT 1: ['The', 'cat']" or "PRED 1: Le chat", by side; {} for any other line."""
    match = re.match(r"(SENT|PRED) \d{1,9}: ", line)
    if match is None:
        return {}
    content = line[match.end() :]
    if match[1] == "PRED":
        return {"target": content.split()}
    try:
        is_list_literal = content.startswith("[") and len(content) <= _LITERAL_LIMIT
        tokens = ast.literal_eval(content) if is_list_literal else content.split()
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        return {}
    is_list = isinstance(tokens, list) and all(isinstance(token, str) for token in tokens)
    return {"source": tokens} if is_list else {}


def _restore_tokens(tokens: list[str], full_tokens: list[str] | None, side: str) -> list[str]:
    """Return the full tokens if those of a table are their truncated forms, else those of the table."""
    if full_tokens is None:
        return tokens
    restored = [*full_tokens, *tokens[len(full_tokens) :]]
    return restored if [token[: TABLE_TOKEN_WIDTHS[side]] for token in restored] == tokens else tokens


def has_truncated_tokens(raw: RawSentence) -> bool:
    """Return whether a table of OpenNMT-py may have truncated tokens."""
    sides = (("source", raw.source), ("target", raw.target))
    return any(len(token) == TABLE_TOKEN_WIDTHS[side] for side, tokens in sides for token in tokens)
