"""Read links of earlier versions, in which some parameters and experiments had other names."""

import streamlit as st

OLD_NAMES = {
    "beside": "other-model", "equal": "equal-hours", "written": "gradient-word", "edits": "overrides",
    "part": "experiment", "own": "own-translation", "asked": "method", "point": "sense-word", "draws": "samples",
    "heat": "temperature", "cut": "truncation", "apart": "open-sentence", "best": "rank", "grown": "clauses",
    "searched": "evaluated-search", "learnt": "amount", "first": "first-kind", "second": "second-kind",
    "longest": "longest-source", "init": "initial-seed", "word": "input",
}  # fmt: skip
"""Parameters of earlier links, and their present names."""
OLD_EXPERIMENTS = {"need": "ablation", "words": "forced_decoding", "asking": "saliency"}
"""The same of the laboratory's experiments."""


def rename_old_params() -> None:
    """Give the parameters of the link their present names. Call it before any parameter is read."""
    for old_name in OLD_NAMES.keys() & st.query_params.to_dict().keys():
        text, name = st.query_params[old_name], OLD_NAMES[old_name]
        del st.query_params[old_name]
        if name not in st.query_params:
            st.query_params[name] = OLD_EXPERIMENTS.get(text, text) if name == "experiment" else text
