"""Orders the rows of the leaderboard by a column, and filters them."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

from league.board.standing_columns import CATEGORIES, Games
from league.records.leaderboard import Standing

Value = float | str | None

_ASCENDING = {"rank", "player", "range"}
"""columns whose smallest value comes first; all others start with the largest"""

_VALUES: dict[str, Callable[[Standing], Value]] = {
    "rank": lambda row: row.rank,
    "player": lambda row: row.player,
    "range": lambda row: row.rank_low,
    "points": lambda row: row.points,
    "rating": lambda row: row.rating if row.rated else None,
    "interval": lambda row: row.high - row.low if row.rated else None,
    "batch": lambda row: row.bt_rating,
    "above": lambda row: row.above_next,
    "best": lambda row: row.p_best,
    "online": lambda row: row.online_rating,
    "games": lambda row: row.games,
    "distinct": lambda row: row.distinct,
    "wdl": lambda row: (row.wins + row.draws / 2) / row.games if row.games else None,
    "forfeits": lambda row: row.forfeits,
    "voids": lambda row: row.voids,
    "faults": lambda row: sum(row.faults.values()),
    "score": lambda row: row.score,
}
"""key of a column -> what its rows are ordered by; None comes last"""


def is_sortable(column: str) -> bool:
    """Returns whether rows can be ordered by this column."""
    return column in _VALUES or column in CATEGORIES or column.startswith("game:")


def ordered(rows: Sequence[Standing], column: str, games: Games, *, reverse: bool = False) -> tuple[Standing, ...]:
    """Returns the rows by a column, those without a value last; "": unchanged. `games` as in `all_columns`."""
    if not is_sortable(column):
        return tuple(rows[::-1] if reverse else rows)
    valued = [(value, row) for row in rows if (value := _value(row, column, games)) is not None]
    without = [row for row in rows if _value(row, column, games) is None]
    valued.sort(key=lambda pair: pair[0], reverse=(column not in _ASCENDING) != reverse)
    return (*(row for _, row in valued), *without)


def _value(row: Standing, column: str, games: Games) -> Value:
    if column.startswith("game:"):
        of_game = games.get(column.removeprefix("game:"), {}).get(row.player)
        return _VALUES["rating"](of_game) if of_game is not None else None
    if column in CATEGORIES:
        return row.faults.get(column, 0)
    value = _VALUES[column](row)
    return None if isinstance(value, float) and not math.isfinite(value) else value


def filtered(rows: Sequence[Standing], games: Mapping[str, Sequence[Standing]], words: str) -> Sequence[Standing]:
    """Returns the rows of which each word is in the player's name or in the id of a game that the player has played."""
    parts = words.casefold().split()
    if not parts:
        return rows
    texts = {row.player: row.player.casefold() for row in rows}
    for game, played in games.items():
        for row in played:
            if row.player in texts:
                texts[row.player] += f"\n{game.casefold()}"
    return [row for row in rows if all(word in texts[row.player] for word in parts)]
