"""What vLLM is started with. Everything that differs between its CUDA and its CPU build is here."""

from __future__ import annotations

import json
import os
import tempfile
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from arena.inference.models import DTYPES
from arena.inference.vllm.cores import all_cores, in_one_process

TRANSFER = "arena-file"
"""our transport for vLLM's weight-transfer interface, registered in the worker"""
OWNER = "ARENA_VLLM_OWNER"
"""environment variable that tells a worker for whom it works"""
NUCLEUS = 256
"""with top_p < 1 at most so many tokens are sampled from, so that all of them can be recorded"""
RANKS = (1, 8, 16, 32, 64, 128, 256, 320, 512)
"""largest ranks of adapters that vLLM can be started for"""
_CPU_CONTEXT = 8192
_GPU_CONTEXT = 32768


@dataclass(frozen=True, slots=True)
class Start:
    """One engine to start. `rank`: the largest rank of adapters, 0 for none; `adapters`: how many in one batch."""

    folder: Path
    dtype: str
    cuda: bool
    context: int
    rank: int = 0
    adapters: int = 16
    rows: int = 64
    share: float = 0.0
    """of a GPU's memory; 0: what is free now"""

    @property
    def length(self) -> int:
        """Tokens of prompt and answer together."""
        return min(self.context, _GPU_CONTEXT if self.cuda else _CPU_CONTEXT)


def arguments(start: Start) -> dict[str, Any]:
    """Keywords for vLLM's AsyncEngineArgs."""
    out: dict[str, Any] = {
        "model": str(start.folder),
        "trust_remote_code": False,
        "load_format": "safetensors",  # never a pickle
        "dtype": DTYPES[start.dtype],
        "max_model_len": start.length,
        "max_num_seqs": start.rows,
        "enable_prefix_caching": True,
        "logprobs_mode": "processed_logprobs",  # of the distribution that is sampled from
        "max_logprobs": NUCLEUS,
        "disable_log_stats": True,
        "use_tqdm_on_load": False,
        "generation_config": "vllm",  # not the model's own sampling defaults: ours
        "worker_extension_cls": "arena.inference.vllm.worker.ArenaWorker",
        "weight_transfer_config": {"backend": TRANSFER},
    }
    if start.rank:
        out |= {
            "enable_lora": True,
            "max_loras": start.adapters,
            "max_cpu_loras": 4 * start.adapters,
            "max_lora_rank": min(r for r in RANKS if r >= start.rank),
        }
    return out | (_cuda(start) if start.cuda else _cpu(start))


def surroundings(start: Start) -> AbstractContextManager[None]:
    """In which the engine's process is started."""
    return nullcontext() if start.cuda else all_cores()


def _cuda(start: Start) -> dict[str, Any]:
    import torch

    free, total = torch.cuda.mem_get_info()
    return {
        "gpu_memory_utilization": start.share or max(0.1, round(0.9 * free / total, 3)),
        "enable_sleep_mode": True,
    }


def _cpu(start: Start) -> dict[str, Any]:
    out: dict[str, Any] = {
        "enforce_eager": True,
        # vLLM's own 128 leaves most of a short prompt out of the prefix cache.
        "block_size": 32,
        # A prompt that is read in two parts crashes the engine where its request has a seed (0.32: "CPU Generator
        # does not use offset").
        "enable_chunked_prefill": False,
        "max_num_batched_tokens": max(start.length, 4096),
    }
    out |= in_one_process()
    if not os.environ.get("VLLM_CPU_KVCACHE_SPACE"):
        out["kv_cache_memory_bytes"] = int(_eighth() * (1 << 30))
    return out


def _eighth() -> float:
    """GiB: an eighth of the machine's memory, between 1 and 16."""
    return min(16.0, max(1.0, os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 8 / (1 << 30)))


def environment() -> Path:
    """Set what vLLM reads from the environment, where the user has not; the file that its log goes to.

    Its processes would otherwise write all over the board.
    """
    log = Path(tempfile.gettempdir()) / f"arena-vllm-{os.getuid()}-{os.getpid()}.log"
    defaults = {
        "VLLM_WORKER_MULTIPROC_METHOD": "spawn",  # a fork of a process that has run OpenMP hangs
        "VLLM_NO_USAGE_STATS": "1",
        "VLLM_LOGGING_COLOR": "0",
        "VLLM_LOGGING_CONFIG_PATH": str(_logging(log)),
        "TOKENIZERS_PARALLELISM": "false",
        "PYTHONWARNINGS": "ignore",
        "TORCH_CPP_LOG_LEVEL": "ERROR",
        # On a busy machine vLLM's own ten and five minutes end engines that only need longer.
        "VLLM_ENGINE_READY_TIMEOUT_S": "3600",
        "VLLM_EXECUTE_MODEL_TIMEOUT_SECONDS": "1800",
    }
    for name, value in defaults.items():
        os.environ.setdefault(name, value)
    os.environ[OWNER] = str(os.getpid())
    return log


def _logging(log: Path) -> Path:
    """A configuration of `logging` that writes to a file; vLLM's processes all read it."""
    config = {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"line": {"format": "%(asctime)s %(process)d %(levelname)s %(message)s"}},
        "handlers": {"file": {"class": "logging.FileHandler", "formatter": "line", "filename": str(log)}},
        "loggers": {"vllm": {"handlers": ["file"], "level": "INFO", "propagate": False}},
    }
    path = log.with_suffix(".json")
    path.write_text(json.dumps(config), encoding="utf-8")
    return path
