"""No page raises, whatever a reader clicks, types, uploads or puts into a link.

Models and evaluations are fakes, since a run of a page would otherwise take seconds.
"""

from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace

import pytest

from model.decoding import Settings
from model.text.normalise import NormalisedText
from pages.ui.backend import evaluations, live_runs, service
from pages.ui.charts import training_curves
from pages.ui.charts.training_curves import TrainingCurves, TrainingMoment
from tests.pages.backend.test_jobs import Answers, translate_slice
from tests.pages.backend.test_live_runs import FakeWorker
from tests.pages.evaluated import make_evaluation, write_evaluations
from tests.pages.walker import PAGES, Walker

SESSION = 50  # steps of one reader; the next one comes by another link
STEPS = {"translate": 200, "step_by_step": 200, "compare": 200, "length_and_bleu": 150, "paper_figures": 50,
         "your_text": 250, "story": 50, "laboratory": 100, "family": 100, "concepts": 100,
         "train_live": 50}  # fmt: skip
LINKS = 5  # of each page
MODELS = ("rnnsearch-50", "rnnencdec-50", "rnnsearch-30")


@pytest.fixture(autouse=True)
def fake_evaluations(fakes: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Two test sets, one of them without beam search; slices are translated by the fakes too."""

    def decode(
        model: SimpleNamespace, sentences: Sequence[NormalisedText], settings: Settings, should_stop: object
    ) -> Answers:
        return translate_slice(model.name, sentences, settings)

    monkeypatch.setattr(service, "translate_slice", decode)
    monkeypatch.setattr(live_runs, "WorkerProcess", FakeWorker)
    lengths = [12] * 20 + [25] * 20
    records = [make_evaluation(name, lengths=range(1, 70)) for name in MODELS]
    records += [make_evaluation(name, lengths=lengths, data="other") for name in MODELS[:2]]
    records += [make_evaluation(name, lengths=lengths, data="other", beam=12) for name in MODELS[:2]]
    folder = write_evaluations(tmp_path, *records)
    index = evaluations.load_index
    monkeypatch.setattr(evaluations, "load_index", lambda *_: index(folder))
    moments = tuple(TrainingMoment(1000 * 2**step, (1.0 * step, 2.0 * step)) for step in range(4))
    curves = tuple(TrainingCurves(name, "0" * 12, ((1, 10), (11, 20)), moments) for name in MODELS[:2])
    monkeypatch.setattr(training_curves, "load_training_curves", lambda _: (curves, (("rnnencdec-30", "damaged"),)))


@pytest.mark.parametrize("page", PAGES)
def test_random_use_of_controls_breaks_no_page(page: str) -> None:
    for session in range(STEPS[page] // SESSION):
        walker = Walker(1000 * PAGES.index(page) + session)
        walker.open(page, links=session % 4)
        for _ in range(SESSION):
            walker.step()


@pytest.mark.parametrize("page", PAGES)
def test_an_event_together_with_a_click_on_a_link_breaks_no_page(page: str) -> None:
    walker = Walker(1000 * PAGES.index(page))
    walker.open(page)
    assert walker.leave_with_events("family" if page != "family" else "story")


@pytest.mark.parametrize("page", PAGES)
def test_random_links_break_no_page(page: str) -> None:
    for number in range(LINKS):
        Walker(10_000 + 1000 * PAGES.index(page) + number).open(page, links=number % 5 + 1)
