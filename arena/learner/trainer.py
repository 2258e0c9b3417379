"""One training step, from samples to new weights. Reads top to bottom.

    step: samples -> minibatches -> micro-batches -> forward -> loss -> backward (sums) -> clip -> AdamW -> publish

Shapes: N tokens read, M tokens whose logits are kept, K decision tokens, V vocabulary (see batch).
"""

from __future__ import annotations

import gc
import logging
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from arena.inference.transformers.forward import out_of_memory
from arena.learner.attention import AnyTree, verify_flex, verify_packing
from arena.learner.batch import Batch, split
from arena.learner.checkpoint import Checkpoint
from arena.learner.config import TrainerConfig
from arena.learner.distributions import TokenValues
from arena.learner.export import export_model
from arena.learner.forward_pass import ForwardPass, Output
from arena.learner.losses import LossStep
from arena.learner.losses.base import unit_of
from arena.learner.malloc_trim import HeapTrimmer
from arena.learner.meter import Meter
from arena.learner.objective import Objective
from arena.learner.output_layer import has_plain_output_layer
from arena.learner.replay import ReplayBuffer
from arena.learner.samples import TurnSample, check_ids, units_of
from arena.learner.shares import Share
from arena.learner.stats import StepStats
from arena.learner.step_data import Other, StepData
from arena.learner.teacher import Teacher
from arena.learner.whole_model import WholeModel
from games.errors import InputError

log = logging.getLogger(__name__)

_STATE = ("step", "exp_avg", "exp_avg_sq")
"""what AdamW keeps of each weight"""


class Trainer:
    """Trains a transformers causal LM in place. If an engine shares the module, call `step` in `engine.updating()`.

    `teacher` is a model with the same tokenizer, for losses that need one. Raises InputError if a model would compute
    packed sequences incorrectly, or if what the loss needs is missing. With a `sharding` for several processes, each of
    them has a trainer and calls the same methods with the same arguments, and no engine shares the module.
    """

    def __init__(
        self, model: Any, config: TrainerConfig, teacher: Any = None, sharding: WholeModel | None = None
    ) -> None:
        self.model, self.config = model, config
        self.sharding = sharding or WholeModel()
        attention, device = config.optimizer.attention, self.sharding.device
        verify_packing(model, attention if device is None else "sdpa")
        if device is not None:  # the model is on the CPU until it is divided
            verify_flex(model, attention, device)
        if config.lora is None:
            model.requires_grad_(True)
        else:
            from arena.learner.lora import add_lora, has_no_gradient

            add_lora(model, config.lora, config.seed)
            if has_no_gradient(model):
                log.warning(
                    "the output layer of this untrained model is 0, so its LoRA adapters get no gradient and nothing "
                    "is learned: train all weights (lora = 0), or set model to the folder of a trained snapshot"
                )
        chunked_head = config.optimizer.head_rows != 0 and has_plain_output_layer(model)
        self.dtype: torch.dtype = model.dtype  # the precision of forward passes
        self.weights = self.sharding.weights(model)
        self.device: torch.device = self.sharding.device or next(model.parameters()).device
        o = config.optimizer
        self.forward = ForwardPass(model, o, self.weights, self.sharding, chunked_head)
        self.optimizer = torch.optim.AdamW(
            self.weights.masters.values(), lr=o.lr, betas=o.betas, weight_decay=o.weight_decay, fused=True
        )
        self.objective = Objective(config.loss)
        self.teacher = None
        if getattr(self.objective.policy_loss, "needs_teacher", False):
            self.teacher = Teacher(teacher, model, config.loss.name, config.optimizer)
        self.replay = ReplayBuffer(config.replay, config.seed)
        self.magnet = self.weights.copy() if config.loss.tau > 0 else None  # follows the policy slowly
        policy_loss = self.objective.policy_loss
        if getattr(policy_loss, "needs_temporal", False) and config.replay.keep != "temporal":
            raise InputError(
                f'loss {config.loss.name!r} compares with earlier answers; set keep = "temporal" under [replay]'
            )
        refers = config.loss.kl > 0 or getattr(policy_loss, "needs_reference", False)
        self.reference = self.weights.copy() if refers else None  # stays where training began
        self._keeps = int(getattr(policy_loss, "keeps", 0))
        self.kept = self.weights.copy() if self._keeps else None  # the policy before every n-th training step
        self._kept_for = 0
        self.token_budget = config.optimizer.token_budget
        self.steps = 0
        self._trim_heap = HeapTrimmer()

    def step(self, samples: Sequence[TurnSample]) -> StepStats:
        """Train on samples, in `epochs` times `minibatches` optimizer steps.

        Without a sample that contains a decision the weights do not change. Raises InputError for a token id that the
        model does not have.
        """
        meter = Meter(samples)
        useful = [s for s in self._filtered(samples) if s.decided()]
        check_ids(useful, self.model.get_input_embeddings().num_embeddings)
        if self.replay.active:
            useful += self.replay.draw(useful, self.steps)
            self.replay.add(samples)
        if useful:
            with self._training():
                scored = getattr(self.objective.policy_loss, "needs_kind", None) is not None
                data = StepData(useful, self.device, scored)
                if self.teacher is not None:
                    self._retry_smaller(data, range(len(useful)), partial(self._ask_teacher, data))
                self._ask_earlier(data)
                if self.config.recompute_old:
                    self._measure(data, list(range(len(useful))))
                    data.take_old(self.config.loss.weight_cap)
                for epoch in range(self.config.optimizer.epochs):
                    for n, part in enumerate(self.minibatches(useful, epoch)):
                        self._update(data, part, meter, first=epoch == n == 0)
            self._trim_heap()
        if self.sharding.world > 1:
            meter.add_up(self.sharding.add_up)
        return meter.stats(self.steps, self.token_budget)

    def _filtered(self, samples: Sequence[TurnSample]) -> list[TurnSample]:
        """Returns the samples, without those of groups that have no advantage if the settings say so."""
        if self.config.loss.filter == "none":
            return list(samples)
        useful = {s.group for s in samples if s.advantage != 0.0}
        return [s for s in samples if s.group in useful]

    def _update(self, data: StepData, part: list[int], meter: Meter, first: bool) -> None:
        """One optimizer step over the samples `part`, in as many micro-batches as memory requires."""
        o = self.config.optimizer
        lr, tau = o.lr_at(self.steps), self.config.loss.tau
        step = data.step(part, self.steps, self.config.seed)
        self._prepare(data, part, step)

        def gradient() -> None:
            meter.begin(first)
            self.weights.clear_gradients()
            for share in self.sharding.shares(data.samples, part, self.token_budget):
                self._accumulate(data, share, step, tau, meter)

        self._retry_smaller(data, part, gradient)
        with meter.timed("optimizer"):
            norm = self._apply(lr)
        with meter.timed("publish"):
            self.weights.publish()
        self.steps += 1
        meter.end(norm, lr, tau)

    def _prepare(self, data: StepData, part: list[int], step: LossStep) -> None:
        """Let the loss see all tokens of an optimizer step, if it wants to."""
        loss = self.objective.policy_loss
        if not hasattr(loss, "prepare"):
            return
        flat, reads = data.flat_of(part), getattr(loss, "needs_policy", False)
        if reads:
            self._measure(data, part)
        whole = data.whole(flat, step)
        data.set_prepared(flat, self.objective.prepare(whole if reads else whole.unmeasured()))

    def _accumulate(self, data: StepData, share: Share, step: LossStep, tau: float, meter: Meter) -> None:
        """Add the gradient of one micro-batch of an optimizer step."""
        with meter.timed("pack"):
            batch, tree = self.forward.packed(data, share.groups)
        with self.forward.recomputing(batch):
            with meter.timed("reference"), torch.no_grad():
                magnet = None if self.magnet is None else self.forward.output(batch, tree, self.magnet)
                reference = None if self.reference is None else self.forward.output(batch, tree, self.reference)
            with meter.timed("forward"):
                values = self._values(batch, self.forward.output(batch, tree), reference, magnet)
                loss, measured = self.objective(batch, data, values, tau, step)
            with meter.timed("backward"):
                self.sharding.scaled(loss if share.counts else loss * 0.0).backward()  # type: ignore[no-untyped-call]
        if share.counts:
            meter.add(loss, measured, len(batch.ids))

    def token_values(self, batch: Batch, tree: AnyTree) -> list[TokenValues]:
        """Returns the values of the decision tokens of each element of `batch.rows`, under the policy."""
        return self._values(batch, self.forward.output(batch, tree))

    def _values(
        self, batch: Batch, policy: Output, reference: Output | None = None, magnet: Output | None = None
    ) -> list[TokenValues]:
        loss = self.config.loss
        floor = loss.magnet_floor * self.config.optimizer.factor(self.steps)  # this step's share of the uniform
        return self.forward.values(batch, policy, reference, magnet, floor=floor, bonus=loss.entropy > 0)

    def _apply(self, lr: float) -> float:
        """Clip the gradient, update the weights and the magnet. Returns the gradient's norm before clipping."""
        o, masters = self.config.optimizer, list(self.weights.masters.values())
        total = torch.nn.utils.get_total_norm([m.grad for m in masters if m.grad is not None])
        norm = float(self.sharding.whole(total))
        for group in self.optimizer.param_groups:
            group["lr"] = lr
        if math.isfinite(norm):
            if norm + 1e-6 > o.max_grad_norm:  # otherwise the factor is 1
                torch.nn.utils.clip_grads_with_norm_(masters, o.max_grad_norm, total)
            self.optimizer.step()
        else:
            log.warning("step %d: the gradient is not finite; the weights do not change", self.steps)
        self._move_magnet()
        return norm

    @torch.no_grad()
    def _measure(self, data: StepData, part: list[int]) -> None:
        """Store log probabilities and entropies of the samples `part` under the policy as it is now."""

        def compute() -> None:
            for share in self.sharding.shares(data.samples, part, self.token_budget):
                batch, tree = self.forward.packed(data, share.groups)
                for rows, values in zip(batch.rows, self.token_values(batch, tree), strict=True):
                    if share.counts:
                        data.set_now(rows.flat, values.logp, values.entropy)

        with data.measured_together(data.flat_of(part), None, self.sharding.add_up):
            self._retry_smaller(data, part, compute)

    def _ask_teacher(self, data: StepData) -> None:
        """Store the log probabilities of all tokens under the teacher."""
        assert self.teacher is not None
        everything = range(len(data.samples))
        with data.measured_together(data.flat_of(everything), "teacher", self.sharding.add_up):
            for share in self.sharding.shares(data.samples, everything, self.token_budget):
                if share.counts:  # the teacher is not sharded, so no other process waits
                    batch = self.forward.batch(data, share.groups)
                    for rows, logp in zip(batch.rows, self.teacher.logps(batch), strict=True):
                        data.set_other("teacher", rows.flat, logp)

    def _ask_earlier(self, data: StepData) -> None:
        """Store the log probabilities of all tokens under earlier policies, if the loss reads them."""
        if getattr(self.objective.policy_loss, "needs_reference", False) and self.reference is not None:
            everything = range(len(data.samples))
            self._retry_smaller(data, everything, partial(self._ask_weights, data, "reference", self.reference))
        if self.kept is not None:
            if self._kept_for % self._keeps == 0:
                self.kept = self.weights.copy()
            self._kept_for += 1
            self._retry_smaller(data, range(len(data.samples)), partial(self._ask_weights, data, "kept", self.kept))

    @torch.no_grad()
    def _ask_weights(self, data: StepData, name: Other, weights: dict[str, Tensor]) -> None:
        everything = range(len(data.samples))
        with data.measured_together(data.flat_of(everything), name, self.sharding.add_up):
            for share in self.sharding.shares(data.samples, everything, self.token_budget):
                batch, tree = self.forward.packed(data, share.groups)
                values = self._values(batch, self.forward.output(batch, tree, weights))
                for rows, row_values in zip(batch.rows, values, strict=True):
                    if share.counts:
                        data.set_other(name, rows.flat, row_values.logp)

    def _retry_smaller(self, data: StepData, part: Sequence[int], work: Callable[[], None]) -> None:
        """Call `work`, which reads the samples `part`; repeat it with smaller micro-batches while memory runs out."""
        while True:
            try:
                return work()
            except (RuntimeError, MemoryError) as error:
                if not out_of_memory(error):
                    raise
                if self.sharding.world > 1:  # the others wait for this process in the middle of a pass
                    raise InputError(
                        f"a process of the learner ran out of memory with token_budget = {self.token_budget}; lower it "
                        "under [optimizer], or raise processes under [learner]"
                    ) from error
                if not self._halve(data, part):
                    raise
            self._collect()

    def _halve(self, data: StepData, part: Sequence[int]) -> bool:
        """Halve the token budget until there are more micro-batches; False if there cannot be more."""
        budget, before = self.token_budget, len(split(data.samples, part, self.token_budget))
        while len(split(data.samples, part, budget)) == before:
            if budget == 1:
                return False
            budget //= 2
        self.token_budget = budget
        log.warning("out of memory: micro-batches of at most %d tokens from now on", budget)
        return True

    def _collect(self) -> None:
        """Free the memory of a failed attempt. Call this after its exception, which holds references, is gone."""
        self.weights.clear_gradients()
        gc.collect()
        if self.device.type == "cuda":
            torch.cuda.empty_cache()

    def minibatches(self, samples: Sequence[TurnSample], epoch: int) -> list[list[int]]:
        """Returns the samples in `minibatches` parts, in an order that depends on the seed, the step and the epoch.

        A unit of the loss stays in one part. With fewer units than `minibatches` there is one part for each unit.
        """
        units = units_of(samples, unit_of(self.objective.policy_loss))
        parts = min(self.config.optimizer.minibatches, len(units))
        if parts == 1:
            return [list(range(len(samples)))]
        generator = torch.Generator().manual_seed((self.config.seed * 1_000_003 + self.steps) * 101 + epoch)
        order = torch.randperm(len(units), generator=generator).tolist()
        return [[i for u in order[p::parts] for i in units[u]] for p in range(parts)]

    @torch.no_grad()
    def _move_magnet(self) -> None:
        if self.magnet is not None:
            for name, master in self.weights.masters.items():
                self.magnet[name].lerp_(master, self.config.loss.magnet_rate)

    @contextmanager
    def _training(self) -> Iterator[None]:
        """Inside the block the model uses tree attention and prunes its last layer."""
        with self.forward.prepared():
            try:
                yield
            finally:
                self.weights.clear_gradients()

    def write(self, folder: Path, prefix: str = "") -> None:
        """Write this process's part of the tensors of a checkpoint, one after another. Raises OSError."""
        for group, tensors in self.tensors().items():
            self.sharding.write(folder, prefix + group, tensors)

    def tensors(self) -> dict[str, dict[str, Tensor]]:
        """Returns the tensors of a checkpoint by group, as they are: weights, optimizer, magnet, reference, kept."""
        optimizer: dict[str, Tensor] = {}
        for name, master in self.weights.masters.items():
            for kind, value in self.optimizer.state.get(master, {}).items():
                optimizer[f"{kind}:{name}"] = value
        out: dict[str, dict[str, Tensor]] = {"weights": self.weights.masters, "optimizer": optimizer}
        for kind, copy in (("magnet", self.magnet), ("reference", self.reference), ("kept", self.kept)):
            if copy is not None:
                out[kind] = copy
        return out

    def state_dict(self) -> dict[str, Any]:
        """Returns the counters as plain JSON."""
        state = {"steps": self.steps, "token_budget": self.token_budget}
        loss_state = getattr(self.objective.policy_loss, "state_dict", None)
        replay = {"replay": self.replay.state_dict()} if self.replay.active else {}
        replay |= {"kept_for": self._kept_for} if self._keeps else {}
        return state | replay | ({} if loss_state is None else {"loss": loss_state()})

    def load(self, checkpoint: Checkpoint) -> None:
        """Resume exactly from a checkpoint. Raises InputError if it belongs to another model."""
        try:
            self.weights.load(checkpoint.tensors["weights"])
        except (KeyError, ValueError) as error:
            raise InputError(f"checkpoint {checkpoint.path} does not fit: {error}") from None
        saved = checkpoint.tensors.get("optimizer", {})
        for name, master in self.weights.masters.items():
            kinds = [kind for kind in _STATE if f"{kind}:{name}" in saved]
            if kinds:
                self.optimizer.state[master] = {
                    kind: self.sharding.part(saved, f"{kind}:{name}", master) for kind in kinds
                }
        self._kept_for = int(checkpoint.state["trainer"].get("kept_for", 0))
        for weights, kind in ((self.magnet, "magnet"), (self.reference, "reference"), (self.kept, "kept")):
            for name, tensor in (weights or {}).items():
                stored = checkpoint.tensors.get(kind, checkpoint.tensors["weights"])
                tensor.copy_(self.sharding.part(stored, name, tensor))
        state = checkpoint.state["trainer"]
        self.steps, self.token_budget = int(state["steps"]), int(state["token_budget"])
        self.replay.load_state_dict(state.get("replay", ()))
        if "loss" in state:
            self.objective.policy_loss.load_state_dict(state["loss"])  # type: ignore[attr-defined]

    def restart(self, weights: Mapping[str, Tensor]) -> None:
        """Begin anew from these weights: optimizer, schedule, magnet, reference and replay start over.

        Raises InputError if the weights belong to another model.
        """
        self.optimizer.state.clear()
        self.objective = Objective(self.config.loss)
        counters = {"steps": 0, "token_budget": self.token_budget}
        self.load(Checkpoint(Path(), 0, {"weights": dict(weights)}, {"trainer": counters}))

    def export(self, folder: str | Path, tokenizer: Any, base: str = "") -> None:
        """Write the model as a Hugging Face folder: see `arena.learner.export`."""
        export_model(self.model, self.config.lora, folder, tokenizer, base)
