"""A tournament file that belongs to a stored run: which players and games it adds, retires or may not change.

A file may lack what joined the run later, with `arena add` or from a newer file. It keeps playing, because a machine
with an older file must not retire it.
"""

from __future__ import annotations

from typing import NamedTuple

import msgspec

from games import InputError
from games.registry import canonical_id
from league.config.tournament import PlayerConfig, TournamentConfig
from league.records.roster import roster_at
from league.records.run_spec import RunSpec
from league.runs.game_ids import kept_ids
from league.runs.stored_players import allow_player
from league.store import Run, Store
from league.tournament.roster_edit import RosterEdit, has_player
from league.trust import allow_game


class RosterWishes(NamedTuple):
    """The parts of a file about players that this process does not make."""

    retired: tuple[str, ...] = ()
    """players with retired = true"""
    back: tuple[str, ...] = ()
    """players with retired = false"""
    unlisted: tuple[str, ...] = ()
    """players that joined the run later and that the file does not list"""
    listed: tuple[str, ...] = ()
    """all players of the file"""


def of_new_run(config: TournamentConfig) -> tuple[TournamentConfig, RosterWishes]:
    """Returns the settings of a run that is not stored yet, without its retired players."""
    return _seated(config, [p for p in config.players if not p.retired]), RosterWishes()


def with_stored_roster(
    config: TournamentConfig, run: Run, store: Store, trust: bool
) -> tuple[TournamentConfig, RosterWishes]:
    """Returns the settings with the players and games that the stored run has now.

    Raises InputError for a changed player, for a player or game of the run's start that the file lacks, and for a
    later one that may not be used here (`league.trust`).
    """
    wishes = RosterWishes(
        tuple(p.name for p in config.players if p.retired), tuple(p.name for p in config.players if p.retired is False)
    )
    spec = run.spec
    for player in config.players:
        has_player(spec, player)
    resting = (spec.retired - set(wishes.back)) | set(wishes.retired)
    seated = [p for p in config.players if p.name not in resting]
    listed = [p.name for p in config.players]
    first = roster_at(spec.plays, spec.games, spec.changes, -1)
    unlisted = []
    for player in spec.players:
        if player.name in listed or player.name in spec.retired:
            continue
        if player.name in first.plays:
            raise InputError(
                f"player {player.name!r} of run {spec.name!r} is missing from the file; put it back, with "
                f"retired = true if it should play no more (or type: arena retire {player.name} --run {spec.name})"
            )
        allow_player(store, spec, player.name, player.player, trust=trust)
        unlisted.append(player.name)
        seated.append(player.model_copy(update={"games": spec.roster().plays[player.name]}))
    return _with_games(_seated(config, seated), run, store, trust), wishes._replace(
        unlisted=tuple(unlisted), listed=tuple(listed)
    )


def _with_games(config: TournamentConfig, run: Run, store: Store, trust: bool) -> TournamentConfig:
    """Returns the settings with the games that joined later. The run stores which players of the file play them."""
    spec, listed = run.spec, {canonical_id(id) for id in config.games}
    listed |= set(kept_ids(run, listed).values())
    first = roster_at(spec.plays, spec.games, spec.changes, -1).games
    later = []
    for id in spec.games:
        if id in listed:
            continue
        if id in first:
            raise InputError(
                f"game {id} of run {spec.name!r} is missing from the file; a run keeps its games: put it back"
            )
        allow_game(store, spec, id, trust)
        later.append(id)
    if not later:
        return config
    players = []
    for player in config.players:
        plays = spec.plays.get(player.name)
        if plays is not None and player.games is None and (lacks := [id for id in later if id not in plays]):
            ids = [*config.games, *(id for id in later if id not in lacks)]
            player = player.model_copy(update={"games": tuple(ids)})
        elif plays is not None and player.games is not None:
            player = player.model_copy(update={"games": (*player.games, *(id for id in later if id in plays))})
        players.append(player)
    return config.model_copy(update={"games": (*config.games, *later), "players": tuple(players)})


def _seated(config: TournamentConfig, players: list[PlayerConfig]) -> TournamentConfig:
    return config.model_copy(update={"players": tuple(players)})


def continued(stored: RunSpec, file: RunSpec) -> RunSpec:
    """Returns the settings of a file with the players and games of the stored run, as the store compares them."""
    return msgspec.structs.replace(
        file,
        players=stored.players,
        plays=stored.plays,
        games={id: file.games.get(id, info) for id, info in stored.games.items()},
        written_games=stored.written_games,
        notes={id: file.notes.get(id, notes) for id, notes in stored.notes.items()},
        named={**file.named, **stored.named},
        changes=stored.changes,
        learning=stored.learning,
        recalling=stored.recalling,
        plugins=tuple(dict.fromkeys((*stored.plugins, *file.plugins))) if stored.changes else file.plugins,
    )


def edit_of(stored: RunSpec, file: RunSpec, wishes: RosterWishes) -> RosterEdit:
    """Returns what a file adds to the stored run and takes from it. Raises InputError for a player of other games."""
    games = {id: info for id, info in file.games.items() if id not in stored.games}
    written = dict(zip(file.games, file.written_games, strict=True))
    plays: dict[str, tuple[str, ...]] = {}
    for name, ids in file.plays.items():
        before = stored.plays.get(name)
        plays[name] = ids if before is None else tuple(id for id in ids if id in games)
        if before is not None:
            # Another process may have added games since this one read the roster.
            common = tuple(id for id in before if id in file.games)
            _refuse_other_games(stored, name, common, tuple(id for id in ids if id not in games))
    return RosterEdit(
        players=tuple(p for p in file.players if p.name not in stored.plays),
        plays=plays,
        back=tuple(name for name in wishes.back if name in stored.retired),
        retired=tuple(name for name in wishes.retired if name in stored.plays),
        games=games,
        written=tuple(written[id] for id in games),
        notes={id: notes for id, notes in file.notes.items() if id in games},
        learning=tuple(name for name in file.learning if name not in stored.plays),
        recalling=tuple(name for name in file.recalling if name not in stored.plays),
        named={name: text for name, text in file.named.items() if name not in stored.plays},
        plugins=file.plugins,
    )


def _refuse_other_games(stored: RunSpec, name: str, before: tuple[str, ...], now: tuple[str, ...]) -> None:
    if set(before) != set(now):
        raise InputError(
            f"player {name!r} of run {stored.name!r} played {', '.join(before)}, now {', '.join(now) or 'nothing'}; "
            "change its games back, and add the player under another name to let it play others"
        )
