"""Plays a few matches of a tournament in a scratch store, to measure what a match costs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import ceil
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from msgspec.structs import replace

from games.naming import parse_name
from league.config.tournament import PlayerConfig, StopConfig, TournamentConfig
from league.matchmaking.planner import Planner
from league.records.matches import Result
from league.records.run_spec import RunSpec
from league.store import Store
from league.tournament.run import run_tournament

PAIRING = "swiss"
"""every player plays in each of its rounds"""


class Pilot(NamedTuple):
    """The matches of a pilot."""

    results: tuple[Result, ...]
    in_flight: float
    """matches that were played at the same time, on average"""


def play_pilot(config: TournamentConfig, file: str | Path, spec: RunSpec, matches: int, *, trust: bool) -> Pilot:
    """Plays whole rounds, at least `matches`, of which the tournament's store does not learn. Endpoints are paid.

    Raises as `run_tournament` does.
    """
    one = replace(spec, pairing=PAIRING, rounds=1, stop=StopConfig())
    rounds = ceil(matches / max(1, Planner(one).total or 1))
    with TemporaryDirectory(prefix="arena-pilot-") as folder:
        scratch = config.model_copy(
            update={
                "db": f"sqlite:///{folder}/pilot.db",
                "pairing": PAIRING,
                "rounds": rounds,
                "stop": StopConfig(),
            }
        )
        seconds = run_tournament(scratch, file, board="off", trust=trust).seconds
        with Store.open(scratch.db, read_only=True) as store:
            results = tuple(store.results_in_plan_order(store.run()))
    busy = sum(result.seconds for result in results)
    return Pilot(results, max(busy / seconds, 1.0))


class MeanUse(NamedTuple):
    """Means over the matches of a player in a game."""

    tokens: float = 0.0
    """completion tokens a match"""
    prompt_tokens: float = 0.0
    seconds: float = 0.0
    """of the match"""


class MeanUses:
    """The means of matches that were played, by game and player."""

    def __init__(self, results: Iterable[Result]) -> None:
        self._totals: dict[tuple[str, str], list[float]] = {}
        """game and player -> matches, completion tokens, prompt tokens, seconds"""
        self._lengths: dict[tuple[str, frozenset[str]], list[float]] = {}
        """game and players that met -> seconds of each match"""
        for result in results:
            if result.status == "void":
                continue
            players = frozenset(seat.player for seat in result.seats)
            self._lengths.setdefault((result.game, players), []).append(result.seconds)
            for player in players:
                seats = [seat for seat in result.seats if seat.player == player]
                total = self._totals.setdefault((result.game, player), [0.0, 0.0, 0.0, 0.0])
                added = (1.0, sum(s.tokens for s in seats), sum(s.prompt_tokens for s in seats), result.seconds)
                total[:] = [a + b for a, b in zip(total, added, strict=True)]

    def __call__(self, game: str, player: str) -> MeanUse | None:
        """Returns the means of a player in a game, else in all games; None if it has played nothing."""
        totals = [total for (g, p), total in self._totals.items() if p == player and g == game]
        totals = totals or [total for (_, p), total in self._totals.items() if p == player]
        matches = sum(total[0] for total in totals)
        return MeanUse(*(sum(total[i] for total in totals) / matches for i in (1, 2, 3))) if totals else None

    def seconds(self, game: str, players: Iterable[str]) -> float | None:
        """Returns the expected seconds of a match: the mean of these players if they met in the game, else that of the
        slowest player; None if one has played nothing.
        """
        players = frozenset(players)
        if matches := self._lengths.get((game, players)):
            return sum(matches) / len(matches)
        means = [self(game, player) for player in players]
        lengths = [mean.seconds for mean in means if mean is not None]
        return max(lengths) if len(lengths) == len(means) else None


def prices(players: Sequence[PlayerConfig]) -> Mapping[str, tuple[float, float]]:
    """Returns the prices of a million tokens read and written, of the players whose ids state them."""
    ids = {player.name: parse_name(player.player).params for player in players}
    stated = {
        name: (params.get("price_in", 0.0), params.get("price_out", 0.0))
        for name, params in ids.items()
        if not {"price_in", "price_out"}.isdisjoint(params)
    }
    return {name: (float(read), float(written)) for name, (read, written) in stated.items()}
