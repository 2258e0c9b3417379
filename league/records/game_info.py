"""What rating and scheduling need to know of a game, kept with a run so that they need not make the game."""

from __future__ import annotations

import re
from collections.abc import Mapping

import msgspec

from games import GameSpec
from games.game import Payoff

_FILE_PARAMETER = re.compile(r"(?i)\b\w*(?:file|path|folder|dir|root)\w*\s*=")


class GameInfo(msgspec.Struct, frozen=True, omit_defaults=True):
    """How a game is rated and who competes in it. `seats` are in seat order."""

    payoff: Payoff
    seats: tuple[str, ...]
    stakes: bool = False
    """zero- or constant-sum with returns of different size"""
    teams: tuple[tuple[str, ...], ...] = ()
    """seats that win and lose together; (): every seat plays alone"""
    rated: bool = True
    """whether a match says who is better; otherwise boards show mean returns only"""
    chance: bool = True
    """whether the seed decides anything; without chance, equal moves make equal matches on every seed"""
    strangers: bool = False
    """whether a player takes only the first seat of its team, and other players of the run the rest"""

    @classmethod
    def of(cls, spec: GameSpec) -> GameInfo:
        """Returns the part of a game's spec that ratings use."""
        return cls(
            spec.payoff,
            tuple(spec.seats),
            _has_stakes(spec),
            spec.teams,
            spec.rated,
            spec.chance is not False,
            spec.strangers,
        )

    @property
    def sides(self) -> tuple[tuple[str, ...], ...]:
        """The seats of each side: a team, or a seat that is in no team."""
        return self.teams or tuple((seat,) for seat in self.seats)

    @property
    def size(self) -> int:
        """The number of sides. A pairing has this many players and this many matches."""
        return len(self.teams or self.seats)

    @property
    def taken(self) -> tuple[tuple[str, ...], ...]:
        """For each side the seats that its player takes: all, or among strangers only the first."""
        return tuple(side[:1] for side in self.sides) if self.strangers else self.sides

    def compared(self, seats: Mapping[str, str]) -> set[str]:
        """Returns the players that a match compares, of those in `seats` (seat -> player): all but strangers."""
        return {seats[seat] for side in self.taken for seat in side}

    @property
    def by_pairing(self) -> bool:
        """Whether a match counts only together with the other matches of its pairing."""
        return self.rated and (self.payoff == "general_sum" or self.stakes)


def names_a_file(id: str) -> bool:
    """Returns whether a parameter of a game id names a file or a folder, which making the game would read."""
    return _FILE_PARAMETER.search(id) is not None


def _has_stakes(spec: GameSpec) -> bool:
    if spec.payoff not in ("zero_sum", "constant_sum") or spec.returns_range is None:
        return False
    even = spec.payoff_sum / len(spec.seats)
    return any(abs(bound - even) > 1.0 for bound in spec.returns_range)
