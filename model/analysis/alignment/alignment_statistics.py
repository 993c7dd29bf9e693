"""Statistics for the alignment claims of section 5.2.1 of the paper, counted sentence by sentence on hand-aligned
pairs.

- Largely monotonic: of two neighbouring target tokens that are both linked, does the second link go to an earlier
  source token, and are both links possible ones? Where the sure links reorder (adjective and noun), does the model?
- Phrases of unequal length: target tokens in groups that annotators linked as n source to m target tokens, n other than
  m. A token is right if its link is possible.
- Articles: how much weight le, la and les give to the source of the next target token, against all other words.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from model.analysis.alignment.hand_aligned import AlignedPair, Link, build_diagonal_links

COLUMNS = (
    "steps", "steps_back", "steps_back_right", "gold_back", "gold_back_found",
    "unequal", "unequal_right", "unequal_diagonal",
    "articles", "articles_ahead", "others", "others_ahead",
)  # fmt: skip
"""What is counted in each sentence; the names are JSON keys.

- `steps`: neighbouring target tokens that are both linked by the model; `_back`: the second to an earlier source token;
  `_right`: both links are possible.
- `gold_back`: neighbouring target tokens with one sure link each, the second to an earlier source token; `_found`: both
  links are among the model's.
- `unequal`: target tokens in groups of unequal size; `_right`: those linked correctly; `_diagonal`: by the diagonal.
- `articles`, `others`: words followed by a word, each with one sure link, to different source tokens; `_ahead`: the sum
  of their weights on the source token of the next word, in millionths.
"""

ARTICLES = frozenset({"le", "la", "les"})


def count_alignment_statistics(
    pair: AlignedPair, links: Sequence[Link], weights: NDArray[np.float64]
) -> tuple[int, ...]:
    """Return COLUMNS of one pair, given its hard links and α over tokens (target + 1, source + 1)."""
    return (*_count_steps(pair, links), *_count_reorderings(pair, links), *_count_unequal_groups(pair, links),
            *_count_attention_ahead(pair, weights))


def _count_steps(pair: AlignedPair, links: Sequence[Link]) -> tuple[int, int, int]:
    linked = {target: source for source, target in links}
    steps = backward_steps = correct_backward_steps = 0
    for target in range(len(pair.target) - 1):
        if target in linked and target + 1 in linked:
            steps += 1
            if linked[target + 1] < linked[target]:
                backward_steps += 1
                step_links = {(linked[target], target), (linked[target + 1], target + 1)}
                correct_backward_steps += step_links <= pair.possible_links
    return steps, backward_steps, correct_backward_steps


def _count_reorderings(pair: AlignedPair, links: Sequence[Link]) -> tuple[int, int]:
    backward_steps = [{(source, target), (next_source, target + 1)}
                      for target, (source, next_source) in _find_neighbours(pair).items() if next_source < source]
    return len(backward_steps), sum(step_links <= set(links) for step_links in backward_steps)


def _count_unequal_groups(pair: AlignedPair, links: Sequence[Link]) -> tuple[int, int, int]:
    tokens = {target for sources, targets in find_link_groups(pair) if len(sources) != len(targets)
              for target in targets}  # fmt: skip
    right_count, diagonal_count = (
        len({target for source, target in candidates if (source, target) in pair.possible_links} & tokens)
        for candidates in (links, build_diagonal_links(len(pair.source), len(pair.target)))
    )
    return len(tokens), right_count, diagonal_count


def find_link_groups(pair: AlignedPair) -> list[tuple[set[int], set[int]]]:
    """Return the connected components of the possible links, each as (source tokens, target tokens)."""
    components: list[tuple[set[int], set[int]]] = []
    for source, target in sorted(pair.possible_links):
        connected = [component for component in components if source in component[0] or target in component[1]]
        merged: tuple[set[int], set[int]] = ({source}, {target})
        for component in connected:
            merged[0].update(component[0])
            merged[1].update(component[1])
            components.remove(component)
        components.append(merged)
    return components


def _count_attention_ahead(pair: AlignedPair, weights: NDArray[np.float64]) -> tuple[int, int, int, int]:
    counts = [0, 0, 0, 0]
    for target, (_, next_source) in _find_neighbours(pair).items():
        word, next_word = pair.target[target], pair.target[target + 1]
        if word[-1:].isalpha() and next_word[-1:].isalnum():
            column = 0 if word.lower() in ARTICLES else 2
            counts[column] += 1
            counts[column + 1] += round(1_000_000 * float(weights[target, next_source]))
    return counts[0], counts[1], counts[2], counts[3]


def _find_neighbours(pair: AlignedPair) -> dict[int, Link]:
    """Map each target token to its one sure source token and that of the next target token, where they differ."""
    sure: dict[int, list[int]] = {}
    for source, target in pair.sure_links:
        sure.setdefault(target, []).append(source)
    single = {target: sources[0] for target, sources in sure.items() if len(sources) == 1}
    return {target: (source, single[target + 1]) for target, source in single.items()
            if target + 1 in single and single[target + 1] != source}
