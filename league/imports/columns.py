"""What the columns of a table mean: which of them name players, results, matches, dates, tasks and games."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Literal

from games import InputError
from league.imports.reading import Source

_PAIRS = (
    ("a", "b"),
    ("playera", "playerb"),
    ("player1", "player2"),
    ("playerone", "playertwo"),
    ("modela", "modelb"),
    ("model1", "model2"),
    ("white", "black"),
    ("hometeam", "awayteam"),
    ("home", "away"),
    ("home", "visitor"),
    ("visitor", "opponent"),
    ("teama", "teamb"),
    ("team1", "team2"),
    ("left", "right"),
    ("first", "second"),
    ("modelx", "modely"),
    ("playerx", "playery"),
    ("x", "y"),
    ("p1", "p2"),
    ("agenta", "agentb"),
    ("agent1", "agent2"),
    ("bota", "botb"),
    ("bot1", "bot2"),
    ("system1", "system2"),
    ("systema", "systemb"),
    ("engine1", "engine2"),
    ("competitora", "competitorb"),
    ("name1", "name2"),
    ("player", "opponent"),
)
"""keys of the columns of the two players; where a table has several, the first of these counts"""
_RESULTS = (
    *("result", "outcome", "winner", "ftr", "verdict", "judgment", "judgement", "preference", "vote", "label"),
    *("winnerside", "g1winner", "score"),
)
_SCORES = (
    ("homescore", "awayscore"),
    ("scorea", "scoreb"),
    ("score1", "score2"),
    ("fthg", "ftag"),
    ("homegoals", "awaygoals"),
    ("goals1", "goals2"),
    ("pointsa", "pointsb"),
    ("points1", "points2"),
    ("homepoints", "awaypoints"),
    ("player1score", "player2score"),
    ("playerascore", "playerbscore"),
    ("returna", "returnb"),
    ("rewarda", "rewardb"),
)
_COUNTS = (("winsa", "winsb"), ("wins1", "wins2"), ("win1", "win2"), ("homewins", "awaywins"))
_MARKS = (("winnermodela", "winnermodelb", "winnertie"), ("winnera", "winnerb", "tie"))
"""columns of which one is 1"""
_DRAW = ("draw", "tie", "isdraw", "istie", "drawn", "tied", "draws", "ties")
_WINNERS = (
    (("winner1name", "winner2name"), ("loser1name", "loser2name")),
    (("winnername",), ("losername",)),
    (("winner",), ("loser",)),
    (("winningteam",), ("losingteam",)),
    (("winnerid",), ("loserid",)),
    (("chosenmodel",), ("rejectedmodel",)),
    (("chosen",), ("rejected",)),
)
_MATCH = (
    "match",
    "matchid",
    "gameid",
    "raceid",
    "race",
    "event",
    "eventid",
    "heat",
    "round",
    "track",
    "episode",
    "game",
)
_PLAYER = (
    "player",
    "playername",
    "name",
    "driver",
    "model",
    "agent",
    "bot",
    "competitor",
    "participant",
    "athlete",
    "team",
)
_RANK = ("rank", "place", "position", "pos", "placement", "finish", "standing", "positionorder")
_SCORE = ("score", "return", "reward", "points", "value")
_TEAM = ("team", "teamid", "side", "squad")
_DATE = ("date", "utcdate", "day", "matchdate", "tourneydate", "playedat", "createdat", "timestamp", "tstamp", "time")
_TASK = ("task", "taskid", "questionid", "promptid", "question", "prompt", "problem", "item")
_GAME = ("game", "gamename", "environment", "env", "benchmark")
_NEUTRAL = ("neutral",)

ACCEPTED = (
    "a, b, result (1, 0, 0.5, 1-0, 0-1, 1/2-1/2, win, loss, draw, a, b, tie)",
    "winner, loser",
    "match, player, rank (or score; for teams also team)",
)
"""the shapes of a table, in words"""
Kind = Literal["result", "scores", "counts", "marks", "winner", "rank", "score"]


@dataclass(frozen=True)
class TableShape:
    """Which columns a table of results has, by their keys. "" and () for columns that it lacks."""

    kind: Kind
    sides: tuple[tuple[str, ...], ...]
    """the columns that name the players of each side; of a long table only that of the player"""
    results: tuple[str, ...]
    """the columns that decide: one result, two scores, two counts, three marks, one rank or one score"""
    match: str = ""
    team: str = ""
    draw: str = ""
    date: str = ""
    task: str = ""
    game: str = ""
    neutral: str = ""

    @property
    def long(self) -> bool:
        """Whether each row is a player of a match."""
        return self.kind in ("rank", "score")


def shape_of(columns: Collection[str]) -> TableShape | None:
    """Returns the shape of a table with columns of these keys; None if no players or results are among them."""
    return _pairs(columns) or _winners(columns) or _long(columns)


def checked_shape(source: Source) -> TableShape:
    """Returns the shape of a table. Raises InputError."""
    shape = shape_of(source.columns)
    if shape is None:
        named = ", ".join(map(repr, source.columns.values())) or "none"
        shapes = "; or ".join(ACCEPTED)
        missing = f"{source.name} has the columns {named:.200}; it needs {shapes}"
        if len(source.columns) == 3 and _headless(list(source.columns.values())[2]):
            missing = f"{source.name} has no header; add a first line such as: a,b,result"
        raise InputError(missing)
    return shape


def _headless(cell: str) -> bool:
    return cell.strip().casefold() in {"1", "0", "0.5", "1.0", "0.0", "1-0", "0-1", "1/2-1/2", "win", "loss", "draw"}


def _pairs(columns: Collection[str]) -> TableShape | None:
    pair = next((pair for pair in _PAIRS if set(pair) <= set(columns)), None)
    if pair is None or {"winner", "loser"} <= set(columns):
        return None
    sides = tuple((name,) for name in pair)
    kinds: dict[Kind, Collection[tuple[str, ...]]] = {"scores": _SCORES, "counts": _COUNTS, "marks": _MARKS}
    more = _more(columns, pair)
    if name := _first(_RESULTS, columns):
        return TableShape("result", sides, (name,), **more)
    for kind, choices in kinds.items():
        names = next((names for names in choices if set(names) <= set(columns)), ())
        if names:
            return TableShape(kind, sides, names, draw=_first(_DRAW, columns), **more)
    return None


def _winners(columns: Collection[str]) -> TableShape | None:
    for winners, losers in _WINNERS:
        if {*winners, *losers} <= set(columns):
            return TableShape("winner", (winners, losers), (), draw=_first(_DRAW, columns), **_more(columns, ()))
    return None


def _long(columns: Collection[str]) -> TableShape | None:
    match, player = _first(_MATCH, columns), _first(_PLAYER, columns)
    rank, score = _first(_RANK, columns), _first(_SCORE, columns)
    if not (match and player and (rank or score)):
        return None
    more = _more(columns, (match, player))
    team = _first([name for name in _TEAM if name != player], columns)
    return TableShape("rank" if rank else "score", ((player,),), (rank or score,), match=match, team=team, **more)


def _more(columns: Collection[str], taken: Collection[str]) -> dict[str, str]:
    free = [name for name in columns if name not in taken]
    choices = {"date": _DATE, "task": _TASK, "game": _GAME, "neutral": _NEUTRAL}
    return {name: _first(names, free) for name, names in choices.items()}


def _first(names: Collection[str], columns: Collection[str]) -> str:
    return next((name for name in names if name in columns), "")
