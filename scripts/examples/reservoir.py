"""Body-Reservoir Governance in a noisy iterated prisoner's dilemma: a game and its players, as one plugin.

    arena tournament scripts/examples/reservoir.toml
    arena check noisy-pd --plugin scripts/examples/reservoir.py

After "Body-Reservoir Governance in Repeated Games" (a seed of this project, of which only the abstract was read; the
equations are ours). The body is an echo state network over the history: x' = tanh(W x + V u), u = both last actions. A
linear readout infers from x how likely the other cooperates, and the body does the same. The mind is tit for tat.
The receptivity a mixes them: p = a body + (1 - a) mind. The sentinel lowers a when the body is uneasy, that is when x
is far from where it is in habitual mutual cooperation.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import cached_property
from typing import Annotated, Any

import numpy as np
from annotated_types import Interval

from arena import Decision, Player
from arena.players import register
from games import RandomStream, Table, role_game

ACTIONS = ("cooperate", "defect")
PAYS = {"CC": 3.0, "CD": 0.0, "DC": 5.0, "DD": 1.0}
RULES = (
    "In each round both players choose at once: cooperate or defect. Both cooperate: 3 points each. Both defect: 1 "
    "point each. One defects: 5 points for that player, 0 for the other. By chance a choice is sometimes carried out "
    "as its opposite, which both players see. A match pays the mean of its rounds."
)
SEATS = ("player_0", "player_1")
Share = Annotated[float, Interval(ge=0, le=1)]


@role_game(
    "noisy-pd-v1", seats=dict.fromkeys(SEATS, "player"), payoff="general_sum", rules=RULES, returns_range=(0.0, 5.0),
    max_turns=lambda rounds: 2 * rounds,
)  # fmt: skip
def noisy_pd(t: Table, rounds: Annotated[int, Interval(ge=1, le=200)] = 50, noise: Share = 0.05) -> Any:
    """Two players meet for many rounds of the prisoner's dilemma; some actions go wrong.

    rounds: the number of rounds.
    noise: the probability that an action is carried out as the other one.
    """
    past: dict[str, tuple[str, ...]] = dict.fromkeys(SEATS, ())
    for round in range(rounds):
        chosen = yield t.ask(SEATS, f"Round {round + 1} of {rounds}.", options=ACTIONS)
        done = {s: (chosen[s] == "defect") != (t.stream.random() < noise) for s in SEATS}
        letters = {seat: "D" if done[seat] else "C" for seat in SEATS}
        for seat, other in (SEATS, SEATS[::-1]):
            pair = letters[seat] + letters[other]
            past[seat] += (pair,)
            t.tell(seat, f"You: {ACTIONS[done[seat]]}. The other: {ACTIONS[done[other]]}.", past=past[seat])
    for seat, pairs in past.items():
        t.pay(seat, sum(PAYS[pair] for pair in pairs) / rounds)


class Iterated(Player):
    """Decides from the pairs of past actions, own action first: ("CC", "CD", ...)."""

    def supports(self, game: Any) -> str | None:
        """Plays noisy-pd only."""
        return None if game.spec.id.startswith("noisy-pd") else "it plays noisy-pd"

    def cooperates(self, past: tuple[str, ...]) -> float:
        """Returns the probability of cooperation."""
        raise NotImplementedError

    async def probabilities(self, view: Any) -> Mapping[str, float]:
        """Returns the probability of each action."""
        p = self.cooperates(tuple(view.game.data(view.seat).get("past", ())))
        return {"cooperate": p, "defect": 1.0 - p}

    def act(self, view: Any) -> Decision:
        """Returns an action drawn with these probabilities."""
        p = self.cooperates(tuple(view.game.data(view.seat).get("past", ())))
        return Decision(ACTIONS[view.rng.random() >= p])


@register("constant")
class Constant(Iterated):
    """Cooperates with the same probability in every round.

    share: that probability
    """

    def __init__(self, share: Share = 1.0) -> None:
        self.share = share

    def cooperates(self, past: tuple[str, ...]) -> float:
        """Returns the share."""
        return self.share


@register("tit-for-tat")
class TitForTat(Iterated):
    """Cooperates first, then does what the other did last."""

    def cooperates(self, past: tuple[str, ...]) -> float:
        """Returns 1 or 0."""
        return float(not past or past[-1][1] == "C")


@register("moving-average")
class MovingAverage(Iterated):
    """Cooperates as often as the other did, recent rounds counting more.

    decay: the weight of the past in each round
    """

    def __init__(self, decay: Share = 0.8) -> None:
        self.decay = decay

    def cooperates(self, past: tuple[str, ...]) -> float:
        """Returns the exponential average of the other's cooperation, which starts at 1."""
        mean = 1.0
        for pair in past:
            mean = self.decay * mean + (1 - self.decay) * (pair[1] == "C")
        return mean


@register("reservoir")
class Reservoir(Iterated):
    """Body-Reservoir Governance: a body that infers, a mind that retaliates, a sentinel that decides who acts.

    size: units of the body
    receptivity: the weight of the body's action at rest
    sentinel: how fast unease lowers that weight; 0 leaves it constant
    """

    def __init__(
        self,
        size: Annotated[int, Interval(ge=2, le=500)] = 40,
        receptivity: Share = 1.0,
        sentinel: Annotated[float, Interval(ge=0, le=100)] = 2.0,
    ) -> None:
        self.size, self.receptivity, self.sentinel = size, receptivity, sentinel

    @cached_property
    def body(self) -> tuple[Any, Any]:
        """W (d, d) with spectral radius 0.9, and V (d, 2)."""
        generator = np.random.default_rng(self.size)
        weights = generator.normal(size=(self.size, self.size))
        radius = np.abs(np.linalg.eigvals(weights)).max()
        return 0.9 * weights / radius, generator.normal(scale=0.5, size=(self.size, 2))

    def states(self, past: tuple[str, ...]) -> Any:
        """Returns the states (T + 1, d) of the body after each round."""
        weights, inputs = self.body
        out = np.zeros((len(past) + 1, self.size))
        for t, pair in enumerate(past):
            out[t + 1] = np.tanh(weights @ out[t] + inputs @ [1.0 if c == "C" else -1.0 for c in pair])
        return out

    @cached_property
    def habits(self) -> tuple[Any, Any, Any]:
        """Mean and deviation (d,) of the state in mutual cooperation with noise, and the readout (d + 1,)."""
        stream = RandomStream(self.size)
        calm = self.states(tuple("".join("CD"[stream.random() < 0.05] for _ in "ab") for _ in range(1000)))[50:]
        rates = [stream.random() for _ in range(40)]  # of others who cooperate so often, for 50 rounds each
        mixed = [tuple("".join("DC"[stream.random() < rate] for _ in "ab") for _ in range(50)) for rate in rates]
        rows = np.concatenate([np.c_[self.states(past)[:-1], np.ones(50)] for past in mixed])
        other = np.array([float(pair[1] == "C") for past in mixed for pair in past])
        readout = np.linalg.solve(rows.T @ rows + 10.0 * np.eye(self.size + 1), rows.T @ other)  # ridge regression
        return calm.mean(0), calm.std(0) + 0.05, readout

    def unease(self, past: tuple[str, ...]) -> float:
        """Returns the mean square of the state's distance from habit, in deviations; 1 is normal."""
        mean, deviation, _ = self.habits
        return float((((self.states(past[-20:])[-1] - mean) / deviation) ** 2).mean()) if past else 0.0

    def cooperates(self, past: tuple[str, ...]) -> float:
        """Returns the mixture of body and mind."""
        mind = float(not past or past[-1][1] == "C")
        if not past:
            return 1.0
        state = self.states(past[-20:])[-1]
        body = float(np.clip(np.append(state, 1.0) @ self.habits[2], 0.0, 1.0))
        share = self.receptivity * math.exp(-self.sentinel * max(0.0, self.unease(past) - 1.0))
        return share * body + (1.0 - share) * mind
