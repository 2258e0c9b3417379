"""Parts of gpu_check: publication through a file, generation with transformers and vLLM, copies of all weights."""

from __future__ import annotations

import importlib.util
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from _gpu_measures import Row, memory, timed


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
                "seconds": timed(way),
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
    yield {"what": "transformers", "tokens": rows * new, "tokens/s": rows * new / timed(run), "peak GB": memory()}
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
        yield {"what": f"{size_gb:.2f} GB {name}", "seconds": timed(copy)}


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
        yield {"what": "vLLM", "tokens": 256 * 128, "tokens/s": 256 * 128 / timed(run)}
