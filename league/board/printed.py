"""Prints the standings once: as a table for people, as JSON for programs."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Sequence
from typing import Any

import msgspec
from rich.console import Console
from rich.text import Text

from arena.terminal import answers, escaped, past_gate
from games import UnknownName
from league.board.cells import clean
from league.board.lines import drawn
from league.board.render import natural_width, render
from league.board.standing_columns import LEGEND, rank_ranges
from league.board.state import BoardState, Panel, Status, status_of
from league.board.table import table_text
from league.records.leaderboard import Leaderboard, Standing


def board_text(
    snapshot: Leaderboard,
    game: str | None = None,
    *,
    width: int | None = None,
    status: Status | None = None,
    panels: tuple[Panel, ...] = (),
    legend: bool = False,
) -> Text:
    """Returns the whole table with all rows; for one `game`, also a table for each of its roles.

    `width` is in cells; default: as wide as the columns need. `status` defaults to the one that follows from the
    counts. `panels` are placed below the table, the `legend` of the columns below them. Raises UnknownName for a game
    that was not played.
    """
    state = BoardState(snapshot if game is None else of_game(snapshot, game), panels=panels)
    state = msgspec.structs.replace(state, status=status or status_of(snapshot.matches))
    width = width or natural_width(state)
    parts = [render(state, width)]
    for role, rows in snapshot.roles.get(game or "", {}).items():
        if len(snapshot.roles[game or ""]) > 1:
            share = sum(row.games for row in rows) / max(1, sum(row.games for row in state.snapshot.standings))
            parts.append(Text(f"as {clean(role)}, {share:.0%} of the matches", style="bold"))
            parts.append(table_text(rows, width))
    if legend and snapshot.standings:
        parts.append(_legend(width))
    return Text("\n\n").join(parts)


def print_board(
    snapshot: Leaderboard,
    game: str | None = None,
    console: Console | None = None,
    *,
    panels: tuple[Panel, ...] = (),
    status: Status | None = None,
    legend: bool = False,
) -> None:
    """Print `board_text`: in a terminal with its width and colours, otherwise plain and as wide as the columns need."""
    console = console or Console(file=past_gate(answers()), highlight=False)
    if console.is_terminal:
        console.print(
            drawn(board_text(snapshot, game, width=console.width, panels=panels, status=status, legend=legend))
        )
    else:  # rich would assume 80 columns and cut the rest
        console.file.write(
            escaped(board_text(snapshot, game, panels=panels, status=status, legend=legend).plain) + "\n"
        )


def to_json(snapshot: Leaderboard, game: str | None = None) -> dict[str, Any]:
    """Returns the snapshot as JSON-ready data; with `game`, `standings` are those of this game.

    Keys: `run`, `standings`, `matches`, `pools`, `prior`, `repeats` (per game in which matches repeat earlier ones),
    `cycles` (per game in which players beat each other in cycles), `anchors` (per game whose matches contradict the
    ratings of its anchors), `checks` (per game with players that change or few tasks), `game_pools` and `game_prior`
    (of each game that has them), and `games` and `roles` with the standings per game and per role. A number that is
    not finite becomes None, as does the rating of a player without rated matches.
    Raises UnknownName for a game that was not played.
    """
    view = snapshot if game is None else of_game(snapshot, game)
    games = [g for g in snapshot.games if game in (None, g)]
    return {
        "run": snapshot.run,
        "game": game,
        "standings": standing_rows(view.standings),
        "matches": msgspec.to_builtins(snapshot.matches),
        "pools": [list(pool) for pool in view.pools],
        "prior": view.prior or None,
        "game_pools": {g: [list(pool) for pool in x] for g, x in snapshot.game_pools.items() if game in (None, g)},
        "game_prior": {g: x for g, x in snapshot.game_prior.items() if game in (None, g)},
        "cycles": {g: msgspec.to_builtins(c) for g, c in snapshot.cycles.items() if game in (None, g)},
        "anchors": {g: list(lines) for g, lines in snapshot.anchors.items() if game in (None, g)},
        "checks": {g: list(lines) for g, lines in snapshot.checks.items() if game in (None, g)},
        "apart": list(view.apart),
        "repeats": {
            g: {"matches": r.matches, "repeats": r.repeats, "share": r.share}
            for g, r in snapshot.repetition.items()
            if game in (None, g)
        },
        "games": {g: standing_rows(snapshot.games[g]) for g in games},
        "roles": {g: {r: standing_rows(rows) for r, rows in snapshot.roles.get(g, {}).items()} for g in games},
    }


def of_game(snapshot: Leaderboard, game: str) -> Leaderboard:
    """Returns a snapshot whose standings are those of one game. Raises UnknownName."""
    if game not in snapshot.games:
        raise UnknownName("game of this run", game, snapshot.games)
    roles = {game: snapshot.roles.get(game, {})}
    one = Leaderboard(f"{snapshot.run}: {game}", snapshot.games[game], {}, roles, snapshot.matches)
    repetition, cycles = ({g: x for g, x in of.items() if g == game} for of in (snapshot.repetition, snapshot.cycles))
    anchors, checks = ({g: x for g, x in of.items() if g == game} for of in (snapshot.anchors, snapshot.checks))
    pools, prior = snapshot.game_pools.get(game, ()), snapshot.game_prior.get(game, "")
    lines = {"repetition": repetition, "cycles": cycles, "anchors": anchors, "checks": checks}
    return msgspec.structs.replace(one, **lines, pools=pools, prior=prior)


def standing_rows(standings: Sequence[Standing]) -> list[dict[str, Any]]:
    """Returns rows as JSON-ready data, without the numbers that have no meaning for them: see `to_json`."""
    out = []
    for standing, (best, worst) in zip(standings, rank_ranges(standings, standings), strict=True):
        row = msgspec.to_builtins(standing) | {"rank_low": best, "rank_high": worst, "timeouts": standing.timeouts}
        if standing.rank is None:
            row |= dict.fromkeys(("rank_low", "rank_high"))
        if not standing.rated:
            row |= dict.fromkeys(("rating", "low", "high", "rank_low", "rank_high"))
        out.append({k: None if isinstance(v, float) and not math.isfinite(v) else v for k, v in row.items()})
    return out


def _legend(width: int) -> Text:
    label = max(len(name) for name, _ in LEGEND) + 2
    lines = []
    for name, meaning in LEGEND:
        if width < 2 * label + 20:
            lines += textwrap.wrap(f"{name}: {meaning}", width, subsequent_indent="  ")
        else:
            lines += textwrap.wrap(meaning, width, initial_indent=name.ljust(label), subsequent_indent=" " * label)
    return Text("\n".join(lines), style="dim")
