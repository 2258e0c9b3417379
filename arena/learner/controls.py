"""Credits of the control arms of a study: a training that learns from them cannot learn the game.

permuted: the rewards of a step are exchanged at random among the credits of the same game, role and phase. What can be
    earned stays the same, and so does the form of the answers; what is earned no longer follows from what was done.
format: the reward is the share of the seat's attempts that the game accepted, whatever the match returned.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

from arena.learner.credit import Credit
from arena.records import Episode
from games.randomness import RandomStream

Returns = Literal["game", "permuted", "format"]


def controlled(returns: Returns, episodes: Sequence[Episode], credits: Sequence[Credit], seed: int) -> list[Credit]:
    """Returns the credits of a step, in order, with the rewards of a control; `game` changes nothing."""
    if returns == "permuted":
        return permuted(credits, seed)
    return accepted(episodes, credits) if returns == "format" else list(credits)


def permuted(credits: Sequence[Credit], seed: int) -> list[Credit]:
    """Returns the credits with their rewards exchanged; those of turns only among credits of as many turns."""
    places: dict[tuple[str, ...], list[int]] = {}
    for i, c in enumerate(credits):
        turns = "" if c.turns is None else str(len(c.turns))
        places.setdefault((c.game, c.role, c.phase, turns), []).append(i)
    out, stream = list(credits), RandomStream(seed)
    for group in places.values():
        for i, source in zip(group, stream.shuffled(group), strict=True):
            c = credits[source]
            out[i] = replace(out[i], reward=c.reward, score=c.score, turns=c.turns)
    return out


def accepted(episodes: Sequence[Episode], credits: Sequence[Credit]) -> list[Credit]:
    """Returns the credits with the share of accepted attempts as reward and score; without any attempt it is 1."""
    by_match = {episode.match: episode for episode in episodes}
    out = []
    for c in credits:
        episode = by_match[c.match]
        tried = [a for t in episode.turns if t.seat == c.seat and c.phase in ("", t.phase) for a in t.attempts]
        tried += episode.failure if episode.forfeited_by == c.seat else ()
        share = sum(a.category == "ok" for a in tried) / len(tried) if tried else 1.0
        out.append(replace(c, reward=share, score=share, turns=None, split=None))
    return out
