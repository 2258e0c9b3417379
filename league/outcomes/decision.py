"""Decides matches in the order of commit: the outcome is written with the match that completes it, once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from league.outcomes.outcome import ranks_of
from league.outcomes.sides import is_counted
from league.records.game_info import GameInfo
from league.records.matches import Ranks, Result


class RankDecision:
    """Decides the ranks that follow from each result. `waiting`: earlier results of pairings that may lack a match."""

    def __init__(self, games: Mapping[str, GameInfo | None], waiting: Iterable[Result] = ()) -> None:
        self._games = games
        self._waiting: dict[tuple[str, str], list[Result]] = {}
        for result in waiting:
            self.ranks(result)

    def ranks(self, result: Result) -> Ranks:
        """Returns the ranks of the matches that the result completes: its own, or those that count of its pairing.

        () if it completes none, if no match of its pairing counts, or if the run does not rate its game.
        """
        info = self._games.get(result.game)
        if info is None or (result.status != "void" and not is_counted(result, info)):
            return ()
        if not info.by_pairing:
            return () if result.status == "void" else ranks_of((result,), info)
        key = result.game, result.pairing
        matches = self._waiting.setdefault(key, [])
        matches.append(result)
        if len(matches) < info.size:
            return ()
        del self._waiting[key]
        kept = sorted((match for match in matches if match.status != "void"), key=_index)
        return ranks_of(kept, info) if kept else ()


def _index(result: Result) -> int:
    return result.index
