"""What the standings cannot say by themselves: mean returns of games that are not rated, groups that never met, and
repeated matches.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from rich.cells import cell_len

from league.board.cells import clean, pad
from league.board.columns import NAME_MAX, mean_reach, mean_score
from league.board.state import Panel
from league.standings import Cycle, Snapshot, Standing


def pool_panel(snapshot: Snapshot) -> tuple[Panel, ...]:
    """A warning where players fall into groups that never met."""
    if not snapshot.pools:
        return ()
    lines = [", ".join(pool[:8]) + (f" and {len(pool) - 8} more" if len(pool) > 8 else "") for pool in snapshot.pools]
    title = "these groups have not met, directly or through others: between them ratings say nothing"
    return (Panel(title, tuple(lines)),)


def apart_panel(snapshot: Snapshot) -> tuple[Panel, ...]:
    """Who has no overall rank, and why."""
    if not snapshot.apart:
        return ()
    names = ", ".join(snapshot.apart[:8]) + (f" and {len(snapshot.apart) - 8} more" if len(snapshot.apart) > 8 else "")
    title = "no overall rank: each of these shares no game with some other player; see the tables per game"
    return (Panel(title, (names,)),)


REPEATED = 0.01
"""share of repeated matches of a game from which the board warns"""


def repeat_panel(snapshot: Snapshot) -> tuple[Panel, ...]:
    """A warning if matches of a game repeat earlier ones: they count once."""
    lines = [
        f"{game}: {found.repeats:,} of {found.matches:,} matches ({found.share:.0%})"
        for game, found in snapshot.repetition.items()
        if found.share >= REPEATED
    ]
    if not lines:
        return ()
    lines.append("`openings = 2` (or more) in the file of a new run starts its matches from different positions")
    return (Panel("matches that repeat earlier ones move for move; they count once as evidence", tuple(lines)),)


def cycle_panel(snapshot: Snapshot) -> tuple[Panel, ...]:
    """A warning if players of a game beat each other in circles."""
    lines = [
        f"{game}: {found.share:.0%} of who beats whom (p = {found.p_value:.1g}); a second dimension explains "
        f"{found.explained:.0%} of what one number misses{_circle(found)}"
        for game, found in snapshot.cycles.items()
    ]
    title = "cycles: one number does not order these players; ranks and `above next` are less sure than they say"
    return (Panel(title, tuple(lines)),) if lines else ()


def _circle(found: Cycle) -> str:
    if not found.players:
        return ""
    return f"; {' beats '.join((*found.players, found.players[0]))}, each with {found.win_rate:.0%} or more"


def prior_panel(snapshot: Snapshot) -> tuple[Panel, ...]:
    """A warning where a gap of ratings rests on the prior."""
    if not snapshot.prior:
        return ()
    return (Panel("a gap rests on the prior; the order holds", (clean(snapshot.prior),)),)


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
    means = [row.score or 0.0 for row in rows]
    return sum(means) / len(means)


def _cell(row: Standing | None) -> str:
    return "·" if row is None else f"{mean_score(row)} {mean_reach(row)} ({row.games:,})"
