"""Computes the meta-game of a stored run and writes it as JSON, CSV or a picture."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from games import InputError
from games.sanitize import spreadsheet_cell
from league.metagame.payoff import PayoffMatrix
from league.metagame.report import MetaGame, Mix, analyse

if TYPE_CHECKING:
    from league.store import Run, Store

FORMATS = (".json", ".csv", ".png", ".svg")
_NUMBERED, _BOUNDED = 24, 12
"""the most players for which the cells of a picture show shares, and 95% intervals"""


def payoffs(store: Store, run: Run) -> dict[str, PayoffMatrix]:
    """Returns the payoff matrix of each game of a run in which two players met."""
    from league.outcomes.table import OutcomeTable
    from league.ratings.comparisons import CountTable

    outcomes = OutcomeTable(run.spec.games)
    outcomes.fill(store.log(run).columns())
    counts = CountTable(run.spec.games, list(run.spec.plays), outcomes).counts()
    each = {game: PayoffMatrix.of(counts.only(game)) for game in counts.games}
    return {game: payoff for game, payoff in each.items() if payoff.games.any()}


def of_run(store: Store, run: Run, game: str | None = None) -> tuple[MetaGame, str]:
    """Returns the meta-game of a run in a game, by default its only one, and its title.

    Raises InputError for a game that is not in the run, or in which no two players met, and for several games.
    """
    chosen = run.spec.game_or_only(game, ", and each has a meta-game of its own")  # a cycle of pooled games is none
    tables = payoffs(store, run)
    if chosen not in tables:
        where = f"of {game} in {run.name}" if game else f"in {run.name}"
        raise InputError(f"no rated match {where} has two different players yet; `arena board` shows the matches")
    return analyse(tables[chosen]), f"{run.name}: {game}" if game else run.name


def write(meta: MetaGame, path: str | Path, title: str = "") -> None:
    """Write a file in the format of its suffix. Raises InputError for an unknown suffix, or if writing fails."""
    path = Path(path)
    if path.suffix not in FORMATS:
        raise InputError(f"{str(path)!r} has no known suffix; use {', '.join(FORMATS[:-1])} or {FORMATS[-1]}")
    if path.suffix in (".png", ".svg"):
        return write_picture(meta.payoff, path, title, meta.mix)
    try:
        path.write_text(dumps(meta) + "\n" if path.suffix == ".json" else to_csv(meta.payoff))
    except OSError as error:
        raise InputError(f"cannot write {path}: {error.strerror}") from None


def dumps(meta: MetaGame) -> str:
    """Returns `to_json` as text."""
    return json.dumps(to_json(meta), indent=1)


def to_json(meta: MetaGame) -> dict[str, Any]:
    """JSON-ready: `players` (nash and alpha_rank with their 95% intervals, against_mix; None where unknown),
    `cells`, `unmet` (pairs that never met), `left_out` (players outside of the mix), `exploitability`, `cyclic`,
    `surprises`.
    """
    mix, c = meta.mix, meta.cyclic
    rows = dict.fromkeys(meta.payoff.players, (None,) * 6)
    if mix is not None:
        columns = (mix.nash.row, mix.low, mix.high, mix.alpha, mix.alpha_low, mix.alpha_high)
        rows |= dict(zip(mix.players, zip(*(c.tolist() for c in columns), strict=True), strict=True))
    keys = ("nash", "nash_low", "nash_high", "alpha_rank", "alpha_low", "alpha_high")
    against = zip(meta.payoff.players, meta.against_mix.tolist(), strict=True)
    players = [
        {"player": p, **dict(zip(keys, rows[p], strict=True)), "against_mix": None if x != x else x} for p, x in against
    ]
    return {
        "players": players,
        "cells": _cells(meta.payoff),
        "unmet": [list(pair) for pair in meta.payoff.unmet],
        "left_out": list(meta.left_out),
        "exploitability": None if mix is None else mix.nash.exploitability,
        "cyclic": {"share": c.share, "by_chance": c.by_chance, "p_value": c.p_value},
        "surprises": [vars(s) for s in meta.surprises],
    }


def to_csv(payoff: PayoffMatrix) -> str:
    """Returns one line per ordered pair: player, opponent, games, points, share, low, high.

    The last three are empty for pairs that never met.
    """
    out = io.StringIO()
    unmet = [pair for a, b in payoff.unmet for pair in ((a, b), (b, a))]
    rows = _cells(payoff) + [{"player": a, "opponent": b, "games": 0.0, "points": 0.0} for a, b in unmet]
    writer = csv.DictWriter(out, ["player", "opponent", "games", "points", "share", "low", "high"], lineterminator="\n")
    writer.writeheader()
    writer.writerows({k: spreadsheet_cell(v) if isinstance(v, str) else v for k, v in row.items()} for row in rows)
    return out.getvalue()


def write_picture(payoff: PayoffMatrix, path: str | Path, title: str = "", mix: Mix | None = None) -> None:
    """The payoff matrix as a picture. Pairs that never met are grey with a `?`; shares of `mix` follow the names.

    Raises InputError if matplotlib is missing or the file cannot be written.
    """
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError:
        raise InputError("a picture needs matplotlib: pip install 'selfplay-arena[plot]'") from None
    n = len(payoff.players)
    size = 2.5 + (0.45 if n <= _BOUNDED else 0.32) * n
    figure = Figure(figsize=(size + 1.0, size), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    image = axes.imshow(np.ma.masked_invalid(payoff.share * 100.0), cmap="RdBu", vmin=0, vmax=100)
    axes.set_xticks(range(n), [_plain(p) for p in payoff.players], rotation=90)
    axes.set_yticks(range(n), _with_shares(payoff.players, mix))
    axes.set_facecolor("0.85")  # never met
    if n <= _NUMBERED:
        low, high = payoff.interval()
        for i, j in zip(*np.nonzero(payoff.games), strict=True):
            points = 100 * payoff.share[i, j]
            words = f"{points:.0f}" + (f"\n{100 * low[i, j]:.0f}-{100 * high[i, j]:.0f}" if n <= _BOUNDED else "")
            colour = "white" if abs(points - 50) > 35 else "black"
            axes.text(j, i, words, ha="center", va="center", fontsize=7, color=colour)
        for i, j in zip(*np.nonzero((payoff.games == 0) & ~np.eye(n, dtype=bool)), strict=True):
            axes.text(j, i, "?", ha="center", va="center", fontsize=7)
    figure.colorbar(image, ax=axes, label="points of 100, row against column", shrink=0.8)
    axes.set_title(_plain(title))
    try:
        figure.savefig(path, dpi=120)
    except OSError as error:
        raise InputError(f"cannot write {path}: {error.strerror}") from None


def _with_shares(players: Sequence[str], mix: Mix | None) -> list[str]:
    """Returns the names with the shares of the Nash mix and their intervals."""
    if mix is None:
        return [_plain(p) for p in players]
    columns = zip(mix.players, mix.nash.row, mix.low, mix.high, strict=True)
    labels = {p: f"{p}\nNash {w:.0%} ({low:.0%}-{high:.0%})" for p, w, low, high in columns}
    return [_plain(labels.get(p, f"{p}\nnot in the mix")) for p in players]


def _plain(text: str) -> str:
    """Returns text without the sign that starts a formula in matplotlib."""
    return text.replace("$", r"\$")


def _cells(payoff: PayoffMatrix) -> list[dict[str, Any]]:
    low, high = payoff.interval()
    share = payoff.share
    rows = []
    for i, j in zip(*(x.tolist() for x in np.nonzero(payoff.games)), strict=True):
        values = (payoff.games[i, j], payoff.points[i, j], share[i, j], low[i, j], high[i, j])
        names = {"player": payoff.players[i], "opponent": payoff.players[j]}
        rows.append(names | dict(zip(("games", "points", "share", "low", "high"), map(float, values), strict=True)))
    return rows
