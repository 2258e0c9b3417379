"""Edits of the players and games of a stored run: what a user asks for, and the settings that follow from it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from games import InputError
from games.game import Notes
from games.naming import parse_name
from league.config.tournament import PlayerConfig
from league.matchmaking.planner import Planner
from league.records.game_info import GameInfo
from league.records.roster import RosterChange
from league.records.run_spec import RunSpec
from league.store import Run, Store

ID_LENGTH = 100
"""characters of a player's id in a message"""


class RosterEdit(msgspec.Struct, frozen=True, kw_only=True):
    """Players and games that join a run, and players that leave it or come back."""

    players: tuple[PlayerConfig, ...] = ()
    """new ones"""
    plays: Mapping[str, tuple[str, ...]] = {}
    """player -> canonical ids: all games of a new player, the new games of another one"""
    back: tuple[str, ...] = ()
    """retired players that play again"""
    retired: tuple[str, ...] = ()
    games: Mapping[str, GameInfo] = {}
    """canonical id -> how a new game is rated"""
    written: tuple[str, ...] = ()
    """the new games as the user wrote them"""
    notes: Mapping[str, Notes] = {}
    learning: tuple[str, ...] = ()
    """new players that learn from their earlier matches"""
    recalling: tuple[str, ...] = ()
    """new players that may know in one match what they saw in another"""
    named: Mapping[str, str] = {}
    """new player -> the stored name that the user wrote instead of an id"""
    plugins: tuple[str, ...] = ()
    """plugin files that were loaded for it"""

    def __bool__(self) -> bool:
        return bool(self.players or self.back or self.retired or self.games)


def store_edit(store: Store, run: Run, edit: RosterEdit) -> tuple[Run, str]:
    """Apply an edit to a stored run. Returns the run as it is then, and a line, "" if nothing had to change.

    Several processes may do so at the same time: each edit applies to the run as the one before left it. Raises
    InputError, and changes nothing, for an edit that the run cannot have.
    """
    line = ""

    def change(now: Run, round: int, index: int) -> tuple[Mapping[str, Any], str] | None:
        nonlocal line
        before = now.spec
        after = edited(before, edit, round, index)
        if after is None:
            return None
        line = described(after)
        return now.settings | after.to_json() | {"seed": now.seed}, line

    stored = store.change_roster(run, change)
    return stored, line


def edited(spec: RunSpec, edit: RosterEdit, round: int, index: int) -> RunSpec | None:
    """Returns the settings after an edit that holds from a round on; None if they have it. Raises InputError."""
    new = [p for p in edit.players if not has_player(spec, p)]
    back = [p.name for p in edit.players if p.name in spec.retired and has_player(spec, p)]
    back += [name for name in edit.back if name in spec.retired]
    retired = [name for name in edit.retired if name not in spec.retired]
    games = {id: info for id, info in edit.games.items() if id not in spec.games}
    if not (new or back or retired or games):
        return None
    _check_retired(spec, retired)
    plays = {name: (*ids, *(g for g in edit.plays.get(name, ()) if g in games)) for name, ids in spec.plays.items()}
    plays |= {p.name: edit.plays[p.name] for p in new}
    joined = (*(p.name for p in new), *dict.fromkeys(back))
    fresh = [written for written, id in zip(edit.written, edit.games, strict=True) if id in games]
    after = msgspec.structs.replace(
        spec,
        players=(*spec.players, *new),
        plays=plays,
        games={**spec.games, **games},
        written_games=(*spec.written_games, *fresh),
        notes={**spec.notes, **{id: edit.notes[id] for id in games if id in edit.notes}},
        learning=(*spec.learning, *(p.name for p in new if p.name in edit.learning)),
        recalling=(*spec.recalling, *(p.name for p in new if p.name in edit.recalling)),
        named={**spec.named, **{p.name: edit.named[p.name] for p in new if p.name in edit.named}},
        plugins=tuple(dict.fromkeys((*spec.plugins, *edit.plugins))),
        changes=(*spec.changes, RosterChange(round, index, joined, tuple(retired), tuple(games))),
    )
    try:
        Planner(after).check()
    except InputError as error:
        what = f"retire {', '.join(retired)}" if retired else f"add {', '.join((*joined, *games))}"
        raise InputError(f"cannot {what}: {error}") from None
    return after


def described(spec: RunSpec) -> str:
    """Returns the last change of a run, in one line."""
    change = spec.changes[-1]
    parts = [f"{', '.join(change.games)} joins"] if len(change.games) == 1 else []
    parts += [f"{', '.join(change.games)} join"] if len(change.games) > 1 else []
    parts += [f"{', '.join(change.joined)} join{'s' if len(change.joined) == 1 else ''}"] if change.joined else []
    parts += [f"{', '.join(change.retired)} retire{'s' if len(change.retired) == 1 else ''}"] if change.retired else []
    line = f"{', '.join(parts)} from round {change.round + 1} on"
    if change.round >= spec.round_limit and parse_name(spec.pairing).base != "placement":
        line += f"; all {spec.rounds} rounds are planned, so write a larger `rounds` in the run's file to play on"
    return line


def refuse_repeated(spec: RunSpec, edit: RosterEdit) -> None:
    """Raises InputError for a new name that the run has already, and for a retired one that is retired already."""
    for player in edit.players:
        if player.name in spec.plays and player.name not in spec.retired:
            raise InputError(
                f"run {spec.name!r} has a player {player.name!r} already; choose another name, or `arena retire` it"
            )
    for name in edit.retired:
        if name in spec.retired:
            raise InputError(f"player {name!r} of run {spec.name!r} is retired already")


def has_player(spec: RunSpec, player: PlayerConfig) -> bool:
    """Returns whether the run has this very player. Raises InputError if it has another one of this name."""
    stored = next((p for p in spec.players if p.name == player.name), None)
    if stored is not None and parse_name(stored.player) != parse_name(player.player):
        raise InputError(
            f"player {player.name!r} of run {spec.name!r} was {_short(stored.player)}, is {_short(player.player)}: a "
            "run keeps what a name stands for; change it back, and add the other under a name of its own"
        )
    return stored is not None


def _short(id: str) -> str:
    return id if len(id) <= ID_LENGTH else f"{id[:ID_LENGTH]}…"


def _check_retired(spec: RunSpec, retired: Sequence[str]) -> None:
    sprt = spec.stop.sprt
    for name in retired:
        if name not in spec.plays:
            playing = ", ".join(spec.roster().plays)
            raise InputError(f"run {spec.name!r} has no player {name!r}; its players: {playing}")
        if sprt is not None and name in (sprt.player, sprt.against):
            raise InputError(f"player {name!r} is in the test of [stop.sprt]; remove that table before you retire it")
