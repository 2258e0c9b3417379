"""What `arena eval` says of a player."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from arena.evaluation.report import Evaluation, measure
from league.names import make


def report_on(
    player: str,
    game: str,
    *,
    matches: int = 100,
    against: Sequence[str] | None = None,
    seed: int | None = None,
    db: str = "",
    trust: bool = False,
) -> Evaluation:
    """Measure a player, which may be a name in the store at `db`; `trust`: as in `league.names.resolve`.

    Raises InputError.
    """
    return measure(player, game, matches=matches, against=against, seed=seed, make=partial(make, db=db, trust=trust))


def report_lines(report: Evaluation) -> list[str]:
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
