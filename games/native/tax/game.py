"""tax-v0: a planner (the leader) changes tax rates once a year, workers (the followers) choose hours in every term.

After LLM Economist (Karten et al. 2025, arXiv 2507.15815) and the AI Economist (Zheng et al. 2020, arXiv 2004.13332):
two time scales, changes of -20 to 20 percent, taxes shared equally. The planner's reward is the welfare of the last
year as a share of the best on the grid of all rates if workers respond best: earlier years are for learning, and 1 is
near the Stackelberg optimum. An answer that cannot be read changes nothing and costs the planner its share of the
years, a worker its hours; in the published code it counts as a default answer.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from annotated_types import Interval

from games.game import GameSpec, KnownOutcome, Observation, Seat
from games.native.common import tags
from games.native.common.stages import StagedGame, game_id, joined, seats_of
from games.native.tax import rules as texts
from games.native.tax.economy import HOURS, STEP, TOP_WAGE, Economy, Welfare, grid_optimum
from games.randomness import RandomStream, derive

ID = "tax-v0"
PLANNER, WORKER = "planner", "worker"
ELASTICITIES = (0.25, 0.5, 1.0)


class TaxGame(StagedGame):
    """A planner sets tax rates, workers choose their hours (LLM Economist, 2507.15815; AI Economist, 2004.13332).

    workers: their number. years: how often the planner acts. terms: how often workers act in a year. brackets: of
    income; 1 is a flat tax. welfare: equality (times productivity, AI Economist), inverse (utilities over incomes, LLM
    Economist), sum, lowest. closed: rates and hours are chosen from lists. economies: so many different populations; 0:
    one for each seed.
    """

    def __init__(
        self,
        workers: Annotated[int, Interval(ge=2, le=20)] = 3,
        years: Annotated[int, Interval(ge=1, le=20)] = 5,
        terms: Annotated[int, Interval(ge=1, le=10)] = 2,
        brackets: Annotated[int, Interval(ge=1, le=3)] = 2,
        welfare: Welfare = "equality",
        closed: bool = False,
        economies: Annotated[int, Interval(ge=0, le=100_000)] = 0,
    ) -> None:
        super().__init__()
        params = {"workers": workers, "years": years, "terms": terms, "brackets": brackets}
        id = game_id(ID, TaxGame, params | {"welfare": welfare, "closed": closed, "economies": economies})
        self.years, self.terms, self.kind, self.closed, self.economies = years, terms, welfare, closed, economies
        self.workers = seats_of(WORKER, workers)
        self.economy = Economy((1.0,) * workers, ELASTICITIES[0], brackets)
        self.spec = GameSpec(
            id=id,
            seats={PLANNER: PLANNER} | dict.fromkeys(self.workers, WORKER),
            payoff="general_sum",
            rules=texts.rules(self.economy, years, terms, welfare, closed),
            max_turns=years * (1 + terms * workers),
            returns_range=(-1.0, 1.0),
            teams=((PLANNER,), self.workers),
            rated=False,
            demonstrations=texts.DEMONSTRATIONS,
        )
        self._begin(0)

    def _begin(self, seed: int) -> None:
        number = derive(seed, ID) % self.economies if self.economies else seed
        stream = RandomStream(derive(number, ID, "economy"))
        wages = (round(TOP_WAGE ** stream.random(), 1) for _ in self.workers)
        elasticity = stream.choice(ELASTICITIES)
        self.economy = Economy(tuple(max(1.0, w) for w in wages), elasticity, self.economy.brackets)
        self.rates = tuple(STEP * stream.below(1 + 100 // STEP) for _ in range(self.economy.brackets))
        self._year, self._missed = 0, 0
        self._schedules: list[tuple[int, ...]] = []
        self._worked: list[dict[Seat, float]] = []

    def reset(self, seed: int) -> None:
        """Draw wages, the elasticity and the first rates."""
        self._start()
        self._begin(seed)
        self._due = (PLANNER,)

    def _take(self, said: Mapping[Seat, str]) -> None:
        if PLANNER in said:
            self._plan(said[PLANNER])
            self._due = self.workers
            return
        self._worked.append({seat: self._hours(seat, text) for seat, text in said.items()})
        self._schedules.append(self.rates)
        if len(self._worked) % self.terms == 0:
            self._year += 1
            self._due = () if self._year >= self.years else (PLANNER,)

    def _plan(self, text: str) -> None:
        deltas = texts.changes(text, self.economy.brackets)
        if deltas is None:
            self._missed += 1
            self._miss(PLANNER, "no change of each rate by -20, -10, 0, 10 or 20")
            return
        self.rates = tuple(min(100, max(0, r + d)) for r, d in zip(self.rates, deltas, strict=True))

    def _hours(self, seat: Seat, text: str) -> float:
        """The hours that a worker writes; 0 if they cannot be read."""
        found = text if self.closed else tags.answer(text)[0].content or ""
        digits = found.lower().removesuffix("hours").removesuffix("h").strip()
        plain = digits.replace(".", "", 1)
        if len(digits) <= 6 and plain.isascii() and plain.isdecimal() and float(digits) <= HOURS:
            return float(digits)
        self._miss(seat, "no number of hours from 0 to 100")
        return 0.0

    def _welfare(self) -> float:
        """The mean welfare of the terms of the last year that was played; 0 before."""
        played = [
            self.economy.welfare(self.kind, rates, [hours[seat] for seat in self.workers])
            for rates, hours in list(zip(self._schedules, self._worked, strict=True))[-self.terms :]
        ]
        return sum(played) / len(played) if played else 0.0

    def _own(self, seat: Seat) -> float:
        """How well a worker chose: its own part of the utility over the best possible, the mean of all terms."""
        wage, total = self.economy.wages[self.workers.index(seat)], 0.0
        for rates, hours in zip(self._schedules, self._worked, strict=True):
            best = self.economy.own(rates, wage, self.economy.best_hours(rates, wage))
            got = self.economy.own(rates, wage, hours[seat])
            total += max(-1.0, got / best) if best > 1e-9 else float(got > -1e-9)
        return total / len(self._worked) if self._worked else 0.0

    def _planned(self) -> float:
        """The welfare over that of the best rates, less the share of the years without a readable answer."""
        best = grid_optimum(self.economy, self.kind).welfare
        share = self._welfare() / best if best > 1e-9 else 0.0
        return max(-1.0, min(1.0, share) - self._missed / self.years)

    def returns(self) -> Mapping[Seat, float]:
        """The planner's share of the best welfare; each worker's share of its best own utility; 0 before the end."""
        if self._due or not self._worked:
            return dict.fromkeys(self.spec.seats, 0.0)
        return {PLANNER: self._planned()} | {seat: self._own(seat) for seat in self.workers}

    def facts(self) -> Mapping[str, Any]:
        """The economy, rates and hours of each term, utilities, the welfare and the best of the grid."""
        over = not self._due and bool(self._worked)
        best = grid_optimum(self.economy, self.kind) if over else None
        terms = list(zip(self._schedules, self._worked, strict=True))
        return {
            "wages": list(self.economy.wages),
            "elasticity": self.economy.elasticity,
            "rates": [list(rates) for rates in self._schedules],
            "hours": [dict(hours) for hours in self._worked],
            "utilities": [list(self.economy.utilities(r, [h[s] for s in self.workers])) for r, h in terms],
            "welfare": self._welfare(),
            "best": None if best is None else {"rates": list(best.rates), "welfare": best.welfare},
        } | self._heard()

    def phase(self, seat: Seat) -> str:
        """`plan` for the planner, `work` for workers."""
        return "plan" if seat == PLANNER else "work"

    def observe(self, seat: Seat) -> Observation:
        """The rates and the year; for the planner past incomes and welfare, for a worker wage, effort and last term."""
        rates = f"The rates are {', '.join(f'{rate}%' for rate in self.rates)}."
        head = f"Year {min(self._year + 1, self.years)} of {self.years}. {rates}"
        body = self._seen_by_planner() if seat == PLANNER else self._seen_by_worker(seat)
        if self._over and self._worked:
            end = f"The match is over. Your reward is {self.returns()[seat]:.2f}."
        else:
            end = self._duty(seat) if seat in self._due else "Waiting for the others."
        return Observation(joined([head, *body, end]), self.phase(seat))

    def _duty(self, seat: Seat) -> str:
        if self.closed:
            return "Choose the changes." if seat == PLANNER else "Choose your hours."
        return texts.DUTY[self.phase(seat)].format(example=", ".join(["0"] * self.economy.brackets))

    def _seen_by_planner(self) -> list[str]:
        """One line for each year: rates, incomes of its last term in order of size, welfare."""
        lines = []
        for year in range(self._year):
            at = (year + 1) * self.terms - 1
            hours = [self._worked[at][seat] for seat in self.workers]
            incomes = sorted(round(w * h) for w, h in zip(self.economy.wages, hours, strict=True))
            welfare = self.economy.welfare(self.kind, self._schedules[at], hours)
            rates = ", ".join(f"{rate}%" for rate in self._schedules[at])
            lines.append(
                f"Year {year + 1}: rates {rates}; incomes {', '.join(map(str, incomes))}; welfare {welfare:.1f}"
            )
        return lines

    def _seen_by_worker(self, seat: Seat) -> list[str]:
        wage = self.economy.wages[self.workers.index(seat)]
        efforts = ", ".join(f"{hours} hours {self.economy.effort(hours):.0f}" for hours in range(20, 101, 20))
        lines = [f"Your wage is {wage:g}. Effort: {efforts}."]
        if self._worked:
            hours, rates = self._worked[-1], self._schedules[-1]
            number = self.workers.index(seat)
            utility = self.economy.utilities(rates, [hours[s] for s in self.workers])[number]
            income = wage * hours[seat]
            lines.append(
                f"Last term: {hours[seat]:g} hours, income {income:.0f}, tax {self.economy.tax(rates, income):.0f}, "
                f"utility {utility:.0f}."
            )
        return lines

    def secrets(self, seat: Seat) -> tuple[str, ...]:
        """The sentence that tells a worker its wage, unless another has the same."""
        if seat == PLANNER:
            return ()
        wage = self.economy.wages[self.workers.index(seat)]
        return (f"Your wage is {wage:g}.",) if self.economy.wages.count(wage) == 1 else ()

    def _messages(self, seat: Seat) -> tuple[str, ...]:
        options = texts.listed_changes(self.economy.brackets) if seat == PLANNER else texts.HOURS_LISTED
        if self.closed:
            return options
        more = ("raise them", "<answer>50</answer>") if seat == PLANNER else ("all day", "<answer>101</answer>")
        return (*(f"<answer>{option}</answer>" for option in options), *more)

    def known_outcomes(self) -> tuple[KnownOutcome, ...]:
        """Nobody plans and nobody works: the planner misses every year, idle workers earn nothing."""
        if self.spec.id != "tax-v0(years=1,terms=1,brackets=1)":
            return ()
        idle = dict.fromkeys(self.workers, "<answer>0</answer>")
        moves = ({PLANNER: "?"}, idle)
        return (KnownOutcome(0, moves, {PLANNER: -1.0} | dict.fromkeys(self.workers, 0.0)),)
