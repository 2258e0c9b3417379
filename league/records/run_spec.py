"""The resolved settings of a run: enough to plan, rate and show it without making its games or players.

A `RunSpec` is written once, when a run starts, and decoded once, when the run is opened (`league.store.Run.spec`).
Other code reads its fields, never the stored JSON.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from typing import Any, Literal

import msgspec
from pydantic import ValidationError

from arena.match.illegal_policy import IllegalPolicy
from arena.settings import Settings
from games import InputError, UnknownName
from games.game import Notes
from league.config.tournament import PlayerConfig, RatingConfig, StopConfig, faults
from league.records.game_info import GameInfo
from league.records.roster import Roster, RosterChange, retired_players, roster_at


class PolicySettings(msgspec.Struct, frozen=True):
    """The model of a policy, and how its prompts are written."""

    model: str = ""
    decode: Literal["choice", "free"] = "choice"
    answer: Literal["boxed", "json", "line", "bare"] | None = None
    memory: bool = False
    demonstrations: int | None = None
    show_legal: bool = True
    show_rules: bool = True


class StoredPolicy(msgspec.Struct, frozen=True):
    """A policy and the ids of its roles."""

    policy: PolicySettings = PolicySettings()
    roles: dict[str, str] = {}


class TrainingTable(StoredPolicy, frozen=True):
    """What cannot change when a training goes on; its own policy, or several."""

    policies: tuple[StoredPolicy, ...] = ()


class EvaluationTable(msgspec.Struct, frozen=True):
    """The task sources that the policy is evaluated on."""

    suite: tuple[str, ...] = ()


class FileTable(msgspec.Struct, frozen=True):
    """What may change when a training goes on."""

    evaluation: EvaluationTable = EvaluationTable()


class TrainingSettings(msgspec.Struct, frozen=True):
    """Both parts of a stored training; the defaults for a tournament."""

    training: TrainingTable = TrainingTable()
    file: FileTable = FileTable()

    @property
    def policy(self) -> PolicySettings:
        """The policy of the file, which is the only one without `[[policies]]`."""
        return self.training.policy

    @property
    def policies(self) -> tuple[StoredPolicy, ...]:
        """The policy of the file, then those of `[[policies]]`."""
        return (self.training, *self.training.policies)

    @property
    def suite(self) -> tuple[str, ...]:
        """The task sources that the policy is evaluated on."""
        return self.file.evaluation.suite


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
    """players that may know in one match what they saw in another"""
    illegal: IllegalPolicy = IllegalPolicy()
    ratings: RatingConfig = RatingConfig()
    stop: StopConfig = StopConfig()
    plugins: tuple[str, ...] = ()
    """plugin files that were loaded at the start, also those of `--plugin`"""
    folder: str = ""
    """of a training: its checkpoints, snapshots and metrics"""
    matches_per_step: int = 64
    """of a training"""
    other: dict[str, Any] = {}
    """the other stored settings, as JSON; a resumed run is compared with them"""

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

    @property
    def training(self) -> TrainingSettings:
        """The policies and the evaluation of a training. Raises InputError if their stored form is damaged."""
        try:
            return msgspec.convert(self.other, TrainingSettings)
        except msgspec.ValidationError as error:
            raise InputError(f"the stored settings of run {self.name!r} are damaged: {error}") from None

    def check_names(self, players: Iterable[str], game: str | None) -> None:
        """Raises UnknownName for a player or a game, if there is one, that the run lacks."""
        for player in players:
            if player not in self.plays:
                raise UnknownName("player", player, self.plays)
        if game is not None and game not in self.games:
            raise UnknownName("game", game, self.games)

    def game_or_only(self, game: str | None, several: str = "") -> str:
        """Returns `game`, or without it the only game of the run.

        Raises InputError, with `several` behind it, if there are more, and UnknownName for one that the run lacks.
        """
        if game is None and len(self.games) > 1:
            raise InputError(f"{self.name} has several games{several}; add --game {' or '.join(self.games)}")
        self.check_names((), game)
        return game or next(iter(self.games))

    def training_file(self) -> dict[str, Any]:
        """Returns the keys of the file of a training, as JSON."""
        return {**self.other.get("training", {}), "games": list(self.written_games), **self.other.get("file", {})}

    def to_json(self) -> dict[str, Any]:
        """Returns the stored form."""
        omitted = _NOT_OF_TOURNAMENT if self.kind == "tournament" else _NOT_OF_TRAINING
        stored = msgspec.to_builtins(self, enc_hook=_dumped)
        if not self.parent:  # a column of the store, which gives it back only if there is one
            del stored["parent"]
        return self.other | {key: value for key, value in stored.items() if key not in omitted}

    @classmethod
    def from_json(cls, name: str, seed: int, stored: Mapping[str, Any]) -> RunSpec:
        """Returns the settings in a stored form. Raises InputError that names a damaged one."""
        other = {key: value for key, value in stored.items() if key not in _KEYS}
        try:
            fields = dict(stored) | {"name": name, "seed": seed, "other": other}
            if (training := msgspec.convert(stored, _Stored, dec_hook=_settings).training) is not None:
                fields |= msgspec.structs.asdict(training)
                fields["players"] = fields.pop("anchors")
            return msgspec.convert(fields, cls, dec_hook=_settings)
        except msgspec.ValidationError as error:
            reason = " ".join(str(error).split())[:300]
            raise InputError(
                f"the stored settings of run {name!r} are damaged: {reason}; restore a copy of the database"
            ) from None


_KEYS = {field.encode_name for field in msgspec.structs.fields(RunSpec)}
_NOT_OF_TOURNAMENT = {"other", "kind", "parent", "folder", "matches_per_step"}
_NOT_OF_TRAINING = {"other", "players", "openings", "illegal", "stop", "matches_per_step"}
"""keys that the table `training` has, or that tournaments alone use"""


def _dumped(value: Any) -> Any:
    """Returns a table of settings as JSON. Whether a player is retired follows from the changes."""
    assert isinstance(value, Settings)
    return value.model_dump(mode="json", exclude={"retired"} if isinstance(value, PlayerConfig) else None)


class _TrainingTable(msgspec.Struct):
    anchors: tuple[PlayerConfig, ...] = ()
    illegal: IllegalPolicy = IllegalPolicy()
    matches_per_step: int = 64


class _Stored(msgspec.Struct):
    training: _TrainingTable | None = None


def _settings(type: type[Any], value: Any) -> Any:
    """Validates a table of settings; `msgspec.convert` adds its place to the error."""
    assert issubclass(type, Settings)
    try:
        return type.model_validate(value)
    except ValidationError as error:
        raise ValueError(faults(error, type)) from None
