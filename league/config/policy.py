"""The table `[policy]` of a training file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from pydantic import Field, model_validator

from arena.inference.vllm.config import VLLMConfig
from arena.settings import Settings

if TYPE_CHECKING:
    from league.config.training import TrainingConfig


class PolicyConfig(Settings):
    """The weights that are trained, and how they play."""

    model: str = "tiny"
    """`tiny(layers=2, hidden=64)`, smollm2-135m, a folder, or a Hugging Face id."""
    decode: Literal["choice", "free"] = "choice"
    """choice: one of the legal actions, sampled under a mask. free: the model writes and the role reads the answer."""
    answer: Literal["boxed", "json", "line", "bare"] | None = None
    """The form of answer that the prompt asks for. Default: bare with choice, boxed with free."""
    temperature: float = Field(default=1.0, gt=0)
    """Temperature of sampling."""
    max_tokens: int | None = Field(default=None, ge=1)
    """Tokens of a free-text answer, thinking included. Default: 256, or 4,096 (at most half of the context) for a model
    whose chat template can think, unless think = false."""
    think: bool | None = None
    """Passed to chat templates that support thinking. Default: the template decides; no thinking before a choice."""
    think_budget: int | None = Field(default=None, ge=1)
    """Tokens of thinking, at most. Then the thinking is closed with the model's own mark, and the model writes its
    answer with the other tokens of max_tokens."""
    memory: bool = False
    """Whether prompts hold the seat's earlier turns."""
    demonstrations: int | None = Field(default=None, ge=0)
    """Example turns shown to the roles of native games, at most. Default: 2; 0: none."""
    show_legal: bool = True
    """Whether prompts list the legal actions."""
    show_rules: bool = True
    """Whether prompts hold the rules of the game. A model trained from nothing cannot read them, and learns far sooner
    from short prompts."""
    lora: int = Field(default=0, ge=0)
    """Rank of the LoRA adapter to train; 0 trains all weights."""
    per_role: bool = False
    """Train one policy per role instead of one for all roles."""
    advises: str = ""
    """Id of a fixed player that plays; the policy then learns to advise it: see the player `advised`."""
    advice: tuple[str, ...] = ()
    """What the policy chooses from when it advises. Default: with decode = "free" it writes advice."""
    dtype: Literal["auto", "fp32", "bf16"] = "auto"
    """auto: the fastest on the device, which is fp32 for tiny models and on a CPU without instructions for bf16."""
    device: str = "auto"
    """auto, cpu, cuda or cuda:1; auto takes a GPU if there is one."""
    engine: Literal["transformers", "vllm"] = "transformers"
    """The engine of training matches. transformers shares the trainer's weights in its process; vLLM runs beside it and
    receives the new weights before every step. Evaluations always use transformers."""
    vllm: VLLMConfig = VLLMConfig()
    """The engine of `engine = "vllm"`: its GPUs, its memory, and how new weights reach it."""
    deterministic: bool | None = None
    """Decide one prompt at a time, so that a run repeats bit for bit. Default: true on the CPU. Set it to false for a
    large model on the CPU, where batches are several times faster. In small games it costs little, because each prompt
    is read once."""

    @model_validator(mode="after")
    def _served(self) -> PolicyConfig:
        if self.vllm != VLLMConfig() and self.engine != "vllm":
            raise ValueError('the table vllm is for engine = "vllm"; write that, or leave the table out')
        if self.vllm.adapters == "reload" and not self.lora:
            raise ValueError('vllm.adapters = "reload" publishes a LoRA adapter; set lora to its rank, such as 16')
        return self

    @model_validator(mode="after")
    def _advice(self) -> PolicyConfig:
        if self.advice and not self.advises:
            raise ValueError('advice needs advises, the id of the player that plays, such as advises = "llm"')
        if self.advises and (self.decode == "choice") != bool(self.advice):
            raise ValueError('with advises, write advice = ["ONE", "OTHER"], or decode = "free" without advice')
        if self.advice and (len(set(self.advice)) < 2 or any(set(text) & set("|\"'") for text in self.advice)):
            raise ValueError("advice has at least two different texts, without quotes and |")
        return self


def engine_fault(config: TrainingConfig) -> str:
    """Returns the first fault, as one line; "" if there is none."""
    if config.in_flight and not config.overlap:
        return "in_flight changes the weights of matches that are played while the learner works; set overlap = 1"
    policies = [policy.policy for policy in config.policies] or [config.policy]
    return next((fault for policy in policies if (fault := _fault(policy, config))), "")


def _fault(policy: PolicyConfig, config: TrainingConfig) -> str:
    served, gpus = policy.vllm, config.ray.gpus
    if served.transfer != "file" and config.workers == "ray":
        return (
            f'vllm.transfer = {served.transfer!r} connects processes of this machine, but workers = "ray"; leave it out'
        )
    if served.transfer == "ipc" and config.learner.processes > 1:
        return (
            f'vllm.transfer = "ipc" needs learner.processes = 1, not {config.learner.processes}; write "nccl" or "file"'
        )
    if config.workers != "ray":
        if served.sleep and config.overlap:
            return f"vllm.sleep needs overlap = 0; with overlap = {config.overlap} it plays while the learner works"
        return ""
    if served.gpus:
        return 'vllm.gpus names GPUs of this process, but workers = "ray"; write gpus under [ray] for each worker'
    if served.sleep:
        return 'vllm.sleep is for a GPU that the engine shares with the trainer, but workers = "ray"; leave it out'
    if served.parallel > 1 and served.parallel > gpus:
        return f"vllm.tensor_parallel is {served.parallel}, but ray.gpus is {gpus:g}; a worker needs as many GPUs"
    return ""
