"""Who knows what in an extensive-form game: what its reduced normal form does not tell.

An owner who commits before an entrant comes has the strategies and payoffs of one who sees it come (Thompson 1952). So
sequence forms are compared (von Stengel 1996): the ends, with what each player did at which of its information sets.
They are the same in whatever order moves are written that nobody sees, and change with everything else.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Sequence
from fractions import Fraction
from typing import Any, NamedTuple


class End(NamedTuple):
    """What an end pays, how often chance allows it, and what each player did: pairs (information set, action)."""

    payoffs: tuple[Fraction, ...]
    chance: Fraction
    done: tuple[tuple[tuple[int, int], ...], ...]


def ends(game: Any) -> list[End]:
    """The ends of a game of pygambit; those alike but for chance are one, and moves without a choice are none."""
    players = list(game.players)
    found: Counter[tuple[Any, Any]] = Counter()
    todo = [(game.root, (Fraction(0),) * len(players), Fraction(1), ((),) * len(players))]
    while todo:
        node, payoffs, chance, done = todo.pop()
        if node.outcome:  # not `is None`: it may be one that stands for none
            payoffs = tuple(have + Fraction(str(node.outcome[p])) for have, p in zip(payoffs, players, strict=True))
        if node.is_terminal:
            found[payoffs, done] += chance  # type: ignore[assignment]  # a Counter counts in fractions as well
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
    """Whether two games tell ends, actions and information sets apart in the same way, whatever they are called.

    Colours of the ends are refined by the actions that lead there until no more of them split (Weisfeiler and Leman
    1968). Games that differ all the same would have to agree in their normal forms, too, which are compared exactly.
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
    """For (game, player, information set, action) where it leads, and where the others of its information set do."""
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
