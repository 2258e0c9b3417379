"""Kinds of matches: those whose game, status, seats and ranks are equal texts, but for what they cost.

Each kind is decoded once, and so is each seat: ten million matches of ten thousand players have a million kinds, and
kinds are numbers. New kinds are entered many at once, as columns; what Python makes for a kind is made when somebody
asks for it.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from functools import partial
from itertools import chain
from typing import NamedTuple, Protocol, get_args

import msgspec
import numpy as np
from numpy.typing import NDArray

from arena.match import Status
from league.outcomes.arrays import HashTable, Ints
from league.outcomes.costs import SpenderKey, payers_of
from league.outcomes.outcome import ranks_of
from league.outcomes.sides import is_counted
from league.records.game_info import GameInfo
from league.records.matches import Ranks, SeatResult, to_json

_decode_seats = msgspec.json.Decoder(tuple[SeatResult, ...]).decode
_decode_seat = msgspec.json.Decoder(SeatResult).decode
_decode_ranks = msgspec.json.Decoder(Ranks).decode
_BETWEEN = "},{"
"""between two seats"""
STATUSES: tuple[str, ...] = get_args(Status)


class MatchTexts(Protocol):
    """JSON texts, each of which is the seats of a match, then their ranks."""

    def some(self, places: Sequence[int]) -> Sequence[str]:
        """Returns the texts at some places."""


class MatchKind(NamedTuple):
    """What equal matches have in common."""

    game: str
    status: str
    seats: tuple[SeatResult, ...]
    """without turns, tokens and failed attempts, unless the match is void"""
    ranks: Ranks
    """those of the unit that the match completed"""


class KindColumns(NamedTuple):
    """Columns (K,) of all kinds: place of the game; whether it counts; place of the status in `STATUSES`; the first of
    its seats, and how many it has; the number of its ranks, in `MatchKinds.ranks`; and of those it should have, if it
    is a unit alone.
    """

    game: Ints
    counts: Ints
    status: Ints
    first: Ints
    ranks: Ints
    right: Ints
    size: Ints

    @property
    def void(self) -> NDArray[np.bool_]:
        """(K,) whether the matches are void."""
        out: NDArray[np.bool_] = self.status == STATUSES.index("void")
        return out


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
        self._numbers: dict[tuple[str, str], HashTable] = {}
        """game and status -> names of the texts of seats and ranks"""
        self._columns = array("q")
        """(K, 6): `KindColumns` but for the size"""
        self._sizes, self._seat_numbers, self._payers = array("q"), array("q"), array("q")
        """of each kind the number of seats; of each of these its number in `seats`, and that of the key that pays"""
        self._spenders: dict[SpenderKey | None, int] = {None: 0}
        self.seats: list[SeatResult] = []
        """every distinct seat; seats of two games are distinct"""
        self._payer_of, self._player_of, self._seat_of = array("q"), array("q"), array("q")
        """of each seat in `seats`, the number of the key that pays for it, not for games with teams; the number of its
        player; and its place in the game, -1 for one that the game does not have"""
        self._players: dict[str, int] = {}
        self._seats: dict[str, dict[str, int]] = {}
        self.ranks: list[Ranks] = []
        self._ranks = _Numbered(self._enter_ranks)

    def __len__(self) -> int:
        return len(self._sizes)

    def numbers(self, game: str, status: str, names: Ints, texts: MatchTexts) -> Ints:
        """Returns the kind of each text of seats and ranks, whose names are different numbers. Only new ones are read.
        Raises MsgspecError and others for a damaged one.
        """
        out, new = self._numbers.setdefault((game, status), HashTable()).numbers(names, len(self))
        if len(new):
            self._enter(game, status, texts.some(new.tolist()))
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

    def match(self, kind: int) -> MatchKind:
        """Returns what the matches of a kind have in common."""
        game, _, status, first, ranks, _ = self._columns[6 * kind : 6 * kind + 6]
        seats = tuple([self.seats[seat] for seat in self._seat_numbers[first : first + self._sizes[kind]]])
        return MatchKind(list(self.games)[game], STATUSES[status], seats, self.ranks[ranks])

    def _enter(self, game: str, status: str, texts: Sequence[str]) -> None:
        """Number more kinds, as columns: one by one they took most of the time of a rebuild."""
        info, cut = self.games[game], [text.rpartition("][") for text in texts]  # no JSON of ranks has these brackets
        parts = self._read(game, [seats for seats, _, _ in cut])
        seats, number = self._seated(game, parts), len(texts)
        ranks = np.array([self._ranks[f"[{text}"] for _, _, text in cut], np.int64)

        def kind(place: int) -> MatchKind:
            played = tuple([self.seats[seat] for seat in parts[place]])
            return MatchKind(game, status, played, self.ranks[ranks[place]])

        payers, right = np.frombuffer(self._payer_of, np.int64)[seats], ranks.copy()
        players = np.sort(np.frombuffer(self._player_of, np.int64)[seats])
        counts = (players[:, 1:] != players[:, :-1]).all(1) & (status != "void")
        if info.teams:
            kinds = [*map(kind, range(number))]
            counts = np.array([is_counted(one, info) for one in kinds], bool)
            keys = chain.from_iterable(payers_of(one, game, info) for one in kinds)
            payers = np.array([self._spenders.setdefault(key, len(self._spenders)) for key in keys], np.int64)
        if not info.by_pairing:
            decided = np.array([bool(self.ranks[place]) for place in ranks.tolist()], bool)
            for place in np.flatnonzero(counts & ~decided).tolist():  # of no store, or damaged
                right[place] = self._ranks[to_json(ranks_of((kind(place),), info))]
        first, size = len(self._payers), len(info.seats)
        alike = np.full(number, self._place[game]), counts, np.full(number, STATUSES.index(status))
        firsts = first + size * np.arange(number)
        self._columns.frombytes(np.stack([*alike, firsts, ranks, right], 1).tobytes())
        self._sizes.frombytes(np.full(number, size, np.int64).tobytes())
        self._seat_numbers.frombytes(seats.tobytes())
        self._payers.frombytes(payers.tobytes())

    def _seated(self, game: str, parts: Sequence[Sequence[int]]) -> Ints:
        """Returns the numbers of the seats of matches, (n, seats). Raises ValueError if one is not of its game."""
        of_game = self.games[game].seats
        if all(len(part) == len(of_game) for part in parts):
            seats = np.array(parts, np.int64)
            if (np.sort(np.frombuffer(self._seat_of, np.int64)[seats]) == np.arange(len(of_game))).all():
                return seats
        raise ValueError(f"a match of {game} has not the seats {', '.join(of_game)}")

    def _read(self, game: str, texts: Sequence[str]) -> list[list[int]]:
        """Returns the numbers of the seats in JSON lists of them, which lack the last bracket."""
        numbers = self._seats.get(game)
        if numbers is None:
            numbers = self._seats[game] = _Numbered(partial(self._enter_seat, game))
        try:
            return [[numbers[seat] for seat in text[2:-1].split(_BETWEEN)] for text in texts]
        except msgspec.MsgspecError:  # a name with brackets, or damage
            return [[numbers[to_json(seat)[1:-1]] for seat in _decode_seats(f"{text}]")] for text in texts]

    def _enter_seat(self, game: str, text: str) -> int:
        seat = _decode_seat(f"{{{text}}}")
        self.seats.append(seat)
        self._payer_of.append(self._spenders.setdefault((game, seat.role, seat.player), len(self._spenders)))
        self._player_of.append(self._players.setdefault(seat.player, len(self._players)))
        of_game = self.games[game].seats
        self._seat_of.append(of_game.index(seat.seat) if seat.seat in of_game else -1)
        return len(self.seats) - 1

    def _enter_ranks(self, text: str) -> int:
        self.ranks.append(_decode_ranks(text))
        return len(self.ranks) - 1
