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
    """The maps of one name: what they say in words, the labels of their rows and columns, the languages of the columns
    and of the rows."""

    name: str
    says: str
    source: list[str]
    target: list[str]
    languages: tuple[str, str]
    maps: list[HeadMap]


class HeadsData(TypedDict):
    """All maps of one translation by a model of that title. `of` tells translations apart; `shown` is the key of the
    map in the large picture."""

    of: str
    model: str
    groups: list[HeadGroup]
    shown: str
    parts: int
    words: Annotated[dict[str, str], "heads"]
    language: str
