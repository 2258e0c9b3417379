"""The reward of every trainable seat of an episode."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType

import roles
from arena.records import Episode
from games import GameSpec, InputError
from roles import Role
from roles.registry import phases_problem, refuse_phases

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Credit:
    """The reward of a seat for a match or one phase of it, before a baseline is subtracted."""

    game: str
    role: str
    phase: str
    """"": the whole match"""
    seat: str
    player: str
    match: str
    group: str
    """matches whose credits may be compared with each other (the same pairing or seed)"""
    reward: float
    split: tuple[float, ...] | None = None
    """factor of the advantage at each turn of the seat, in order; None: 1 for all"""
    task: str = ""
    """what the seat was asked beyond the seed of its match (`Role.task`); "": nothing"""

    answer: str = ""
    """what the seat answered (`Role.answer`)"""
    tokens: int = 0
    """completion tokens that the seat sampled, in this phase if there is one"""
    turns: tuple[float, ...] | None = None
    """reward of each turn of the seat but the last one, which earns `reward` (`Role.turn_rewards`); None: not known"""
    score: float | None = None
    """the reward from 0 to 1, by its kind (`Role.reward_kind`): 1 a win or right, 0 a loss or wrong, 1/2 a draw, or a
    share of wins; None: not known"""

    @property
    def group_key(self) -> tuple[str, ...]:
        """(game, role, phase, group, task): credits with an equal key are answers to the same question."""
        return self.game, self.role, self.phase, self.group, self.task


def scored(credits: Sequence[Credit]) -> list[Credit]:
    """Returns the credits with their scores as rewards. Raises InputError for one without a score."""
    out = []
    for c in credits:
        if c.score is None:
            raise InputError(f"the reward of role {c.role!r} in {c.game} has no score; see `Role.reward_kind`")
        out.append(replace(c, reward=c.score))
    return out


@dataclass(slots=True)
class NamedPhases:
    """The phases that a role has named so far, and those of the turns of its seats, in finished matches.

    A role may name phases that a match did not reach; one that has never named a phase of a turn is wrong.
    """

    named: set[str] = field(default_factory=set)
    phases: set[str] = field(default_factory=set)
    warnings: set[str] = field(default_factory=set)
    """names of which the log has a warning"""

    def add(self, episode: Episode, seat: str, earned: Mapping[str, float]) -> None:
        """Note the phases of one seat's rewards and turns."""
        if episode.status == "finished" and (phases := {turn.phase for turn in episode.turns if turn.seat == seat}):
            self.named |= earned.keys()
            self.phases |= phases

    def check(self, name: str, role: Role) -> None:
        """Raises PluginError if no named phase has a turn, and warn once of a name that none has."""
        wrong = self.named - self.phases
        if wrong and wrong == self.named:
            refuse_phases(role, wrong, self.phases)
        elif wrong - self.warnings:
            self.warnings |= wrong
            log.warning("role %s: %s", name, phases_problem(wrong, self.phases))


def credits_of(
    episodes: Sequence[Episode],
    live: Collection[str],
    *,
    group: Callable[[Episode], str] | None = None,
    role: Callable[[str], Role] = roles.make,
    phases: dict[str, NamedPhases] | None = None,
    specs: Mapping[str, GameSpec] = MappingProxyType({}),
) -> list[Credit]:
    """Returns one credit for each seat of a player in `live`, or one for each phase if its role has `phases`.

    Credits follow the order of episodes and seats. Void episodes have none. `group` names the group of an episode;
    default: its game and seed. Each role's `credit_batch` is called once for all episodes, then `phases` or `credit`
    for each seat. Seats of frozen players have no credit. Raises PluginError if a plugin's role returns something else,
    or names only phases that no turn of its seats has in a finished match. `phases` keeps what roles named in earlier
    calls. `specs` are the games by id; without a game's, an outcome without a midpoint of its own has no score.
    """
    played = [e for e in episodes if e.status != "void"]
    made = {name: role(name) for name in sorted({r for e in played for r in e.roles.values()})}
    batches = {name: r.credit_batch(played) for name, r in made.items()}
    splits = {name: r.split_batch(played) for name, r in made.items()}
    named = {} if phases is None else phases
    out = []
    for i, episode in enumerate(played):
        for seat, player in episode.seats.items():
            if player not in live:
                continue
            name = episode.roles[seat]
            batch = batches[name]
            rewards: Mapping[str, float] = batch[i] if batch is not None else {}
            group_name = group(episode) if group else f"{episode.game}:{episode.seed}"
            split, gains = splits[name], made[name].turn_rewards(episode, seat)
            factors = None if split is None or seat not in split[i] else tuple(map(float, split[i][seat]))
            earned = _rewards(made[name], episode, seat, rewards)
            if "" not in earned:  # the role has `phases`
                named.setdefault(name, NamedPhases()).add(episode, seat, earned)
            for phase, reward in earned.items():
                key = (episode.game, name, phase, seat, player, episode.match, group_name)
                out.append(
                    Credit(
                        *key,
                        reward=float(reward),
                        score=made[name].reward_kind.score(float(reward), specs.get(episode.game)),
                        split=factors,
                        task=str(made[name].task(episode, seat, phase)),
                        answer=str(made[name].answer(episode, seat, phase)),
                        tokens=_tokens(episode, seat, phase),
                        turns=None if gains is None else tuple(map(float, gains)),
                    )
                )
    for name in filter(named.__contains__, made):
        named[name].check(name, made[name])
    return out


def _tokens(episode: Episode, seat: str, phase: str) -> int:
    """Returns how many completion tokens a seat sampled for its turns, in a phase ("": the whole match)."""
    attempts = [a for t in episode.turns if t.seat == seat and phase in ("", t.phase) for a in t.attempts]
    return sum(len(a.sample.completion_ids) for a in attempts if a.sample is not None)


def _rewards(role: Role, episode: Episode, seat: str, batch: Mapping[str, float]) -> Mapping[str, float]:
    """Returns phase -> reward, with "" for the whole match; a reward in `batch` takes precedence."""
    if seat in batch:
        return {"": batch[seat]}
    phases = role.phases(episode, seat)
    return {"": role.credit(episode, seat)} if phases is None else phases
