"""No page raises, whatever a reader clicks, types, uploads or puts into a link.

Models and evaluations are fakes, since a run of a page would otherwise take seconds. Most ideas of *Concepts* have no
fake measurement: only their alert is drawn.
"""

from pathlib import Path

import pytest

from pages.ui.backend import evaluations, live_runs, service
from pages.ui.charts import training_curves
from pages.ui.charts.training_curves import TrainingCurves, TrainingMoment
from pages.ui.laboratory import ablation, beam, saliency, sampling, vector
from pages.ui.url_state import experiments
from tests.evaluations import make_evaluation, write_evaluations
from tests.pages.backend.test_jobs import translate_slice_backwards
from tests.pages.backend.test_live_runs import FakeWorker
from tests.pages.laboratory.test_ablation import build_ablation
from tests.pages.laboratory.test_saliency import build_saliency
from tests.pages.laboratory.test_vector import make_bank, make_nearest, make_prefix_translations
from tests.pages.walker import PAGES, Walker
from tests.traces import make_trace

SESSION = 50  # steps of one reader; the next one comes by another link
STEPS = {"translate": 200, "step_by_step": 200, "compare": 200, "length_and_bleu": 150, "paper_figures": 50,
         "your_text": 250, "story": 50, "laboratory": 100, "family": 100, "concepts": 100,
         "train_live": 50}  # fmt: skip
LINKS = 5  # of each page
COMPONENTS = {"attention": "console", "forced_decoding": "forced_decoding", "beam": "beam", "vector": "vector",
              "saliency": "saliency", "ablation": "ablation", "sampling": "sampling"}  # fmt: skip
"""By experiment, its browser component."""
MODELS = ("rnnsearch-50", "rnnencdec-50", "rnnsearch-30")


@pytest.fixture(autouse=True)
def fake_evaluations(fakes: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Two test sets, one of them without beam search; slices are translated by the fakes too."""
    monkeypatch.setattr(service, "translate_slice", translate_slice_backwards)
    fake_experiments(monkeypatch)
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


def fake_experiments(monkeypatch: pytest.MonkeyPatch) -> None:
    """Replace the measurements of the laboratory."""
    monkeypatch.setattr(ablation, "ablate_sentence", lambda *_: build_ablation())
    monkeypatch.setattr(beam, "translate_n_best", lambda model, text, settings, **_: (make_trace(text),))
    monkeypatch.setattr(saliency, "compute_saliency", lambda model, trace, method, *_: build_saliency(trace, method))
    monkeypatch.setattr(sampling, "sample_translations", lambda model, text, settings, count, *_: [
        make_trace(text)] * count)  # fmt: skip
    monkeypatch.setattr(vector, "build_word_bank", lambda *_: make_bank())
    monkeypatch.setattr(vector, "locate_words", lambda *_: make_nearest())
    monkeypatch.setattr(vector, "translate_prefixes", lambda *_: make_prefix_translations())


@pytest.mark.parametrize("page", PAGES)
def test_random_use_of_controls_breaks_no_page(page: str) -> None:
    for session in range(STEPS[page] // SESSION):
        walker = Walker(1000 * PAGES.index(page) + session)
        walker.open(page, links=session % 4)
        for _ in range(SESSION):
            walker.step()


@pytest.mark.parametrize("name", experiments.NAMES)
def test_random_events_break_no_experiment(name: str) -> None:
    walker = Walker(20_000 + experiments.NAMES.index(name))
    walker.open("laboratory", values={"experiment": name})
    walker.send_events(COMPONENTS[name], 10)


@pytest.mark.parametrize("page", PAGES)
def test_an_event_together_with_a_click_on_a_link_breaks_no_page(page: str) -> None:
    walker = Walker(1000 * PAGES.index(page))
    walker.open(page)
    assert walker.leave_with_events("family" if page != "family" else "story")


@pytest.mark.parametrize("page", PAGES)
def test_random_links_break_no_page(page: str) -> None:
    for number in range(LINKS):
        Walker(10_000 + 1000 * PAGES.index(page) + number).open(page, links=number % 5 + 1)
