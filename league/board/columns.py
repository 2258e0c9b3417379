"""The leaderboard's columns: what each shows, and which of them a width has room for.

Names come first: they are shortened only so far that all rows can still be told apart, and take up to two fifths of a
narrow board. It gives columns up in a fixed order, the last of this list first: rank, player, rating, interval, batch
fit (beside another method's rating), games, W D L, forfeits, faults, score, one rating per game, one count per category
of fault, range of ranks, probability of being above the next row, of being the best, online rating, the
intervals of score and games, interval drawn.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence

import msgspec
from rich.cells import cell_len

from league.board.cells import clean, fit, number, pad
from league.board.names import needed, shortened
from league.standings import Standing

GAP = 2
NAME_MAX = 40
DRAWN_MAX, DRAWN_MIN = 32, 14
CATEGORIES = ("illegal", "unparsable", "empty", "truncated", "timeout", "error")
HEAD_MAX = 13

Games = Mapping[str, Mapping[str, Standing]]
"""game -> player -> standing"""


class Column(msgspec.Struct):
    """One column: two header lines and a cell and a style for each row."""

    key: str
    head: tuple[str, str]
    cells: list[str]
    place: int
    """position from the left"""
    right: bool = True
    gap: int = GAP
    styles: list[str] | None = None
    width: int = 0

    def __post_init__(self) -> None:
        self.width = max(map(cell_len, (*self.head, *self.cells)))

    def padded(self, texts: Sequence[str]) -> list[str]:
        """`texts` in this column's width, the gap before each."""
        before = " " * self.gap
        return [before + pad(text, self.width, self.right) for text in texts]


def choose(
    rows: Sequence[Standing], everyone: Sequence[Standing], games: Games, width: int
) -> tuple[list[Column], int]:
    """The columns that fit into `width` cells, from left to right, and how many game columns did not fit.

    `everyone` is the whole table that `rows` is the top of: the range of ranks depends on all.
    """
    rank, name, *others = _candidates(rows, everyone, games)
    taken = [rank, name]
    names, natural = name.cells, name.width
    room = max(4, width - rank.width - name.gap)
    name.width = min(natural, room, max(needed(names, min(NAME_MAX, room)), width * 2 // 5))
    used = rank.width + name.gap + name.width
    for column in others:
        used += column.gap + column.width
        if used > width:
            used -= column.gap + column.width
            break
        taken.append(column)
    missed = len(games) - sum(c.key.startswith("game:") for c in taken)
    spare = max(0, width - used)
    more = min(spare, natural - name.width)
    name.width += more
    name.cells = shortened(names, name.width)
    drawn = min(DRAWN_MAX, spare - more - GAP)
    if drawn >= DRAWN_MIN and sum(r.rated for r in rows) > 1 and len(taken) == 2 + len(others):
        taken.append(_drawn(rows, drawn))
    taken.sort(key=lambda c: c.place)
    taken[0].gap = 0
    return taken, missed


def natural_width(everyone: Sequence[Standing], games: Games) -> int:
    """Cells that every column and every name have room in, the drawn interval aside."""
    columns = _candidates(everyone, everyone, games)
    return sum(c.gap + min(c.width, NAME_MAX) for c in columns) - columns[0].gap


def _candidates(rows: Sequence[Standing], everyone: Sequence[Standing], games: Games) -> list[Column]:
    """All columns in order of importance, the drawn interval aside."""
    rank = Column("rank", ("", "#"), ["–" if r.rank is None else str(r.rank) for r in rows], 0)
    player = Column("player", ("", "player"), [clean(r.player) for r in rows], 2, right=False)
    played = Column("games", ("", "games"), [f"{r.games:,}{'?' if r.provisional else ''}" for r in rows], 6)
    failed = [
        _counts("forfeits", [r.forfeits for r in rows], 8, "red"),
        _counts("faults", [sum(r.faults.values()) for r in rows], 9, "yellow"),
    ]
    score = [Column("score", ("mean", "score"), [mean_score(r) for r in rows], 20)]
    if all(r.score is None for r in rows):
        score = []  # over several games: returns on different scales have no mean
    if not any(r.rated for r in rows):
        reach = Column("score interval", ("", "95%"), [mean_reach(r) for r in rows], 4, right=False, gap=1)
        for column in score:
            column.place = 3
        return [rank, player, *score, *([reach] if score else []), played, *failed]
    found = [
        rank,
        player,
        Column("rating", ("", "rating"), [number(r.rating) if r.rated else "–" for r in rows], 3),
        Column("interval", ("", "95%"), _intervals(rows), 4, right=False, gap=1),
        *_fitted(rows),
        played,
        Column("wdl", *_win_draw_loss(rows), 7),
        *failed,
        *score,
    ]
    if any(r.distinct is not None and r.distinct < r.games for r in rows):
        cells = [f"{r.games if r.distinct is None else r.distinct:,}" for r in rows]
        found.insert(found.index(played) + 1, Column("distinct", ("", "distinct"), cells, 6))
    labels = game_labels(list(games))
    for i, (game, by_player) in enumerate(games.items()):
        cells = [number(by_player[r.player].rating) if r.player in by_player else "·" for r in rows]
        found.append(Column(f"game:{game}", labels[game], cells, 30 + i))
    seen = {category for r in rows for category, count in r.faults.items() if count}
    known = [c for c in CATEGORIES if c in seen] + sorted(seen.difference(CATEGORIES))
    for i, category in enumerate(known):
        found.append(_counts(category, [r.faults.get(category, 0) for r in rows], 10 + i, "yellow"))
    pairs = zip(rows, ranges(rows, everyone), strict=True)
    found.append(
        Column("range", ("rank", "range"), ["–".join(map(str, p)) if r.rated and r.rank else "" for r, p in pairs], 1)
    )
    if any(r.above_next is not None for r in rows):
        found.append(Column("above", ("above", "next"), [_chance(r.above_next) for r in rows], 5))
    if any(r.p_best is not None for r in rows):
        found.append(Column("best", ("P", "best"), [_chance(r.p_best) for r in rows], 5))
    if any(r.online_rating is not None for r in rows):
        found.append(Column("online", ("online", "95%"), [_online(r) for r in rows], 5))
    return found + _reaches(rows, games)


def _reaches(rows: Sequence[Standing], games: Games) -> list[Column]:
    """The intervals of the mean score and of each game's rating, each right of its column."""
    found = [Column("score interval", ("", "95%"), [mean_reach(r) for r in rows], 20, right=False, gap=1)]
    for i, (game, by_player) in enumerate(games.items()):
        played = [by_player[r.player] for r in rows if r.player in by_player]
        reach = dict(zip((r.player for r in played), _intervals(played), strict=True))
        cells = [reach.get(r.player, "") for r in rows]
        found.append(Column(f"interval:{game}", ("", "95%"), cells, 30 + i, right=False, gap=1))
    return [column for column in found if any(column.cells)]


def _fitted(rows: Sequence[Standing]) -> list[Column]:
    """The batch fit beside the rating of another method: early, as its intervals hold where those may not."""
    if all(r.bt_rating in (None, r.rating) for r in rows):
        return []
    return [Column("batch", ("batch", "fit, 95%"), [_batch(r) for r in rows], 5)]


def _batch(row: Standing) -> str:
    """The batch fit's rating and half its interval."""
    if row.bt_rating is None or row.bt_high is None:
        return ""
    return f"{number(row.bt_rating)} ±{number(row.bt_high - row.bt_rating)}"


def _online(row: Standing) -> str:
    """The rating updated match by match and half its interval."""
    if row.online_rating is None or row.online_high is None or not row.rated:
        return ""
    return f"{number(row.online_rating)} ±{number(row.online_high - row.online_rating)}"


def _chance(p: float | None) -> str:
    """A probability in whole percent, `>99%` rather than a certainty there never is."""
    if p is None:
        return ""
    return ">99%" if p > 0.995 else "<1%" if p < 0.005 else f"{p:.0%}"


def mean_reach(row: Standing) -> str:
    """Half the interval of a mean return, `±0.12`; empty below two different returns."""
    return "" if row.score_high is None or row.score is None else f"±{number(row.score_high - row.score, 2)}"


def mean_score(row: Standing) -> str:
    """The mean return, `–` over several games."""
    return "–" if row.score is None else number(row.score, 2, sign=True)


def _counts(key: str, counts: Sequence[int], place: int, style: str) -> Column:
    """A count of failures: nothing to see where it is 0."""
    return Column(
        key,
        ("", fit(clean(key), HEAD_MAX)),
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
    """`±1.8` where every interval lies evenly around its rating, else `[25.5, 29.1]`."""
    if all(abs(r.high + r.low - 2 * r.rating) < 0.1 for r in rows):
        halves = ["±" + number((r.high - r.low) / 2) if r.rated else "" for r in rows]
        width = max(map(len, halves), default=0)
        return [h.rjust(width) for h in halves]
    return [f"[{number(r.low)}, {number(r.high)}]" if r.rated else "" for r in rows]


def ranges(rows: Sequence[Standing], everyone: Sequence[Standing]) -> list[tuple[int, int]]:
    """(best, worst) rank of each row: the batch fit's, else what the intervals allow, counting only who lies wholly
    above or below. Who was compared with nobody may have any rank, and narrows or widens nobody else's.
    """
    everyone = [r for r in everyone if r.rated]
    n = len(everyone)
    if any(r.rank_low for r in everyone):
        return [(r.rank_low or 1, r.rank_high or n) for r in rows]
    lows, highs = sorted(r.low for r in everyone), sorted(r.high for r in everyone)
    return [(n - bisect_right(lows, r.high) + 1, n - bisect_left(highs, r.low)) if r.games else (1, n) for r in rows]


def _drawn(rows: Sequence[Standing], width: int) -> Column:
    """Each interval on one common axis, `├──●──┤`."""
    low, high = min(r.low for r in rows if r.rated), max(r.high for r in rows if r.rated)
    scale = (width - 1) / (high - low) if 0 < high - low < float("inf") else 0.0
    cells = []
    for r in rows:
        line = [" "] * width
        if scale and r.rated:
            a, m, b = (min(width - 1, max(0, round((x - low) * scale))) for x in (r.low, r.rating, r.high))
            line[a : b + 1] = "─" * (b - a + 1)
            line[a], line[b], line[m] = "├", "┤", "●"
        cells.append("".join(line))
    ends = number(low), number(high)
    axis = ends[0] + ends[1].rjust(width - len(ends[0]))
    return Column("drawn", ("", axis), cells, 5, right=False, styles=["cyan"] * len(rows))


def game_labels(games: Sequence[str]) -> dict[str, tuple[str, str]]:
    """Two header lines for each game, short but different: `kuhn` over `poker`, or `kuhn_poker` over `players=3`."""
    shorts = {g: _short(g) for g in games}
    labels: dict[str, tuple[str, str]] = {}
    for game in games:
        base, params = shorts[game]
        clash = [g for g in games if shorts[g] == shorts[game]]
        if params:
            label = base, params
        elif len(clash) > 1:
            label = game.partition("/")[0], base
        else:
            label = _halves(base)
        labels[game] = fit(label[0], HEAD_MAX), fit(label[1], HEAD_MAX)
    return labels


def _short(game: str) -> tuple[str, str]:
    """Base name without namespace and version, and the parameters."""
    head, _, params = clean(game).partition("(")
    return re.sub(r"[-_]v\d+$", "", head.rpartition("/")[2]) or head, params.removesuffix(")")


def _halves(name: str) -> tuple[str, str]:
    """A long name over two lines, at the underscore nearest to its middle."""
    cuts = [m.start() for m in re.finditer(r"[_-]", name)]
    if len(name) <= 7 or not cuts:
        return "", name
    cut = min(cuts, key=lambda i: abs(i - len(name) / 2))
    return name[:cut], name[cut + 1 :]
