"""Draws extensive-form games of stages, with a word for every outcome, and writes them as text for OpenSpiel.

A game is a list of stages and a list of points. At a stage chance draws or a player chooses; each stage is seen by some
players. A line of points pays if the outcomes that it names have happened. Players remember what they saw and did.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from typing import Literal, NamedTuple

from games.exact.made_up import vocabulary
from games.exact.plain import PLAIN
from games.randomness import RandomStream

Balance = Literal["zero_sum", "general_sum"]
Path = tuple[str, ...]
"""the outcomes so far, one for each stage"""

_ODDS = (("1/2", "1/2"), ("1/3", "2/3"), ("1/4", "3/4"), ("2/5", "3/5"))
PLAYERS = 2


class Stage(NamedTuple):
    """One stage: who moves (None: chance), the outcomes, their odds, who sees it, the outcome that ends the game."""

    player: int | None
    outcomes: tuple[str, ...]
    odds: tuple[str, ...]
    readers: frozenset[int]
    ends: str


class Points(NamedTuple):
    """What both players get if all these outcomes have happened."""

    outcomes: frozenset[str]
    pays: tuple[int, int]


class Plan(NamedTuple):
    """A game."""

    stages: tuple[Stage, ...]
    points: tuple[Points, ...]

    def over(self, path: Path) -> bool:
        """Returns whether a path is complete."""
        return len(path) == len(self.stages) or (bool(path) and path[-1] == self.stages[len(path) - 1].ends)

    def pays(self, path: Path) -> tuple[int, int]:
        """Returns the points of both players at the end of a path."""
        lines = [line.pays for line in self.points if line.outcomes.issubset(path)]
        return sum(a for a, _ in lines), sum(b for _, b in lines)

    def view(self, player: int, path: Path) -> tuple[str | None, ...]:
        """Returns what a player knows of a path: the outcomes it saw, None for the others."""
        return tuple(
            outcome if player in stage.readers else None for outcome, stage in zip(path, self.stages, strict=False)
        )


def drawn(stream: RandomStream, size: int, balance: Balance) -> Plan:
    """Returns a game with `size` choices of the players in turn, after one or two chance events seen by one player."""
    words = vocabulary(stream, PLAIN)
    starter = stream.below(PLAYERS)
    stages = []
    for i in range(1 + stream.below(2)):
        odds = stream.choice(_ODDS)
        stages.append(Stage(None, (next(words), next(words)), odds, frozenset({(starter + i) % PLAYERS}), ""))
    for i in range(size):
        player = (starter + i) % PLAYERS
        outcomes = tuple(next(words) for _ in range(2 + (stream.below(3) == 0)))
        readers = frozenset(range(PLAYERS)) if stream.below(3) else frozenset({player})
        ends = outcomes[-1] if i + 1 < size and stream.below(4) == 0 else ""
        stages.append(Stage(player, outcomes, (), readers, ends))
    return Plan(tuple(stages), tuple(_points(stream, stages, balance)))


def _points(stream: RandomStream, stages: list[Stage], balance: Balance) -> Iterator[Points]:
    """Yields what pairs of outcomes pay: each outcome of a choice is in two pairs or more."""
    total: dict[frozenset[str], tuple[int, int]] = {}
    for stage in stages:
        for outcome in stage.outcomes if stage.player is not None else ():
            for other in stream.shuffled([s for s in stages if s is not stage])[:2]:
                first, second = _amount(stream), _amount(stream)
                pair = frozenset({outcome, stream.choice(other.outcomes)})
                a, b = total.get(pair, (0, 0))
                total[pair] = (a + first, b + (second if balance == "general_sum" else -first))
    for pair, pays in total.items():
        if any(pays):
            yield Points(pair, pays)


def _amount(stream: RandomStream) -> int:
    """Returns -4 to 4, but not 0."""
    return (1 + stream.below(4)) * stream.choice((1, -1))


def efg(plan: Plan) -> str:
    """Returns a game in Gambit's .efg format, which OpenSpiel loads."""
    sets: tuple[dict[tuple[str | None, ...], int], ...] = ({}, {})  # of each player: what it knows -> number
    ends = count(1)

    def nodes(path: Path) -> Iterator[str]:
        if plan.over(path):
            yield f't "" {next(ends)} "" {{ {plan.pays(path)[0]} {plan.pays(path)[1]} }}'
            return
        at = len(path)
        stage = plan.stages[at]
        names = " ".join(f'"{outcome}"' for outcome in stage.outcomes)
        if stage.player is None:
            odds = " ".join(f'"{o}" {p}' for o, p in zip(stage.outcomes, stage.odds, strict=True))
            yield f'c "" {at + 1} "" {{ {odds} }} 0'
        else:
            numbers, information = sets[stage.player], plan.view(stage.player, path)
            number = numbers.setdefault(information, len(numbers) + 1)
            label = " ".join(outcome or "-" for outcome in information)
            yield f'p "" {stage.player + 1} {number} "{label}" {{ {names} }} 0'
        for outcome in stage.outcomes:
            yield from nodes((*path, outcome))

    return "\n".join(['EFG 2 R "generated" { "player_0" "player_1" } ""', *nodes(()), ""])
