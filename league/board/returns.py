"""Games that are not rated, on the board: what each player made of each role, instead of a rating."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from rich.cells import cell_len

from league.board.cells import clean, number, pad
from league.board.columns import NAME_MAX, mean_reach
from league.board.state import Panel
from league.standings import Snapshot, Standing


def return_panels(snapshot: Snapshot) -> tuple[Panel, ...]:
    """A panel for each game of a run that moves no rating: mean return, interval and matches, by player and role."""
    unrated = (game for game, rows in snapshot.games.items() if rows and not any(row.rated for row in rows))
    return tuple(
        Panel(f"{game}: mean return in each role, 95%, matches (not rated)", lines(snapshot.roles.get(game, {})))
        for game in unrated
    )


def lines(roles: Mapping[str, Sequence[Standing]]) -> tuple[str, ...]:
    """A line for each player under a header of roles, the best mean over the roles first."""
    by_player: dict[str, dict[str, Standing]] = {}
    for role, rows in roles.items():
        for row in rows:
            by_player.setdefault(row.player, {})[role] = row
    order = sorted(by_player, key=lambda p: (-_mean(by_player[p].values()), p))
    table = [["", *roles], *([p, *(_cell(by_player[p].get(role)) for role in roles)] for p in order)]
    widths = [min(NAME_MAX, max(cell_len(clean(row[i])) for row in table)) for i in range(len(roles) + 1)]
    return tuple(
        "  ".join(pad(clean(text), width, right=i > 0) for i, (text, width) in enumerate(zip(row, widths, strict=True)))
        for row in table
    )


def _mean(rows: Iterable[Standing]) -> float:
    means = [row.score for row in rows]
    return sum(means) / len(means)


def _cell(row: Standing | None) -> str:
    return "·" if row is None else f"{number(row.score, 2, sign=True)} {mean_reach(row)} ({row.games:,})"
