"""What matches cost their players: turns and tokens, kept apart from what decides a match.

Two matches of language models hardly ever cost the same. Without their costs most of their texts are equal, and equal
texts are decoded once (`OutcomeTable`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from league.outcomes.arrays import Ints, parts_of
from league.outcomes.sides import EndedMatch, sides
from league.records.game_info import GameInfo

SpenderKey = tuple[str, str, str]
"""game, role, player"""
_COST = re.compile(r'"turns":(\d+,"tokens":\d+,"faults":\{[^{}]*\},"prompt_tokens":\d+),')
"""Of a seat, as `to_json` writes it. In a string quotation marks have a backslash: nothing else is of this form."""
_FAULTS = re.compile(r"\{[^{}]*\}")
_BETWEEN = "\x1f"
"""between joined texts; JSON contains no control characters"""
_NUMBERS = 3
"""turns, tokens and prompt tokens of a seat"""
_AT_ONCE = 500_000
"""matches whose costs are added at once: gigabytes otherwise, for millions"""
_MOST = np.iinfo(np.int32).max
_NONE = np.zeros((0, _NUMBERS), np.int32)

_whole = msgspec.json.Decoder(list[int]).decode
_faults = msgspec.json.Decoder(dict[str, int]).decode


class Costs(NamedTuple):
    """What players spent: `numbers` (3, K) are the turns, tokens and prompt tokens of each of the `keys`; `faults` has
    the number of a key and failed attempts by category. The key None pays for what is nobody's.
    """

    keys: Sequence[SpenderKey | None]
    numbers: Ints
    faults: Sequence[tuple[int, Mapping[str, int]]]


class CutCosts(NamedTuple):
    """Costs of S seats: `numbers` (S, 3), and failed attempts beside the number of their seat."""

    numbers: NDArray[np.int32]
    faults: list[tuple[int, dict[str, int]]]

    @classmethod
    def none(cls) -> CutCosts:
        """Returns those of no seat."""
        return cls(_NONE, [])


def cut(contents: Sequence[str]) -> tuple[list[str], CutCosts]:
    """Returns some JSON of seats without the costs, and these. Raises ValueError for a damaged one."""
    pieces = _COST.split(_BETWEEN.join(contents))
    texts, costs = "".join(pieces[::2]).split(_BETWEEN), pieces[1::2]
    if len(texts) != len(contents):
        raise ValueError("the texts of the seats are not JSON")
    joined, faults = ",".join(costs), list[tuple[int, dict[str, int]]]()
    if '{"' in joined:
        faults = [(n, _of(text)) for n, text in enumerate(costs) if '{"' in text]
        joined = _FAULTS.sub("{}", joined)
    numbers = joined.replace('"faults":{},', "").replace('"tokens":', "").replace('"prompt_tokens":', "")
    table = np.array(_whole(f"[{numbers}]"), np.int64).reshape(-1, _NUMBERS)
    if table.max(initial=0) > _MOST:
        raise ValueError("a seat has more than 2^31 tokens")
    return texts, CutCosts(table.astype(np.int32), faults)


class Bills:
    """The costs of all seats of all matches, in the order in which they came."""

    def __init__(self) -> None:
        self._parts: list[NDArray[np.int32]] = []
        self._faults: list[tuple[int, Mapping[str, int]]] = []
        """number of the seat, failed attempts"""
        self.size = 0
        """the number of seats"""

    def add(self, costs: CutCosts) -> None:
        """Add the costs of more seats."""
        self._faults += [(self.size + seat, faults) for seat, faults in costs.faults]
        self._parts.append(costs.numbers)
        self.size += len(costs.numbers)

    def total(self, first: Ints, sizes: Ints, paying: Ints, payer: Ints, keys: Sequence[SpenderKey | None]) -> Costs:
        """Returns what matches cost that have `sizes` (M,) seats, from the seat with the number `first` (M,) on. The
        numbers of the keys that pay for these seats stand in `payer` from the place `paying` (M,) on.
        """
        table = self._parts[0] if len(self._parts) == 1 else np.concatenate([_NONE, *self._parts])
        self._parts = [table]
        sums, of = np.zeros((_NUMBERS, len(keys)), np.int64), np.zeros(self.size if self._faults else 0, np.int32)
        for start in range(0, len(first), _AT_ONCE):
            some = slice(start, start + _AT_ONCE)
            seats, paid_by = (parts_of(column[some], sizes[some]) for column in (first, paying))
            for column, out in zip(table[seats].T, sums, strict=True):
                out += np.bincount(payer[paid_by], column, len(keys)).astype(np.int64)
            if self._faults:
                of[seats] = payer[paid_by]
        return Costs(keys, sums, [(int(of[seat]), faults) for seat, faults in self._faults])


def payers_of(match: EndedMatch, game: str, info: GameInfo) -> list[SpenderKey | None]:
    """Returns who pays for each seat of a match: the player, in the role in which it is rated; None for strangers."""
    if not info.teams:
        return [(game, seat.role, seat.player) for seat in match.seats]
    keys: dict[tuple[str, str], SpenderKey] = {}
    for team, side in zip(info.teams, sides(match, info), strict=True):
        keys.update(((seat, entry.player), (game, entry.role, entry.player)) for seat in team for entry in side)
    return [keys.get((seat.seat, seat.player)) for seat in match.seats]


def _of(cost: str) -> dict[str, int]:
    table = _FAULTS.search(cost)
    return _faults(table.group()) if table else {}
