"""Gambit's .efg notation."""

from __future__ import annotations

from collections.abc import Sequence

HEADER = "EFG 2 R"
"""how a game starts"""


def efg(title: str, players: Sequence[str], nodes: Sequence[str]) -> str:
    """Returns the text of a game, from node lines in prefix order."""
    names = " ".join(f'"{p}"' for p in players)
    return "\n".join([f'{HEADER} "{title}" {{ {names} }} ""', *nodes])


def chance(outcomes: Sequence[str], odds: Sequence[str]) -> str:
    """Returns a chance node."""
    listed = " ".join(f'"{o}" {p}' for o, p in zip(outcomes, odds, strict=True))
    return f'c "" 1 "" {{ {listed} }} 0'


def move(player: int, infoset: int, actions: Sequence[str]) -> str:
    """Returns a decision node: the player's number, the number of its information set, the actions."""
    listed = " ".join(f'"{a}"' for a in actions)
    return f'p "" {player} {infoset} "" {{ {listed} }} 0'


def end(number: int, *payoffs: int) -> str:
    """Returns an end node: the number of the outcome and the payoffs."""
    return f't "" {number} "" {{ {", ".join(map(str, payoffs))} }}'
