"""The resolved settings of a run: enough to plan, rate and show it without making its games or players.

A `RunSpec` is written once, when a run starts, and decoded once, when the run is opened (`league.store.Run.spec`).
Other code reads its fields, never the stored JSON.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Mapping
from typing import Any, Literal

import msgspec
from pydantic import ValidationError

import games
from arena.match.illegal_policy import IllegalPolicy
from arena.settings import Settings
from games import InputError
from games.game import Notes
from league.config.tournament import PlayerConfig, RatingConfig, StopConfig, faults
from league.records.game_info import GameInfo, names_a_file
from league.records.roster import Roster, RosterChange, retired_players, roster_at

RunKind = Literal["tournament", "training", "record", "gate"]
"""a training's own run rates its snapshots; its record holds the matches it learns from, its gate promotion tests"""


class RunSpec(msgspec.Struct, frozen=True, kw_only=True):
    """The settings of a tournament, of the rated league or the match record of a training, or of its gate."""

    name: str
    kind: RunKind = "tournament"
    parent: str = ""
    """the training that a record or a gate belongs to"""
    games: dict[str, GameInfo] = msgspec.field(name="rated")
    """canonical id -> how the game is rated, in the order of the file; games that joined later at the end"""
    plays: dict[str, tuple[str, ...]]
    """player -> ids of the games it plays, also players that joined later or are retired; of a training, its anchors"""
    written_games: tuple[str, ...] = msgspec.field(default=(), name="games")
    """the games as the file names them"""
    players: tuple[PlayerConfig, ...] = ()
    """of a training, its anchors"""
    named: dict[str, str] = {}
    """player -> the stored name by which the file gives its id"""
    pairing: str = "round-robin"
    rounds: int | Literal["forever"] = 1
    """of a training, its steps"""
    changes: tuple[RosterChange, ...] = ()
    """the players and games that joined, and the players that left, in their order"""
    seed: int = 0
    openings: int = 0
    notes: dict[str, Notes] = {}
    """games whose matches leave notes to later ones"""
    learning: tuple[str, ...] = ()
    """players that receive notes from their earlier matches"""
    recalling: tuple[str, ...] = ()
    """players that may know in one match what they saw in another; old runs name none"""
    illegal: IllegalPolicy | None = None
    """None: an old run did not store it"""
    ratings: RatingConfig = RatingConfig()
    stop: StopConfig = StopConfig()
    plugins: tuple[str, ...] = ()
    """plugin files that were loaded at the start, also those of `--plugin`"""
    folder: str = ""
    """of a training: its checkpoints, snapshots and metrics"""
    matches_per_step: int = 64
    """of a training"""
    other: dict[str, Any] = {}
    """stored settings that no code reads again; a resumed run is compared with them"""

    @property
    def round_limit(self) -> int:
        """The number of rounds; `sys.maxsize` for a league that plays until it is stopped."""
        return sys.maxsize if self.rounds == "forever" else self.rounds

    @property
    def retired(self) -> frozenset[str]:
        """The players that are paired no more."""
        return retired_players(self.plays, self.changes)

    def roster(self, round: int | None = None) -> Roster:
        """Who plays what in a round; None: now."""
        return roster_at(self.plays, self.games, self.changes, round)

    @property
    def training_name(self) -> str:
        """The name of the training that this run belongs to; a training stores up to three runs."""
        return self.parent or self.name

    def to_json(self) -> dict[str, Any]:
        """Returns the stored form."""
        stored = self.other | {
            "name": self.name,
            "seed": self.seed,
            "games": list(self.written_games),
            "pairing": self.pairing,
            "rounds": self.rounds,
            "plugins": list(self.plugins),
            "ratings": _ratings_to_json(self.ratings),
            "rated": {id: info.to_json() for id, info in self.games.items()},
            "chanceless": [id for id, info in self.games.items() if not info.chance],
            "plays": {player: list(ids) for player, ids in self.plays.items()},
        }
        if self.kind == "tournament":
            stored["openings"] = self.openings
            stored["illegal"] = self.illegal and self.illegal.model_dump(mode="json")
            stored["stop"] = self.stop.model_dump(mode="json")
            stored["players"] = [player.model_dump(mode="json", exclude={"retired"}) for player in self.players]
        else:
            stored["folder"] = self.folder
            stored["kind"] = self.kind
            if self.parent:
                stored["parent"] = self.parent
        if self.notes:
            stored["notes"] = {id: notes._asdict() for id, notes in self.notes.items()}
        if self.learning:
            stored["learning"] = list(self.learning)
        if self.recalling:
            stored["recalling"] = list(self.recalling)
        if self.named:
            stored["named"] = dict(self.named)
        if self.changes:
            stored["changes"] = msgspec.to_builtins(self.changes)
        return stored

    @classmethod
    def from_json(cls, name: str, seed: int, stored: Mapping[str, Any]) -> RunSpec:
        """Decode the stored form, also that of older releases. Raises InputError that names a damaged setting."""
        try:
            tables = msgspec.convert(stored, _Tables, dec_hook=_settings)
            fields = dict(stored) | {
                "name": name,
                "seed": seed,
                "rated": _with_chance(tables),
                "notes": {id: Notes(n.seats, n.newest) for id, n in tables.notes.items()},
                "other": {key: value for key, value in stored.items() if key not in _OWN_KEYS},
            }
            if tables.training is not None:
                fields["players"] = tables.training.anchors
                fields["illegal"] = tables.training.illegal
                fields["matches_per_step"] = tables.training.matches_per_step
            return msgspec.convert(fields, cls, dec_hook=_settings)
        except msgspec.ValidationError as error:
            reason = " ".join(str(error).split())[:300]
            raise InputError(
                f"the stored settings of run {name!r} are damaged: {reason}; restore a copy of the database"
            ) from None


_OWN_KEYS = {field.encode_name for field in msgspec.structs.fields(RunSpec)} | {"chanceless"}


class _StoredNotes(msgspec.Struct):
    seats: tuple[str, ...]
    newest: int


class _StoredTraining(msgspec.Struct):
    anchors: tuple[PlayerConfig, ...] = ()
    illegal: IllegalPolicy | None = None
    matches_per_step: int = 64


class _Tables(msgspec.Struct):
    """The stored settings whose form differs from that of `RunSpec`."""

    rated: dict[str, GameInfo]
    chanceless: tuple[str, ...] | None = None
    notes: dict[str, _StoredNotes] = {}
    training: _StoredTraining | None = None


def _settings(type: type[Any], value: Any) -> Any:
    """Validates a table of settings; `msgspec.convert` adds its place to the error."""
    assert issubclass(type, Settings)
    try:
        return type.model_validate(value)
    except ValidationError as error:
        raise ValueError(faults(error, type)) from None


def _ratings_to_json(config: RatingConfig) -> dict[str, Any]:
    """Returns the rating settings, without defaults of settings that older runs do not have."""
    stored, default = config.model_dump(mode="json"), RatingConfig().model_dump(mode="json")
    newer = ("lineage", "anchors", "intervals")
    return {key: value for key, value in stored.items() if key not in newer or value != default[key]}


def _with_chance(tables: _Tables) -> dict[str, GameInfo]:
    """Returns the games, each with whether its seed decides anything.

    Older runs do not store that. Their OpenSpiel games are made to find out; all other games count as games with
    chance, in which only equal moves on the same seed are the same match.
    """
    chanceless = tables.chanceless
    if chanceless is None:
        chanceless = tuple(id for id in tables.rated if _has_no_chance(id))
    return {id: msgspec.structs.replace(info, chance=id not in chanceless) for id, info in tables.rated.items()}


@functools.lru_cache(maxsize=256)
def _has_no_chance(id: str) -> bool:
    if not id.startswith("openspiel/") or names_a_file(id):
        return False  # making it could run code, or read a file, that the database names
    try:
        return games.make(id).spec.chance is False
    except games.ArenaError:
        return False
