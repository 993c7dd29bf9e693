"""Reads attention that other toolkits wrote, so that it is drawn and saved as that of this app's own models is.

Whatever the file, each sentence becomes a Trace. Plain Python and numpy.
"""

from model.importers.attention_files import ImportedFile, is_attention_file, read_attention
from model.importers.describing import describe_attention_file
from model.importers.errors import AttentionFileError, ImportNote
from model.importers.roles import Role
from model.importers.sentences import (
    LENGTH_LIMIT,
    MAP_LIMIT,
    ImportedSentence,
    has_special_tokens,
    remove_special_tokens,
)

__all__ = [
    "LENGTH_LIMIT",
    "MAP_LIMIT",
    "AttentionFileError",
    "ImportedFile",
    "ImportedSentence",
    "ImportNote",
    "Role",
    "describe_attention_file",
    "has_special_tokens",
    "is_attention_file",
    "read_attention",
    "remove_special_tokens",
]
