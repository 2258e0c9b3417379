"""The Nash mix of a training's league: how often to meet each of its players, so that none is worth meeting more.

In policy-space response oracles (Lanctot et al., "A unified game-theoretic approach to multiagent reinforcement
learning", NeurIPS 2017) the meta-game is the table of mean returns between the policies of a league, and the policy
in training learns a response to its equilibrium.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from math import fsum

import numpy as np

from games import GameSpec
from league.metagame.equilibrium import nash
from league.records.game_info import GameInfo
from league.records.matches import Result

NEGLIGIBLE = 1e-6
"""a smaller share of the mix counts as 0"""


class ReturnTable:
    """The returns of rated matches between every two players, in games of two sides and a constant sum.

    What it returns does not depend on the order in which results arrive.
    """

    def __init__(self) -> None:
        self._leads: dict[tuple[str, str, str], Counter[float]] = defaultdict(Counter)
        """(game, player of the first seat, the other player) -> half of the first one's lead -> matches"""

    def add(self, results: Iterable[Result]) -> None:
        """Count the matches of two players that are not void."""
        for result in results:
            first = result.seats[0].player
            ahead = [seat.score for seat in result.seats if seat.player == first]
            others = {seat.player: seat.score for seat in result.seats if seat.player != first}
            if result.status != "void" and len(others) == 1:
                [(other, score)] = others.items()
                self._leads[result.game, first, other][(ahead[0] - score) / 2] += 1

    def payoff(self, game: str, player: str, other: str) -> float:
        """Returns the mean of a player's lead on both sides; 0 if the two never met."""
        here, there = self._mean(game, player, other), self._mean(game, other, player)
        leads = [lead for lead in (here, None if there is None else -there) if lead is not None]
        return fsum(leads) / max(1, len(leads))

    def _mean(self, game: str, first: str, other: str) -> float | None:
        leads = self._leads.get((game, first, other))
        return fsum(lead * n for lead, n in sorted(leads.items())) / leads.total() if leads else None

    def mix(self, game: str, players: Sequence[str]) -> dict[str, float]:
        """Returns the shares of the players in the Nash equilibrium of maximum entropy, without those of 0."""
        matrix = np.zeros((len(players), len(players)))
        for i, player in enumerate(players):
            for j, other in enumerate(players[:i]):
                matrix[i, j] = self.payoff(game, player, other)
                matrix[j, i] = -matrix[i, j]
        shares = zip(players, nash(matrix).row.tolist(), strict=True)
        return {player: share for player, share in shares if share > NEGLIGIBLE}


def no_mix(spec: GameSpec) -> str:
    """Returns why a game has no Nash mix of its players; "" if it has one."""
    info = GameInfo.of(spec)
    if info.size != 2:
        return f"it has {info.size} side{'s' * (info.size > 1)}"
    if spec.payoff == "general_sum":
        return "its returns have no constant sum"
    return "its teams are of strangers" if info.strangers else ""
