"""A tournament file as one frozen tree. The file's keys are the field names here."""

from __future__ import annotations

import difflib
import re
from pathlib import Path
from typing import Any, Literal, Self, get_args, get_origin

from pydantic import BaseModel, ConfigDict, Field, ValidationError, ValidationInfo, field_validator, model_validator

from games import InputError
from games.text import hidden
from league import DEFAULT_DB
from league.toml_file import read_toml

LARGEST = 1e12
"""no setting is further from 0"""
SCALE = 1e6
"""no rating is further from 0, and no spread of ratings larger, or smaller than its inverse"""


class Frozen(BaseModel):
    """A settings node: immutable, unknown keys refused, numbers finite, written as such, no larger than is stored."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True, allow_inf_nan=False)

    @field_validator("*", mode="before")
    @classmethod
    def _storable(cls, value: Any, info: ValidationInfo) -> Any:
        """What pydantic would turn into a number, and what neither the store nor a file system takes."""
        kind = cls.model_fields[info.field_name or ""].annotation
        if isinstance(value, bool | str) and kind in (int, float, int | None, float | None):
            raise ValueError("write a number, such as 3, without quotes")
        if not isinstance(value, dict) or get_origin(kind) is dict:  # a nested table of settings checks its own
            _check_size(value)
        if isinstance(value, str) and "\0" in value:
            raise ValueError("text must not hold the character NUL")
        lines = value if info.field_name == "name" or not isinstance(value, str) else re.sub(r"[\n\t]", "", value)
        if isinstance(value, str) and (unseen := hidden(lines)):
            raise ValueError(f"text must not hold the character {unseen}, which does not show")
        return value


def _check_size(value: Any) -> None:
    """Raise ValueError for a number that the store or the arithmetic of ratings cannot hold; also in a table."""
    for inner in value.values() if isinstance(value, dict) else (value,):
        if isinstance(inner, int) and not -(2**63) <= inner < 2**63:
            raise ValueError("whole numbers must lie between -2^63 and 2^63 - 1")
        if isinstance(inner, float) and LARGEST < abs(inner) < float("inf"):
            raise ValueError(f"numbers must lie between -{LARGEST:g} and {LARGEST:g}")


class PlayerConfig(Frozen):
    """One player of a tournament."""

    name: str = Field(min_length=1, max_length=64)
    """Shown on the board and kept in the store."""
    player: str
    """What sits there: `random`, `mcts(simulations=100)`, `solver`, `llm(model=smollm2-135m)`, ..."""
    games: tuple[str, ...] | None = None
    """Plays only these games of the tournament; default: all."""


class IllegalConfig(Frozen):
    """What happens after an answer that is no legal action, the same in every game."""

    retries: int = Field(default=2, ge=0, le=20)
    """Further attempts, the reason told."""
    then: Literal["forfeit", "random"] = "forfeit"
    """After the last attempt: lose the match, or play a random legal action (recorded as substituted)."""


class BudgetConfig(Frozen):
    """What the players that cost something may use in the run, all together, restarts included. It may be raised."""

    tokens: int | None = Field(default=None, ge=1)
    """Tokens read and written."""
    cost: float | None = Field(default=None, gt=0)
    """In the currency of the players' prices."""


class RatingConfig(Frozen):
    """The rating method and its scale; free in mu, sigma and beta."""

    method: str = "trueskill"
    """trueskill, bradley-terry, openskill, or a plugin's."""
    intervals: Literal["posterior", "sandwich"] = "posterior"
    """How the batch fit finds its intervals: from the model, or robust to outcomes that vary less or more than the
    model says (sandwich), as where the two matches of a pairing tend to cancel each other."""
    mu: float = Field(default=25.0, ge=-SCALE, le=SCALE)
    sigma: float = Field(default=25.0 / 3.0, ge=1 / SCALE, le=SCALE)
    beta: float = Field(default=25.0 / 6.0, ge=1 / SCALE, le=SCALE)
    tau: float = Field(default=0.0, ge=0, le=SCALE)
    """Skill drift per match. 0: players of a tournament do not change, and the package's default is a noise floor."""
    draw_probability: dict[str, float] = Field(default_factory=dict)
    """Per game, by its id or its name alone (hex); default: the table in league.ratings, 0.1 for one it has not."""
    lineage: dict[str, str] = Field(default_factory=dict)
    """Checkpoint -> the player it was trained from, near which the batch fit expects it; a training knows its own."""
    anchors: dict[str, float] = Field(default_factory=dict)
    """Player -> the rating it is known to have: holds the scale of the batch fit."""

    @field_validator("draw_probability")
    @classmethod
    def _probabilities(cls, value: dict[str, float]) -> dict[str, float]:
        for game, p in value.items():
            if not 0.0 <= p < 1.0:
                raise ValueError(f"draw_probability of {game} is {p}; it must be at least 0 and below 1")
        return value

    @field_validator("anchors")
    @classmethod
    def _on_the_scale(cls, value: dict[str, float]) -> dict[str, float]:
        for player, rating in value.items():
            if not abs(rating) <= SCALE:
                raise ValueError(f"the rating of {player} is {rating}; it must lie between -{SCALE:g} and {SCALE:g}")
        return value

    @field_validator("lineage")
    @classmethod
    def _tree(cls, value: dict[str, str]) -> dict[str, str]:
        for start in value:
            seen, at = {start}, value[start]
            while at in value and at not in seen:
                seen.add(at)
                at = value[at]
            if at in seen:
                raise ValueError(f"the lineage of {start!r} runs in a circle; give each checkpoint one parent")
        return value


class GateConfig(Frozen):
    """A sequential test of one player against another (SPRT) on pairs of matches with the seats exchanged."""

    nelo0: float = Field(default=0.0, ge=-10_000, le=10_000)
    """Normalised Elo (`league.decisions.pentanomial`): a player no stronger than this is accepted with probability
    at most `alpha`, however often it is looked at."""
    nelo1: float = Field(default=50.0, ge=-10_000, le=10_000)
    """A player this strong is rejected with probability at most `beta`."""
    alpha: float = Field(default=0.05, gt=0, lt=0.5)
    beta: float = Field(default=0.05, gt=0, lt=0.5)
    max_pairs: int = Field(default=1000, ge=1)
    """After so many undecided pairs, repeated ones included: rejected."""
    min_pairs: int = Field(default=8, ge=1)
    """So many pairs are played before anything is decided."""

    @model_validator(mode="after")
    def _ordered(self) -> Self:
        if not self.nelo0 < self.nelo1:
            raise ValueError(f"nelo0 must be below nelo1; seen: {self.nelo0}, {self.nelo1}")
        return self


class SprtConfig(GateConfig):
    """Ends the tournament when it is decided whether `player` is stronger than `against`."""

    player: str
    against: str


class StopConfig(Frozen):
    """When a tournament has told enough, before its rounds are over: as soon as one of these is met.

    Looked at in plan order, over matches before which all others have ended, so that the same results stop at the
    same match however they came in. Matches that are in flight then are played to their end and count.
    """

    matches: int | None = Field(default=None, ge=1)
    """So many matches, void ones aside."""
    tokens: int | None = Field(default=None, ge=1)
    """So many completion tokens of all players."""
    cost: float | None = Field(default=None, gt=0)
    """Completion tokens times `prices`. (`budget` is the hard limit of what endpoints may spend.)"""
    prices: dict[str, float] = Field(default_factory=dict)
    """Player -> price of a million completion tokens."""
    width: float | None = Field(default=None, gt=0)
    """Every 95% interval is at most so many rating points wide."""
    ranked: float | None = Field(default=None, gt=0.5, lt=1)
    """The whole order of the board is right with at least this probability."""
    apart: bool = False
    """The 95% interval of everybody's batch fit lies above that of the next on the board, and the order is right with
    95% as a whole."""
    top: int | None = Field(default=None, ge=1)
    """`width`, `ranked` and `apart` look at the first so many rows only; 1 with `ranked`: the best is found, by its
    probability of being better than everybody at once (`p_best`)."""
    every: int = Field(default=20, ge=1)
    """Matches between two looks at tokens, cost, width, ranked and apart."""
    sprt: SprtConfig | None = None

    @model_validator(mode="after")
    def _priced(self) -> Self:
        if self.cost is not None and not self.prices:
            raise ValueError("cost needs prices, such as prices = { gpt = 0.6 } for a million completion tokens")
        return self


class RayConfig(Frozen):
    """The cluster of `workers = "ray"`; see arena.workers.cluster."""

    address: str = ""
    """Of a running cluster: `auto` or host:port; default: RAY_ADDRESS, else one is started on this machine."""
    actors: int | None = Field(default=None, ge=1)
    """Workers; default: as many as the cluster has room for."""
    cpus: float = Field(default=1.0, ge=0)
    """CPUs that one worker takes."""
    gpus: float = Field(default=0.0, ge=0)
    """GPUs that one worker takes; 0.5 puts two engines on one."""
    resources: dict[str, float] = Field(default_factory=dict)
    """Further resources that one worker takes, as the nodes name them."""


class TournamentConfig(Frozen):
    """A whole tournament file."""

    name: str = Field(min_length=1, max_length=100)
    db: str = DEFAULT_DB
    """Where everything is kept: sqlite:///path or postgresql+psycopg://..."""
    games: tuple[str, ...] = Field(min_length=1)
    pairing: str = "round-robin"
    """Who meets whom: round-robin, gauntlet(seeds=1), swiss, or a plugin's matchmaker."""
    rounds: int = Field(default=1, ge=1)
    """Each round plays every pairing once, seats rotated."""
    openings: int = Field(default=0, ge=0, le=100)
    """Random legal moves before the players take over, the same for all seatings of a pairing, in games without chance.
    Without them deterministic players repeat the same matches, which count once."""
    concurrency: int = Field(default=32, ge=1, le=4096)
    """Matches in flight; with `workers = "ray"` in each worker."""
    workers: Literal["local", "ray"] = "local"
    """Who plays: this process, or the workers of a Ray cluster."""
    ray: RayConfig = RayConfig()
    seed: int | None = None
    """Everything drawn in the run follows from it. Default: 0, or with an endpoint one that is drawn when the run
    begins, as whoever serves a model must not find it by trying."""
    plugins: tuple[str, ...] = ()
    """Plugin files, relative to this file."""
    illegal: IllegalConfig = IllegalConfig()
    ratings: RatingConfig = RatingConfig()
    budget: BudgetConfig = BudgetConfig()
    stop: StopConfig = StopConfig()
    """When to end before all rounds are played."""
    players: tuple[PlayerConfig, ...] = Field(min_length=2)

    @field_validator("players")
    @classmethod
    def _distinct(cls, players: tuple[PlayerConfig, ...]) -> tuple[PlayerConfig, ...]:
        names = [p.name for p in players]
        if twice := sorted({n for n in names if names.count(n) > 1}):
            raise ValueError(f"player name {twice[0]!r} is given twice; names must differ")
        return players

    @model_validator(mode="after")
    def _known(self) -> Self:
        names = [p.name for p in self.players]
        sprt = self.stop.sprt
        asked = [("stop.prices", name) for name in self.stop.prices]
        asked += [("ratings.lineage", name) for pair in self.ratings.lineage.items() for name in pair]
        asked += [("ratings.anchors", name) for name in self.ratings.anchors]
        asked += [("stop.sprt.player", sprt.player), ("stop.sprt.against", sprt.against)] if sprt else []
        for where, name in asked:
            if name not in names:
                raise ValueError(f"{where}: no player is called {name!r}; players: {', '.join(names)}")
        if sprt and sprt.player == sprt.against:
            raise ValueError(f"stop.sprt: {sprt.player!r} cannot be tested against itself")
        return self


def load_tournament(path: str | Path, **overrides: Any) -> TournamentConfig:
    """Read and validate a tournament file. Raises InputError with one line per fault, joined by '; '."""
    given = {key: value for key, value in overrides.items() if value is not None}
    try:
        return TournamentConfig.model_validate(read_toml(path) | given)
    except ValidationError as error:
        raise InputError(f"{path}: {faults(error, TournamentConfig)}") from None


def faults(error: ValidationError, model: type[BaseModel]) -> str:
    """Every fault in words, joined by '; '. A list is not also called too short because of what is wrong in it."""
    found = error.errors()
    places = [e["loc"] for e in found]
    inside = {place[:n] for place in places for n in range(len(place))}
    return "; ".join(fault(e, model) for e in found if not (e["type"] == "too_short" and e["loc"] in inside))


def fault(error: Any, model: type[BaseModel]) -> str:
    """One pydantic error in words: where, what was seen, what is allowed."""
    where = ".".join(str(part) for part in error["loc"])
    if error["type"] == "extra_forbidden":
        node = model
        for part in error["loc"][:-1]:
            node = _inner(node, part)
        key = str(error["loc"][-1])
        names = [field.alias or name for name, field in node.model_fields.items()]
        near = difflib.get_close_matches(key, names, n=1)
        hint = f"did you mean {near[0]!r}?" if near else f"allowed: {', '.join(names)}"
        return f"unknown key {where!r}; {hint}"
    if error["type"] == "missing":
        return f"key {where!r} is missing"
    told = _WANTED.get(error["type"], str(error["msg"]).removeprefix("Value error, "))
    if not where:
        return told
    return f"{where}: {told.format(key=error['loc'][-1])} (seen: {error['input']!r})"[:300]


_WANTED = {
    "tuple_type": 'write a list, such as {key} = ["..."]',
    "list_type": 'write a list, such as {key} = ["..."]',
    "dict_type": "write a table, such as {key} = {{ name = ... }}",
    "model_type": "write a table, such as {key} = {{ name = ... }}",
    "model_attributes_type": "write a table, such as {key} = {{ name = ... }}",
    "string_type": "write text, in quotes",
    "bool_type": "write true or false",
    "bool_parsing": "write true or false",
    "int_type": "write a whole number",
    "int_from_float": "write a whole number",
    "float_type": "write a number",
}
"""type of pydantic's error -> what the file should say, in its own words"""


def _inner(model: type[BaseModel], part: str | int) -> type[BaseModel]:
    """The settings class under a key, or the class itself where `part` is an index into a list of it."""
    if isinstance(part, int):
        return model
    annotation = model.model_fields[part].annotation
    for candidate in (annotation, *get_args(annotation)):
        if isinstance(candidate, type) and issubclass(candidate, BaseModel):
            return candidate
    return model
