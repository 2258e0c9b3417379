"""Ratings from matches of teams: TrueSkill, match by match. The batch fit compares single players only."""

from __future__ import annotations

import math
from collections.abc import Sequence

import msgspec

from league.imports.matches import ImportedMatch
from league.ratings.online.trueskill import Rating, TrueSkill
from league.records.leaderboard import Standing

Z95 = 1.959964
_LEAST_DRAWS, _MOST_DRAWS = 0.005, 0.9
_DIGITS = 9
"""ratings that agree to this many decimals are equal: those of two players who were always in one team"""


def team_ratings(matches: Sequence[ImportedMatch]) -> dict[str, Rating]:
    """Returns the rating of each player after the matches, in their order. Two equal teams draw as often as the matches
    do.
    """
    drawn = sum(len(set(match.ranks)) < len(match.ranks) for match in matches) / len(matches)
    rules = TrueSkill(draw_probability=min(max(drawn, _LEAST_DRAWS), _MOST_DRAWS))
    ratings: dict[str, Rating] = {}
    for match in matches:
        before = [[ratings.get(player, rules.new()) for player in side] for side in match.sides]
        after = rules.rate_teams(before, match.ranks)
        for side, group in zip(match.sides, after, strict=True):
            ratings |= zip(side, group, strict=True)
    return ratings


def rated_rows(
    rows: Sequence[Standing], ratings: dict[str, Rating], groups: Sequence[Sequence[str]]
) -> tuple[Standing, ...]:
    """Returns the rows by rating, one of the `groups` of players that met after the other. Equal ratings share a rank:
    players who were always in one team are not ordered by their names.
    """
    by_name = {row.player: row for row in rows}
    out = []
    for group in groups:
        worths = {player: round(ratings[player].mu, _DIGITS) for player in group}
        rank, last = 0, math.inf
        for number, player in enumerate(sorted(group, key=lambda name: (-worths[name], name)), 1):
            mu, spread = ratings[player].mu, Z95 * ratings[player].sigma
            rank, last = (rank, last) if worths[player] == last else (number, worths[player])
            new = {"rank": rank, "rating": mu, "low": mu - spread, "high": mu + spread}
            out.append(msgspec.structs.replace(by_name[player], **new))
    return tuple(out)


def joined(matches: Sequence[ImportedMatch]) -> list[list[str]]:
    """Returns groups of players that matches join, directly or through others, the largest first, names in order."""
    parent: dict[str, str] = {}

    def root(player: str) -> str:
        while parent.setdefault(player, player) != player:
            parent[player] = player = parent[parent[player]]
        return player

    for match in matches:
        first, *others = (player for side in match.sides for player in side)
        for other in others:
            parent[root(other)] = root(first)
    groups: dict[str, list[str]] = {}
    for player in sorted(parent):
        groups.setdefault(root(player), []).append(player)
    return sorted(groups.values(), key=lambda group: (-len(group), group))
