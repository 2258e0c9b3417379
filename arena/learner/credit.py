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
    split: tuple[float, ...] | None = None
    """what the advantage is multiplied by at each turn of the seat, in order; None: 1 at all"""


def credits_of(
    episodes: Sequence[Episode],
    live: Collection[str],
    *,
    group: Callable[[Episode], str] | None = None,
    expected: Callable[[Episode, str], float | None] | None = None,
    role: Callable[[str], Role] = roles.make,
) -> list[Credit]:
    """One credit for each (episode, seat) whose player's name is in `live`, or one for each phase where its role says
    so (`Role.phases`); in the order of episodes and seats.

    Void episodes earn nothing. `group` defaults to the game and the seed. Each role is asked once for the whole batch
    (`credit_batch`), then seat by seat. Frozen players' seats never come in.
    """
    played = [e for e in episodes if e.status != "void"]
    made = {name: role(name) for name in sorted({r for e in played for r in e.roles.values()})}
    batches = {name: r.credit_batch(played) for name, r in made.items()}
    splits = {name: r.split_batch(played) for name, r in made.items()}
    out = []
    for i, episode in enumerate(played):
        for seat, player in episode.seats.items():
            if player not in live:
                continue
            name = episode.roles[seat]
            batch = batches[name]
            rewards: Mapping[str, float] = batch[i] if batch is not None else {}
            where = group(episode) if group else f"{episode.game}:{episode.seed}"
            hope = expected(episode, seat) if expected else None
            split = splits[name]
            factors = None if split is None or seat not in split[i] else tuple(map(float, split[i][seat]))
            for phase, reward in _rewards(made[name], episode, seat, rewards).items():
                who = (episode.game, name, phase, seat, player, episode.match, where)
                out.append(Credit(*who, float(reward), hope, factors))
    return out


def _rewards(role: Role, episode: Episode, seat: str, batch: Mapping[str, float]) -> Mapping[str, float]:
    """Phase -> reward, "" for the whole match; what the batch says comes first."""
    if seat in batch:
        return {"": batch[seat]}
    phases = role.phases(episode, seat)
    return {"": role.credit(episode, seat)} if phases is None else phases
