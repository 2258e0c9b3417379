"""The metrics of one training step."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field


@dataclass(frozen=True, slots=True)
class StepStats:
    """The metrics of one `Trainer.step`. Means are over decision tokens: those with more than one possible token."""

    step: int
    """optimizer steps since the start of training"""
    samples: int
    tokens: int
    """prompt and completion tokens of all samples; shared tokens count each time"""
    computed_tokens: int
    """tokens the model computed; tokens / computed_tokens is the saving from shared prefixes"""
    decision_tokens: int
    micro_batches: int
    token_budget: int
    """maximum tokens of a micro-batch; halved each time memory runs out"""
    loss: float
    policy_loss: float
    grad_norm: float
    """before clipping"""
    lr: float
    entropy: float
    """nats, mean over decision tokens, under the restricted distribution"""
    kl: float
    """KL(policy || start), exact; 0 without a reference"""
    magnet_kl: float
    """KL(policy || magnet), exact; 0 without a magnet"""
    tau: float
    """weight of the magnet at this step"""
    mismatch_kl: float
    """r - log r - 1 with r = trainer / sampler probability, before the first update of this step"""
    ess: float
    """(sum w)^2 / (n sum w^2) of the same ratios, in (0, 1]; 1: on policy"""
    clip_up: float
    """fraction of tokens of positive advantage whose ratio was clipped"""
    clip_down: float
    """fraction of tokens of negative advantage whose ratio was clipped"""
    seconds: dict[str, float] = field(default_factory=dict)
    """wall time of pack, forward, backward, optimizer, publish, reference and total; not deterministic"""

    def metrics(self) -> dict[str, float]:
        """The deterministic values by name, without `seconds`. `step` is called `updates` here, because a training step
        can contain several optimizer steps.
        """
        values = asdict(self)
        del values["seconds"]
        return {"updates": values.pop("step"), **values}
