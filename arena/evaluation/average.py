"""Averages policies: the result equals a player that draws one of them before each match."""

from __future__ import annotations

from arena.players.policy_table import Table, Tabulated


class AveragePolicy:
    """The realisation-weighted average, for games of hidden information with perfect recall.

    At an information state I of seat i, policies s_1 .. s_T with weights w_t average to

        s(a | I) = sum_t w_t r_t(I) s_t(a | I) / sum_t w_t r_t(I)

    where r_t(I) is the product of the probabilities with which s_t takes seat i's own actions on the way to I. This
    is the behaviour policy of the mixed strategy that draws t with probability w_t / sum w (Kuhn 1953; Zinkevich
    et al. 2007, equation 4). A plain mean of the probabilities is another policy, and usually a worse one.
    """

    def __init__(self, tabulated: Tabulated) -> None:
        self._tabulated = tabulated
        self._reach: dict[str, float] = {d.key: 0.0 for d in tabulated.decisions}
        self._sums: Table = {d.key: dict.fromkeys(d.actions, 0.0) for d in tabulated.decisions}
        self.count = 0

    def add(self, table: Table, weight: float = 1.0) -> None:
        """Add one policy."""
        self.count += 1
        for decision in self._tabulated.decisions:
            reach = weight
            for earlier, action in self._tabulated.paths[decision.key]:
                reach *= table[earlier.key][action]
            self._reach[decision.key] += reach
            sums = self._sums[decision.key]
            for action, p in table[decision.key].items():
                sums[action] += reach * p

    def table(self) -> Table:
        """Returns the average so far; uniform at decisions that no policy reached."""
        out: Table = {}
        for key, sums in self._sums.items():
            reach = self._reach[key]
            out[key] = {a: s / reach if reach > 0.0 else 1 / len(sums) for a, s in sums.items()}
        return out

    def state_dict(self) -> dict[str, object]:
        """Returns the state as plain JSON."""
        sums = [[sums[a] for a in d.actions] for d in self._tabulated.decisions for sums in [self._sums[d.key]]]
        return {"count": self.count, "reach": list(self._reach.values()), "sums": sums}

    def load_state_dict(self, state: dict[str, object]) -> None:
        """Restore the `state_dict` of an average for the same game."""
        reach, sums = state["reach"], state["sums"]
        assert isinstance(reach, list)
        assert isinstance(sums, list)
        for decision, r, row in zip(self._tabulated.decisions, reach, sums, strict=True):
            self._reach[decision.key] = float(r)
            self._sums[decision.key] = dict(zip(decision.actions, map(float, row), strict=True))
        self.count = int(str(state["count"]))
