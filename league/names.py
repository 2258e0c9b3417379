"""Names of the store as players: a snapshot, a training (its newest snapshot), or whoever sat in a run there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from arena import players
from arena.players import Player
from arena.players.by_role import id_of
from games import InputError, UnknownName

if TYPE_CHECKING:
    from league.config import TournamentConfig
    from league.store import Store
    from league.training.config import TrainingConfig

C = TypeVar("C", "TournamentConfig", "TrainingConfig")


class Named(msgspec.Struct, frozen=True):
    """A player as `players.make` takes it."""

    id: str
    name: str | None = None
    """what it is called in the store; None: as its id"""


def resolve(text: str, db: str, *, trust: bool = False) -> Named:
    """A player by its kind, `mcts(simulations=100)`, or by its name in the store at `db`; a kind goes first.

    What a name stands for is refused if it would run code, load a model or ask a server that this user has not allowed,
    unless `trust` says so: see `league.trust`. Raises UnknownName with the nearest kinds and names, InputError for a
    name that stands for two.
    """
    if _is_kind(text):
        return Named(text)
    try:
        known = Names(db, trust)
    except InputError as error:
        if "@" in text:
            raise InputError(f"player {text!r} is looked up in the store: {error}; --db names another") from None
        return Named(text)
    return known.find(text)


def make(text: str, db: str, *, trust: bool = False) -> Player:
    """The player that `resolve` finds, under its name."""
    found = resolve(text, db, trust=trust)
    return players.make(found.id, found.name)


def settled(config: C, *, trust: bool = False) -> tuple[C, dict[str, str]]:
    """A file's settings with the ids of players that it calls by their names in its store, and those names by player.

    What the names stand for is kept with the run (`named`): a run that goes on has the players of its start, whatever
    was trained since. `trust`: as in `resolve`.
    """
    field = "anchors" if hasattr(config, "anchors") else "players"
    given: tuple[Any, ...] = getattr(config, field)
    named = {p.name: p.player for p in given if not _is_kind(p.player)}
    if not named:
        return config, {}
    start = _start(config.db, config.name, named, trust)
    ids = {name: start.get(name) or resolve(text, config.db, trust=trust).id for name, text in named.items()}
    seated = tuple(p.model_copy(update={"player": ids[p.name]}) if p.name in ids else p for p in given)
    return config.model_copy(update={field: seated}), named


class _Frozen(msgspec.Struct, frozen=True):
    """A snapshot in the diary of a training."""

    name: str
    player: dict[str, str]
    """role, or "" for all -> id"""


class Names:
    """The players that a store knows by name. Raises InputError where there is no store."""

    def __init__(self, db: str, trust: bool = False) -> None:
        from league.store import Store
        from league.store.runs import read_line

        self._trust, self._db = trust, db
        self._configs: dict[str, Mapping[str, Any]] = {}
        """name of a run -> its configuration"""
        self._origin: dict[str, str] = {}
        """snapshot -> the run it is of"""
        self.snapshots: dict[str, str] = {}
        """NAME@STEP -> id, oldest first"""
        self.seated: dict[str, dict[str, str]] = {}
        """name -> id -> the newest run it sat in as that"""
        with Store.open(db, read_only=True) as store:
            self.shown = store.url
            for run in store.runs():
                self._configs[run.name] = run.config
                for name, id in _seated(run.config).items():
                    self.seated.setdefault(name, {})[id] = run.name
                for event in store.events(run):
                    if event.kind == "snapshot":
                        frozen = read_line(event, _Frozen)
                        self.snapshots[frozen.name] = id_of(frozen.player)
                        self._origin[frozen.name] = run.name

    def find(self, name: str) -> Named:
        """Who is called so. Raises UnknownName, InputError."""
        own = [s for s in self.snapshots if s.rpartition("@")[0] == name]
        snapshot = max(own, key=lambda s: int(s.rpartition("@")[2])) if own else name
        if snapshot in self.snapshots:
            return self._allowed(Named(self.snapshots[snapshot], snapshot), self._origin[snapshot])
        ids = self.seated.get(name, {})
        if len(ids) == 1:
            ((id, run),) = ids.items()
            return self._allowed(Named(id, name), run)
        if ids:
            each = ", ".join(f"{id} in run {run!r}" for id, run in ids.items())
            raise InputError(f"player {name!r} of {self.shown} is {each}; write the one that is meant")
        known = [*players.ids(), *dict.fromkeys(s.rpartition("@")[0] for s in self.snapshots)]
        known += [*self.snapshots, *self.seated]
        listed = f"arena players` or `arena board --db {self.shown}"
        raise UnknownName("player", name.partition("(")[0], dict.fromkeys(known), listed)

    def _allowed(self, found: Named, run: str) -> Named:
        """The player of a run, if it may be used here. Raises InputError."""
        from league.store import Store

        with Store.open(self._db, read_only=True) as store:
            allow_player(store, self._configs[run], str(found.name), found.id, trust=self._trust)
        return found


def allow_player(store: Store, config: Mapping[str, Any], name: str, id: str, *, trust: bool) -> None:
    """Raise InputError unless a player that a stored run names may be used; run the run's plugins if it is of one."""
    from league.trust import Gate, of_player

    gate = Gate(store, trust)
    gate.run_plugins(config, lambda: "" if _is_kind(id) else f"has a player {name!r}, {id}, of a kind not known here")
    gate.allow(f"the player {name!r}", of_player(id), config)


def _is_kind(text: str) -> bool:
    return text.partition("(")[0].strip() in players.ids()


def _seated(config: Mapping[str, Any]) -> dict[str, str]:
    """Player -> id, of a stored run."""
    given = [*config.get("players", ()), *config.get("training", {}).get("anchors", ())]
    return {p["name"]: p["player"] for p in given}


def _start(db: str, name: str, named: Mapping[str, str], trust: bool) -> dict[str, str]:
    """What the names in the file of a run stood for when it started: player -> id. Raises InputError for one that may
    not be used here.
    """
    from league.store import Store

    try:
        store = Store.open(db, read_only=True)
    except InputError:  # no store yet, or one to be brought up to date: what is wrong with it is told when it is opened
        return {}
    with store:
        config = next((run.config for run in store.runs() if run.name == name), {})
        before = config.get("named", {})
        ids = {player: _seated(config)[player] for player, text in named.items() if before.get(player) == text}
        for player, id in ids.items():
            allow_player(store, config, player, id, trust=trust)
    return ids
