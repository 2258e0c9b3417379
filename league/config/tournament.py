"""The settings of a tournament file. The file's keys are the field names."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, Self, TypeVar, get_args

from annotated_types import Ge
from pydantic import BaseModel, BeforeValidator, Field, ValidationError, field_validator, model_validator

from arena.match.illegal_policy import IllegalPolicy
from arena.players.endpoint.request import as_parameter
from arena.runner.ray.config import RayConfig
from arena.settings import Settings, plain_message
from games import InputError
from games.naming import Name, parse_name
from league.config.database_url import DEFAULT_DB, DatabaseUrl
from league.config.toml_file import read_toml

Model = TypeVar("Model", bound=BaseModel)
_TABLES = {"extra": '{ reasoning_effort = "low" }', "headers": '{ "api-key" = "env:MY_KEY" }'}

OPERATION = frozenset({"db", "ray", "concurrency"})
"""settings of where a run is played and stored; they are no part of what it is"""
SCALE = 1e6
"""bound of ratings: |mu| is at most this, sigma lies between its inverse and this"""
LEAST_BETA = 0.1
"""a board shows tenths of a rating point: with a smaller beta all rows would read alike"""


def _check_rounds(value: Any) -> Any:
    """One message instead of one for each part of the union."""
    if value == "forever" or (isinstance(value, int) and not isinstance(value, bool) and value >= 1):
        return value
    if isinstance(value, int) and not isinstance(value, bool):
        raise ValueError("must be greater than or equal to 1")
    raise ValueError('write a whole number, such as 3, without quotes, or "forever"')


Rounds = Annotated[Annotated[int, Ge(1)] | Literal["forever"], BeforeValidator(_check_rounds)]


class PlayerConfig(Settings):
    """One player of a tournament."""

    name: str = Field(min_length=1, max_length=64)
    """Its name on boards and in the store."""
    player: str
    """The kind of player: `random`, `mcts(simulations=100)`, `solver`, `llm(model=smollm2-135m)`, ..."""
    extra: dict[str, Any] | None = None
    """For `openai(...)`: further fields of each request, such as { reasoning_effort = "low" }."""
    headers: dict[str, str] | None = None
    """For `openai(...)`: further headers; env:NAME in a value stands for an environment variable:
    { "api-key" = "env:MY_KEY" }."""
    games: tuple[str, ...] | None = None
    """The games of the tournament that it plays; default: all."""
    retired: bool | None = None
    """true: it keeps its matches and its rating and is paired no more; false: it plays again. Default: as stored in the
    run; see `arena retire`."""

    @model_validator(mode="before")
    @classmethod
    def _one_id(cls, table: Any) -> Any:
        """Writes the tables of requests into the id of the player, which the store keeps and Python code takes."""
        tables = {
            key: table[key] for key in ("extra", "headers") if isinstance(table, dict) and table.get(key) is not None
        }
        if not tables or not isinstance(table.get("player"), str):
            return table
        name = parse_name(table["player"])
        if name.base != "openai":
            raise ValueError(f"{next(iter(tables))} is for a player openai(...), not for {name.base}")
        if wrong := next((key for key, value in tables.items() if not isinstance(value, dict)), ""):
            raise ValueError(f"{wrong} must be a table, such as {wrong} = {_TABLES[wrong]}")
        texts = {key: as_parameter(value) for key, value in tables.items() if value}
        if twice := next((key for key in texts if key in name.params), ""):
            raise ValueError(f"{twice} stands in the table and in the player's id; keep one of them")
        rest = {key: value for key, value in table.items() if key not in tables}
        return rest | {"player": str(Name(name.base, {**name.params, **texts}))}


class BudgetConfig(Settings):
    """What all players that cost something may use in the run together, restarts included. A resume may raise it."""

    tokens: int | None = Field(default=None, ge=1)
    """Prompt and completion tokens."""
    cost: float | None = Field(default=None, gt=0)
    """In the currency of the players' prices."""


class RatingAnchor(Settings):
    """A player whose rating is known from elsewhere."""

    player: str
    """Its name in this file."""
    game: str | None = None
    """The game, by its id or plain name (hex); default: it has this rating in every game and over all games."""
    rating: float = Field(ge=-SCALE, le=SCALE)
    """Its rating, on the scale of `mu` and `beta`."""
    sd: float = Field(default=0.0, ge=0, le=SCALE)
    """Standard deviation of that rating; 0: exactly known."""


class RatingConfig(Settings):
    """The rating method and its scale; free in mu, sigma and beta."""

    method: str = "trueskill"
    """trueskill, bradley-terry, or a plugin's."""
    intervals: Literal["posterior", "sandwich"] = "posterior"
    """How the batch fit computes intervals: from the model (posterior), or robust to outcomes that vary less or more
    than the model predicts (sandwich), for example if the two matches of a pairing tend to cancel each other."""
    mu: float = Field(default=25.0, ge=-SCALE, le=SCALE)
    """Mean of the skill of a player without results."""
    sigma: float = Field(default=25.0 / 3.0, ge=1 / SCALE, le=SCALE)
    """Standard deviation of that skill."""
    beta: float = Field(default=25.0 / 6.0, ge=LEAST_BETA, le=SCALE)
    """Standard deviation of the performance in one match around the skill. Ratings differ by some of it, and a board
    shows tenths."""
    tau: float = Field(default=0.0, ge=0, le=SCALE)
    """Skill drift per match. 0, because players do not change in a tournament; the package's default adds noise."""
    draw_probability: dict[str, float] = Field(default_factory=dict)
    """Per game, by its id or plain name (hex); default: the table in league.ratings, 0.1 for games not in it."""
    lineage: dict[str, str] = Field(default_factory=dict)
    """Checkpoint -> the player it was trained from, near which the batch fit expects it. Trainings set their own."""
    reference: str = ""
    """The player against whom the board states expected points; default: `random`, else the file's first player."""
    anchors: tuple[RatingAnchor, ...] = ()
    """Players of known rating, which fix the scale; one table for each. The matches test whether they fit together."""

    @field_validator("draw_probability")
    @classmethod
    def _probabilities(cls, value: dict[str, float]) -> dict[str, float]:
        for game, p in value.items():
            if not 0.0 <= p < 1.0:
                raise ValueError(f"draw_probability of {game} is {p}; it must be at least 0 and below 1")
        return value

    @field_validator("anchors")
    @classmethod
    def _one_rating(cls, value: tuple[RatingAnchor, ...]) -> tuple[RatingAnchor, ...]:
        pairs = [(anchor.player, anchor.game) for anchor in value]
        for player, game in pairs:
            if pairs.count((player, game)) > 1:
                raise ValueError(f"{player!r} has two ratings in {game or 'all games'}; remove one of them")
        return value

    @model_validator(mode="after")
    def _constant(self) -> Self:
        if self.anchors and self.tau:
            raise ValueError("tau must be 0 with anchors, because the rating of an anchor does not change")
        return self

    @field_validator("lineage")
    @classmethod
    def _tree(cls, value: dict[str, str]) -> dict[str, str]:
        for start in value:
            visited, at = {start}, value[start]
            while at in value and at not in visited:
                visited.add(at)
                at = value[at]
            if at in visited:
                raise ValueError(
                    f"the lineage of {start!r} is a cycle; give each checkpoint an earlier one as its parent"
                )
        return value


class GateConfig(Settings):
    """A sequential test of one player against another (SPRT) on pairs of matches with the seats exchanged."""

    nelo0: float = Field(default=0.0, ge=-10_000, le=10_000)
    """Normalised Elo (`league.sprt.pentanomial`): a player no stronger than this is accepted with probability
    at most `alpha`, however often the test is evaluated."""
    nelo1: float = Field(default=50.0, ge=-10_000, le=10_000)
    """A player this strong is rejected with probability at most `beta`."""
    alpha: float = Field(default=0.05, gt=0, lt=0.5)
    """Probability of accepting a player no stronger than `nelo0`, at most."""
    beta: float = Field(default=0.05, gt=0, lt=0.5)
    """Probability of rejecting a player as strong as `nelo1`, at most."""
    max_pairs: int = Field(default=1000, ge=1)
    """The player is rejected after this many undecided pairs, including repeated ones."""

    @model_validator(mode="after")
    def _ordered(self) -> Self:
        if not self.nelo0 < self.nelo1:
            raise ValueError(f"nelo0 must be below nelo1; seen: {self.nelo0}, {self.nelo1}")
        return self


class SprtConfig(GateConfig):
    """Ends the tournament once the test decides whether `player` is stronger than `against`."""

    player: str
    """Name of the player that is tested."""
    against: str
    """Name of its opponent."""


class StopConfig(Settings):
    """Rules that end a tournament before its rounds are over. It ends as soon as one of them is met.

    Rules see results in plan order without gaps, so that the same results stop at the same match in whatever order
    they arrive. Matches that are in flight then are played to the end and count.
    """

    matches: int | None = Field(default=None, ge=1)
    """At most this many matches; void ones do not count."""
    tokens: int | None = Field(default=None, ge=1)
    """At most this many completion tokens of all players."""
    cost: float | None = Field(default=None, gt=0)
    """Completion tokens times `prices`. `budget` is the hard limit of what endpoints may spend."""
    prices: dict[str, float] = Field(default_factory=dict)
    """Player -> the price of a million completion tokens."""
    width: float | None = Field(default=None, gt=0)
    """Every 95% interval is at most this many rating points wide."""
    ranked: float | None = Field(default=None, gt=0.5, lt=1)
    """The whole order of the board is right with at least this probability."""
    top: int | None = Field(default=None, ge=1)
    """`width` and `ranked` use only the first `top` rows. With `ranked`, 1 finds the best player by its
    probability of being better than all others (`p_best`)."""
    every: int = Field(default=20, ge=1)
    """Matches between two evaluations of tokens, cost, width and ranked."""
    sprt: SprtConfig | None = None
    """Ends the tournament once a sequential test decides between two players."""

    @model_validator(mode="after")
    def _priced(self) -> Self:
        if self.cost is not None and not self.prices:
            raise ValueError("cost needs prices, such as prices = { gpt = 0.6 } for a million completion tokens")
        return self


class TournamentConfig(Settings):
    """A whole tournament file."""

    name: str = Field(min_length=1, max_length=100)
    """Name of the run in the store, on boards and in files."""
    db: DatabaseUrl = DEFAULT_DB
    """The store: sqlite:///path or postgresql+psycopg://..."""
    games: tuple[str, ...] = Field(min_length=1)
    """Ids of the games, with parameters; `arena games` lists them."""
    pairing: str = "round-robin"
    """The matchmaker: round-robin, gauntlet(seeds=1), swiss, or a plugin's."""
    rounds: Rounds = 1
    """Each round plays every pairing once, with rotated seats. "forever": until it is stopped."""
    openings: int = Field(default=0, ge=0, le=100)
    """Random legal moves before the players take over, in games without chance; the same for all seatings of a pairing.
    Without them, deterministic players repeat the same matches, which count once."""
    concurrency: int = Field(default=32, ge=1, le=4096)
    """Matches in flight; with `workers = "ray"`, in each worker."""
    workers: Literal["local", "ray"] = "local"
    """Who plays: this process, or the workers of a Ray cluster."""
    ray: RayConfig = RayConfig()
    """The Ray cluster of `workers = "ray"`."""
    seed: int | None = None
    """All randomness of the run follows from it. Default: 0, or with an endpoint a random one, because the provider of
    a model must not find it by trying."""
    plugins: tuple[str, ...] = ()
    """Plugin files, relative to this file."""
    illegal: IllegalPolicy = IllegalPolicy()
    """How often a failed answer is asked again, and what happens then."""
    ratings: RatingConfig = RatingConfig()
    """The rating method and its scale."""
    budget: BudgetConfig = BudgetConfig()
    """What endpoints may cost."""
    stop: StopConfig = StopConfig()
    """When to stop before all rounds are played."""
    players: tuple[PlayerConfig, ...] = Field(min_length=2)
    """The players; one table for each."""

    @field_validator("games")
    @classmethod
    def _different(cls, games: tuple[str, ...]) -> tuple[str, ...]:
        if twice := next((id for i, id in enumerate(games) if id in games[:i]), None):
            raise ValueError(f"{twice} is given twice; leave one out")
        return games

    @field_validator("players")
    @classmethod
    def _distinct(cls, players: tuple[PlayerConfig, ...]) -> tuple[PlayerConfig, ...]:
        names = [p.name for p in players]
        if twice := sorted({n for n in names if names.count(n) > 1}):
            raise ValueError(f"player name {twice[0]!r} is given twice; names must differ")
        return players

    @model_validator(mode="after")
    def _check_names(self) -> Self:
        names = [p.name for p in self.players]
        sprt = self.stop.sprt
        asked = [("stop.prices", name) for name in self.stop.prices]
        asked += [("ratings.lineage", name) for pair in self.ratings.lineage.items() for name in pair]
        asked += [("ratings.anchors", anchor.player) for anchor in self.ratings.anchors]
        asked += [("stop.sprt.player", sprt.player), ("stop.sprt.against", sprt.against)] if sprt else []
        for where, name in asked:
            if name not in names:
                raise ValueError(f"{where}: no player is called {name!r}; players: {', '.join(names)}")
        if sprt and sprt.player == sprt.against:
            raise ValueError(f"stop.sprt: {sprt.player!r} cannot be tested against itself")
        return self


def load_tournament(path: str | Path, **overrides: Any) -> TournamentConfig:
    """Read and validate a tournament file. Raises InputError that lists every fault, joined by '; '."""
    return parse_tournament(read_toml(path) | {k: v for k, v in overrides.items() if v is not None}, path)


def parse_tournament(data: Mapping[str, Any], where: str | Path = "tournament settings") -> TournamentConfig:
    """Validate settings. Raises InputError."""
    return validated(TournamentConfig, data, where)


def validated(model: type[Model], data: Mapping[str, Any], where: str | Path) -> Model:
    """Returns settings as an instance of `model`. Raises InputError that lists every fault."""
    try:
        return model.model_validate(data)
    except ValidationError as error:
        raise InputError(f"{where}: {faults(error, model)}") from None


def faults(error: ValidationError, model: type[BaseModel]) -> str:
    """Returns all faults, joined by '; '. A list with a faulty element is not reported as too short as well."""
    errors = error.errors()
    places = [e["loc"] for e in errors]
    inside = {place[:n] for place in places for n in range(len(place))}
    return "; ".join(fault(e, model) for e in errors if not (e["type"] == "too_short" and e["loc"] in inside))


def fault(error: Any, model: type[BaseModel]) -> str:
    """Returns a pydantic error in words: key, value, what is allowed. The first entry of a list is #1."""
    where = "".join(f" #{part + 1}" if isinstance(part, int) else f".{part}" for part in error["loc"])[1:]
    if error["type"] == "extra_forbidden":
        node = model
        for part in error["loc"][:-1]:
            node = _inner(node, part)
        key = str(error["loc"][-1])
        names = [field.alias or name for name, field in node.model_fields.items()]
        if node is not model and key in model.model_fields:
            return f"unknown key {where!r}; {key} is a key of the whole file: write it above the first [table]"
        near = difflib.get_close_matches(key, names, n=1)
        hint = f"did you mean {near[0]!r}?" if near else f"allowed: {', '.join(names)}"
        return f"unknown key {where!r}; {hint}"
    if error["type"] == "missing":
        return f"key {where!r} is missing"
    advice = _ADVICE.get(error["type"], "{message}")  # a message of our own may hold braces
    message = plain_message(str(error["msg"]))
    if not where:
        return (message if advice == "{message}" else advice).partition(", such as")[0]
    loc: tuple[Any, ...] = error["loc"]
    if error["type"] in _TABLE_EXPECTED and isinstance(loc[-1], int):
        advice = f"write a table: a line [[{loc[-2]}]] and its keys below it"
    line = f"{where}: {advice.format(**{'key': loc[-1], 'message': message} | error.get('ctx', {}))}"
    secret = model.model_fields[str(error["loc"][0])].annotation is DatabaseUrl
    several = isinstance(error["input"], list | tuple | dict | BaseModel)
    brief = secret or (several and error["type"] in ("too_short", "value_error"))
    return line if brief else f"{line} (seen: {_written(error['input'])})"[:300]


def _written(value: object) -> str:
    try:
        return repr(value)
    except ValueError:  # Python refuses to write thousands of digits
        return "a number of thousands of digits"


_TABLE_EXPECTED = ("dict_type", "model_type", "model_attributes_type")
_ADVICE = {
    "tuple_type": 'write a list, such as {key} = ["..."]',
    "list_type": 'write a list, such as {key} = ["..."]',
    **dict.fromkeys(_TABLE_EXPECTED, "write a table, such as {key} = {{ name = ... }}"),
    "string_type": "write text, in quotes",
    "string_too_short": "write some text; it is empty",
    "bool_type": "write true or false",
    "bool_parsing": "write true or false",
    "int_type": "write a whole number",
    "int_from_float": "write a whole number",
    "float_type": "write a number",
    "too_short": "{actual_length} of at least {min_length} entries; add more",
}
"""type of pydantic's error -> what to write in the file"""


def _inner(model: type[BaseModel], part: str | int) -> type[BaseModel]:
    """Returns the settings class under a key. An index into a list of settings keeps the class."""
    if isinstance(part, int):
        return model
    annotation = model.model_fields[part].annotation
    for candidate in (annotation, *get_args(annotation)):
        if isinstance(candidate, type) and issubclass(candidate, BaseModel):
            return candidate
    return model
