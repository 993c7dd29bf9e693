"""Questions of the paper's section 5.2.1 that hand-aligned pairs can answer, counted sentence by sentence.

"Largely monotonic, and right where not": of every two neighbouring target tokens that are both linked, does the second
look further back than the first, and are then both links among people's possible ones? And where people's sure links
turn back (adjective and noun), does the model follow?

"Phrases of unequal length": target tokens in groups that people linked as n source to m target tokens, n other than m,
beside those in groups of equal size. A token is right if its link is possible.

"The article looks at the noun to come": how much weight le, la and les give to the source of the next target token,
beside what all other words give to the source of theirs.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from model.analysis.alignment.hand_aligned import AlignedPair, Link, diagonal_links

COLUMNS = (
    "steps", "steps_back", "steps_back_right", "steps_on_right",
    "gold_steps", "gold_back", "gold_back_found", "gold_back_diagonal", "gold_on", "gold_on_found",
    "unequal", "unequal_right", "unequal_diagonal", "equal", "equal_right", "equal_diagonal",
    "articles", "articles_ahead", "others", "others_ahead",
)  # fmt: skip
"""What is counted in each sentence.

`steps`: neighbouring target tokens both linked by the model; `_back`: the second to an earlier source token; `_right`:
both links possible. `gold_steps`: neighbouring target tokens with one sure link each, to different source tokens;
`_back`, `_on`: the way people's links go; `_found`, `_diagonal`: both sure links are among the model's, the diagonal's
(which never turns back). `unequal`, `equal`: target tokens in such groups, how many of them are `_right`, and by the
diagonal. `articles`, `others`: words followed by a word, both with one sure link, to different source tokens; `_ahead`:
their weight on the source token of the next word, summed, in millionths."""

ARTICLES = frozenset({"le", "la", "les"})


def count_alignment_statistics(
    pair: AlignedPair, links: Sequence[Link], weights: NDArray[np.float64]
) -> tuple[int, ...]:
    """COLUMNS of one pair, of its hard links and of α over tokens (target + 1, source + 1)."""
    baseline = diagonal_links(len(pair.source), len(pair.target))
    return (*_steps(pair, links), *_turns(pair, links, baseline), *_groups(pair, links, baseline),
            *_ahead(pair, weights))


def _steps(pair: AlignedPair, links: Sequence[Link]) -> tuple[int, int, int, int]:
    linked = {target: source for source, target in links}
    steps = back = back_right = on_right = 0
    for target in range(len(pair.target) - 1):
        if target in linked and target + 1 in linked:
            steps += 1
            right = {(linked[target], target), (linked[target + 1], target + 1)} <= pair.possible
            if linked[target + 1] < linked[target]:
                back += 1
                back_right += right
            else:
                on_right += right
    return steps, back, back_right, on_right


def _turns(pair: AlignedPair, links: Sequence[Link], baseline: Sequence[Link]) -> tuple[int, int, int, int, int, int]:
    chosen, simple = set(links), set(baseline)
    back = back_found = back_diagonal = on = on_found = 0
    for target, (source, following) in _neighbours(pair).items():
        both = {(source, target), (following, target + 1)}
        if following < source:
            back += 1
            back_found += both <= chosen
            back_diagonal += both <= simple
        else:
            on += 1
            on_found += both <= chosen
    return back + on, back, back_found, back_diagonal, on, on_found


def _groups(pair: AlignedPair, links: Sequence[Link], baseline: Sequence[Link]) -> tuple[int, ...]:
    chosen = [{target for source, target in found if (source, target) in pair.possible} for found in (links, baseline)]
    result = []
    for unequal in (True, False):
        tokens = {target for sources, targets in find_link_groups(pair) if (len(sources) != len(targets)) == unequal
                  for target in targets}
        result += [len(tokens), *(len(tokens & right) for right in chosen)]
    return tuple(result)


def find_link_groups(pair: AlignedPair) -> list[tuple[set[int], set[int]]]:
    """The connected parts of people's possible links: (source tokens, target tokens) of each."""
    found: list[tuple[set[int], set[int]]] = []
    for source, target in sorted(pair.possible):
        touched = [group for group in found if source in group[0] or target in group[1]]
        joined: tuple[set[int], set[int]] = ({source}, {target})
        for group in touched:
            joined[0].update(group[0])
            joined[1].update(group[1])
            found.remove(group)
        found.append(joined)
    return found


def _ahead(pair: AlignedPair, weights: NDArray[np.float64]) -> tuple[int, int, int, int]:
    counted = [0, 0, 0, 0]
    for target, (_, following) in _neighbours(pair).items():
        here, after = pair.target[target], pair.target[target + 1]
        if here[-1:].isalpha() and after[-1:].isalnum():
            place = 0 if here.lower() in ARTICLES else 2
            counted[place] += 1
            counted[place + 1] += round(1_000_000 * float(weights[target, following]))
    return counted[0], counted[1], counted[2], counted[3]


def _neighbours(pair: AlignedPair) -> dict[int, Link]:
    """By target token, its one sure source token and that of the next target token, where they differ."""
    sure: dict[int, list[int]] = {}
    for source, target in pair.sure:
        sure.setdefault(target, []).append(source)
    alone = {target: sources[0] for target, sources in sure.items() if len(sources) == 1}
    return {target: (source, alone[target + 1]) for target, source in alone.items()
            if target + 1 in alone and alone[target + 1] != source}
