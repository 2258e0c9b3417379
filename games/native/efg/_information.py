"""The information of players in an extensive-form game, which its reduced normal form does not show.

An owner who commits before an entrant decides has the same strategies and payoffs as one who sees the entrant
(Thompson 1952). So sequence forms are compared (von Stengel 1996): the ends, with the actions of each player at its
information sets. They do not depend on the order of unobserved moves and change with everything else.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Sequence
from fractions import Fraction
from typing import Any, NamedTuple


class End(NamedTuple):
    """An end: payoffs, probability of its chance moves, and for each player pairs (information set, action)."""

    payoffs: tuple[Fraction, ...]
    chance: Fraction
    done: tuple[tuple[tuple[int, int], ...], ...]


def ends(game: Any) -> list[End]:
    """The ends of a pygambit game. Ends that differ only in chance are merged; moves with one action are left out."""
    players = list(game.players)
    found: Counter[tuple[Any, Any]] = Counter()
    todo = [(game.root, (Fraction(0),) * len(players), Fraction(1), ((),) * len(players))]
    while todo:
        node, payoffs, chance, done = todo.pop()
        if node.outcome:  # an empty outcome is falsy but not None
            payoffs = tuple(have + Fraction(str(node.outcome[p])) for have, p in zip(payoffs, players, strict=True))
        if node.is_terminal:
            found[payoffs, done] += chance  # type: ignore[assignment]  # a Counter can count in fractions
            continue
        for i, child in enumerate(node.children):
            if node.player.is_chance:
                odds = Fraction(str(list(node.infoset.actions)[i].prob))
                todo.append((child, payoffs, chance * odds, done))
            elif len(node.children) == 1:
                todo.append((child, payoffs, chance, done))
            else:
                n = node.player.number
                todo.append((child, payoffs, chance, (*done[:n], (*done[n], (node.infoset.number, i)), *done[n + 1 :])))
    return [End(payoffs, Fraction(chance), done) for (payoffs, done), chance in found.items()]


def alike(one: Sequence[End], other: Sequence[End]) -> bool:
    """Whether ends, actions and information sets of two games correspond, whatever their names.

    The colours of the ends are refined by the actions that lead to them until they are stable (Weisfeiler and Leman
    1968). Different games with the same colours would also need equal normal forms, which are compared exactly.
    """
    all_ends = [(0, end) for end in one] + [(1, end) for end in other]
    colours = _numbered([(end.payoffs, end.chance) for _, end in all_ends])
    while True:
        meaning = _actions(all_ends, colours)
        finer = _numbered(
            [
                (colour, *(tuple(meaning[game, n, *step] for step in done) for n, done in enumerate(end.done)))
                for (game, end), colour in zip(all_ends, colours, strict=True)
            ]
        )
        if sorted(finer[: len(one)]) != sorted(finer[len(one) :]):
            return False
        if max(finer) == max(colours):
            return True
        colours = finer


def _actions(all_ends: Sequence[tuple[int, End]], colours: Sequence[int]) -> dict[tuple[int, ...], Hashable]:
    """(game, player, information set, action) -> the ends it leads to, and those of the other actions of the set."""
    leads: defaultdict[tuple[int, ...], list[int]] = defaultdict(list)
    for (game, end), colour in zip(all_ends, colours, strict=True):
        for n, done in enumerate(end.done):
            for step in done:
                leads[game, n, *step].append(colour)
    sets: defaultdict[tuple[int, ...], list[list[int]]] = defaultdict(list)
    for (*infoset, _), seen in leads.items():
        seen.sort()
        sets[tuple(infoset)].append(seen)
    return {key: (tuple(seen), tuple(map(tuple, sorted(sets[key[:3]])))) for key, seen in leads.items()}


def _numbered(things: Sequence[Hashable]) -> list[int]:
    """Numbers from 0, the same for equal things."""
    order = {thing: i for i, thing in enumerate(dict.fromkeys(things))}
    return [order[thing] for thing in things]
