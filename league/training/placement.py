"""Which GPUs, and how much of their memory, the vLLM of a policy takes."""

from __future__ import annotations

from dataclasses import dataclass

from arena.inference.vllm import devices
from games import InputError
from league.config.training import TrainingConfig


@dataclass(frozen=True, slots=True)
class EnginePlacement:
    """Where an engine runs."""

    device: str
    """cpu, or cuda: the first of the GPUs that its processes see"""
    gpus: tuple[int, ...] = ()
    """the only GPUs that they see; none: those of this process"""
    share: float = 0.0
    """of each GPU's memory"""
    trainer: int = 0
    """the GPU of the trainer, which sends weights"""


def place(config: TrainingConfig, found: int, *, engines: int = 1, worker: bool = False) -> EnginePlacement:
    """Where the vLLM of a policy with these settings runs. Raises InputError if there are too few GPUs.

    `found`: how many GPUs this process sees; `engines`: how many vLLMs take their part of the same memory; `worker`:
    whether this is a Ray worker, on which no trainer works.
    """
    p, wanted = config.policy, config.policy.vllm
    on_cpu = p.device.startswith("cpu") or (p.device == "auto" and not found)
    trainers = [] if on_cpu or worker else _trainers(config)
    gpus = () if worker else wanted.gpus
    devices.check(gpus, wanted.parallel, 0 if on_cpu else found, trainers)
    if on_cpu and wanted.transfer != "file":
        raise InputError(
            f"policy.vllm.transfer is {wanted.transfer!r}, which sends weights from GPU to GPU, but the policy is on "
            "the CPU; leave it out"
        )
    if on_cpu:
        return EnginePlacement("cpu")
    share = wanted.share(alone=worker)
    if wanted.memory is None:
        share = share * min(1.0, config.ray.gpus or 1.0 if worker else 1.0) / engines
    own = gpus or (tuple(trainers[:1]) if trainers and trainers[0] else ())
    return EnginePlacement("cuda", own, round(share, 3), trainers[0] if trainers else 0)


def _trainers(config: TrainingConfig) -> list[int]:
    """The GPUs of the trainers on this machine."""
    if config.learner.processes > 1:
        return list(range(config.learner.processes))
    return [int(config.policy.device.partition(":")[2] or 0)]


__all__ = ["EnginePlacement", "place"]
