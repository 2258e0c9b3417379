"""The roles of taboo, credited as in SPAG: only the winner's turns, and later turns more.

SPAG (Cheng et al. 2024, arXiv 2404.10642) keeps the winner's turns of a match, divides a reward of 1 among them by the
weights (1 / 0.8)**t, drops ties and matches in which the attacker broke the rules, and weights the matches so that each
role gets half of the reward of a batch. A loser's reward is 0, which trains nothing with `advantage = "none"`; its
author found that negative rewards do not converge (issue 12). With a baseline (`rae`) a loss is below it and counts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from roles.native.tagged import Speaker
from roles.reward_kind import outcome
from roles.rewards.credit import EpisodeWithFacts, seats_of, with_facts
from roles.types import Scored

DISCOUNT = 0.8


def growing(turns: int) -> tuple[float, ...]:
    """Returns the weights of the turns of one seat, (1 / DISCOUNT)**t, normalised to the sum 1 (SPAG)."""
    raw = [DISCOUNT**-t for t in range(turns)]
    return tuple(w / sum(raw) for w in raw)


class TabooRole(Speaker):
    """The credit that attacker and defender share."""

    reward_kind = outcome(0.5)

    def credit(self, episode: Scored, seat: str) -> float:
        """1 for a win in which nobody broke a rule, else 0, also for a forfeit; in other games the return.

        A defender pays for a wrong guess, so that blind guesses are worth nothing. An attacker gets nothing for one,
        because hints at another word would earn it.
        """
        if not _taboo(episode):
            return episode.returns[seat]
        facts = with_facts(episode).facts
        if "guess_cost" in facts:
            return -float(facts["guess_cost"]) if self.name == "defender" else 0.0
        return float(bool(facts) and facts["winner"] == seat and not facts["broken"])

    def split_batch(self, episodes: Sequence[Scored]) -> Sequence[Mapping[str, Sequence[float]]] | None:
        """Growing weights of the turns of a seat, which sum to half of all wins over the wins of this role."""
        played = [with_facts(e) for e in episodes]
        won = [_winner_role(e) for e in played]
        wins, mine = sum(w is not None for w in won), won.count(self.name)
        worth = wins / (2 * mine) if 0 < mine < wins else 1.0
        return [{s: _weights(e, s, worth) for s in seats_of(e, self.name)} if _taboo(e) else {} for e in played]


class Attacker(TabooRole):
    """Tries to make the defender say the word."""

    name = "attacker"


class Defender(TabooRole):
    """Finds out the word without saying it."""

    name = "defender"


def _weights(episode: EpisodeWithFacts, seat: str, worth: float) -> tuple[float, ...]:
    turns = sum(turn.seat == seat for turn in getattr(episode, "turns", ()))
    return tuple(worth * w for w in growing(turns))


def _taboo(episode: Scored) -> bool:
    return str(getattr(episode, "game", "")).startswith("taboo")


def _winner_role(episode: EpisodeWithFacts) -> str | None:
    """Returns the role that won without a broken rule and is paid for it; None if there is none."""
    facts = episode.facts if _taboo(episode) else {}
    if facts.get("broken", True) or facts["winner"] is None or "guess_cost" in facts:
        return None
    return episode.roles[facts["winner"]]
