"""Which GPUs the processes of a vLLM see."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager

from games import InputError

VISIBLE = "CUDA_VISIBLE_DEVICES"


def check(
    gpus: Sequence[int], parallel: int, count: int, trainers: Collection[int], sees: str = "this process sees"
) -> None:
    """Raises InputError unless the GPUs of an engine exist and no trainer uses them.

    `count`: how many GPUs there are; `trainers`: those that trainers use; `sees`: the words before the count.
    """
    has = f"{sees} {count} GPU{'' if count == 1 else 's'}"
    if missing := [gpu for gpu in gpus if gpu >= count]:
        raise InputError(f"policy.vllm.gpus names GPU {missing[0]}, but {has}, numbered from 0; name others")
    if parallel > max(1, count):
        raise InputError(f"policy.vllm.tensor_parallel is {parallel}, but {has}; lower it")
    if taken := sorted(set(gpus) & set(trainers)):
        raise InputError(
            f"policy.vllm.gpus names GPU {taken[0]}, which the trainer uses; name others, or leave gpus out to share it"
        )


def visible(gpus: Sequence[int], environment: Mapping[str, str]) -> str:
    """Returns the value of CUDA_VISIBLE_DEVICES for a process that sees only `gpus`, which this process numbers from 0.

    This process may itself see a selection, also by the devices' UUIDs.
    """
    names = [name.strip() for name in environment.get(VISIBLE, "").split(",") if name.strip()]
    return ",".join(names[gpu] if names else str(gpu) for gpu in gpus)


@contextmanager
def only(gpus: Sequence[int]) -> Iterator[None]:
    """Let processes that start inside the block see only `gpus`; all, if there are none."""
    if not gpus:
        yield
        return
    before = os.environ.get(VISIBLE)
    os.environ[VISIBLE] = visible(gpus, os.environ)
    try:
        yield
    finally:
        if before is None:
            del os.environ[VISIBLE]
        else:
            os.environ[VISIBLE] = before
