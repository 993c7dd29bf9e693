"""Tokens and weights of one sentence, from wherever they come, as a Trace."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from model.importers.problems import ForeignError
from model.importers.tokens import ends, side
from model.trace import READ_IN, MapDescription, Provenance, Side, Step, Trace, WeightMap, shares

LENGTH_LIMIT = 400  # tokens of a side
TOKEN_LIMIT = 100  # characters of one of them
MAP_LIMIT = 512  # layers times heads, and the self-attentions besides
_BEYOND = 1e-3  # how far below 0 and above 1 a weight may lie that was rounded
_NO_LANGUAGE = "und"  # BCP 47: undetermined

_USUAL = {
    "cross": "cross-attention", "cross attentions": "cross-attention", "cross attention": "cross-attention",
    "encoder": "encoder self-attention", "encoder attentions": "encoder self-attention",
    "decoder": "decoder self-attention", "decoder attentions": "decoder self-attention",
    "attentions": "attention", "attention probs": "attention", "attention weights": "attention",
    "matrix": "attention", "weights": "attention", "alpha": "attention",
}  # fmt: skip


@dataclass(frozen=True)
class Given:
    """One sentence as a file gives it: tokens, and arrays of weights by their names, of whatever shape."""

    source: Any
    target: Any
    weights: Mapping[str, Any]


def trace(given: Given, name: str, sentence: int) -> Trace:
    """The Trace of one sentence (counted from 1) of a file called `name`. Raises ForeignError."""
    source, target = _tokens(given.source, "source", sentence), _tokens(given.target, "target", sentence)
    if not given.weights:
        raise ForeignError("no_maps", sentence=sentence)
    arrays = {key: _array(values, key, sentence) for key, values in given.weights.items()}
    many = sum(math.prod(array.shape[:-2]) for array in arrays.values())
    if many > MAP_LIMIT:
        raise ForeignError("maps", got=many, limit=MAP_LIMIT, sentence=sentence)
    source, target = _ended(source, target, arrays)
    left, right = side(source, ends=ends(source)), side(target, ends=ends(target))
    maps = _with_means(_maps(arrays, left, right, sentence))
    keys = [one.key for one in maps]
    for one in maps:
        if keys.count(one.key) > 1:
            raise ForeignError("names", name=one.key, sentence=sentence)
    steps = tuple(Step(number, piece, 0.0) for number, piece in enumerate(right.pieces))
    made_by = Provenance(name, "", READ_IN, {})
    return Trace(left, right, steps, tuple(maps), 0.0, 0.0, right.ends, made_by,
                 languages=(_NO_LANGUAGE, _NO_LANGUAGE))


def _tokens(value: Any, name: str, sentence: int) -> list[str]:
    """The tokens of a side; a text is cut at its spaces."""
    if value is None:
        raise ForeignError("no_tokens", side=name, sentence=sentence)
    if isinstance(value, np.ndarray):
        if value.size > LENGTH_LIMIT:  # an archive holds any number of empty texts in a few bytes
            raise ForeignError("length", got=value.size, limit=LENGTH_LIMIT, side=name, sentence=sentence)
        value = value.tolist()
    tokens = value.split() if isinstance(value, str) else value
    if not isinstance(tokens, list) or not all(isinstance(token, str) and _writable(token) for token in tokens):
        raise ForeignError("tokens", side=name, sentence=sentence)
    if not 1 <= len(tokens) <= LENGTH_LIMIT:
        raise ForeignError("length", got=len(tokens), limit=LENGTH_LIMIT, side=name, sentence=sentence)
    longest = max(map(len, tokens))
    if longest > TOKEN_LIMIT:
        raise ForeignError("long", got=longest, limit=TOKEN_LIMIT, side=name, sentence=sentence)
    return tokens


def _writable(token: str) -> bool:
    """Whether it is a text that can be saved and sent to a page: not empty, and no half of a surrogate pair."""
    return bool(token) and not any("\ud800" <= character <= "\udfff" for character in token)


def _array(value: Any, name: str, sentence: int) -> NDArray[np.float64]:
    """The weights called `name` as (layers, heads, rows, columns), (heads, rows, columns) or (rows, columns)."""
    shown = name[:TOKEN_LIMIT]
    if not isinstance(value, np.ndarray) and not _numbers(value):  # of texts numpy makes cells as wide as the longest
        raise ForeignError("values", name=shown, sentence=sentence)
    try:
        array = np.asarray(value)
    except ValueError:
        raise ForeignError("ragged", name=shown, sentence=sentence) from None
    if array.dtype.kind not in "fiu":
        raise ForeignError("values", name=shown, sentence=sentence)
    array = array.astype(np.float64)
    if array.ndim not in (2, 3, 4) or array.size == 0:
        raise ForeignError("shape", name=shown, got=" × ".join(map(str, array.shape)) or "1", sentence=sentence)
    if not np.isfinite(array).all():
        raise ForeignError("values", name=shown, sentence=sentence)
    worst = float(array.flat[int(np.argmax(np.abs(array - 0.5)))])
    if not -_BEYOND <= worst <= 1 + _BEYOND:
        raise ForeignError("range", name=shown, got=f"{worst:.4g}", sentence=sentence)
    return np.clip(array, 0, 1)


def _numbers(value: Any) -> bool:
    """Whether lists within lists hold numbers alone."""
    level = [value]
    while level:
        if any(type(one) not in (list, int, float) for one in level):
            return False
        level = [inner for one in level if type(one) is list for inner in one]
    return True


def _ended(source: list[str], target: list[str],
           arrays: Mapping[str, NDArray[np.float64]]) -> tuple[list[str], list[str]]:
    """The tokens, with an end on each side where all weights fit the tokens only with it, as with tools that leave the
    end out of the text. Where several ways fit, as when the sides are as long, the one that most maps' names speak for.
    """
    shapes = [(_kind(_named(key)), array.shape[-2:]) for key, array in arrays.items()]
    ways = [_fits(rows, columns) for rows in (len(target), len(target) + 1)
            for columns in (len(source), len(source) + 1)]
    fitting = [way for way in ways if all(shape in way.values() for _, shape in shapes)]
    rows, columns = max(fitting or ways[:1], key=lambda way: sum(way[kind] == shape for kind, shape in shapes))[""]
    return (source + ["</s>"] * (columns - len(source)), target + ["</s>"] * (rows - len(target)))


def _maps(arrays: Mapping[str, NDArray[np.float64]], source: Side, target: Side, sentence: int) -> list[WeightMap]:
    """Every matrix as a map, those that say where the decoder looked first."""
    found = []
    for key, array in arrays.items():
        name = _named(key)
        for layer, head, values in _matrices(array):
            rows, columns = _axes(name, values.shape, len(source.pieces), len(target.pieces), sentence)
            found.append(WeightMap.of(MapDescription(name, layer, head, rows, columns, shares(values)), values))
    return sorted(found, key=lambda one: not one.description.looks)


def _matrices(array: NDArray[np.float64]) -> Iterator[tuple[int | None, int | None, Any]]:
    """Each matrix of an array with its layer and head, counted from 1 and None where the array has none."""
    if array.ndim == 2:
        yield None, None, array
    for first, rest in enumerate(array if array.ndim > 2 else (), 1):
        if rest.ndim == 2:
            yield None, first, rest
        for second, matrix in enumerate(rest if rest.ndim > 2 else (), 1):
            yield first, second, matrix


def _named(key: str) -> str:
    """A name of a map in the letters that maps have."""
    plain = re.sub(r"[^A-Za-z0-9]+", " ", key).strip()
    usual = _USUAL.get(plain.lower())
    return usual or plain[:40].strip() or "attention"


def _kind(name: str) -> str:
    """What a map is by its name: of the "encoder", of the "decoder", or "", of the target looking at the source."""
    return next((kind for kind in ("encoder", "decoder") if name.startswith(kind)), "")


def _fits(target: int, source: int) -> dict[str, tuple[int, int]]:
    """The shape of each kind of map for so many tokens."""
    return {"": (target, source), "encoder": (source, source), "decoder": (target, target)}


def _axes(name: str, shape: Sequence[int], source: int, target: int, sentence: int) -> tuple[str, str]:
    """What the rows and the columns of a matrix are. Where both sides are as long, its name decides."""
    fits = _fits(target, source)
    sides = {"encoder": ("source", "source"), "decoder": ("target", "target"), "": ("target", "source")}
    for kind in dict.fromkeys((_kind(name), *fits)):
        if fits[kind] == tuple(shape):
            return sides[kind]
    raise ForeignError("sides", name=name, rows=shape[0], columns=shape[1], target=target, source=source,
                       sentence=sentence)


def _with_means(maps: list[WeightMap]) -> list[WeightMap]:
    """The maps, and before them the mean of every layer's heads where there are several: that of the last layer but
    one first, where heads agree most on what belongs to what (Garg et al. 2019)."""
    groups: dict[tuple[str, int | None], list[WeightMap]] = {}
    for one in maps:
        if one.head is not None and one.description.looks:
            groups.setdefault((one.name, one.layer), []).append(one)
    means = []
    for (name, layer), heads in groups.items():
        if len(heads) > 1:
            mean = np.mean([one.values for one in heads], axis=0)
            whole = all(one.rows_sum_to_one for one in heads) and shares(mean)
            means.append(WeightMap.of(MapDescription(name, layer, rows_sum_to_one=whole), mean))
    if len(means) > 1:
        means.insert(0, means.pop(-2))
    return means + maps


