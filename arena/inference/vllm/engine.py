"""A model served by vLLM: continuous batching, prefix caching, adapters side by side, new weights while it runs.

Same seed, same tokens: every request has a random generator of its own. As with transformers, in bfloat16 what else
is in the batch can tip a draw between two tokens that are nearly as likely; stored log probabilities are always
those of the distribution that was sampled from.
"""

from __future__ import annotations

import copy
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from arena.inference import models, weights
from arena.inference.adapters import WEIGHTS
from arena.inference.chat import ChatCodec
from arena.inference.engine import Completion, EngineStats, Request
from arena.inference.limits import context_of, problem_with
from arena.inference.vllm.available import build
from arena.inference.vllm.choosing import Chooser, Scores
from arena.inference.vllm.host import Host
from arena.inference.vllm.settings import NUCLEUS, Start
from games.errors import InfrastructureError
from roles import ChatMessage

_SCORED = 128
"""alternatives that vLLM scores in one request"""
_SEEDS = (1 << 63) - 1


class VLLMEngine:
    """A model, or a model with one adapter of several. Raises InputError where vLLM does not start.

    `sharing`: another engine whose vLLM serves this one too, with the adapter of `adapter`; `close` is called where
    this one is closed. `rank`: largest rank of adapters that will share it, 0 for none. `share`: of a GPU's memory,
    0: what is free.
    """

    folder: Path
    context: int
    about: str
    _host: Host
    _vocabulary: int

    def __init__(
        self,
        name: str,
        dtype: str = "bf16",
        device: str = "auto",
        *,
        adapter: Path | None = None,
        sharing: VLLMEngine | None = None,
        close: Callable[[], None] = lambda: None,
        rank: int = 0,
        rows: int = 64,
        share: float = 0.0,
    ) -> None:
        folder = sharing.folder if sharing else models.folder(name)
        self.name, self.folder = name, folder
        self.lora = _lora_request(adapter) if adapter else None
        tokenizer, eos_ids = models.tokenizer_of(folder)
        self.codec = ChatCodec(tokenizer, eos_ids)
        self._stats = EngineStats()
        self._chooser = Chooser(self._score)
        if sharing:
            self._host, self.context, self.about = sharing._host, sharing.context, sharing.about
            self._vocabulary, self._close = sharing._vocabulary, close
            return
        import torch

        cuda = torch.cuda.is_available() and not device.startswith("cpu")
        config = models.config_of(folder)
        self._vocabulary = int(config.vocab_size)
        weights.check(folder)
        start = Start(folder, dtype, cuda, context_of(config), rank, rows=rows, share=share)
        self._host = Host(start, name)
        self._close = self._host.close
        self.context = start.length
        self.about = f"vLLM {(build() or ('?',))[0]} on {'cuda' if cuda else 'cpu'}, {dtype}"

    @property
    def version(self) -> int:
        """Version of the weights; an adapter's never change."""
        return 0 if self.lora else self._host.version

    @property
    def tokenizer(self) -> Any:
        """The model's tokenizer."""
        return self.codec.tokenizer

    @property
    def stats(self) -> EngineStats:
        """A copy of the counters. Forward passes are vLLM's own business and not counted."""
        stats = copy.copy(self._stats)
        stats.busy_seconds, stats.repeated = self._host.busy_seconds, self._chooser.repeated
        return stats

    def encode_chat(self, messages: Sequence[ChatMessage], *, think: bool | None = None) -> tuple[int, ...]:
        """A chat as token ids, up to where the model's answer begins."""
        return self.codec.encode_chat(messages, think=think)

    def encode_choices(self, texts: Sequence[str]) -> tuple[tuple[int, ...], ...]:
        """Answers as token sequences, each with the end-of-turn token."""
        return self.codec.encode_choices(texts)

    def prefix_len(self, messages: Sequence[ChatMessage], prompt_ids: tuple[int, ...], steady: int = 1) -> int:
        """0: vLLM finds shared prefixes by itself."""
        return 0

    async def complete(self, request: Request) -> Completion:
        """Answer one request. Raises InfrastructureError."""
        self._check(request)
        self._stats.requests += 1
        self._stats.tokens_in += len(request.prompt_ids)
        if request.choices is None:
            return await self._write(request)
        picked = await self._chooser.sample(request)
        self._stats.tokens_out += len(picked.ids)
        return Completion(
            ids=picked.ids,
            logprobs=picked.logprobs,
            allowed=picked.allowed,
            finish="stop",
            text=self.codec.decode(picked.ids),
            version=self.version if picked.version is None else picked.version,
            choice=picked.choice,
        )

    async def policy(
        self, prompt_ids: tuple[int, ...], choices: tuple[tuple[int, ...], ...], *, temperature: float = 1.0
    ) -> list[float]:
        """The exact probability of each choice after the prompt. Raises InfrastructureError."""
        request = Request(prompt_ids, 0, temperature=temperature, choices=choices)
        self._check(request)
        self._stats.requests += 1
        self._stats.tokens_in += len(prompt_ids)
        return await self._chooser.policy(request)

    def publish(self, tensors: Mapping[str, Any], version: int | None = None) -> None:
        """Play with other weights from now on: a whole model's, under the names of its checkpoint.

        By vLLM's weight-transfer interface, through a file in memory. Requests in flight are answered with the old
        weights first, later ones wait; the version is that of the weights that answered. Blocks: call it from a
        thread of its own. Raises InfrastructureError.
        """
        from safetensors.torch import save_file

        number = self.version + 1 if version is None else version
        memory = Path("/dev/shm")
        with tempfile.TemporaryDirectory(prefix="arena-", dir=memory if memory.is_dir() else None) as place:
            path = Path(place) / "weights.safetensors"
            save_file(_apart(tensors), path)
            self._host.alone(lambda llm: self._take(llm, path, number))

    def sleep(self) -> None:
        """Let go of the GPU's memory until `wake`, for a learner on the same GPU. Nothing on the CPU."""
        self._host.alone(lambda llm: llm.sleep(level=1))

    def wake(self) -> None:
        """Come back from `sleep`."""
        self._host.alone(lambda llm: llm.wake_up())

    def close(self) -> None:
        """Stop; what is still waiting fails with InfrastructureError. Engines that share its vLLM end with it."""
        self._close()

    async def _take(self, llm: Any, path: Path, version: int) -> None:
        from vllm.distributed.weight_transfer.base import WeightTransferUpdateRequest

        await llm.start_weight_update()
        await llm.update_weights(WeightTransferUpdateRequest(update_info={"path": str(path)}))
        await llm.finish_weight_update(weight_version=str(version))
        await llm.reset_prefix_cache()
        self._chooser.clear()
        self._host.version = version

    async def _write(self, request: Request) -> Completion:
        """Free text."""
        output, version = await self._host.ask(request.prompt_ids, self._parameters(request), self.lora)
        self._count(output)
        made = output.outputs[0]
        ids = tuple(made.token_ids)
        self._stats.tokens_out += len(ids)
        logprobs, allowed = _read(made.logprobs, ids, request)
        stopped = made.finish_reason == "stop"
        return Completion(
            ids=ids,
            logprobs=logprobs,
            allowed=allowed,
            finish="stop" if stopped else "length",
            text=self.codec.decode(ids[:-1] if stopped else ids),
            version=0 if self.lora else version,
        )

    def _parameters(self, request: Request) -> Any:
        from vllm import SamplingParams
        from vllm.sampling_params import RequestOutputKind

        nucleus = request.top_p < 1.0 and request.temperature > 0.0
        return SamplingParams(
            temperature=request.temperature,
            top_p=request.top_p,
            top_k=NUCLEUS if nucleus else 0,
            seed=request.seed & _SEEDS,
            max_tokens=request.max_tokens,
            stop_token_ids=list(request.stop_ids or self.codec.stop_ids),
            ignore_eos=True,  # the tokens above are all that end an answer
            logprobs=NUCLEUS if nucleus else 0,
            flat_logprobs=True,
            detokenize=False,
            output_kind=RequestOutputKind.FINAL_ONLY,
        )

    async def _score(self, read: tuple[int, ...], tokens: tuple[int, ...]) -> Scores:
        """For the chooser: one token, of which only the log probabilities of the alternatives are of interest."""
        from vllm import SamplingParams
        from vllm.sampling_params import RequestOutputKind

        out: list[float] = []
        version = 0
        for first in range(0, len(tokens), _SCORED):
            part = list(tokens[first : first + _SCORED])
            params = SamplingParams(
                temperature=0.0,
                max_tokens=1,
                ignore_eos=True,
                logprob_token_ids=part,
                detokenize=False,
                output_kind=RequestOutputKind.FINAL_ONLY,
            )
            output, version = await self._host.ask(read, params, self.lora)
            self._count(output)
            found = output.outputs[0].logprobs[0]
            out += [float(found[token].logprob) for token in part]
        return Scores(out, 0 if self.lora else version)

    def _count(self, output: Any) -> None:
        cached = output.num_cached_tokens or 0
        self._stats.prefix_tokens += cached
        self._stats.prefix_hits += cached > 0

    def _check(self, request: Request) -> None:
        """Refuse a request that cannot be answered."""
        problem = problem_with(request, self.name, self.context, self._vocabulary)
        if problem:
            raise InfrastructureError(f"{self.name} cannot answer: {problem}")


def _read(
    found: Any, ids: tuple[int, ...], request: Request
) -> tuple[tuple[float, ...], tuple[tuple[int, ...] | None, ...] | None]:
    """Log probabilities (T,) and, with a nucleus, the tokens of it at each position (T,), from vLLM's flat form."""
    if request.temperature == 0.0:
        return (0.0,) * len(ids), None
    logprobs, allowed = [], []
    for position, token in enumerate(ids):
        span = slice(found.start_indices[position], found.end_indices[position])
        known = dict(zip(found.token_ids[span], found.logprobs[span], strict=True))
        logprobs.append(float(known[token]))
        if request.top_p < 1.0:
            allowed.append(tuple(sorted(t for t, logp in known.items() if logp > float("-inf"))))
    return tuple(logprobs), tuple(allowed) if request.top_p < 1.0 else None


def _apart(tensors: Mapping[str, Any]) -> dict[str, Any]:
    """On the CPU, the first of those that share memory: a model ties them again by itself."""
    out: dict[str, Any] = {}
    seen = set()
    for name, tensor in tensors.items():
        if tensor.data_ptr() not in seen:
            seen.add(tensor.data_ptr())
            out[name] = tensor.detach().cpu().contiguous()
    return out


_numbers: dict[Path, int] = {}


def _lora_request(adapter: Path) -> Any:
    """vLLM knows an adapter by a number and its folder."""
    from vllm.lora.request import LoRARequest

    place = adapter.resolve()
    weights.check(place, WEIGHTS)
    return LoRARequest(str(place), _numbers.setdefault(place, len(_numbers) + 1), str(place))
