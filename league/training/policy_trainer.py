"""The learning side of a policy: its models with their trainers, engines and players."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

import roles
from arena.learner import (
    Credit,
    Estimator,
    StepStats,
    TurnSample,
    controlled,
    credits_of,
    estimator,
    turn_samples,
    without_overlong,
)
from arena.learner.advantages import checked_advantages, checked_turn_advantages
from arena.learner.credit import NamedPhases
from arena.match import Episode
from arena.players import Player
from arena.players.by_role import WHOLE
from games import InputError
from games.randomness import derive
from league.config.imitation import ImitationConfig
from league.config.policy import PolicyConfig
from league.training.participants.players import AdvisingPolicy, SavedSnapshot, live_players, policy_player
from league.training.participants.policy_id import PolicyId
from league.training.plan import PolicyPlan, TrainingPlan
from roles import Role

log = logging.getLogger(__name__)

if TYPE_CHECKING:
    from torch import Tensor

    from arena.inference.models import LoadedModel
    from arena.inference.transformers.trainable import TrainableEngine
    from arena.learner.checkpoint import Checkpoint
    from arena.learner.imitation import Imitated
    from arena.learner.sharded_trainer import ShardedTrainer
    from arena.learner.trainer import Trainer

Tensors = Mapping[str, "Tensor"]
"""trained parameters by name"""
Weights = Mapping[str, Tensors]
"""part of a policy -> its trained parameters"""
Published = Mapping[PolicyId, tuple[int, Weights]]
"""policy -> the version and the weights that its live policy plays with"""


class TrainedModel:
    """One set of weights. The trainer that changes it and the engine that plays with it share the module."""

    def __init__(self, plan: PolicyPlan, processes: int) -> None:
        from arena.inference import models

        models.require_packages()
        p = plan.policy
        loaded = models.load(p.model, dtype=dtype_of(p), device=p.device)
        self.trainer = _trainer(plan, processes, loaded)
        self.engine = trainable_engine(loaded, p)
        self.player = policy_player(p, self.engine, roles=plan.role_ids)

    def learn(self, samples: Sequence[TurnSample], version: int) -> StepStats:
        """Take one step of the trainer. The engine plays with the new weights from then on.

        The wait for the engine and the clearing of its caches count as `publish` in the returned seconds.
        """
        start = perf_counter()
        with self.engine.updating(version=version):
            stats = self.trainer.step(samples)
        waited = perf_counter() - start - stats.seconds["total"]
        return replace(stats, seconds=stats.seconds | {"publish": stats.seconds["publish"] + waited})

    def imitate(self, samples: Sequence[TurnSample], source: ImitationConfig) -> Imitated:
        """Learn answers of others: see `arena.learner.imitation`. The version stays 0."""
        from arena.learner.imitation import imitate
        from arena.learner.trainer import Trainer

        assert isinstance(self.trainer, Trainer)  # `resolve` refuses several processes
        with self.engine.updating(version=0):
            returns = source.learn == "returns"
            return imitate(self.trainer, samples, source.epochs, source.batch, source.lr, returns)

    @contextmanager
    def sampling(self, temperature: float | None) -> Iterator[None]:
        """Sample at another temperature inside; None: at its own."""
        player = self.player.policy if isinstance(self.player, AdvisingPolicy) else self.player
        usual = player.temperature
        player.temperature = usual if temperature is None else temperature
        try:
            yield
        finally:
            player.temperature = usual

    def close(self) -> None:
        """Stop the engine, and the player that the policy advises."""
        self.player.close()
        self.engine.close()


def _trainer(plan: PolicyPlan, processes: int, loaded: LoadedModel) -> Trainer | ShardedTrainer:
    """Returns the trainer of a policy, in this process or shared by several. Raises InputError."""
    from arena.learner.trainer import Trainer

    p, settings = plan.policy, plan.trainer
    teacher = _teacher(settings.loss.teacher, loaded, p)
    if processes == 1:
        return Trainer(loaded.model, settings, teacher)
    from arena.learner.process_group import joined
    from arena.learner.sharded_trainer import ModelSource, ShardedTrainer

    group = joined()
    if group is None:
        raise InputError(f"processes is {processes} under [learner]; only `arena train FILE` starts several processes")
    plain = settings.model_dump(mode="json")
    source = ModelSource(p.model, dtype_of(p), plain, settings.loss.teacher)
    return ShardedTrainer(group, loaded.model, source)


def _teacher(name: str, student: LoadedModel, policy: PolicyConfig) -> Any:
    """Returns the model that the policy learns from, or None. Raises InputError if it has another tokenizer."""
    from arena.inference import models

    if not name:
        return None
    loaded = models.load(name, dtype=dtype_of(policy), device=policy.device)
    if loaded.tokenizer.get_vocab() != student.tokenizer.get_vocab():
        raise InputError(f"loss.teacher: {name!r} has another tokenizer than the policy {policy.model!r}")
    return loaded.model


def base_of(model: str) -> str:
    """Returns the name by which the adapters of a model know it: a folder's is absolute, and so is any adapter's."""
    from arena.inference import adapters, models

    path = Path(model).expanduser()
    if not path.is_dir():
        path = models.folder(model)
        if adapters.find(path) != path:
            return model
    return str(path.resolve())


def trainable_engine(loaded: LoadedModel, policy: PolicyConfig) -> TrainableEngine:
    """Returns an engine on a module whose weights change. If `deterministic`, it decides one prompt at a time."""
    from arena.inference.transformers.trainable import TrainableEngine

    deterministic = loaded.device.type == "cpu" if policy.deterministic is None else policy.deterministic
    return TrainableEngine(loaded, max_batch=1 if deterministic else 64)


def dtype_of(policy: PolicyConfig) -> str:
    """Returns the data type of a policy's weights; for `auto` the fastest on its device."""
    from arena.inference import models

    return models.dtype_of(policy.model, policy.dtype, policy.device)


class PolicyTrainer:
    """All models of a policy and the advantage estimator they share.

    Raises InputError if no two answers can be compared although the estimator or the loss compares them.
    """

    def __init__(self, plan: TrainingPlan, policy: PolicyPlan) -> None:
        self.plan, self._folder = policy, plan.folder / "snapshots"
        self.estimator = estimator(policy.advantage)
        _check_groups(plan.group, policy, self.estimator)
        self._credited = {name: roles.make(role) for name, role in policy.role_ids.items()}
        self._phases: dict[str, NamedPhases] = {}
        self.models = {part: TrainedModel(policy, plan.learner.processes) for part in policy.parts}
        self.version = 0
        self._refs, self._learning = plan.players.of_policy(policy.ref.policy), plan.players.learning(policy.ref.policy)
        self._base = base_of(policy.policy.model)

    def players(self) -> dict[str, Player]:
        """Returns the live policy under all its names."""
        playing = {part: model.player for part, model in self.models.items()}
        return live_players(playing, self._refs)

    def learn(self, episodes: Sequence[Episode]) -> tuple[list[Credit], list[float], dict[str, StepStats]]:
        """Train on the episodes of one step, given in plan order.

        Returns the credits, their advantages and the statistics of each policy's trainer.
        """
        credits = self.credits(episodes)
        rewarded = credits
        credits = without_overlong(episodes, credits)
        if rewarded and not credits:
            log.warning(
                "no answer of this step ended before max_tokens = %d, so nothing is learned; raise max_tokens",
                next(iter(self.models.values())).player.max_tokens,
            )
        advantages = checked_advantages(self.plan.advantage, self.estimator, credits)
        by_turn = checked_turn_advantages(self.plan.advantage, self.estimator, credits)
        samples = turn_samples(episodes, credits, advantages, by_turn)
        self.version += 1
        stats = {
            part: model.learn([s for s in samples if part in (WHOLE, s.key[1])], self.version)
            for part, model in self.models.items()
        }
        return credits, advantages, stats

    def credits(self, episodes: Sequence[Episode]) -> list[Credit]:
        """Returns the credits of the live policy in the episodes of one step."""
        credits = credits_of(episodes, self._learning, role=self._role, phases=self._phases, specs=self.plan.specs)
        seed = derive(self.plan.trainer.seed, "returns", self.version)
        return controlled(self.plan.returns, episodes, credits, seed)

    def _role(self, name: str) -> Role:
        return self._credited.get(name) or roles.make(name)

    def weights(self) -> Weights:
        """Returns a copy of all trained parameters, in the engines' data type, by policy and name."""
        return {
            part: {name: param.detach().clone() for name, param in model.trainer.weights.params.items()}
            for part, model in self.models.items()
        }

    def restart(self, snapshot: SavedSnapshot) -> None:
        """Begin anew from the weights of a snapshot: optimizers, schedules and the estimator start over."""
        self.version += 1
        self.estimator = estimator(self.plan.advantage)
        for part, model in self.models.items():
            weights = snapshot_weights(snapshot.part(part), list(model.trainer.weights.params), self.plan.policy)
            with model.engine.updating(version=self.version):
                model.trainer.restart(weights)

    def clear_caches(self) -> None:
        """Make the engines read all prompts again, as after a resume.

        A cached prompt that an evaluation read in other parts differs in the last bit.
        """
        for model in self.models.values():
            with model.engine.updating(version=self.version):
                pass

    def snapshot(self, name: str) -> SavedSnapshot:
        """Returns the snapshot of this name: its folder and how it plays."""
        p = self.plan.policy
        # The vLLM of the live policy plays adapters beside its newest one; whole models would each start their own.
        engine = "vllm" if p.engine == "vllm" and p.vllm.reloads(p.lora) else "transformers"
        settings = p.model_copy(update={"dtype": dtype_of(p), "engine": engine})
        return SavedSnapshot(name, (self._folder / name).resolve(), tuple(self.models), settings, self.plan.role_ids)

    def save_snapshot(self, name: str, folder: Path | None = None) -> SavedSnapshot:
        """Write the live policy as it is now, in a format that any engine loads. `folder`: in place of the run's."""
        from arena.inference.huggingface import quiet

        snapshot = self.snapshot(name)
        if folder is not None:
            snapshot = replace(snapshot, folder=folder)
        for part, model in self.models.items():
            with quiet():
                model.trainer.export(snapshot.part(part), model.engine.tokenizer, self._base)
        return snapshot

    def write(self, folder: Path) -> None:
        """Write the tensors of all trainers into the folder of a checkpoint. Raises OSError."""
        for part, model in self.models.items():
            model.trainer.write(folder, self.plan.id.grouped(part, ""))

    def state_dict(self) -> dict[str, Any]:
        """Returns the rest of the state, as plain JSON."""
        trainers = {part: model.trainer.state_dict() for part, model in self.models.items()}
        return {"version": self.version, "estimator": self.estimator.state_dict(), "trainers": trainers}

    def load(self, checkpoint: Checkpoint, state: Mapping[str, Any]) -> None:
        """Restore what `write` wrote and `state_dict` returned. Raises InputError if they are of other policies."""
        if set(state["trainers"]) != set(self.models):
            raise InputError(f"the checkpoint holds policies for {sorted(state['trainers'])}, not {list(self.models)}")
        self.version = int(state["version"])
        self.estimator.load_state_dict(state["estimator"])
        for part, model in self.models.items():
            saved = checkpoint.part(self.plan.id.grouped(part, ""), {"trainer": state["trainers"][part]})
            with model.engine.updating(version=self.version):
                model.trainer.load(saved)

    def close(self) -> None:
        """Stop all engines."""
        for model in self.models.values():
            model.close()


def snapshot_weights(folder: Path, names: Sequence[str], policy: PolicyConfig) -> dict[str, Tensor]:
    """Returns the parameters `names` of a snapshot, as a trainer of the same model takes them."""
    from arena.inference import adapters, models

    if policy.lora:
        from safetensors.torch import load_file

        inside = folder / adapters.INSIDE
        place = inside if inside.is_dir() else folder
        stored = {name: f"base_model.model.{name.replace('.default.', '.')}" for name in names}
        if set(stored.values()) != set(adapters.check(place)):
            raise InputError(f"the adapter in {place} is not of this policy; its tensors are those of other layers")
        saved = load_file(place / adapters.WEIGHTS)
        return {name: saved[key] for name, key in stored.items()}
    loaded = models.load(str(folder), dtype=dtype_of(policy), device=policy.device)
    parameters = dict(loaded.model.named_parameters())
    return {name: parameters[name].detach() for name in names}


def _check_groups(group: int, policy: PolicyPlan, estimator: Estimator) -> None:
    """Raise InputError if estimator or loss compare answers to the same task, and no two answers have the same task."""
    from arena.learner.losses import policy_loss

    if group > 1 or any(len(set(spec.seats.values())) < len(spec.seats) for spec in policy.specs.values()):
        return
    loss = policy.trainer.loss
    parts = {f"advantage {policy.advantage!r}": estimator, f"loss {loss.name!r}": policy_loss(loss)}
    if comparing := [name for name, part in parts.items() if getattr(part, "compares", False)]:
        raise InputError(
            f"{comparing[0]} compares answers to the same task, and each role has one seat; set group "
            "to 2 or more, such as 4"
        )
