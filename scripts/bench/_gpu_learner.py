"""Parts of gpu_check: steps of the learner, against the CPU, at several lengths, and divided."""

from __future__ import annotations

import importlib.util
import math
from collections.abc import Iterator
from typing import Any

from _gpu_measures import Row, memory, timed

PEAKS = {"H200": 989e12, "H100": 989e12, "A100": 312e12, "L40S": 362e12, "L4": 121e12, "4090": 165e12}
"""dense bfloat16 flops per second, from the data sheets"""


def parity(size: str) -> Iterator[Row]:
    """Loss and gradient on the device against float32 on the CPU."""
    import torch
    from _qwen3_shapes import model_of

    from arena.learner import OptimizerConfig, TrainerConfig
    from arena.learner.trainer import Trainer

    where = "cuda" if torch.cuda.is_available() else "cpu"
    settings = TrainerConfig(optimizer=OptimizerConfig(max_grad_norm=1e9))
    start = model_of(size, torch.float32, "cpu", num_hidden_layers=2).state_dict()
    results = {}
    for name, dtype, device in (("cpu", "float32", "cpu"), ("fp32", "float32", where), ("bf16", "bfloat16", where)):
        model = model_of(size, torch.float32, "cpu", num_hidden_layers=2)
        model.load_state_dict(start)
        trainer = Trainer(model.to(device, getattr(torch, dtype)), settings)
        stats = trainer.step(samples(4, 32, 64, 512 if size == "tiny" else 151_936))
        moments = trainer.tensors()["optimizer"]  # after one step: the gradient times 1 - beta
        gradient = [t.float().cpu().flatten() for kind, t in sorted(moments.items()) if kind.startswith("exp_avg:")]
        results[name] = (stats.loss, torch.cat(gradient))
        if name != "cpu":
            loss, exact = results["cpu"]
            error = float((results[name][1] - exact).norm() / exact.norm())
            yield {"what": f"{name} against CPU fp32", "loss difference": stats.loss - loss, "gradient error": error}


def full(size: str) -> Iterator[Row]:
    """Speed and memory of steps that train all weights."""
    yield from _learner(size, 0)


def lora(size: str) -> Iterator[Row]:
    """Speed and memory of steps that train adapters."""
    if importlib.util.find_spec("peft") is None:
        yield {"error": "peft is not installed"}
        return
    yield from _learner(size, 16)


def compiled(size: str) -> Iterator[Row]:
    """Speed and memory of steps that train all weights, each layer compiled as a whole."""
    import torch

    if not torch.cuda.is_available():
        yield {"error": "not measured without a GPU; tests/arena/learner/test_flex_tree.py traces it"}
        return
    yield from _learner(size, 0, compile_layers=True)


def _learner(size: str, rank: int, *, compile_layers: bool = False) -> Iterator[Row]:
    import torch
    from _qwen3_shapes import model_of

    from arena.learner import LoraConfig, OptimizerConfig, TrainerConfig
    from arena.learner.trainer import Trainer

    cuda = torch.cuda.is_available()
    model = model_of(size, torch.bfloat16 if cuda else torch.float32, "cuda" if cuda else "cpu")
    weights = sum(p.numel() for p in model.parameters())
    adapters = LoraConfig(rank=rank, alpha=rank) if rank else None
    optimizer = OptimizerConfig(token_budget=16_384, compile_layers=compile_layers)
    trainer = Trainer(model, TrainerConfig(optimizer=optimizer, lora=adapters))
    shape, what = model.config, f"LoRA {rank}" if rank else f"all weights{', compiled layers' * compile_layers}"
    for length in (32, 64) if size == "tiny" else (512, 8192, 16_384):
        drawn = samples(1, 16, length - 16, shape.vocab_size)
        trainer.step(drawn)
        if cuda:
            torch.cuda.reset_peak_memory_stats()
        seconds = timed(lambda s=drawn: trainer.step(s))
        width = shape.num_attention_heads * shape.head_dim
        flops = (4 if rank else 6) * weights + 6 * shape.num_hidden_layers * width * length
        yield {
            "what": what,
            "tokens": length,
            "tokens/s": length / seconds,
            "MFU": flops * length / seconds / _peak() if cuda else "",
            "peak GB": memory(),
            "planned GB": _planned(size, rank, length, trainer.forward.recomputes(length)) if cuda else "",
        }


def samples(count: int, prompt: int, answer: int, vocabulary: int) -> list[Any]:
    import random

    from arena.learner import TurnSample

    rng = random.Random(1)

    def ids(n: int) -> tuple[int, ...]:
        return tuple(rng.randrange(10, vocabulary) for _ in range(n))

    key = ("bench", "player", "play")
    logps = (-math.log(vocabulary),) * answer
    return [TurnSample(ids(prompt), ids(answer), logps, None, rng.gauss(0, 1), 1.0, key) for _ in range(count)]


def _peak() -> float:
    import torch

    return next((v for k, v in PEAKS.items() if k in torch.cuda.get_device_name()), float("nan"))


def _planned(size: str, rank: int, tokens: int, recompute: bool) -> float:
    """The GB that the plan of resources has for a step."""
    from _qwen3_shapes import config_of

    from arena.inference.model_shape import shape_of_config
    from arena.learner.activations import activation_bytes, head_bytes

    shape = shape_of_config(config_of(size).to_dict())
    assert shape is not None
    trained = shape.adapter(rank) if rank else shape.parameters
    held = 2 * shape.parameters + (4 if not rank else 6) * trained + 12 * trained
    layers = activation_bytes(shape, tokens, 2, recompute=recompute)
    return (held + layers + head_bytes(shape, tokens, 2, 2048, not rank)) / 1e9
