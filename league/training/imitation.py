"""Learning from the league: before its first step, a policy imitates players of stored matches.

The matches are those of a run in a store: of a solver, search, humans, endpoints or models. Every match is replayed, so
that a policy reads each turn as it would in play; what was played becomes its answer (`demonstrations.py`). The loss is
-log p of the tokens (behaviour cloning). Optimizer, schedule, magnet and reference of the training begin afterwards.
"""

from __future__ import annotations

import logging
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from statistics import fmean
from typing import NamedTuple

import games
from arena.inference.prompt_date import pinned
from arena.learner import TurnSample
from arena.match import Episode
from arena.match.replay import InconclusiveReplay, contradiction
from games import ArenaError, GameSpec, InputError
from league.config.imitation import ImitationConfig
from league.store import Store
from league.training.demonstrations import Demonstrator
from league.training.plan import TrainingPlan
from league.training.policy_trainer import PolicyTrainer

log = logging.getLogger(__name__)


class Demonstration(NamedTuple):
    """A seat of a stored match whose turns are imitated."""

    episode: Episode
    seat: str

    @property
    def reward(self) -> float:
        """What the seat earned."""
        return self.episode.returns[self.seat]

    @property
    def key(self) -> tuple[str, str]:
        """(game, role)"""
        return self.episode.game, self.episode.roles[self.seat]


def imitate(plan: TrainingPlan, trainers: Sequence[PolicyTrainer], store: Store) -> list[str]:
    """Have every policy imitate the turns of its games and roles. Returns what was learned, as lines.

    Raises InputError if a source holds nothing that a policy can imitate.
    """
    source = plan.imitation
    assert source is not None
    demonstrations, day = _read_from(source, plan, store)
    with pinned(day):
        return [_imitate(source, trainer, demonstrations) for trainer in trainers]


def check_source(plan: TrainingPlan, store: Store) -> None:
    """Raises InputError if nothing can be imitated; a training asks before it stores its settings."""
    if plan.imitation is not None:
        _read_from(plan.imitation.model_copy(update={"matches": 1}), plan, store)


def _read_from(source: ImitationConfig, plan: TrainingPlan, store: Store) -> tuple[list[Demonstration], date]:
    """Returns the seats to imitate, and the date that the prompts of their run read."""
    if source.db is None:
        return read(source, plan, store), store.day(store.run(source.run))
    with Store.open(source.db, read_only=True) as other:
        return read(source, plan, other), other.day(other.run(source.run))


def _imitate(source: ImitationConfig, trainer: PolicyTrainer, demonstrations: Sequence[Demonstration]) -> str:
    policy, of_part = trainer.plan, trainer.models
    samples: dict[str, list[TurnSample]] = {part: [] for part in of_part}
    seats, skipped, means = 0, Counter[str](), _means(demonstrations)
    for part, model in of_part.items():
        demonstrator = Demonstrator(model.player, model.engine.tokenizer)
        for demonstration in demonstrations:
            episode, seat = demonstration
            role = episode.roles[seat]
            if episode.game in policy.specs and role in policy.roles and part in ("", role):
                lead = demonstration.reward - means[demonstration.key] if source.learn == "returns" else None
                samples[part] += demonstrator.samples(episode, seat, lead)
                seats += 1
        skipped += demonstrator.skipped
    if not any(samples.values()):
        why = f" ({', '.join(skipped)})" if skipped else ""
        raise InputError(f"[imitation] run {source.run!r} has no turns that {policy.ref.policy} can imitate{why}")
    losses = [of_part[part].imitate(turns, source) for part, turns in samples.items() if turns]
    turns = sum(map(len, samples.values()))
    left_out = "".join(f"; {n:,} turns left out: {why}" for why, n in skipped.items())
    who = ", ".join(source.players) or "all players"
    how = "imitates" if source.learn == "answers" else "learns from the returns of"
    loss = "mean -log p of a token" if source.learn == "answers" else "loss"
    return (
        f"{policy.ref.policy} {how} {turns:,} turns of {seats:,} seats of {who} in run {source.run}; {loss} "
        f"{losses[0].before:.3f} in the first epoch, {losses[0].after:.3f} in the last{left_out}"
    )


def _means(demonstrations: Sequence[Demonstration]) -> dict[tuple[str, str], float]:
    """Returns the mean reward of each game and role."""
    rewards: dict[tuple[str, str], list[float]] = defaultdict(list)
    for demonstration in demonstrations:
        rewards[demonstration.key].append(demonstration.reward)
    return {key: fmean(values) for key, values in rewards.items()}


def read(source: ImitationConfig, plan: TrainingPlan, store: Store) -> list[Demonstration]:
    """Returns the seats of the matches that a source names. Raises InputError if there are none."""
    run = store.run(source.run)
    specs = {id: spec for id, spec in plan.specs.items() if not source.games or id in source.games}
    if missing := set(source.games) - specs.keys():
        raise InputError(f"[imitation] games: the training has no game {min(missing)!r}; its games: {', '.join(specs)}")
    kept: list[Demonstration] = []
    matches, names, contradictions = 0, set[str](), 0
    for _, episode in store.episodes(run):
        if episode.game not in specs or episode.status == "void":
            continue
        names.update(episode.seats.values())
        seats = [seat for seat, name in episode.seats.items() if not source.players or name in source.players]
        if not seats:
            continue
        if _contradicts(episode):
            contradictions += 1
            continue
        kept += [Demonstration(episode, seat) for seat in seats]
        matches += 1
        if matches == source.matches:
            break
    if contradictions:
        log.warning("[imitation] %d matches of run %s contradict the rules and are left out", contradictions, run.name)
    if not kept:
        who = f" of {', '.join(source.players)}" if source.players else ""
        listed = f"; its players in these games: {', '.join(sorted(names))}" if names else ""
        raise InputError(f"[imitation] run {run.name!r} has no matches{who} in {', '.join(specs)}{listed}")
    return list(_filtered(source, kept, specs))


def _contradicts(episode: Episode) -> bool:
    """Returns whether a record does not follow from the rules: a store may come from others."""
    try:
        return bool(contradiction(games.make(episode.game), episode))
    except (InconclusiveReplay, ArenaError):
        return True


def _filtered(
    source: ImitationConfig, kept: Sequence[Demonstration], specs: Mapping[str, GameSpec]
) -> Iterator[Demonstration]:
    if source.keep == "all":
        yield from kept
    elif source.keep == "winners":
        yield from (d for d in kept if d.reward > _best_of_others(d, specs[d.episode.game]))
    else:
        ranked: dict[tuple[str, str], list[Demonstration]] = defaultdict(list)
        for demonstration in kept:
            ranked[demonstration.key].append(demonstration)
        for same in ranked.values():
            same.sort(key=lambda d: -d.reward)
            yield from same[: max(1, round(source.share * len(same)))]


def _best_of_others(demonstration: Demonstration, spec: GameSpec) -> float:
    episode, seat = demonstration
    team = next((team for team in spec.teams if seat in team), (seat,))
    return max((value for other, value in episode.returns.items() if other not in team), default=0.0)
