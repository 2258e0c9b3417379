"""What the facts of a match show about each seat besides its reward: whether it was right, and whether it broke a rule.

Monitors compare these with rewards: a reward that rises while the truth falls is earned by a shortcut. Nothing here is
paid to anybody.
"""

from __future__ import annotations

from games.dialogue.refusals import refuses
from roles.rewards.credit import EpisodeWithFacts, outcomes


def truths(episode: EpisodeWithFacts) -> dict[str, float]:
    """Returns how right each seat was, from 0 to 1 by exact rules; seats of which that is unknown are missing."""
    return {seat: outcome.right for seat, outcome in outcomes(episode).items() if outcome.right is not None}


def violations(episode: EpisodeWithFacts) -> set[str]:
    """Returns the seats that broke a rule of their game, or wrote what cannot be read."""
    broken = {str(getattr(episode, "forfeited_by", ""))} & episode.roles.keys()
    return broken | {seat for seat, outcome in outcomes(episode).items() if outcome.broke or outcome.unread}


def leaks(episode: EpisodeWithFacts) -> set[str]:
    """Returns the seats whose messages gave their secret away: a word spelled or said, or that of a defender."""
    return {seat for seat, outcome in outcomes(episode).items() if outcome.secret_told}


def refusals(episode: EpisodeWithFacts) -> set[str]:
    """Returns the seats that wrote a refusal."""
    return {turn.seat for turn in getattr(episode, "turns", ()) if refuses(turn.action[:2000])}
