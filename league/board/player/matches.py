"""The tab `matches` of a player's page."""

from __future__ import annotations

from functools import lru_cache

from league.board.cells import clean, number
from league.board.game_labels import one_line_labels
from league.board.grid import Grid, grid_lines, list_layout, list_part
from league.board.lines import Line, SameObject
from league.board.player_details import PLAYING, MatchLine, PlayerDetails
from league.board.standings_page import LABEL
from league.board.state import BoardState
from league.board.view_state import Layout, ViewState


def matches_tab(
    state: BoardState, view: ViewState, details: PlayerDetails, width: int, height: int
) -> tuple[list[Line], Layout]:
    """Returns a row for each match, newest first; those that are being played come before all others."""
    lines = _match_lines(SameObject(details), tuple(state.snapshot.games), width)
    keys = [match.match for match in details.matches]
    part = list_part(lines, keys, width, height, view.top, view.cursor)
    return part.lines, list_layout(part, keys, width, [], ())


@lru_cache(2)
def _match_lines(of: SameObject[PlayerDetails], games: tuple[str, ...], width: int) -> list[Line]:
    labels = one_line_labels(games, LABEL)
    rows = tuple(_match(match, labels) for match in of.value.matches)
    styles = tuple(("", _result_style(match)) for match in of.value.matches)
    head = ("match", "score", "against", "game", "role", "turns", "status")
    return grid_lines(Grid(head, rows, styles, left=(2, 3, 4, 6)), width)[0]


def _match(match: MatchLine, labels: dict[str, str]) -> tuple[str, ...]:
    game = labels.get(match.game, clean(match.game))
    status = "" if match.status == "finished" else "forfeited" if match.forfeited else clean(match.status)
    against = ", ".join(map(clean, match.opponents)) or "itself"
    return (
        str(match.index),
        "" if match.status == PLAYING else number(match.score, 2, sign=True),
        against,
        game,
        clean(match.role),
        str(match.turns),
        status,
    )


def _result_style(match: MatchLine) -> str:
    if match.status in ("void", PLAYING):
        return "dim" if match.status == "void" else "cyan"
    return "red" if match.forfeited or match.score < 0 else "green" if match.score > 0 else ""
