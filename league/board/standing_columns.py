"""The columns of the leaderboard and their legend.

To add a column, add it to `all_columns` at the position of its importance, and explain it in `LEGEND`.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence

import msgspec
from rich.cells import cell_len

from league.board.cells import clean, fit, number, pad
from league.board.short_names import LABEL_MAX, game_labels
from league.records.leaderboard import Standing

GAP = 2
REPEATED = 0.01
"""the share of repeated matches from which the board shows them"""
CATEGORIES = ("illegal", "unparsable", "empty", "truncated", "timeout", "error")

Games = Mapping[str, Mapping[str, Standing]]
"""game -> player -> standing"""

LEGEND = (
    (
        "points of 100",
        "what the player is expected to make against the reference player, a draw half a point, with a 95% interval; "
        "`at least 97` for one that won everything. The reference is `[ratings] reference`, else `random`, else the "
        "first player of the file. Over several games the skill that a player brings to all of them decides",
    ),
    (
        "rating, 95%",
        "skill by TrueSkill's model, fitted to all results at once, relative to an average of 25. It is in the "
        "interval with 95% probability under the model. Over several games it is the skill that a player brings to all "
        "of them: it is less certain for games in which skill shows less, and for players of fewer games. Another "
        "rating method (`[ratings] method`) has its own scale and intervals",
    ),
    (
        "#, rank range",
        "rank by that rating, and the best and worst rank; with 95% probability all ranges hold at once. Rows with "
        "overlapping ranges may be equal. Groups that never met are ranked each by itself. – instead of a rank: the "
        "player has no match, or over several games shares no game with some other player",
    ),
    ("batch fit", "shown beside the ratings of another method: rating and interval by TrueSkill's model, all results"),
    ("P best", "probability of being the best of the players that are not retired, from the batch fit"),
    ("above next", "probability of being better than the player of the next row"),
    ("W D L", "matches won, drawn and lost, forfeits included; unrated matches count as draws"),
    ("games", "matches that count; `?`: less than a third of the median, so the rank may still change much"),
    ("retired", "players that are paired no more; they keep their matches and their rating"),
    ("distinct", "matches that do not repeat an earlier one move for move; ratings and intervals use only these"),
    ("forfeits", "matches lost because every retry failed to give a legal answer"),
    ("voids", "matches that the player made void, as an endpoint that fails does; they count for nobody"),
    ("faults", "failed answers, retried ones included: illegal, unparsable, empty, truncated, timeout, error"),
    ("mean score", "mean return per match, as the game defines it; unrated games have only this, in each role"),
    (
        "game columns",
        "points, or the rating, in that game alone, · if not played; `--game ID` shows the rest. A wide "
        "window shows the intervals of scores and games beside them, `--json` always does",
    ),
)
"""header -> explanation, printed below the table by `arena board`"""


class Column(msgspec.Struct):
    """A column: two header lines, and a cell and a style for each row."""

    key: str
    head: tuple[str, str]
    cells: list[str]
    place: int
    """columns are sorted by it from left to right"""
    right: bool = True
    gap: int = GAP
    styles: list[str] | None = None
    width: int = 0

    def __post_init__(self) -> None:
        self.width = max(map(cell_len, (*self.head, *self.cells)))

    def padded(self, texts: Sequence[str]) -> list[str]:
        """`texts` in the width of this column, with the gap before each."""
        before = " " * self.gap
        return [before + pad(text, self.width, self.right) for text in texts]


def all_columns(rows: Sequence[Standing], everyone: Sequence[Standing], games: Games) -> list[Column]:
    """Returns all columns, the most important first. A narrow board omits the last ones."""
    return list(_columns(rows, everyone, games) if any(r.rated for r in rows) else _unrated_columns(rows))


def _columns(rows: Sequence[Standing], everyone: Sequence[Standing], games: Games) -> Iterator[Column]:
    pointed = any(r.points is not None for r in rows)
    yield _rank(rows)
    yield _player(rows)
    if pointed:
        yield Column("points", ("points", "of 100"), [points(r) or "–" for r in rows], 3, right=False)
    else:
        yield from _ratings(rows)
    # The intervals of the batch fit hold if those of another method do not, so it comes early.
    if not all(r.bt_rating in (None, r.rating) for r in rows):
        yield Column("batch", ("batch", "fit, 95%"), [_estimate(r.bt_rating, r.bt_high) for r in rows], 5)
    yield _games(rows)
    yield from _retired(rows)
    if any(r.distinct is not None and r.distinct < (1.0 - REPEATED) * r.games for r in rows):
        cells = [f"{r.games if r.distinct is None else r.distinct:,}" for r in rows]
        yield Column("distinct", ("", "distinct"), cells, 6)
    yield Column("wdl", *_win_draw_loss(rows), 7)
    yield from _failures(rows)
    if pointed:
        yield from _ranks(rows, everyone)
    if _has_scores(rows):
        yield Column("score", ("mean", "score"), [mean_score(r) for r in rows], 20)
    labels = game_labels(list(games))
    for i, (game, by_player) in enumerate(games.items()):
        cell = points if _has_points(by_player) else _rating
        cells = [cell(by_player[r.player]) if r.player in by_player else "·" for r in rows]
        yield Column(f"game:{game}", labels[game], cells, 30 + i)
    yield from _fault_categories(rows)
    yield from _ratings(rows) if pointed else _ranks(rows, everyone)
    yield from _score_and_game_intervals(rows, games)


def _has_points(by_player: Mapping[str, Standing]) -> bool:
    return any(row.points is not None for row in by_player.values())


def _ranks(rows: Sequence[Standing], everyone: Sequence[Standing]) -> Iterator[Column]:
    yield Column("range", ("rank", "range"), range_cells(rows, everyone), 1)
    if any(r.p_best is not None for r in rows):
        yield Column("best", ("P", "best"), [chance(r.p_best) for r in rows], 5)


def _ratings(rows: Sequence[Standing]) -> Iterator[Column]:
    yield Column("rating", ("", "rating"), [_rating(r) for r in rows], 4)
    yield Column("interval", ("", "95%"), _intervals(rows), 4, right=False, gap=1)


def _unrated_columns(rows: Sequence[Standing]) -> Iterator[Column]:
    """Yields the columns of a game that is not rated."""
    yield _rank(rows)
    yield _player(rows)
    if _has_scores(rows):
        yield Column("score", ("mean", "score"), [mean_score(r) for r in rows], 3)
        yield Column("score interval", ("", "95%"), [mean_interval(r) for r in rows], 4, right=False, gap=1)
    yield _games(rows)
    yield from _retired(rows)
    yield from _failures(rows)


def unanswered(row: Standing) -> bool:
    """Returns whether the player forfeited every match: it has no legal answer, and no rating that means anything."""
    return row.forfeits == row.games > 0


def _rating(row: Standing) -> str:
    return number(row.rating) if row.rated and not unanswered(row) else "–"


def points(row: Standing) -> str:
    """Returns expected points with their interval, `84 (76–90)`; one bound if only one is known."""
    if unanswered(row):
        return f"no legal answer {row.forfeits:,}/{row.games:,}"
    if row.points is None:
        return ""
    low, high = row.points_low or 0.0, 100.0 if row.points_high is None else row.points_high
    if low == high:
        return "reference"
    if high >= 100.0:
        return f"at least {low:.0f}"
    return f"at most {high:.0f}" if low <= 0.0 else f"{row.points:.0f} ({low:.0f}–{high:.0f})"


def _rank(rows: Sequence[Standing]) -> Column:
    return Column("rank", ("", "#"), ["–" if r.rank is None else str(r.rank) for r in rows], 0)


def _player(rows: Sequence[Standing]) -> Column:
    return Column("player", ("", "player"), [clean(r.player) for r in rows], 2, right=False)


def _retired(rows: Sequence[Standing]) -> Iterator[Column]:
    """Yields a column beside the names, if any player is retired."""
    if any(r.retired for r in rows):
        cells = ["retired" if r.retired else "" for r in rows]
        yield Column("retired", ("", ""), cells, 2, right=False, styles=["dim"] * len(rows))


def _games(rows: Sequence[Standing]) -> Column:
    return Column("games", ("", "games"), [f"{r.games:,}{'?' if r.provisional else ''}" for r in rows], 6)


def _failures(rows: Sequence[Standing]) -> Iterator[Column]:
    if not any(r.turns or r.forfeits or r.voids or r.faults for r in rows):
        return  # results from elsewhere tell of no answers
    yield _counts("forfeits", [r.forfeits for r in rows], 8, "red")
    if any(r.voids for r in rows):
        yield _counts("voids", [r.voids for r in rows], 8, "red")
    yield _counts("faults", [sum(r.faults.values()) for r in rows], 9, "yellow")


def _fault_categories(rows: Sequence[Standing]) -> Iterator[Column]:
    present = {category for r in rows for category, count in r.faults.items() if count}
    categories = [c for c in CATEGORIES if c in present] + sorted(present.difference(CATEGORIES))
    for i, category in enumerate(categories):
        yield _counts(category, [r.faults.get(category, 0) for r in rows], 10 + i, "yellow")


def _score_and_game_intervals(rows: Sequence[Standing], games: Games) -> Iterator[Column]:
    """Returns the intervals of the mean score and of each game's rating, each to the right of its column."""
    columns = [Column("score interval", ("", "95%"), [mean_interval(r) for r in rows], 20, right=False, gap=1)]
    for i, (game, by_player) in enumerate(games.items()):
        if _has_points(by_player):
            continue  # they have intervals of their own
        played = [by_player[r.player] for r in rows if r.player in by_player]
        interval = dict(zip((r.player for r in played), _intervals(played), strict=True))
        cells = [interval.get(r.player, "") for r in rows]
        columns.append(Column(f"interval:{game}", ("", "95%"), cells, 30 + i, right=False, gap=1))
    return (column for column in columns if any(column.cells))


def _has_scores(rows: Sequence[Standing]) -> bool:
    """Returns whether there is a mean score: not over several games, whose returns have different scales."""
    return any(r.score is not None for r in rows)


def _estimate(rating: float | None, high: float | None) -> str:
    """Returns a rating and half of its interval, `25.0 ±1.8`."""
    return "" if rating is None or high is None else f"{number(rating)} ±{number(high - rating)}"


def chance(p: float | None) -> str:
    """Returns a probability in whole percent; `>99%` instead of 100%, because nothing is certain."""
    if p is None:
        return ""
    return ">99%" if p > 0.995 else "<1%" if p < 0.005 else f"{p:.0%}"


def mean_interval(row: Standing) -> str:
    """Half of the interval of a mean return, `±0.12`; empty below two different returns."""
    return "" if row.score_high is None or row.score is None else f"±{number(row.score_high - row.score, 2)}"


def mean_score(row: Standing) -> str:
    """Returns the mean return; `–` over several games."""
    return "–" if row.score is None else number(row.score, 2, sign=True)


def _counts(key: str, counts: Sequence[int], place: int, style: str) -> Column:
    """Returns a column of counts; zeros are dim."""
    return Column(
        key,
        ("", fit(clean(key), LABEL_MAX)),
        [f"{n:,}" for n in counts],
        place,
        styles=[style if n else "dim" for n in counts],
    )


def _win_draw_loss(rows: Sequence[Standing]) -> tuple[tuple[str, str], list[str]]:
    """Header and cells of wins, draws and losses, each right-aligned in its own part of one column."""
    parts = [(f"{r.wins:,}", f"{r.draws:,}", f"{r.losses:,}") for r in rows]
    widths = [max(2, *(len(p[i]) for p in parts)) for i in range(3)] if parts else [2, 2, 2]

    def line(three: Sequence[str]) -> str:
        return " ".join(t.rjust(w) for t, w in zip(three, widths, strict=True))

    return ("", line(("W", "D", "L"))), [line(p) for p in parts]


def _intervals(rows: Sequence[Standing]) -> list[str]:
    """`±1.8` if every interval is symmetric about its rating, otherwise `[25.5, 29.1]`."""
    if all(abs(r.high + r.low - 2 * r.rating) < 0.1 for r in rows):
        halves = ["±" + number((r.high - r.low) / 2) if r.rated else "" for r in rows]
        width = max(map(len, halves), default=0)
        texts = [h.rjust(width) for h in halves]
    else:
        texts = [f"[{number(r.low)}, {number(r.high)}]" if r.rated else "" for r in rows]
    return [
        f"no legal answer {r.forfeits:,}/{r.games:,}" if r.rated and unanswered(r) else text
        for r, text in zip(rows, texts, strict=True)
    ]


def range_cells(rows: Sequence[Standing], everyone: Sequence[Standing]) -> list[str]:
    """`1–3`; empty for rows without a rank."""
    ranges = zip(rows, rank_ranges(rows, everyone), strict=True)
    return ["–".join(map(str, pair)) if r.rated and r.rank else "" for r, pair in ranges]


def rank_groups(rows: Sequence[Standing]) -> list[list[Standing]]:
    """Returns the rows of a table in groups of players that matches link: at each, the ranks begin again."""
    groups: list[list[Standing]] = []
    last = 0
    for row in rows:
        if not groups or (row.rank is not None and row.rank < last):
            groups.append([])
        last = row.rank or last
        groups[-1].append(row)
    return groups


def group_size(row: Standing, rows: Sequence[Standing]) -> int:
    """Returns how many rows of a table the rank of one of them is among."""
    return next(len(group) for group in rank_groups(rows) if row in group)


def rank_ranges(rows: Sequence[Standing], everyone: Sequence[Standing]) -> list[tuple[int, int]]:
    """Returns the (best, worst) rank of each row.

    They come from the batch fit. Without one, a row ranks below the rows whose intervals are entirely above its own,
    and above those entirely below. A player without games may have any rank and does not change other ranges.
    """
    last = len(everyone)
    if any(r.rated and r.rank_low for r in everyone):
        return [(r.rank_low or 1, r.rank_high or last) for r in rows]
    groups = rank_groups(everyone)
    if len(groups) > 1:
        ranges = {row.player: x for group in groups for row, x in zip(group, rank_ranges(group, group), strict=True)}
        return [ranges[row.player] for row in rows]
    everyone = [r for r in everyone if r.rated]
    n = len(everyone)
    lows, highs = sorted(r.low for r in everyone), sorted(r.high for r in everyone)

    def of(row: Standing) -> tuple[int, int]:
        worst = n - bisect_left(highs, row.low)
        # Rows that are not rated may stand above one whose matches have not moved its rating yet.
        return n - bisect_right(lows, row.high) + 1, max(worst, row.rank or 0)

    return [of(row) if row.games else (1, last) for row in rows]
