"""What a planner earns: how far it comes from the best rates that need no look at the economy to the best of all; and
a worker: how near its hours are to the best ones.

Any fixed rates reach most of the best welfare, and any hours that pay for their effort most of the best utility, so a
plain share of it pays a seat that learns nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import product
from statistics import fmean

from games.native.tax.economy import ELASTICITIES, TOP_WAGE, Economy, Rates, Welfare, grid_optimum
from games.randomness import RandomStream, derive

_ECONOMIES = 24
"""economies over which fixed rates are compared"""
_STEP = 20
_BETWEEN, _BAND = 0.6, 1.03
"""the share of workers whose wage is about that of an income where a bracket begins, and the largest ratio to it"""
_NARROW = 0.05
"""the least distance, as a share of the best welfare, over which a planner earns from 0 to 1"""
_NEAR = 1 / 8
"""how far from its best hours a worker earns 0, as a share of what a tax of 100% takes from its hours"""
_NOTHING = 1e-9


def economy_of(number: int, workers: int, brackets: int) -> tuple[Economy, RandomStream]:
    """Returns the economy of a number, and the stream that goes on to draw the first rates."""
    stream = RandomStream(derive(number, "tax-v0", "economy"))
    elasticity = stream.choice(ELASTICITIES)
    economy = Economy((1.0,) * workers, elasticity, brackets)
    return economy._replace(wages=tuple(_wage(economy, stream) for _ in range(workers))), stream


def _wage(economy: Economy, stream: RandomStream) -> float:
    """Returns a wage from 1 to TOP_WAGE; for `_BETWEEN` of the workers one with which the rates decide the bracket.

    Otherwise few incomes would be near the beginning of a bracket, and the wage would tell which rate counts.
    """
    wage = TOP_WAGE ** stream.random()
    edges = economy.edges[1:]
    if edges and stream.random() < _BETWEEN:
        wage = economy.wage_at(stream.choice(edges), 50) * _BAND ** (2 * stream.random() - 1)
    return float(min(TOP_WAGE, max(1.0, round(wage, 1))))


@lru_cache(64)
def fixed_rates(workers: int, brackets: int, kind: Welfare) -> Rates:
    """Returns the best rates for a planner that knows only how economies are drawn: the search of a best response.

    Welfare is compared with the mean of all schedules in the same economy.
    """
    schedules = list(product(range(0, 101, _STEP), repeat=brackets))
    totals = [0.0] * len(schedules)
    for number in range(_ECONOMIES):
        economy, _ = economy_of(derive(number, "tax reference"), workers, brackets)
        welfares = [economy.responded(kind, rates) for rates in schedules]
        mean = fmean(welfares)
        totals = [total + w / mean if mean > 0 else total for total, w in zip(totals, welfares, strict=True)]
    return schedules[totals.index(max(totals))]


def planner_reward(economy: Economy, kind: Welfare, reached: float) -> float:
    """Returns 0 for the welfare of the best fixed rates, 1 for the best of the grid, and -1 for none.

    It is linear from 1 to -1/2, so that rates which are better or worse by luck gain nothing, and from there to -1.
    """
    best = grid_optimum(economy, kind).welfare
    if best <= _NOTHING:
        return 0.0
    fixed = economy.responded(kind, fixed_rates(len(economy.wages), economy.brackets, kind)) / best
    share, width = reached / best, max(1 - fixed, _NARROW)
    low = fixed - width / 2
    if share >= low or low <= 0:
        return max(-1.0, min(1.0, (share - fixed) / width))
    return max(-1.0, -1 + share / low / 2)


def worker_reward(economy: Economy, wage: float, terms: Sequence[tuple[Rates, float]], step: int = 0) -> float:
    """Returns 1 for the best hours of each term, falling to 0 within `_NEAR`: the mean over pairs of rates and hours.

    With a `step`, hours are chosen from its multiples, and the nearest of these are the best. Utility itself is flat
    around its best, so hours by one rate, the mean or rounded rates would reach most of it.
    """
    free, taxed = (economy.best_hours((rate,) * economy.brackets, wage) for rate in (0, 100))
    off = []
    for rates, worked in terms:
        best = economy.best_hours(rates, wage)
        off.append(abs(worked - (step * round(best / step) if step else best)))
    return fmean(max(0.0, 1 - each / (_NEAR * (free - taxed))) for each in off)
