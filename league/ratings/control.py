"""Ratings with covariates held fixed: what is left of the differences if answers were equally long, seats equal.

The fit of the board gets one more unknown for each covariate: the gap of a comparison is that of the skills plus effect
times covariate (style control, as leaderboards of chat models have it; Li, Angelopoulos and Chiang, "Does style
matter?", 2024). All matches and all unknowns are fitted together, so the interval of an effect counts the doubt about
skills, and the interval of a skill that about the effect. An effect is an association: players that write more because
they know more lose a part of their skill to it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from math import log2
from typing import NamedTuple

import msgspec
import numpy as np

from games import InputError, UnknownName
from league.config.tournament import RatingConfig
from league.outcomes.arrays import Ints, runs_of
from league.outcomes.outcome import ranks_of
from league.outcomes.table import OutcomeTable
from league.ratings.comparisons.count_arrays import Counts, Units, canonical
from league.ratings.fit.fit import Fit
from league.ratings.fit.many_players import MANY
from league.ratings.fit.skill_model import SkillModel
from league.ratings.one_thread import one_thread
from league.ratings.online.tally import Z95
from league.records.game_info import GameInfo
from league.records.matches import Result, SeatResult


class AnswerStyle(NamedTuple):
    """What a side answered in a match: completion tokens, and signs of format."""

    tokens: int
    marks: int


class Covariate(NamedTuple):
    """A number of every match: what it says of the first side and the second, and the unit of its effect."""

    of: Callable[[AnswerStyle, AnswerStyle], float]
    unit: str


def _longer(a: AnswerStyle, b: AnswerStyle) -> float:
    """Returns how often the tokens of b must be doubled to be those of a; 0 if one of them is not counted."""
    return log2(a.tokens / b.tokens) if a.tokens > 0 and b.tokens > 0 else 0.0


def _more_formatted(a: AnswerStyle, b: AnswerStyle) -> float:
    return log2((1 + a.marks) / (1 + b.marks))  # an answer without any is the usual one


FIRST, FORMAT = "first", "format"
COVARIATES: dict[str, Covariate] = {
    "length": Covariate(_longer, "for twice the tokens of the other side"),
    FORMAT: Covariate(_more_formatted, "for twice the signs of format"),
    FIRST: Covariate(lambda a, b: 1.0, "for the first side"),
}
_MARK = re.compile(r"^[ \t]*(?:#{1,6}[ \t]|[-*+][ \t]|\d+[.)][ \t])|\*\*[^*\n]+\*\*|```[^`]*```", re.MULTILINE)


def marks_of(text: str) -> int:
    """Returns the number of signs of format in an answer, as Markdown has them: headings, list items, bold, code."""
    return len(_MARK.findall(text))


Marks = Mapping[str, Mapping[str, int]]
"""match -> seat -> the signs of format in its answers"""


class Effect(msgspec.Struct, frozen=True):
    """What a covariate is worth, in rating points with a 95% interval."""

    name: str
    unit: str
    points: float
    low: float
    high: float


class ControlledRow(msgspec.Struct, frozen=True):
    """A player's rating with the covariates held fixed, and without, with their 95% intervals."""

    player: str
    rating: float
    low: float
    high: float
    without: float
    without_low: float
    without_high: float


class Controlled(msgspec.Struct, frozen=True):
    """`rows`: by rating, only players that were compared. `matches`: those that the fit compares."""

    game: str
    matches: int
    effects: tuple[Effect, ...]
    rows: tuple[ControlledRow, ...]


@one_thread
def controlled(
    results: Sequence[Result],
    games: Mapping[str, GameInfo],
    game: str,
    names: Sequence[str],
    config: RatingConfig,
    marks: Marks | None = None,
) -> Controlled:
    """Returns the ratings of a game with and without the covariates `names`; `format` takes the `marks` of its matches.

    Repeats do not count, as on the board. Raises InputError for an unknown covariate, for a game whose matches do not
    compare two players each, and for a field that is too large.
    """
    for name in names:
        if name not in COVARIATES:
            raise UnknownName("covariate", name, COVARIATES)
    info = games[game]
    if info.teams or info.size != 2 or info.by_pairing or not info.rated or info.payoff == "cooperative":
        raise InputError(
            f"{game} is not rated match by match between two players, so nothing can be controlled there; choose "
            "another game with --game"
        )
    counts = _counts([one for one in results if one.game == game], info, game, names, marks or {})
    if len(counts.players) > MANY:
        raise InputError(f"{game} has more than {MANY:,} players; rate a part of them in a run of its own")
    model = SkillModel(mu=config.mu, beta=config.beta, intervals=config.intervals)
    plain, fit = (model.fit(each) for each in (replace(counts, covariates=counts.covariates[:0]), counts))
    effects = [
        Effect(name, COVARIATES[name].unit, points, points - Z95 * sd, points + Z95 * sd)
        for name, (points, sd) in zip(names, fit.effects, strict=True)
    ]
    return Controlled(game, int(counts.n.sum()), tuple(effects), tuple(_rows(fit, plain)))


def _rows(fit: Fit, plain: Fit) -> Iterable[ControlledRow]:
    (low, high), (before, above) = fit.interval(), plain.interval()
    columns = fit.ratings, low, high, plain.ratings, before, above
    for place in fit.order():
        if fit.played[place]:
            yield ControlledRow(fit.players[place], *(float(column[place]) for column in columns))


def _counts(results: Sequence[Result], info: GameInfo, game: str, names: Sequence[str], marks: Marks) -> Counts:
    """Returns a cell for each match, with its covariates. Who moves first is a covariate, or has the seat's term."""
    table = OutcomeTable({game: info})
    table.add(results)
    evidence = set(table.rows().evidence().index.tolist())
    kept = sorted((one for one in results if one.index in evidence), key=lambda one: one.index)
    if not kept:
        raise InputError(f"no match of {game} has compared two players yet")
    places = {seat: place for place, side in enumerate(info.sides) for seat in side}
    pairs = [sorted(one.seats, key=lambda seat: places[seat.seat]) for one in kept]
    ranks = [dict(zip((seat.seat for seat in one.seats), ranks_of((one,), info)[0], strict=True)) for one in kept]
    players = sorted({seat.player for pair in pairs for seat in pair})
    number = {player: place for place, player in enumerate(players)}
    a, b = np.array([[number[seat.player] for seat in pair] for pair in pairs], np.int64).T
    won = np.array([np.sign(rank[x.seat] - rank[y.seat]) for rank, (x, y) in zip(ranks, pairs, strict=True)])
    zero, n = np.zeros(len(kept), np.int64), np.zeros((3, len(kept)), np.int64)
    n[1 + won.astype(np.int64), np.arange(len(kept))] = 1
    second = zero if FIRST in names else zero + 1
    covariates = np.array(
        [
            # nobody judged the answers of a match that a side forfeited
            [
                COVARIATES[name].of(*(_answers(one, seat, marks) for seat in pair))
                * (name == FIRST or one.status != "forfeit")
                for name in names
            ]
            for one, pair in zip(kept, pairs, strict=True)
        ]
    ).T
    for name, column in zip(names, covariates, strict=True):
        if not column.any():
            raise InputError(f"{name} is the same for both sides of every match of {game}; leave it out of --control")
    columns = np.stack([zero, a, b, zero, second, zero, zero + 1, zero + 2])
    units = _units(table.rows().evidence().pairing, np.array([one.task for one in kept], np.int64), won)
    return Counts(tuple(players), (game,), ("first", "second"), columns, n, units, covariates)


def _answers(result: Result, seat: SeatResult, marks: Marks) -> AnswerStyle:
    return AnswerStyle(seat.tokens, marks.get(result.match, {}).get(seat.seat, 0))


def _units(pairing: Ints, task: Ints, won: Ints) -> Units:
    """Returns the sets of matches of each task, or of a pairing without one."""
    together = np.where(task, -task, pairing)
    order = np.argsort(together, kind="stable")
    sizes = runs_of(together[order])[1]
    number = np.repeat(np.arange(len(sizes)), sizes)
    several = sizes[number] > 1
    count = (sizes > 1).astype(np.int64)
    return canonical(Units(number[several], order[several], 1 + won[order][several].astype(np.int64), count, 0 * count))
