"""Copies of the live policy's weights that play while the trainer changes its own."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from arena.players import Player
from games import InputError
from league.config.training import TrainingConfig
from league.training.cast import LearnerSettings
from league.training.learner import Published, Tensors, dtype_of, trainable_engine, trainer_config
from league.training.learner_id import LearnerId
from league.training.players import live_players, policy_player


class PolicyReplica:
    """One policy in transformers: a module like the trainer's, an engine and a player."""

    def __init__(self, config: TrainingConfig) -> None:
        from arena.inference import models
        from arena.learner.lora import add_lora

        p, settings = config.policy, trainer_config(config)
        loaded = models.load(p.model, dtype=dtype_of(p.dtype, p.device), device=p.device)
        if settings.lora is not None:
            add_lora(loaded.model, settings.lora, settings.seed)
        loaded.model.requires_grad_(False)
        self._params = dict(loaded.model.named_parameters())
        self.engine = trainable_engine(loaded, p)
        self.player = policy_player(p, self.engine, roles=config.roles)

    def load(self, tensors: Tensors, version: int) -> None:
        """Replace the weights. A forward pass sees either all old or all new weights."""
        import torch

        with self.engine.updating(version=version), torch.no_grad():
            for name, tensor in tensors.items():
                self._params[name].copy_(tensor)

    def close(self) -> None:
        """Stop the engine, and the player that the policy advises."""
        self.player.close()
        self.engine.close()


class VLLMReplica:
    """One policy in vLLM. With LoRA, the merged weights are published: for a single live policy that is fastest."""

    def __init__(self, config: TrainingConfig) -> None:
        from arena.inference import models
        from arena.inference.vllm.available import why_not
        from arena.inference.vllm.engine import VLLMEngine
        from arena.learner.lora import add_lora

        p, settings = config.policy, trainer_config(config)
        dtype = dtype_of(p.dtype, p.device)
        if why := why_not(p.device, dtype):
            raise InputError(f"policy.engine = 'vllm' cannot be used: {why}; leave it out to play with transformers")
        self._adapted: Any = None
        """the model with its adapter, if only the adapter is trained"""
        if settings.lora is not None:
            self._adapted = models.load(p.model, dtype=dtype, device="cpu").model
            add_lora(self._adapted, settings.lora, settings.seed)
        self.engine = VLLMEngine(p.model, dtype, p.device, share=0.4)  # of the GPU; the trainer needs the rest
        self.player = policy_player(p, self.engine, roles=config.roles)

    def load(self, tensors: Tensors, version: int) -> None:
        """Replace the weights."""
        self.engine.publish(tensors if self._adapted is None else self._merged(tensors), version)

    def close(self) -> None:
        """Stop the engine, and the player that the policy advises."""
        self.player.close()
        self.engine.close()

    def _merged(self, tensors: Tensors) -> Tensors:
        import torch

        from arena.learner.lora import merged_state

        params = dict(self._adapted.named_parameters())
        with torch.no_grad():
            for name, tensor in tensors.items():
                params[name].copy_(tensor)
        return merged_state(self._adapted)


class ReplicaSet:
    """A replica of every policy of a training, and the live players that use them."""

    def __init__(self, learners: Iterable[LearnerSettings]) -> None:
        self.replicas: dict[LearnerId, dict[str, PolicyReplica | VLLMReplica]] = {}
        self.players: dict[str, Player] = {}
        for learner in learners:
            config = learner.config
            kind = VLLMReplica if config.policy.engine == "vllm" else PolicyReplica
            made = {policy: kind(config) for policy in learner.policies}
            self.replicas[learner.id] = made
            players = {policy: replica.player for policy, replica in made.items()}
            self.players |= live_players(players, config.group, learner.id)

    def load(self, published: Published) -> None:
        """Replace the weights of every policy."""
        for learner, (version, weights) in published.items():
            for policy, tensors in weights.items():
                self.replicas[learner][policy].load(tensors, version)

    def close(self) -> None:
        """Stop all engines."""
        for replicas in self.replicas.values():
            for replica in replicas.values():
                replica.close()
