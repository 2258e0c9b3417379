"""Inference with transformers, with the same code on CPU and CUDA.

The same seed gives the same tokens: every row draws its own random numbers. With one row per pass (`max_batch=1`) the
results are bit-identical. With more, the order of additions inside a matrix product depends on the batch's shape, which
changes the last digit of a log probability in float32 and the third in bfloat16. If two tokens are equally probable up
to that digit, the draw can select the other one. Stored log probabilities are always those of the distribution that was
sampled from.
"""

from __future__ import annotations

import contextlib
import copy
import logging
import os
import threading
import time
from collections.abc import Sequence
from typing import Any

import torch

from arena.inference.chat import ChatCodec, CodecEngine
from arena.inference.engine import Completion, EngineStats, Request, several
from arena.inference.errors import inference_failed
from arena.inference.limits import check_request, context_length
from arena.inference.models import LoadedModel
from arena.inference.transformers.batcher import Answer, Batcher, Job
from arena.inference.transformers.choice import ChoiceSampler
from arena.inference.transformers.forward import Forward, out_of_memory
from arena.inference.transformers.free_text import FreeTextSampler, TextRow
from arena.inference.transformers.prefix import PrefixCache
from games.errors import InfrastructureError
from roles import ChatMessage

log = logging.getLogger(__name__)

_CPU = threading.Lock()  # one pass at a time on the CPU, because each uses all cores


class PolicyRequest(Request, frozen=True, gc=False):
    """A request for the probability of each choice instead of a sample."""


class TransformersEngine(CodecEngine):
    """A model in this process. Each request joins the next batch.

    max_batch: rows per pass; with 1 every answer is bit-identical whatever else is requested. kv_bytes: memory for the
    keys and values of running rows; prefix_bytes: for those of shared prefixes. memo_size: number of choice
    distributions in memory, which make a repeated prompt free; 0: none.
    """

    def __init__(
        self,
        loaded: LoadedModel,
        *,
        max_batch: int = 64,
        kv_bytes: int | None = None,
        prefix_bytes: int | None = None,
        memo_size: int = 8192,
    ) -> None:
        self.name, self.version = loaded.name, 0
        self.codec = ChatCodec(loaded.tokenizer, loaded.eos_ids)
        self.context = context_length(loaded.model.config)
        self.about = f"transformers on {loaded.device.type}, {str(loaded.model.dtype).removeprefix('torch.')}"
        self._vocabulary = int(loaded.model.get_input_embeddings().weight.shape[0])
        self._stats = EngineStats()
        self._alone = max_batch == 1
        spare = _spare_bytes(loaded.device)
        forward = Forward(loaded.model, loaded.device, self._stats)
        self.codec.check_vocabulary(self._vocabulary)
        self._prefixes = prefixes = PrefixCache(forward, prefix_bytes or spare // 8, min(32, max_batch))
        self._choice = ChoiceSampler(forward, prefixes, max_batch, memo_size)
        self._free: FreeTextSampler[Job] = FreeTextSampler(forward, prefixes, max_batch, kv_bytes or spare // 2)
        self._gate: Any = _CPU if loaded.device.type == "cpu" else contextlib.nullcontext()
        self._batcher = Batcher(self, loaded.name)

    @property
    def stats(self) -> EngineStats:
        """A copy of the counters."""
        return copy.copy(self._stats)

    def prefix_len(self, messages: Sequence[ChatMessage], prompt_ids: tuple[int, ...], steady: int = 1) -> int:
        """Returns the number of prompt tokens that the first `steady` messages produce; many requests share them.

        With one row per pass it does not depend on earlier requests.
        """
        return self.codec.prefix_len(messages, prompt_ids, steady, at_once=self._alone)

    async def complete(self, request: Request) -> Completion:
        """Answer one request. Raises InfrastructureError."""
        self._check(request)
        completion: Completion = await self._batcher.submit(request)
        return completion

    async def policy(
        self, prompt_ids: tuple[int, ...], choices: tuple[tuple[int, ...], ...], *, temperature: float = 1.0
    ) -> list[float]:
        """Returns the exact probability of each choice after the prompt. Raises InfrastructureError."""
        request = PolicyRequest(prompt_ids, 0, temperature=temperature, choices=choices)
        self._check(request)
        probabilities: list[float] = await self._batcher.submit(request)
        return probabilities

    def close(self) -> None:
        """Stop; pending requests raise InfrastructureError."""
        self._batcher.close()

    @property
    def busy(self) -> bool:
        """For the batcher: whether rows are being sampled."""
        return self._free.busy

    def turn(self, arrived: Sequence[Job]) -> list[Answer]:
        """For the batcher, in its thread: answer all new choices, then sample one token of each text."""
        with self._gate, torch.inference_mode():
            start = time.perf_counter()
            out: list[Answer] = []
            for kind in (Request, PolicyRequest):
                jobs = [j for j in arrived if type(j.request) is kind and j.request.choices is not None]
                out += self._choose(jobs)
            for job in arrived:
                if job.request.choices is None:
                    self._free.submit(job, job.request, job.request.stop_ids or self.codec.stop_ids)
            self._free.drop({job for job in self._free.unanswered() if job.future.cancelled()})
            if self._free.busy:
                out += [(row.key, self._text(row)) for row in self._free.turn()]
            self._stats.requests += len(arrived)
            self._stats.tokens_in += sum(len(job.request.prompt_ids) for job in arrived)
            self._stats.busy_seconds += time.perf_counter() - start
        return out

    def _choose(self, jobs: list[Job]) -> list[Answer]:
        """Decide all jobs; after an error, retry in halves, so that only the request that causes it fails."""
        if not jobs:
            return []
        requests = [job.request for job in jobs]
        try:
            if isinstance(requests[0], PolicyRequest):
                return list(zip(jobs, self._choice.policy(requests), strict=True))
            choices = self._choice.sample(requests)
            self._stats.tokens_out += sum(len(choice.ids) for choice in choices)
            return [(job, c.completion(self.codec, self.version)) for job, c in zip(jobs, choices, strict=True)]
        except Exception as error:
            log.warning("%d choices failed: %s", len(jobs), error, exc_info=True)
            if out_of_memory(error):
                self._choice.max_rows = max(1, min(self._choice.max_rows, len(jobs)) // 2)
            if len(jobs) == 1:
                return [(jobs[0], inference_failed(error))]
            half = len(jobs) // 2
            return [*self._choose(jobs[:half]), *self._choose(jobs[half:])]

    def _text(self, row: TextRow[Job]) -> Completion | InfrastructureError:
        if row.error is not None:
            return inference_failed(row.error)
        self._stats.tokens_out += len(row.ids)
        versions = row.versions(self.version)
        return Completion(
            ids=tuple(row.ids),
            logprobs=tuple(row.logprobs),
            allowed=tuple(row.allowed) if any(a is not None for a in row.allowed) else None,
            finish="stop" if row.stopped else "length",
            text=self.codec.decode(row.ids[:-1] if row.stopped else row.ids),
            version=versions[-1] if versions else self.version,
            versions=several(versions),
        )

    def _check(self, request: Request) -> None:
        """Raises InfrastructureError for a request that cannot be answered, before it joins a batch."""
        check_request(request, self.name, self.context, self._vocabulary)


def _spare_bytes(device: torch.device) -> int:
    """Returns memory for keys and values: a quarter of the machine's memory, or 80% of the GPU's free memory."""
    if device.type == "cuda":
        return int(torch.cuda.mem_get_info(device)[0] * 0.8)
    if not hasattr(os, "sysconf"):
        return 2 << 30
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 4
