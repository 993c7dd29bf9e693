"""Large numbers in words, as the reader's language counts them."""

from pages.ui.i18n.messages import Messages


def format_millions(number: int, t: Messages) -> str:
    """A number of at least a hundred thousand, to the million, below ten million to a tenth of it: "6.8 million",
    "348 million"; in a language that counts by other powers of ten, in its own units."""
    rounded = round(number, -5 if number < 10_000_000 else -6)
    powers = [10 ** int(power) for power in t("number.powers").split()]
    units = t("number.units").split()
    if len(powers) == 1:
        decimals = 1 if number < 10_000_000 else 0
        return t("number.part", count=f"{rounded / powers[0]:,.{decimals}f}", unit=units[0])
    parts = []
    for power, unit in zip(powers, units, strict=True):
        count, rounded = divmod(rounded, power)
        if count:
            parts.append(t("number.part", count=f"{count:,}", unit=unit))
    return " ".join(parts)
