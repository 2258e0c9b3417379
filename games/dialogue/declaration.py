"""The decorator that makes a game of a script."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
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

    source: the id of a task source for `Table.task`. tools: makes `Table.tools` once for the game, such as a referee,
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
        "demonstrations": demonstrations or {},
        "prompt_bytes": prompt_bytes, "chance": chance,
    }  # fmt: skip

    def declare(script: Callable[..., Script]) -> type[RoleGame]:
        signature = _signature(script, closed is True)

        class Game(RoleGame):
            name, play = id, staticmethod(script)

            def __init__(self, **params: Any) -> None:
                values = {key: p.default for key, p in signature.parameters.items()} | params
                check_parameters(id, type(self), params)
                if wrong := _of(problem, values):
                    raise InputError(f"{id}: {wrong}")
                if tasks := _of(source, values):
                    self.task_source = games.tasks.make(tasks)
                    params = {k: self.task_source.id if v == tasks else v for k, v in params.items()}
                spec = {key: _of(value, values) for key, value in fields.items()}
                written = str(Name(id, canonical(type(self), params)))
                self.pools = _of(pools, values) and (pool is not None or self.task_source is not None)
                self.tools = _of(tools, {**values, "source": self.task_source})
                self.blocking = _of(blocking, values) or any(
                    getattr(x, "blocking", False) for x in (self.task_source, self.tools)
                )
                super().__init__(GameSpec(id=written, **spec), values, _is_closed(closed, values))

        Game.suite = staticmethod(lambda values: _policies(suite, closed, values))
        Game.known, Game.references = known and staticmethod(known), references and staticmethod(references)
        if pool is not None:
            Game.pool = staticmethod(lambda values: _of(pool, values))
        Game.__doc__, Game.__module__ = script.__doc__, script.__module__
        Game.__name__ = Game.__qualname__ = script.__name__
        Game.__signature__ = signature  # type: ignore[attr-defined]  # ids are checked against it
        own = script.__module__.startswith("games.native.")  # in the table of native games, which imports none of them
        return Game if own else register(id)(Game)

    return declare


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
