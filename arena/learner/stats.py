"""What is told about one training step."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field


@dataclass(frozen=True, slots=True)
class StepStats:
    """One `Trainer.step`. Means run over decision tokens: those where more than one token was possible."""

    step: int
    """optimizer steps so far"""
    samples: int
    tokens: int
    """prompt and completion tokens of all samples, shared ones counted each time"""
    computed_tokens: int
    """tokens the model really read; tokens / computed_tokens is what sharing saved"""
    decision_tokens: int
    micro_batches: int
    token_budget: int
    """tokens of one micro-batch; halved after each lack of memory"""
    loss: float
    policy_loss: float
    grad_norm: float
    """before clipping"""
    lr: float
    entropy: float
    """nats, mean over decision tokens, under the restricted distribution"""
    kl: float
    """KL(policy || start) at a decision token, exact; 0 without a reference"""
    magnet_kl: float
    """KL(policy || magnet), exact; 0 without one"""
    tau: float
    """temperature of the magnet at this step"""
    mismatch_kl: float
    """r - log r - 1 with r = trainer / sampler probability, before the first update of this step"""
    ess: float
    """(sum w)^2 / (n sum w^2) of the same ratios, in (0, 1]; 1: on policy"""
    clip_up: float
    """fraction of tokens of positive advantage whose ratio was clipped"""
    clip_down: float
    """fraction of tokens of negative advantage whose ratio was clipped"""
    seconds: dict[str, float] = field(default_factory=dict)
    """wall time of pack, forward, backward, optimizer, publish, reference, total; not deterministic"""

    def metrics(self) -> dict[str, float]:
        """Everything deterministic, by name; wall times are in `seconds`. `step` is told as `updates`: a step of the
        training may hold several.
        """
        values = asdict(self)
        del values["seconds"]
        return {"updates": values.pop("step"), **values}
