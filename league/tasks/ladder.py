"""The ladder of a game: new tasks of its source, from the kind (family and difficulty) at which most is learned.

A kind that nobody or everybody solves teaches nothing; where answers are right at rate p, their variance is p (1 - p).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from statistics import fmean
from typing import Any

import numpy as np

from arena.evaluation.solve_rates import solve_rates
from arena.match import Episode
from arena.players import Player
from games import InputError, TextGame
from games.randomness import RandomStream
from games.tasks import TaskKind
from league.config.training import LadderRule
from league.tasks.posed import answers_to, posed_tasks, solve_rate
from roles.rewards.credit import outcomes

MEMORY = 0.9
"""what the counts of answers keep from one step to the next: a kind that is not drawn becomes unknown again"""
MEASURED = 5
"""steps between two measurements of the oracle"""
_TASKS = 4
"""tasks of each kind that the oracle measures"""


class Ladder:
    """Draws tasks of one game.

    frontier: each kind has a Beta posterior of its solve rate p, from the answers of all matches; for each task a p is
    drawn for every kind, and a kind in proportion to p (1 - p). Playing the largest one instead kept a policy at the
    first bins. oracle: the same with the policy's exact solve rates; it shows what could be won. uniform: all kinds
    evenly.
    """

    def __init__(self, rule: LadderRule, game: TextGame) -> None:
        source = game.task_source
        if source is None:
            raise InputError(f"{game.spec.id} has no task source, so it has no ladder; write {game.spec.id}(tasks=...)")
        first = source.draw(0).id
        game.load_task(first)
        self.has_parents = _loads(game, game.with_references([first]))
        """whether tasks of the source can be those that a proposer starts from"""
        game.load_task("")
        self.rule, self._game, self._source = rule, game, source
        self._kinds = {str(kind): kind for kind in source.kinds}
        self._counts = dict.fromkeys(self._kinds, (0.0, 0.0))
        """kind -> right and wrong answers"""
        self._rates = dict.fromkeys(self._kinds, 0.5)
        """kind -> what the oracle measured"""

    def task(self, stream: RandomStream) -> str:
        """Returns the id of a new task."""
        kind = self._kind(stream)
        return self._source.draw(stream.bits() >> 1, kind).id

    def _kind(self, stream: RandomStream) -> TaskKind:
        kinds = list(self._kinds.values())
        if self.rule == "frontier":
            right, wrong = np.array(list(self._counts.values())).T
            rates = np.random.default_rng(stream.bits()).beta(1 + right, 1 + wrong).tolist()
        else:
            rates = list(self._rates.values()) if self.rule == "oracle" else []
        weights = [p * (1 - p) for p in rates]
        return kinds[stream.weighted(weights)] if any(weights) else stream.choice(kinds)

    def measures(self, step: int) -> bool:
        """Returns whether this is an oracle that measures the policy before this step."""
        return self.rule == "oracle" and step % MEASURED == 0

    async def measure(self, player: Player, step: int) -> None:
        """Measure the exact solve rates of a policy. Raises InputError if it does not know its probabilities."""
        rates = await solve_rates(player, self._game, _TASKS, step)
        self._rates = {kind: float(np.mean(list(tasks.values()))) for kind, tasks in rates.items()}

    def observe(self, episodes: Iterable[Episode]) -> dict[str, float]:
        """Count the answers of a step's matches. Returns metrics: by kind, the solve rate and the share of answers."""
        counts = {kind: (MEMORY * right, MEMORY * wrong) for kind, (right, wrong) in self._counts.items()}
        asked = dict.fromkeys(self._kinds, 0)
        for episode, facts in posed_tasks(episodes):
            kind = str(facts.get("kind"))
            if kind not in counts:  # code-io names other kinds, and some games none
                kind = "/".join(episode.task.partition("#")[2].split("/")[:2])
            rate, n = _right(episode, facts)
            if kind in counts and n:
                counts[kind] = counts[kind][0] + rate * n, counts[kind][1] + (1 - rate) * n
                asked[kind] += n
        self._counts, total = counts, sum(asked.values())
        label = {kind: f"{kind.replace('/', ' ')}/{self._game.spec.id}" for kind in self._kinds}
        rates = {f"ladder_rate/{label[kind]}": (1 + a) / (2 + a + b) for kind, (a, b) in counts.items()}
        return rates | {f"ladder_share/{label[kind]}": n / total for kind, n in asked.items() if total}

    def state_dict(self) -> dict[str, Any]:
        """Returns the counts and the measured rates, as plain JSON."""
        return {"counts": {kind: list(pair) for kind, pair in self._counts.items()}, "rates": self._rates}

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Restore what `state_dict` returned; {}: the beginning."""
        counts, rates = state.get("counts", {}), state.get("rates", {})
        self._counts = {kind: tuple(counts.get(kind, (0.0, 0.0))) for kind in self._kinds}
        self._rates = {kind: rates.get(kind, 0.5) for kind in self._kinds}


def _right(episode: Episode, facts: Mapping[str, Any]) -> tuple[float, int]:
    """Returns the share of right answers to a task and their number: of solvers, or of the role that acted last."""
    rate = solve_rate(episode, facts)
    if rate is not None:
        return rate, answers_to(facts)
    if episode.status == "void" or "solve_rate" in facts or not episode.turns:
        return 0.0, 0
    role = episode.roles[episode.turns[-1].seat]
    right = [o.right for seat, o in outcomes(episode).items() if episode.roles[seat] == role and o.right is not None]
    return (fmean(right), len(right)) if right else (0.0, 0)


def _loads(game: TextGame, text: str) -> bool:
    try:
        game.load_task(text)
    except InputError:
        return False
    return bool(text)
