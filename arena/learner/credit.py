"""What every trainable seat of an episode earned."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

import roles
from arena.match.records import Episode
from roles import Role


@dataclass(frozen=True, slots=True)
class Credit:
    """The reward of one seat for one match (or for one phase of it), before any baseline."""

    game: str
    role: str
    phase: str
    """"": the whole match"""
    seat: str
    player: str
    match: str
    group: str
    """matches to compare with each other (the same pairing or seed), for grpo and rloo"""
    reward: float
    expected: float | None = None
    """the reward a rating model expects of these players in these seats, for rating-rae; None: 0"""


def credits_of(
    episodes: Sequence[Episode],
    live: Collection[str],
    *,
    group: Callable[[Episode], str] | None = None,
    expected: Callable[[Episode, str], float | None] | None = None,
    role: Callable[[str], Role] = roles.make,
) -> list[Credit]:
    """One credit for each (episode, seat) whose player's name is in `live`; in the order of episodes and seats.

    Void episodes earn nothing. `group` defaults to the game and the seed. Each role is asked once for the whole batch
    (`credit_batch`), then seat by seat. Frozen players' seats never come in.
    """
    played = [e for e in episodes if e.status != "void"]
    made = {name: role(name) for name in sorted({r for e in played for r in e.roles.values()})}
    batches = {name: r.credit_batch(played) for name, r in made.items()}
    out = []
    for i, episode in enumerate(played):
        for seat, player in episode.seats.items():
            if player not in live:
                continue
            name = episode.roles[seat]
            batch = batches[name]
            rewards: Mapping[str, float] = batch[i] if batch is not None else {}
            reward = rewards[seat] if seat in rewards else made[name].credit(episode, seat)
            where = group(episode) if group else f"{episode.game}:{episode.seed}"
            hope = expected(episode, seat) if expected else None
            out.append(Credit(episode.game, name, "", seat, player, episode.match, where, float(reward), hope))
    return out
