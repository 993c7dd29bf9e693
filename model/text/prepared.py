"""What a folder of prepared data says of itself: the note that `model.text.corpus.prepare` leaves in it."""

from pathlib import Path
from typing import Any

from model.serialization.codec import CodecError, parse_json
from model.text import languages
from model.text.cleaning import Languages
from model.text.encoded import CorpusError

META = "meta.json"


def read_meta(folder: Path) -> dict[str, Any]:
    """What `prepare` noted of a folder; {} where there is no note, as in folders from before. Raises CorpusError."""
    path = folder / META
    try:
        return parse_json(path.read_bytes(), "a note of prepared data")
    except FileNotFoundError:
        return {}
    except (OSError, CodecError) as error:
        raise CorpusError(f"{path} cannot be read; prepare the data again: python -m model data FOLDER") from error


def languages_of(folder: Path) -> Languages:
    """The languages of a folder that `prepare` made; those of before there were others where it says none."""
    given = read_meta(folder).get("languages", languages.PAIR)
    try:
        source, target = given
        return languages.check(source), languages.check(target)
    except (TypeError, ValueError) as error:
        raise CorpusError(f"{folder / META} names no pair of languages; prepare the data again: python -m model data "
                          "FOLDER") from error
