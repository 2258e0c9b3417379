"""How much an evaluation asks of the policy, and its size by default: less than the steps between two of them."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping, Sized
from typing import NamedTuple

import games
from arena.evaluation import tabulate
from arena.evaluation.one_shot import OneShot, one_shot
from arena.players.policy_table import Tabulated
from games import GameSpec, InputError
from league.training.plan import PolicyPlan, TrainingPlan

log = logging.getLogger(__name__)

_MATCHES = 50
"""matches per seat against each anchor by default, if the steps between two evaluations play enough"""


class EvaluationSize(NamedTuple):
    """What one evaluation of a policy asks for."""

    between: int
    """training matches between two evaluations; each asks the policy at least once"""
    one_shot: Mapping[str, OneShot]
    """game of one simultaneous choice -> its normal form, for NashConv"""
    tabulated: Mapping[str, Tabulated]
    """game -> the positions that are read for NashConv"""
    left_out: Mapping[str, int]
    """game -> positions; too many to be read by default"""
    matches: int
    """matches per seat against each anchor"""
    sides: Mapping[str, tuple[int, int]]
    """game -> number of anchors and of seats in which the policy meets them"""

    def lines(self) -> Iterator[str]:
        """Yields the parts in words, the most expensive kinds first."""
        for id, table in self.tabulated.items():
            yield f"NashConv of {id}: {len(table.decisions):,} positions are read"
        for id in self.one_shot:
            yield f"NashConv of {id}: one choice of each seat is read"
        yield from self.notes()
        for id, (anchors, seats) in self.sides.items():
            if total := self.matches * anchors * seats:
                yield f"{id}: {total:,} matches, {self.matches:,} in each seat against each anchor"

    def notes(self) -> Iterator[str]:
        """Yields what is left out by default, and what to write to have it."""
        for id, positions in self.left_out.items():
            yield (
                f"NashConv of {id} is left out: its {positions:,} positions are more than the {self.between:,} matches "
                "between two evaluations; write exact = true in [evaluation] to have it, or a larger `every`"
            )


def evaluation_size(plan: TrainingPlan, policy: PolicyPlan, anchors: Mapping[str, Sized]) -> EvaluationSize:
    """Returns the size of one evaluation. `anchors` maps each game to the anchors that can play it.

    By default NashConv is computed if no more positions are read than matches are played between two evaluations, and
    the matches against anchors are at most half of those. The rules count and do not measure time, so that a resumed
    training repeats its evaluations.
    """
    settings, specs = plan.evaluation, policy.specs
    between = policy.matches_per_step * min(settings.every, plan.steps)
    exact = settings.exact is not False and policy.policy.decode == "choice"
    forms = {id: form for id, spec in specs.items() if exact and (form := _form(spec)) is not None}
    tables = {id: t for id in specs if exact and id not in forms and (t := _table(id)) is not None}
    large = {id: len(t.decisions) for id, t in tables.items() if len(t.decisions) > between}
    left_out = large if settings.exact is None else {}
    sides = {id: (len(anchors.get(id, ())), len(spec.teams or spec.seats)) for id, spec in specs.items()}
    pairs = sum(n * seats for n, seats in sides.values())
    matches = settings.matches
    if matches is None:
        matches = min(_MATCHES, between // (2 * pairs)) if pairs else 0
    kept = {id: table for id, table in tables.items() if id not in left_out}
    return EvaluationSize(between, forms, kept, left_out, matches, sides)


def _form(spec: GameSpec) -> OneShot | None:
    return one_shot(games.make(spec.id)) if spec.chance is False else None


def _table(id: str) -> Tabulated | None:
    try:
        return tabulate(games.make(id))
    except InputError as error:
        log.info("no NashConv: %s", error)
        return None
