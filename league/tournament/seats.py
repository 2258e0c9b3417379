"""The players of a tournament in this process. Those that join while it is played are made when they are needed."""

from __future__ import annotations

from collections.abc import Iterable

from arena import players
from arena.players import Player
from arena.runner import LocalRunner, Runner
from games import InputError
from league.records.run_spec import RunSpec
from league.runs.stored_players import allow_player
from league.store import Run, Store
from league.tournament.backends import give_secret
from league.tournament.budget import SharedBudget
from league.tournament.lineup import Lineup
from league.trust import allow_game


class Seats:
    """Makes players by the settings of the stored run. A database is data: `league.trust` decides what it may name."""

    def __init__(self, lineup: Lineup, runner: Runner, store: Store, run: Run, trust: bool) -> None:
        self._store, self._run, self._trust = store, run, trust
        self._local = isinstance(runner, LocalRunner)
        assert isinstance(lineup.players, dict)
        self.players: dict[str, Player] = lineup.players
        """the runner has the same dict"""
        self._names = set(lineup.plays)
        self._games = set(lineup.games)
        self.budget: SharedBudget | None = None

    def lacks(self, names: Iterable[str]) -> list[str]:
        """Returns the players among `names` that are not made yet."""
        return [name for name in dict.fromkeys(names) if name not in self._names]

    def allow_games(self, spec: RunSpec) -> None:
        """Raises InputError for a game of the run that may not be made here."""
        for id in spec.roster().games:
            if id not in self._games:
                allow_game(self._store, spec, id, self._trust)
                self._games.add(id)

    def make(self, spec: RunSpec, names: Iterable[str]) -> None:
        """Make players of the run. Raises InputError for one that cannot or may not be used here."""
        ids = {player.name: player.player for player in spec.players}
        for name in self.lacks(names):
            if name not in ids:
                raise InputError(f"a match of run {spec.name!r} seats {name!r}, which is not a player of the run")
            if not self._local:
                raise InputError(
                    f"{name} joined run {spec.name!r}, and Ray workers make their players when they start; type the "
                    "same command again"
                )
            allow_player(self._store, spec, name, ids[name], trust=self._trust)
            player = players.make(ids[name], name)
            give_secret([player], self._store.secret(self._run))
            if self.budget is not None:
                self.budget.give([player])
            self.players[name] = player
            self._names.add(name)
