"""The settings of a policy's own vLLM: its GPUs, its memory, and how new weights reach it."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, model_validator

from arena.settings import Settings

SHARED, ALONE = 0.4, 0.9
"""the default share of a GPU's memory, beside the trainer and alone"""


class VLLMConfig(Settings):
    """The vLLM that plays for a policy with `engine = "vllm"`. It may change from one start to the next."""

    gpus: tuple[int, ...] = ()
    """The GPUs that it has for itself, numbered as this process sees them, such as [1]. It sees no others; each runs an
    engine of its own, which share the matches. Default: the trainer's GPU; on a Ray worker those that Ray gives it."""
    tensor_parallel: int | None = Field(default=None, ge=1)
    """The number of GPUs that one engine divides the model among. Default: 1; `gpus` names a multiple of it."""
    memory: float | None = Field(default=None, gt=0, le=1)
    """Share of the memory of each of its GPUs. Default: 0.4 beside the trainer, 0.9 alone."""
    max_rows: int = Field(default=64, ge=1)
    """The maximum number of answers that it writes at once."""
    adapters: Literal["merge", "reload"] | None = None
    """How the weights of a LoRA adapter reach it. reload: as an adapter alone, which is published fastest. merge: as a
    whole model, which decides fastest. Default: reload, with a `transfer` other than file merge."""
    transfer: Literal["file", "nccl", "ipc"] = "file"
    """How whole weights reach it. file: through a file in shared memory, also without CUDA. nccl: from the trainer's
    GPU to all `gpus`. ipc: within the GPU that it shares with the trainer."""
    sleep: bool = False
    """Give its memory on the GPU back while the learner works. It then shares the trainer's GPU, without overlap."""

    @model_validator(mode="after")
    def _consistent(self) -> VLLMConfig:
        if len(set(self.gpus)) < len(self.gpus) or any(gpu < 0 for gpu in self.gpus):
            raise ValueError(f"gpus = {list(self.gpus)}: write different numbers from 0, such as [1, 2]")
        if len(self.gpus) % self.parallel:
            raise ValueError(
                f"gpus names {len(self.gpus)} GPUs and tensor_parallel is {self.parallel}; name "
                "a multiple of it, the GPUs of one engine"
            )
        if self.gpus and self.sleep:
            raise ValueError("sleep is for a GPU that the engine shares with the trainer; leave out gpus or sleep")
        if fault := self._transfer_fault():
            raise ValueError(f"transfer = {self.transfer!r} {fault}")
        return self

    def _transfer_fault(self) -> str:
        if self.transfer != "file" and self.adapters == "reload":
            return 'sends whole weights, but adapters = "reload" publishes the adapter alone; leave one of them out'
        if self.transfer == "nccl" and not self.gpus:
            return 'connects different GPUs; name those of the engine under gpus, or write "ipc" for a shared GPU'
        if (self.transfer == "ipc" and self.parallel > 1) or (self.transfer == "ipc" and self.gpus):
            return 'is for one GPU that the engine shares with the trainer; write "nccl" for GPUs of its own'
        return ""

    def reloads(self, lora: int) -> bool:
        """Returns whether adapters of the rank `lora` are published alone; 0: whole weights are trained."""
        return lora > 0 and (self.adapters == "reload" or (self.adapters is None and self.transfer == "file"))

    @property
    def parallel(self) -> int:
        """The number of GPUs that one engine divides the model among."""
        return self.tensor_parallel or 1

    def share(self, alone: bool) -> float:
        """Share of the memory of each GPU. `alone`: no trainer works on them."""
        return self.memory or (ALONE if alone or self.gpus else SHARED)
