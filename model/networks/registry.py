"""The kinds of networks there are: the one place that lists them.

A further network is one file and one line at the end of this one. Everything else asks here how a kind is built, how
it is configured, what its loss over whole sequences is and which equations the player writes beside it; what a trained
model is stands on its card (`model.checkpoints.checkpoint`). Nothing is imported before it is needed: pages ask for
titles and equations without torch.

A network is a `torch.nn.Module` that offers what `model.networks.base.Translator` says, and

    loss(source, target, smoothing=0.0)    the summed negative log-likelihood in nats of padded (batch, target) pieces
                                           given padded (batch, source) pieces, padding counting nothing; with
                                           smoothing, of labels smoothed by so much (Szegedy et al. 2016, section 7)

unless its kind names a faster function for it. A configuration is a frozen dataclass with the fields `kind` and
`vocabulary` (pieces), which a recipe's section [network] fills; it raises ValueError naming the field that is off.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, cast, get_args

if TYPE_CHECKING:
    from torch import Tensor

Marker = Literal["circle", "square", "diamond", "triangle-up", "triangle-down", "pentagon", "star", "hexagon"]
MARKERS: tuple[Marker, ...] = get_args(Marker)
DEFAULT_MARKER = MARKERS[-1]  # of kinds that ask for none, and of models that nobody knows

_SHOWN = 60  # characters of a wrong name that a message repeats


class NetworkKindError(ValueError):
    """A kind of network that nobody registered, or a configuration that does not fit it; one sentence says which."""


@dataclass(frozen=True)
class NetworkKind:
    """One kind of network. References are written "module:attribute" and followed when first needed.

    `name`: what cards and commands call it; `title`: as papers write it; `network`: its class, called with a
    configuration; `config`: the class of that;
    `fast_decoder`: the class of a faster `Translator` with the same numbers, called with the network, "" for none;
    `loss`: a function (network, source, target, *, half, smoothing) in place of the network's own loss, "" for none;
    `equations`: a function from a card's network configuration to what the player writes
    (`model.networks.equations.rnnsearch`), "" for none; `paper`: where it comes from; `marker`: of its points in a
    drawing, one of MARKERS; `about`: the key of what it is in words (assets/words, glossary), "" for none, in which
    case it has no place in the family's history; `year`: when its paper came out, 0 where that is not told;
    `recurrent`: whether it reads one piece after the other; `reads`: the key of what the player says of how it reads,
    if not so (assets/words, step_by_step), filled with its configuration, "" for nothing; `grows_from`: another kind
    whose weights it can start from, since it has all of them and adds its own, "" for none.
    """

    name: str
    title: str
    network: str
    config: str
    fast_decoder: str = ""
    loss: str = ""
    equations: str = ""
    paper: str = ""
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
        """The dataclass that configures it."""
        return _follow(self.config)

    @cached_property
    def setting_names(self) -> tuple[str, ...]:
        """The keys of its configuration, `kind` and `vocabulary` apart."""
        known = tuple(one.name for one in fields(self.config_class))
        return tuple(name for name in known if name not in ("kind", "vocabulary"))

    def configure(self, given: Mapping[str, Any]) -> Any:
        """The configuration that a card or a recipe holds. Raises KindError naming what is unknown, missing or off."""
        keys = {"kind", "vocabulary", *self.setting_names}
        unknown, missing = sorted(map(str, set(given) - keys)), sorted({"kind", "vocabulary"} - set(given))
        if unknown or missing:
            raise NetworkKindError(
                f"network configuration of {self.title}: unknown keys {str(unknown)[:200]}, missing keys "
                f"{missing}; known are {', '.join(sorted(keys))}"
            )
        try:
            return self.config_class(**given)
        except (TypeError, ValueError) as error:
            raise NetworkKindError(f"network configuration of {self.title}: {str(error)[:200]}") from error

    def build(self, config: Any) -> Any:
        """A freshly initialised network."""
        return _follow(self.network)(config)

    @property
    def fast_decoder_class(self) -> Any:
        """The class of its fast decoder; None where it has none."""
        return _follow(self.fast_decoder) if self.fast_decoder else None

    def compute_loss(self, network: Any, source: Tensor, target: Tensor, *, half: bool = False,
                smoothing: float = 0.0) -> Tensor:
        """The summed negative log-likelihood of the target pieces in nats, their labels smoothed by so much; with
        `half` in bfloat16 where it can be."""
        if self.loss:
            return cast("Tensor", _follow(self.loss)(network, source, target, half=half, smoothing=smoothing))
        return cast("Tensor", network.loss(source, target, smoothing))

    def can_capture_loss(self, config: Any, smoothing: float) -> bool:
        """Whether a GPU can record `loss_of`: a loss over whole sequences, where a loop of the network's own would ask
        for values of tensors."""
        if not self.loss:
            return False
        plain = getattr(importlib.import_module(self.loss.partition(":")[0]), "plain", None)
        return plain is None or not plain(config, smoothing)

    def build_equations(self, network: Mapping[str, Any]) -> Any:
        """What the player writes for a card's network configuration; None where the kind gives no equations."""
        return _follow(self.equations)(network) if self.equations else None


KINDS: dict[str, NetworkKind] = {}
"""By their names, in the order in which they were registered: of one year, that of their papers."""


def register(kind: NetworkKind) -> NetworkKind:
    """Make a kind known under its name."""
    KINDS[kind.name] = kind
    return kind


def find_kind(name: object) -> NetworkKind:
    """The kind of that name. Raises KindError naming those there are."""
    if isinstance(name, str) and name in KINDS:
        return KINDS[name]
    given = repr(name) if len(repr(name)) <= _SHOWN else f"{repr(name)[:_SHOWN]}…"
    raise NetworkKindError(f"there is no kind of network {given}; there are {', '.join(sorted(KINDS))}")


def list_kinds_by_year() -> list[NetworkKind]:
    """Every kind in the order of the years; those that tell none come last."""
    return sorted(KINDS.values(), key=lambda kind: (not kind.year, kind.year))


def build_network(config: Any) -> Any:
    """A freshly initialised network of the configuration's kind. Raises KindError."""
    return find_kind(config.kind).build(config)


def _follow(reference: str) -> Any:
    """What a reference "module:attribute" names."""
    module, _, attribute = reference.partition(":")
    return getattr(importlib.import_module(module), attribute)


_BCB = "Bahdanau, Cho and Bengio 2015"
register(NetworkKind("rnnsearch", "RNNsearch", "model.networks.rnnsearch:RNNsearch",
              "model.networks.rnnsearch:RNNsearchConfig", fast_decoder="model.decoding.fast.rnnsearch:FastRNNsearch",
              loss="model.training.losses.gru:loss", equations="model.networks.equations.rnnsearch:rnnsearch",
              paper=_BCB, marker="circle", glossary_key="rnnsearch", year=2015))  # fmt: skip
register(NetworkKind("rnnencdec", "RNNencdec", "model.networks.rnnsearch:RNNencdec",
              "model.networks.rnnsearch:RNNsearchConfig", fast_decoder="model.decoding.fast.rnnsearch:FastRNNsearch",
              loss="model.training.losses.gru:loss", equations="model.networks.equations.rnnsearch:rnnencdec",
              paper=f"Cho et al. 2014, as in {_BCB}", marker="square", glossary_key="rnnencdec", year=2014))  # fmt: skip
register(NetworkKind("seq2seq", "Seq2Seq", "model.networks.seq2seq:Seq2Seq",
              "model.networks.seq2seq:Seq2SeqConfig", fast_decoder="model.decoding.fast.lstm:FastSeq2Seq",
              loss="model.training.losses.lstm:loss", equations="model.networks.equations.lstm:seq2seq",
              paper="Sutskever, Vinyals and Le 2014", marker="triangle-down", glossary_key="seq2seq", year=2014))  # fmt: skip
register(NetworkKind("luong", "Luong", "model.networks.luong:Luong",
              "model.networks.luong:LuongConfig", fast_decoder="model.decoding.fast.lstm:FastLuong",
              loss="model.training.losses.luong:loss", equations="model.networks.equations.lstm:luong",
              paper="Luong, Pham and Manning 2015", marker="triangle-up", glossary_key="luong", year=2015))  # fmt: skip
_ADDED: tuple[tuple[str, str, str, Marker, str, int], ...] = (
    ("coverage", "RNNsearch with coverage", "Tu et al. 2016", "pentagon", "rnnsearch_coverage", 2016),
    ("copy", "Pointer-generator", "See et al. 2017", "star", "pointer_generator", 2017),
)
for _name, _title, _paper, _marker, _about, _year in _ADDED:
    register(NetworkKind(_name, _title, "model.networks.coverage:CoverageRNNsearch",
                  "model.networks.coverage:CoverageConfig", fast_decoder="model.decoding.fast.coverage:FastCoverageSearch",
                  loss="model.training.losses.coverage:loss", equations="model.networks.equations.coverage:coverage",
                  paper=_paper, marker=_marker, glossary_key=_about, year=_year, warm_start_kind="rnnsearch"))  # fmt: skip
register(NetworkKind("transformer", "Transformer", "model.networks.transformer:Transformer",
              "model.networks.transformer_layers:TransformerConfig", fast_decoder="model.decoding.fast.transformer:FastTransformer",
              loss="model.training.losses.transformer:loss",
              equations="model.networks.equations.transformer:transformer", paper="Vaswani et al. 2017",
              marker="diamond", glossary_key="transformer", year=2017, is_recurrent=False, reading_key="source_layers"))  # fmt: skip
