"""The arguments and the environment of vLLM, including all differences between its CUDA and its CPU build."""

from __future__ import annotations

import json
import os
import tempfile
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from arena.inference.dtypes import DTYPES
from arena.inference.vllm import cpu, devices

TRANSFER = "arena-file"
"""the arena's transport for vLLM's weight-transfer interface, registered in the worker"""
OWNER = "ARENA_VLLM_OWNER"
"""environment variable with the id of the process that a worker serves"""
NUCLEUS = 256
"""with top_p < 1, the maximum number of tokens to sample from, so that all of them can be recorded"""
RANKS = (1, 8, 16, 32, 64, 128, 256, 320, 512)
"""the maximum adapter ranks that vLLM accepts"""
_CPU_CONTEXT = 8192
_GPU_CONTEXT = 32768


@dataclass(frozen=True, slots=True)
class VLLMSettings:
    """The settings of an engine. `rank`: the largest rank of adapters, 0 for none; `adapters`: maximum in a batch."""

    folder: Path
    dtype: str
    cuda: bool
    context: int
    rank: int = 0
    adapters: int = 16
    rows: int = 64
    share: float = 0.0
    """fraction of the GPU's memory; 0: the free memory"""
    gpus: tuple[int, ...] = ()
    """the only GPUs that its processes see; none: all"""
    parallel: int = 1
    """GPUs that share the model"""
    sleeps: bool = False
    """whether it can give its memory on the GPU back"""
    transfer: str = "file"
    """how new weights arrive: file, or vLLM's backend nccl or ipc"""

    @property
    def length(self) -> int:
        """Maximum tokens of prompt and answer together."""
        return min(self.context, _GPU_CONTEXT if self.cuda else _CPU_CONTEXT)


def arguments(settings: VLLMSettings) -> dict[str, Any]:
    """Keywords for vLLM's AsyncEngineArgs."""
    out: dict[str, Any] = {
        "model": str(settings.folder),
        "trust_remote_code": False,
        "load_format": "safetensors",  # never a pickle
        "dtype": DTYPES[settings.dtype],
        "max_model_len": settings.length,
        "max_num_seqs": settings.rows,
        "enable_prefix_caching": True,
        "logprobs_mode": "processed_logprobs",  # of the distribution that was sampled from
        "max_logprobs": NUCLEUS,
        "disable_log_stats": True,
        "use_tqdm_on_load": False,
        "generation_config": "vllm",  # ignore the model's own sampling defaults
        "worker_extension_cls": "arena.inference.vllm.worker.ArenaWorker",
        "weight_transfer_config": {"backend": TRANSFER if settings.transfer == "file" else settings.transfer},
    }
    if settings.rank:
        out |= {
            "enable_lora": True,
            "max_loras": settings.adapters,
            "max_cpu_loras": 4 * settings.adapters,
            "max_lora_rank": min(r for r in RANKS if r >= settings.rank),
        }
    return out | (_cuda(settings) if settings.cuda else _cpu(settings))


def process_environment(settings: VLLMSettings) -> AbstractContextManager[None]:
    """Returns the environment in which to start the engine's process."""
    return devices.only(settings.gpus) if settings.cuda else cpu.process_environment()


def _cuda(settings: VLLMSettings) -> dict[str, Any]:
    share = settings.share
    if not share:
        import torch

        free, total = torch.cuda.mem_get_info()
        share = max(0.1, round(0.9 * free / total, 3))
    return {
        "gpu_memory_utilization": share,
        "tensor_parallel_size": settings.parallel,
        "enable_sleep_mode": settings.sleeps,
    }


def _cpu(settings: VLLMSettings) -> dict[str, Any]:
    out: dict[str, Any] = {
        "enforce_eager": True,
        # The default of 128 excludes most of a short prompt from the prefix cache.
        "block_size": 32,
        # A request with a seed crashes the engine if its prompt is read in two parts (0.32: "CPU Generator does not
        # use offset").
        "enable_chunked_prefill": False,
        "max_num_batched_tokens": max(settings.length, 4096),
    }
    out |= cpu.engine_arguments()
    if not os.environ.get("VLLM_CPU_KVCACHE_SPACE"):
        out["kv_cache_memory_bytes"] = int(_eighth() * (1 << 30))
    return out


def _eighth() -> float:
    """Returns an eighth of the machine's memory, in GiB, from 1 to 16."""
    return min(16.0, max(1.0, os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 8 / (1 << 30)))


def environment(settings: VLLMSettings) -> Path:
    """Set environment variables of vLLM that the user has not set. Returns the path of its log file.

    Without a log file its processes would write over the terminal's board.
    """
    log = Path(tempfile.gettempdir()) / f"arena-vllm-{os.getuid()}-{os.getpid()}.log"
    defaults = {
        "VLLM_WORKER_MULTIPROC_METHOD": "spawn",  # a fork of a process that has used OpenMP hangs
        "VLLM_NO_USAGE_STATS": "1",
        "VLLM_LOGGING_COLOR": "0",
        "VLLM_LOGGING_CONFIG_PATH": str(_logging(log)),
        "TOKENIZERS_PARALLELISM": "false",
        "PYTHONWARNINGS": "ignore",
        "TORCH_CPP_LOG_LEVEL": "ERROR",
        # The defaults of ten and five minutes are too short on a busy machine.
        "VLLM_ENGINE_READY_TIMEOUT_S": "3600",
        "VLLM_EXECUTE_MODEL_TIMEOUT_SECONDS": "1800",
    }
    if settings.transfer == "ipc":  # the handles of memory on the GPU travel to its process as a pickle
        defaults["VLLM_ALLOW_INSECURE_SERIALIZATION"] = "1"
    for name, value in defaults.items():
        os.environ.setdefault(name, value)
    os.environ[OWNER] = str(os.getpid())
    return log


def _logging(log: Path) -> Path:
    """Write a `logging` configuration that sends vLLM's messages to `log`; all its processes read it."""
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
