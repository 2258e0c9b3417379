"""What the facts of a match show about each seat besides its reward: whether it was right, and whether it broke a rule.

Monitors compare these with rewards: a reward that rises while the truth falls is earned by a shortcut. Nothing here is
paid to anybody.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias, TypeVar

from games.dialogue.refusals import refuses
from games.naming import parse_name
from roles.rewards.credit import EpisodeWithFacts, outcomes

Facts: TypeAlias = Mapping[str, Any]
T = TypeVar("T")
Seats: TypeAlias = Mapping[str, str]
"""seat -> role"""


def truths(episode: EpisodeWithFacts) -> dict[str, float]:
    """Returns how right each seat was, from 0 to 1 by exact rules; seats of which that is unknown are missing."""
    if typed := outcomes(episode):
        return {seat: outcome.right for seat, outcome in typed.items() if outcome.right is not None}
    return dict(_read(_TRUTHS, episode) or {})


def violations(episode: EpisodeWithFacts) -> set[str]:
    """Returns the seats that broke a rule of their game, or wrote what cannot be read."""
    broken = {str(getattr(episode, "forfeited_by", ""))} & episode.roles.keys()
    if typed := outcomes(episode):
        return broken | {seat for seat, outcome in typed.items() if outcome.broke or outcome.unread}
    return broken | set(_read(_VIOLATIONS, episode) or ())


def leaks(episode: EpisodeWithFacts) -> set[str]:
    """Returns the seats whose messages gave their secret away: a word spelled or said, or that of a defender."""
    if typed := outcomes(episode):
        return {seat for seat, outcome in typed.items() if outcome.secret_told}
    return set()


def refusals(episode: EpisodeWithFacts) -> set[str]:
    """Returns the seats that wrote a refusal."""
    return {turn.seat for turn in getattr(episode, "turns", ()) if refuses(turn.action[:2000])}


def _read(table: Mapping[str, Callable[[Facts, Seats], T]], episode: EpisodeWithFacts) -> T | None:
    """Returns what the table's function for the game finds in the facts; None for facts of another game of the name."""
    read = table.get(_base(episode))
    try:
        return read(episode.facts, episode.roles) if read and episode.facts else None
    except (KeyError, TypeError, ValueError, AttributeError, IndexError):
        return None


def _base(episode: EpisodeWithFacts) -> str:
    return parse_name(episode.game).base.rpartition("-v")[0]


def _efg(facts: Facts, roles: Seats) -> dict[str, float]:
    return {"translator": float(facts["game"] is not None)}


_TRUTHS: Mapping[str, Callable[[Facts, Seats], dict[str, float]]] = {
    "efg": _efg,
}  # fmt: skip


_VIOLATIONS: Mapping[str, Callable[[Facts, Seats], set[str]]] = {
    "efg": lambda facts, _: {"translator"} if facts["verdicts"][-1:] not in (["pass"], ["fail"]) else set(),
}
