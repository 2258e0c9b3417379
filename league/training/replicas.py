"""Copies of the live policy's weights that play while the trainer changes its own."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from arena.players import Player
from games import InputError
from league.training.participants.players import live_players, policy_player
from league.training.participants.policy_id import PolicyId
from league.training.placement import EnginePlacement, place
from league.training.plan import PolicyPlan, TrainingPlan
from league.training.policy_trainer import Published, Tensors, base_of, dtype_of, trainable_engine

if TYPE_CHECKING:
    from arena.inference.vllm.config import VLLMConfig
    from arena.inference.vllm.engine import VLLMEngine
    from arena.inference.vllm.pool import VLLMPool
    from arena.inference.vllm.transfer import NativeTransfer


class PolicyReplica:
    """One policy in transformers: a module like the trainer's, an engine and a player."""

    def __init__(self, plan: PolicyPlan) -> None:
        from arena.inference import models
        from arena.learner.lora import add_lora

        p, settings = plan.policy, plan.trainer
        loaded = models.load(p.model, dtype=dtype_of(p), device=p.device)
        if settings.lora is not None:
            add_lora(loaded.model, settings.lora, settings.seed)
        loaded.model.requires_grad_(False)
        self._params = dict(loaded.model.named_parameters())
        self.engine = trainable_engine(loaded, p)
        self.player = policy_player(p, self.engine, roles=plan.role_ids)

    def load(self, tensors: Tensors, version: int) -> None:
        """Replace the weights. A forward pass sees either all old or all new weights."""
        import torch

        with self.engine.updating(version=version), torch.no_grad():
            for name, tensor in tensors.items():
                self._params[name].copy_(tensor)

    def rest(self) -> None:
        """Nothing: its module stays where it is."""

    def wake(self) -> None:
        """Nothing: it never sleeps."""

    def close(self) -> None:
        """Stop the engine, and the player that the policy advises."""
        self.player.close()
        self.engine.close()


class VLLMReplica:
    """One policy in vLLM. A LoRA adapter is published alone, or merged into the model (`policy.vllm.adapters`).

    If alone, the same vLLM plays the policy's snapshots, each as an adapter beside the newest.
    """

    def __init__(self, plan: PolicyPlan, place: EnginePlacement, *, in_flight: bool = False) -> None:
        from arena.inference import models, registry
        from arena.inference.vllm.available import why_not
        from arena.inference.vllm.engine import VLLMEngine
        from arena.learner.lora import add_lora

        p, settings = plan.policy, plan.trainer
        dtype = dtype_of(p)
        if why := why_not(place.device, dtype):
            raise InputError(f"policy.engine = 'vllm' cannot be used: {why}; leave it out to play with transformers")
        self._policy, self._lora = p, settings.lora
        self._reloads, self._in_flight = p.vllm.reloads(p.lora), in_flight
        self._adapted: Any = None
        """the model with its adapter, if the adapter is merged"""
        if settings.lora is not None and not self._reloads:
            self._adapted = models.load(p.model, dtype=dtype, device="cpu").model
            add_lora(self._adapted, settings.lora, settings.seed)
        self._folders: list[tempfile.TemporaryDirectory[str]] = []
        """of the adapter that plays"""
        start = partial(
            VLLMEngine,
            p.model,
            dtype,
            place.device,
            rank=p.lora if self._reloads else 0,
            rows=p.vllm.max_rows,
            share=place.share,
            parallel=p.vllm.parallel,
            sleeps=p.vllm.sleep,
            transfer=_transfer(p.vllm, place),
        )
        self.engine = _together(start, place.engines)
        if self._reloads:
            registry.share(self.engine, base_of(p.model), dtype, p.device, p.lora)
        self.player = policy_player(p, self.engine, roles=plan.role_ids)

    def load(self, tensors: Tensors, version: int) -> None:
        """Replace the weights, and wake up."""
        if self._reloads:
            self._reload(tensors, version)
        else:
            whole = tensors if self._adapted is None else self._merged(tensors)
            self.engine.publish(whole, version, in_flight=self._in_flight)

    def rest(self) -> None:
        """Give the memory on the GPU back until weights are loaded, if the settings say so."""
        if self._policy.vllm.sleep:
            self.engine.sleep(keep=self._reloads)

    def wake(self) -> None:
        """Wake up with the weights of before, for the snapshots that the same vLLM plays."""
        if self._reloads:
            self.engine.wake()

    def close(self) -> None:
        """Stop the engine, and the player that the policy advises."""
        from arena.inference import registry

        self.player.close()
        registry.release(self.engine)
        for folder in self._folders:
            folder.cleanup()

    def _reload(self, tensors: Tensors, version: int) -> None:
        from arena.inference.vllm.shared_memory import folder_for
        from arena.learner.lora import write_adapter

        assert self._lora is not None
        size = sum(tensor.numel() * tensor.element_size() for tensor in tensors.values())
        new = tempfile.TemporaryDirectory(prefix="arena-", dir=folder_for(size))
        write_adapter(tensors, self._lora, self._policy.model, Path(new.name))
        self.engine.publish_adapter(Path(new.name), version, in_flight=self._in_flight)
        while self._folders:
            self._folders.pop().cleanup()
        self._folders.append(new)

    def _merged(self, tensors: Tensors) -> Tensors:
        import torch

        from arena.learner.lora import merged_state

        params = dict(self._adapted.named_parameters())
        with torch.no_grad():
            for name, tensor in tensors.items():
                params[name].copy_(tensor)
        return merged_state(self._adapted)


class ReplicaSet:
    """A replica of every model of a training, and the live players that use them. `worker`: on a Ray worker."""

    def __init__(self, plan: TrainingPlan, *, worker: bool = False) -> None:
        self.replicas: dict[PolicyId, dict[str, PolicyReplica | VLLMReplica]] = {}
        self.players: dict[str, Player] = {}
        for id, policy in plan.policies.items():
            kind: Callable[[PolicyPlan], PolicyReplica | VLLMReplica] = PolicyReplica
            if policy.policy.engine == "vllm":
                kind = partial(VLLMReplica, place=_placed(plan, policy, worker), in_flight=plan.in_flight)
            made = {part: kind(policy) for part in policy.parts}
            self.replicas[id] = made
            players = {part: replica.player for part, replica in made.items()}
            self.players |= live_players(players, plan.players.of_policy(policy.ref.policy))

    def load(self, published: Published) -> None:
        """Replace the weights of every policy."""
        for id, (version, weights) in published.items():
            for part, tensors in weights.items():
                self.replicas[id][part].load(tensors, version)

    def rest(self) -> None:
        """Let the engines that sleep give their memory on the GPU back until weights are loaded."""
        for replicas in self.replicas.values():
            for replica in replicas.values():
                replica.rest()

    def wake(self) -> None:
        """Wake the engines that play snapshots too, with the weights of before."""
        for replicas in self.replicas.values():
            for replica in replicas.values():
                replica.wake()

    def close(self) -> None:
        """Stop all engines."""
        for replicas in self.replicas.values():
            for replica in replicas.values():
                replica.close()


def _transfer(settings: VLLMConfig, place: EnginePlacement) -> NativeTransfer | None:
    """Returns what sends weights to all engines; None: a file does. It fails before a vLLM starts, if it does."""
    if settings.transfer == "file":
        return None
    import torch

    from arena.inference.vllm.transfer import NativeTransfer

    trainer = torch.device("cuda", place.trainer)
    return NativeTransfer(settings.transfer, trainer, settings.parallel, len(place.engines))


def _together(start: Callable[..., VLLMEngine], engines: Sequence[tuple[int, ...]]) -> VLLMEngine | VLLMPool:
    """Returns a vLLM on each group of GPUs, as one engine. Raises InputError if one does not start."""
    from arena.inference.vllm.pool import VLLMPool

    with ExitStack() as started:
        made: list[VLLMEngine] = []
        for gpus in engines:
            made.append(start(gpus=gpus))
            started.callback(made[-1].close)
        started.pop_all()
    return made[0] if len(made) == 1 else VLLMPool(made)


def _placed(plan: TrainingPlan, policy: PolicyPlan, worker: bool) -> EnginePlacement:
    """Returns where the engines of a policy run. Raises InputError if there are too few GPUs."""
    import torch

    return place(plan, policy.policy, torch.cuda.device_count(), worker=worker)
