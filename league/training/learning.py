"""The learning side of a training: policies with their weights, engines and players; episodes to new weights."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

import roles
from arena.learner import (
    Credit,
    LoraConfig,
    LossConfig,
    OptimizerConfig,
    StepStats,
    TrainerConfig,
    TurnSample,
    credits_of,
    estimator,
    turn_samples,
)
from arena.learner.guarded import advantages_of
from arena.match import Episode
from arena.players import Player
from arena.players.by_role import WHOLE
from games import GameSpec, InputError
from games.randomness import derive
from league.training.config import TrainingConfig
from league.training.live import live_players
from league.training.matches import live_names
from roles import Role

if TYPE_CHECKING:
    from torch import Tensor

    from arena.inference.trainable import TrainableEngine
    from arena.learner.checkpoint import Checkpoint
    from arena.learner.trainer import Trainer
    from arena.players.llm import LLM


def trainer_config(config: TrainingConfig) -> TrainerConfig:
    """The learner's settings of a training file. Raises InputError for a number out of range."""
    policy, o = config.policy, config.optimizer
    loss = config.loss.model_dump()
    loss["normaliser"] = loss["normaliser"] or (1.0 if policy.decode == "choice" else float(policy.max_tokens))
    with _section("loss"):
        objective = LossConfig(**loss, recompute_old=config.overlap > 0)
    with _section("optimizer"):
        return TrainerConfig(
            loss=objective,
            optimizer=OptimizerConfig(
                o.lr, o.betas, 1e-8, o.weight_decay, o.max_grad_norm, o.warmup, o.schedule, _horizon(config)
            ),
            lora=LoraConfig(rank=policy.lora, alpha=policy.lora) if policy.lora else None,
            token_budget=o.token_budget,
            epochs=o.epochs,
            minibatches=o.minibatches,
            gradient_checkpointing=o.gradient_checkpointing,
            seed=derive(config.seed, "trainer") % (1 << 31),
        )


@contextmanager
def _section(name: str) -> Iterator[None]:
    """Faults begin with the key; say which section of the file it stands in."""
    try:
        yield
    except InputError as error:
        raise InputError(f"{name}.{error}") from None


def _horizon(config: TrainingConfig) -> int:
    """Optimizer steps of the step size's schedule; see OptimizerConfig."""
    o = config.optimizer
    if o.horizon is not None:
        return o.horizon
    return config.steps * o.epochs * o.minibatches if o.schedule in ("linear", "cosine") else 1000


class Policy:
    """One set of weights: the engine that plays with it and the trainer that changes it share the module."""

    def __init__(self, config: TrainingConfig, settings: TrainerConfig) -> None:
        from arena.inference import models
        from arena.inference.trainable import TrainableEngine
        from arena.learner.trainer import Trainer
        from arena.players.llm import LLM

        models.require_packages()
        p = config.policy
        loaded = models.load(p.model, dtype=dtype_of(p.dtype, p.device), device=p.device)
        self.trainer: Trainer = Trainer(loaded.model, settings)
        alone = loaded.device.type == "cpu" if p.deterministic is None else p.deterministic
        self.engine: TrainableEngine = TrainableEngine(loaded, max_batch=1 if alone else 64)
        self.player: LLM = LLM(
            p.model, p.decode, p.answer, p.temperature, p.top_p, p.max_tokens, dtype=p.dtype, engine=self.engine
        )

    def learn(self, samples: Sequence[TurnSample], version: int) -> StepStats:
        """One step of the trainer; the engine plays with what came out of it. Waiting for the engine, and having it
        forget what it has read, is part of publishing.
        """
        began = perf_counter()
        with self.engine.updating(version=version):
            stats = self.trainer.step(samples)
        around = perf_counter() - began - stats.seconds["total"]
        return replace(stats, seconds=stats.seconds | {"publish": stats.seconds["publish"] + around})

    def close(self) -> None:
        """Stop the engine."""
        self.engine.close()


def dtype_of(name: str, device: str) -> str:
    """fp32 on the CPU, where bfloat16 brings no speed in training; bf16 elsewhere."""
    if name != "auto":
        return name
    import torch

    cpu = device == "cpu" or (device == "auto" and not torch.cuda.is_available())
    return "fp32" if cpu else "bf16"


class Learner:
    """All policies of a training, and the estimator they share."""

    def __init__(self, config: TrainingConfig, specs: Mapping[str, GameSpec]) -> None:
        self._config = config
        settings = trainer_config(config)
        self.estimator = estimator(config.advantage)
        played = sorted({role for spec in specs.values() for role in spec.seats.values()})
        if strange := sorted(set(config.roles) - set(played)):
            raise InputError(f"roles: no game here has a role {strange[0]!r}; it has {', '.join(played)}")
        self._credited = {name: roles.make(id) for name, id in config.roles.items()}
        self.policies = {key: Policy(config, settings) for key in (played if config.policy.per_role else [WHOLE])}
        self.version = 0
        self.dtype = dtype_of(config.policy.dtype, config.policy.device)
        """of the weights in memory"""
        self._names = live_names(config.group)
        model = Path(config.policy.model).expanduser()
        self._base = str(model.resolve()) if model.is_dir() else config.policy.model

    def players(self) -> dict[str, Player]:
        """The live policy under all its names: learning or frozen, and the copies of a group."""
        return live_players({key: policy.player for key, policy in self.policies.items()}, self._config.group)

    def learn(
        self, episodes: Sequence[Episode], expected: Callable[[Episode, str], float | None]
    ) -> tuple[list[Credit], list[float], dict[str, StepStats]]:
        """Episodes of one step, in plan order -> the credits, their advantages, and what each trainer says."""
        credits = credits_of(episodes, self._names, expected=expected, role=self._role)
        advantages = advantages_of(self._config.advantage, self.estimator, credits)
        samples = turn_samples(episodes, credits, advantages)
        self.version += 1
        stats = {
            key: policy.learn([s for s in samples if key in (WHOLE, s.key[1])], self.version)
            for key, policy in self.policies.items()
        }
        return credits, advantages, stats

    def _role(self, name: str) -> Role:
        return self._credited.get(name) or roles.make(name)

    def weights(self) -> dict[str, dict[str, Tensor]]:
        """A copy of all that is trained, as the engines compute with it, by policy and name."""
        return {
            key: {name: param.detach().clone() for name, param in policy.trainer.weights.params.items()}
            for key, policy in self.policies.items()
        }

    def forget(self) -> None:
        """Have the engines read prompts afresh, as after a resume: one that was read in other parts by an evaluation
        differs in the last bit.
        """
        for policy in self.policies.values():
            with policy.engine.updating(version=self.version):
                pass

    def export(self, folder: Path) -> None:
        """Freeze all policies into folders that any engine loads."""
        from arena.inference.models import quiet

        for key, policy in self.policies.items():
            with quiet():
                policy.trainer.export(self.part(folder, key), policy.engine.tokenizer, self._base)

    @staticmethod
    def part(folder: Path, key: str) -> Path:
        """Where one policy of a snapshot lies."""
        return folder / key if key else folder

    def tensors(self) -> dict[str, dict[str, Any]]:
        """The tensors of all trainers, for a checkpoint."""
        return {
            _group(key, name): tensors
            for key, policy in self.policies.items()
            for name, tensors in policy.trainer.tensors().items()
        }

    def state_dict(self) -> dict[str, Any]:
        """Everything else, as plain JSON."""
        trainers = {key: policy.trainer.state_dict() for key, policy in self.policies.items()}
        return {"version": self.version, "estimator": self.estimator.state_dict(), "trainers": trainers}

    def load(self, checkpoint: Checkpoint) -> None:
        """Go on from a checkpoint. Raises InputError where it is of other policies."""
        from arena.learner.checkpoint import Checkpoint as Part

        state = checkpoint.state["learner"]
        if set(state["trainers"]) != set(self.policies):
            raise InputError(
                f"the checkpoint holds policies for {sorted(state['trainers'])}, not {list(self.policies)}"
            )
        self.version = int(state["version"])
        self.estimator.load_state_dict(state["estimator"])
        for key, policy in self.policies.items():
            start = _group(key, "")
            own = {name.removeprefix(start): t for name, t in checkpoint.tensors.items() if name.startswith(start)}
            with policy.engine.updating(version=self.version):
                policy.trainer.load(Part(checkpoint.path, checkpoint.step, own, {"trainer": state["trainers"][key]}))

    def close(self) -> None:
        """Stop all engines."""
        for policy in self.policies.values():
            policy.close()


def _group(key: str, name: str) -> str:
    """Name of a tensor group of one policy in a checkpoint."""
    return f"{key}.{name}" if key else name
