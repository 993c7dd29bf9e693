"""Reads what translation toolkits print: Nematus and its relatives, marian, fairseq and OpenNMT-py.

Each reader gets the lines of a file and returns one RawSentence, or the error of one, for every sentence in it.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

from model.importers.errors import AttentionFileError
from model.importers.sentences import CROSS_AXES, RawSentence

ReadResult = list[RawSentence | AttentionFileError]
_BARS = "|||"
_ESCAPED_BARS = "&#124;" * 3  # how this app's own files spell bars within a text
_WHOLE_NUMBER, _LENGTHS = re.compile(r"\d{1,9}"), re.compile(r"\d{1,9} +\d{1,9}")
_NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?|[-+]?(?:nan|inf)", re.IGNORECASE)
_HARD = re.compile(r"\d+-\d+(?: \d+-\d+)*")
_SCORE_OF_SCORER = re.compile(r"-?\d+\.\d{6}")
_FAIRSEQ = re.compile(r"([STHDPAEI])-(\d{1,9})\t(.*)")
_TABLE_NUMBER = re.compile(r"\*{0,9}[01]\.\d{7}")
_LOG_PREFIX = re.compile(r"^\[\d{4}-\d\d-\d\d [^\]]{0,40}\] ?")
_LITERAL_LIMIT = 100_000  # characters of a list of tokens in a log

MARIAN_OPTION = "marian-decoder --no-spm-decode"
FAIRSEQ_OPTION = "fairseq-generate without --remove-bpe, --post-process and --bpe"
TABLE_TOKEN_WIDTHS = {"source": 7, "target": 10}  # characters of a token in a table of OpenNMT-py


def find_reader(lines: Sequence[str]) -> Callable[[Sequence[str]], ReadResult] | None:
    """Return the reader of a text in one of the toolkits' formats, None for anything else."""
    first = next((line for line in lines if line.strip()), "")
    if _parse_nematus_header(first) is not None:
        return read_nematus
    if _parse_marian_line(first) is not None or _is_hard_alignment(first):
        return read_marian
    found = {match[1] for line in lines if (match := _FAIRSEQ.match(line))}
    if len(found & {"S", "H", "A"}) > 1:
        return read_fairseq
    if any(_is_table_row(line) and _is_table_header(above, line) for above, line in pairwise(lines)):
        return read_opennmt
    return None


# ---- Nematus ----------------------------------------------------------------------------------------------------


def _parse_nematus_header(line: str) -> tuple[str, str] | None:
    """Return target and source of a header: number, target, score, source, and mostly both lengths, in one field or in
    two. The lengths are of no use: tools write 0, 1, or leave the end out."""
    fields = [field.strip() for field in line.split(_BARS)]
    if not 4 <= len(fields) <= 6 or not _WHOLE_NUMBER.fullmatch(fields[0]) or not _NUMBER.fullmatch(fields[2]):
        return None
    if len(fields) == 5 and not _LENGTHS.fullmatch(fields[4]):
        return None
    if len(fields) == 6 and not all(_WHOLE_NUMBER.fullmatch(field) for field in fields[4:]):
        return None
    target, source = (field.replace(_ESCAPED_BARS, _BARS) for field in (fields[1], fields[3]))
    return target, source


def read_nematus(lines: Sequence[str]) -> ReadResult:
    """Read a header and a row of weights for each target token, up to an empty line or the next header."""
    found: ReadResult = []
    position = 0
    while position < len(lines):
        if not lines[position].strip():
            position += 1
            continue
        header = _parse_nematus_header(lines[position])
        if header is None:
            raise AttentionFileError("header", line=position + 1)
        end = position + 1
        while end < len(lines) and lines[end].strip() and _BARS not in lines[end]:
            end += 1
        target, source = header
        rows = [line.split() for line in lines[position + 1 : end]]
        matrix = _parse_rows(rows, range(position + 2, end + 1))
        if not isinstance(matrix, AttentionFileError):
            found.append(RawSentence(source, target, {"attention": matrix} if matrix else {}, axes=CROSS_AXES,
                                     omits_ends=True))
        else:
            found.append(matrix)
        position = end
    return found


def _parse_rows(rows: Sequence[Sequence[str]], lines: Sequence[int]) -> list[list[float]] | AttentionFileError:
    """Return rows of numbers, or what is wrong with the first that isn't like the others; `lines`: where each is."""
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
    """Split soft alignments, a group "w,w,w" for each target token; None for anything else."""
    groups = [group.split(",") for group in text.split(" ")]
    return groups if all(_NUMBER.fullmatch(cell) for group in groups for cell in group) else None


def _is_distribution(groups: Sequence[Sequence[str]]) -> bool:
    """Say whether numbers may be attention: as many in each group, about 1 in all."""
    return len({len(group) for group in groups}) == 1 and all(
        abs(sum(map(float, group)) - 1) < 0.05 for group in groups)


def _parse_marian_line(line: str) -> tuple[int | None, str | None, list[list[str]]] | None:
    """Return number (only in an n-best list), translation (None where it has none) and soft alignments of a line."""
    fields = [field.strip() for field in line.split(_BARS)]
    if len(fields) == 1:
        groups = _parse_soft_alignments(fields[0])
        return None if groups is None or not _is_distribution(groups) or len(groups[0]) < 2 else (None, None, groups)
    is_nbest = len(fields) > 3 and bool(_WHOLE_NUMBER.fullmatch(fields[0])) and bool(_NUMBER.fullmatch(fields[-1]))
    text = 1 if is_nbest else 0
    groups = _parse_soft_alignments(fields[text + 1])
    if groups is None or not _is_distribution(groups):
        return None
    translation = None if len(fields) == 2 and _SCORE_OF_SCORER.fullmatch(fields[0]) else fields[text]
    return (int(fields[0]) if is_nbest else None), translation, groups


def _is_hard_alignment(line: str) -> bool:
    fields = [field.strip() for field in line.split(_BARS)]
    return len(fields) > 1 and any(_HARD.fullmatch(field) for field in fields[1:])


def read_marian(lines: Sequence[str]) -> ReadResult:
    """Read `--alignment soft`: translation ||| alignments, an n-best list, or the alignments alone; the source is not
    there, and of marian-scorer not even the target."""
    found: ReadResult = []
    for number, line in enumerate(lines):
        if _is_hard_alignment(line):
            raise AttentionFileError("hard", line=number + 1, option="marian --alignment soft")
        fields = _parse_marian_line(line)
        if fields is None:
            found.append(AttentionFileError("no_maps", sentence=number + 1))
            continue
        place, translation, groups = fields
        weights = {"attention": [[float(cell) for cell in group] for group in groups]}
        row = number if place is None else place
        found.append(RawSentence(None, translation, weights, row=row, axes=CROSS_AXES, option=MARIAN_OPTION))
    return found


# ---- fairseq ----------------------------------------------------------------------------------------------------


def read_fairseq(lines: Sequence[str]) -> ReadResult:
    """Read `--print-alignment soft`: S- has the source, H- a translation, and the A- that follows it the weights."""
    found: ReadResult = []
    sources: dict[str, str] = {}
    translations: dict[str, str] = {}
    for number, line in enumerate(lines, 1):
        match = _FAIRSEQ.match(line)
        if match is None:
            continue
        kind, key, rest = match.groups()
        if kind == "S":
            sources[key] = rest
        elif kind == "H":
            translations[key] = rest.partition("\t")[2]
        elif kind == "A":
            if _HARD.fullmatch(rest.strip()):
                raise AttentionFileError("hard", line=number,
                                         option="fairseq-generate --print-alignment soft")  # fmt: skip
            matrix = _parse_rows([group.split(",") for group in rest.split()], [number] * len(rest.split()))
            if isinstance(matrix, AttentionFileError):
                found.append(matrix)
                continue
            found.append(RawSentence(sources.get(key), translations.get(key), {"attention": matrix} if matrix else {},
                                     row=int(key), axes=CROSS_AXES, option=FAIRSEQ_OPTION, omits_ends=True))  # fmt: skip
    if not found:
        raise AttentionFileError("no_attention")
    return found


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

    The tables cut tokens; whole ones are in the lines "SENT 1: [...]" and "PRED 1: ..." that -verbose prints before
    them.
    """
    found: ReadResult = []
    whole: dict[str, list[str]] = {}
    position = 0
    while position < len(lines):
        text = _LOG_PREFIX.sub("", lines[position])
        whole |= _parse_verbose_tokens(text)
        end = position + 1
        while end < len(lines) and _is_table_row(lines[end]) and _is_table_header(lines[position], lines[end]):
            end += 1
        if end > position + 1:
            source = _split_cells(lines[position])
            rows = [_split_cells(line) for line in lines[position + 1 : end]]
            target = [row[0] for row in rows]
            matrix = [[float(cell.lstrip("*")) for cell in row[1:]] for row in rows]
            found.append(RawSentence(_restore_tokens(source, whole.get("source"), "source"),
                                     _restore_tokens(target, whole.get("target"), "target"), {"attention": matrix},
                                     axes=CROSS_AXES))  # fmt: skip
            whole = {}
            position = end
        else:
            position += 1
    return found


def _parse_verbose_tokens(line: str) -> dict[str, list[str]]:
    """Return the tokens of a line "SENT 1: ['The', 'cat']" or "PRED 1: Le chat"; {} for any other line."""
    match = re.match(r"(SENT|PRED) \d{1,9}: ", line)
    if match is None:
        return {}
    rest = line[match.end() :]
    if match[1] == "PRED":
        return {"target": rest.split()}
    try:
        tokens = ast.literal_eval(rest) if rest.startswith("[") and len(rest) <= _LITERAL_LIMIT else rest.split()
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        return {}
    is_list = isinstance(tokens, list) and all(isinstance(token, str) for token in tokens)
    return {"source": tokens} if is_list else {}


def _restore_tokens(tokens: list[str], whole: list[str] | None, side: str) -> list[str]:
    """Return whole tokens where they are those of a table, cut; else those of the table."""
    if whole is None:
        return tokens
    full = [*whole, *tokens[len(whole) :]]
    return full if [token[: TABLE_TOKEN_WIDTHS[side]] for token in full] == tokens else tokens


def find_truncated_tokens(raw: RawSentence) -> Iterator[str]:
    """Yield the tokens that a table of OpenNMT-py may have cut."""
    for side, tokens in (("source", raw.source), ("target", raw.target)):
        yield from (token for token in tokens if len(token) == TABLE_TOKEN_WIDTHS[side])
