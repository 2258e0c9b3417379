"""What a training needs, without playing a match or writing a store: resources, tokens, first batch, one prompt."""

from __future__ import annotations

import itertools
import statistics
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

import games
from arena.inference.model_shape import shape_of_config
from arena.learner import LearnerConfig, checkpoint
from arena.players import View
from games import InputError, TextGame
from league.config.training import TrainingConfig
from league.records.matches import PlannedMatch
from league.training.measures.evaluation_size import evaluation_size
from league.training.measures.suites import SuiteEvaluator
from league.training.opponent_pool import Snapshot
from league.training.participants.policy_id import PolicyId
from league.training.plan import PolicyPlan, TrainingPlan
from league.training.policies.open_policies import cast_of, opponent_pools
from league.training.policies.phases import PhaseSchedule
from league.training.policy_trainer import PolicyTrainer
from league.training.resources.fitting import advised, fitted
from league.training.resources.machine import cards_here
from league.training.resources.resource_plan import ResourcePlan
from league.training.run import open_anchors, open_trainers, plan_of
from league.training.schedule import plan_step

if TYPE_CHECKING:
    from arena.players.llm import Prompt

PROMPTS = 64
"""first prompts of the first batch that are counted"""


class TokenCounts(msgspec.Struct, frozen=True):
    """Tokens of the first prompts of a batch, and the most that an answer and a step can have."""

    prompts: tuple[int, int, int]
    """the smallest, the median and the largest first prompt"""
    answer: int
    """the most tokens of an answer"""
    context: int
    """the most tokens that the model reads"""
    attempts: int
    """the most answers that a step of training can ask for: all turns of all matches, with all retries"""
    token_budget: int


class DryRun(msgspec.Struct, frozen=True):
    """The result of `arena train --dry-run`."""

    name: str
    device: str
    dtype: str
    policies: dict[str, int]
    """model, with the name of its policy if there are several -> number of its parameters"""
    trained: int
    """parameters that are trained, of all policies"""
    resources: ResourcePlan | None
    """who takes how much of this machine's GPUs, or of its memory; None for models of unknown shape"""
    changes: tuple[str, ...]
    """what a run lowers to fit on the GPUs, in words"""
    matches: dict[str, dict[str, int]]
    """game, with the name of the policy if there are several -> opponent -> matches of the first batch"""
    first: str
    """the first match of the batch, in words"""
    tokens: TokenCounts
    prompt: str
    """the first prompt of the first match, as the model reads it"""
    evaluation: tuple[str, ...]
    """the parts of one evaluation, in words"""
    evaluations: int
    """steps between two evaluations"""
    choices: tuple[str, ...]
    """the answers that the model chooses from; (): it writes"""
    resumes_after: int | None
    """the step of the newest checkpoint, if the training was started before"""


def dry_run(config: TrainingConfig, file: str | Path, *, trust: bool = False) -> DryRun:
    """Load the model, plan the first batch, render its first prompts, and count what the training holds in memory.

    Raises InputError as `run_training` does.
    """
    plan = plan_of(config, file, trust=trust)
    with ExitStack() as stack:
        anchors = open_anchors(plan, stack)
        alone = replace(plan, learner=LearnerConfig())  # no other process is needed to count
        trainers = open_trainers(alone, stack)
        able = {id: [a.name for a in anchors.values() if a.supports(games.make(id)) is None] for id in plan.specs}
        batches = _first_batch(plan, able)
        planned = [match for batch in batches.values() for match in batch]
        rendered = list(itertools.islice(_prompts(trainers, planned), PROMPTS))
        if not rendered:
            raise InputError("no match of the first batch begins with a turn of the live policy; raise opponents.self")
        return _report(plan, trainers, batches, rendered, able)


def _first_batch(plan: TrainingPlan, anchors: Mapping[str, Sequence[str]]) -> dict[PolicyId, list[PlannedMatch]]:
    """Returns the matches of the first step, by the policy that plans them."""
    pools, phases = opponent_pools(plan, anchors), PhaseSchedule(plan.phases, plan.repeat_phases)
    for id, pool in pools.items():
        pool.add(Snapshot(id.snapshot(plan.name, 0).text, 0, 0, id))  # the loop takes one before the first step
    return {
        id: plan_step(cast_of(plan, policy, phases), pools[id], 0, 0)
        for id, policy in plan.policies.items()
        if phases.trains(id.name)
    }


def _report(
    plan: TrainingPlan,
    trainers: Mapping[PolicyId, PolicyTrainer],
    batches: Mapping[PolicyId, Sequence[PlannedMatch]],
    rendered: Sequence[tuple[PlannedMatch, View, Prompt]],
    anchors: Mapping[str, Sequence[str]],
) -> DryRun:
    planned = [match for batch in batches.values() for match in batch]
    models = {(id, part): model for id, trainer in trainers.items() for part, model in trainer.models.items()}
    model = next(iter(models.values()))
    match, view, prompt = rendered[0]
    lengths = [len(p.ids) for _, _, p in rendered]
    choices = [len(c) for _, _, p in rendered for c in p.choices or ()]
    turns = sum(plan.specs[p.match.game].max_turns for p in planned)
    newest = checkpoint.latest(plan.folder / "checkpoints")
    lower, resources, changes = _resources(plan, trainers)
    trained = [param.numel() for m in models.values() for param in m.trainer.weights.params.values()]
    return DryRun(
        name=plan.name,
        device=str(model.trainer.device),
        dtype=str(next(model.trainer.model.parameters()).dtype).removeprefix("torch."),
        policies={_named(id, part or "all roles"): _size(m.trainer.model) for (id, part), m in models.items()},
        trained=sum(trained),
        resources=resources,
        changes=changes,
        matches={
            _named(id, game): opponents
            for id, batch in batches.items()
            for game, opponents in _matches(plan, plan.policies[id], batch).items()
        },
        first=f"{match.match.game}, {view.seat} ({view.role}), seed {match.match.seed}",
        tokens=TokenCounts(
            prompts=(min(lengths), round(statistics.median(lengths)), max(lengths)),
            answer=max(choices) if choices and all(p.choices for _, _, p in rendered) else model.player.max_tokens,
            context=model.engine.context,
            attempts=turns * (1 + plan.illegal.retries),
            token_budget=max(p.trainer.optimizer.token_budget for p in lower.policies.values()),
        ),
        prompt=model.engine.tokenizer.decode(list(prompt.ids)),
        evaluations=plan.evaluation.every,
        evaluation=tuple(_evaluation(plan, anchors)),
        choices=tuple(model.engine.tokenizer.decode(list(c)) for c in prompt.choices or ()),
        resumes_after=None if newest is None else checkpoint.load(newest).step,
    )


def _resources(
    plan: TrainingPlan, trainers: Mapping[PolicyId, PolicyTrainer]
) -> tuple[TrainingPlan, ResourcePlan | None, tuple[str, ...]]:
    """Returns the plan of a run, which lowers on GPUs alone what does not fit, its resources, and what it lowers."""
    shapes = {
        id: shape_of_config(next(iter(trainer.models.values())).trainer.model.config.to_dict())
        for id, trainer in trainers.items()
    }
    complete = {id: shape for id, shape in shapes.items() if shape is not None}
    if len(complete) < len(shapes):
        return plan, None, ()
    cards = cards_here(plan)
    return fitted(plan, complete, cards) if cards.count else (plan, advised(plan, complete, cards), ())


def _evaluation(plan: TrainingPlan, anchors: Mapping[str, Sequence[str]]) -> Iterator[str]:
    for id, policy in plan.policies.items():
        if policy.evaluated:
            yield from (_named(id, line) for line in evaluation_size(plan, policy, anchors).lines())
            for suite in SuiteEvaluator(plan.evaluation, frozenset()).suites:
                yield _named(id, f"{sum(map(len, suite.tasks.values())):,} tasks of {suite.source.id}")


def _prompts(
    trainers: Mapping[PolicyId, PolicyTrainer], planned: Sequence[PlannedMatch]
) -> Iterator[tuple[PlannedMatch, View, Prompt]]:
    """Yields the prompts of the live policies at the start of each match, for the seats that act first."""
    made: dict[str, TextGame] = {}
    owners = {name: trainer for trainer in trainers.values() for name in trainer.players()}
    for match in planned:
        game = made.setdefault(match.match.game, games.make(match.match.game))
        game.load_task(match.match.task)
        game.reset(match.match.seed)
        for seat in game.acting:
            role = game.spec.seats[seat]
            if (trainer := owners.get(match.match.seats[seat])) is not None:
                model = trainer.models.get(role) or next(iter(trainer.models.values()))
                view = View(game, seat, role, game.legal(seat), 0, 0, match=match.match.id)
                yield match, view, model.player.prompt(view)


def _named(policy: PolicyId, what: str) -> str:
    return f"{policy.name}: {what}" if policy.name else what


def _matches(plan: TrainingPlan, policy: PolicyPlan, planned: Sequence[PlannedMatch]) -> dict[str, dict[str, int]]:
    counts: dict[str, Counter[str]] = {}
    players = plan.players.playing(policy.ref.policy)
    for match in planned:
        others = set(match.match.seats.values()) - players
        counts.setdefault(match.match.game, Counter())[next(iter(others), "itself")] += 1
    return {game: dict(counter.most_common()) for game, counter in counts.items()}


def _size(model: object) -> int:
    return sum(param.numel() for param in model.parameters())  # type: ignore[attr-defined]
