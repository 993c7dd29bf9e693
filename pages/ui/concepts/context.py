"""What the picture of an idea is drawn from: the sentence, translations of it, and measurements of a model."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from model.decoding import StopCallback
from model.trace import Trace
from pages.ui.i18n.messages import Messages
from pages.ui.url_state import params
from pages.ui.widgets.fetch import Request, SentenceInput
from pages.ui.widgets.status import Status
from pages.ui.widgets.translations import get_measurement, get_translations

if TYPE_CHECKING:
    from model.checkpoints.checkpoint import Model

Result = TypeVar("Result")


@dataclass(frozen=True)
class IdeaContext:
    """The sentence in the box, the texts, and the status line for waits and problems."""

    sentence: SentenceInput
    t: Messages
    status: Status

    def translate(self, model_names: Sequence[str]) -> list[Trace] | None:
        """Return the greedy translations of the sentence by these models, None if there is nothing to show.

        A model whose translation failed is left out. After a failure these may be translations of the previous sentence
        by the same models; the status line then says so. None if the previous ones are by others.
        """
        requests = [Request(name, params.SEARCHES["greedy"]) for name in model_names]
        translations = get_translations(self.sentence, requests, self.t, self.status)
        if not translations:
            return None
        pairs = zip(model_names, translations, strict=True)
        if any(traces and traces[0].provenance.model != name for name, traces in pairs):
            return None
        return [traces[0] for traces in translations if traces]

    def measure(
        self, model_name: str, key: Hashable, compute: Callable[[Model, StopCallback], Result]
    ) -> Result | None:
        """Return `get_measurement` with these texts and this status line."""
        return get_measurement(model_name, key, compute, lambda: self.t("status.working"), self.t, self.status)
