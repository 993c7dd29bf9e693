"""Payloads of the components of Concepts. The browser's types are generated from these."""

from typing import Annotated, TypedDict


class ScalingData(TypedDict):
    """The texts of the softmax experiment. The browser draws its vectors from a seed."""

    words: Annotated[dict[str, str], "root"]
    language: str
