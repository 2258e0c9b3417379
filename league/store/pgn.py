"""Matches in a form of chess's Portable Game Notation: tags in brackets, then the moves.

Chess becomes valid PGN, because OpenSpiel writes its moves in standard algebraic notation. Matches of other games have
the same seven tags first: a rating program such as Ordo takes the names of the match before where White is missing.
"""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterator, Sequence

from arena.match import Episode
from games.sanitize import one_line, printable, printable_json
from league.records.matches import Result

CHESS = "openspiel/chess"
Teams = Sequence[Sequence[str]]
"""the seats of each team; empty if there are no teams"""


def pgn(run: str, result: Result, episode: Episode, teams: Teams = ()) -> str:
    """Return one match, followed by an empty line."""
    chess = episode.game == CHESS  # with parameters it may start from a different position
    tags = [*_roster(run, result, episode, teams), *_tags(result, episode, teams)]
    head = "".join(f'[{one_line(name)} "{_quoted(value)}"]\n' for name, value in tags)
    return f"{head}\n{_movetext(episode) if chess else _turns(episode, outcome(episode, teams))}\n"


def outcome(episode: Episode, teams: Teams = ()) -> str:
    """Return 1-0, 0-1 or 1/2-1/2 for the first seat or team, by its mean return; * if PGN cannot express the result."""
    sides = _sides(episode, teams)
    scores = [sum(episode.returns.get(seat, 0.0) for seat in side) / len(side) for side in sides]
    if len(scores) != 2 or episode.status == "void":
        return "*"
    if scores[0] == scores[1]:
        return "1/2-1/2"
    return "1-0" if scores[0] > scores[1] else "0-1"


def _order(episode: Episode) -> list[str]:
    """Return the seats with the first mover first: White in chess."""
    first = episode.turns[0].seat if episode.turns else episode.forfeited_by
    return sorted(episode.seats, key=lambda seat: seat != first) if episode.game == CHESS else list(episode.seats)


def _sides(episode: Episode, teams: Teams) -> Teams:
    """Return the teams, or the seats, each as a side of its own."""
    return teams or [(seat,) for seat in _order(episode)]


def _roster(run: str, result: Result, episode: Episode, teams: Teams) -> Iterator[tuple[str, str]]:
    """Return the seven mandatory PGN tags in order. Matches of more or fewer than two sides have the result *."""
    names = ["+".join(dict.fromkeys(episode.seats[seat] for seat in side)) for side in _sides(episode, teams)]
    white, black = names if len(names) == 2 else ("?", "?")
    yield from (("Event", run), ("Site", "?"), ("Date", "????.??.??"), ("Round", str(result.round + 1)))
    yield from (("White", white), ("Black", black), ("Result", outcome(episode, teams)))


def _tags(result: Result, episode: Episode, teams: Teams) -> Iterator[tuple[str, str]]:
    yield "Game", episode.game
    yield "Match", episode.match
    yield "Index", str(result.index)
    yield "Seed", str(episode.seed)
    yield from episode.seats.items()
    if opening := sum(turn.opening for turn in episode.turns):
        yield "Opening", f"the first {opening} moves are random"
    if teams:
        yield "Teams", " ".join("+".join(team) for team in teams)
    yield "Returns", " ".join(f"{seat}={score:g}" for seat, score in episode.returns.items())
    yield "Status", episode.status
    if episode.forfeited_by:
        yield "Forfeit", episode.forfeited_by
    if episode.reason:
        yield "Reason", episode.reason


def _movetext(episode: Episode) -> str:
    words = []
    for i, turn in enumerate(episode.turns):
        words.append(one_line(turn.action if i % 2 else f"{i // 2 + 1}. {turn.action}"))
    return textwrap.fill(" ".join([*words, outcome(episode)]), 79, break_on_hyphens=False) + "\n"


def _turns(episode: Episode, result: str) -> str:
    """Return a numbered line per turn; an action of several lines is written as a JSON string."""
    lines = []
    for i, turn in enumerate(episode.turns, 1):
        shows = printable(turn.action) == turn.action
        action = turn.action if shows else printable_json(json.dumps(turn.action, ensure_ascii=False))
        lines.append(f"{i}. {one_line(turn.seat)}: {action}\n")
    return "".join(lines) + result + "\n"


def _quoted(text: str) -> str:
    """Tag values take one line; PGN escapes backslash and quote."""
    return one_line(text).replace("\\", "\\\\").replace('"', '\\"')
