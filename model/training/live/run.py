"""A network that learns a toy task, with snapshots of what it can do at each moment.

Batches are drawn anew from the seed, so that no pair is seen twice but by chance; two kinds of networks with the same
settings see the same pairs in the same order. The running average of the weights is what snapshots measure.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from time import monotonic
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from model.decoding.forced_decoding import force_decode
from model.decoding.greedy import search_greedily
from model.decoding.hypothesis import Hypothesis
from model.decoding.settings import Settings
from model.networks.base import shift_target
from model.text.padding import pad_sequences
from model.text.vocabulary import PAD
from model.trace import find_main_map
from model.training.batches import Batch, Position
from model.training.diary_record import encode_alpha
from model.training.distributed import ProcessGroup
from model.training.learner import Learner
from model.training.live.records import FIXED_EXAMPLES, ExampleText, ExampleView, LengthScore, Snapshot
from model.training.live.settings import BATCH_PAIRS, EXAM_PAIRS, SNAPSHOT_PAIRS, LiveSettings
from model.training.live.tasks import TASKS, TaskVocabulary, Tokens

MAX_SNAPSHOTS = 400  # whose weights are kept

_SEARCH = Settings(candidates=0, max_ratio=6.0)  # numbers in words are longer than in digits
_TEST_SEED = 0  # of the test pairs, whatever the seed of the network


class LiveLearner(Learner):
    """A Learner of a toy task, with scheduled sampling: some of the tokens that the decoder reads are its own."""

    def __init__(self, settings: LiveSettings) -> None:
        self.settings = settings
        self.task = TASKS[settings.task]
        self.vocabulary = TaskVocabulary(self.task.alphabet)
        super().__init__(settings.build_recipe(), settings.kind, len(self.vocabulary),
                         ProcessGroup(torch.device("cpu")))
        self.use_bfloat16 = False  # to convert such small matrices takes longer than it saves
        self.prepare()
        self._choices = torch.Generator().manual_seed(settings.seed)

    def compute_loss(self, source: Tensor, target: Tensor) -> Tensor:
        previous = None
        if self.settings.forcing < 1:
            previous = mix_previous_tokens(self.network, source, target, self.settings.forcing, self._choices)
        return self.kind.compute_loss(self.network, source, target, use_bfloat16=self.use_bfloat16, previous=previous)


@torch.no_grad()
def mix_previous_tokens(network: Any, source: Tensor, target: Tensor, share: float, choices: torch.Generator) -> Tensor:
    """Return the tokens that the decoder reads (batch, target): each is the right previous token with the probability
    `share`, else the one that the network ranks first.

    Bengio et al. (2015) draw the other token from the network's distribution.
    """
    correct_tokens = shift_target(target)
    takes_correct = torch.rand(target.shape, generator=choices) < share
    state = network.start(network.encode(source))
    previous = [correct_tokens[:, 0]]
    for step in range(1, target.shape[1]):
        result = network.step(state, previous[-1])
        state, best_tokens = result.state, result.log_probs[:, PAD + 1 :].argmax(-1) + PAD + 1
        mixed_tokens = torch.where(takes_correct[:, step], correct_tokens[:, step], best_tokens)
        previous.append(torch.where(correct_tokens[:, step] == PAD, PAD, mixed_tokens))
    return torch.stack(previous, dim=1)


@torch.inference_mode()
def _search(network: Any, sources: Sequence[Sequence[int]]) -> list[Hypothesis]:
    return [hypotheses[0] for hypotheses in search_greedily(network, sources, _SEARCH, [()] * len(sources))]


class LiveRun:
    """A run that goes on update by update: `update`, and `take_snapshot` when `is_due`."""

    def __init__(self, settings: LiveSettings) -> None:
        self.settings = settings
        self.learner = LiveLearner(settings)
        self.task, self.vocabulary = self.learner.task, self.learner.vocabulary
        self.limit = self.task.get_limit(settings.limit)
        self.lengths = self.task.list_lengths(self.limit)
        self.examples = [self.task.parse(text) for text in self.task.examples]
        self.seconds = 0.0  # of updates and snapshots
        self.snapshots: list[Snapshot] = []
        self._weights: list[dict[str, Tensor]] = []  # at each snapshot
        self._last_moment = -1  # of the last snapshot
        self._random = Random(settings.seed)
        self._test = self.draw_test(self.lengths, SNAPSHOT_PAIRS)
        self._losses: list[float] = []  # since the last snapshot
        self._norms: list[float] = []
        self._alpha_key = main.key if (main := find_main_map(self.learner.average.maps)) else ""

    # ---- learning ----

    def warm_up(self) -> None:
        """Load what training and measuring need, by doing both once in vain."""
        self.learner.compute_gradients(self.draw_batch(Random(0)))
        self.measure(self.learner.average, [pairs[:1] for pairs in self._test])

    def draw_batch(self, random: Random) -> Batch:
        """Draw new pairs of lengths that are trained on, the same number of each on average."""
        lengths = random.choices(self.lengths if self.task.limits else [0], k=BATCH_PAIRS)
        pairs = [self.task.draw_pair(random, length, held_out=False) for length in lengths]
        source, target = (pad_sequences([self.vocabulary.encode(pair[side]) for pair in pairs]) for side in (0, 1))
        return Batch(source, target, int((target != PAD).sum()), Position())

    def update(self) -> None:
        """Do one update. Raises TrainingError if the loss is not finite."""
        start = monotonic()
        self._losses.append(self.learner.update(self.draw_batch(self._random)))
        self._norms.append(self.learner.gradient_norm)
        self.seconds += monotonic() - start

    @property
    def is_full(self) -> bool:
        """Whether no further snapshot is kept."""
        return len(self.snapshots) >= MAX_SNAPSHOTS

    @property
    def is_due(self) -> bool:
        """Whether it is time for a snapshot."""
        return not self.is_full and self.get_moment() > self._last_moment

    def get_moment(self) -> int:
        """Return the number of the interval that the run is in, which two networks of one run share."""
        interval = self.settings.interval
        return int(self.seconds / interval) if interval else self.learner.progress.updates

    # ---- what it can do ----

    def take_snapshot(self) -> Snapshot:
        """Measure the averaged weights, and keep them."""
        start = monotonic()
        network, progress, self._last_moment = self.learner.average, self.learner.progress, self.get_moment()
        by_length = self.measure(network, self._test)
        snapshot: Snapshot = {
            "updates": progress.updates,
            "pairs": progress.updates * BATCH_PAIRS,
            "seconds": round(self.seconds, 2),
            "loss": round(float(np.mean(self._losses)), 4) if self._losses else None,
            "accuracy": round(float(np.mean(by_length)), 4),
            "by_length": [round(value, 4) for value in by_length],
            "norm": round(float(np.mean(self._norms)), 4) if self._norms else None,
            "max_norm": round(max(self._norms), 4) if self._norms else None,
            "clipped": round(float(np.mean(np.array(self._norms) > self.settings.clip)), 4) if self._norms else None,
            "examples": self.view_examples(network, self.examples),
        }
        self._losses, self._norms = [], []
        self.snapshots.append(snapshot)
        self._weights.append({name: value.clone() for name, value in network.state_dict().items()})
        self.seconds += monotonic() - start
        return snapshot

    def draw_test(self, lengths: Sequence[int], count: int) -> list[list[tuple[Tokens, Tokens]]]:
        """Draw test pairs for each length, the same in every process.

        Sources of MIN_HELD_OUT_TOKENS tokens or more are held out from training; shorter ones are too few for that.
        """
        pairs = []
        for length in lengths:
            random = Random(f"{_TEST_SEED} {length}")
            distinct_pairs = dict.fromkeys(self.task.draw_pair(random, length, held_out=True) for _ in range(4 * count))
            pairs.append(list(distinct_pairs)[:count])
        return pairs

    def measure(self, network: nn.Module, test: Sequence[Sequence[tuple[Tokens, Tokens]]]) -> list[float]:
        """Return the share of outputs that are right from the first token to the last, for each list of pairs."""
        sources = [self.vocabulary.encode(source) for pairs in test for source, _ in pairs]
        outputs = iter(self.translate(network, sources))
        return [float(np.mean([next(outputs) == list(target) for _, target in pairs])) for pairs in test]

    def translate(self, network: Any, sources: Sequence[Sequence[int]]) -> list[list[str] | None]:
        """Return the output for each source; None if it has no end."""
        return [self.vocabulary.decode(best.tokens) if best.is_finished else None
                for best in _search(network, sources)]

    def view_examples(self, network: Any, examples: Sequence[tuple[Tokens, Tokens]]) -> list[ExampleView]:
        """Return the output for each example, and α while the decoder is given the right target."""
        sources = [self.vocabulary.encode(source) for source, _ in examples]
        targets = [self.vocabulary.encode(target) for _, target in examples]
        with torch.inference_mode():
            forced = force_decode(network, sources, targets, _SEARCH) if self._alpha_key else None
        return [
            {"output": self.vocabulary.decode(best.tokens)[: 2 * len(target) + 2],
             "alpha": encode_alpha(forced[index].weights[self._alpha_key]) if forced else ""}
            for index, (best, target) in enumerate(zip(_search(network, sources), targets, strict=True))
        ]  # fmt: skip

    def view_input(self, text: str) -> tuple[ExampleText, list[ExampleView]]:
        """Add a reader's input to the examples, and return it at every snapshot so far. Raises TaskInputError."""
        pair = self.task.parse(text)
        self.examples = [*self.examples[:FIXED_EXAMPLES], pair]
        return describe_pair(pair), [self.view_examples(network, [pair])[0] for network in self._restore_networks()]

    def examine(self) -> list[LengthScore]:
        """Measure more pairs of each length that is trained on, and of those beyond."""
        lengths = [*self.lengths, *self.task.list_longer(self.limit)]
        test = self.draw_test(lengths, EXAM_PAIRS)
        scores = self.measure(self.learner.average, test)
        return [{"length": length, "accuracy": round(score, 4)}
                for length, score in zip(lengths, scores, strict=True)]

    def _restore_networks(self) -> list[nn.Module]:
        networks = []
        for weights in self._weights:
            network = self.learner.kind.build(self.learner.network.config).eval()
            network.load_state_dict(weights)
            networks.append(network)
        return networks


def describe_pair(pair: tuple[Tokens, Tokens]) -> ExampleText:
    return {"source": list(pair[0]), "target": list(pair[1])}
