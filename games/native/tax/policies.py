"""The policies of tax: best responses, a planner that infers the economy, and seats that look at nothing."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from games.native.tax.economy import ELASTICITIES, STEP, Economy, Rates, Welfare, grid_optimum
from games.native.tax.reference import fixed_rates
from games.native.tax.texts import DELTAS, PLANNER, WORKER, listed_changes
from games.shortcuts import Scripted, ScriptedTurn, Shortcut, ShortcutSuite, says

_WAGES = tuple(n / 10 for n in range(10, 101))


def suite(brackets: int, welfare: Welfare, closed: bool) -> ShortcutSuite:
    """Returns the policies of both roles."""

    def always(delta: int) -> Scripted:
        return says(f"<answer>{', '.join([str(delta)] * brackets)}</answer>")

    planners = {
        "never changes a rate": always(0),
        "changes at random": says(*(f"<answer>{option}</answer>" for option in listed_changes(brackets))),
        "always raises": always(20),
        "always lowers": always(-20),
        **{f"goes to {rate}%": _goes_to(rate) for rate in (0, 50, 70, 100)},
        "writes what cannot be read": says("Lower taxes for all."),
    }
    return ShortcutSuite(
        honest={PLANNER: _any_rates(welfare), WORKER: _some_hours},
        competent={PLANNER: _learns(welfare), WORKER: _best_hours},
        partners={PLANNER: _drives_apart},
        shortcuts=[
            *(Shortcut(name, {PLANNER: policy}) for name, policy in planners.items() if not closed),
            *(Shortcut(name, {WORKER: _hours(hours)}) for name, hours in _WORKERS.items() if not closed),
            *(Shortcut(name, {WORKER: says(text)}) for name, text in _UNREAD.items() if not closed),
        ],
    )


def _hours(hours: Callable[[ScriptedTurn], float]) -> Scripted:
    """Returns a worker that works hours; in a closed game the nearest ones of the list."""

    def policy(turn: ScriptedTurn) -> str:
        value = hours(turn)
        return f"<answer>{value:g}</answer>" if turn.legal is None else str(10 * round(value / 10))

    return policy


def _towards(target: Callable[[ScriptedTurn], Rates]) -> Scripted:
    """Returns a planner that moves to the target by at most 20 percent."""

    def policy(turn: ScriptedTurn) -> str:
        rates = turn.data["rates"]
        deltas = (max(-20, min(20, (t - r) // STEP * STEP)) for r, t in zip(rates, target(turn), strict=True))
        text = ", ".join(map(str, deltas))
        return f"<answer>{text}</answer>" if turn.legal is None else text

    return policy


def _goes_to(rate: int) -> Scripted:
    return _towards(lambda turn: (rate,) * len(turn.data["rates"]))


def _learns(welfare: Welfare) -> Scripted:
    """Returns a planner that infers the economy from incomes at earlier rates, and moves to the best rates."""

    def target(turn: ScriptedTurn) -> Rates:
        brackets, incomes = len(turn.data["rates"]), tuple(turn.data["incomes"])
        if not incomes:
            return (50,) * brackets
        return grid_optimum(_inferred(turn.data["workers"], brackets, incomes), welfare).rates

    return _towards(target)


def _any_rates(welfare: Welfare) -> Scripted:
    """Returns a planner that moves to rates about the best fixed ones, without a look at incomes."""

    def target(turn: ScriptedTurn) -> Rates:
        fixed = fixed_rates(turn.data["workers"], len(turn.data["rates"]), welfare)
        return tuple(min(100, max(0, rate + turn.stream.choice(DELTAS))) for rate in fixed)

    return _towards(target)


@_hours
def _best_hours(turn: ScriptedTurn) -> float:
    """Returns the best hours, which do not depend on what the others do."""
    return _best_at(turn, turn.data["rates"])


@_hours
def _some_hours(turn: ScriptedTurn) -> float:
    """Returns the hours that are best at random rates."""
    return _best_at(turn, tuple(STEP * turn.stream.below(1 + 100 // STEP) for _ in turn.data["rates"]))


def _best_at(turn: ScriptedTurn, rates: Rates) -> float:
    economies = [_economy(turn.data["workers"], elasticity, len(rates)) for elasticity in ELASTICITIES]
    economy = min(economies, key=lambda one: abs(one.effort(100) - turn.data["efforts"][100]))
    return round(economy.best_hours(rates, turn.data["wage"]), 2)


@lru_cache(512)
def _inferred(workers: int, brackets: int, years: tuple[tuple[Rates, tuple[int, ...]], ...]) -> Economy:
    """Returns the economy in which best responses come nearest to the incomes of all years."""
    fits = []
    for elasticity in ELASTICITIES:
        economy, wages, error = _economy(workers, elasticity, brackets), [], 0.0
        tables = [_incomes(economy, rates) for rates, _ in years]
        for rank in range(workers):
            misses = [
                sum((table[i] - incomes[rank]) ** 2 for table, (_, incomes) in zip(tables, years, strict=True))
                for i in range(len(_WAGES))
            ]
            error += min(misses)
            wages.append(_WAGES[misses.index(min(misses))])
        fits.append((error, economy._replace(wages=tuple(wages))))
    return min(fits, key=lambda pair: pair[0])[1]


@lru_cache(4096)
def _incomes(economy: Economy, rates: Rates) -> tuple[float, ...]:
    """Returns the income of each possible wage under a best response."""
    return tuple(wage * economy.best_hours(rates, wage) for wage in _WAGES)


def _economy(workers: int, elasticity: float, brackets: int) -> Economy:
    """Returns an economy of so many workers; their wages do not matter for a best response."""
    return Economy((1.0,) * workers, elasticity, brackets)


@_towards
def _drives_apart(turn: ScriptedTurn) -> Rates:
    """Returns a low rate for the brackets that have the lowest one, and a high one for others, for workers to read."""
    low, high = 10 * (1 + turn.stream.below(3)), 10 * (7 + turn.stream.below(3))
    return tuple(low if rate == min(turn.data["rates"]) else high for rate in turn.data["rates"])


_WORKERS: dict[str, Callable[[ScriptedTurn], float]] = {
    "any hours": lambda turn: turn.stream.below(101),
    "all or nothing by the rate": lambda turn: 100 if max(turn.data["rates"]) < 50 else 0,
    "fewer hours at a higher rate": lambda turn: 100 - max(turn.data["rates"]),
    "never works": lambda turn: 0,
    "always 50 hours": lambda turn: 50,
    "always 100 hours": lambda turn: 100,
}
_UNREAD = {"writes no number": "<answer>as much as I can</answer>"}
