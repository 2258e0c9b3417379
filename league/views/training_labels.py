"""Labels of a training's metrics on the board: short, and different from each other.

Keys of metrics.jsonl are paths such as `win_rate/openspiel/tic_tac_toe/random/player_0`. With one game, its name is
left out. With several, a label names what distinguishes the game from the others.
"""

from __future__ import annotations

from collections.abc import Sequence

from games.naming import parse_name
from games.registry import COLLECTIONS


class CurveLabels:
    """Labels for a training that plays `games`, given by their ids; () if they are unknown."""

    def __init__(self, games: Sequence[str] = ()) -> None:
        self._names = short_names(games)

    def label(self, metric: str, path: str) -> str:
        """Returns the metric's name, then role, seat or band, and the game if there are several."""
        parts, game = self._split(path)
        label = " ".join([metric, *parts])
        if len(self._names) < 2:
            return label
        return ", ".join(filter(None, (label, game))) if parts else f"{label} {game}"

    def win_rate(self, path: str) -> str:
        """Returns the label of a win rate, whose path ends in anchor and seat; the seat first, so it is never cut."""
        rest, _, seat = path.rpartition("/")
        policy = next((rest.partition(f"/{game}/")[0] for game in self._names if f"/{game}/" in rest), "")
        return self.label(f"{policy} wins as {seat} against".strip(), rest.removeprefix(f"{policy}/"))

    def place(self, path: str) -> str:
        """Returns what a path refers to, for use in a sentence: its parts, or its game."""
        parts, game = self._split(path)
        return " ".join(parts if len(self._names) < 2 and parts else filter(None, [game, *parts]))

    def _split(self, path: str) -> tuple[list[str], str]:
        """Returns the parts of a path without its game, and the game's short name ("" if it is unknown)."""
        for game in sorted(self._names, key=len, reverse=True):
            before, separator, after = f"/{path}/".partition(f"/{game}/")
            if separator:
                return [part for part in f"{before}/{after}".split("/") if part], self._names[game]
        parts = path.split("/")
        return parts[1:] if parts[0] in COLLECTIONS else parts, ""


def short_names(games: Sequence[str]) -> dict[str, str]:
    """Short names for games, by id: without the namespace unless two games need it, and without the parameters that
    all variants of a game share. If all games are variants of one, a name is only the parameters.

    >>> short_names(["a/go(size=5,komi=1)", "a/go(size=9,komi=1)"])
    {'a/go(size=5,komi=1)': 'size=5', 'a/go(size=9,komi=1)': 'size=9'}
    """
    parsed = {game: parse_name(game) for game in games}
    short: dict[str, str] = {}
    for game, name in parsed.items():
        variants = [other for other in parsed.values() if other.base == name.base]
        plain = _bare(name.base)
        clash = any(other.base != name.base and _bare(other.base) == plain for other in parsed.values())
        differing = {k: v for k, v in name.params.items() if any(other.params.get(k) != v for other in variants)}
        params = ",".join(f"{k}={v}" for k, v in differing.items())
        sufficient = params and len(variants) == len(games)
        short[game] = params if sufficient else f"{name.base if clash else plain} {params}".rstrip()
    return short


def _bare(base: str) -> str:
    """Returns a game's name without its namespace, and without the -v0 of all of TextArena's names."""
    namespace, _, name = base.rpartition("/")
    return name.replace("-v0", "") if namespace == "textarena" else name
