"""The settings of a study file. Its keys are the field names. Example: scripts/examples/study_kuhn.toml."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

from pydantic import Field, field_validator, model_validator

from arena.settings import Settings
from league.config.database_url import DEFAULT_DB, DatabaseUrl
from league.config.id_ranges import ids_of
from league.config.toml_file import read_toml
from league.config.tournament import validated

Control = Literal["permuted-returns", "random-opponent", "format-only", "untrained"]
Measure = Literal["nash_conv", "exploitability", "return", "right", "broke", "accuracy", "solved"]
IN_MATCHES = ("return", "right", "broke")
"""measures that play matches against a player"""
_FIXED = ("db", "folder", "seed", "policies", "plugins", "trackers")
_NAME = r"[a-z][a-z0-9_-]{0,31}"


class ArmConfig(Settings):
    """One arm: the training file with some settings changed. Every key besides these two is one of that file."""

    name: str
    """Its name: a-z, 0-9, - and _."""
    control: Control | None = None
    """permuted-returns: learns from rewards that are exchanged at random. format-only: is paid for accepted answers.
    random-opponent: plays against random moves only. untrained: is measured before the first step."""
    settings: dict[str, Any] = Field(default_factory=dict)
    """What differs from the training file: its keys and tables; a table changes only the keys that it has."""

    @model_validator(mode="before")
    @classmethod
    def _collected(cls, table: Any) -> Any:
        """Take every other key as one of the training file."""
        if not isinstance(table, Mapping) or "settings" in table:
            return table
        rest = {key: value for key, value in table.items() if key not in ("name", "control")}
        return {key: value for key, value in table.items() if key not in rest} | {"settings": rest}

    @model_validator(mode="after")
    def _changeable(self) -> ArmConfig:
        if not re.fullmatch(_NAME, self.name):
            raise ValueError(f"the name {self.name!r} must be of a-z, 0-9, - and _, first a letter, at most 32 of them")
        _refuse_fixed(self.settings)
        return self


class EndpointConfig(Settings):
    """What is measured at the end of each run."""

    name: str = Field(min_length=1, max_length=60)
    """Its name in the table."""
    measure: Measure
    """nash_conv or exploitability: exact, of `game`. return: the mean return in `game` against `against`; right, broke:
    how right a seat was there, and how often it broke a rule. accuracy: the share of right answers to the tasks of
    `suite`. solved: the exact probability of right answers to tasks of the source of `game`, all kinds evenly (decode =
    choice); tasks may be those of the training."""
    game: str | None = None
    """A game id, also a veil(...) of one. A range such as veil(of=ID, words=31..40) or gen(seed=1..10) measures each of
    its games; the value is their mean, and each game is an item."""
    against: str | None = None
    """A player id."""
    role: str | None = None
    """Plays only the seats of this role, of a return, right or broke. Default: every seat in turn."""
    matches: int = Field(default=100, ge=1)
    """Matches per seat of a return."""
    suite: str | None = None
    """A task source, such as arithmetic(digits=1)."""
    tasks: int = Field(default=50, ge=1)
    """Tasks of each family and difficulty of a suite or a game's source."""
    seed: int = 0
    """Seed of matches and tasks. Every run gets the same ones."""

    @model_validator(mode="after")
    def _complete(self) -> EndpointConfig:
        needs = ("suite",) if self.measure == "accuracy" else ("game", *["against"] * (self.measure in IN_MATCHES))
        for key in ("game", "against", "suite"):
            if (getattr(self, key) is None) == (key in needs):
                verb = "needs" if key in needs else "does not take"
                raise ValueError(f"endpoint {self.name!r}: measure = {self.measure!r} {verb} {key}")
        if self.role is not None and self.measure not in IN_MATCHES:
            raise ValueError(f"endpoint {self.name!r}: measure = {self.measure!r} does not take role")
        ids_of(self.game or "")
        return self

    @property
    def games(self) -> list[str]:
        """The ids of its games."""
        return [] if self.game is None else ids_of(self.game)

    @property
    def better(self) -> Literal["lower", "higher"]:
        """The direction of better play."""
        return "lower" if self.measure in ("nash_conv", "exploitability", "broke") else "higher"


class StudyConfig(Settings):
    """A whole study file."""

    name: str
    """Name of the study: a-z, 0-9, - and _. Its runs are called NAME.ARM.SEED."""
    db: DatabaseUrl = DEFAULT_DB
    """The store of all runs, of the plan and of the measurements."""
    folder: str = ""
    """Holds the folders of the runs and the page. Default: runs/NAME."""
    base: str
    """The training file of all arms, relative to this file."""
    settings: dict[str, Any] = Field(default_factory=dict)
    """What differs from the training file in all arms."""
    seeds: tuple[int, ...] = Field(default=(0, 1, 2, 3, 4), min_length=2)
    """The seeds of each arm, or their number: 5 is 0 to 4."""
    arms: tuple[ArmConfig, ...] = Field(min_length=2)
    """What is compared."""
    endpoints: tuple[EndpointConfig, ...] = Field(min_length=1)
    """What is measured."""
    primary: str
    """The endpoint that decides. Say it before the results are in; the others are secondary."""
    contrasts: tuple[tuple[str, str], ...] = Field(min_length=1)
    """Pairs of arms: the first less the second."""

    @field_validator("name")
    @classmethod
    def _short(cls, name: str) -> str:
        if not re.fullmatch(_NAME, name):
            raise ValueError("write a-z, 0-9, - and _, first a letter, at most 32 of them")
        return name

    @field_validator("seeds", mode="before")
    @classmethod
    def _several(cls, seeds: Any) -> Any:
        return tuple(range(min(seeds, 10_000))) if isinstance(seeds, int) and not isinstance(seeds, bool) else seeds

    @model_validator(mode="after")
    def _consistent(self) -> StudyConfig:
        arms, names = [arm.name for arm in self.arms], [endpoint.name for endpoint in self.endpoints]
        for what, values in (("arm", arms), ("endpoint", names), ("seed", self.seeds), ("contrast", self.contrasts)):
            if twice := [value for i, value in enumerate(values) if value in values[:i]]:
                raise ValueError(f"{what} {twice[0]!r} is there twice")
        if self.primary not in names:
            raise ValueError(f"primary is {self.primary!r}; the endpoints are: {', '.join(names)}")
        for first, second in self.contrasts:
            if unknown := [arm for arm in (first, second) if arm not in arms]:
                raise ValueError(f"contrasts: no arm is called {unknown[0]!r}; the arms are: {', '.join(arms)}")
            if first == second:
                raise ValueError(f"contrasts: {first!r} is compared with itself")
        _refuse_fixed(self.settings)
        return self

    @property
    def place(self) -> Path:
        """The folder of the study."""
        return Path(self.folder or f"runs/{self.name}")


def _refuse_fixed(settings: Mapping[str, Any]) -> None:
    """Raises ValueError for a key that the study sets, or that one training file sets for all runs."""
    if fixed := [key for key in _FIXED if key in settings]:
        raise ValueError(f"settings and arms cannot set {fixed[0]}: the study or its training file sets it for all")


def load_study(path: str | Path, **overrides: Any) -> StudyConfig:
    """Reads and validates a study file. Raises InputError with all problems in one line, separated by '; '."""
    return parse_study(read_toml(path, "study") | {k: v for k, v in overrides.items() if v is not None}, path)


def parse_study(data: Mapping[str, Any], where: str | Path = "study settings") -> StudyConfig:
    """Validates settings. Raises InputError."""
    return validated(StudyConfig, data, where)
