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
    from league.training.config import TrainingConfig

C = TypeVar("C", "TournamentConfig", "TrainingConfig")


class Named(msgspec.Struct, frozen=True):
    """A player as `players.make` takes it."""

    id: str
    name: str | None = None
    """what it is called in the store; None: as its id"""


def resolve(text: str, db: str) -> Named:
    """A player by its kind, `mcts(simulations=100)`, or by its name in the store at `db`; a kind goes first.

    Raises UnknownName with the nearest kinds and names, InputError for a name that stands for two.
    """
    if _is_kind(text):
        return Named(text)
    try:
        known = Names(db)
    except InputError as error:
        if "@" in text:
            raise InputError(f"player {text!r} is looked up in the store: {error}; --db names another") from None
        return Named(text)
    return known.find(text)


def make(text: str, db: str) -> Player:
    """The player that `resolve` finds, under its name."""
    found = resolve(text, db)
    return players.make(found.id, found.name)


def settled(config: C) -> tuple[C, dict[str, str]]:
    """A file's settings with the ids of players that it calls by their names in its store, and those names by player.

    What the names stand for is kept with the run (`named`): a run that goes on has the players of its start, whatever
    was trained since.
    """
    field = "anchors" if hasattr(config, "anchors") else "players"
    given: tuple[Any, ...] = getattr(config, field)
    named = {p.name: p.player for p in given if not _is_kind(p.player)}
    if not named:
        return config, {}
    start = _start(config.db, config.name)
    ids = {name: start.get((name, text)) or resolve(text, config.db).id for name, text in named.items()}
    seated = tuple(p.model_copy(update={"player": ids[p.name]}) if p.name in ids else p for p in given)
    return config.model_copy(update={field: seated}), named


class Names:
    """The players that a store knows by name. Raises InputError where there is no store."""

    def __init__(self, db: str) -> None:
        from league.store import Store

        self.snapshots: dict[str, str] = {}
        """NAME@STEP -> id, oldest first"""
        self.seated: dict[str, dict[str, str]] = {}
        """name -> id -> the newest run it sat in as that"""
        with Store.open(db, read_only=True) as store:
            self.shown = store.url
            for run in store.runs():
                for name, id in _seated(run.config).items():
                    self.seated.setdefault(name, {})[id] = run.name
                for event in store.events(run):
                    if event.kind == "snapshot":
                        frozen = msgspec.json.decode(event.text)
                        self.snapshots[frozen["name"]] = id_of(frozen["player"])

    def find(self, name: str) -> Named:
        """Who is called so. Raises UnknownName, InputError."""
        own = [s for s in self.snapshots if s.rpartition("@")[0] == name]
        snapshot = max(own, key=lambda s: int(s.rpartition("@")[2])) if own else name
        if snapshot in self.snapshots:
            return Named(self.snapshots[snapshot], snapshot)
        ids = self.seated.get(name, {})
        if len(ids) == 1:
            return Named(next(iter(ids)), name)
        if ids:
            each = ", ".join(f"{id} in run {run!r}" for id, run in ids.items())
            raise InputError(f"player {name!r} of {self.shown} is {each}; write the one that is meant")
        known = [*players.ids(), *dict.fromkeys(s.rpartition("@")[0] for s in self.snapshots)]
        known += [*self.snapshots, *self.seated]
        listed = f"arena players` or `arena board --db {self.shown}"
        raise UnknownName("player", name.partition("(")[0], dict.fromkeys(known), listed)


def _is_kind(text: str) -> bool:
    return text.partition("(")[0].strip() in players.ids()


def _seated(config: Mapping[str, Any]) -> dict[str, str]:
    """Player -> id, of a stored run."""
    given = [*config.get("players", ()), *config.get("training", {}).get("anchors", ())]
    return {p["name"]: p["player"] for p in given}


def _start(db: str, name: str) -> dict[tuple[str, str], str]:
    """What the names in the file of a run stood for when it started: (player, what the file called it) -> id."""
    from league.store import Store

    try:
        with Store.open(db, read_only=True) as store:
            runs = [run.config for run in store.runs() if run.name == name]
    except InputError:  # no store yet, or one to be brought up to date: what is wrong with it is told when it is opened
        return {}
    return {(player, text): _seated(c)[player] for c in runs for player, text in c.get("named", {}).items()}
