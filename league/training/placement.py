"""Which GPUs, and how much of their memory, the vLLM of a policy takes."""

from __future__ import annotations

from dataclasses import dataclass

from arena.inference.vllm import devices
from games import InputError
from league.config.policy import PolicyConfig
from league.training.plan import TrainingPlan


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
    parallel: int = 1
    """GPUs that one engine divides the model among"""

    @property
    def engines(self) -> list[tuple[int, ...]]:
        """The GPUs of each engine; one engine sees those of this process if none are named."""
        groups = [self.gpus[n : n + self.parallel] for n in range(0, len(self.gpus), self.parallel)]
        return groups or [()]


def place(
    plan: TrainingPlan,
    policy: PolicyConfig,
    visible: int,
    *,
    worker: bool = False,
    sees: str = "this process sees",
) -> EnginePlacement:
    """Returns where the vLLM of a policy with these settings runs. Raises InputError if there are too few GPUs.

    `visible`: how many GPUs there are, after the words `sees` in a message; `worker`: whether this is a Ray
    worker, on which no trainer works.
    """
    vllm = policy.vllm
    on_cpu = policy.device.startswith("cpu") or (policy.device == "auto" and not visible)
    trainers = [] if on_cpu or worker else _trainers(plan, policy)
    gpus = () if worker else vllm.gpus
    sees = 'a policy with device = "cpu" uses' if policy.device.startswith("cpu") else sees
    taken = {gpu for each in plan.policies.values() for gpu in _trainers(plan, each.policy)} if trainers else ()
    devices.check(gpus, vllm.parallel, 0 if on_cpu else visible, taken, sees)
    if on_cpu and vllm.transfer != "file":
        raise InputError(
            f"policy.vllm.transfer is {vllm.transfer!r}, which sends weights from GPU to GPU, but the policy is on "
            "the CPU; leave it out"
        )
    if on_cpu:
        return EnginePlacement("cpu")
    if worker and not plan.ray.gpus:
        raise InputError(
            "a Ray worker would start vLLM on a GPU that Ray counts as free, beside those of other workers; set "
            "gpus = 1 under [ray]"
        )
    share = vllm.share(alone=worker)
    if vllm.memory is None:
        share = share * min(1.0, plan.ray.gpus if worker else 1.0) / _engines(plan, policy, worker)
    if not gpus and trainers and trainers[0]:
        gpus = (trainers[0],)
        if vllm.parallel > 1:
            raise InputError(
                f"policy.vllm.tensor_parallel is {vllm.parallel}, and the engine shares GPU {trainers[0]} alone "
                "with the trainer; name its gpus under [policy.vllm]"
            )
    return EnginePlacement("cuda", gpus, round(share, 3), trainers[0] if trainers else 0, vllm.parallel)


def _engines(plan: TrainingPlan, policy: PolicyConfig, worker: bool) -> int:
    """Returns how many vLLMs take their part of the memory of the same GPUs: those of a worker, or of equal GPUs."""

    def of(policy: PolicyConfig) -> tuple[int, ...]:
        return () if worker else policy.vllm.gpus or tuple(_trainers(plan, policy)[:1])

    return max(1, sum(len(each.parts) for each in plan.vllm if of(each.policy) == of(policy)))


def _trainers(plan: TrainingPlan, policy: PolicyConfig) -> list[int]:
    """Returns the GPUs of a policy's trainers on this machine."""
    if policy.device.startswith("cpu"):
        return []
    return list(range(plan.learner.processes)) if plan.learner.processes > 1 else [trainer_gpu(policy.device)]


def trainer_gpu(device: str) -> int:
    """Returns the GPU of a trainer, or of its first process: 0 unless the device names another."""
    return int(device.partition(":")[2] or 0) if device.startswith("cuda") else 0
