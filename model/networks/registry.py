"""The registered kinds of networks.

A new network is one file and one `register` call at the end of this one. Everything else asks here how a kind is
configured, built and trained, and which equations *Step by step* shows for it. Facts about a trained model are on its
card (`model.checkpoints.checkpoint`). References are imported on first use: pages need titles and equations, not torch.

A network is a `torch.nn.Module` that implements `model.networks.base.Translator` and, unless its kind names a faster
function,

    loss(source, target, smoothing=0.0)    the negative log-likelihood, in nats, summed over the target tokens (batch,
                                           target) without padding; label smoothing as in Szegedy et al. (2016)

A config is a frozen dataclass with the fields `kind` and `vocabulary` (its size), filled from a recipe's section
[network]. It raises ValueError naming the field that is wrong.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, cast, get_args

from model.serialization.messages import quote_value

if TYPE_CHECKING:
    from torch import Tensor

Marker = Literal["circle", "square", "diamond", "triangle-up", "triangle-down", "pentagon", "star", "hexagon"]
MARKERS: tuple[Marker, ...] = get_args(Marker)
CHANGEABLE_SETTINGS = ("dropout", "coverage_loss")  # act in training only and change no weight's meaning
DEFAULT_MARKER = MARKERS[-1]  # also for models of unknown kinds


class NetworkKindError(ValueError):
    """An unknown kind of network, or a config that does not fit its kind."""


@dataclass(frozen=True)
class NetworkKind:
    """One kind of network. References are written "module:attribute"; "" means none.

    `name`: as cards and commands write it; `title`: as papers write it; `network`: reference to its class, called with
    a config; `config`: reference to the config's dataclass;
    `fast_decoder`: reference to the class of a faster `Translator` with the same numbers, called with the network;
    `loss`: reference to a function (network, source, target, *, use_bfloat16, smoothing, previous) that replaces the
    network's own loss. It must not read values of tensors on a GPU, or its module must define
    `uses_reference_loss(config, smoothing)`, true where it does;
    `equations`: reference to a function from a card's network config to `StepEquations`
    (`model.networks.equations.rnnsearch`); `paper`: its source; `citations`: keys of assets/papers.bib;
    `marker`: of its points in charts;
    `glossary_key`: its description (assets/words, glossary), "" leaves it out of the history on *All models*;
    `year`: of its paper, 0 if unknown; `is_recurrent`: whether its encoder reads one token after the other;
    `reading_key`: text about an encoder that is not (assets/words, step_by_step), filled with the config;
    `warm_start_kind`: another kind whose weights it can start from, since it has all of them.
    """

    name: str
    title: str
    network: str
    config: str
    fast_decoder: str = ""
    loss: str = ""
    equations: str = ""
    paper: str = ""
    citations: tuple[str, ...] = ()
    marker: Marker = DEFAULT_MARKER
    glossary_key: str = ""
    year: int = 0
    is_recurrent: bool = True
    reading_key: str = ""
    warm_start_kind: str = ""

    def __post_init__(self) -> None:
        if self.marker not in MARKERS:
            raise NetworkKindError(f"the marker of {self.title} is one of {', '.join(MARKERS)}: got {self.marker!r}")

    @property
    def config_class(self) -> Any:
        """The dataclass of its config."""
        return _import_attribute(self.config)

    @cached_property
    def setting_names(self) -> tuple[str, ...]:
        """The fields of its config except `kind` and `vocabulary`."""
        names = (field.name for field in fields(self.config_class))
        return tuple(name for name in names if name not in ("kind", "vocabulary"))

    def configure(self, settings: Mapping[str, Any]) -> Any:
        """Return the config in a card or a recipe. Raises NetworkKindError naming an unknown, missing or wrong key."""
        keys = {"kind", "vocabulary", *self.setting_names}
        unknown, missing = sorted(map(str, set(settings) - keys)), sorted({"kind", "vocabulary"} - set(settings))
        if unknown or missing:
            raise NetworkKindError(f"network configuration of {self.title}: unknown keys {str(unknown)[:200]}, missing "
                                   f"keys {missing}; known are {', '.join(sorted(keys))}")
        try:
            return self.config_class(**settings)
        except (TypeError, ValueError) as error:
            raise NetworkKindError(f"network configuration of {self.title}: {str(error)[:200]}") from error

    def build(self, config: Any) -> Any:
        """Return a newly initialised network."""
        return _import_attribute(self.network)(config)

    @property
    def fast_decoder_class(self) -> Any:
        """The class of its fast decoder; None if it has none."""
        return _import_attribute(self.fast_decoder) if self.fast_decoder else None

    def compute_loss(self, network: Any, source: Tensor, target: Tensor, *, use_bfloat16: bool = False,
                     smoothing: float = 0.0, previous: Tensor | None = None) -> Tensor:  # fmt: skip
        """Return the summed negative log-likelihood of the target, in nats.

        `use_bfloat16`: whether a fused loss multiplies matrices in bfloat16. `previous` (batch, target): the tokens
        that the decoder reads in place of the right ones; raises ValueError if the loss is not fused.
        """
        if self.loss:
            loss = _import_attribute(self.loss)
            inputs = {} if previous is None else {"previous": previous}
            return cast("Tensor", loss(network, source, target, use_bfloat16=use_bfloat16, smoothing=smoothing,
                                       **inputs))
        if previous is not None:
            raise ValueError(f"{self.title} has no fused loss that takes previous tokens")
        return cast("Tensor", network.loss(source, target, smoothing))

    def can_capture_loss(self, config: Any, smoothing: float) -> bool:
        """Return whether `compute_loss` can be captured in a CUDA graph, and can multiply in bfloat16.

        That is a fused loss which never reads values of tensors, not the network's own one.
        """
        if not self.loss:
            return False
        uses_reference_loss = getattr(importlib.import_module(self.loss.partition(":")[0]), "uses_reference_loss", None)
        return uses_reference_loss is None or not uses_reference_loss(config, smoothing)

    def build_equations(self, settings: Mapping[str, Any]) -> Any:
        """Return the `StepEquations` for a card's network config; None if the kind has none."""
        return _import_attribute(self.equations)(settings) if self.equations else None


KINDS: dict[str, NetworkKind] = {}
"""All kinds by name, in the order of registration, which decides between papers of the same year."""


def register(kind: NetworkKind) -> NetworkKind:
    """Add a kind under its name."""
    KINDS[kind.name] = kind
    return kind


def find_kind(name: object) -> NetworkKind:
    """Return the kind with this name. Raises NetworkKindError listing the known ones."""
    if isinstance(name, str) and name in KINDS:
        return KINDS[name]
    raise NetworkKindError(f"there is no kind of network {quote_value(name)}; there are {', '.join(sorted(KINDS))}")


def list_kinds_by_year() -> list[NetworkKind]:
    """Return all kinds by year; those without one come last."""
    return sorted(KINDS.values(), key=lambda kind: (not kind.year, kind.year))


def _import_attribute(reference: str) -> Any:
    """Import what a reference "module:attribute" names."""
    module, _, attribute = reference.partition(":")
    return getattr(importlib.import_module(module), attribute)


register(
    NetworkKind(
        name="rnnsearch",
        title="RNNsearch",
        network="model.networks.rnnsearch:RNNsearch",
        config="model.networks.rnnsearch:RNNsearchConfig",
        fast_decoder="model.decoding.fast.rnnsearch:FastRNNsearch",
        loss="model.training.losses.gru:compute_loss",
        equations="model.networks.equations.rnnsearch:build_rnnsearch_equations",
        paper="Bahdanau, Cho and Bengio 2015",
        citations=("bahdanau2015neural",),
        marker="circle",
        glossary_key="rnnsearch",
        year=2015,
    )
)
register(
    NetworkKind(
        name="rnnencdec",
        title="RNNencdec",
        network="model.networks.rnnsearch:RNNencdec",
        config="model.networks.rnnsearch:RNNsearchConfig",
        fast_decoder="model.decoding.fast.rnnsearch:FastRNNsearch",
        loss="model.training.losses.gru:compute_loss",
        equations="model.networks.equations.rnnsearch:build_rnnencdec_equations",
        paper="Cho et al. 2014, as in Bahdanau, Cho and Bengio 2015",
        citations=("cho2014learning", "bahdanau2015neural"),
        marker="square",
        glossary_key="rnnencdec",
        year=2014,
    )
)
register(
    NetworkKind(
        name="seq2seq",
        title="Seq2Seq",
        network="model.networks.seq2seq:Seq2Seq",
        config="model.networks.seq2seq:Seq2SeqConfig",
        fast_decoder="model.decoding.fast.lstm:FastSeq2Seq",
        loss="model.training.losses.lstm:compute_loss",
        equations="model.networks.equations.lstm:build_seq2seq_equations",
        paper="Sutskever, Vinyals and Le 2014",
        citations=("sutskever2014sequence",),
        marker="triangle-down",
        glossary_key="seq2seq",
        year=2014,
    )
)
register(
    NetworkKind(
        name="luong",
        title="Luong",
        network="model.networks.luong:Luong",
        config="model.networks.luong:LuongConfig",
        fast_decoder="model.decoding.fast.lstm:FastLuong",
        loss="model.training.losses.luong:compute_loss",
        equations="model.networks.equations.lstm:build_luong_equations",
        paper="Luong, Pham and Manning 2015",
        citations=("luong2015effective",),
        marker="triangle-up",
        glossary_key="luong",
        year=2015,
    )
)
register(
    NetworkKind(
        name="coverage",
        title="RNNsearch with coverage",
        network="model.networks.coverage:CoverageRNNsearch",
        config="model.networks.coverage:CoverageConfig",
        fast_decoder="model.decoding.fast.coverage:FastCoverageRNNsearch",
        loss="model.training.losses.coverage:compute_loss",
        equations="model.networks.equations.coverage:build_coverage_equations",
        paper="Tu et al. 2016",
        citations=("tu2016modeling",),
        marker="pentagon",
        glossary_key="rnnsearch_coverage",
        year=2016,
        warm_start_kind="rnnsearch",
    )
)
register(
    NetworkKind(
        name="copy",
        title="Pointer-generator",
        network="model.networks.coverage:CoverageRNNsearch",
        config="model.networks.coverage:CoverageConfig",
        fast_decoder="model.decoding.fast.coverage:FastCoverageRNNsearch",
        loss="model.training.losses.coverage:compute_loss",
        equations="model.networks.equations.coverage:build_coverage_equations",
        paper="See et al. 2017",
        citations=("see2017get",),
        marker="star",
        glossary_key="pointer_generator",
        year=2017,
        warm_start_kind="rnnsearch",
    )
)
register(
    NetworkKind(
        name="transformer",
        title="Transformer",
        network="model.networks.transformer:Transformer",
        config="model.networks.transformer_layers:TransformerConfig",
        fast_decoder="model.decoding.fast.transformer:FastTransformer",
        loss="model.training.losses.transformer:compute_loss",
        equations="model.networks.equations.transformer:build_transformer_equations",
        paper="Vaswani et al. 2017",
        citations=("vaswani2017attention",),
        marker="diamond",
        glossary_key="transformer",
        year=2017,
        is_recurrent=False,
        reading_key="source_layers",
    )
)
