"""Saliency maps of a translation that a model made: gradients, integrated gradients, or occlusion.

Each method attributes log p(y_i | y_<i, x) to the source tokens x_j under teacher forcing. All of them need only the
source embeddings (`model.networks.base.SourceEmbedder`), no attention. A missing token has a zero embedding.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np

from model.analysis.attribution.saliency_record import Method, Saliency, SaliencyError
from model.decoding.overrides import Overrides
from model.decoding.stop_callback import StopCallback
from model.decoding.translate import TranslationModel, prepare_source
from model.progress import FractionCallback
from model.text.normalise import normalise
from model.trace import Trace
from model.trace.trace import build_word_membership


def compute_saliency(
    model: TranslationModel, trace: Trace, method: Method, on_progress: FractionCallback | None = None,
    should_stop: StopCallback | None = None,
) -> Saliency:
    """Compute the saliency map of a Trace's translation, which `model` must have made.

    Raises SaliencyError for a network without source embeddings, for a Trace of another model or made with overridden
    attention, and SearchStopped once `should_stop` returns true.
    """
    # Pages import this module, so torch is imported late.
    from model.analysis.attribution.saliency_computation import SaliencyComputation, require_source_embedder

    network = require_source_embedder(model)
    source, target = get_piece_ids(model, trace)
    words = build_word_membership(trace.source.word_of, len(trace.source.words))
    computation = SaliencyComputation(network, source, target, on_progress or (lambda fraction: None), should_stop)
    log_probs = computation.log_probabilities
    build = partial(Saliency, method, trace.source, trace.target, log_probabilities=tuple(log_probs),
                    provenance=trace.provenance)
    if method == "occlusion":
        effects = log_probs[:, None] - computation.occlude(np.concatenate([np.eye(len(source)), words]))
        by_token, by_word = np.split(effects.astype(np.float32), [len(source)], axis=1)
        return build(by_token, words=by_word)
    if method == "gradient":
        return build(computation.compute_gradient_times_input().astype(np.float32))
    values, zero_source_log_probs, points = computation.compute_integrated_gradients()
    return build(
        values.astype(np.float32), zero_source_log_probabilities=tuple(zero_source_log_probs), points=tuple(points)
    )


def get_piece_ids(model: TranslationModel, trace: Trace) -> tuple[list[int], list[int]]:
    """Return the source and target token ids of a Trace.

    Raises SaliencyError for a Trace of another model, and for one made with overridden attention.
    """
    if trace.provenance.fingerprint != model.fingerprint:
        raise SaliencyError(f"The translation was made by the weights {trace.provenance.fingerprint}, those of "
                            f"{model.name} are {model.fingerprint}: translate the sentence anew.")
    if replace(Overrides.from_text(trace.provenance.overrides), prefix=()):
        raise SaliencyError("The translation was made with changed attention, which gradients would not see: take the "
                            "change back.")
    return prepare_source(model, normalise(trace.source.text)).ids, [step.id for step in trace.steps]
