"""tax-v0: a planner (the leader) changes tax rates once a year, workers (the followers) choose hours in every term.

After LLM Economist (Karten et al. 2025, arXiv 2507.15815) and the AI Economist (Zheng et al. 2020, arXiv 2004.13332).
README.md says what differs.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from statistics import fmean
from typing import Annotated

from annotated_types import Interval

from games import KnownOutcome
from games.dialogue import Reading, RoleGame, Script, Stage, Table, role_game
from games.game import Seat
from games.native.common import tags
from games.native.common.seats import seats_of
from games.native.tax import texts
from games.native.tax.economy import HOURS, STEP, Economy, Rates, Welfare, grid_optimum
from games.native.tax.policies import suite
from games.native.tax.reference import economy_of, planner_reward, worker_reward
from games.native.tax.texts import PLANNER, WORKER
from games.randomness import derive


@dataclass
class Years:
    """An economy and what happened in it so far."""

    economy: Economy
    rates: Rates
    workers: tuple[Seat, ...]
    effort: str
    """the sentence that tells workers the effort of some hours"""
    schedules: list[Rates] = field(default_factory=list)
    """the rates of each term"""
    hours: list[tuple[float, ...]] = field(default_factory=list)
    """the hours of each worker in each term"""
    reports: list[str] = field(default_factory=list)
    """what the planner reads of each year"""

    def welfare(self, kind: Welfare, terms: int) -> float:
        """Returns the mean welfare of the newest terms."""
        newest = list(zip(self.schedules, self.hours, strict=True))[-terms:]
        return fmean(self.economy.welfare(kind, rates, hours) for rates, hours in newest)

    def worker_reward(self, number: int, step: int) -> float:
        """Returns what a worker earns for its hours in all terms; `step`: between the hours of a list."""
        terms = [(rates, hours[number]) for rates, hours in zip(self.schedules, self.hours, strict=True)]
        return worker_reward(self.economy, self.economy.wages[number], terms, step)

    def worker_lines(self, number: int) -> list[str]:
        """Returns what a worker reads: wage, effort and its last term."""
        economy, wage = self.economy, self.economy.wages[number]
        lines = [f"Your wage is {wage:g}. {self.effort}"]
        if self.hours:
            hours, rates = self.hours[-1], self.schedules[-1]
            income, utility = wage * hours[number], economy.utilities(rates, hours)[number]
            lines.append(
                f"Last term: {hours[number]:g} hours, income {income:.0f}, tax {economy.tax(rates, income):.0f}, "
                f"utility {utility:.0f}."
            )
        return lines


def _known_outcomes(game: RoleGame) -> tuple[KnownOutcome, ...]:
    """Nobody plans and nobody works: the planner misses every year, and idle workers earn nothing."""
    workers = game.spec.teams[1]
    idle = dict.fromkeys(workers, "<answer>0</answer>")
    return (KnownOutcome(0, ({PLANNER: "?"}, idle, idle) * 5, {PLANNER: -1.0} | dict.fromkeys(workers, 0.0)),)


@role_game(
    "tax-v0",
    seats=lambda workers: {PLANNER: PLANNER} | dict.fromkeys(seats_of(WORKER, workers), WORKER),
    payoff="general_sum",
    rules=texts.rules,
    max_turns=lambda workers, years, terms: years * (1 + terms * workers),
    teams=lambda workers: ((PLANNER,), seats_of(WORKER, workers)),
    rated=False,
    demonstrations=texts.DEMONSTRATIONS,
    closed=True,
    suite=suite,
    known=_known_outcomes,
)
def tax(
    t: Table,
    workers: Annotated[int, Interval(ge=2, le=20)] = 3,
    years: Annotated[int, Interval(ge=1, le=20)] = 5,
    terms: Annotated[int, Interval(ge=1, le=10)] = 2,
    brackets: Annotated[int, Interval(ge=1, le=3)] = 2,
    welfare: Welfare = "equality",
    economies: Annotated[int, Interval(ge=0, le=100_000)] = 0,
) -> Script:
    """A planner sets tax rates, workers choose their hours (LLM Economist, 2507.15815; AI Economist, 2004.13332).

    workers: their number. years: how often the planner acts. terms: how often workers act in a year. brackets: of
    income; 1 is a flat tax. welfare: equality (times productivity, AI Economist), inverse (utilities over incomes, LLM
    Economist), sum, lowest. closed: rates and hours are chosen from lists. economies: so many different populations; 0:
    one for each seed.
    """
    past = _start(t, workers, brackets, economies)
    missed = 0
    for year in range(years):
        head = f"Year {year + 1} of {years}."
        missed += not (yield from _plan(t, past, head))
        for _ in range(terms):
            yield from _work(t, past, head)
        hours, rates = past.hours[-1], past.schedules[-1]
        incomes = tuple(sorted(round(w * h) for w, h in zip(past.economy.wages, hours, strict=True)))
        t.record.data[PLANNER]["incomes"].append((rates, incomes))
        past.reports.append(
            f"Year {year + 1}: rates {_percent(rates)}; incomes {', '.join(map(str, incomes))}; "
            f"welfare {past.economy.welfare(welfare, rates, hours):.1f}"
        )
    _finish(t, past, welfare, terms, missed / years, head)


def _start(t: Table, workers: int, brackets: int, economies: int) -> Years:
    """Draws wages, the elasticity and the first rates."""
    number = derive(t.seed, "tax-v0") % economies if economies else t.seed
    economy, stream = economy_of(number, workers, brackets)
    wages, elasticity = economy.wages, economy.elasticity
    rates = tuple(STEP * stream.below(1 + 100 // STEP) for _ in range(brackets))
    efforts = economy.efforts()
    text = ", ".join(f"{hours} hours {effort}" for hours, effort in efforts.items())
    past = Years(economy, rates, seats_of(WORKER, workers), f"Effort: {text}.")
    for seat, wage in zip(past.workers, wages, strict=True):
        secret = f"Your wage is {wage:g}." if wages.count(wage) == 1 else ""
        t.tell(seat, "", secret=secret, wage=wage, efforts=efforts, workers=workers)
    t.tell("all", "", rates=rates)
    t.tell(PLANNER, "", incomes=[], workers=workers)
    t.facts |= {"wages": list(wages), "elasticity": elasticity}
    return past


def _percent(rates: Rates) -> str:
    return ", ".join(f"{rate}%" for rate in rates)


def _views(past: Years, head: str, ends: Mapping[Seat, str]) -> dict[Seat, str]:
    """Returns what each seat reads: the year and the rates, what it knows of earlier terms, and its end."""
    head = f"{head} The rates are {_percent(past.rates)}."
    views = {PLANNER: [head, *past.reports, ends[PLANNER]]}
    views |= {seat: [head, *past.worker_lines(i), ends[seat]] for i, seat in enumerate(past.workers)}
    return {seat: "\n".join(lines) for seat, lines in views.items()}


def _ends(t: Table, past: Years, phase: str) -> dict[Seat, str]:
    """Returns the instruction of the seats of a phase; the others wait."""
    listed, example = texts.CHOICE[phase], ", ".join("0" for _ in past.rates)
    duty = listed if t.closed else texts.DUTY[phase].format(example=example)
    return {seat: duty if (seat == PLANNER) is (phase == "plan") else "Waiting for the others." for seat in t.seats}


def _examples(t: Table, options: tuple[str, ...], bad: tuple[str, ...]) -> tuple[str, ...]:
    return options if t.closed else (*(f"<answer>{option}</answer>" for option in options), *bad)


def _plan(t: Table, past: Years, head: str) -> Stage[bool]:
    """Has the planner change the rates. Returns whether its answer could be read."""
    brackets = len(past.rates)
    views = _views(past, head, _ends(t, past, "plan"))
    deltas = yield t.ask(
        PLANNER,
        views,
        phase="plan",
        reads=lambda text: texts.changes(text, brackets) or Reading(None, texts.NO_CHANGES),
        examples=_examples(t, texts.listed_changes(brackets), ("raise them", "<answer>50</answer>")),
        waiting=views,
    )
    if deltas is not None:
        past.rates = tuple(min(100, max(0, r + d)) for r, d in zip(past.rates, deltas, strict=True))
        t.tell("all", "", rates=past.rates)
    return deltas is not None


def _work(t: Table, past: Years, head: str) -> Script:
    views = _views(past, head, _ends(t, past, "work"))
    hours = yield t.ask(
        past.workers,
        views,
        phase="work",
        reads=lambda text: _hours(text if t.closed else tags.answer(text)[0].text),
        examples=_examples(t, texts.HOURS_LISTED, ("all day", "<answer>101</answer>")),
        waiting=views,
    )
    past.hours.append(tuple(0.0 if hours[seat] is None else hours[seat] for seat in past.workers))
    past.schedules.append(past.rates)


def _hours(answer: str) -> float | Reading:
    """Returns the hours that a worker writes."""
    digits = answer.lower().removesuffix("hours").removesuffix("h").strip()
    plain = digits.replace(".", "", 1)
    if len(digits) <= 6 and plain.isascii() and plain.isdecimal() and float(digits) <= HOURS:
        return float(digits)
    return Reading(None, "no number of hours from 0 to 100")


def _finish(t: Table, past: Years, kind: Welfare, terms: int, missed: float, head: str) -> None:
    """Pays the planner for the welfare, less the years without a readable answer, and the workers."""
    best, reached = grid_optimum(past.economy, kind), past.welfare(kind, terms)
    t.pay(PLANNER, max(-1.0, planner_reward(past.economy, kind, reached) - missed))
    for number, seat in enumerate(past.workers):
        t.pay(seat, past.worker_reward(number, 10 * t.closed))
    for seat, text in _views(
        past, head, {s: f"Your reward is {paid:.2f}." for s, paid in t.record.returns.items()}
    ).items():
        t.tell(seat, text)
    t.facts |= {
        "rates": [list(rates) for rates in past.schedules],
        "hours": [dict(zip(past.workers, hours, strict=True)) for hours in past.hours],
        "utilities": [
            list(past.economy.utilities(rates, hours)) for rates, hours in zip(past.schedules, past.hours, strict=True)
        ],
        "welfare": reached,
        "best": {"rates": list(best.rates), "welfare": best.welfare},
    }
