"""Writes a small game in extensive form as rules: all moves, what a player cannot tell apart, what each end pays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

LARGEST = 300
"""ends of the largest game that is written out"""


class InformationSet(NamedTuple):
    """What a text of OpenSpiel says of the position of the acting player: `0-0-3-label`."""

    number: str
    label: str

    @classmethod
    def read(cls, raw: str) -> InformationSet:
        """Returns the parts of an information state of `efg_game`."""
        return cls(*raw.split("-", 3)[2:])

    def __str__(self) -> str:
        return f"set {self.number}{f' ({self.label.strip()})' if self.label.strip() else ''}"


def extensive(game: Any, _params: dict[str, Any]) -> str:
    """Returns the rules of a game in extensive form."""
    moves: dict[str, list[str]] = {}  # what happens -> after which histories
    ends: list[str] = []
    stack: list[tuple[Any, tuple[str, ...]]] = [(game.new_initial_state(), ())]
    while stack and len(ends) <= LARGEST:
        state, path = stack.pop()
        if state.is_terminal():
            ends.append(f"- {', '.join(path)}: {', '.join(f'{value:g}' for value in state.returns())}")
            continue
        moves.setdefault(_event(state), []).append(", ".join(path))
        steps = [(state.child(a), (*path, _name(state, a))) for a in state.legal_actions()]
        stack += reversed(steps)
    n = game.num_players()
    head = f"A game for {n} players." if n > 1 else "A game for one player."
    form = "An action is one of the names listed for your set."
    if len(ends) > LARGEST:
        return f"{head} It has more than {LARGEST} ends, too many to list. {form}"
    seats = ", ".join(f"player_{i}" for i in range(n))
    lines = [f"- {_after(paths)}: {event}" for event, paths in moves.items()]
    return "\n".join([f"{head} It goes on as follows:", *lines, f"Returns of {seats} at each end:", *ends, form])


def _event(state: Any) -> str:
    """Returns what happens at a position; the same at positions that the acting player cannot tell apart."""
    if state.is_chance_node():
        return f"chance draws {' or '.join(f'{_name(state, a)} ({p:g})' for a, p in state.chance_outcomes())}"
    player = state.current_player()
    at = InformationSet.read(state.information_state_string(player))
    return f"player_{player}, {at}, chooses {' or '.join(_name(state, a) for a in state.legal_actions())}"


def _name(state: Any, action: int) -> str:
    """Returns the name of a move; events of chance in files of other programs may have none."""
    return " ".join(str(state.action_to_string(action)).split()) or f"event {action + 1}"


def _after(paths: Sequence[str]) -> str:
    if paths == [""]:
        return "at the start"
    return f"after {' or after '.join(paths)}"
