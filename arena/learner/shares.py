"""Divides the samples of an optimizer step among processes, with equal numbers of micro-batches."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from arena.common_prefix import common_prefix
from arena.learner.batch import Group, grouped, split_groups
from arena.learner.samples import TurnSample


@dataclass(frozen=True, slots=True)
class Share:
    """A micro-batch of one process."""

    groups: list[Group]
    counts: bool = True
    """False: only computed because all processes must take the same number of passes; its loss is multiplied by 0"""


def shares(samples: Sequence[TurnSample], part: Sequence[int], budget: int, world: int) -> list[list[Share]]:
    """Returns the micro-batches of each of `world` processes: equally many, with about equally many tokens.

    Every process gets neighbours in the sorted order, so that shared prefixes are read once. A process with fewer
    micro-batches repeats the smallest one, which does not count.
    """
    groups = grouped(samples, part)
    micro_batches = [split_groups(each, budget) for each in _balanced(groups, world)]
    smallest = [min(groups, key=lambda group: len(group[0]))]
    count = max(map(len, micro_batches))
    return [[*map(Share, each), *[Share(smallest, False)] * (count - len(each))] for each in micro_batches]


def _balanced(groups: Sequence[Group], world: int) -> list[list[Group]]:
    """Returns the groups in `world` parts of neighbours with about the same number of new tokens."""
    before: tuple[int, ...] = ()
    new = []
    for tokens, _ in groups:
        new.append(len(tokens) - common_prefix(before, tokens))
        before = tokens
    out: list[list[Group]] = [[] for _ in range(world)]
    total, done = sum(new), 0
    for group, tokens_read in zip(groups, new, strict=True):
        middle = done + tokens_read / 2
        out[min(world - 1, int(world * middle / max(total, 1)))].append(group)
        done += tokens_read
    return out
