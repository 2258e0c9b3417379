"""One step of training, from samples to new weights. Reads top to bottom.

    step: samples -> minibatches -> micro-batches -> forward -> loss -> backward, added up -> clip -> AdamW -> publish

Shapes: N tokens read, M tokens whose logits are kept, K decision tokens, V vocabulary (see batch).
"""

from __future__ import annotations

import gc
import logging
import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from arena.inference.forward import out_of_memory
from arena.learner.attention import Tree, tree_attention, tree_of
from arena.learner.batch import Batch, Group, pack, split
from arena.learner.checkpoint import Checkpoint
from arena.learner.config import TrainerConfig
from arena.learner.data import StepData
from arena.learner.loss import Spread
from arena.learner.memory import Returner
from arena.learner.meter import Meter
from arena.learner.objective import Objective
from arena.learner.packable import verify_packing
from arena.learner.samples import TurnSample
from arena.learner.stats import StepStats
from arena.learner.unread import LastLayer, only_kept
from arena.learner.weights import Weights
from games.errors import InputError

log = logging.getLogger(__name__)


class Trainer:
    """Trains a transformers causal LM in place. The engine may share the module: step inside `engine.updating()`.

    Raises InputError for a model that packed sequences would be computed wrong for.
    """

    def __init__(self, model: Any, config: TrainerConfig) -> None:
        self.model, self.config = model, config
        self.device: torch.device = next(model.parameters()).device
        verify_packing(model)
        if config.lora is None:
            model.requires_grad_(True)
        else:
            from arena.learner.lora import add_lora

            add_lora(model, config.lora, config.seed)
        self.weights = Weights(model)
        o = config.optimizer
        self.optimizer = torch.optim.AdamW(
            self.weights.masters.values(), lr=o.lr, betas=o.betas, eps=o.eps, weight_decay=o.weight_decay, fused=True
        )
        self.objective = Objective(config.loss)
        self.magnet = self.weights.copy() if config.loss.tau > 0 else None  # follows the policy slowly
        self.reference = self.weights.copy() if config.loss.kl > 0 else None  # stays where training began
        self.token_budget = config.token_budget
        self.steps = 0
        self._last = LastLayer()
        self._give_back = Returner()

    def step(self, samples: Sequence[TurnSample]) -> StepStats:
        """Train on samples; several optimizer steps where `epochs` or `minibatches` say so.

        Nothing to learn from (no sample with a decision in it) leaves the weights as they are.
        """
        meter = Meter(samples)
        useful = [s for s in samples if s.decided()]
        if useful:
            with self._training():
                data = StepData(useful, self.device)
                if self.config.loss.recompute_old:
                    self._remember_old(data)
                for epoch in range(self.config.epochs):
                    for n, part in enumerate(self._minibatches(len(useful), epoch)):
                        self._update(data, part, meter, first=epoch == n == 0)
            self._give_back()
        return meter.stats(self.steps, self.token_budget)

    def _update(self, data: StepData, part: list[int], meter: Meter, first: bool) -> None:
        """One optimizer step over some samples, in as many micro-batches as memory asks for."""
        o = self.config.optimizer
        lr, tau = o.lr_at(self.steps), self._tau()

        def gradient() -> None:
            meter.begin(first)
            self.weights.clear_gradients()
            for groups in split(data.samples, part, self.token_budget):
                self._accumulate(data, groups, len(part), tau, meter)

        self._fitting(data, part, gradient)
        with meter.timed("optimizer"):
            norm = self._move(lr)
        with meter.timed("publish"):
            self.weights.publish()
        self.steps += 1
        meter.end(norm, lr, tau)

    def _accumulate(self, data: StepData, groups: list[Group], samples: int, tau: float, meter: Meter) -> None:
        """Add the gradient of one micro-batch; the whole optimizer step has so many samples."""
        with meter.timed("pack"):
            batch = pack(data.samples, groups, data.starts).to(self.device)
            tree = tree_of(batch.ends, batch.positions, batch.keep, self._last.index)
        with meter.timed("reference"), torch.no_grad():
            magnet = self._magnet_spreads(batch, tree)
            reference = self._spreads(batch, tree, self.reference) if self.reference is not None else None
        with meter.timed("forward"):
            policy = self._spreads(batch, tree)
            loss, seen = self.objective(batch, data, policy, magnet, reference, tau, samples)
        with meter.timed("backward"):
            loss.backward()  # type: ignore[no-untyped-call]
        meter.add(loss, seen, len(batch.ids))

    def _move(self, lr: float) -> float:
        """Clip the gradient, move the weights by it, let the magnet follow. Returns the gradient's norm."""
        o, masters = self.config.optimizer, list(self.weights.masters.values())
        total = torch.nn.utils.get_total_norm([m.grad for m in masters if m.grad is not None])
        norm = float(total)
        for group in self.optimizer.param_groups:
            group["lr"] = lr
        if math.isfinite(norm):
            if norm + 1e-6 > o.max_grad_norm:  # else the factor is 1
                torch.nn.utils.clip_grads_with_norm_(masters, o.max_grad_norm, total)
            self.optimizer.step()
        else:
            log.warning("step %d: the gradient is not finite; the weights stay as they are", self.steps)
        self._move_magnet()
        return norm

    def _spreads(self, batch: Batch, tree: Tree, other: dict[str, Tensor] | None = None) -> list[Spread]:
        """The distributions of all rows, under the policy or under other weights."""
        if other is not None:
            with self.weights.replaced(other):
                return self._spreads(batch, tree)
        self._last.keep = batch.keep
        logits = self.model(
            input_ids=batch.ids[None],  # (1, N)
            position_ids=batch.positions[None],  # (1, N)
            use_cache=False,
            logits_to_keep=batch.keep,  # only these M rows go through the output layer
            tree=tree,
        ).logits[0]  # (M, V)
        return [Spread.of(logits, rows) for rows in batch.rows]

    def _magnet_spreads(self, batch: Batch, tree: Tree) -> list[Spread] | None:
        """The magnet's distributions, with the share of uniform play that this step mixes in."""
        if self.magnet is None:
            return None
        floor = self.config.loss.magnet_floor * self.config.optimizer.factor(self.steps)
        return [spread.mixed(floor) for spread in self._spreads(batch, tree, self.magnet)]

    @torch.no_grad()
    def _remember_old(self, data: StepData) -> None:
        """Take ratios against the trainer's own probabilities; what lies between them and the sampler's is a weight."""
        everything = list(range(len(data.samples)))

        def remember() -> None:
            for groups in split(data.samples, everything, self.token_budget):
                batch = pack(data.samples, groups, data.starts).to(self.device)
                tree = tree_of(batch.ends, batch.positions, batch.keep, self._last.index)
                for rows, spread in zip(batch.rows, self._spreads(batch, tree), strict=True):
                    data.take_old(rows.flat, spread.sampled(rows), self.config.loss.weight_cap)

        self._fitting(data, everything, remember)

    def _fitting(self, data: StepData, part: list[int], work: Callable[[], None]) -> None:
        """Do what reads some samples in micro-batches; from the start in smaller ones while memory does not suffice."""
        while True:
            try:
                return work()
            except (RuntimeError, MemoryError) as error:
                if not out_of_memory(error) or not self._halve(data, part):
                    raise
            self._collect()

    def _halve(self, data: StepData, part: list[int]) -> bool:
        """Memory did not suffice: smaller micro-batches from now on, if there are any."""
        budget, before = self.token_budget, len(split(data.samples, part, self.token_budget))
        while len(split(data.samples, part, budget)) == before:
            if budget == 1:
                return False
            budget //= 2
        self.token_budget = budget
        log.warning("out of memory: micro-batches of at most %d tokens from now on", budget)
        return True

    def _collect(self) -> None:
        """Let go of what a failed attempt left, after its error is gone and with it what that held."""
        self.weights.clear_gradients()
        gc.collect()
        if self.device.type == "cuda":
            torch.cuda.empty_cache()

    def _minibatches(self, count: int, epoch: int) -> list[list[int]]:
        """The samples cut into `minibatches` parts, in an order that depends on the seed, the step and the epoch."""
        parts = min(self.config.minibatches, count)
        if parts == 1:
            return [list(range(count))]
        generator = torch.Generator().manual_seed((self.config.seed * 1_000_003 + self.steps) * 101 + epoch)
        order = torch.randperm(count, generator=generator).tolist()
        return [order[p::parts] for p in range(parts)]

    def _tau(self) -> float:
        loss = self.config.loss
        return loss.tau * (self.config.optimizer.factor(self.steps) if loss.tau_decay else 1.0)

    @torch.no_grad()
    def _move_magnet(self) -> None:
        if self.magnet is not None:
            for name, master in self.weights.masters.items():
                self.magnet[name].lerp_(master, self.config.loss.magnet_rate)

    @contextmanager
    def _training(self) -> Iterator[None]:
        """The model attends along trees and leaves out what nobody reads; with gradient checkpointing it is in training
        mode, which turns that on.
        """
        with tree_attention(self.model), only_kept(self.model) as self._last:
            if self.config.gradient_checkpointing:
                _call(self.model, "enable", {"use_reentrant": False})
                self.model.train()
            try:
                yield
            finally:
                self.weights.clear_gradients()
                if self.config.gradient_checkpointing:
                    _call(self.model, "disable")
                    self.model.eval()

    def tensors(self) -> dict[str, dict[str, Tensor]]:
        """Everything that goes into a checkpoint's tensor files: weights, optimizer, magnet, reference."""
        optimizer: dict[str, Tensor] = {}
        for name, master in self.weights.masters.items():
            for kind, value in self.optimizer.state.get(master, {}).items():
                optimizer[f"{kind}:{name}"] = value
        out = {"weights": self.weights.copy(), "optimizer": optimizer}
        for kind, copy in (("magnet", self.magnet), ("reference", self.reference)):
            if copy is not None:
                out[kind] = copy
        return out

    def state_dict(self) -> dict[str, Any]:
        """The counters, as JSON."""
        return {"steps": self.steps, "token_budget": self.token_budget}

    def load(self, checkpoint: Checkpoint) -> None:
        """Go on where a checkpoint's trainer stopped, exactly. Raises InputError where it is another model's."""
        try:
            self.weights.load(checkpoint.tensors["weights"])
        except (KeyError, ValueError) as error:
            raise InputError(f"checkpoint {checkpoint.path} does not fit: {error}") from None
        saved = checkpoint.tensors.get("optimizer", {})
        for name, master in self.weights.masters.items():
            kinds = [key.partition(":")[0] for key in saved if key.partition(":")[2] == name]
            if kinds:
                self.optimizer.state[master] = {kind: saved[f"{kind}:{name}"].to(self.device) for kind in kinds}
        for own, kind in ((self.magnet, "magnet"), (self.reference, "reference")):
            for name, tensor in (own or {}).items():
                tensor.copy_(checkpoint.tensors.get(kind, checkpoint.tensors["weights"])[name])
        state = checkpoint.state["trainer"]
        self.steps, self.token_budget = int(state["steps"]), int(state["token_budget"])

    def export(self, folder: str | Path, tokenizer: Any, base: str = "") -> None:
        """Write the model as a Hugging Face folder, adapters merged: what a frozen player loads.

        Where adapters are trained and `base` names the model they belong to, they also go into a folder of their own
        inside, for engines that serve many from one base.
        """
        from arena.inference import adapters
        from arena.inference.models import quiet
        from arena.learner.lora import merged_state, save_adapter

        with quiet():
            self.model.save_pretrained(folder, state_dict=merged_state(self.model))
            tokenizer.save_pretrained(folder)
        if self.config.lora is not None and base:
            save_adapter(self.model, self.config.lora, base, Path(folder) / adapters.INSIDE)


def _call(model: Any, verb: str, *args: Any) -> None:
    """Turn gradient checkpointing on or off; transformers 5.20 gave it another name."""
    method = getattr(model, f"activation_checkpointing_{verb}", None) or getattr(
        model, f"gradient_checkpointing_{verb}"
    )
    method(*args)
