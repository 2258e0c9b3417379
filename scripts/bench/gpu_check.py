"""What one GPU does with the arena's learner and engines, in under 8 minutes, without a network.

    python scripts/bench/gpu_check.py [--sizes 0.6b 1.7b 4b] [--seconds 450] [--json FILE] [--tiny]

Models are randomly initialised with the shapes of Qwen3. Every part runs in a process of its own with a limit; a part
that fails or takes too long is a row of the table, and the next one begins. `--tiny` runs all parts on a tiny shape in
seconds, on a CPU too.

parity    loss and gradient of two layers on the GPU against the CPU, in float32 and bfloat16
learner   tokens/s of `Trainer.step` on one sample of 512, 4,096 and 16,384 tokens (the second of two steps), its share
          of the device's peak (MFU) and peak memory; all weights, and LoRA of rank 16
generate  tokens/s of transformers and of vLLM, where it is installed: 32 prompts of 128 tokens, 128 new ones each
transfer  seconds to copy all weights on the device, and to the host's memory and back

MFU counts 6 flops per weight and token (4 with LoRA, whose frozen weights have no gradient) and causal attention's
6 * layers * width * length; layers that are computed again for memory do not count.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib.util
import json
import math
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
PEAKS = {"H200": 989e12, "H100": 989e12, "A100": 312e12, "L40S": 362e12, "L4": 121e12, "4090": 165e12}
"""dense bfloat16 flops per second, from the data sheets"""
Row = dict[str, Any]


def main() -> None:
    """Run all parts, print the table, and write JSON."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", nargs="+", default=["0.6b", "1.7b", "4b"], choices=["0.6b", "1.7b", "4b"])
    parser.add_argument("--seconds", type=float, default=450.0, help="for all parts together")
    parser.add_argument("--json", default="", help="file for the result")
    parser.add_argument("--tiny", action="store_true", help="a tiny shape and short answers, also without a GPU")
    parser.add_argument("--child", nargs=2, default=None, help=argparse.SUPPRESS)
    given = parser.parse_args()
    sys.path[:0] = [str(ROOT), str(Path(__file__).parent)]
    if given.child:
        for row in PARTS[given.child[0]](given.child[1]):
            print("ROW " + json.dumps(row), flush=True)
        return
    from _bench import machine_line, table

    began, rows = time.monotonic(), []
    device = _device()
    if device == "cpu" and not given.tiny:
        sys.exit("gpu_check: no CUDA device was found; use --tiny to try the script on the CPU")
    for part, size, limit in _plan(given):
        left = given.seconds - (time.monotonic() - began)
        rows += _run(part, size, min(limit, left)) if left > 5 else [{"part": part, "size": size, "error": "no time"}]
    names = list(dict.fromkeys(name for row in rows for name in row))
    result = {"machine": machine_line("torch", "transformers"), "device": device, "tiny": given.tiny, "rows": rows}
    result["seconds"] = time.monotonic() - began
    print(f"{result['machine']}\n{device}, {result['seconds']:.0f} s\n")
    print(table(names, [[row.get(name, "") for name in names] for row in rows]))
    if given.json:
        Path(given.json).write_text(json.dumps(result, indent=1))


def _plan(given: argparse.Namespace) -> Iterator[tuple[str, str, float]]:
    """Part, size and seconds; the most important first."""
    if given.tiny:
        yield from (("everything", "tiny", 120.0),)
        return
    yield "parity", given.sizes[0], 60.0
    for size in given.sizes:
        yield "lora", size, 60.0
        yield "full", size, 60.0
    for size in given.sizes:
        yield "generate", size, 40.0
        yield "vllm", size, 60.0


def _run(part: str, size: str, limit: float) -> list[Row]:
    """The rows that a part prints in a process of its own, and one for its failure."""
    command = [sys.executable, __file__, "--child", part, size]
    failed = ""
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as errors:
        child = subprocess.Popen(command, stdout=out, stderr=errors, start_new_session=True)
        try:
            code = child.wait(limit)
            errors.seek(0)
            failed = "" if code == 0 else _error(errors.read(), code)
        except subprocess.TimeoutExpired:
            failed = f"stopped after {limit:.0f} s"
        finally:
            with contextlib.suppress(ProcessLookupError):  # vLLM's engine is a child of the child and holds GPU memory
                os.killpg(child.pid, signal.SIGKILL)
            child.wait()
        out.seek(0)
        rows = [json.loads(line[4:]) for line in out if line.startswith("ROW ")]
    rows = [{"part": part, "size": size, **row} for row in rows]
    return [*rows, {"part": part, "size": size, "error": failed}] if failed else rows


def _error(text: str, code: int) -> str:
    """The line of a traceback that names the error; torch prints advice after it."""
    lines = text.strip().splitlines() or [f"exit code {code}"]
    return next((line for line in reversed(lines) if "Error: " in line), lines[-1])[:160]


def _device() -> str:
    import torch

    return torch.cuda.get_device_name() if torch.cuda.is_available() else "cpu"


def parity(size: str) -> Iterator[Row]:
    """Loss and gradient on the device against float32 on the CPU."""
    import torch
    from _qwen3_shapes import model_of

    from arena.learner import OptimizerConfig, TrainerConfig
    from arena.learner.trainer import Trainer

    where = "cuda" if torch.cuda.is_available() else "cpu"
    settings = TrainerConfig(optimizer=OptimizerConfig(max_grad_norm=1e9))
    start = model_of(size, torch.float32, "cpu", num_hidden_layers=2).state_dict()
    found = {}
    for name, dtype, device in (("cpu", "float32", "cpu"), ("fp32", "float32", where), ("bf16", "bfloat16", where)):
        model = model_of(size, torch.float32, "cpu", num_hidden_layers=2)
        model.load_state_dict(start)
        trainer = Trainer(model.to(device, getattr(torch, dtype)), settings)
        stats = trainer.step(_samples(4, 32, 64, 512 if size == "tiny" else 151_936))
        moments = trainer.tensors()["optimizer"]  # after one step: the gradient times 1 - beta
        gradient = [t.float().cpu().flatten() for kind, t in sorted(moments.items()) if kind.startswith("exp_avg:")]
        found[name] = (stats.loss, torch.cat(gradient))
        if name != "cpu":
            loss, exact = found["cpu"]
            error = float((found[name][1] - exact).norm() / exact.norm())
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


def _learner(size: str, rank: int) -> Iterator[Row]:
    import torch
    from _qwen3_shapes import model_of

    from arena.learner import LoraConfig, OptimizerConfig, TrainerConfig
    from arena.learner.trainer import Trainer

    cuda = torch.cuda.is_available()
    model = model_of(size, torch.bfloat16 if cuda else torch.float32, "cuda" if cuda else "cpu")
    weights = sum(p.numel() for p in model.parameters())
    adapters = LoraConfig(rank=rank, alpha=rank) if rank else None
    trainer = Trainer(model, TrainerConfig(optimizer=OptimizerConfig(token_budget=16_384), lora=adapters))
    shape, what = model.config, f"LoRA {rank}" if rank else "all weights"
    for length in (32, 64) if size == "tiny" else (512, 4096, 16_384):
        samples = _samples(1, 16, length - 16, shape.vocab_size)
        trainer.step(samples)
        if cuda:
            torch.cuda.reset_peak_memory_stats()
        seconds = _timed(lambda s=samples: trainer.step(s))
        width = shape.num_attention_heads * shape.head_dim
        flops = (4 if rank else 6) * weights + 6 * shape.num_hidden_layers * width * length
        yield {
            "what": what,
            "tokens": length,
            "tokens/s": length / seconds,
            "MFU": flops * length / seconds / _peak() if cuda else "",
            "peak GB": _memory(),
        }


def generate(size: str) -> Iterator[Row]:
    """Generation with transformers, and copies of all weights."""
    import torch
    from _qwen3_shapes import model_of

    cuda = torch.cuda.is_available()
    model = model_of(size, torch.bfloat16 if cuda else torch.float32, "cuda" if cuda else "cpu")
    rows, new = (2, 4) if size == "tiny" else (32, 128)
    ids = torch.randint(10, 500, (rows, 8 if size == "tiny" else 128), device=model.device)

    def run() -> None:
        model.generate(ids, attention_mask=torch.ones_like(ids), max_new_tokens=new, min_new_tokens=new, do_sample=True)

    run()
    yield {"what": "transformers", "tokens": rows * new, "tokens/s": rows * new / _timed(run), "peak GB": _memory()}
    params = [p.detach() for p in model.parameters()]
    size_gb = sum(p.numel() * p.element_size() for p in params) / 1e9
    copies = [torch.empty_like(p) for p in params]
    hosts = [torch.empty(p.shape, dtype=p.dtype, pin_memory=cuda) for p in params]
    ways: dict[str, tuple[list[Any], list[Any]]] = {
        "on the device": (params, copies),
        "to the host": (params, hosts),
        "from the host": (hosts, copies),
    }
    for name, (source, target) in ways.items():

        def copy(source: list[Any] = source, target: list[Any] = target) -> None:
            for a, b in zip(source, target, strict=True):
                b.copy_(a)

        copy()
        yield {"what": f"{size_gb:.2f} GB {name}", "seconds": _timed(copy)}


def vllm(size: str) -> Iterator[Row]:
    """Generation with vLLM, whose weights are random too."""
    if importlib.util.find_spec("vllm") is None:
        yield {"what": "vLLM", "error": "vLLM is not installed"}
        return
    import torch

    if not torch.cuda.is_available():
        yield {"what": "vLLM", "error": "not measured without a GPU"}
        return
    from _qwen3_shapes import config_of
    from vllm import LLM, SamplingParams

    with tempfile.TemporaryDirectory() as folder:
        config = config_of(size)
        config.architectures = ["Qwen3ForCausalLM"]
        config.save_pretrained(folder)
        options = {"load_format": "dummy", "skip_tokenizer_init": True, "dtype": "bfloat16", "max_model_len": 2048}
        engine = LLM(folder, enforce_eager=True, gpu_memory_utilization=0.85, **options)
        prompts = [{"prompt_token_ids": [10 + (i * 7 + t) % 500 for t in range(128)]} for i in range(32)]
        sampling = SamplingParams(temperature=1.0, max_tokens=128, min_tokens=128, ignore_eos=True, detokenize=False)

        def run() -> None:
            engine.generate(prompts, sampling, use_tqdm=False)

        run()
        yield {"what": "vLLM", "tokens": 32 * 128, "tokens/s": 32 * 128 / _timed(run)}


def everything(size: str) -> Iterator[Row]:
    """All parts in one process; a part that fails is a row."""
    for part in (parity, lora, full, generate, vllm):
        try:
            for row in part(size):
                yield {"part": part.__name__, **row}
        except Exception as error:  # noqa: BLE001  the next part begins
            yield {"part": part.__name__, "error": f"{type(error).__name__}: {error}"[:160]}


PARTS: dict[str, Callable[[str], Iterator[Row]]] = {
    f.__name__: f for f in (parity, full, lora, generate, vllm, everything)
}


def _samples(count: int, prompt: int, answer: int, vocabulary: int) -> list[Any]:
    import random

    from arena.learner import TurnSample

    rng = random.Random(1)

    def ids(n: int) -> tuple[int, ...]:
        return tuple(rng.randrange(10, vocabulary) for _ in range(n))

    key = ("bench", "player", "play")
    logps = (-math.log(vocabulary),) * answer
    return [TurnSample(ids(prompt), ids(answer), logps, None, rng.gauss(0, 1), 1.0, key) for _ in range(count)]


def _timed(run: Callable[[], object]) -> float:
    """Seconds, with all work on the device done that was queued inside, and none from before."""
    import torch

    wait = torch.cuda.synchronize if torch.cuda.is_available() else lambda: None
    wait()
    start = time.perf_counter()
    run()
    wait()
    return time.perf_counter() - start


def _memory() -> float:
    import torch

    if torch.cuda.is_available():
        return torch.cuda.max_memory_allocated() / 1e9
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6


def _peak() -> float:
    return next((v for k, v in PEAKS.items() if k in _device()), float("nan"))


if __name__ == "__main__":
    main()
