"""The decorator that makes a game of a script."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TypeAlias, TypeVar

import games.tasks
from games.dialogue.game import RoleGame
from games.dialogue.table import Script
from games.errors import InputError
from games.game import Demonstrations, GameSpec, KnownOutcome, Notes, Payoff, Seat
from games.naming import Name
from games.parameters import canonical, check_parameters
from games.registration import register
from games.shortcuts import ShortcutSuite

V = TypeVar("V")
OfParameters: TypeAlias = V | Callable[..., V]
"""a value, or a function of those parameters of the game that it names"""

_CLOSED = inspect.Parameter("closed", inspect.Parameter.KEYWORD_ONLY, default=False, annotation=bool)


def role_game(
    id: str,
    *,
    seats: OfParameters[Mapping[Seat, str]],
    payoff: OfParameters[Payoff],
    rules: OfParameters[str],
    returns_range: OfParameters[tuple[float, float] | None] = (-1.0, 1.0),
    max_turns: OfParameters[int] = 1000,
    payoff_sum: OfParameters[float] = 0.0,
    teams: OfParameters[tuple[tuple[Seat, ...], ...]] = (),
    strangers: OfParameters[bool] = False,
    rated: OfParameters[bool] = True,
    notes: OfParameters[Notes | None] = None,
    demonstrations: OfParameters[Demonstrations] | None = None,
    chance: OfParameters[bool | None] = None,
    prompt_bytes: OfParameters[int | None] = None,
    source: OfParameters[str] = "",
    pool: Callable[..., object] | None = None,
    pools: OfParameters[bool] = True,
    references: Callable[[Sequence[str]], str] | None = None,
    tools: Callable[..., Any] | None = None,
    blocking: OfParameters[bool] = False,
    closed: OfParameters[bool] = False,
    problem: OfParameters[str] = "",
    suite: OfParameters[ShortcutSuite | None] = None,
    known: Callable[[RoleGame], Sequence[KnownOutcome]] | None = None,
) -> Callable[[Callable[..., Script]], type[RoleGame]]:
    """Makes a game of a script and registers it under `id`, such as `taboo-v1`.

    The parameters of the script after the table are those of the id. Every other argument is a value, or a function of
    the parameters that it names; most are fields of `GameSpec`.

    source: the id of a task source for `Table.task`. tools: makes `Table.tools` once for the game,
    from the parameters and the task `source`; the game waits if they say `blocking`. pool: for tasks of a pool that are
    no ids of the source: a function of the `task`, `source`, `tools` and parameters, which raises InputError for a text
    that is no such task. pools: false where no task fits. references: `TextGame.with_references`, whose texts are such
    tasks too. closed: if true, the game takes `closed=true`: seats then choose from the examples of each request; a
    function says with which parameters they do. problem: what is wrong with a combination of parameters. suite: the
    scripted policies; None where they cannot play. known: receives the default game at seed 0 and returns matches of it
    whose outcome follows from the rules.
    """
    fields = {
        "seats": seats, "payoff": payoff, "rules": rules, "returns_range": returns_range, "max_turns": max_turns,
        "payoff_sum": payoff_sum, "teams": teams, "strangers": strangers, "rated": rated, "notes": notes,
        "demonstrations": demonstrations or {}, "prompt_bytes": prompt_bytes, "chance": chance,
    }  # fmt: skip
    more = (source, pool, pools, references, tools, blocking, closed, problem, suite, known)
    return _Declaration(id, fields, *more).declare


@dataclass(frozen=True)
class _Declaration:
    """The arguments of `role_game`; `fields` are those of `GameSpec`."""

    id: str
    fields: Mapping[str, Any]
    source: OfParameters[str]
    pool: Callable[..., object] | None
    pools: OfParameters[bool]
    references: Callable[[Sequence[str]], str] | None
    tools: Callable[..., Any] | None
    blocking: OfParameters[bool]
    closed: OfParameters[bool]
    problem: OfParameters[str]
    suite: OfParameters[ShortcutSuite | None]
    known: Callable[[RoleGame], Sequence[KnownOutcome]] | None

    def declare(self, script: Callable[..., Script]) -> type[RoleGame]:
        """Returns the game of a script, registered unless it is a native one."""
        declaration, signature = self, _signature(script, self.closed is True)

        class Game(RoleGame):
            name, play = declaration.id, staticmethod(script)

            def __init__(self, **params: Any) -> None:
                check_parameters(declaration.id, type(self), params)
                values = {key: p.default for key, p in signature.parameters.items()} | params
                spec = declaration._prepare(self, params, values)
                super().__init__(spec, values, _is_closed(declaration.closed, values))

        self._describe(Game, script)
        Game.__signature__ = signature  # type: ignore[attr-defined]  # ids are checked against it
        native = script.__module__.startswith("games.native.")  # in the table of native games, which imports none
        return Game if native else register(self.id)(Game)

    def _prepare(self, game: RoleGame, params: dict[str, Any], values: dict[str, Any]) -> GameSpec:
        """Returns the spec of a game with these parameters, which has its source, tools and pools then."""
        if wrong := _of(self.problem, values):
            raise InputError(f"{self.id}: {wrong}")
        if tasks := _of(self.source, values):
            game.task_source = games.tasks.make(tasks)
            params = {k: game.task_source.id if v == tasks else v for k, v in params.items()}
        fields = {key: _of(value, values) for key, value in self.fields.items()}
        written = str(Name(self.id, canonical(type(game), params)))
        game.pools = _of(self.pools, values) and (self.pool is not None or game.task_source is not None)
        game.tools = _of(self.tools, {**values, "source": game.task_source})
        game.blocking = _of(self.blocking, values) or any(
            getattr(x, "blocking", False) for x in (game.task_source, game.tools)
        )
        return GameSpec(id=written, **fields)

    def _describe(self, game: type[RoleGame], script: Callable[..., Script]) -> None:
        """Gives a game its policies, known outcomes, references, pool, and the name and documentation of its script."""
        game.suite = staticmethod(lambda values: _policies(self.suite, self.closed, values))
        game.known = self.known and staticmethod(self.known)
        game.references = self.references and staticmethod(self.references)
        if (pool := self.pool) is not None:
            game.pool = staticmethod(lambda values: _of(pool, values))
        game.__doc__, game.__module__ = script.__doc__, script.__module__
        game.__name__ = game.__qualname__ = script.__name__


def _signature(script: Callable[..., Script], closed: bool) -> inspect.Signature:
    """Returns the parameters of the game: those of the script after the table, by keyword."""
    _, *rest = inspect.signature(script, eval_str=True).parameters.values()
    if lacking := [p.name for p in rest if p.default is inspect.Parameter.empty]:
        raise InputError(f"{script.__name__}: the parameter {lacking[0]!r} has no default; write {lacking[0]}=VALUE")
    named = [p.replace(kind=inspect.Parameter.KEYWORD_ONLY) for p in rest]
    return inspect.Signature([*named, _CLOSED] if closed else named)


def _is_closed(closed: Any, values: Mapping[str, Any]) -> bool:
    return bool(values["closed"] if closed is True else _of(closed, values))


def _policies(suite: Any, closed: Any, values: Mapping[str, Any]) -> ShortcutSuite | None:
    """Returns the suite; None for a closed game, which has no free text, unless a function asks for `closed`."""
    aware = callable(suite) and "closed" in (_names(suite) or ())
    return None if _is_closed(closed, values) and not aware else _of(suite, values)


def _of(value: Any, params: Mapping[str, Any]) -> Any:
    """Returns a value, or what a function gives for the parameters that it names."""
    if not callable(value):
        return value
    names = _names(value)
    return value(**params) if names is None else value(**{name: params[name] for name in names if name in params})


@lru_cache(1024)
def _names(function: Callable[..., Any]) -> tuple[str, ...] | None:
    """Returns the names of a function's parameters; None if it takes any. `inspect` takes 30 us, a game 15 of them."""
    parameters = inspect.signature(function).parameters.values()
    return None if any(p.kind is p.VAR_KEYWORD for p in parameters) else tuple(p.name for p in parameters)
