"""Inference by transformers, CPU and CUDA by the same code.

Same seed, same tokens: every row draws its own random numbers. With one row in a pass (`max_batch=1`) nothing else
matters, to the last bit. With more, the order of additions inside a matrix product depends on the batch's shape: in
float32 the last digit of a log probability, in bfloat16 the third, so where two tokens are as likely as each other to
that digit, the draw can fall on the other one. Stored log probabilities are those of the distribution that was really
sampled from, in either case.
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

from arena.inference.batcher import Answer, Batcher, Job
from arena.inference.chat import ChatCodec
from arena.inference.choice import ChoiceRunner, Picked
from arena.inference.engine import Completion, EngineStats, Request
from arena.inference.forward import Forward, out_of_memory
from arena.inference.free import FreeRunner, Written
from arena.inference.limits import context_of, problem_with
from arena.inference.models import Loaded, one_line
from arena.inference.prefix import PrefixCache
from games.errors import InfrastructureError
from roles import ChatMessage

log = logging.getLogger(__name__)

_CPU = threading.Lock()  # one pass at a time on the CPU: each already uses every core


class PolicyRequest(Request, frozen=True, gc=False):
    """Asks for the probability of each choice instead of a sample."""


class TransformersEngine:
    """A model in this process. Every request is answered in the batch that the model is free for next.

    max_batch: rows of one pass; 1 makes every answer independent of the others to the last bit. kv_bytes: memory for
    keys and values of running rows; prefix_bytes: for shared prefixes. memo_size: choice distributions remembered, so
    that a prompt that comes again costs nothing; 0: none.
    """

    def __init__(
        self,
        loaded: Loaded,
        *,
        max_batch: int = 64,
        kv_bytes: int | None = None,
        prefix_bytes: int | None = None,
        memo_size: int = 8192,
    ) -> None:
        self.name, self.version = loaded.name, 0
        self.codec = ChatCodec(loaded.tokenizer, loaded.eos_ids)
        self.context = context_of(loaded.model.config)
        self.about = f"transformers on {loaded.device.type}, {str(loaded.model.dtype).removeprefix('torch.')}"
        self._vocabulary = int(loaded.model.get_input_embeddings().weight.shape[0])
        self._stats = EngineStats()
        self._alone = max_batch == 1
        spare = _spare_bytes(loaded.device)
        forward = Forward(loaded.model, loaded.device, self._stats)
        self._prefixes = prefixes = PrefixCache(forward, prefix_bytes or spare // 8, min(32, max_batch))
        self._choice = ChoiceRunner(forward, prefixes, max_batch, memo_size)
        self._free: FreeRunner[Job] = FreeRunner(forward, prefixes, max_batch, kv_bytes or spare // 2)
        self._gate: Any = _CPU if loaded.device.type == "cpu" else contextlib.nullcontext()
        self._batcher = Batcher(self, loaded.name)

    @property
    def tokenizer(self) -> Any:
        """The model's tokenizer."""
        return self.codec.tokenizer

    @property
    def stats(self) -> EngineStats:
        """A copy of the counters."""
        return copy.copy(self._stats)

    def encode_chat(self, messages: Sequence[ChatMessage], *, think: bool | None = None) -> tuple[int, ...]:
        """A chat as token ids, up to where the model's answer begins."""
        return self.codec.encode_chat(messages, think=think)

    def encode_choices(self, texts: Sequence[str]) -> tuple[tuple[int, ...], ...]:
        """Answers as token sequences, each with the end-of-turn token."""
        return self.codec.encode_choices(texts)

    def prefix_len(self, messages: Sequence[ChatMessage], prompt_ids: tuple[int, ...], steady: int = 1) -> int:
        """How many tokens of the prompt come from its first messages, which are the same in many requests.

        With one row in a pass it depends on nothing that was asked before.
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
        """The exact probability of each choice after the prompt. Raises InfrastructureError."""
        request = PolicyRequest(prompt_ids, 0, temperature=temperature, choices=choices)
        self._check(request)
        probabilities: list[float] = await self._batcher.submit(request)
        return probabilities

    def close(self) -> None:
        """Stop; what is still waiting fails with InfrastructureError."""
        self._batcher.close()

    @property
    def busy(self) -> bool:
        """For the batcher: rows are being written."""
        return self._free.busy

    def turn(self, arrived: Sequence[Job]) -> list[Answer]:
        """For the batcher, in its thread: all choices that arrived, then one token of everything that is written."""
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
                out += [(w.key, self._written(w)) for w in self._free.turn()]
            self._stats.requests += len(arrived)
            self._stats.tokens_in += sum(len(job.request.prompt_ids) for job in arrived)
            self._stats.busy_seconds += time.perf_counter() - start
        return out

    def _choose(self, jobs: list[Job]) -> list[Answer]:
        """Decide; after an error in halves, so that only a request that cannot be answered fails."""
        if not jobs:
            return []
        requests = [job.request for job in jobs]
        try:
            if isinstance(requests[0], PolicyRequest):
                return list(zip(jobs, self._choice.policy(requests), strict=True))
            picked = self._choice.sample(requests)
            return [(job, self._completed(p)) for job, p in zip(jobs, picked, strict=True)]
        except Exception as error:
            log.warning("%d choices failed: %s", len(jobs), error, exc_info=True)
            if out_of_memory(error):
                self._choice.max_rows = max(1, min(self._choice.max_rows, len(jobs)) // 2)
            if len(jobs) == 1:
                return [(jobs[0], _failure(error))]
            half = len(jobs) // 2
            return [*self._choose(jobs[:half]), *self._choose(jobs[half:])]

    def _completed(self, picked: Picked) -> Completion:
        self._stats.tokens_out += len(picked.ids)
        return Completion(
            ids=tuple(picked.ids),
            logprobs=tuple(picked.logprobs),
            allowed=tuple(picked.allowed),
            finish="stop",
            text=self.codec.decode(picked.ids),
            version=self.version,
            choice=picked.choice,
        )

    def _written(self, row: Written[Job]) -> Completion | InfrastructureError:
        if row.error is not None:
            return _failure(row.error)
        self._stats.tokens_out += len(row.ids)
        return Completion(
            ids=tuple(row.ids),
            logprobs=tuple(row.logprobs),
            allowed=tuple(row.allowed) if any(a is not None for a in row.allowed) else None,
            finish="stop" if row.stopped else "length",
            text=self.codec.decode(row.ids[:-1] if row.stopped else row.ids),
            version=self.version,
        )

    def _check(self, request: Request) -> None:
        """Refuse a request that cannot be answered before it shares a batch with others."""
        problem = problem_with(request, self.name, self.context, self._vocabulary)
        if problem:
            raise InfrastructureError(f"{self.name} cannot answer: {problem}")


def _failure(error: Exception) -> InfrastructureError:
    failure = InfrastructureError(f"inference failed: {one_line(error)}")
    failure.__cause__ = error
    return failure


def _spare_bytes(device: torch.device) -> int:
    """Memory that keys and values may take: a quarter of the machine's, or what the GPU has free."""
    if device.type == "cuda":
        return int(torch.cuda.mem_get_info(device)[0] * 0.8)
    if not hasattr(os, "sysconf"):
        return 2 << 30
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 4
