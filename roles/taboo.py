"""The two sides of taboo-v0, credited as SPAG does: the winner's turns alone, the later the more.

SPAG (Cheng et al. 2024, arXiv 2404.10642) keeps the winner's turns of a match, divides a reward of 1 over them by
weights (1 / 0.8)**t, drops ties and matches in which the attacker broke the rules, and weighs the matches so that
either role has half of the reward of a batch. A loser's reward is 0, which trains nothing with `advantage = "none"`;
its author saw negative rewards not converge (issue 12). With a baseline (`rae`) a loss is below it and counts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from roles.credit import Told, seats_of, told
from roles.role import Scored
from roles.speaker import Speaker

DISCOUNT = 0.8


def growing(turns: int, discount: float = DISCOUNT) -> tuple[float, ...]:
    """Weights of the turns of one seat, the last the largest, that sum to 1: (1 / discount)**t, normalised (SPAG)."""
    raw = [discount**-t for t in range(turns)]
    return tuple(w / sum(raw) for w in raw)


class Side(Speaker):
    """What attacker and defender have in common."""

    def credit(self, episode: Scored, seat: str) -> float:
        """1 for a match won by the rules, else 0, as for a forfeit; the game's return in other games."""
        if not _taboo(episode):
            return episode.returns[seat]
        facts = told(episode).facts
        return float(bool(facts) and facts["winner"] == seat and not facts["broken"])

    def split_batch(self, episodes: Sequence[Scored]) -> Sequence[Mapping[str, Sequence[float]]] | None:
        """Growing weights over the turns of a seat, together 1, times half of all wins over this role's wins."""
        played = [told(e) for e in episodes]
        won = [_winner_role(e) for e in played]
        wins, mine = sum(w is not None for w in won), won.count(self.name)
        worth = wins / (2 * mine) if 0 < mine < wins else 1.0
        return [{s: _weights(e, s, worth) for s in seats_of(e, self.name)} if _taboo(e) else {} for e in played]


class Attacker(Side):
    """Lures the other side into the word."""

    name = "attacker"


class Defender(Side):
    """Finds the word out and does not say it."""

    name = "defender"


def _weights(episode: Told, seat: str, worth: float) -> tuple[float, ...]:
    turns = sum(turn.seat == seat for turn in getattr(episode, "turns", ()))
    return tuple(worth * w for w in growing(turns))


def _taboo(episode: Scored) -> bool:
    return str(getattr(episode, "game", "")).startswith("taboo")


def _winner_role(episode: Told) -> str | None:
    """The role that won by the rules."""
    facts = episode.facts if _taboo(episode) else {}
    if facts.get("broken", True) or facts["winner"] is None:
        return None
    return episode.roles[facts["winner"]]
