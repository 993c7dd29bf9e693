"""Text as its language prints it, for the screen only: inside, in exports and in scores it stays canonical."""

from model.text import languages
from model.text.languages import Language
from model.trace import Side

NARROW_SPACE = "\u202f"


def typeset(side: Side, language: str) -> list[tuple[str, str]]:
    """The words of `side` as (what stands before the word, the word), typeset as the language does it
    (model/text/languages.py): in French with curly apostrophes, guillemets for straight quotes, and a narrow no-break
    space before ? ! : ; and inside guillemets.

    The words keep their number and order, so a word's index is its index in `side.words`. Copied symbols are part of
    what stands before a word; those after the last one are `tail`.
    """
    rules = languages.get_language(language)
    opening, closing = rules.quotes
    shown_words: list[tuple[str, str]] = []
    quoting = False
    for gap, word in split_gaps(side):
        shown = ""
        for character in word:
            if character == '"':
                shown += closing if quoting else opening
                quoting = not quoting
            elif character in rules.narrow_space_before and (
                shown.endswith(closing) or _needs_space(word, shown, rules)
            ):
                shown += NARROW_SPACE + character
            else:
                shown += rules.apostrophe if character == "'" else character
        if (
            word[:1] in rules.narrow_space_before and word and shown_words and not word.startswith("://")
        ):  # of an address
            gap = gap.rstrip() + NARROW_SPACE
        elif shown.startswith(NARROW_SPACE) or (shown_words and shown_words[-1][1].endswith(NARROW_SPACE)):
            gap = gap.strip()
        shown_words.append((gap, shown))
    return shown_words


def typeset_with_tail(side: Side, language: str) -> list[tuple[str, str]]:
    """`typeset` with what stands after the last word as an entry of its own, whose word is ""."""
    after = get_trailing_text(side)
    return [*typeset(side, language), *([(after, "")] if after else [])]


def typeset_text(side: Side, language: str) -> str:
    """The whole text of a side as its language prints it."""
    return "".join(gap + word for gap, word in typeset_with_tail(side, language)).strip()


def get_trailing_text(side: Side) -> str:
    """What stands after the last word: copied symbols with the space before them, or nothing."""
    last = side.word_spans[-1] if side.words else (0, 0)
    return side.text[last[1] :] if side.symbols and last else ""


def _needs_space(word: str, shown: str, rules: Language) -> bool:
    """Whether the next sign of a run of signs stands apart from those before it: "(demain) ?", but "?!"."""
    signs = not any(map(str.isalnum, word))
    return (
        signs
        and bool(shown)
        and not word.startswith("://")
        and shown[-1] not in f"{rules.narrow_space_before}([{NARROW_SPACE}"
    )


def split_gaps(side: Side) -> list[tuple[str, str]]:
    """The words of `side`, each with the text that stands before it ("", a space, copied symbols); a record from
    elsewhere whose words do not stand in its text gets spaces."""
    pairs: list[tuple[str, str]] = []
    end = 0
    for word, span in zip(side.words, side.word_spans, strict=True):
        pairs.append((side.text[end : span[0]], side.text[slice(*span)]) if span else (" ", word))
        end = span[1] if span else end
    return pairs


def format_decimal(value: float, decimals: int, plus: bool = False) -> str:
    """A number with so many decimals and a real minus sign, with `plus` a plus sign too; never "−0.00": what is rounded
    to nothing has no sign."""
    text = f"{value:{'+' if plus else ''}.{decimals}f}"
    return text.replace("-", "−") if float(text) else text.lstrip("+-")
