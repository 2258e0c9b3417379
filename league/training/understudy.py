"""A second set of the live policy's weights, which plays while the trainer's is being changed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from games import InputError
from league.training.config import TrainingConfig
from league.training.learning import dtype_of, trainer_config
from league.training.live import live_players

if TYPE_CHECKING:
    from torch import Tensor

Tensors = Mapping[str, "Tensor"]
"""trained parameters by name"""


class Understudy:
    """One policy: a module of its own, like the trainer's, an engine and a player."""

    def __init__(self, config: TrainingConfig) -> None:
        from arena.inference import models
        from arena.inference.trainable import TrainableEngine
        from arena.learner.lora import add_lora
        from arena.players.llm import LLM

        p, settings = config.policy, trainer_config(config)
        loaded = models.load(p.model, dtype=dtype_of(p.dtype, p.device), device=p.device)
        if settings.lora is not None:
            add_lora(loaded.model, settings.lora, settings.seed)
        loaded.model.requires_grad_(False)
        alone = loaded.device.type == "cpu" if p.deterministic is None else p.deterministic
        self._params = dict(loaded.model.named_parameters())
        self.engine = TrainableEngine(loaded, max_batch=1 if alone else 64)
        self.player = LLM(
            p.model, p.decode, p.answer, p.temperature, p.top_p, p.max_tokens, dtype=p.dtype, engine=self.engine
        )

    def load(self, tensors: Tensors, version: int) -> None:
        """Play with these weights from now on: all of them or none, never in the middle of a pass."""
        import torch

        with self.engine.updating(version=version), torch.no_grad():
            for name, tensor in tensors.items():
                self._params[name].copy_(tensor)

    def close(self) -> None:
        """Stop the engine."""
        self.engine.close()


class VLLMUnderstudy:
    """One policy on vLLM. With adapters the merged weights are published: one live policy is fastest that way."""

    def __init__(self, config: TrainingConfig) -> None:
        from arena.inference import models
        from arena.inference.vllm.available import why_not
        from arena.inference.vllm.engine import VLLMEngine
        from arena.learner.lora import add_lora
        from arena.players.llm import LLM

        p, settings = config.policy, trainer_config(config)
        dtype = dtype_of(p.dtype, p.device)
        if why := why_not(p.device, dtype):
            raise InputError(f"policy.engine = 'vllm' cannot be used: {why}; leave it out to play with transformers")
        self._adapted: Any = None
        if settings.lora is not None:
            self._adapted = models.load(p.model, dtype=dtype, device="cpu").model
            add_lora(self._adapted, settings.lora, settings.seed)
        self.engine = VLLMEngine(p.model, dtype, p.device, share=0.4)  # of a GPU; the trainer needs the rest
        self.player = LLM(
            p.model, p.decode, p.answer, p.temperature, p.top_p, p.max_tokens, dtype=p.dtype, engine=self.engine
        )

    def load(self, tensors: Tensors, version: int) -> None:
        """Play with these weights from now on."""
        self.engine.publish(tensors if self._adapted is None else self._merged(tensors), version)

    def close(self) -> None:
        """Stop the engine."""
        self.engine.close()

    def _merged(self, tensors: Tensors) -> Tensors:
        import torch

        from arena.learner.lora import merged_state

        params = dict(self._adapted.named_parameters())
        with torch.no_grad():
            for name, tensor in tensors.items():
                params[name].copy_(tensor)
        return merged_state(self._adapted)


class Cast:
    """All policies of a training, played by understudies."""

    def __init__(self, config: TrainingConfig, keys: Sequence[str]) -> None:
        kind = VLLMUnderstudy if config.policy.engine == "vllm" else Understudy
        self.policies = {key: kind(config) for key in keys}
        self.players = live_players({key: policy.player for key, policy in self.policies.items()}, config.group)

    def load(self, weights: Mapping[str, Tensors], version: int) -> None:
        """New weights for every policy."""
        for key, tensors in weights.items():
            self.policies[key].load(tensors, version)

    def close(self) -> None:
        """Stop all engines."""
        for policy in self.policies.values():
            policy.close()
