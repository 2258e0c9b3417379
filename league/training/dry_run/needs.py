"""What a training needs, found without playing a match or writing a store: memory, tokens, first batch, one prompt."""

from __future__ import annotations

import itertools
import statistics
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

import games
from arena.learner import LearnerConfig, checkpoint
from arena.players import View
from games import GameSpec, InputError, TextGame
from league.config.training import TrainingConfig
from league.records.matches import PlannedMatch
from league.training.cast import LearnerSettings
from league.training.dry_run.memory import MemoryItem, memory_of
from league.training.learner import Learner
from league.training.learners.learner_settings import learner_settings
from league.training.learners.open_learners import cast_of, opponent_pools
from league.training.learners.phases import PhaseSchedule
from league.training.measures.evaluation_size import evaluation_size
from league.training.measures.suites import SuiteEvaluator
from league.training.opponent_pool import Snapshot
from league.training.participants.learner_id import LearnerId
from league.training.run import open_anchors, open_trainers, prepare
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
    """policy, with the name of its learner if there are several -> number of its parameters"""
    trained: int
    """parameters that are trained, of all policies"""
    memory: tuple[MemoryItem, ...]
    available: int | None
    """bytes of memory on the device; None if unknown"""
    matches: dict[str, dict[str, int]]
    """game, with the name of the learner if there are several -> opponent -> matches of the first batch"""
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
    config, specs, _ = prepare(config, file, trust=trust)
    with ExitStack() as stack:
        anchors = open_anchors(config, stack)
        settings = learner_settings(config, specs)
        alone = config.model_copy(update={"learner": LearnerConfig()})  # no other process is needed to count
        learners = open_trainers(learner_settings(alone, specs), stack)
        able = {id: [a.name for a in anchors.values() if a.supports(games.make(id)) is None] for id in specs}
        batches = _first_batch(config, settings, able)
        planned = [match for batch in batches.values() for match in batch]
        rendered = list(itertools.islice(_prompts(learners, planned), PROMPTS))
        if not rendered:
            raise InputError("no match of the first batch begins with a turn of the live policy; raise opponents.self")
        return _report(config, specs, settings, learners, batches, rendered, able)


def _first_batch(
    config: TrainingConfig, settings: Mapping[LearnerId, LearnerSettings], anchors: Mapping[str, Sequence[str]]
) -> dict[LearnerId, list[PlannedMatch]]:
    """The matches of the first step, by the learner that plans them."""
    pools, phases = opponent_pools(settings, anchors), PhaseSchedule(config.phases, config.repeat_phases)
    for id, pool in pools.items():
        pool.add(Snapshot(id.snapshot(config.name, 0).text, 0, 0, id))  # the loop takes one before the first step
    return {
        id: plan_step(cast_of(own, settings, phases), pools[id], 0, 0)
        for id, own in settings.items()
        if phases.trains(id.name)
    }


def _report(
    config: TrainingConfig,
    specs: Mapping[str, GameSpec],
    settings: Mapping[LearnerId, LearnerSettings],
    learners: Mapping[LearnerId, Learner],
    batches: Mapping[LearnerId, Sequence[PlannedMatch]],
    rendered: Sequence[tuple[PlannedMatch, View, Prompt]],
    anchors: Mapping[str, Sequence[str]],
) -> DryRun:
    planned = [match for batch in batches.values() for match in batch]
    policies = {(id, key): policy for id, learner in learners.items() for key, policy in learner.policies.items()}
    policy = next(iter(policies.values()))
    match, view, prompt = rendered[0]
    lengths = [len(p.ids) for _, _, p in rendered]
    choices = [len(c) for _, _, p in rendered for c in p.choices or ()]
    turns = sum(specs[p.match.game].max_turns for p in planned)
    newest = checkpoint.latest(config.place / "checkpoints")
    items, available = memory_of((settings[id], learner) for id, learner in learners.items())
    trained = [param.numel() for p in policies.values() for param in p.trainer.weights.params.values()]
    return DryRun(
        name=config.name,
        device=str(policy.trainer.device),
        dtype=str(next(policy.trainer.model.parameters()).dtype).removeprefix("torch."),
        policies={_named(id, key or "all roles"): _size(p.trainer.model) for (id, key), p in policies.items()},
        trained=sum(trained),
        memory=items,
        available=available,
        matches={
            _named(id, game): found
            for id, batch in batches.items()
            for game, found in _matches(settings[id], batch).items()
        },
        first=f"{match.match.game}, {view.seat} ({view.role}), seed {match.match.seed}",
        tokens=TokenCounts(
            prompts=(min(lengths), round(statistics.median(lengths)), max(lengths)),
            answer=max(choices) if choices and all(p.choices for _, _, p in rendered) else policy.player.max_tokens,
            context=policy.engine.context,
            attempts=turns * (1 + config.illegal.retries),
            token_budget=config.optimizer.token_budget,
        ),
        prompt=policy.engine.tokenizer.decode(list(prompt.ids)),
        evaluations=config.evaluation.every,
        evaluation=tuple(_evaluation(settings, anchors)),
        choices=tuple(policy.engine.tokenizer.decode(list(c)) for c in prompt.choices or ()),
        resumes_after=None if newest is None else checkpoint.load(newest).step,
    )


def _evaluation(settings: Mapping[LearnerId, LearnerSettings], anchors: Mapping[str, Sequence[str]]) -> Iterator[str]:
    for id, own in settings.items():
        if own.evaluated:
            yield from (_named(id, line) for line in evaluation_size(own.config, own.specs, anchors).lines())
            for suite in SuiteEvaluator(own.config.evaluation, frozenset()).suites:
                yield _named(id, f"{sum(map(len, suite.tasks.values())):,} tasks of {suite.source.id}")


def _prompts(
    learners: Mapping[LearnerId, Learner], planned: Sequence[PlannedMatch]
) -> Iterator[tuple[PlannedMatch, View, Prompt]]:
    """The prompts of the live policies at the start of each match, for the seats that act first."""
    made: dict[str, TextGame] = {}
    owners = {name: learner for learner in learners.values() for name in learner.players()}
    for match in planned:
        game = made.setdefault(match.match.game, games.make(match.match.game))
        game.load_task(match.match.task)
        game.reset(match.match.seed)
        for seat in game.acting:
            role = game.spec.seats[seat]
            if (learner := owners.get(match.match.seats[seat])) is not None:
                policy = learner.policies.get(role) or next(iter(learner.policies.values()))
                view = View(game, seat, role, game.legal(seat), 0, 0, match=match.match.id)
                yield match, view, policy.player.prompt(view)


def _named(learner: LearnerId, what: str) -> str:
    return f"{learner.name}: {what}" if learner.name else what


def _matches(learner: LearnerSettings, planned: Sequence[PlannedMatch]) -> dict[str, dict[str, int]]:
    found: dict[str, Counter[str]] = {}
    players = learner.names.playing(learner.ref.policy)
    for match in planned:
        others = set(match.match.seats.values()) - players
        found.setdefault(match.match.game, Counter())[next(iter(others), "itself")] += 1
    return {game: dict(counter.most_common()) for game, counter in found.items()}


def _size(model: object) -> int:
    return sum(param.numel() for param in model.parameters())  # type: ignore[attr-defined]
