"""The bytes that the trainer of a policy takes in each of its processes."""

from __future__ import annotations

from collections.abc import Iterator

from arena.inference.model_shape import FLOAT32, ModelShape
from arena.learner import LearnerConfig, TrainerConfig
from arena.learner.activations import activation_bytes, head_bytes
from league.training.plan import PolicyPlan
from league.training.resources.resource_plan import Allocation, Cards, Owner, Phase


def learner_memory(
    shape: ModelShape,
    policy: PolicyPlan,
    learner: LearnerConfig,
    size: int,
    cards: Cards,
    first: int = 0,
) -> Iterator[Allocation]:
    """Yields the allocations of one model. `size`: bytes of a number in its passes; `first`: the GPU of the driver.

    With several processes each holds a part in float32 and gathers layers in the engines' precision, and the driver has
    a whole copy besides, which plays.
    """
    models = len(policy.parts)
    for rank in range(learner.processes):
        process = "driver" if rank == 0 else f"learner {rank}"
        for owner, amount, phase in _parts(shape, policy.trainer, learner, size, rank, cards.kind):
            held = amount * (1 if phase == "step" else models)
            if held:
                yield Allocation(cards.card(first + rank), process, owner, held, phase)


def _parts(
    shape: ModelShape, trainer: TrainerConfig, learner: LearnerConfig, size: int, rank: int, kind: str
) -> Iterator[tuple[Owner, int, Phase]]:
    adapter = shape.adapter(trainer.lora.rank) if trainer.lora else 0
    trained = adapter or shape.parameters
    frozen = shape.parameters if adapter else 0
    o, kept, shards = trainer.optimizer, 0 if learner.offload else 1, learner.shards
    if learner.processes == 1:
        masters = FLOAT32 * trained if size < FLOAT32 else 0
        yield "weights", size * (frozen + trained) + masters, "always"
    else:
        yield "weights", kept * (FLOAT32 * trained + size * frozen) // shards, "always"
        if rank == 0:
            yield "copies", size * (frozen + trained), "always"
        gathered = shape.embedding * (1 if shape.tied else 2) + 2 * shape.layer
        yield "activations", size * gathered, "step"
    copies = (trainer.loss.tau > 0) + (trainer.loss.kl > 0)
    yield "copies", kept * copies * FLOAT32 * trained // shards, "always"
    yield "moments", kept * 2 * FLOAT32 * trained // shards, "always"
    yield "gradients", FLOAT32 * trained // shards, "step"
    if not adapter and size < FLOAT32:  # that of the embedding before it is added in float32, or reduced
        yield "gradients", (size + FLOAT32) * shape.embedding, "step"
    layers = activation_bytes(shape, o.token_budget, size, recompute=o.gradient_checkpointing)
    yield "activations", layers + head_bytes(shape, o.token_budget, size, o.rows_on(kind), not adapter), "step"


__all__ = ["learner_memory"]
