"""Hangul syllables, and the letters of which they are composed."""

LEADS = "ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ"
VOWELS = "ㅏㅐㅑㅒㅓㅔㅕㅖㅗㅘㅙㅚㅛㅜㅝㅞㅟㅠㅡㅢㅣ"
TAILS = ("", *"ㄱㄲㄳㄴㄵㄶㄷㄹㄺㄻㄼㄽㄾㄿㅀㅁㅂㅄㅅㅆㅇㅈㅊㅋㅌㅍㅎ")
"""The final consonants, "" for none."""
_FIRST = ord("가")


def is_syllable(character: str) -> bool:
    """Return whether a character is a composed syllable."""
    return "가" <= character <= "힣"


def split_syllable(syllable: str) -> tuple[str, str, str]:
    """Return lead, vowel and tail of a composed syllable; the tail may be ""."""
    number, tail = divmod(ord(syllable) - _FIRST, len(TAILS))
    lead, vowel = divmod(number, len(VOWELS))
    return LEADS[lead], VOWELS[vowel], TAILS[tail]


def compose_syllable(lead: str, vowel: str, tail: str = "") -> str:
    """Return the syllable of a lead, a vowel and a tail. Raises ValueError for any other letters."""
    number = LEADS.index(lead) * len(VOWELS) + VOWELS.index(vowel)
    return chr(_FIRST + number * len(TAILS) + TAILS.index(tail))


def list_syllables_with_tail(tail: str) -> str:
    """Return all syllables with a tail, as a text."""
    return "".join(compose_syllable(lead, vowel, tail) for lead in LEADS for vowel in VOWELS)
