"""What the maps of other ways of asking are sent, key by key. The browser's side is checked against payloads.d.ts of
assets/player, made of this."""

from typing import Annotated, TypedDict


class AskingData(TypedDict):
    """A saliency map beside alpha, over words, each side with its end.

    `method`: its name; `means`: what that is, in a sentence; `values` (target, source) in nats, above 0 where the
    source word spoke for the target word; `alpha` (target, source), None
    without attention; `ranks` with alpha of each target word, and `overall`, None where there are none; `complete`: how
    complete the map is, in words, "" where that is no question; `made`: by which weights."""

    name: str
    method: str
    means: str
    languages: tuple[str, str]
    source: list[str]
    target: list[str]
    values: list[list[float]]
    alpha: list[list[float]] | None
    ranks: list[float | None]
    overall: float | None
    complete: str
    made: str
    words: Annotated[dict[str, str], "asking"]
    language: str
