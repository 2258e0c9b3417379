"""Explains a row of the leaderboard in sentences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from league.board.cells import clean, number
from league.board.standing_columns import chance, mean_interval, mean_score, points, rank_ranges, unanswered
from league.records.leaderboard import Leaderboard, Standing


def explanation(board: Leaderboard, player: str) -> Iterator[str]:
    """Yields one paragraph a topic: rank, rating, matches, failures, games. Nothing if the player has no row."""
    rows = board.standings
    at = next((i for i, row in enumerate(rows) if row.player == player), None)
    if at is None:
        return
    row = rows[at]
    yield from _strength(row, rows, at)
    yield _matches(row)
    yield from _failures(row)
    for game, standings in board.games.items():
        for one in standings:
            if one.player == player:
                yield _in_game(game, one, len(standings))


def _strength(row: Standing, rows: Sequence[Standing], at: int) -> Iterator[str]:
    name = clean(row.player)
    if not row.rated:
        yield f"{name} has played only games that are not rated: mean returns compare players there."
        return
    if row.rank is None:
        yield f"{name} has no rank: no matches of a common game link it to some other player."
    else:
        best, worst = rank_ranges((row,), rows)[0]
        place = f"{name} is ranked {row.rank} of {len(rows)}. "
        if best == worst:
            yield f"{place}With 95% probability this and all other rank ranges of the board are right."
        else:
            yield f"{place}Its true rank is from {best} to {worst}; with 95% probability all such ranges are right."
    follower = rows[at + 1] if at + 1 < len(rows) else None
    if follower is not None and row.above_next is not None:
        next_name = clean(follower.player)
        yield f"It is better than the next row, {next_name}, with a probability of {chance(row.above_next)}."
    if row.p_best is not None:
        yield f"It is the best of all players that still play with a probability of {chance(row.p_best)}."
    reference = next((r for r in rows if r.points is not None and r.points_low == r.points_high), None)
    if reference is not None and row.points is not None and row is not reference and not unanswered(row):
        yield f"Against {clean(reference.player)} it is expected to make {_points(row)} of 100 points."
    yield (
        f"Its rating is {number(row.rating)}, with 95% probability between {number(row.low)} and {number(row.high)}. "
        "The average player has 25; a player that is 4.2 points stronger wins about three of four games that are not "
        "drawn."
    )


def _points(row: Standing) -> str:
    text = points(row)
    return text if text.startswith("at ") else text.replace("(", "(95%: ").replace("–", " to ")


def _matches(row: Standing) -> str:
    text = f"{row.games:,} matches count: {row.wins:,} won, {row.draws:,} drawn, {row.losses:,} lost."
    if row.distinct is not None and row.distinct < row.games:
        text += f" {row.games - row.distinct:,} of them repeat earlier ones move for move and tell nothing new."
    if row.provisional:
        text += " That is less than a third of what others have, so its rank may still change much."
    return text


def _failures(row: Standing) -> Iterator[str]:
    if unanswered(row):
        yield f"It gave no legal answer in any of its {row.games:,} matches, so its rating says nothing of its skill."
    elif row.forfeits:
        yield f"{row.forfeits:,} of the lost matches were forfeited: every retry failed to give a legal answer."
    if faults := {kind: n for kind, n in row.faults.items() if n}:
        listed = ", ".join(f"{n:,} {clean(kind)}" for kind, n in faults.items())
        yield f"Answers that failed, retried ones included: {listed}."
    if row.voids:
        yield f"{row.voids:,} more matches are void because of it, as when an endpoint fails; they count for nobody."
    if row.retired:
        yield "It is retired: it is paired no more, and keeps its rating."


def _in_game(game: str, row: Standing, players: int) -> str:
    score = f"mean return {mean_score(row)} {mean_interval(row)}".strip()
    if not row.rated:
        return f"{clean(game)}: {score} in {row.games:,} matches."
    if unanswered(row):
        return f"{clean(game)}: no legal answer in {row.games:,} matches."
    return f"{clean(game)}: rank {row.rank or '–'} of {players}, rating {number(row.rating)}, {score}."
