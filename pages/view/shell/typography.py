"""French as it is printed, for the screen only: inside, in exports and in scores the text stays canonical."""

from model.trace import Side

NARROW = "\u202f"
_HIGH = ("?", "!", ":", ";")


def french(side: Side) -> list[tuple[str, str]]:
    """The words of `side` as (what stands before the word, the word), typeset in French: curly apostrophes,
    guillemets for straight quotes, and a narrow no-break space before ? ! : ; and inside guillemets.

    The words keep their number and order, so a word's index is its index in `side.words`.
    """
    typeset: list[tuple[str, str]] = []
    quoting = False
    for gap, word in spaced(side):
        shown = ""
        for character in word:
            if character == '"':
                shown += f"{NARROW}»" if quoting else f"«{NARROW}"
                quoting = not quoting
            elif character in _HIGH and shown.endswith("»"):
                shown += NARROW + character
            else:
                shown += "’" if character == "'" else character
        if word[:1] in _HIGH and typeset:
            gap = NARROW
        elif shown.startswith(NARROW) or (typeset and typeset[-1][1].endswith(NARROW)):
            gap = ""
        typeset.append((gap, shown))
    return typeset


def spaced(side: Side) -> list[tuple[str, str]]:
    """The words of `side`, each with the text that stands before it ("" or a space); a record from elsewhere whose
    words do not stand in its text gets spaces."""
    pairs: list[tuple[str, str]] = []
    end = 0
    for word in side.words:
        start = side.text.find(word, end)
        pairs.append((side.text[end:start], word) if start >= 0 else (" ", word))
        end = max(end, start + len(word))
    return pairs
