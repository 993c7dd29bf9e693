"""Whatever a reader presses, types, uploads or puts into a link: no page ever breaks.

The models are made up and answer at once; what was measured is made up too, or one run of a page would take seconds.
"""

from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace

import pytest

from model.decoding import Settings
from model.text.normalise import NormalisedText
from pages.ui.backend import evaluations, service
from pages.ui.charts import training_curves
from pages.ui.charts.training_curves import Moment, TrainingCurves
from tests.pages.backend.test_jobs import Answers, translate_slice
from tests.pages.evaluated import make_evaluation, write_evaluations
from tests.pages.walker import PAGES, Walker

SESSION = 50  # steps of one reader, who then goes, and another one comes by another link
STEPS = {"translate": 600, "step_by_step": 600, "compare": 600, "length_and_bleu": 450, "paper_figures": 50,
         "your_text": 700, "story": 50, "laboratory": 200, "family": 200}  # fmt: skip
LINKS = 10  # of each page
MODELS = ("rnnsearch-50", "rnnencdec-50", "rnnsearch-30")


@pytest.fixture(autouse=True)
def made_up(fakes: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Files are translated by made-up models too; two test sets, of which one was not searched with the beam."""

    def decode(
        model: SimpleNamespace, sentences: Sequence[NormalisedText], settings: Settings, stopped: object
    ) -> Answers:
        return translate_slice(model.name, sentences, settings)

    monkeypatch.setattr(service, "translate_slice", decode)
    made = [make_evaluation(name, lengths=range(1, 70)) for name in MODELS]
    made += [make_evaluation(name, lengths=[12] * 20 + [25] * 20, data="other") for name in MODELS[:2]]
    made += [make_evaluation(name, lengths=[12] * 20 + [25] * 20, data="other", beam=12) for name in MODELS[:2]]
    folder = write_evaluations(tmp_path, *made)
    index = evaluations.load_index
    monkeypatch.setattr(evaluations, "load_index", lambda: index(folder))
    moments = tuple(Moment(1000 * 2**step, (1.0 * step, 2.0 * step)) for step in range(4))
    growths = tuple(TrainingCurves(name, "0" * 12, ((1, 10), (11, 20)), moments) for name in MODELS[:2])
    monkeypatch.setattr(training_curves, "load_training_curves", lambda: (growths, (("rnnencdec-30", "damaged"),)))


@pytest.mark.parametrize("page", PAGES)
def test_no_control_breaks_a_page(page: str) -> None:
    for session in range(STEPS[page] // SESSION):
        walker = Walker(1000 * PAGES.index(page) + session)
        walker.open(page, links=session % 4)
        for _ in range(SESSION):
            walker.step()


@pytest.mark.parametrize("page", PAGES)
def test_an_event_may_come_together_with_a_click_on_a_link_to_another_page(page: str) -> None:
    walker = Walker(1000 * PAGES.index(page))
    walker.open(page)
    assert walker.leave_with_events("family" if page != "family" else "story")


@pytest.mark.parametrize("page", PAGES)
def test_no_link_breaks_a_page(page: str) -> None:
    for number in range(LINKS):
        Walker(10_000 + 1000 * PAGES.index(page) + number).open(page, links=number % 5 + 1)
