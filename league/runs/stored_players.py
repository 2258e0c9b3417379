"""Players by their names in a store: a snapshot, a training (its newest snapshot), or a player of a run."""

from __future__ import annotations

import re
from collections.abc import Mapping
from difflib import get_close_matches
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

import msgspec

from arena import players
from arena.players import Player
from arena.players.by_role import id_of
from games import InputError, UnknownName
from games.naming import Name, parse_name
from league.config.database_url import DatabaseUrl
from league.records.player_ref import PlayerRef
from league.records.run_spec import RunSpec

if TYPE_CHECKING:
    from league.config.tournament import TournamentConfig
    from league.store import Store


class Named(msgspec.Struct, frozen=True):
    """A player in the form that `players.make` takes."""

    id: str
    name: str | None = None
    """its name in the store; None: its id is its name"""


def resolve(text: str, db: DatabaseUrl | str, *, trust: bool = False) -> Named:
    """Finds a player by its kind, such as `mcts(simulations=100)`, or else by its name in the store at `db`.

    A stored player that would run code, load a model or query a server which this user has not allowed is refused
    without `trust`: see `league.trust`. Raises UnknownName with the nearest kinds and names, and InputError for a name
    of several players.
    """
    if _is_kind(text):
        return Named(text)
    from league.store import NoDatabase

    try:
        names = Names(db, trust)
    except InputError as error:
        if isinstance(error, NoDatabase) and get_close_matches(text.partition("(")[0], players.ids()):
            return Named(text)  # a kind with a spelling error, which making it reports
        raise InputError(f"player {text!r} is looked up in the store: {error}; --db names another") from None
    return names.find(text)


def make(text: str, db: DatabaseUrl | str, *, trust: bool = False) -> Player:
    """Make the player that `resolve` finds, under its name."""
    player = resolve(text, db, trust=trust)
    return players.make(player.id, player.name)


def game_of(text: str, db: DatabaseUrl | str) -> str:
    """Returns the game that a stored training of one game plays, given its name or that of a snapshot.

    Raises InputError for other players and for several games.
    """
    names = None if _is_kind(text) else Names(db)
    spec = names and names.training(text)
    played = list(spec.games) if spec else []
    if len(played) == 1:
        return played[0]
    choice = f"{text} was trained in {', '.join(played)}: choose one with --game" if played else "name it with --game"
    raise InputError(f"which game? {choice}, or name tasks with --suite")


def stored_ids(written: Mapping[str, str], db: DatabaseUrl | str, run: str, *, trust: bool = False) -> dict[str, str]:
    """Returns player -> id, for the players that a run's file gives by their names in the store.

    The ids are stored with the run (`named`), so a resumed run keeps the players of its start even if more was trained
    since. `trust` is as in `resolve`.
    """
    named = {name: text for name, text in written.items() if not _is_kind(text)}
    start = _start(db, run, named, trust) if named else {}
    return {name: start.get(name) or resolve(text, db, trust=trust).id for name, text in named.items()}


def snapshot_folder(text: str, db: DatabaseUrl | str, *, trust: bool = False) -> str | None:
    """Returns the folder of the model of a stored snapshot NAME@STEP; None if the text has another form or is a folder.

    `trust` is as in `resolve`. Raises UnknownName, and InputError if the snapshot has several models.
    """
    if not re.fullmatch(r".+@\d+", text) or Path(text).expanduser().is_dir():
        return None
    player = parse_name(resolve(text, db, trust=trust).id)
    if "adviser" in player.params:
        player = parse_name(str(player.params["adviser"]))
    if player.base != "llm":
        raise InputError(f"model {text!r} has weights for each role; name the folder of one of them")
    return str(player.params["model"])


def resolve_players(config: TournamentConfig, *, trust: bool = False) -> tuple[TournamentConfig, dict[str, str]]:
    """Replaces stored names of players in a tournament's settings by ids.

    Returns the settings, and player -> stored name.
    """
    written = {player.name: player.player for player in config.players}
    ids = stored_ids(written, config.db, config.name, trust=trust)
    seated = tuple(p.model_copy(update={"player": ids[p.name]}) if p.name in ids else p for p in config.players)
    return config.model_copy(update={"players": seated}) if ids else config, {name: written[name] for name in ids}


class _SnapshotEvent(msgspec.Struct, frozen=True):
    """The event of a new snapshot of a training."""

    name: str
    ref: PlayerRef
    player: dict[str, str]
    """role, or "" for all -> id"""
    training: str = ""
    """the training, if it has several policies"""
    policy: str = ""


class Names:
    """The named players of a store. Raises InputError if there is no store."""

    def __init__(self, db: DatabaseUrl | str, trust: bool = False) -> None:
        from league.store import Store
        from league.store.runs import read_line

        self._trust, self._db = trust, db
        self._specs: dict[str, RunSpec] = {}
        """by the run's name"""
        self._snapshots: dict[str, dict[str, Named]] = {}
        """NAME@STEP, oldest first -> run -> the snapshot; two runs may have one of this name"""
        self._newest: dict[str, dict[str, Named]] = {}
        """a training, or TRAINING.POLICY -> run -> its newest snapshot; the first policy stands for the training"""
        self.seated: dict[str, dict[str, str]] = {}
        """name -> id -> the newest run that it plays with this id"""
        with Store.open(db, read_only=True) as store:
            self.url = store.url
            for run in store.runs():
                self._specs[run.name] = run.spec
                for player in run.spec.players:
                    self.seated.setdefault(player.name, {})[player.player] = run.name
                firsts: dict[str, str] = {}
                folder = Path(run.spec.folder)
                for event in store.events(run):
                    if event.kind == "snapshot":
                        frozen = read_line(event, _SnapshotEvent)
                        ids = {role: in_folder(id, folder) for role, id in frozen.player.items()}
                        self._add(run.name, frozen, Named(id_of(ids), frozen.name), firsts)

    def _add(self, run: str, event: _SnapshotEvent, snapshot: Named, firsts: dict[str, str]) -> None:
        """Records a snapshot, which is newer than those before it. `firsts`: training -> its first policy."""
        self._snapshots.setdefault(event.name, {})[run] = snapshot
        self._newest.setdefault(event.ref.policy, {})[run] = snapshot
        if event.training and firsts.setdefault(event.training, event.policy) == event.policy:
            self._newest.setdefault(event.training, {})[run] = snapshot

    def find(self, name: str) -> Named:
        """Returns the player of a name. Raises UnknownName or InputError."""
        players_of = self._trained(name) or {run: Named(id, name) for id, run in self.seated.get(name, {}).items()}
        if len(players_of) == 1:
            ((run, player),) = players_of.items()
            return self._allowed(player, run)
        if players_of:
            each = ", ".join(f"{player.id} in run {run!r}" for run, player in players_of.items())
            raise InputError(f"player {name!r} of {self.url} is {each}; write one of these ids")
        names = [*players.ids(), *self._newest]
        names += [*self._snapshots, *self.seated]
        listed = f"arena players` or `arena board --db {self.url}"
        raise UnknownName("player", name.partition("(")[0], dict.fromkeys(names), listed, plugin=True)

    def runs_of(self, name: str) -> list[str]:
        """Returns the runs that have a snapshot or a player of this name."""
        return list(self._snapshots.get(name) or dict.fromkeys(self.seated.get(name, {}).values()))

    def training(self, name: str) -> RunSpec | None:
        """Returns the settings of the one run that has this training or snapshot; None without one, or with several."""
        runs = list(self._trained(name))
        return self._specs[runs[0]] if len(runs) == 1 else None

    def _trained(self, name: str) -> Mapping[str, Named]:
        """Returns run -> snapshot: of a training the newest one, else that of this name."""
        return self._newest.get(name) or self._snapshots.get(name) or {}

    def _allowed(self, player: Named, run: str) -> Named:
        """Returns the player, if it may be used here. Raises InputError."""
        from league.store import Store

        with Store.open(self._db, read_only=True) as store:
            allow_player(store, self._specs[run], str(player.name), player.id, trust=self._trust)
        return player


def in_folder(id: str, folder: Path) -> str:
    """Returns the id of a snapshot's player with the absolute path of its model; the store keeps a relative one."""
    if "snapshots/" not in id:
        return id
    name = parse_name(id)
    params = dict(name.params)
    model = PurePosixPath(str(params.get("model", "")))
    if model.parts[:1] == ("snapshots",) and ".." not in model.parts:  # the store may not name a file elsewhere
        params["model"] = str(folder / model)
    if "adviser" in params:
        params["adviser"] = in_folder(str(params["adviser"]), folder)
    return str(Name(name.base, params))


def allow_player(store: Store, spec: RunSpec, name: str, id: str, *, trust: bool) -> None:
    """Raises InputError unless a player of a stored run may be used. Loads the run's plugins if they define it."""
    from league.trust import TrustGate, of_player, unknown_role

    gate = TrustGate(store, trust)

    def missing() -> str:
        if not _is_kind(id):
            return f"has a player {name!r}, {id}, of a kind not known here"
        role = unknown_role(id)
        return role and f"has a player {name!r}, {id}, whose role {role} is not known here"

    gate.run_plugins(spec, missing)
    gate.allow(f"the player {name!r}", of_player(id), spec)


def _is_kind(text: str) -> bool:
    return text.partition("(")[0].strip() in players.ids()


def _start(db: DatabaseUrl | str, name: str, named: Mapping[str, str], trust: bool) -> dict[str, str]:
    """The ids of named players when the run started: player -> id. Raises InputError for one that may not be used
    here.
    """
    from league.store import Store

    try:
        store = Store.open(db, read_only=True)
    except InputError:  # there is no store, or it must be migrated; opening it later reports any fault
        return {}
    with store:
        spec = next((run.spec for run in store.runs() if run.name == name), None)
        if spec is None:
            return {}
        stored = {p.name: p.player for p in spec.players}
        ids = {player: stored[player] for player, text in named.items() if spec.named.get(player) == text}
        for player, id in ids.items():
            allow_player(store, spec, player, id, trust=trust)
    return ids
