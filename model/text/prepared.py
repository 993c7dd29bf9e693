"""What a folder of prepared data says of itself: the note that `model.text.corpus.prepare` leaves in it."""

from pathlib import Path
from typing import Any

from model.serialization.codec import CodecError, parse_json
from model.text import languages
from model.text.cleaning import LanguagePair
from model.text.encoded import CorpusError

META_FILE = "meta.json"


def read_meta(folder: Path) -> dict[str, Any]:
    """What `prepare` noted of a folder; {} where there is no note, as in folders from before. Raises CorpusError."""
    path = folder / META_FILE
    try:
        return parse_json(path.read_bytes(), "a note of prepared data")
    except FileNotFoundError:
        return {}
    except (OSError, CodecError) as error:
        raise CorpusError(f"{path} cannot be read; prepare the data again: python -m model data FOLDER") from error


def read_language_pair(folder: Path) -> LanguagePair:
    """The languages of a folder that `prepare` made; those of before there were others where it says none."""
    given = read_meta(folder).get("languages", languages.DEFAULT_PAIR)
    try:
        source, target = given
        return languages.validate_code(source), languages.validate_code(target)
    except (TypeError, ValueError) as error:
        raise CorpusError(
            f"{folder / META_FILE} names no pair of languages; prepare the data again: python -m model data FOLDER"
        ) from error
