"""The legal answers as a tree of tokens; the model decides only at its branches."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import TypeAlias

Sequences: TypeAlias = tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class Branch:
    """A node with n children, at least two: the tokens allowed there.

    After `tokens[i]` the tokens `runs[i]` are forced. `nexts[i]` follows: another branch, or the index of the choice
    that is now complete.
    """

    tokens: tuple[int, ...]
    """(n,) ascending"""
    runs: tuple[tuple[int, ...], ...]
    nexts: tuple[Branch | int, ...]


@dataclass(frozen=True, slots=True)
class Trie:
    """All choices: the tokens `run` are forced, then `root` follows."""

    run: tuple[int, ...]
    root: Branch | int


@lru_cache(maxsize=4096)
def build(choices: Sequences) -> Trie:
    """Returns the tree of some token sequences.

    Raises ValueError if there is no choice, if one is empty, or if one is equal to or a prefix of another.

    >>> build(((5, 6, 9), (5, 7, 8, 9)))
    Trie(run=(5,), root=Branch(tokens=(6, 7), runs=((9,), (8, 9)), nexts=(0, 1)))
    """
    if not choices:
        raise ValueError("there are no choices")
    order = sorted(range(len(choices)), key=choices.__getitem__)
    if (pair := _alike(choices, order)) is not None:
        a, b = pair
        raise ValueError(f"choice {a} is equal to or a prefix of choice {b}: {choices[a]} and {choices[b]}")
    if not choices[order[0]]:
        raise ValueError(f"choice {order[0]} has no tokens")
    return Trie(*_grow(choices, order, 0))


def alike(choices: Sequences) -> tuple[int, int] | None:
    """Returns the indices of two choices of which one is equal to or a prefix of the other; None if all differ."""
    return _alike(choices, sorted(range(len(choices)), key=choices.__getitem__))


def _alike(choices: Sequences, order: list[int]) -> tuple[int, int] | None:
    pairs = ((a, b) for a, b in pairwise(order) if choices[b][: len(choices[a])] == choices[a])
    return next(pairs, None)


def _grow(choices: Sequences, order: list[int], depth: int) -> tuple[tuple[int, ...], Branch | int]:
    """Returns the forced run and the node after it, for sorted choices with the same first `depth` tokens."""
    first, last = choices[order[0]], choices[order[-1]]
    if len(order) == 1:
        return first[depth:], order[0]
    end = depth
    while first[end] == last[end]:
        end += 1
    groups: dict[int, list[int]] = {}
    for index in order:
        groups.setdefault(choices[index][end], []).append(index)
    grown = [_grow(choices, group, end + 1) for group in groups.values()]
    branch = Branch(tuple(groups), tuple(run for run, _ in grown), tuple(node for _, node in grown))
    return first[depth:end], branch
