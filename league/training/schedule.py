"""The matches of a training step, planned as a pure function of the seed, the step and the opponent pool."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from arena.match import Episode
from games import GameSpec
from games.randomness import RandomStream, derive
from league.config.training import TrainingConfig
from league.matchmaking.match_plans import plan_pairing
from league.records.matches import PlannedMatch
from league.tasks import PlannedTask, TaskSampler
from league.tasks.curricula import StepBudget
from league.training.cast import Cast, sides_of
from league.training.opponent_pool import Opponent, OpponentPool
from league.training.participants.learner_id import LearnerId, copy_name, is_rival


class Again(NamedTuple):
    """Further matches of a step whose first ones taught too little."""

    round: int
    """1, 2, ..."""
    matches: int
    """the minimum number of matches"""


def plan_step(
    config: TrainingConfig,
    specs: Mapping[str, GameSpec],
    opponents: OpponentPool,
    step: int,
    start: int,
    sample_task: TaskSampler | None = None,
    notes: Callable[[str, Mapping[str, str]], str] | None = None,
    cast: Cast | None = None,
    again: Again | None = None,
) -> list[PlannedMatch]:
    """The matches of a step of one learner, numbered from `start`.

    `config` and `specs` are those of the learner, and `cast` says who plays its matches (None: it is the only learner).
    In self-play the live policy has all seats. Against another player it takes each side (a seat, or a team of seats)
    in turn on one seed, so neither the deal nor the seat favours anyone; in a game of one team it takes each seat in
    turn, with the other player as its partner. Each pairing is played `config.group` times on the same seed and task.
    `sample_task` gives tasks of the pool, and how often each is played instead, or what a proposer is shown.
    `notes(game, seats)` returns what earlier matches noted for these players. `again`: further matches of the step,
    with other seeds.
    """
    cast = cast or Cast(config)
    label = cast.own.prefixed(config.name)
    when: tuple[int | str, ...] = (step,) if again is None else (step, "again", again.round)
    stream = RandomStream(derive(config.seed, label, "opponents", *when))
    ids = list(specs)
    weights = [g.weight for g in config.games]
    tasks = RandomStream(derive(config.seed, label, "tasks", *when))
    sampled: set[str] = set()
    planned: list[PlannedMatch] = []
    pairing = 0
    while len(planned) < (config.matches_per_step if again is None else again.matches):
        spec = specs[ids[stream.weighted(weights)]]
        opponent = opponents.sample(spec.id, stream, sampled)
        task = PlannedTask()
        if sample_task and tasks.random() < config.tasks.share:
            task = sample_task.task(spec.id, _task_budget(config, weights[ids.index(spec.id)]), tasks)
        elif sample_task:
            task = sample_task.references(spec.id, tasks)
        planned += plan_pairing(
            spec.id,
            _seatings(cast, spec, step, opponent, task.matches),
            run=f"{config.name}.training",
            index=start + len(planned),
            round=step,
            pairing=cast.own.prefixed(f"{step}.{pairing}" if again is None else f"{step}+{again.round}.{pairing}"),
            seed=derive(config.seed, label, "match", *when, pairing),
            task=task.text,
            notes=notes,
        )
        pairing += 1
    return planned


def _task_budget(config: TrainingConfig, weight: float) -> StepBudget:
    """What a step has for the pool's tasks of a game with this weight."""
    share = config.tasks.share * weight / sum(g.weight for g in config.games)
    return StepBudget(round(share * config.matches_per_step), config.group)


def _seatings(
    cast: Cast, spec: GameSpec, step: int, opponent: Opponent | None, matches: int = 0
) -> list[dict[str, str]]:
    """The seats of each match of a pairing. Against an opponent, only sides that learn are live, if there are any.

    `matches`: on each side; 0: one for each copy of the group.
    """
    live = cast.seats(spec, step)
    copies = range(matches or cast.config.group)
    if opponent is None:
        return [{seat: copy_name(name, copy) for seat, name in live.items()} for copy in copies]
    against = cast.seats_against(spec, opponent)
    return [
        {seat: copy_name(live[seat], copy) if seat in side else against[seat] for seat in live}
        for side in _own_sides(cast.own, sides_of(spec, cast.config), live)
        for copy in copies
    ]


def _own_sides(own: LearnerId, sides: Sequence[tuple[str, ...]], live: Mapping[str, str]) -> Sequence[tuple[str, ...]]:
    """The sides on which a learner learns; if there are none, those on which it plays."""
    learning = [side for side in sides if any(live[seat] == own.live for seat in side)]
    return learning or [side for side in sides if any(own.is_own(live[seat]) for seat in side)]


def result_of(learner: LearnerId, episode: Episode, teams: Sequence[tuple[str, ...]] = ()) -> tuple[str, float] | None:
    """The opponent and a learner's result (1, 0.5 or 0); None for self-play, void matches and those of others.

    An opponent that has seats on both teams, as in a game of strangers, is met in those of the other team.
    """
    others = [s for s, p in episode.seats.items() if is_rival(p)]
    mine = next((s for s, p in episode.seats.items() if learner.is_own(p)), None)
    if episode.status == "void" or not others or mine is None:
        return None
    own_team = next((team for team in teams if mine in team), ())
    others = [seat for seat in others if seat not in own_team] or others
    best = max(episode.returns[s] for s in others)
    own = episode.returns[mine]
    return episode.seats[others[0]], 0.5 if abs(own - best) <= 1e-9 else float(own > best)
