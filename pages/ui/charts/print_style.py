"""Formats and colours of pictures in files."""

from typing import Literal

FileFormat = Literal["svg", "pdf", "png"]
INK = "#1d2433"
PAPER = "#ffffff"


def blend(ink: str, strength: float, paper: str) -> str:
    """Return the colour of `ink` drawn on `paper` with opacity `strength`."""
    inks, papers = ([int(colour[start : start + 2], 16) for start in (1, 3, 5)] for colour in (ink, paper))
    mixed = (round(under + (over - under) * strength) for over, under in zip(inks, papers, strict=True))
    return "#" + "".join(f"{channel:02x}" for channel in mixed)
