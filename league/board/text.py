"""Standings once: a table for people, a dict for programs."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Sequence
from typing import Any

import msgspec
from rich.console import Console
from rich.text import Text

from games import UnknownName
from league.board.cells import clean
from league.board.columns import ranges
from league.board.render import natural_width, render, table_text
from league.board.state import BoardState, Panel, Status, status_of
from league.standings import Snapshot, Standing

LEGEND = (
    (
        "rating, 95%",
        "skill by TrueSkill's model, fitted to all results at once, relative to an average of 25; with 95% probability "
        "under the model it lies in the interval. Over several games it is the skill that a player brings to all of "
        "them: games in which skill shows less, and players of fewer games, are known less well",
    ),
    (
        "#, rank range",
        "rank by that rating, and the best and worst rank; the ranges of all players hold at once with 95%. Rows whose "
        "ranges overlap may well be equal. – without a rank: shares no game with some other player",
    ),
    ("batch fit", "beside the ratings of another method: rating and interval by TrueSkill's model, from all results"),
    ("above next", "probability of being better than the next row, from the fit that orders the rows"),
    (
        "online",
        "TrueSkill updated match by match: too sure of itself where results choose the opponents",
    ),
    ("P best", "probability of being the best of all, from the same fit"),
    ("W D L", "matches won, drawn, lost, forfeits included; one that rates nobody counts as drawn"),
    ("games", "matches that count; `?` marks a row with less than a third of the median's: its place may well change"),
    ("distinct", "matches that repeat no earlier one move for move: ratings and intervals rest on these"),
    ("forfeits", "matches lost because no legal answer came after all retries"),
    ("faults", "answers that failed, retried ones included: illegal, unparsable, empty, truncated, timeout, error"),
    ("mean score", "the game's own return per match; games that are not rated are told by it, in each role"),
    (
        "game columns",
        "the rating in that game alone, · not played; `--game ID` tells its intervals and numbers of games. A wide "
        "window has the intervals of scores and games beside them, `--json` always",
    ),
)


def board_text(
    snapshot: Snapshot,
    game: str | None = None,
    *,
    width: int | None = None,
    status: Status | None = None,
    panels: tuple[Panel, ...] = (),
    legend: bool = True,
) -> Text:
    """The whole table, all rows; for one `game` also a table for each of its roles.

    `width` in cells, default: as wide as the columns need. `status`, default: what the counts say. `panels` stand under
    the table. Raises UnknownName for a game that was not played.
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
    snapshot: Snapshot,
    game: str | None = None,
    console: Console | None = None,
    *,
    panels: tuple[Panel, ...] = (),
    status: Status | None = None,
) -> None:
    """Print `board_text`: in a terminal's width and colours, elsewhere bare and as wide as the columns need."""
    console = console or Console(highlight=False)
    if console.is_terminal:
        console.print(board_text(snapshot, game, width=console.width, panels=panels, status=status))
    else:  # rich would assume 80 columns and cut the rest
        console.file.write(board_text(snapshot, game, panels=panels, status=status).plain + "\n")


def to_json(snapshot: Snapshot, game: str | None = None) -> dict[str, Any]:
    """The snapshot as JSON-ready data; `standings` are those of one `game` where one is given.

    Keys: `run`, `standings`, `matches`, `pools`, `prior`, `repeats` (per game in which matches repeat earlier ones),
    `cycles` (per game in which players beat each other in circles), and per game and per role `games` and `roles`. A
    number that is not finite, and the rating of a player that played nothing rated, becomes None. Raises UnknownName
    for a game that was not played.
    """
    shown = snapshot if game is None else of_game(snapshot, game)
    games = [g for g in snapshot.games if game in (None, g)]
    return {
        "run": snapshot.run,
        "game": game,
        "standings": _rows(shown.standings),
        "matches": msgspec.to_builtins(snapshot.matches),
        "pools": [list(pool) for pool in snapshot.pools],
        "prior": snapshot.prior or None,
        "cycles": {g: msgspec.to_builtins(c) for g, c in snapshot.cycles.items() if game in (None, g)},
        "apart": list(snapshot.apart),
        "repeats": {
            g: {"matches": r.matches, "repeats": r.repeats, "share": r.share}
            for g, r in snapshot.repetition.items()
            if game in (None, g)
        },
        "games": {g: _rows(snapshot.games[g]) for g in games},
        "roles": {g: {r: _rows(rows) for r, rows in snapshot.roles.get(g, {}).items()} for g in games},
    }


def of_game(snapshot: Snapshot, game: str) -> Snapshot:
    """The snapshot with one game's standings in front. Raises UnknownName."""
    if game not in snapshot.games:
        raise UnknownName("game of this run", game, snapshot.games)
    roles = {game: snapshot.roles.get(game, {})}
    one = Snapshot(f"{snapshot.run}: {game}", snapshot.games[game], {}, roles, snapshot.matches)
    repetition, cycles = ({g: x for g, x in of.items() if g == game} for of in (snapshot.repetition, snapshot.cycles))
    return msgspec.structs.replace(one, repetition=repetition, cycles=cycles)


def _rows(standings: Sequence[Standing]) -> list[dict[str, Any]]:
    out = []
    for standing, (best, worst) in zip(standings, ranges(standings, standings), strict=True):
        row = msgspec.to_builtins(standing) | {"rank_low": best, "rank_high": worst}
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
