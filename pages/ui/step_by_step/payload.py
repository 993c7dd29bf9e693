"""The player of Step by step: a Trace as the payload of one browser component, and as a standalone HTML file.

The component is assets/player/step_by_step/step_by_step.js. All steps are sent once; playing needs no server.
"""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from model.networks import registry
from model.networks.equations.rnnsearch import Equation, Line, StepEquations
from model.text import languages
from model.trace import ANNOTATIONS, UNK_PIECE, UNK_WORD, WORD_START, Trace, continues_word
from pages.ui.backend.cards import find_card, get_title
from pages.ui.charts.payload_parts import build_pieces, round_probability, round_values, scale_to_unit_range
from pages.ui.components import standalone
from pages.ui.components.component import Component
from pages.ui.i18n.messages import Messages
from pages.ui.i18n.typography import format_piece, get_trailing_text, typeset
from pages.ui.results import alignment_error
from pages.ui.step_by_step import stage
from pages.ui.step_by_step.payload_types import (
    EncoderData,
    EquationData,
    PlayerCandidate,
    PlayerData,
    PlayerStep,
    SymbolData,
    TargetPiece,
    Vector,
)
from pages.ui.widgets.provenance import describe_provenance
from pages.ui.widgets.unknown_words import describe_unknown_words

KEY = "player"
TOP_SOURCE_PIECES = 3  # per step; the equations show the numbers of these

_mount = Component("step_by_step", PlayerData)


def render_player(data: PlayerData, on_step_change: Callable[[], None]) -> None:
    """Draw the player. `on_step_change` is called when the reader stops at another step."""
    _mount(key=KEY, data=data, on_step_change=on_step_change)


def get_step_equations(model: str) -> StepEquations:
    """Return the equations of a model's network; empty ones if the model has no card."""
    card = find_card(model)
    network = card.network if card else {}
    kind = registry.KINDS.get(card.kind) if card else None
    equations: StepEquations | None = kind.build_equations(network) if kind else None
    return equations or StepEquations()


def hash_trace(trace: Trace) -> str:
    """Return an identifier of a Trace, which does not depend on the attention map shown."""
    return hashlib.sha256(replace(trace, displayed_map_key=None).to_json().encode()).hexdigest()[:12]


def build_player_payload(trace: Trace, equations: StepEquations, t: Messages, step: int = 1) -> PlayerData:
    """Return the payload of `trace` with the equations of its network, opened at `step` (from 1)."""
    attention = trace.get_map().values if trace.has_attention else None
    source_detail = trace.source_detail or {}
    annotations = source_detail.get(ANNOTATIONS)
    provenance, self_attention = trace.provenance, stage.get_self_attention(trace)
    is_mean = bool(equations.mean_equations) and attention is not None and trace.get_map().description.head is None
    return {
        "trace_id": hash_trace(trace),
        "step": step,
        "model": get_title(provenance.model),
        "sentence": trace.source.text,
        "languages": (trace.source_language, trace.target_language),
        "provenance": describe_provenance([trace], t),
        "has_attention": attention is not None,
        "equations": _build_equations(equations.mean_equations if is_mean else equations.equations),
        "encoder": None if annotations is None else _build_encoder(equations, t),
        "stage": stage.build_stage_payload(equations.stage, trace, t),
        "source": build_pieces(trace.source, t("step_by_step.end")),
        "target": _build_target(trace, t),
        "annotations": None if annotations is None else {
            "blocks": scale_to_unit_range(annotations, annotations),
        },
        "steps": [
            _build_step(trace, attention, self_attention, equations, i, t) for i in range(len(trace.steps))
        ],
        "is_finished": trace.is_finished,
        "unknown_notes": describe_unknown_words([trace], t, marks_copies=False),
        "messages": _choose_messages(trace, is_mean, t),
        "language": t.language,
    }  # fmt: skip


def _choose_messages(trace: Trace, is_mean: bool, t: Messages) -> dict[str, str]:
    """Return the component's messages, with notes on the encoder, on a mean of heads and on attention to neighbours."""
    messages = t.get_table("step_by_step")
    if is_mean:
        weights = f"{messages['weights']} · {messages['weights_mean']}"
        messages |= {"weights": weights, "part_energies": messages["energies_mean"]}
    card = find_card(trace.provenance.model)
    reading_key = registry.KINDS[card.kind].reading_key if card and card.kind in registry.KINDS else ""
    if card and reading_key:
        messages |= {"source": f"{messages['source']} · {t(f'step_by_step.{reading_key}', **card.network)}"}
    note = alignment_error.describe_attention_offset(trace, t)
    return messages | {"weights": f"{messages['weights']} · {note}"} if note else messages


def _build_equations(equations: Sequence[Equation]) -> list[EquationData]:
    return [
        {"phase": equation.phase, "lines": [_build_line(line) for line in equation.lines],
         "numbers": list(equation.numbers)}
        for equation in equations
    ]  # fmt: skip


def _build_line(line: Line) -> list[str | SymbolData]:
    return [
        token if isinstance(token, str)
        else {"letter": token.letter, "index": token.index, "part": token.part, "token": token.token}
        for token in line
    ]  # fmt: skip


def _build_encoder(equations: StepEquations, t: Messages) -> EncoderData | None:
    """Return the encoder's rows and equations; None for a network that does not describe them."""
    if not equations.encoder:
        return None
    key = "both" if len(set(equations.encoder)) == 2 else equations.encoder[0]
    return {"rows": list(equations.encoder), "lines": [_build_line(line) for line in equations.encoder_lines],
            "explanation": t(f"step_by_step.encoder_{key}_explain")}  # fmt: skip


def _build_target(trace: Trace, t: Messages) -> list[TargetPiece]:
    """Return the pieces of the target with the space before each, typeset for its language."""
    words = typeset(trace.target, trace.target_language)
    apostrophe = languages.get_language(trace.target_language).apostrophe
    pieces: list[TargetPiece] = []
    for piece in build_pieces(trace.target, t("step_by_step.end")):
        word, is_joined = piece["word"], piece["continues_word"]
        gap, text = words[word] if word >= 0 else (f"{get_trailing_text(trace.target)} ", piece["text"])
        if trace.target.word_of.count(word) != 1:
            text = piece["text"].replace("'", apostrophe)
        pieces.append({**piece, "text": text, "gap": "" if is_joined else gap})
    return pieces


def _build_step(
    trace: Trace,
    attention: NDArray[np.float32] | None,
    self_attention: NDArray[np.float64] | None,
    equations: StepEquations,
    i: int,
    t: Messages,
) -> PlayerStep:
    """Return the numbers of step i, from 0.

    The detail of a Trace holds for each step the state that the readout used and the gates of the update. The stage
    gives the offsets of the steps with the states before and after an update, and with its gates. Without a stage only
    the readout's state is known.
    """
    offsets = equations.stage
    before_step, after_step, gates_step = i, -1, -1
    if offsets:
        before_step, after_step = i + offsets.before_offset, i + offsets.after_offset
        gates_step = i + offsets.gates_offset
    coverage = stage.get_coverage(trace, offsets)
    energies = stage.get_energies(trace, i)
    step = trace.steps[i]
    return {
        "p": round_probability(step.log_probability, stage.DIGITS),
        "log_probability": round(step.log_probability, stage.DIGITS),
        "total_log_probability": round(sum(earlier.log_probability for earlier in trace.steps[: i + 1]), stage.DIGITS),
        "energies": None if energies is None else round_values(energies, stage.DIGITS),
        "alpha": None if attention is None else round_values(attention[i], stage.DIGITS),
        "top": [] if attention is None else np.argsort(-attention[i], kind="stable")[:TOP_SOURCE_PIECES].tolist(),
        "context": _build_vector(trace, "context", i),
        "before": _build_vector(trace, "state", before_step),
        "after": _build_vector(trace, "state", after_step),
        "gates": {
            "update": _get_mean(trace, "update", gates_step),
            "reset": _get_mean(trace, "reset", gates_step),
            "input": _get_mean(trace, "input", gates_step),
            "forget": _get_mean(trace, "forget", gates_step),
            "output": _get_mean(trace, "output", gates_step),
        },
        "self_attention": None if self_attention is None else round_values(self_attention[i, : i + 1], stage.DIGITS),
        "coverage_before": None if coverage is None else round_values(coverage[i], stage.DIGITS),
        "coverage_after": None if coverage is None or i + 1 == len(coverage)
        else round_values(coverage[i + 1], stage.DIGITS),
        "p_gen": _get_mean(trace, "p_gen", i),
        "window": stage.get_window(trace, offsets, i),
        "candidates": _build_candidates(trace, i, t),
    }


def _build_vector(trace: Trace, name: str, row: int) -> Vector | None:
    """Return norm and blocks of a vector at a step; None if the Trace has no such step."""
    values = (trace.detail or {}).get(name)
    if trace.detail is None or values is None or not 0 <= row < len(values):
        return None
    # A context is a weighted mean of annotations: on their scale this is visible.
    reference = (trace.source_detail or {}).get(ANNOTATIONS, values) if name == "context" else values
    return {
        "norm": round(float(trace.detail[f"{name} norm"][row]), stage.DIGITS),
        "blocks": scale_to_unit_range(values[row], reference),
    }


def _get_mean(trace: Trace, name: str, row: int) -> float | None:
    values = (trace.detail or {}).get(f"{name} mean")
    return None if values is None or not 0 <= row < len(values) else round(float(values[row]), stage.DIGITS)


def _build_candidates(trace: Trace, i: int, t: Messages) -> list[PlayerCandidate]:
    """Return the most probable pieces, and the chosen one if it is not among them.

    A piece that continues a word comes with the earlier pieces of the word.
    """
    step = trace.steps[i]
    candidates = [(candidate.id, candidate.piece, candidate.log_probability) for candidate in step.candidates]
    if step.id not in [index for index, _, _ in candidates]:
        candidates.append((step.id, step.piece, step.log_probability))
    word_start = _get_unfinished_word(trace.target.pieces[:i])
    copy_probabilities = stage.get_copy_probabilities(trace, i)
    return [
        {
            "prefix": word_start if continues_word(piece) else "",
            "text": format_piece(piece, t("step_by_step.end")),
            "p": round_probability(log_probability, stage.DIGITS),
            "copy_probability": round(copy_probabilities.get(piece, 0.0), stage.DIGITS),
            "is_chosen": index == step.id,
        }
        for index, piece, log_probability in candidates
    ]


def _get_unfinished_word(pieces: tuple[str, ...]) -> str:
    """Return the beginning of the unfinished word: the text of the last word's pieces."""
    start = max((position for position, piece in enumerate(pieces) if not continues_word(piece)), default=0)
    return "".join(pieces[start:]).replace(UNK_PIECE, UNK_WORD).removeprefix(WORD_START)


def build_player_document(data: PlayerData, t: Messages) -> str:
    """Return a standalone HTML page that plays `data`."""
    title = t("step_by_step.title", model=data["model"], sentence=data["sentence"])
    return standalone.build_document("step_by_step", title, data, t)
