"""What the figures of a training are called on the board: short, and different from each other.

Keys of metrics.jsonl are paths, `win_rate/openspiel/tic_tac_toe/random/player_0`. Where one game is played its name
says nothing; where there are several, what tells them apart does.
"""

from __future__ import annotations

from collections.abc import Sequence

from games.naming import parse_name


class Labels:
    """Names of the figures of a training that plays `games`; () where they are not known."""

    def __init__(self, games: Sequence[str] = ()) -> None:
        self._names = short_names(games)

    def of(self, what: str, path: str) -> str:
        """`what` a figure is, then what the rest of its key tells: role, seat or band, and which of several games."""
        parts, game = self._split(path)
        label = " ".join([what, *parts])
        if len(self._names) < 2:
            return label
        return ", ".join(filter(None, (label, game))) if parts else f"{label} {game}"

    def wins(self, path: str) -> str:
        """The name of a win rate, whose path ends in the anchor and the seat. The seat first: nothing cuts it off."""
        rest, _, seat = path.rpartition("/")
        return self.of(f"wins as {seat} against", rest)

    def where(self, path: str) -> str:
        """The place of a figure in a sentence: its parts, or its game."""
        parts, game = self._split(path)
        return " ".join(parts if len(self._names) < 2 and parts else filter(None, [game, *parts]))

    def _split(self, path: str) -> tuple[list[str], str]:
        """The parts of a path beside its game, and the game's name; nothing for that where it is not known."""
        for game in sorted(self._names, key=len, reverse=True):
            before, found, after = f"/{path}/".partition(f"/{game}/")
            if found:
                return [part for part in f"{before}/{after}".split("/") if part], self._names[game]
        return path.removeprefix("openspiel/").removeprefix("pettingzoo/").split("/"), ""


def short_names(games: Sequence[str]) -> dict[str, str]:
    """Ids of games -> names without namespaces, where those do not tell them apart, and without the parameters that
    all variants of a game share. Variants of one game, and nothing else, are told by their parameters alone.

    >>> short_names(["a/go(size=5,komi=1)", "a/go(size=9,komi=1)"])
    {'a/go(size=5,komi=1)': 'size=5', 'a/go(size=9,komi=1)': 'size=9'}
    """
    parsed = {game: parse_name(game) for game in games}
    short: dict[str, str] = {}
    for game, name in parsed.items():
        alike = [other for other in parsed.values() if other.base == name.base]
        plain = name.base.rpartition("/")[2]
        clash = any(other.base != name.base and other.base.rpartition("/")[2] == plain for other in parsed.values())
        own = {k: v for k, v in name.params.items() if any(other.params.get(k) != v for other in alike)}
        told = ",".join(f"{k}={v}" for k, v in own.items())
        known = told and len(alike) == len(games)
        short[game] = told if known else f"{name.base if clash else plain} {told}".rstrip()
    return short


__all__ = ["Labels", "short_names"]
