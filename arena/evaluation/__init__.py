"""Measures players: exact exploitability, win rates against anchors, and accuracy on tasks with known answers."""

from arena.evaluation.anchors import DEFAULT_ANCHORS, SeatScore, play_anchor, wilson
from arena.evaluation.average import AveragePolicy
from arena.evaluation.exact import Exact, evaluate
from arena.evaluation.exploit import Exploitation, exploit
from arena.evaluation.report import Evaluation, measure
from arena.evaluation.suite import Accuracy, KindScore, Suite, SuiteScore, suite_lines
from arena.evaluation.wordings import InvarianceGap, gap_lines, measure_wordings
from arena.players.policy_table import Table, read_table, tabulate

__all__ = [
    "DEFAULT_ANCHORS",
    "Accuracy",
    "AveragePolicy",
    "Evaluation",
    "Exact",
    "Exploitation",
    "InvarianceGap",
    "KindScore",
    "SeatScore",
    "Suite",
    "SuiteScore",
    "Table",
    "evaluate",
    "exploit",
    "gap_lines",
    "measure",
    "measure_wordings",
    "play_anchor",
    "read_table",
    "suite_lines",
    "tabulate",
    "wilson",
]
