"""The parts of gpu_check.py; each yields rows. All of them also run on the CPU, with the size `tiny`."""

from __future__ import annotations

import importlib.util
import math
import platform
import resource
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from _gpu_driver import driver

PEAKS = {"H200": 989e12, "H100": 989e12, "A100": 312e12, "L40S": 362e12, "L4": 121e12, "4090": 165e12}
"""dense bfloat16 flops per second, from the data sheets"""
Row = dict[str, Any]


def machine(size: str) -> Iterator[Row]:
    """Versions, and what the device reaches: products in bfloat16 and copies."""
    import torch

    names = ("torch", "triton", "transformers", "peft", "vllm")
    there = {name: importlib.util.find_spec(name) is not None for name in names}
    versions = {name: importlib.import_module(name).__version__ for name in ("torch", "transformers")}
    missing = [name for name, found in there.items() if not found]
    yield {"what": f"python {platform.python_version()}, {versions}, CUDA {torch.version.cuda}, missing: {missing}"}
    where, n = ("cuda", 8192) if torch.cuda.is_available() else ("cpu", 256)
    a = torch.randn(n, n, dtype=torch.bfloat16, device=where)
    a @ a
    yield {"what": f"product of {n} x {n} in bfloat16", "Tflop/s": 2e-12 * n**3 / _timed(lambda: a @ a)}
    b = torch.empty_like(a)
    yield {"what": "copy on the device", "GB/s": 2e-9 * a.nbytes / _timed(lambda: b.copy_(a))}


def attention(size: str) -> Iterator[Row]:
    """FlexAttention over a tree against the dense mask: forward, and on a GPU backward."""
    import torch

    from arena.learner.batch import merged
    from arena.learner.flex_tree import BLOCK, FlexTree, attend

    cuda = torch.cuda.is_available()
    where = torch.device("cuda" if cuda else "cpu")
    sequences = [tuple(range(300)), (*range(200), *range(400, 700)), (*range(200), *range(800, 900))]
    _, positions, ends, _ = (torch.tensor(v, device=where) for v in merged(sequences, BLOCK))
    index = torch.arange(len(ends), device=where)
    for dtype, window in (
        (torch.float32, 0), (torch.float32, 64), (torch.bfloat16, 0), (torch.bfloat16, 64),
    ):  # fmt: skip
        mask = (index <= index[:, None]) & (index[:, None] < ends)
        if window:
            mask &= positions[:, None] - positions < window
        generator = torch.Generator(where).manual_seed(0)
        states = [torch.randn(1, n, len(ends), 128, generator=generator, device=where, dtype=dtype) for n in (16, 8, 8)]
        results = []
        for flex in (True, False):
            q, k, v = inputs = [state.clone().requires_grad_(cuda) for state in states]
            if flex:
                out = attend(FlexTree(ends, positions), q, k, v, window, None)
            else:
                out = torch.nn.functional.scaled_dot_product_attention(q, k, v, attn_mask=mask, enable_gqa=True)
            if cuda:
                out.float().square().sum().backward()  # type: ignore[no-untyped-call]
            results.append([out.detach(), *(each.grad for each in inputs if each.grad is not None)])
        worst = max(float((a - b).abs().max() / b.abs().max()) for a, b in zip(*results, strict=True))
        yield {"what": f"{str(dtype)[6:]}, window {window}, backward {cuda}", "largest difference": worst}


def graphs(size: str) -> Iterator[Row]:
    """How many graphs a policy with two windows, a teacher and another precision need, and how long they take."""
    import torch
    from torch._dynamo.utils import counters

    from arena.learner.batch import merged
    from arena.learner.flex_tree import BLOCK, FlexTree, attend

    if not torch.cuda.is_available():
        yield {"error": "not measured without a GPU; tests/arena/learner/test_flex_tree.py traces them"}
        return
    for window, heads, width, dtype in (
        (0, (16, 8), 128, torch.bfloat16), (64, (16, 8), 128, torch.bfloat16), (0, (32, 8), 128, torch.bfloat16),
        (0, (16, 8), 64, torch.float32),
    ):  # fmt: skip
        before, start = counters["stats"]["unique_graphs"], time.perf_counter()
        for tokens in (100, 300, 1000, 3000):
            _, positions, ends, _ = (torch.tensor(v, device="cuda") for v in merged([tuple(range(tokens))], BLOCK))
            for grad in (False, True):
                q, k, v = (
                    torch.randn(1, n, len(ends), width, dtype=dtype, device="cuda", requires_grad=grad)
                    for n in (heads[0], heads[1], heads[1])
                )
                with torch.set_grad_enabled(grad):
                    out = attend(FlexTree(ends, positions), q, k, v, window, None)
                if grad:
                    out.sum().backward()  # type: ignore[no-untyped-call]
        torch.cuda.synchronize()
        found = counters["stats"]["unique_graphs"] - before
        yield {"what": f"{heads} heads of {width}, {str(dtype)[6:]}, window {window}", "graphs": found,
               "seconds": time.perf_counter() - start}  # fmt: skip
    yield from _sizes()


def _sizes() -> Iterator[Row]:
    """Forward and backward of attention over 8,192 tokens, with a graph for any number of tokens and for this one."""
    import torch

    from arena.learner import flex_tree

    ends, positions = torch.full((8192,), 8192, device="cuda"), torch.arange(8192, device="cuda")
    states = [torch.randn(1, n, 8192, 128, dtype=torch.bfloat16, device="cuda", requires_grad=True) for n in (16, 8, 8)]
    tree = flex_tree.FlexTree(ends, positions)
    for any_size in (True, False):
        flex_tree.ANY_SIZE = any_size
        flex_tree.compiled.cache_clear()
        for run in ("first", "second"):  # the first one compiles
            seconds = _timed(lambda: flex_tree.attend(tree, *states, 0, None).sum().backward())  # type: ignore[no-untyped-call]
            yield {"what": f"attention over 8,192 tokens, any number {any_size}, {run} run", "seconds": seconds}


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
    for length in (32, 64) if size == "tiny" else (512, 8192, 16_384):
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
            "planned GB": _planned(size, rank, length, trainer.forward.recomputes(length)) if cuda else "",
        }


def shards(size: str) -> Iterator[Row]:
    """A divided trainer in a group of one process: its step, its checkpoint, and that it resumes bit for bit."""
    import os

    import torch
    from _qwen3_shapes import model_of

    from arena.learner import LearnerConfig, OptimizerConfig, TrainerConfig, checkpoint
    from arena.learner.process_group import join
    from arena.learner.sharding import ShardedModel
    from arena.learner.trainer import Trainer

    os.environ |= {"RANK": "0", "WORLD_SIZE": "1", "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(_free_port())}
    cuda, vocabulary = torch.cuda.is_available(), 512 if size == "tiny" else 151_936
    config = TrainerConfig(optimizer=OptimizerConfig(token_budget=8192))
    samples = _samples(1, 16, 48 if size == "tiny" else 4000, vocabulary)
    for offload in (False, True) if cuda else (False,):
        with (
            join(LearnerConfig(offload=offload), "cuda" if cuda else "cpu") as group,
            tempfile.TemporaryDirectory() as folder,
        ):

            def trainer(group: Any = group) -> Trainer:
                model = model_of(size, torch.bfloat16 if cuda else torch.float32, "cpu")
                return Trainer(model, config, sharding=ShardedModel(group))

            first = trainer()
            first.step(samples)
            before = _memory(reset=True)
            start = time.perf_counter()
            state = {"trainer": first.state_dict()}
            place = checkpoint.save(folder, 1, write=first.write, state=state)
            row = {"what": f"checkpoint, offload {offload}", "seconds": time.perf_counter() - start}
            yield row | {"GB more on the device": _memory() - before if cuda else ""}
            stats = first.step(samples)
            second = trainer()
            second.load(checkpoint.load(place))
            again = second.step(samples)
            yield {"what": f"step, offload {offload}", "seconds": stats.seconds["total"], "peak GB": _memory(),
                   "resumes bit for bit": again.metrics() == stats.metrics()}  # fmt: skip


def publish(size: str) -> Iterator[Row]:
    """A publication through a file in memory: pinned copies, tensor by tensor, against pageable ones."""
    import torch
    from _qwen3_shapes import model_of
    from safetensors.torch import save_file

    from arena.inference import tensor_file
    from arena.inference.vllm.shared_memory import folder_for

    cuda = torch.cuda.is_available()
    model = model_of(size, torch.bfloat16 if cuda else torch.float32, "cuda" if cuda else "cpu")
    tensors = {name: param.detach() for name, param in model.named_parameters()}
    total = sum(t.nbytes for t in tensors.values())
    with tempfile.TemporaryDirectory(dir=folder_for(total)) as folder:
        path = Path(folder) / "weights.safetensors"
        ways: dict[str, Callable[[], object]] = {
            "pinned": lambda: tensor_file.write(path, tensors),
            "pageable": lambda: save_file({n: t.cpu() for n, t in tensors.items()}, path),
        }
        for name, way in ways.items():
            way()
            yield {
                "what": f"{total / 1e9:.2f} GB to {folder}, {name}",
                "seconds": _timed(way),
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
        engine = LLM(folder, gpu_memory_utilization=0.85, **options)
        prompts = [{"prompt_token_ids": [10 + (i * 7 + t) % 500 for t in range(128)]} for i in range(256)]
        sampling = SamplingParams(temperature=1.0, max_tokens=128, min_tokens=128, ignore_eos=True, detokenize=False)

        def run() -> None:
            engine.generate(prompts, sampling, use_tqdm=False)

        run()
        yield {"what": "vLLM", "tokens": 256 * 128, "tokens/s": 256 * 128 / _timed(run)}


def everything(size: str) -> Iterator[Row]:
    """All parts in one process; a part that fails is a row."""
    for name, part in PARTS.items():
        if name == "everything":
            continue
        try:
            for row in part(size):
                yield {"part": name, **row}
        except Exception as error:  # noqa: BLE001  the next part begins
            yield {"part": name, "error": f"{type(error).__name__}: {error}"[:160]}


PARTS: dict[str, Callable[[str], Iterator[Row]]] = {
    f.__name__: f
    for f in (machine, attention, graphs, parity, full, lora, shards, publish, generate, vllm, driver, everything)
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


def _memory(reset: bool = False) -> float:
    """The peak in GB. `reset`: of what follows."""
    import torch

    if torch.cuda.is_available():
        if reset:
            torch.cuda.reset_peak_memory_stats()
        return torch.cuda.max_memory_allocated() / 1e9
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6


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


def _free_port() -> int:
    import socket

    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])
