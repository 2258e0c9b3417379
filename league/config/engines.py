"""What the settings of the policies' engines and those of a whole training file must agree on."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from league.config.policy import PolicyConfig
    from league.config.training import TrainingConfig


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
