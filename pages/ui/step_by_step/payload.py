"""The player: one translation as a film of its steps, drawn by one browser component
(assets/player/step_by_step/step_by_step.js).

Here a Trace becomes what the component draws: plain lists and texts, each number where the wiring of the network puts
it. All of it is sent once; playing asks nothing of the server.
"""

import hashlib
from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from model.networks import registry
from model.networks.equations.rnnsearch import StepEquations
from model.text import languages
from model.trace import ANNOTATIONS, END_PIECE, ENERGIES, WORD_START, Side, Trace
from pages.ui.backend.cards import find_card, get_title
from pages.ui.charts.payload_parts import scale_to_unit_range
from pages.ui.components.component import Component
from pages.ui.i18n.messages import Messages
from pages.ui.i18n.typography import get_trailing_text, typeset
from pages.ui.results import alignment_error
from pages.ui.step_by_step import stage
from pages.ui.step_by_step.payload_types import (
    PlayerCandidate,
    PlayerData,
    PlayerStep,
    SentEquation,
    SourcePiece,
    TargetPiece,
    Vector,
)
from pages.ui.widgets.provenance import describe_provenance

KEY = "player"
TOP_SOURCE_PIECES = 3  # how many source pieces the equations give numbers for

_mount = Component("step_by_step", PlayerData)


def render_player(data: PlayerData, moved: Callable[[], None]) -> None:
    """Draw the player of a payload. `moved` is called when the reader has come to another step and stays there."""
    _mount(key=KEY, data=data, on_step_change=moved)


def get_step_equations(model: str) -> StepEquations:
    """The equations of a model by its name, those of its kind of network; none of one whose card is gone."""
    card = find_card(model)
    network = card.network if card else {}
    kind = registry.KINDS.get(card.kind) if card else None
    told: StepEquations | None = kind.build_equations(network) if kind else None
    return told or StepEquations()


def hash_trace(trace: Trace) -> str:
    """A short name for what the player shows: another trace has another, and the same seen by another of its maps has
    not."""
    return hashlib.sha256(replace(trace, shown=None).to_json().encode()).hexdigest()[:12]


def build_player_payload(trace: Trace, told: StepEquations, t: Messages, step: int = 1) -> PlayerData:
    """What the component draws of `trace`, made by a network with those equations, opened at `step` (from 1)."""
    attention = trace.get_map().values if trace.has_attention else None
    source_detail = trace.source_detail or {}
    annotations = source_detail.get(ANNOTATIONS)
    made_by, looked_back = trace.made_by, stage.get_self_attention(trace)
    return {
        "trace": hash_trace(trace),
        "step": step,
        "model": get_title(made_by.model),
        "sentence": trace.source.text,
        "languages": (trace.source_language, trace.target_language),
        "made": describe_provenance([trace], t),
        "attends": attention is not None,
        "equations": _equations(told),
        "stage": stage.build_stage_payload(told.stage, trace, t),
        "source": _pieces(trace.source, t),
        "target": _target(trace, t),
        "annotations": None if annotations is None else {
            "blocks": scale_to_unit_range(annotations, annotations),
            "norm": _rounded(source_detail[f"{ANNOTATIONS} norm"]),
        },
        "steps": [_step(trace, attention, looked_back, told, number, t) for number in range(len(trace.steps))],
        "finished": trace.finished,
        "words": _words(trace, t),
        "language": t.language,
    }  # fmt: skip


def _words(trace: Trace, t: Messages) -> dict[str, str]:
    """The component's texts; of a model that looks beside what it writes that is said where its weights are, of one
    whose encoder is not recurrent what that does instead."""
    words = t.table("step_by_step")
    card = find_card(trace.made_by.model)
    reads = registry.KINDS[card.kind].reading_key if card and card.kind in registry.KINDS else ""
    if card and reads:
        words |= {"source": f"{words['source']} · {t(f'step_by_step.{reads}', **card.network)}"}
    beside = alignment_error.describe_attention_offset(trace, t)
    return words | {"weights": f"{words['weights']} · {beside}"} if beside else words


def _equations(told: StepEquations) -> list[SentEquation]:
    return [
        {
            "phase": one.phase,
            "lines": [
                [
                    token
                    if isinstance(token, str)
                    else {"letter": token.letter, "index": token.index, "part": token.part, "word": token.token}
                    for token in line
                ]
                for line in one.lines
            ],
            "numbers": list(one.numbers),
        }
        for one in told.equations
    ]


def _pieces(side: Side, t: Messages) -> list[SourcePiece]:
    """The pieces of one side: their texts and words (-1 for the end), and whether they go on with a word."""
    return [
        {"text": _text(piece, t), "word": word, "joined": word >= 0 and word in side.word_of[:place]}
        for place, (piece, word) in enumerate(zip(side.pieces, side.word_of, strict=True))
    ]


def _target(trace: Trace, t: Messages) -> list[TargetPiece]:
    """The pieces of the target as `_pieces`, each with what stands before it, typeset as its language does it."""
    words = typeset(trace.target, trace.target_language)
    apostrophe = languages.get_language(trace.target_language).apostrophe
    made: list[TargetPiece] = []
    for piece in _pieces(trace.target, t):
        word, joined = piece["word"], piece["joined"]
        gap, text = words[word] if word >= 0 else (f"{get_trailing_text(trace.target)} ", piece["text"])
        if trace.target.word_of.count(word) != 1:
            text = piece["text"].replace("'", apostrophe)
        made.append({"text": text, "word": word, "joined": joined, "gap": "" if joined else gap})
    return made


def _text(piece: str, t: Messages) -> str:
    """A piece for the screen: without the mark of a word's beginning, which its place shows."""
    return t("step_by_step.end") if piece == END_PIECE else piece.removeprefix(WORD_START) or "␣"


def _step(
    trace: Trace,
    attention: NDArray[np.float32] | None,
    back: NDArray[np.float64] | None,
    told: StepEquations,
    i: int,
    t: Messages,
) -> PlayerStep:
    """The numbers of step i, counted from 0.

    The detail of a Trace has, for each step, the state that the readout used and the gates of the update made in that
    step. In which step the states before and after an update and its gates are found is the stage's to say; of a
    network without a stage only the state of the readout is known.
    """
    detail = trace.detail or {}
    known = told.stage
    before, after, gates = (i + known.before_offset, i + known.after_offset, i + known.gates_offset) if known else (i, -1, -1)
    covered = stage.get_coverage(trace, known)
    energies = detail.get(ENERGIES)
    step = trace.steps[i]
    return {
        "p": _probability(step.log_probability),
        "log": round(step.log_probability, stage.DIGITS),
        "so_far": round(sum(one.log_probability for one in trace.steps[: i + 1]), stage.DIGITS),
        "energies": None if energies is None else _rounded(energies[i]),
        "alpha": None if attention is None else _rounded(attention[i]),
        "top": [] if attention is None else np.argsort(-attention[i], kind="stable")[:TOP_SOURCE_PIECES].tolist(),
        "context": _vector(trace, "context", i),
        "before": _vector(trace, "state", before),
        "after": _vector(trace, "state", after),
        "gates": {
            "update": _mean(trace, "update", gates),
            "reset": _mean(trace, "reset", gates),
            "input": _mean(trace, "input", gates),
            "forget": _mean(trace, "forget", gates),
            "output": _mean(trace, "output", gates),
        },
        "back": None if back is None else _rounded(back[i, : i + 1]),
        "covered": None if covered is None else _rounded(covered[i]),
        "covered_after": None if covered is None or i + 1 == len(covered) else _rounded(covered[i + 1]),
        "p_gen": _mean(trace, "p_gen", i),
        "window": stage.get_window(trace, known, i),
        "candidates": _candidates(trace, i, t),
    }


def _vector(trace: Trace, name: str, row: int) -> Vector | None:
    """The norm and the shaded blocks of a vector at a step; None where the trace has no such step."""
    values = (trace.detail or {}).get(name)
    if trace.detail is None or values is None or not 0 <= row < len(values):
        return None
    # A context is made of annotations: shown on their scale, it is seen to be their mixture.
    scale = (trace.source_detail or {}).get(ANNOTATIONS, values) if name == "context" else values
    return {
        "norm": round(float(trace.detail[f"{name} norm"][row]), stage.DIGITS),
        "blocks": scale_to_unit_range(values[row], scale),
    }


def _mean(trace: Trace, name: str, row: int) -> float | None:
    values = (trace.detail or {}).get(f"{name} mean")
    return None if values is None or not 0 <= row < len(values) else round(float(values[row]), stage.DIGITS)


def _candidates(trace: Trace, i: int, t: Messages) -> list[PlayerCandidate]:
    """The likeliest pieces, and the chosen one even where it is not among them. A piece that goes on with a word comes
    with what there is of that word."""
    chosen = trace.steps[i]
    listed = [(one.id, one.piece, one.log_probability) for one in chosen.candidates]
    if chosen.id not in [index for index, _, _ in listed]:
        listed.append((chosen.id, chosen.piece, chosen.log_probability))
    begun, copied = _begun(trace.target.pieces[:i]), stage.get_copy_probabilities(trace, i)
    return [
        {
            "before": begun if not piece.startswith(WORD_START) and piece != END_PIECE else "",
            "text": _text(piece, t),
            "p": _probability(log_probability),
            "copied": round(copied.get(piece, 0.0), stage.DIGITS),
            "chosen": index == chosen.id,
        }
        for index, piece, log_probability in listed
    ]


def _begun(pieces: tuple[str, ...]) -> str:
    """The word that the last of `pieces` belongs to, as far as it is written."""
    start = max((place for place, piece in enumerate(pieces) if piece.startswith(WORD_START)), default=0)
    return "".join(pieces[start:]).removeprefix(WORD_START)


def _probability(log_probability: float) -> float:
    return round(min(1.0, float(np.exp(log_probability))), stage.DIGITS)


def _rounded(values: NDArray[np.floating]) -> list[float]:
    return [round(float(value), stage.DIGITS) for value in values]
