"""Large numbers are said as the language counts them."""

from pages.ui.i18n.messages import load_messages
from pages.ui.i18n.numbers import format_millions


def test_millions_and_ten_thousands() -> None:
    numbers = (800_000, 6_840_000, 26_400_000, 348_000_000, 400_000_000)
    english, korean = load_messages("en"), load_messages("ko")
    assert [format_millions(one, english) for one in numbers] == [
        "0.8 million", "6.8 million", "26 million", "348 million", "400 million",
    ]  # fmt: skip
    assert [format_millions(one, korean) for one in numbers] == ["80만", "680만", "2,600만", "3억 4,800만", "4억"]
