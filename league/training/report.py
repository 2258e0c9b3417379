"""What `arena eval` says of a player."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import ExitStack

import msgspec

import games
from arena.evaluation import DEFAULT_ANCHORS, Exact, SeatScore, evaluate, play_anchor, read_table, tabulate
from arena.players import Player
from games import InputError, TextGame
from league.names import make


class Report(msgspec.Struct, frozen=True):
    """A player measured in one game."""

    player: str
    game: str
    exact: Exact | None
    """None where `not_exact` says why"""
    not_exact: str
    seats: tuple[SeatScore, ...]
    skipped: dict[str, str]
    """anchors that cannot play this game, and why"""


def report_on(
    player: str, game: str, *, matches: int = 100, against: Sequence[str] | None = None, seed: int = 0, db: str = ""
) -> Report:
    """Measure a player. Raises InputError for a player or game that does not work."""
    board = games.make(game)
    with ExitStack() as stack:
        subject = make(player, db)
        stack.callback(subject.close)
        if why := subject.supports(board):
            raise InputError(f"{player} cannot play {board.spec.id}: {why}")
        exact, not_exact = _exact(subject, board)
        seats: list[SeatScore] = []
        skipped: dict[str, str] = {}
        for id in against or DEFAULT_ANCHORS if matches else ():
            anchor = make(id, db)
            stack.callback(anchor.close)
            if why := anchor.supports(board):
                skipped[id] = why
            else:
                seats += asyncio.run(play_anchor(subject, anchor, board.spec, matches, seed=seed))
    told = subject.name if "@" in subject.name else player  # a run's newest snapshot under its own name
    return Report(told, board.spec.id, exact, not_exact, tuple(seats), skipped)


def _exact(player: Player, board: TextGame) -> tuple[Exact | None, str]:
    try:
        table = asyncio.run(read_table(player, tabulate(board)))
    except InputError as error:
        return None, str(error)
    if table is None:
        return None, f"the policy of {player.name} cannot be read; llm players show it with decode=choice"
    return evaluate(board, table), ""


def report_lines(report: Report) -> list[str]:
    """A report for people."""
    lines = [f"{report.player} in {report.game}"]
    if report.exact is None:
        lines.append(f"exact: {report.not_exact}")
    else:
        e = report.exact
        lines.append(
            f"NashConv {e.nash_conv:.4f}, exploitability {e.exploitability:.4f}, {e.decisions:,} decisions read"
        )
        for seat, best in e.best_responses.items():
            lines.append(f"  {seat}: {e.values[seat]:+.4f} in self-play; the best response here gets {best:+.4f}")
    if report.seats:
        lines.append(
            f"{'against':<24} {'seat':<12} {'matches':>7} {'win rate':>8}  {'95%':<14} {'score':>7} {'illegal':>7}"
        )
    for s in report.seats:
        interval = f"[{s.low:.3f}, {s.high:.3f}]"
        lines.append(
            f"{s.anchor:<24.24} {s.seat:<12.12} {s.matches:>7,} {s.rate:>8.3f}  {interval:<14} {s.score:>+7.3f} "
            f"{s.illegal:>7.1%}"
        )
    lines += [f"not played against {id}: {why}" for id, why in report.skipped.items()]
    return lines
