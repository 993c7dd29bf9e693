"""Import of attention weights from other toolkits.

Every sentence becomes a Trace, drawn and saved like those of this app's models. Plain Python and numpy.
"""

from model.importers.attention_files import ImportedFile, describe_attention_file, is_attention_file, read_attention
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
    "ImportNote",
    "ImportedFile",
    "ImportedSentence",
    "Role",
    "describe_attention_file",
    "has_special_tokens",
    "is_attention_file",
    "read_attention",
    "remove_special_tokens",
]
