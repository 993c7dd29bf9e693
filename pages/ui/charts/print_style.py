"""Formats and colours of pictures in files."""

from typing import Literal

FileFormat = Literal["svg", "pdf", "png"]
INK = "#1d2433"
PAPER = "#ffffff"


def blend(ink: str, strength: float, paper: str) -> str:
    """Return the colour of `ink` drawn on `paper` with opacity `strength`."""
    ink_rgb, paper_rgb = ([int(colour[start : start + 2], 16) for start in (1, 3, 5)] for colour in (ink, paper))
    pairs = zip(ink_rgb, paper_rgb, strict=True)
    channels = (round(paper_value + (ink_value - paper_value) * strength) for ink_value, paper_value in pairs)
    return "#" + "".join(f"{channel:02x}" for channel in channels)
