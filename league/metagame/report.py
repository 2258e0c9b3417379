"""The meta-game of a league as one object, and in words."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from games import InputError
from league.metagame.cycles import Cyclic, Surprise, cyclic, surprises
from league.metagame.equilibrium import Nash, alpha_rank, nash
from league.metagame.payoff import Array, Payoff


@dataclass(frozen=True)
class MetaGame:
    """A league's payoff, players in order of `ranking` (best first), and what follows from it."""

    payoff: Payoff
    nash: Nash
    alpha: Array
    """(n,) alpha-rank in the limit of strong selection"""
    cyclic: Cyclic
    surprises: tuple[Surprise, ...]

    @property
    def support(self) -> list[tuple[str, float]]:
        """The players of the Nash mix, the largest share first."""
        rows = zip(self.payoff.players, self.nash.row.tolist(), strict=True)
        return sorted(((p, w) for p, w in rows if w > 1e-6), key=lambda row: -row[1])

    @property
    def against_mix(self) -> Array:
        """(n,) payoff of each player against the Nash mix, -1 to 1; 0 for those in it."""
        return self.payoff.matrix() @ self.nash.column


def analyse(payoff: Payoff) -> MetaGame:
    """Everything about a payoff, of those only who met somebody where it rates. Raises InputError where nobody did."""
    payoff = payoff.played()
    if len(payoff.players) < 2:
        raise InputError(
            "no match has rated one player against another yet, so there is no meta-game to show; `arena board` shows "
            "what was played"
        )
    ranking = cyclic(payoff).ranking
    order = sorted(range(len(ranking)), key=lambda i: (-ranking[i], payoff.players[i]))
    payoff = payoff.ordered([payoff.players[i] for i in order])
    matrix = payoff.matrix()
    return MetaGame(payoff, nash(matrix), alpha_rank(matrix), cyclic(payoff), tuple(surprises(payoff)))


def text(meta: MetaGame, width: int = 100) -> str:
    """Heat map, equilibria, cycles and surprises in lines of at most `width` characters."""
    from league.metagame.heat_map import heat_map_lines

    lines = ["points of 100, row against column", *heat_map_lines(meta.payoff, width), "", *_words(meta)]
    return "\n".join(line[:width].rstrip() for line in lines)


def _words(meta: MetaGame) -> list[str]:
    mix = ", ".join(f"{p} {w:.0%}" for p, w in meta.support[:6])
    top = np.argsort(-meta.alpha, kind="stable")[:6]
    alpha = ", ".join(f"{meta.payoff.players[i]} {meta.alpha[i]:.0%}" for i in top if meta.alpha[i] >= 0.005)
    c = meta.cyclic
    verdict = "more than chance" if c.p_value < 0.05 else "no more than chance"
    lines = [
        f"Nash mix: {mix}",
        f"alpha-rank: {alpha}",
        f"cyclic share: {c.share:.1%} (chance alone {c.by_chance:.1%}, p = {c.p_value:.2g}): {verdict}",
    ]
    for s in meta.surprises:
        line = f"surprise: {s.player} took {s.points:g} of {s.games:g} from {s.opponent}, expected "
        lines.append(f"{line}{s.expected * s.games:.1f} (1 in {10**s.log10:,.0f})")
    return lines
