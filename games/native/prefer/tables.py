"""Small tables of preferences P(i is preferred to j), for exact tests of preference learning.

In `rps`, `dominated`, `biased` and `mild` three options beat each other in a cycle, so that no order of the options and
no Bradley-Terry model explains the preferences. The straw is preferred to nothing. The option that a Bradley-Terry
model prefers in `biased` and `mild`, rock, loses to paper. `ladder` is the Bradley-Terry model with scores 2, 1, 0.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

TableName = Literal["", "rps", "dominated", "biased", "mild", "ladder"]


class PreferenceTable(NamedTuple):
    """Options, and how often each is preferred to each: `wins[i][j] + wins[j][i] == 1`."""

    options: Sequence[str]
    wins: Sequence[Sequence[float]]


_THREE = ("rock", "paper", "scissors")
_FOUR = (*_THREE, "straw")
TABLES: Mapping[str, PreferenceTable] = {
    "rps": PreferenceTable(_THREE, ((0.5, 0.0, 1.0), (1.0, 0.5, 0.0), (0.0, 1.0, 0.5))),
    "dominated": PreferenceTable(
        _FOUR, ((0.5, 0.0, 1.0, 1.0), (1.0, 0.5, 0.0, 1.0), (0.0, 1.0, 0.5, 1.0), (0.0, 0.0, 0.0, 0.5))
    ),
    "biased": PreferenceTable(
        _FOUR, ((0.5, 0.3, 0.9, 0.9), (0.7, 0.5, 0.2, 0.9), (0.1, 0.8, 0.5, 0.9), (0.1, 0.1, 0.1, 0.5))
    ),
    "mild": PreferenceTable(
        _FOUR, ((0.5, 0.4, 0.9, 0.8), (0.6, 0.5, 0.3, 0.8), (0.1, 0.7, 0.5, 0.8), (0.2, 0.2, 0.2, 0.5))
    ),
    "ladder": PreferenceTable(
        ("good", "fair", "poor"), ((0.5, 0.731, 0.881), (0.269, 0.5, 0.731), (0.119, 0.269, 0.5))
    ),
}
