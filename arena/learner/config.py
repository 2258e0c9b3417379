"""Settings of the learner; a training file has the tables `[loss]` and `[optimizer]` with these keys.

The defaults follow published recipes: a constant-length normaliser (Dr. GRPO, arXiv 2503.20783), no KL penalty, clip
bounds 0.2 and 0.28 (DAPO, arXiv 2503.14476), importance weights capped at 2.0, AdamW with betas 0.9 and 0.95, no
weight decay, gradients clipped at norm 1.0 (SPIRAL, arXiv 2506.24119).
"""

from __future__ import annotations

from math import cos, pi
from typing import Annotated, Literal

from pydantic import Field, model_validator

from arena.settings import Settings

AttentionKind = Literal["auto", "flex", "sdpa"]
Beta = Annotated[float, Field(ge=0, lt=1)]


class LossConfig(Settings):
    """The objective of a step: policy loss + kl * KL(policy || start) - entropy * H + tau * KL(policy || magnet)."""

    name: str = "ppo"
    """`ppo`, `reinforce`, another loss of the library (docs/training.md), or a plugin's, with its parameters, such as
    `gspo(low=0.0003)`. clip_low and clip_high are the bounds of ppo, clip-cov, empg, chord."""
    filter: Literal["none", "zero"] = "none"
    """zero: drop the samples of groups in which no sample has an advantage (DAPO, arXiv 2503.14476). They then count
    neither in the entropy and KL terms nor in the number of samples."""
    teacher: str = ""
    """A model with the same tokenizer that `distill` learns from: a name, a folder, a Hugging Face id or, in a
    training file, a snapshot NAME@STEP of the same store."""
    clip_low: float = Field(default=0.2, ge=0)
    """The ratio is clipped below 1 minus this."""
    clip_high: float = Field(default=0.28, ge=0)
    """The ratio is clipped above 1 plus this."""
    weight_cap: float = Field(default=2.0, ge=1)
    """Upper bound of the importance weights between sampler and trainer; in reinforce, gtpo and distill that of their
    product with the ratio."""
    dual_clip: float | None = Field(default=None, gt=1)
    """For a negative advantage the ratio counts as at most this, without gradient above it: dual-clip PPO (Ye et al.
    2020, arXiv 1912.09729), whose value is 3. Default: no such clip, but 3 in bapo."""
    normaliser: float | None = Field(default=None, gt=0)
    """Divides the sum over a turn's tokens. Default: 1; in a training with decode = "free", max_tokens."""
    kl: float = Field(default=0.0, ge=0)
    """Weight of KL(policy || start) at each decision token; `start` is the policy before training."""
    entropy: float = Field(default=0.0, ge=0)
    """Weight of the entropy bonus."""
    tau: float = Field(default=0.0, ge=0)
    """Weight of the divergence from the magnet (magnetic mirror descent); 0: no magnet."""
    magnet_rate: float = Field(default=0.01, ge=0, le=1)
    """The magnet moves this fraction of its distance to the policy at each step; 0: it stays at the start."""
    magnet_floor: float = Field(default=0.0, ge=0, le=1)
    """Fraction of the uniform distribution mixed into the magnet, scaled by the learning-rate schedule. It pulls back
    actions whose probability is close to 0, so that the positions after them are still visited."""


class OptimizerConfig(Settings):
    """AdamW (arXiv 1711.05101), its learning-rate schedule and its batches."""

    lr: float = Field(default=1e-6, gt=0)
    """Learning rate at the start of the schedule."""
    betas: tuple[Beta, Beta] = (0.9, 0.95)
    """Decay of the moving averages of the gradient and of its square."""
    weight_decay: float = Field(default=0.0, ge=0)
    """Decoupled weight decay."""
    max_grad_norm: float = Field(default=1.0, gt=0)
    """The gradient is scaled down to this norm, at most."""
    warmup: int = Field(default=0, ge=0)
    """Steps over which the learning rate rises from 0."""
    schedule: Literal["constant", "linear", "cosine", "inverse_sqrt"] = "constant"
    """linear: lr (1 - t) and cosine: lr (1 + cos(pi t)) / 2, with t = min(1, step / horizon), reach 0 at `horizon`;
    inverse_sqrt: lr / sqrt(1 + step / horizon)."""
    horizon: int | None = Field(default=None, ge=1)
    """Length of the schedule in optimizer steps. Default: 1000; in a training with linear or cosine, all of its steps,
    so that a resumed run with more `steps` rescales the schedule."""
    epochs: int = Field(default=1, ge=1)
    """Passes over the samples of a step."""
    minibatches: int = Field(default=1, ge=1)
    """Optimizer steps in each pass; fewer if the loss has fewer units (samples, trajectories or groups)."""
    token_budget: int = Field(default=8192, ge=1)
    """Maximum tokens of a micro-batch; halved when memory runs out."""
    attention: AttentionKind = "auto"
    """auto: FlexAttention with block masks on CUDA, and attention in chunks with a mask elsewhere, which sdpa uses
    everywhere."""
    gradient_checkpointing: bool = False
    """Recompute activations in the backward pass to save memory."""
    checkpoint_above: int | None = Field(default=None, ge=0)
    """Also recompute them in micro-batches of more tokens than this. Default: where they do not fit into the memory
    that is free when the micro-batch begins."""
    compile_layers: bool = False
    """Compile each layer as a whole, on CUDA with attention = auto or flex. It was only traced, never run on a GPU."""
    head_rows: int | None = Field(default=None, ge=0)
    """The output layer computes at most this many tokens at once where all logits would take over 64 MiB; 0: all.
    Default: 256 on the CPU, 2048 on CUDA, where each chunk reads and writes the gradient of the whole layer."""
    head_fp32: bool = False
    """Compute the output layer in float32 in a model of lower precision; needs `head_rows` above 0."""

    def rows_on(self, device: str) -> int:
        """Returns `head_rows` on a kind of device."""
        return (256 if device == "cpu" else 2048) if self.head_rows is None else self.head_rows

    def factor(self, step: int) -> float:
        """Returns the factor that the schedule applies to the learning rate at step 0, 1, ..., without warm-up."""
        done = step / (self.horizon or 1000)
        if self.schedule == "linear":
            return max(0.0, 1.0 - done)
        if self.schedule == "cosine":
            return 0.5 * (1.0 + cos(pi * min(1.0, done)))
        return (1.0 + done) ** -0.5 if self.schedule == "inverse_sqrt" else 1.0

    def lr_at(self, step: int) -> float:
        """Returns the learning rate at step 0, 1, ..."""
        rise = min(1.0, (step + 1) / self.warmup) if self.warmup else 1.0
        return self.lr * rise * self.factor(step)


class ReplayConfig(Settings):
    """Answers of earlier steps that are trained on again, for the losses `chord` and `temporal`."""

    keep: Literal["newest", "temporal"] = "newest"
    """newest: good answers, drawn at random. temporal: for each task the worst answer of the first step that posed it
    and the best one of the last step; both join each new group of the task. share is not used then."""

    share: float = Field(default=0.0, ge=0, le=4)
    """Replayed samples of a step as a share of its new ones; 0: none. Good answers are those that were right or won."""
    size: int = Field(default=512, ge=1)
    """The number of newest good answers, or of newest tasks, that are kept, in memory and in checkpoints."""


class LoraConfig(Settings):
    """Low-rank adapters (arXiv 2106.09685) of all linear layers instead of full weights; needs peft."""

    rank: int = Field(default=32, ge=1)
    alpha: int = Field(default=32, ge=1)


class LearnerConfig(Settings):
    """The processes that share the learner's weights and work: FSDP2 over torch.distributed."""

    processes: int = Field(default=1, ge=1, le=4096)
    """Number of processes, each with a GPU of its own, or all on the CPU. `arena train` starts them with
    torch.distributed.run; on several machines, start torch.distributed.run on each (docs/scaling.md)."""
    replicas: int = Field(default=1, ge=1)
    """Number of copies of weights and moments, each divided among processes / replicas processes (HSDP). With one on
    each machine, layers are gathered within a machine and only gradients travel between machines."""
    offload: bool = False
    """Keep weights and moments in the memory of the host; a layer's weights are copied to the GPU for each pass."""
    timeout: float = Field(default=600.0, ge=30)
    """Seconds after which a process that does not answer in a training step counts as lost."""
    restarts: int = Field(default=3, ge=0)
    """How often the processes are started again, from the newest checkpoint, after one of them was lost."""

    @model_validator(mode="after")
    def _divides(self) -> LearnerConfig:
        if self.processes % self.replicas:
            raise ValueError(
                f"replicas = {self.replicas} does not divide processes = {self.processes}; each replica has as many "
                "processes as the others"
            )
        return self

    @property
    def shards(self) -> int:
        """Number of processes that share one copy of the weights."""
        return self.processes // self.replicas


class TrainerConfig(Settings):
    """All settings of a `Trainer`."""

    loss: LossConfig = LossConfig()
    optimizer: OptimizerConfig = OptimizerConfig()
    replay: ReplayConfig = ReplayConfig()
    lora: LoraConfig | None = None
    """None: train all weights."""
    recompute_old: bool = False
    """Take ratios against the trainer's own probabilities at the start of the step instead of the sampler's."""
    seed: int = 0
    """Seeds the adapters and the order of minibatches."""
