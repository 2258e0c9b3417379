"""The economy of tax-v0: taxes, utilities, best responses, social welfare, optimal rates. No randomness, no text.

A worker with wage w who works l hours earns z = w l, pays T(z), receives an equal share R of all taxes, and has the
utility u = z - T(z) + R - k l^(1 + 1/e) / (1 + 1/e): consumption less the effort, with the elasticity e of labour. The
welfare functions are those of LLM Economist (Karten et al. 2025, arXiv 2507.15815; `planner.py` of its code) and of the
AI Economist (Zheng et al. 2020, arXiv 2004.13332). That effort has this form is our choice: it makes the best response
and the linear optimum (Saez 2001) exact.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import product
from typing import Literal, NamedTuple, TypeAlias

Welfare = Literal["equality", "inverse", "sum", "lowest"]
Rates: TypeAlias = tuple[int, ...]
"""the rate of each bracket, in percent"""
ELASTICITIES = (0.25, 0.5, 1.0)
HOURS = 100.0
"""the most hours; a worker with the wage `TOP_WAGE` works this many without taxes"""
TOP_WAGE = 10.0
STEP = 10
"""rates are multiples of this, in percent"""
EDGES: dict[int, tuple[float, ...]] = {1: (0.0,), 2: (0.0, 150.0), 3: (0.0, 100.0, 400.0)}
"""number of brackets -> the income at which each begins; of two, each is the one of half of the workers"""


class Economy(NamedTuple):
    """The workers' wages, from 1 to TOP_WAGE, the elasticity of labour and the number of tax brackets."""

    wages: tuple[float, ...]
    elasticity: float
    brackets: int

    @property
    def edges(self) -> tuple[float, ...]:
        """The income at which each bracket begins."""
        return EDGES[self.brackets]

    @property
    def weight(self) -> float:
        """k: with it the wage TOP_WAGE and no tax give HOURS of work."""
        return TOP_WAGE / float(HOURS ** (1 / self.elasticity))

    def tax(self, rates: Sequence[float], income: float) -> float:
        """The tax on an income; rates in percent, one for the part of the income in each bracket."""
        edges, total = self.edges, 0.0
        for i, rate in enumerate(rates):  # a loop: the search for the best rates spends most of its time here
            if income <= edges[i]:
                break
            top = edges[i + 1] if i + 1 < len(edges) and edges[i + 1] < income else income
            total += rate / 100 * (top - edges[i])
        return total

    def effort(self, hours: float) -> float:
        """What hours of work cost, in units of income."""
        power = 1 + 1 / self.elasticity
        return self.weight * float(hours**power) / power

    def efforts(self) -> dict[int, int]:
        """Returns the effort of some numbers of hours, as workers read it."""
        return {hours: int(f"{self.effort(hours):.0f}") for hours in range(20, 101, 20)}

    def own(self, rates: Sequence[float], wage: float, hours: float) -> float:
        """The part of the utility that a worker decides: income less tax and effort, plus its share of its own tax."""
        income = wage * hours
        kept = 1 - 1 / len(self.wages)
        return income - kept * self.tax(rates, income) - self.effort(hours)

    def best_hours(self, rates: Sequence[float], wage: float) -> float:
        """The hours with the highest utility, whatever the others do: a dominant strategy.

        Within a bracket of rate t they are (w (1 - t m) / k)^e with m = 1 - 1/N, because a worker gets 1/N of its tax
        back; the ends of the brackets are compared too.
        """
        kept = 1 - 1 / len(self.wages)
        found = {0.0, HOURS}
        for edge, rate in zip(self.edges, rates, strict=True):
            inner = (wage * max(0.0, 1 - rate / 100 * kept) / self.weight) ** self.elasticity
            found |= {min(HOURS, edge / wage), min(HOURS, inner)}
        return max(sorted(found), key=lambda hours: self.own(rates, wage, hours))

    def wage_at(self, income: float, rate: float) -> float:
        """The wage whose worker earns an income at a flat rate, in percent: the inverse of the formula above."""
        kept = 1 - rate / 100 * (1 - 1 / len(self.wages))
        return float((income * (self.weight / kept) ** self.elasticity) ** (1 / (1 + self.elasticity)))

    def utilities(self, rates: Sequence[float], hours: Sequence[float]) -> tuple[float, ...]:
        """The utility of each worker."""
        incomes = [w * h for w, h in zip(self.wages, hours, strict=True)]
        taxes = [self.tax(rates, z) for z in incomes]
        share = sum(taxes) / len(taxes)
        return tuple(z - t + share - self.effort(h) for z, t, h in zip(incomes, taxes, hours, strict=True))

    def welfare(self, kind: Welfare, rates: Sequence[float], hours: Sequence[float]) -> float:
        """Social welfare of one period.

        inverse: the sum of u / max(z, 1) (LLM Economist, its default); sum: of u (its utilitarian option). equality:
        equality times productivity of incomes after tax (AI Economist). lowest: the lowest utility.
        """
        utilities = self.utilities(rates, hours)
        incomes = [w * h for w, h in zip(self.wages, hours, strict=True)]
        if kind == "inverse":
            return sum(u / max(z, 1.0) for u, z in zip(utilities, incomes, strict=True))
        if kind == "equality":
            return equality_times_productivity([u + self.effort(h) for u, h in zip(utilities, hours, strict=True)])
        return sum(utilities) if kind == "sum" else min(utilities)

    def responded(self, kind: Welfare, rates: Sequence[float]) -> float:
        """The welfare if all workers respond best."""
        return self.welfare(kind, rates, [self.best_hours(rates, w) for w in self.wages])


def gini(values: Sequence[float]) -> float:
    """The mean absolute difference over twice the mean: 0 if all are equal, 1 - 1/n if one has everything."""
    total = sum(values)
    if total <= 0:
        return 0.0
    return sum(abs(a - b) for a in values for b in values) / (2 * len(values) * total)


def equality_times_productivity(coins: Sequence[float]) -> float:
    """(1 - n / (n - 1) Gini) times the mean (AI Economist, equation of its planner's objective).

    >>> round(equality_times_productivity([1, 2, 3, 4]), 4)
    1.6667
    """
    n = len(coins)
    equal = 1.0 if n < 2 else 1 - n / (n - 1) * gini(coins)
    return equal * sum(coins) / n


def linear_optimum(wages: Sequence[float], weights: Sequence[float], elasticity: float, population: int = 0) -> float:
    """The best flat rate, from 0 to 1, for welfare sum g u with fixed weights g: (1 - g') / (1 - g' + e).

    g' is the mean weight, normalised to 1, of a unit of income (Saez 2001; Piketty and Saez 2013, equation 3). With a
    `population` N workers get 1/N of their own tax back: (1 - g') / (1 - g' + e (1 - g'/N)) / (1 - 1/N).
    """
    earned = [float(w ** (1 + elasticity)) for w in wages]
    mean = sum(g * z for g, z in zip(weights, earned, strict=True)) * len(wages) / sum(weights) / sum(earned)
    if not population:
        return (1 - mean) / (1 - mean + elasticity)
    return min(1.0, (1 - mean) / (1 - mean + elasticity * (1 - mean / population)) / (1 - 1 / population))


class BestOnGrid(NamedTuple):
    """The rates of the grid with the highest welfare under best responses, and that welfare."""

    rates: Rates
    welfare: float


@lru_cache(4096)
def grid_optimum(economy: Economy, kind: Welfare) -> BestOnGrid:
    """The best of all schedules with rates 0, 10, ..., 100 percent."""
    grid = product(range(0, 101, STEP), repeat=economy.brackets)
    return max((BestOnGrid(rates, economy.responded(kind, rates)) for rates in grid), key=lambda found: found.welfare)
