"""What the picture of all maps of a translation is sent, key by key. The browser's side is checked against
payloads.d.ts of assets/player, made of this."""

from typing import Annotated, TypedDict


class HeadMap(TypedDict):
    """One map over words: its key, its layer and head (from 1 on; None where it has none), its weights as whole numbers
    of `parts`, rows by columns, whether it says where the decoder looked, so that the large picture can show it, and
    whether it can be set to its mean, which the laboratory opens with."""

    key: str
    layer: int | None
    head: int | None
    values: list[list[int]]
    looks: bool
    prunable: bool


class HeadGroup(TypedDict):
    """The maps of one name: what they say in words, the labels of their rows and columns; of the columns and of the
    rows, which side of the sentence they are and its language; whether they keep account of looks instead of sharing
    one out; and which number is drawn darkest: 1, or the largest of a map that goes beyond."""

    name: str
    says: str
    source: list[str]
    target: list[str]
    sides: tuple[str, str]
    languages: tuple[str, str]
    account: bool
    most: float
    maps: list[HeadMap]


class HeadsData(TypedDict):
    """All maps of one translation by a model of that title. `shown` is the key of the map in the large picture,
    `enlarged` that of the one enlarged here, "" for none, which the link carries; None where no link does."""

    model: str
    groups: list[HeadGroup]
    shown: str
    enlarged: str | None
    parts: int
    words: Annotated[dict[str, str], "heads"]
    language: str
