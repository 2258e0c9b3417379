"""Exact values of every action of a policy, and the update of mirror descent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import exp, log
from typing import Any

from arena.players.policy_table import Table
from games import InputError
from games.openspiel.tree import key_of, perfect_information


def action_values(loaded: Any, table: Table) -> Table:
    """Returns the return that the acting seat expects of each action at each decision if all seats then play the table.

    Where information is hidden, histories are weighted by the probability that chance and the other seats lead to
    them. A decision that they never lead to weights its histories equally. `loaded` is a `pyspiel.Game`. Raises
    InputError if a position can repeat.
    """
    if perfect_information(loaded):
        return _Positions(loaded, table).values
    return _Histories(loaded, table).values


class _Positions:
    """By backward induction over positions."""

    def __init__(self, loaded: Any, table: Table) -> None:
        self._loaded, self._table = loaded, table
        self.values: Table = {}
        self._memo: dict[str, Sequence[float] | None] = {}
        self._value(loaded.new_initial_state())

    def _value(self, state: Any) -> Sequence[float]:
        key = str(state)
        if key in self._memo:
            stored = self._memo[key]
            if stored is None:
                raise InputError(f"{self._loaded} cannot be planned exactly: a position can repeat")
            return stored
        self._memo[key] = None
        value = self._computed(state, key)
        self._memo[key] = value
        return value

    def _computed(self, state: Any, key: str) -> Sequence[float]:
        if state.is_terminal():
            return list(state.returns())
        if state.is_chance_node():
            return _mean([(p, self._value(state.child(a))) for a, p in state.chance_outcomes()])
        after = {a: self._value(state.child(a)) for a in state.legal_actions()}
        self.values[key] = {a: values[state.current_player()] for a, values in after.items()}
        return _mean([(p, after[a]) for a, p in self._table[key].items()])


class _Histories:
    """By recursion over histories, with the probability of each without the acting seat's own choices."""

    def __init__(self, loaded: Any, table: Table) -> None:
        self._table = table
        self._sums: dict[str, tuple[list[float], dict[int, list[float]]]] = {}
        """key -> weights of its histories, and for each action the values in them"""
        self._value(loaded.new_initial_state(), [1.0] * loaded.num_players())
        self.values: Table = {}
        for key, (weights, values) in self._sums.items():
            total = sum(weights)
            shares = [w / total for w in weights] if total > 0 else [1 / len(weights)] * len(weights)
            self.values[key] = {a: sum(s * v for s, v in zip(shares, row, strict=True)) for a, row in values.items()}

    def _value(self, state: Any, reach: list[float]) -> Sequence[float]:
        """`reach`: for each seat, the probability that chance and the other seats lead here."""
        if state.is_terminal():
            return list(state.returns())
        if state.is_chance_node():
            outcomes = state.chance_outcomes()
            return _mean([(p, self._value(state.child(a), [r * p for r in reach])) for a, p in outcomes])
        me, key = state.current_player(), key_of(state)
        chosen = self._table[key]
        after = {
            a: self._value(state.child(a), [r if i == me else r * chosen.get(a, 0.0) for i, r in enumerate(reach)])
            for a in state.legal_actions()
        }
        weights, values = self._sums.setdefault(key, ([], {a: [] for a in after}))
        weights.append(reach[me])
        for a, row in after.items():
            values[a].append(row[me])
        return _mean([(p, after[a]) for a, p in chosen.items()])


def _mean(weighted: Sequence[tuple[float, Sequence[float]]]) -> Sequence[float]:
    return [sum(p * values[i] for p, values in weighted) for i in range(len(weighted[0][1]))]


def mirror_step(
    prior: Mapping[int, float], values: Mapping[int, float], eta: float, alpha: float = 0.0
) -> dict[int, float]:
    """Returns one step of magnetic mirror descent from `prior` towards actions of high value, with a uniform magnet.

    pi'(a) ~ [pi(a) rho(a)^(alpha eta) exp(eta q(a))]^(1/(1 + alpha eta)) (Sokota et al. 2022, arXiv 2206.05825, used at
    decision time in arXiv 2304.13138). alpha = 0 is mirror descent. An action without prior probability keeps none.
    """
    scores = {a: (log(p) + eta * values[a]) / (1 + alpha * eta) for a, p in prior.items() if p > 0.0}
    top = max(scores.values())
    weights = {a: exp(score - top) for a, score in scores.items()}
    total = sum(weights.values())
    return {a: weights.get(a, 0.0) / total for a in prior}
