"""Compiles the arena's FlexAttention for sm_90 without a GPU, and prints what ptxas says of every kernel, as JSON.

    python -m tests.real.packaging.flex_for_sm90 HEADS KEYS WIDTH DTYPE WINDOW [static|layer]

The graphs are traced on the CPU. Their tensors then get the device cuda:0, inductor writes Triton code for the
properties of an H200, and Triton compiles it with its own ptxas. Nothing runs. Needs the package triton; torch may be
its CPU build.
"""

import ctypes
import json
import os
import re
import subprocess
import sys
import tempfile
from contextlib import ExitStack, suppress
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from unittest.mock import MagicMock, patch

import torch
import torch._functorch.config
import triton
from torch._dynamo.backends.common import aot_autograd
from torch._inductor import config, graph
from torch._inductor.codecache import PyCodeCache
from torch._inductor.compile_fx import compile_fx_inner
from torch._inductor.decomposition import select_decomp_table
from torch._inductor.fx_passes import joint_graph, post_grad
from torch._inductor.runtime import triton_helpers
from torch.utils import _triton
from torch.utils._pytree import tree_map
from triton.backends.compiler import GPUTarget
from triton.runtime import driver

from arena.learner import flex_tree
from arena.learner.attention import tree_attention
from arena.learner.compiled_layers import CompiledLayers
from arena.learner.flex_tree import FlexTree, attend

H200 = SimpleNamespace(
    name="NVIDIA H200", type="cuda", index=0, major=9, minor=0, multi_processor_count=132, total_memory=150 * 10**9,
    warp_size=32, max_threads_per_multi_processor=2048, max_threads_per_block=1024, gcnArchName="",
    regs_per_multiprocessor=65536, shared_memory_per_block=49152, shared_memory_per_block_optin=232448,
    shared_memory_per_multiprocessor=233472, L2_cache_size=50 << 20,
)  # fmt: skip
CUDA = {
    "is_available": True, "device_count": 1, "current_device": 0, "_get_device_properties": H200, "_exchange_device": 0,
    "get_device_capability": (9, 0), "_lazy_init": None, "synchronize": None, "set_device": None,
    "_maybe_exchange_device": 0, "get_rng_state": torch.zeros(16, dtype=torch.uint8), "set_rng_state": None,
}  # fmt: skip
"""function of torch.cuda -> what it returns where there is a GPU"""
SETTINGS = {"pattern_matcher": False, "joint_graph_constant_folding": False, "use_static_cuda_launcher": False}
sources: list[str] = []


class NothingRunsError(Exception):
    """Raised where the compiled forward pass would run."""


def write(self):
    """Keep the code of a graph, instead of loading it."""
    code = self.codegen()[0]
    sources.append(getattr(code, "value", code))
    return SimpleNamespace(call=None, __file__="", key="", runner=None, benchmark_compiled_module=None)


def nothing_runs(*_):
    raise NothingRunsError


def pretended():
    """Inside the block torch has a GPU."""
    stack = ExitStack()
    for name, result in CUDA.items():
        stack.enter_context(patch.object(torch.cuda, name, lambda *_, r=result, **__: r, create=True))
    for module in (joint_graph, post_grad):  # patterns are traced on tensors of the GPU
        stack.enter_context(patch.object(module, "lazy_init", lambda *_, **__: None))
    stack.enter_context(patch.object(graph.GraphLowering, "compile_to_module", write))
    stack.enter_context(config.patch(SETTINGS))
    return stack


def moved(value):
    if not isinstance(value, torch.Tensor):
        return value
    with value.fake_mode:
        return torch.empty_strided(value.size(), value.stride(), dtype=value.dtype, device="cuda:0")


def lower(whole, inputs, backward=False):
    """A compiler of AOTAutograd's graphs: `sources` gets the code, and nothing can be run."""
    for module in filter(lambda m: isinstance(m, torch.fx.GraphModule), whole.modules()):
        for node in module.graph.nodes:
            node.meta["val"] = tree_map(moved, node.meta.get("val"))
            if "device" in node.kwargs:
                node.kwargs = {**node.kwargs, "device": torch.device("cuda", 0)}
            # On the CPU torch leaves the sums of rows out, which the backward pass needs.
            node.args = tuple({**a, "OUTPUT_LOGSUMEXP": True} if isinstance(a, dict) else a for a in node.args)
        module.recompile()
    with pretended():
        _triton.has_triton.cache_clear()
        compile_fx_inner(whole, [moved(each) for each in inputs], is_backward=backward)
    return nothing_runs


def report(kernel):
    """What ptxas says of a kernel: bytes of shared memory, registers, bytes of spills a thread, and wgmma."""
    with tempfile.NamedTemporaryFile("w", suffix=".ptx") as file:
        file.write(kernel.asm["ptx"])
        file.flush()
        tools = Path(triton.__file__).parent / "backends" / "nvidia" / "bin"
        command = [tools / "ptxas", "-v", "--gpu-name=sm_90a", file.name, "-o", os.devnull]
        log = subprocess.run(command, check=True, capture_output=True, text=True).stderr
    spills = re.search(r"(\d+) bytes spill stores", log)
    return {
        "shared": kernel.metadata.shared,
        "registers": int(re.search(r"Used (\d+) registers", log)[1]),
        "spills": int(spills[1]),
        "wgmma": kernel.asm["ptx"].count("wgmma.mma_async"),
    }


def compiled(source):
    """Name and compiled kernel of every Triton kernel in inductor's code."""
    for name, text in re.findall(
        r"(\w+) = async_compile\.triton\('\w+', '''(.*?)''', device_str='cuda'\)", source, re.S
    ):
        with pretended():
            tuner = getattr(PyCodeCache.load(text), name)
            yield name, tuner._precompile_config(tuner.configs[0]).kernel


def layer(heads, keys, width, dtype, tree):
    """Compile the first layer of a model of Qwen3, attention included."""
    from transformers import Qwen3Config, Qwen3ForCausalLM

    shape = Qwen3Config(
        vocab_size=64, hidden_size=1024, intermediate_size=3072, num_hidden_layers=2, num_attention_heads=heads,
        num_key_value_heads=keys, head_dim=width,
    )  # fmt: skip
    model = Qwen3ForCausalLM(shape).to(dtype)
    layers = CompiledLayers(model)
    layers.prepare(tree)
    ids = torch.zeros(1, 2048, dtype=torch.long)
    with tree_attention(model), layers.used():
        model(input_ids=ids, position_ids=tree.positions[None], use_cache=False, logits_to_keep=1, tree=tree)


def main():
    heads, keys, width, window = (int(sys.argv[n]) for n in (1, 2, 3, 5))
    target = SimpleNamespace(
        get_current_target=lambda: GPUTarget("cuda", 90, 32), get_current_device=lambda: 0, is_active=lambda: True,
        get_active_torch_device=lambda: torch.device("cuda:0"), get_device_interface=lambda: torch.cuda,
        get_current_stream=lambda *_: 0, utils=MagicMock(), launcher_cls=MagicMock(),
    )  # fmt: skip
    driver.set_active(target)
    triton_helpers.set_driver_to_gpu = lambda: None
    # The CPU build has no guard for devices of the kind CUDA (1); that of the CPU (0) does nothing.
    library = ctypes.CDLL(str(Path(torch.__file__).parent / "lib" / "libc10.so"))
    guards = (ctypes.c_void_p * 2).in_dll(library, "_ZN3c104impl26device_guard_impl_registryE")
    guards[1] = guards[1] or guards[0]
    backend = aot_autograd(
        fw_compiler=lower, bw_compiler=partial(lower, backward=True), decompositions=select_decomp_table()
    )
    torch.compile = partial(torch.compile, backend=backend)
    torch.nn.attention.flex_attention._validate_device = lambda *_: None
    flex_tree.compiles = lambda query: True
    flex_tree.ANY_SIZE = sys.argv[6:] != ["static"]  # static: for this number of tokens
    dtype, tree = getattr(torch, sys.argv[4]), FlexTree(torch.full((2048,), 2048), torch.arange(2048))
    states = [torch.zeros(1, n, 2048, width, dtype=dtype, requires_grad=True) for n in (heads, keys, keys)]
    with torch._functorch.config.patch(force_non_lazy_backward_lowering=True), suppress(NothingRunsError):
        if sys.argv[6:] == ["layer"]:
            layer(heads, keys, width, dtype, tree)
        else:
            attend(tree, *states, window, None)
    for source in sources:
        for name, kernel in compiled(source):
            sys.stdout.write(json.dumps({"kernel": name, **report(kernel)}) + "\n")


if __name__ == "__main__":
    main()
