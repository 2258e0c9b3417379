"""Kinds of matches: those whose game, status, seats and ranks are equal texts, but for what they cost.

Each kind is decoded once, and so is each seat: ten million matches of ten thousand players have a million kinds, and
kinds are numbers. What Python makes for a kind is made when somebody asks for it.
"""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Callable, Sequence
from functools import partial
from itertools import count, islice
from typing import NamedTuple

import msgspec
import numpy as np

from league.outcomes.arrays import Ints
from league.outcomes.costs import SpenderKey, payers
from league.outcomes.outcome import ranks_of
from league.outcomes.sides import is_counted
from league.records.game_info import GameInfo
from league.records.matches import Ranks, SeatResult, to_json

_decode_seats = msgspec.json.Decoder(tuple[SeatResult, ...]).decode
_decode_seat = msgspec.json.Decoder(SeatResult).decode
_decode_ranks = msgspec.json.Decoder(Ranks).decode
_BETWEEN = "},{"
"""between two seats"""


class MatchKind(NamedTuple):
    """What equal matches have in common."""

    game: str
    status: str
    seats: tuple[SeatResult, ...]
    """without turns, tokens and failed attempts, unless the match is void"""
    ranks: Ranks
    """those of the unit that the match completed"""


class KindColumns(NamedTuple):
    """Columns (K,) of all kinds: place of the game; whether it counts; whether it is void; the first of its seats, and
    how many it has; the number of its ranks, in `MatchKinds.ranks`; and of those it should have, if it is a unit alone.
    """

    game: Ints
    counts: Ints
    void: Ints
    first: Ints
    ranks: Ints
    right: Ints
    size: Ints


class _Numbered(dict[str, int]):
    """Texts and their numbers, which `enter` gives to new ones."""

    def __init__(self, enter: Callable[[str], int]) -> None:
        super().__init__()
        self._enter = enter

    def __missing__(self, text: str) -> int:
        out = self[text] = self._enter(text)
        return out


class MatchKinds:
    """Numbers the kinds of matches as they come."""

    def __init__(self, games: dict[str, GameInfo]) -> None:
        self.games = games
        self._place = {game: place for place, game in enumerate(games)}
        # A missing key gets the next number: such a dictionary numbers texts without a step of Python.
        self._next = count().__next__
        self._numbers: dict[tuple[str, str], defaultdict[str, int]] = {}
        """game and status -> seats and ranks as text -> number"""
        self._status: list[str] = []
        self._columns = array("q")
        """(K, 6): `KindColumns` but for the size"""
        self._sizes, self._seat_numbers, self._payers = array("q"), array("q"), array("q")
        """of each kind the number of seats; of each of these its number in `seats`, and that of the key that pays"""
        self._spenders: dict[SpenderKey | None, int] = {None: 0}
        self.seats: list[SeatResult] = []
        """every distinct seat; seats of two games are distinct"""
        self._payer_of = array("q")
        """of each seat in `seats`, the number of the key that pays for it; not for games with teams"""
        self._seats: dict[str, dict[str, int]] = {}
        self.ranks: list[Ranks] = []
        self._ranks = _Numbered(self._enter_ranks)

    def __len__(self) -> int:
        return len(self._status)

    def numbers(self, game: str, status: str, texts: Sequence[str]) -> Ints:
        """Returns the kind of each text of seats and ranks. Raises MsgspecError and others for a damaged one."""
        kinds = self._numbers.setdefault((game, status), defaultdict(self._next))
        before = len(kinds)
        out = np.fromiter(map(kinds.__getitem__, texts), np.int64, len(texts))
        for text in islice(kinds, before, None):
            end = text.rindex("][") + 1  # of the seats: there is none in the JSON of ranks
            self._enter(game, status, self._read(game, text[:end]), self._ranks[text[end:]])
        return out

    def sizes(self, kinds: Ints) -> Ints:
        """Returns the number of seats of matches of these kinds."""
        out: Ints = np.frombuffer(self._sizes, np.int64)[kinds]
        return out

    def columns(self) -> KindColumns:
        """Returns the columns of all kinds so far."""
        out = np.array(self._columns, np.int64).reshape(-1, 6).T
        game, counts, void, first, ranks, right = out
        return KindColumns(game, counts, void, first, ranks, right, np.array(self._sizes, np.int64))

    def seat_numbers(self) -> Ints:
        """Returns for each seat of all kinds its number in `seats`."""
        return np.array(self._seat_numbers, np.int64)

    def payers(self) -> tuple[Ints, list[SpenderKey | None]]:
        """Returns for each seat of all kinds the number of the key that pays for it, and the keys."""
        return np.array(self._payers, np.int64), list(self._spenders)

    def status(self, kind: int) -> str:
        """Returns the status of the matches of a kind."""
        return self._status[kind]

    def match(self, kind: int) -> MatchKind:
        """Returns what the matches of a kind have in common."""
        game, _, _, first, ranks, _ = self._columns[6 * kind : 6 * kind + 6]
        seats = tuple([self.seats[seat] for seat in self._seat_numbers[first : first + self._sizes[kind]]])
        return MatchKind(list(self.games)[game], self._status[kind], seats, self.ranks[ranks])

    def _enter(self, game: str, status: str, seats: Sequence[int], ranks: int) -> None:
        info, void, right = self.games[game], status == "void", ranks
        played = tuple([self.seats[seat] for seat in seats])
        if {seat.seat for seat in played} != set(info.seats):
            raise ValueError(f"a match of {game} has not the seats {', '.join(info.seats)}")
        kind = MatchKind(game, status, played, self.ranks[ranks])
        if info.teams:
            counts, keys = is_counted(kind, info), payers(kind, game, info)
            paying = [self._spenders.setdefault(key, len(self._spenders)) for key in keys]
        else:
            counts = not void and len({seat.player for seat in played}) == len(played)
            paying = [self._payer_of[seat] for seat in seats]
        if counts and not info.by_pairing and not kind.ranks:  # of no store, or damaged
            right = self._ranks[to_json(ranks_of((kind,), info))]
        self._status.append(status)
        self._columns.extend((self._place[game], counts, void, len(self._payers), ranks, right))
        self._sizes.append(len(seats))
        self._seat_numbers.extend(seats)
        self._payers.extend(paying)

    def _read(self, game: str, text: str) -> list[int]:
        """Returns the numbers of the seats in a JSON list of them."""
        numbers = self._seats.get(game)
        if numbers is None:
            numbers = self._seats[game] = _Numbered(partial(self._enter_seat, game))
        try:
            return [numbers[seat] for seat in text[2:-2].split(_BETWEEN)]
        except msgspec.MsgspecError:  # a name with brackets, or damage
            return [numbers[to_json(seat)[1:-1]] for seat in _decode_seats(text)]

    def _enter_seat(self, game: str, text: str) -> int:
        seat = _decode_seat(f"{{{text}}}")
        self.seats.append(seat)
        self._payer_of.append(self._spenders.setdefault((game, seat.role, seat.player), len(self._spenders)))
        return len(self.seats) - 1

    def _enter_ranks(self, text: str) -> int:
        self.ranks.append(_decode_ranks(text))
        return len(self.ranks) - 1
