"""From rows to matches: each row, or all rows of a match, is read or named as bad."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from games import InputError
from league.imports.columns import TableShape, checked_shape
from league.imports.reading import BadRow, Source, SourceRow
from league.imports.words import (
    ALLOWED,
    DRAW,
    FIRST,
    SECOND,
    column_words,
    compared,
    is_empty,
    is_true,
    moment,
    number,
    once,
    place,
    text_of,
)

GAME = "results"
"""the name of the game of a table that names none"""
_MOST = 10
"""bad rows that are named"""
_ENOUGH, _ONE_WAY = 30, 0.95
"""decided matches, and the share of them that one seat wins, from which the order of a file is that of the finish"""
_LONGEST = 80
"""characters of a value in a message"""
_RANKS = {FIRST: (0, 1), DRAW: (0, 0), SECOND: (1, 0)}


class ImportedMatch(NamedTuple):
    """A match: the players of each side, and the ranks of the sides, 0 is best. `seated`: the first side sat first."""

    sides: tuple[tuple[str, ...], ...]
    ranks: tuple[int, ...]
    game: str = GAME
    task: str = ""
    date: float | None = None
    seated: bool = False


@dataclass
class ImportedMatches:
    """The matches of a table, and in `notes` what a reader of its standings must know. `bad`: rows left out."""

    name: str
    matches: list[ImportedMatch]
    notes: list[str]
    bad: list[str]
    """one line for each"""
    seats: tuple[str, str] = ("", "")
    """names of the columns of both players"""


class BadRows(InputError):
    """Rows of a table cannot be read. `lines` names the first of them."""

    def __init__(self, source: Source) -> None:
        self.lines = [line if line.startswith("and ") else f"{source.name}, {line}" for line in _lines(source)]
        self.count = len(source.bad)
        rows = f"{self.count:,} bad row{'s' * (self.count > 1)}"
        super().__init__(f"{'; '.join(self.lines)}. {rows}: correct them, or add --skip-bad (skip_bad=True)")


@dataclass
class _Reader:
    """Reads the rows of one table."""

    source: Source
    shape: TableShape
    left: Counter[str] = field(default_factory=Counter)
    """matches without a result and the like, by the reason"""
    words: Mapping[str, int] = field(default_factory=dict)
    moments: Any = field(default_factory=lambda: once(moment))
    undated: str = ""
    """the first date that cannot be read"""

    @property
    def names_winner(self) -> bool:
        """Whether the column of results says who won, and not what the first player got."""
        column = self.shape.results[0]
        return "win" in column or column in ("preference", "vote", "label")

    def matches(self) -> Iterator[ImportedMatch]:
        """Yields the matches; rows that cannot be read go to `source.bad`."""
        if self.shape.long:
            yield from self._long()
            return
        if self.shape.kind == "result":
            self.words = self._column_words()
        for row in self.source.rows:
            try:
                yield from self._wide(row)
            except ValueError as error:
                self.source.bad.append(BadRow(row.place, str(error)))

    def _column_words(self) -> Mapping[str, int]:
        column, sides = self.shape.results[0], (self.shape.sides[0][0], self.shape.sides[1][0])
        values = {text_of(row.values.get(column)) for row in self.source.rows}
        return column_words(values, sides, self.names_winner)

    def _wide(self, row: SourceRow) -> Iterator[ImportedMatch]:
        """Yields the matches of a row with all players of a match. Raises ValueError."""
        if self.shape.kind in ("result", "scores", "marks") and self._is_open(row):
            self.left["without a result"] += 1
            return
        sides = tuple(tuple(self._name(row, column) for column in side) for side in self.shape.sides)
        outcomes = list(self._outcomes(row, sides))
        if len({*sides[0], *sides[1]}) < len(sides[0]) + len(sides[1]):
            self.left["of a player against itself"] += 1
            outcomes = []
        for outcome in outcomes:
            neutral = self.shape.neutral and is_true(self._text(row, self.shape.neutral))
            seated = self.shape.kind != "winner" and not neutral
            yield self._match(row, sides, _RANKS[outcome], seated)

    def _is_open(self, row: SourceRow) -> bool:
        """Returns whether a match has no result, as one that is still to be played. Its players may be unknown too."""
        texts = [self._text(row, column) for column in self.shape.results]
        return not any(map(is_true, texts)) if self.shape.kind == "marks" else any(map(is_empty, texts))

    def _outcomes(self, row: SourceRow, sides: Sequence[Sequence[str]]) -> Iterator[int]:
        texts = [self._text(row, column) for column in self.shape.results]
        match self.shape.kind:
            case "winner":
                yield DRAW if self.shape.draw and is_true(self._text(row, self.shape.draw)) else FIRST
            case "result":
                yield self._outcome(texts[0], sides[0][0], sides[1][0])
            case "scores":
                yield compared(*(self._number(row, column) for column in self.shape.results))
            case "marks":
                set_ = [outcome for outcome, text in zip((FIRST, SECOND, DRAW), texts, strict=True) if is_true(text)]
                if len(set_) > 1:
                    raise ValueError(f"{len(set_)} of {', '.join(map(self._column, self.shape.results))} are 1; one is")
                yield from set_
            case "counts":
                columns = [*self.shape.results, *filter(None, [self.shape.draw])]
                for outcome, column in zip((FIRST, SECOND, DRAW), columns, strict=False):
                    times = self._number(row, column) if not is_empty(self._text(row, column)) else 0.0
                    if times != int(times) or not 0 <= times <= 1_000_000:
                        raise ValueError(f"{self._column(column)} {times:g}; it is a number of matches")
                    yield from [outcome] * int(times)

    def _outcome(self, text: str, first: str, second: str) -> int:
        """Returns what a result says. In a column of winners, names go before words such as `a`. Raises ValueError."""
        outcome = self.words.get(text)
        if text in (first, second) and (self.names_winner or outcome is None):
            outcome = FIRST if text == first else SECOND
        if outcome is None:
            raise ValueError(f"{self._column(self.shape.results[0])} {_short(text)}; allowed: {ALLOWED}")
        return outcome

    def _long(self) -> Iterator[ImportedMatch]:
        """Yields matches whose players are rows."""
        groups: dict[tuple[str, str], list[SourceRow]] = {}
        for row in self.source.rows:
            label = self._text(row, self.shape.match)
            if label:
                groups.setdefault((self._text(row, self.shape.game), label), []).append(row)
            else:
                self.source.bad.append(BadRow(row.place, f"no {self._column(self.shape.match)}"))
        read = [rows for rows in map(self._placed, groups.values()) if rows is not None]
        teams = bool(self.shape.team) and self._are_teams(read)
        for rows in read:
            yield from self._together(rows, teams)

    def _placed(self, rows: Sequence[SourceRow]) -> list[tuple[SourceRow, str, float]] | None:
        """Returns row, player and place of those that started a match, less is better; None if a row is bad: what is
        left of a match would be another one.
        """
        out, bad = [], len(self.source.bad)
        names: set[str] = set()
        for row in rows:
            try:
                name = self._name(row, self.shape.sides[0][0])
                if name in names:
                    raise ValueError(f"{_short(name)} is twice in this match")
                names.add(name)
                worth = self._worth(row)
                if worth is None:
                    self.left["of players who did not start or have no place"] += 1
                else:
                    out.append((row, name, worth))
            except ValueError as error:
                self.source.bad.append(BadRow(row.place, str(error)))
        return out if len(self.source.bad) == bad else None

    def _worth(self, row: SourceRow) -> float | None:
        column = self.shape.results[0]
        text = self._text(row, column)
        if is_empty(text):
            return None
        if self.shape.kind == "score":
            return -self._number(row, column)
        try:
            return place(text)
        except ValueError:
            raise ValueError(f"{self._column(column)} {_short(text)}; allowed: 1, 2, 3, ..., or DNF") from None

    def _are_teams(self, matches: Sequence[Sequence[tuple[SourceRow, str, float]]]) -> bool:
        """Returns whether the players of a team share a place in every match. Formula 1's two drivers do not."""
        for rows in matches:
            places: dict[str, float] = {}
            for row, _, worth in rows:
                team = self._text(row, self.shape.team)
                if team and places.setdefault(team, worth) != worth:
                    self.source.notes.append(
                        f"{self._column(self.shape.team)} is no team that shares a result ({_short(team)} has several "
                        "places in one match): each player is rated alone"
                    )
                    return False
        return True

    def _together(self, rows: Sequence[tuple[SourceRow, str, float]], teams: bool) -> Iterator[ImportedMatch]:
        sides: dict[str, list[str]] = {}
        worths: list[float] = []
        for number_, (row, name, worth) in enumerate(rows):
            team = self._text(row, self.shape.team) if teams else ""
            side = sides.setdefault(team or f"\x1f{number_}", [])
            worths += [] if side else [worth]
            side.append(name)
        if len(sides) < 2:
            self.left["with fewer than two sides"] += 1
            return
        ranks = tuple(sum(other < worth for other in worths) for worth in worths)
        yield self._match(rows[0][0], tuple(map(tuple, sides.values())), ranks, False)

    def _match(self, row: SourceRow, sides: Any, ranks: tuple[int, ...], seated: bool) -> ImportedMatch:
        date, text = None, self._text(row, self.shape.date)
        if text:
            date = self.moments(text)
            self.undated = self.undated or ("" if date is not None else text)
        game = self._text(row, self.shape.game) or GAME
        return ImportedMatch(sides, ranks, game, self._text(row, self.shape.task), date, seated)

    def _text(self, row: SourceRow, column: str) -> str:
        return text_of(row.values.get(column)) if column else ""

    def _name(self, row: SourceRow, column: str) -> str:
        name = " ".join(self._text(row, column).split())
        if not name:
            raise ValueError(f"no {self._column(column)}")
        return name

    def _number(self, row: SourceRow, column: str) -> float:
        text = self._text(row, column)
        try:
            return number(text)
        except ValueError:
            raise ValueError(f"{self._column(column)} {_short(text)}; it is a number") from None

    def _column(self, column: str) -> str:
        return self.source.columns.get(column, column)


def matches_of(source: Source, *, skip_bad: bool = False) -> ImportedMatches:
    """Returns the matches of a table.

    Raises InputError for a table without the needed columns, for one with bad rows unless `skip_bad`, and for one
    without a match.
    """
    if not source.columns and source.bad:
        raise BadRows(source)
    shape = checked_shape(source)
    reader = _Reader(source, shape)
    matches = list(reader.matches())
    if source.bad and not skip_bad:
        raise BadRows(source)
    if not matches:
        reason = "".join(f"; left out: {n:,} {why}" for why, n in reader.left.items())
        raise InputError(f"no match with a result is in {source.name}{reason}")
    if reader.undated:
        source.notes.append(f"dates are not used: {_short(reader.undated)} is none; write 2024-05-31")
        matches = [match._replace(date=None) for match in matches]
    source.notes += [f"left out: {n:,} {why}" for why, n in reader.left.items()]
    if source.bad:
        source.notes.append(f"left out, because they cannot be read: {len(source.bad):,}")
    columns = (shape.sides[0][0], shape.sides[1][0]) if shape.kind not in ("winner", "rank", "score") else ("", "")
    seats = source.columns.get(columns[0], ""), source.columns.get(columns[1], "")
    if shape.kind == "winner":
        source.notes.append("the table names winners and losers, not seats: no seat has an effect")
    return ImportedMatches(source.name, list(_unseated(matches, source.notes)), source.notes, _lines(source), seats)


def _unseated(matches: Sequence[ImportedMatch], notes: list[str]) -> Iterator[ImportedMatch]:
    """Yields the matches; those of a game whose order tells nothing of seats are not seated."""
    games: dict[str, list[ImportedMatch]] = {}
    for match in matches:
        games.setdefault(match.game, []).append(match)
    without = set[str]()
    for game, played in games.items():
        here = f" of {game}" if len(games) > 1 else ""
        seated = [match for match in played if match.seated]
        won = Counter(match.ranks.index(0) for match in seated if match.ranks != (0, 0))
        seat, wins = max(won.items(), key=lambda item: item[1], default=(0, 0))
        if won.total() > _ENOUGH and wins >= _ONE_WAY * won.total():
            without.add(game)
            first = ("first", "second")[seat]
            notes.append(
                f"the {first} player won {wins:,} of {won.total():,} decided matches{here}: the order is taken as that "
                "of the finish, and no seat has an effect"
            )
        elif seated and not {m.sides[0] for m in seated} & {m.sides[1] for m in seated}:
            without.add(game)
            notes.append(f"no player{here} sat on both sides: what a seat is worth cannot be told from the players")
    return (match._replace(seated=False) if match.game in without else match for match in matches)


def _short(text: str) -> str:
    return repr(text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…")


def _lines(source: Source) -> list[str]:
    """Returns a line for each of the first bad rows, and one that counts the others."""
    bad = sorted(source.bad)
    lines = [f"{source.unit} {row.place:,}: {row.what}" for row in bad[:_MOST]]
    return [*lines, *([f"and {len(bad) - _MOST:,} more"] if len(bad) > _MOST else [])]


def span(matches: Sequence[ImportedMatch]) -> tuple[float, float] | None:
    """Returns the first and the last date; None if a match has none."""
    dates = [match.date if match.date is not None else math.nan for match in matches]
    return None if any(map(math.isnan, dates)) else (min(dates), max(dates))
