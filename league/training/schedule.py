"""The matches of a training step, planned as a pure function of the seed, the step and the opponent pool."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from msgspec.structs import replace

from arena.match import Episode
from games import GameSpec
from games.randomness import RandomStream, derive
from league.matchmaking.match_plans import plan_pairing
from league.records.matches import PlannedMatch
from league.records.player_ref import PlayerRef
from league.tasks import PlannedTask, TaskSampler
from league.tasks.curricula import StepBudget
from league.training.cast import Cast, sides_of
from league.training.opponent_pool import Opponent, OpponentPool
from league.training.participants.policy_id import PlayerNames


def plan_step(
    cast: Cast,
    opponents: OpponentPool,
    step: int,
    start: int,
    sample_task: TaskSampler | None = None,
    notes: Callable[[str, Mapping[str, str]], str] | None = None,
) -> list[PlannedMatch]:
    """Returns the matches of a step of one policy, numbered from `start`; `cast` says who plays them.

    In self-play the live policy has all seats. Against another player it takes each side (a seat, or a team of seats)
    in turn on one seed, so neither the deal nor the seat favours anyone; in a game of one team it takes each seat in
    turn, with the other player as its partner. Each pairing is played `plan.group` times on the same seed and task.
    `sample_task` gives tasks of the pool, and how often each is played instead, or what a proposer is shown.
    `notes(game, seats)` returns what earlier matches noted for these players.
    """
    plan, policy = cast.plan, cast.policy
    label = policy.ref.policy
    stream = RandomStream(derive(plan.seed, label, "opponents", step))
    ids, weights = list(policy.weights), list(policy.weights.values())
    tasks = RandomStream(derive(plan.seed, label, "tasks", step))
    sampled: set[str] = set()
    planned: list[PlannedMatch] = []
    pairing = 0
    while len(planned) < policy.matches_per_step:
        spec = policy.specs[ids[stream.weighted(weights)]]
        opponent = opponents.sample(spec.id, stream, sampled)
        task = PlannedTask()
        if sample_task and tasks.random() < plan.tasks.share:
            task = sample_task.task(spec.id, _task_budget(cast, spec.id), tasks)
        elif sample_task:
            task = sample_task.references(spec.id, tasks)
        planned += plan_pairing(
            spec.id,
            _seatings(cast, spec, step, opponent, task.matches),
            run=f"{plan.name}.training",
            index=start + len(planned),
            round=step,
            pairing=policy.id.prefixed(f"{step}.{pairing}"),
            seed=derive(plan.seed, label, "match", step, pairing),
            refs=_refs(cast, opponent),
            task=task.text,
            notes=notes,
        )
        pairing += 1
    return planned


def _task_budget(cast: Cast, game: str) -> StepBudget:
    """Returns the matches of one game that a step may spend on tasks of the pool."""
    weights = cast.policy.weights
    share = cast.plan.tasks.share * weights[game] / sum(weights.values())
    return StepBudget(round(share * cast.policy.matches_per_step), cast.plan.group)


def _refs(cast: Cast, opponent: Opponent | None) -> Mapping[str, PlayerRef]:
    """Returns what stands behind the players of a pairing by name."""
    refs = cast.plan.players.refs
    if opponent is None or opponent.policy is None or opponent.step is None:
        return refs
    return {**refs, opponent.name: opponent.policy.snapshot(cast.plan.name, opponent.step)}


def _seatings(
    cast: Cast, spec: GameSpec, step: int, opponent: Opponent | None, matches: int = 0
) -> list[dict[str, str]]:
    """Returns the seats of each match of a pairing. Against an opponent, only sides that learn are live, if any.

    `matches`: on each side; 0: one for each copy of the group.
    """
    live, names = cast.seats(spec, step), cast.plan.players
    copies = [
        {seat: names.of(replace(ref, copy=copy)) for seat, ref in live.items()}
        for copy in range(matches or cast.plan.group)
    ]
    if opponent is None:
        return copies
    against = cast.seats_against(spec, opponent)
    return [
        {seat: name if seat in side else against[seat] for seat, name in seats.items()}
        for side in _learning_sides(cast.policy.ref, sides_of(spec, cast.plan.partners), live)
        for seats in copies
    ]


def _learning_sides(
    ref: PlayerRef, sides: Sequence[tuple[str, ...]], live: Mapping[str, PlayerRef]
) -> Sequence[tuple[str, ...]]:
    """Returns the sides on which a policy learns; if there are none, those on which it plays."""
    learning = [side for side in sides if any(live[seat] == ref for seat in side)]
    return learning or [side for side in sides if any(live[seat].policy == ref.policy for seat in side)]


def result_of(
    policy: str, names: PlayerNames, episode: Episode, teams: Sequence[tuple[str, ...]] = ()
) -> tuple[str, float] | None:
    """Returns the opponent and a policy's result (1, 0.5 or 0); None for self-play, void matches and those of others.

    An opponent that has seats on both teams, as in a game of strangers, is met in those of the other team.
    """
    refs = {seat: names.refs.get(player) for seat, player in episode.seats.items()}
    others = [seat for seat, ref in refs.items() if ref is None or ref.opponent]
    first = next((seat for seat, ref in refs.items() if seat not in others and ref and ref.policy == policy), None)
    if episode.status == "void" or not others or first is None:
        return None
    team = next((team for team in teams if first in team), ())
    others = [seat for seat in others if seat not in team] or others
    best, returned = max(episode.returns[seat] for seat in others), episode.returns[first]
    return episode.seats[others[0]], 0.5 if abs(returned - best) <= 1e-9 else float(returned > best)
