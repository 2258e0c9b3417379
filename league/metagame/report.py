"""The meta-game of a league as an object and as text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from rich.cells import cell_len

from games import InputError
from league.board import Panel
from league.board.cells import clean, pad
from league.board.short_names import shortened
from league.metagame.cycles import Surprise, cyclic, surprises
from league.metagame.equilibrium import Nash, alpha_rank, maximin, nash
from league.metagame.payoff import Array, PayoffMatrix
from league.ratings.fit.cycles import Hodge

REPLICATES = 100
"""draws of the payoffs (a Bayesian bootstrap). Draws of skills would not do: every one of them is a ranking"""


@dataclass(frozen=True)
class Mix:
    """The Nash mix and alpha-rank of players who all met each other. Arrays have one entry per player."""

    players: tuple[str, ...]
    nash: Nash
    low: Array
    high: Array
    """95% interval of each share of the mix, from draws of the payoffs"""
    alpha: Array
    """alpha-rank in the limit of strong selection"""
    alpha_low: Array
    alpha_high: Array
    """its 95% interval, from the same draws"""


@dataclass(frozen=True)
class MetaGame:
    """The payoff matrix of a league, best player first, and what follows from it."""

    payoff: PayoffMatrix
    mix: Mix | None
    """None if too many pairs never met, so that more than half of the players would be left out"""
    cyclic: Hodge
    surprises: tuple[Surprise, ...]

    @property
    def left_out(self) -> tuple[str, ...]:
        """The players that `mix` leaves out because they did not meet everyone in it."""
        inside = self.mix.players if self.mix else ()
        return tuple(p for p in self.payoff.players if p not in inside)

    @property
    def support(self) -> list[tuple[str, float]]:
        """The players of the Nash mix with their shares, the largest first."""
        if self.mix is None:
            return []
        rows = zip(self.mix.players, self.mix.nash.row.tolist(), strict=True)
        return sorted(((p, w) for p, w in rows if w > 1e-6), key=lambda row: -row[1])

    @property
    def against_mix(self) -> Array:
        """(n,) payoff of each player against the Nash mix, -1 to 1.

        It is 0 for players in the mix, and NaN for players that did not meet all of it.
        """
        share = dict(self.support)
        weights = np.array([share.get(p, 0.0) for p in self.payoff.players])
        out = self.payoff.matrix() @ weights
        played = (self.payoff.games > 0) | np.eye(len(weights), dtype=bool)
        return np.where(played[:, weights > 0].all(1) & (self.mix is not None), out, np.nan)


def analyse(payoff: PayoffMatrix) -> MetaGame:
    """Returns the meta-game of players who met another one in a rated match. Raises InputError if there are none."""
    payoff = payoff.played()
    if len(payoff.players) < 2:
        raise InputError(
            "no rated match has two different players yet, so there is no meta-game; `arena board` shows the matches"
        )
    ranking = cyclic(payoff).ranking
    order = sorted(range(len(ranking)), key=lambda i: (-ranking[i], payoff.players[i]))
    payoff = payoff.ordered([payoff.players[i] for i in order])
    return MetaGame(payoff, mix_of(payoff), cyclic(payoff), tuple(surprises(payoff)))


def mix_of(payoff: PayoffMatrix) -> Mix | None:
    """Returns equilibria of players who all met; the players with the most missing opponents are left out first."""
    played = (payoff.games > 0) | np.eye(len(payoff.players), dtype=bool)
    kept = list(range(len(played)))
    while not played[np.ix_(kept, kept)].all():
        missing = (~played[np.ix_(kept, kept)]).sum(1)
        del kept[len(kept) - 1 - int(missing[::-1].argmax())]  # if several, the lowest ranked one
    if len(kept) < 2 or 2 * len(kept) < len(played):
        return None
    core = payoff.ordered([payoff.players[i] for i in kept])
    matrix, draws = core.matrix(), core.draws(REPLICATES)
    solved, alpha = nash(matrix), alpha_rank(matrix)
    low, high = _interval(solved.row, [maximin(drawn) for drawn in draws])
    return Mix(core.players, solved, low, high, alpha, *_interval(alpha, [alpha_rank(drawn) for drawn in draws]))


def _interval(value: Array, drawn: Sequence[Array]) -> tuple[Array, Array]:
    """Returns the 95% interval of shares, which contains their estimate (n,)."""
    low, high = np.quantile(np.array(drawn), (0.025, 0.975), axis=0)
    return np.minimum(low, value), np.maximum(high, value)


def text(meta: MetaGame, width: int = 100) -> str:
    """Returns heat map, equilibria, cycles and surprises in lines of at most `width` characters."""

    lines = ["points of 100, row against column", *heat_map_lines(meta.payoff, width), "", *_words(meta)]
    return "\n".join(line[:width].rstrip() for line in lines)


def _words(meta: MetaGame) -> list[str]:
    c = meta.cyclic
    verdict = "more than chance" if c.p_value < 0.05 else "no more than chance"
    lines = [
        *_mix_words(meta),
        f"cyclic share: {c.share:.1%} (chance alone {c.by_chance:.1%}, p = {c.p_value:.2g}): {verdict}",
    ]
    for s in meta.surprises:
        line = f"surprise: {s.player} took {s.points:g} of {s.games:g} from {s.opponent}, expected "
        lines.append(f"{line}{s.expected * s.games:.1f} (1 in {10**s.log10:,.0f})")
    return lines


def _mix_words(meta: MetaGame) -> list[str]:
    unmet, n = meta.payoff.unmet, len(meta.payoff.players)
    pairs = ", ".join(f"{a} and {b}" for a, b in unmet[:3]) + (", ..." if len(unmet) > 3 else "")
    missing = f"{len(unmet)} of {n * (n - 1) // 2} pairs never met: {pairs}"
    mix = meta.mix
    if mix is None:
        return [f"Nash mix and alpha-rank: unknown, {missing}"]
    place = {p: i for i, p in enumerate(mix.players)}
    shares = [f"{p} {w:.0%} ({mix.low[place[p]]:.0%} to {mix.high[place[p]]:.0%})" for p, w in meta.support[:6]]
    top = [i for i in np.argsort(-mix.alpha, kind="stable")[:6] if mix.alpha[i] >= 0.005]
    alpha = ", ".join(
        f"{mix.players[i]} {mix.alpha[i]:.0%} ({mix.alpha_low[i]:.0%} to {mix.alpha_high[i]:.0%})" for i in top
    )
    lines = [f"Nash mix: {', '.join(shares)}", f"alpha-rank: {alpha}"]
    return [*lines, f"left out of both: {', '.join(meta.left_out)}; {missing}"] if meta.left_out else lines


NAME_MAX, CELL = 16, 4
SHADES = " ░▒▓█"


def heat_map_panel(payoff: PayoffMatrix, width: int = 100, game: str = "") -> Panel:
    """Returns a panel for the board, with the players in the order of `payoff`. `game`: if there are others."""
    where = f" in {clean(game)}" if game else ""
    return Panel(f"who beats whom{where}: points of 100, row against column", tuple(heat_map_lines(payoff, width)))


def heat_map_lines(payoff: PayoffMatrix, width: int) -> list[str]:
    """Returns one line per player; players that do not fit into `width` cells are omitted.

    A cell has the share of points and a shade, darker for more points; `·` for pairs that never met.
    """
    names = shortened([clean(p) for p in payoff.players], NAME_MAX)
    label = max((cell_len(name) for name in names), default=0)
    number = len(str(len(names)))
    room = max(1, (width - label - number - 2) // (CELL + 1))
    count = min(len(names), room)
    share = payoff.share
    lines = [" " * (number + label + 2) + " ".join(str(j + 1).rjust(CELL) for j in range(count))]
    for i in range(count):
        cells = [_cell(i, j, float(share[i, j])) for j in range(count)]
        lines.append(f"{i + 1:>{number}} {pad(names[i], label)} {' '.join(cells)}")
    if count < len(names):
        lines.append(f"{len(names) - count} more players in a wider window")
    return lines


def _cell(i: int, j: int, share: float) -> str:
    if i == j:
        return "–".rjust(CELL)
    if share != share:  # NaN: never met
        return "·".rjust(CELL)
    return SHADES[min(4, int(share * 5))] + f"{100 * share:.0f}".rjust(CELL - 1)
