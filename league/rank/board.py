"""Shows a ranking while the runs that it takes follow each other: one board, and the rating in place of standings."""

from __future__ import annotations

import msgspec

from league.board import Board, BoardState, Panel
from league.board.cells import clean
from league.board.player_details import DetailsSource
from league.rank.lines import game_lines, rating_text
from league.rank.ranking import MODEL, game_ranks, mean_rating, open_width
from league.rank.suite import RankSuite
from league.records.leaderboard import Leaderboard


class RankingBoard(Board):
    """A board of runs that shows on `board`, which its opener closes, how strong a model is until now.

    Anchors are rated before, each in one game, so a table over all games would say nothing about them; the tables of
    the games have them.
    """

    def __init__(self, board: Board, model: str, of: RankSuite, width: float) -> None:
        self._board, self._model, self._suite, self._width = board, model, of, width
        self._began = False

    def update(self, state: BoardState) -> None:
        """Show the rating of the model and its games. Nothing of it is printed at the end: the ranking is."""
        self._began = True
        board = state.snapshot
        rows = tuple(
            msgspec.structs.replace(row, rank=None, points=None, p_best=None)
            for row in board.standings
            if row.player == MODEL
        )
        counts = msgspec.structs.replace(board.matches, total=None)
        table = Leaderboard(board.run, rows, board.games, board.roles, counts)
        self._board.update(
            msgspec.structs.replace(
                state,
                snapshot=table,
                title=f"rank {clean(self._model)}",
                status="running" if state.status == "finished" else state.status,  # of one run; the next one follows
                to_go=None,
                panels=(self._panel(board),),
            )
        )

    def log(self, line: str) -> None:
        """Show a line of text beside the table; not that the second run goes on where the first one ended."""
        if not (self._began and line.startswith("resuming: ")):
            self._board.log(line)

    def attach(self, source: DetailsSource) -> None:
        """Show the details of players from `source`."""
        self._board.attach(source)

    def _panel(self, board: Leaderboard) -> Panel:
        ranks = tuple(game_ranks(self._suite, board))
        if not ranks:
            return Panel("rating", ("no match has ended yet",), leads=True)
        lines = (
            rating_text(*mean_rating(ranks), len(ranks)),
            f"its interval is {open_width(ranks):.1f} wide, and the ranking ends at {self._width:g}",
        )
        return Panel("rating", (*lines, *game_lines(ranks)), leads=True, headline=lines)
