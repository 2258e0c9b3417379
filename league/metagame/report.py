"""The meta-game of a league as one object, and as text, JSON, CSV and a picture."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from games import InputError
from league.metagame.cycles import Cyclic, Surprise, cyclic, surprises
from league.metagame.equilibrium import Nash, alpha_rank, nash
from league.metagame.payoff import Array, Payoff

if TYPE_CHECKING:
    from league.store import Run, Store


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
    """Everything about a payoff, those who met somebody only. Raises InputError where nobody did."""
    payoff = payoff.played()
    if len(payoff.players) < 2:
        raise InputError("no two players have met yet; there is no meta-game to show")
    ranking = cyclic(payoff).ranking
    order = sorted(range(len(ranking)), key=lambda i: (-ranking[i], payoff.players[i]))
    payoff = payoff.ordered([payoff.players[i] for i in order])
    matrix = payoff.matrix()
    return MetaGame(payoff, nash(matrix), alpha_rank(matrix), cyclic(payoff), tuple(surprises(payoff)))


def payoffs(store: Store, run: Run) -> dict[str, Payoff]:
    """Of each game of a run that was played, and under "" over all games."""
    from league.ratings.counts import CountTable
    from league.stored import rated_games

    games = rated_games(run.config)
    table = CountTable(games, list(run.config["plays"]))
    table.add(store.results(run))
    counts = table.counts()
    each = {game: Payoff.of(counts.only(game)) for game in counts.games}
    return {"": Payoff.of(counts)} | {game: payoff for game, payoff in each.items() if payoff.games.any()}


def metagame_text(store: Store, run: Run, game: str = "", width: int = 100) -> str:
    """What `arena board` says of a run's meta-game. Raises InputError for a game that was not played."""
    found = payoffs(store, run)
    if game not in found:
        raise InputError(f"game {game!r} of {run.name} was not played; played: {', '.join(g for g in found if g)}")
    return text(analyse(found[game]), width)


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


def to_json(meta: MetaGame) -> dict[str, Any]:
    """JSON-ready: `players` (nash, alpha_rank, against_mix), `cells`, `cyclic`, `surprises`, `value`."""
    columns = (meta.payoff.players, meta.nash.row.tolist(), meta.alpha.tolist(), meta.against_mix.tolist())
    keys = ("player", "nash", "alpha_rank", "against_mix")
    c = meta.cyclic
    return {
        "players": [dict(zip(keys, row, strict=True)) for row in zip(*columns, strict=True)],
        "cells": _cells(meta.payoff),
        "exploitability": meta.nash.exploitability,
        "cyclic": {"share": c.share, "by_chance": c.by_chance, "p_value": c.p_value},
        "surprises": [vars(s) for s in meta.surprises],
    }


def to_csv(payoff: Payoff) -> str:
    """One line per ordered pair that met: player, opponent, games, points, share, low, high."""
    out = io.StringIO()
    rows = _cells(payoff)
    writer = csv.DictWriter(out, ["player", "opponent", "games", "points", "share", "low", "high"], lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


def write_png(payoff: Payoff, path: str | Path, title: str = "") -> None:
    """The payoff matrix as a picture. Raises InputError where matplotlib is missing or the file cannot be written."""
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError:
        raise InputError("a picture needs matplotlib: pip install 'selfplay-arena[plot]'") from None
    n = len(payoff.players)
    size = 2.5 + 0.32 * n
    figure = Figure(figsize=(size + 1.0, size), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    image = axes.imshow(np.ma.masked_invalid(payoff.share * 100.0), cmap="RdBu", vmin=0, vmax=100)
    axes.set_xticks(range(n), payoff.players, rotation=90)
    axes.set_yticks(range(n), payoff.players)
    if n <= 24:
        for i, j in zip(*np.nonzero(payoff.games), strict=True):
            axes.text(j, i, f"{100 * payoff.share[i, j]:.0f}", ha="center", va="center", fontsize=7)
    figure.colorbar(image, ax=axes, label="points of 100, row against column", shrink=0.8)
    axes.set_title(title)
    try:
        figure.savefig(path, dpi=120)
    except OSError as error:
        raise InputError(f"cannot write {path}: {error.strerror}") from None


def _cells(payoff: Payoff) -> list[dict[str, Any]]:
    low, high = payoff.interval()
    share = payoff.share
    rows = []
    for i, j in zip(*(x.tolist() for x in np.nonzero(payoff.games)), strict=True):
        values = (payoff.games[i, j], payoff.points[i, j], share[i, j], low[i, j], high[i, j])
        names = {"player": payoff.players[i], "opponent": payoff.players[j]}
        rows.append(names | dict(zip(("games", "points", "share", "low", "high"), map(float, values), strict=True)))
    return rows
