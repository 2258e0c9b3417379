"""Panels for what the table of standings cannot show: warnings, and mean returns of unrated games."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from rich.cells import cell_len

from league.board.cells import clean, pad
from league.board.columns import NAME_MAX
from league.board.findings import findings
from league.board.lines import SameObject
from league.board.standing_columns import REPEATED, mean_interval, mean_score
from league.board.state import Panel
from league.records.leaderboard import Cycle, Leaderboard, Standing

_LISTED = 8
"""players named in a line"""
_GROUPS = 6
"""lines of groups that never met"""


def leaderboard_panels(snapshot: Leaderboard) -> tuple[Panel, ...]:
    """Returns all panels that follow from a snapshot."""
    makers = (_findings, _apart, _pools, _anchors, _checks, _prior, _repeats, _cycles)
    return (*(panel for make in makers if (panel := make(snapshot)) is not None), *_returns(snapshot))


def _findings(snapshot: Leaderboard) -> Panel | None:
    """Returns what the table tells, in at most three sentences."""
    sentences = _sentences(SameObject(snapshot.standings))
    return Panel("in words", sentences, wraps=True, first=2, leads=True) if sentences else None


@lru_cache(4)
def _sentences(rows: SameObject[tuple[Standing, ...]]) -> tuple[str, ...]:
    return findings(rows.value)


def _apart(snapshot: Leaderboard) -> Panel | None:
    """Returns the players without an overall rank."""
    if not snapshot.apart:
        return None
    title = "no overall rank: each of these shares no game with some other player; see the tables per game"
    return Panel(title, (_list(snapshot.apart),), warns=True)


def _pools(snapshot: Leaderboard) -> Panel | None:
    """Returns a warning if players form groups that never met."""
    lines = [_list(pool) for pool in snapshot.pools]
    if snapshot.several_games:
        lines += [f"{game}: {_list(pool)}" for game, pools in snapshot.game_pools.items() for pool in pools]
    if len(lines) > _GROUPS:
        lines[_GROUPS - 1 :] = [f"and {len(lines) - _GROUPS + 1} more groups"]
    title = "these groups never met, directly or through others: each is ranked by itself"
    return Panel(title, tuple(lines), warns=True) if lines else None


def _list(players: Sequence[str]) -> str:
    return ", ".join(players[:_LISTED]) + (f" and {len(players) - _LISTED} more" if len(players) > _LISTED else "")


def _prior(snapshot: Leaderboard) -> Panel | None:
    """Returns a warning if matches hardly determine a rating gap, so that its size depends on the prior."""
    lines = [snapshot.prior] if snapshot.prior else []
    if snapshot.several_games:
        lines += [f"{game}: {line}" for game, line in snapshot.game_prior.items()]
    title = "matches hardly determine the size of a gap"
    return Panel(title, tuple(clean(line) for line in lines), warns=True) if lines else None


def _anchors(snapshot: Leaderboard) -> Panel | None:
    """Returns a warning if matches contradict the ratings of anchors."""
    lines = tuple(clean(f"{game}: {line}") for game, lines in snapshot.anchors.items() for line in lines)
    return Panel("the matches contradict the ratings of anchors", lines, warns=True) if lines else None


def _checks(snapshot: Leaderboard) -> Panel | None:
    """Returns a warning if the residuals of a game contradict the model."""
    lines = tuple(clean(f"{game}: {line}") for game, lines in snapshot.checks.items() for line in lines)
    return Panel("the matches contradict the model of the ratings", lines, warns=True) if lines else None


def _repeats(snapshot: Leaderboard) -> Panel | None:
    """Returns a warning if matches of a game repeat earlier ones."""
    lines = [
        f"{game}: {repetition.repeats:,} of {repetition.matches:,} matches ({repetition.share:.0%})"
        for game, repetition in snapshot.repetition.items()
        if repetition.share >= REPEATED
    ]
    if not lines:
        return None
    lines.append("the players always play alike there, so further matches tell nothing new")
    return Panel("matches that repeat earlier ones move for move count once as evidence", tuple(lines), warns=True)


def _cycles(snapshot: Leaderboard) -> Panel | None:
    """Returns a warning if one number for each player does not explain who beats whom in a game."""
    lines = [
        f"{game}: {cycle.share:.0%} of who beats whom (p = {cycle.p_value:.1g}); a second dimension explains "
        f"{cycle.explained:.0%} of what one number misses; {_cycle(cycle)}"
        for game, cycle in snapshot.cycles.items()
    ]
    title = "cycles: one number cannot order these players; ranks and P best are less certain than shown"
    if not any(cycle.players for cycle in snapshot.cycles.values()):
        title = "the gaps between players do not add up: their sizes are less certain than shown, the order is not"
    return Panel(title, tuple(lines), warns=True) if lines else None


def _cycle(cycle: Cycle) -> str:
    if not cycle.players:
        return "no three players beat each other in a circle"
    return f"{' beats '.join((*cycle.players, cycle.players[0]))}, each with at least {cycle.win_rate:.0%}"


def _returns(snapshot: Leaderboard) -> tuple[Panel, ...]:
    """Returns a panel for each unrated game: mean return, interval and matches, by player and role."""
    unrated = (game for game, rows in snapshot.games.items() if rows and not any(row.rated for row in rows))
    return tuple(
        Panel(f"{game}: mean return in each role, 95%, matches (not rated)", _role_table(snapshot.roles.get(game, {})))
        for game in unrated
    )


def _role_table(roles: Mapping[str, Sequence[Standing]]) -> tuple[str, ...]:
    """Returns a header of roles and a line for each player; the best mean over the roles comes first."""
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
    return "·" if row is None else f"{mean_score(row)} {mean_interval(row)} ({row.games:,})"
