"""The changes behind `arena add` and `arena retire`: of a stored run, whether a process plays it or not."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from itertools import chain
from typing import NamedTuple

import msgspec

import games
from arena import players
from arena.players import Player
from games import InputError, TextGame, chance, plugins
from games.registry import canonical_id
from league.config.database_url import DatabaseUrl
from league.config.tournament import PlayerConfig
from league.records.game_info import GameInfo
from league.records.run_spec import RunSpec
from league.runs.stored_players import allow_player, resolve
from league.store import Run, Store
from league.tournament.lineup import check_openings
from league.tournament.roster_edit import RosterEdit, refuse_repeated, store_edit
from league.trust import TrustGate, allow_game, of_game, of_player


class Additions(NamedTuple):
    """What `arena add` names."""

    name: str = ""
    """a new player, or a retired one of the run"""
    player: str = ""
    """what the new player is; "": `name` is an id such as `random`, or a stored name"""
    plays: Sequence[str] = ()
    """the games that it plays; (): all"""
    games: Sequence[str] = ()
    """new games"""
    by: Sequence[str] = ()
    """players of the run that play the new games; (): all"""


def add(db: DatabaseUrl | str, run: str | None, additions: Additions, *, trust: bool = False) -> str:
    """Let a player, games or both join a run. Returns what happens, in one line.

    `trust`: use players and games of the database that this user has not allowed. Raises InputError.
    """
    if not additions.name and not additions.games:
        raise InputError("name a player, such as `arena add mcts-50 'mcts(simulations=50)'`, or a game with --game ID")
    with (
        Store.open(db, make=False) as store,
        _Additions(db, store, _tournament(store, run), additions, trust) as adding,
    ):
        return _stored(store, adding.run, adding.edit())


def retire(db: DatabaseUrl | str, run: str | None, names: Sequence[str]) -> str:
    """Retire players from a run: they keep their matches and ratings and are paired no more. Raises InputError."""
    with Store.open(db, make=False) as store:
        stored = _tournament(store, run)
        refuse_repeated(stored.spec, edit := RosterEdit(retired=tuple(dict.fromkeys(names))))
        return _stored(store, stored, edit)


def _tournament(store: Store, run: str | None) -> Run:
    stored = store.run(run)
    if stored.kind != "tournament":
        raise InputError(f"run {stored.name!r} is a {stored.kind}; only tournaments can be changed (--run NAME)")
    return stored


def _stored(store: Store, run: Run, edit: RosterEdit) -> str:
    now, line = store_edit(store, run, edit)
    if not line:
        raise InputError(f"run {run.name!r} has this player or game already")
    named = [of_player(p.player) for p in edit.players] + [of_game(id) for id in (*edit.written, *edit.games)]
    TrustGate(store).remember(chain.from_iterable(named))
    played = "the processes that play the run apply it" if store.played(now) else "no process plays the run now"
    return f"{now.name}: {line}; {played}"


class _Additions(ExitStack):
    """Makes the new games and players and checks that they fit together. Closes the players at the end."""

    def __init__(self, db: DatabaseUrl | str, store: Store, run: Run, additions: Additions, trust: bool) -> None:
        super().__init__()
        self._db, self._store, self.run, self._additions, self._trust = db, store, run, additions, trust
        self._spec: RunSpec = run.spec
        self._games = self._new_games()

    def edit(self) -> RosterEdit:
        """Returns the edit of the run. Raises InputError for what the run cannot have."""
        name, spec = self._additions.name, self._spec
        back = (name,) if name in spec.retired and not self._additions.player else ()
        edit = self._newcomer() if name and not back else RosterEdit(back=back)
        fresh = self._games
        return msgspec.structs.replace(
            edit,
            plays={**self._plays_new(back), **edit.plays},
            games={game.spec.id: GameInfo.of(chance.spec_with_chance(game)) for game in fresh},
            written=tuple(self._additions.games),
            notes={game.spec.id: game.spec.notes for game in fresh if game.spec.notes},
            plugins=tuple(map(str, plugins.loaded_files())),
        )

    def _new_games(self) -> list[TextGame]:
        made = [games.make(id) for id in self._additions.games]
        have = {canonical_id(id) for id in self._spec.written_games if not of_game(id)} | set(self._spec.games)
        for game in made:
            if game.spec.id in have:
                raise InputError(f"run {self._spec.name!r} plays {game.spec.id} already")
            have.add(game.spec.id)
        if made:
            check_openings(self._spec.openings, made, {game.spec.id: chance.spec_with_chance(game) for game in made})
        return made

    def _newcomer(self) -> RosterEdit:
        additions, spec = self._additions, self._spec
        resolved = resolve(additions.player or additions.name, self._db, trust=self._trust)
        name = additions.name if additions.player else resolved.name or additions.name
        config = PlayerConfig(name=name, player=resolved.id, games=tuple(additions.plays) or None)
        refuse_repeated(spec, RosterEdit(players=(config,)))
        player, new = self._make(resolved.id, name), {game.spec.id: game for game in self._games}
        plays = self._chosen([*spec.roster().games, *new])
        for id in plays:
            if id not in new:
                allow_game(self._store, spec, id, self._trust)
            if why := player.supports(new.get(id) or games.make(id)):
                raise InputError(
                    f"player {name!r} ({resolved.id}) cannot play {id}: {why}; name those it can with --plays"
                )
        return RosterEdit(
            players=(config,),
            plays={name: plays},
            learning=(name,) if player.learns else (),
            recalling=(name,) if player.may_recall else (),
            named={name: resolved.name} if resolved.name else {},
        )

    def _chosen(self, game_ids: Sequence[str]) -> tuple[str, ...]:
        """Returns the games of the newcomer among those of the run."""
        if not self._additions.plays:
            return tuple(game_ids)
        ids = [id if id in game_ids else canonical_id(id) for id in self._additions.plays]
        for written, id in zip(self._additions.plays, ids, strict=True):
            if id not in game_ids:
                raise InputError(
                    f"--plays {written}: run {self._spec.name!r} has no such game; its games: {', '.join(game_ids)}"
                )
        return tuple(id for id in game_ids if id in ids)

    def _plays_new(self, back: Sequence[str]) -> dict[str, tuple[str, ...]]:
        """Returns player of the run -> the new games that it plays."""
        if not self._games:
            return {}
        playing, spec = [*self._spec.roster().plays, *back], self._spec
        if unknown := [name for name in self._additions.by if name not in playing]:
            raise InputError(
                f"--player {unknown[0]}: run {spec.name!r} has no such player; its players: {', '.join(playing)}"
            )
        ids = {p.name: p.player for p in spec.players}
        for name in self._additions.by or playing:
            allow_player(self._store, spec, name, ids[name], trust=self._trust)
            player = self._make(ids[name], name)
            for game in self._games:
                if why := player.supports(game):
                    what = f"player {name!r} ({ids[name]}) cannot play {game.spec.id}: {why}"
                    raise InputError(f"{what}; name those that can with --player")
        return {name: tuple(game.spec.id for game in self._games) for name in self._additions.by or playing}

    def _make(self, id: str, name: str) -> Player:
        player = players.make(id, name)
        self.callback(player.close)
        return player
