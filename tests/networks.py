"""Networks of any kind."""

from typing import Any

from model.networks.registry import find_kind


def build_network(config: Any) -> Any:
    """Return a newly initialised network of the config's kind. Raises NetworkKindError."""
    return find_kind(config.kind).build(config)
