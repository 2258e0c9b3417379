"""The learning side of a training: the policies with their trainers, engines and players."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

import roles
from arena.inference.thinking import default_tokens
from arena.learner import (
    Credit,
    Estimator,
    LoraConfig,
    StepStats,
    TrainerConfig,
    TurnSample,
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
from games import GameSpec, InputError
from games.randomness import derive
from league.config.policy import PolicyConfig
from league.config.training import TrainingConfig
from league.training.cast import LearnerSettings
from league.training.participants.learner_id import LearnerId
from league.training.participants.players import AdvisingPolicy, SavedSnapshot, live_players, policy_player
from roles import Role

log = logging.getLogger(__name__)

if TYPE_CHECKING:
    from torch import Tensor

    from arena.inference.models import LoadedModel
    from arena.inference.transformers.trainable import TrainableEngine
    from arena.learner.checkpoint import Checkpoint
    from arena.learner.sharded_trainer import ShardedTrainer
    from arena.learner.trainer import Trainer

Tensors = Mapping[str, "Tensor"]
"""trained parameters by name"""
Weights = Mapping[str, Tensors]
"""policy -> its trained parameters"""
Published = Mapping[LearnerId, tuple[int, Weights]]
"""learner -> the version and the weights that its live policy plays with"""


def trainer_config(config: TrainingConfig) -> TrainerConfig:
    """The learner's settings of a training file, with the defaults that depend on other tables."""
    policy = config.policy
    normaliser = config.loss.normaliser or 1.0
    if config.loss.normaliser is None and policy.decode == "free":
        normaliser = float(policy.max_tokens or default_tokens(policy.model, policy.decode, policy.think))
    return TrainerConfig(
        loss=config.loss.model_copy(update={"normaliser": normaliser}),
        optimizer=config.optimizer.model_copy(update={"horizon": _horizon(config)}),
        replay=config.replay,
        lora=LoraConfig(rank=policy.lora, alpha=policy.lora) if policy.lora else None,
        recompute_old=config.overlap > 0 if config.recompute_old is None else config.recompute_old,
        seed=derive(config.seed, "trainer") % (1 << 31),
    )


def _horizon(config: TrainingConfig) -> int:
    """Length of the learning-rate schedule in optimizer steps."""
    o = config.optimizer
    if o.horizon is not None:
        return o.horizon
    return config.steps * o.epochs * o.minibatches if o.schedule in ("linear", "cosine") else 1000


class Policy:
    """One set of weights. The trainer that changes it and the engine that plays with it share the module."""

    def __init__(self, config: TrainingConfig, settings: TrainerConfig) -> None:
        from arena.inference import models

        models.require_packages()
        p = config.policy
        loaded = models.load(p.model, dtype=dtype_of(p.dtype, p.device), device=p.device)
        self.trainer = _trainer(config, settings, loaded)
        self.engine = trainable_engine(loaded, p)
        self.player = policy_player(p, self.engine, roles=config.roles)

    def learn(self, samples: Sequence[TurnSample], version: int) -> StepStats:
        """Take one step of the trainer. The engine plays with the new weights from then on.

        The wait for the engine and the clearing of its caches count as `publish` in the returned seconds.
        """
        start = perf_counter()
        with self.engine.updating(version=version):
            stats = self.trainer.step(samples)
        waited = perf_counter() - start - stats.seconds["total"]
        return replace(stats, seconds=stats.seconds | {"publish": stats.seconds["publish"] + waited})

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


def _trainer(config: TrainingConfig, settings: TrainerConfig, loaded: LoadedModel) -> Trainer | ShardedTrainer:
    """The trainer of a policy, in this process or shared by several. Raises InputError."""
    from arena.learner.trainer import Trainer

    p = config.policy
    teacher = _teacher(settings.loss.teacher, loaded, p)
    if config.learner.processes == 1:
        return Trainer(loaded.model, settings, teacher)
    from arena.learner.process_group import joined
    from arena.learner.sharded_trainer import ModelSource, ShardedTrainer

    group = joined()
    if group is None:
        raise InputError(
            f"processes is {config.learner.processes} under [learner]; only `arena train FILE` starts several processes"
        )
    plain = settings.model_dump(mode="json")
    source = ModelSource(p.model, dtype_of(p.dtype, p.device), plain, settings.loss.teacher)
    return ShardedTrainer(group, loaded.model, source)


def _teacher(name: str, student: LoadedModel, policy: PolicyConfig) -> Any:
    """The model that the policy learns from, or None. Raises InputError if it has another tokenizer."""
    from arena.inference import models

    if not name:
        return None
    loaded = models.load(name, dtype=dtype_of(policy.dtype, policy.device), device=policy.device)
    if loaded.tokenizer.get_vocab() != student.tokenizer.get_vocab():
        raise InputError(f"loss.teacher: {name!r} has another tokenizer than the policy {policy.model!r}")
    return loaded.model


def trainable_engine(loaded: LoadedModel, policy: PolicyConfig) -> TrainableEngine:
    """An engine on a module whose weights change. If `deterministic`, it decides one prompt at a time."""
    from arena.inference.transformers.trainable import TrainableEngine

    deterministic = loaded.device.type == "cpu" if policy.deterministic is None else policy.deterministic
    return TrainableEngine(loaded, max_batch=1 if deterministic else 64)


def dtype_of(name: str, device: str) -> str:
    """The data type for `auto`: fp32 on the CPU, where bfloat16 does not train faster, and bf16 elsewhere."""
    if name != "auto":
        return name
    import torch

    cpu = device == "cpu" or (device == "auto" and not torch.cuda.is_available())
    return "fp32" if cpu else "bf16"


class Learner:
    """All policies of a learner and the advantage estimator they share.

    Raises InputError if no two answers can be compared although the estimator or the loss compares them.
    """

    def __init__(self, learner: LearnerSettings) -> None:
        config, specs = learner.config, learner.specs
        self._config, self.id = config, learner.id
        settings = trainer_config(config)
        self.estimator = estimator(config.advantage)
        _check_groups(config, self.estimator, specs.values())
        self._credited = {name: roles.make(role) for name, role in config.roles.items()}
        self._specs = specs
        self._phases: dict[str, NamedPhases] = {}
        self.policies = {key: Policy(config, settings) for key in learner.policies}
        self.version = 0
        names, policy = learner.names, learner.ref.policy
        self._refs, self._learning = names.of_policy(policy), names.learning(policy)
        model = Path(config.policy.model).expanduser()
        self._base = str(model.resolve()) if model.is_dir() else config.policy.model

    def players(self) -> dict[str, Player]:
        """Returns the live policy under all its names."""
        playing = {key: policy.player for key, policy in self.policies.items()}
        return live_players(playing, self._refs)

    def learn(
        self, episodes: Sequence[Episode], expected: Callable[[Episode, str], float | None]
    ) -> tuple[list[Credit], list[float], dict[str, StepStats]]:
        """Train on the episodes of one step, given in plan order.

        `expected(episode, seat)` is the return that ratings predict. Returns the credits, their advantages and the
        statistics of each policy's trainer.
        """
        credits = self.credits(episodes, expected)
        limit = next(iter(self.policies.values())).player.max_tokens
        rewarded = credits
        credits = without_overlong(
            episodes, credits, self._config.overlong or "mask", limit, self._config.overlong_buffer
        )
        if rewarded and not credits:
            log.warning(
                "no answer of this step ended before max_tokens = %d, so nothing is learned (overlong = mask); raise "
                "max_tokens, or set overlong to penalty",
                limit,
            )
        advantages = checked_advantages(self._config.advantage, self.estimator, credits)
        by_turn = checked_turn_advantages(self._config.advantage, self.estimator, credits)
        samples = turn_samples(episodes, credits, advantages, by_turn)
        self.version += 1
        stats = {
            key: policy.learn([s for s in samples if key in (WHOLE, s.key[1])], self.version)
            for key, policy in self.policies.items()
        }
        return credits, advantages, stats

    def credits(self, episodes: Sequence[Episode], expected: Callable[[Episode, str], float | None]) -> list[Credit]:
        """The credits of the live policy in the episodes of one step."""
        return credits_of(
            episodes, self._learning, expected=expected, role=self._role, phases=self._phases, specs=self._specs
        )

    def _role(self, name: str) -> Role:
        return self._credited.get(name) or roles.make(name)

    def weights(self) -> Weights:
        """A copy of all trained parameters, in the engines' data type, by policy and name."""
        return {
            key: {name: param.detach().clone() for name, param in policy.trainer.weights.params.items()}
            for key, policy in self.policies.items()
        }

    def restart(self, snapshot: SavedSnapshot) -> None:
        """Begin anew from the weights of a snapshot: optimizers, schedules and the estimator start over."""
        self.version += 1
        self.estimator = estimator(self._config.advantage)
        for key, policy in self.policies.items():
            weights = snapshot_weights(snapshot.part(key), list(policy.trainer.weights.params), self._config.policy)
            with policy.engine.updating(version=self.version):
                policy.trainer.restart(weights)

    def clear_caches(self) -> None:
        """Make the engines read all prompts again, as after a resume.

        A cached prompt that an evaluation read in other parts differs in the last bit.
        """
        for policy in self.policies.values():
            with policy.engine.updating(version=self.version):
                pass

    def snapshot(self, name: str) -> SavedSnapshot:
        """The snapshot of this name: its folder and how it plays."""
        p = self._config.policy
        # Many adapters share one vLLM engine; each full model would start its own.
        engine = "vllm" if p.engine == "vllm" and p.lora else "transformers"
        settings = p.model_copy(update={"dtype": dtype_of(p.dtype, p.device), "engine": engine})
        folder = (self._config.place / "snapshots" / name).resolve()
        return SavedSnapshot(name, folder, tuple(self.policies), settings, self._config.roles)

    def save_snapshot(self, name: str) -> SavedSnapshot:
        """Write the live policy as it is now, in a format that any engine loads."""
        from arena.inference.huggingface import quiet

        snapshot = self.snapshot(name)
        for key, policy in self.policies.items():
            with quiet():
                policy.trainer.export(snapshot.part(key), policy.engine.tokenizer, self._base)
        return snapshot

    def tensors(self) -> dict[str, dict[str, Any]]:
        """The tensors of all trainers, for a checkpoint."""
        return {
            self.id.grouped(key, name): tensors
            for key, policy in self.policies.items()
            for name, tensors in policy.trainer.tensors().items()
        }

    def state_dict(self) -> dict[str, Any]:
        """The rest of the state, as plain JSON."""
        trainers = {key: policy.trainer.state_dict() for key, policy in self.policies.items()}
        return {"version": self.version, "estimator": self.estimator.state_dict(), "trainers": trainers}

    def load(self, checkpoint: Checkpoint, state: Mapping[str, Any]) -> None:
        """Restore what `tensors` and `state_dict` returned. Raises InputError if they are of other policies."""
        from arena.learner.checkpoint import Checkpoint as Part

        if set(state["trainers"]) != set(self.policies):
            raise InputError(
                f"the checkpoint holds policies for {sorted(state['trainers'])}, not {list(self.policies)}"
            )
        self.version = int(state["version"])
        self.estimator.load_state_dict(state["estimator"])
        for key, policy in self.policies.items():
            start = self.id.grouped(key, "")
            own = {name.removeprefix(start): t for name, t in checkpoint.tensors.items() if name.startswith(start)}
            with policy.engine.updating(version=self.version):
                policy.trainer.load(Part(checkpoint.path, checkpoint.step, own, {"trainer": state["trainers"][key]}))

    def close(self) -> None:
        """Stop all engines."""
        for policy in self.policies.values():
            policy.close()


def snapshot_weights(folder: Path, names: Sequence[str], policy: PolicyConfig) -> dict[str, Tensor]:
    """The parameters `names` of a snapshot, as a trainer of the same model takes them."""
    from arena.inference import adapters, models

    if policy.lora:
        from safetensors.torch import load_file

        saved = load_file((adapters.find(folder) or folder) / adapters.WEIGHTS)
        return {name: saved[f"base_model.model.{name.replace('.default.', '.')}"] for name in names}
    loaded = models.load(str(folder), dtype=dtype_of(policy.dtype, policy.device), device=policy.device)
    found = dict(loaded.model.named_parameters())
    return {name: found[name].detach() for name in names}


def _check_groups(config: TrainingConfig, estimator: Estimator, specs: Iterable[GameSpec]) -> None:
    """Raise InputError if estimator or loss compare answers to the same task, and no two answers have the same task."""
    from arena.learner.losses import policy_loss

    if config.group > 1 or any(len(set(spec.seats.values())) < len(spec.seats) for spec in specs):
        return
    parts = {f"advantage {config.advantage!r}": estimator, f"loss {config.loss.name!r}": policy_loss(config.loss)}
    if comparing := [name for name, part in parts.items() if getattr(part, "compares", False)]:
        raise InputError(
            f"{comparing[0]} compares answers to the same task, and each role has one seat; set group "
            "to 2 or more, such as 4"
        )
