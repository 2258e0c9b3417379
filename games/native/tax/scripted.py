"""Scripted planners and workers of tax-v0, from the observation alone: best responses, and a planner that learns."""

from __future__ import annotations

import re
from functools import lru_cache

from games.native.tax.economy import STEP, Economy, Welfare, grid_optimum
from games.native.tax.game import ELASTICITIES
from games.shortcuts import Scripted, ScriptedTurn

_RATES = re.compile(r"The rates are ([\d%, ]+)\.")
_WAGE = re.compile(r"Your wage is ([\d.]+)\. Effort: .*100 hours (\d+)\.")
_YEAR = re.compile(r"^Year \d+: rates ([\d%, ]+); incomes ([\d, ]+);", re.MULTILINE)
_WAGES = tuple(n / 10 for n in range(10, 101))

Rates = tuple[int, ...]


def numbers(text: str) -> tuple[int, ...]:
    """The numbers of "30%, 40%"."""
    return tuple(int(n) for n in re.findall(r"\d+", text))


def current(turn: ScriptedTurn) -> Rates:
    """The rates of the year."""
    found = _RATES.search(turn.text)
    return numbers(found[1]) if found else ()


def responds(workers: int) -> Scripted:
    """A worker that works its best hours, which do not depend on what the others do."""

    def policy(turn: ScriptedTurn) -> str:
        rates, found = current(turn), _WAGE.search(turn.text)
        if found is None:
            return ""
        wage, effort = float(found[1]), float(found[2])
        elasticity = min(ELASTICITIES, key=lambda e: abs(_economy(workers, e, len(rates)).effort(100) - effort))
        return f"<answer>{_economy(workers, elasticity, len(rates)).best_hours(rates, wage):.2f}</answer>"

    return policy


def learns(workers: int, welfare: Welfare) -> Scripted:
    """A planner that infers wages and elasticity from the incomes at earlier rates, and moves to the best rates."""

    def policy(turn: ScriptedTurn) -> str:
        rates = current(turn)
        seen = tuple((numbers(of), numbers(incomes)) for of, incomes in _YEAR.findall(turn.text))
        target = grid_optimum(_inferred(workers, len(rates), seen), welfare).rates if seen else (50,) * len(rates)
        return towards(rates, target)

    return policy


def towards(rates: Rates, target: Rates) -> str:
    """The changes of at most 20 percent that lead to the target."""
    deltas = (max(-20, min(20, (t - r) // STEP * STEP)) for r, t in zip(rates, target, strict=True))
    return f"<answer>{', '.join(map(str, deltas))}</answer>"


@lru_cache(512)
def _inferred(workers: int, brackets: int, seen: tuple[tuple[Rates, tuple[int, ...]], ...]) -> Economy:
    """The economy in which best responses come nearest to the incomes of all years."""
    found = []
    for elasticity in ELASTICITIES:
        economy, wages, error = _economy(workers, elasticity, brackets), [], 0.0
        tables = [_incomes(economy, rates) for rates, _ in seen]
        for rank in range(workers):
            misses = [
                sum((table[i] - incomes[rank]) ** 2 for table, (_, incomes) in zip(tables, seen, strict=True))
                for i in range(len(_WAGES))
            ]
            error += min(misses)
            wages.append(_WAGES[misses.index(min(misses))])
        found.append((error, economy._replace(wages=tuple(wages))))
    return min(found, key=lambda pair: pair[0])[1]


@lru_cache(4096)
def _incomes(economy: Economy, rates: Rates) -> tuple[float, ...]:
    """The income of each possible wage under a best response."""
    return tuple(wage * economy.best_hours(rates, wage) for wage in _WAGES)


def _economy(workers: int, elasticity: float, brackets: int) -> Economy:
    """An economy of so many workers; their wages do not matter for a best response."""
    return Economy((1.0,) * workers, elasticity, brackets)
