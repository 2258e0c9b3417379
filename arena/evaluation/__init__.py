"""Measures players: exact exploitability in small games, and win rates against anchors."""

from arena.evaluation.anchors import DEFAULT_ANCHORS, SeatScore, play_anchor, wilson
from arena.evaluation.average import AveragePolicy
from arena.evaluation.exact import Exact, Table, evaluate, read_table, tabulate
from arena.evaluation.report import Evaluation, measure

__all__ = [
    "DEFAULT_ANCHORS",
    "AveragePolicy",
    "Evaluation",
    "Exact",
    "SeatScore",
    "Table",
    "evaluate",
    "measure",
    "play_anchor",
    "read_table",
    "tabulate",
    "wilson",
]
