"""Formats of pictures in files, and colours of all pictures that Python draws."""

from typing import Literal

FileFormat = Literal["svg", "pdf", "png"]
INK, GREY, RULE, BACKGROUND = "#1d2433", "#6b7385", "#d9dce3", "#ffffff"
DARK_COLOURS = {INK: "#e8eaf0", GREY: "#9aa3b5", RULE: "#323848", BACKGROUND: "#12161f"}
"""The colours that stand for these on a dark page."""

BLUE, AMBER, VIOLET = "#3b6fb6", "#9e6a21", "#6d4bc3"  # source, target and attention


def blend(ink: str, opacity: float, background: str) -> str:
    """Return the colour of `ink` drawn on `background`."""
    ink_rgb, background_rgb = (
        [int(colour[start : start + 2], 16) for start in (1, 3, 5)] for colour in (ink, background)
    )
    channels = (round(under + (over - under) * opacity) for over, under in zip(ink_rgb, background_rgb, strict=True))
    return "#" + "".join(f"{channel:02x}" for channel in channels)
