"""Read links and lectures of earlier versions, in which some parameters and experiments had other names."""

from collections.abc import Mapping
from typing import Any

import streamlit as st

OLD_NAMES = {
    "beside": "other-model", "equal": "equal-hours", "written": "gradient-word", "edits": "overrides",
    "part": "experiment", "own": "own-translation", "asked": "method", "point": "sense-word", "draws": "samples",
    "heat": "temperature", "cut": "truncation", "apart": "open-sentence", "best": "rank", "grown": "clauses",
    "searched": "evaluated-search", "learnt": "training-unit", "amount": "training-unit",
    "first": "first-kind", "second": "second-kind",
    "longest": "longest-source", "init": "initial-seed", "word": "input",
}  # fmt: skip
"""Parameters of earlier links, and their present names."""
OLD_EXPERIMENTS = {"need": "ablation", "words": "forced_decoding", "asking": "saliency"}
"""Experiments of the laboratory in earlier links, and their present names."""


def rename_params(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return parameters under their present names. A present name takes precedence over an earlier one."""
    renamed_values = {name: value for name, value in values.items() if name not in OLD_NAMES}
    for old_name in OLD_NAMES.keys() & values.keys():
        name, value = OLD_NAMES[old_name], values[old_name]
        if name == "experiment" and isinstance(value, str):
            value = OLD_EXPERIMENTS.get(value, value)
        renamed_values.setdefault(name, value)
    return renamed_values


def rename_link_params() -> None:
    """Give the parameters of the link their present names. Call it before any parameter is read."""
    link = st.query_params.to_dict()
    if OLD_NAMES.keys() & link.keys():
        st.query_params.from_dict(rename_params(link))
