"""A model served by vLLM, with continuous batching, prefix caching, several adapters and weight updates while it runs.

The same seed gives the same tokens: every request has its own random generator. As with transformers, in bfloat16 the
other requests of a batch can change a draw between two nearly equally probable tokens. Stored log probabilities are
always those of the distribution that was sampled from.
"""

from __future__ import annotations

import copy
import tempfile
from collections.abc import Callable, Coroutine, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from arena.inference import fidelity, models, weights
from arena.inference.adapters import WEIGHTS
from arena.inference.chat import ChatCodec, CodecEngine
from arena.inference.engine import Completion, EngineStats, Request, several
from arena.inference.limits import check_request, context_length
from arena.inference.vllm.available import build
from arena.inference.vllm.choice import Scores, VLLMChoiceSampler
from arena.inference.vllm.llm_thread import LLMThread
from arena.inference.vllm.settings import NUCLEUS, VLLMSettings
from arena.inference.vllm.shared_memory import folder_for
from roles import ChatMessage

if TYPE_CHECKING:
    from arena.inference.vllm.transfer import NativeTransfer

_SCORED = 128
"""maximum alternatives that vLLM scores in one request"""
_SEEDS = (1 << 63) - 1


class VLLMEngine(CodecEngine):
    """A model, or one adapter of a shared model. Raises InputError if vLLM does not start.

    `sharing`: an engine whose vLLM also serves this one, with the LoRA adapter in the folder `adapter`; closing this
    engine then calls `close` only. `rank`: largest rank of the adapters that will share this engine, 0 for none.
    `share`: fraction of the GPU's memory, 0: the free memory. `gpus`: the only GPUs that it sees, none: all; `parallel`
    of them share the model. `sleeps`: whether `sleep` gives memory on the GPU back. `transfer`: what `publish` sends
    weights with, beside other engines; None: a file.
    """

    folder: Path
    context: int
    about: str
    _llm: LLMThread
    _vocabulary: int
    _transfer: NativeTransfer | None = None

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
        gpus: tuple[int, ...] = (),
        parallel: int = 1,
        sleeps: bool = False,
        transfer: NativeTransfer | None = None,
    ) -> None:
        folder = sharing.folder if sharing else models.folder(name)
        self.name, self.folder = name, folder
        self.lora = _lora_request(adapter) if adapter else None
        tokenizer, eos_ids = models.tokenizer_of(adapter or folder)
        self.codec = ChatCodec(tokenizer, eos_ids)
        self._stats = EngineStats()
        self._choice = VLLMChoiceSampler(self._score)
        self._frozen, self._asleep = adapter is not None, False
        if sharing:
            self._llm, self.context, self.about = sharing._llm, sharing.context, sharing.about
            self._vocabulary, self._close = sharing._vocabulary, close
            self.codec.check_vocabulary(self._vocabulary)
            return
        import torch

        cuda = torch.cuda.is_available() and not device.startswith("cpu")
        config = models.config_of(folder)
        self._vocabulary = int(config.get_text_config().vocab_size)
        self.codec.check_vocabulary(self._vocabulary)
        fidelity.check(folder, config)
        settings = VLLMSettings(
            folder, dtype, cuda, context_length(config), rank,
            rows=rows, share=share, gpus=gpus, parallel=parallel, sleeps=sleeps,
            transfer=transfer.backend if transfer else "file",
        )  # fmt: skip
        self._transfer = transfer
        self._llm = LLMThread(settings, name)
        self._close = self._llm.close
        self.context = settings.length
        self.about = f"vLLM {(build() or ('?',))[0]} on {'cuda' if cuda else 'cpu'}, {dtype}"

    @property
    def version(self) -> int:
        """Version of the weights; always 0 for the adapter of a snapshot."""
        return 0 if self._frozen else self._llm.version

    @property
    def stats(self) -> EngineStats:
        """A copy of the counters. vLLM's forward passes are not counted."""
        stats = copy.copy(self._stats)
        stats.busy_seconds, stats.repeated = self._llm.busy_seconds, self._choice.repeated
        return stats

    def prefix_len(self, messages: Sequence[ChatMessage], prompt_ids: tuple[int, ...], steady: int = 1) -> int:
        """Returns 0, because vLLM finds shared prefixes itself."""
        return 0

    async def complete(self, request: Request) -> Completion:
        """Answer one request. Raises InfrastructureError."""
        self._check(request)
        self._stats.requests += 1
        self._stats.tokens_in += len(request.prompt_ids)
        if request.choices is None:
            return await self._free_text(request)
        choice = await self._choice.sample(request)
        self._stats.tokens_out += len(choice.ids)
        return choice.completion(self.codec, self.version)

    async def policy(
        self, prompt_ids: tuple[int, ...], choices: tuple[tuple[int, ...], ...], *, temperature: float = 1.0
    ) -> list[float]:
        """Returns the exact probability of each choice after the prompt. Raises InfrastructureError."""
        request = Request(prompt_ids, 0, temperature=temperature, choices=choices)
        self._check(request)
        self._stats.requests += 1
        self._stats.tokens_in += len(prompt_ids)
        return await self._choice.policy(request)

    def adapted(self, name: str, adapter: Path, close: Callable[[], None]) -> VLLMEngine:
        """Returns an engine that shares this vLLM, with a LoRA adapter beside the weights of others."""
        return VLLMEngine(name, adapter=adapter, sharing=self, close=close)

    def publish(self, tensors: Mapping[str, Any], version: int | None = None, *, in_flight: bool = False) -> None:
        """Replace the weights by those of a whole model, under the names of its checkpoint.

        Uses vLLM's weight-transfer interface, with a file in shared memory if it has no other `transfer`. Running
        requests finish with the old weights and later ones wait, so every completion has one version. `in_flight`:
        running requests go on with the new weights instead, and `Completion.versions` says which tokens are whose.
        Blocks: call it from a thread that sends no requests. Raises InfrastructureError.
        """
        from arena.inference import tensor_file

        number, distinct = self.version + 1 if version is None else version, _without_shared(tensors)
        if (transfer := self._transfer) is not None:
            try:
                self._renew(lambda llm: self._receive(llm, transfer.send(llm, distinct, number), number), in_flight)
            except BaseException as error:
                transfer.fail(number, error)  # the other engines wait for this one
                raise
            return
        size = sum(tensor.numel() * tensor.element_size() for tensor in distinct.values())
        with tempfile.TemporaryDirectory(prefix="arena-", dir=folder_for(size)) as temporary:
            path = Path(temporary) / "weights.safetensors"
            tensor_file.write(path, distinct)
            self._renew(lambda llm: self._receive(llm, _load(llm, path, number), number), in_flight)

    def publish_adapter(self, folder: Path, version: int, *, in_flight: bool = False) -> None:
        """Decide with the LoRA adapter in a folder, which stays until the next one is published.

        Each version needs a folder of its own: vLLM keeps the prompts that it has read by the adapter's number. Blocks,
        as `publish` does. Raises InfrastructureError.
        """
        if in_flight and self.lora is not None:
            new = _lora_request(folder, self.lora.lora_int_id)  # running requests name the adapter by its number
            self._llm.between_tokens(lambda llm: self._replace(llm, new, version))
        else:
            new = _lora_request(folder)
            self._llm.exclusive(lambda llm: self._switch(llm, new, version))

    def sleep(self, *, keep: bool) -> None:
        """Give the memory on the GPU back; requests wait until weights are published. Nothing happens on the CPU.

        `keep`: keep the weights in the host's memory; otherwise they are lost, and the next `publish` brings all of
        them. Blocks, as `publish` does. Raises InfrastructureError.
        """
        if not self._asleep:
            self._llm.exclusive(lambda llm: llm.sleep(level=1 if keep else 2), hold=True)
            self._asleep = True

    def wake(self) -> None:
        """Take the memory back, with the weights that `sleep` kept. Blocks, as `publish` does."""
        if self._asleep:
            self._llm.exclusive(self._take_back)

    def close(self) -> None:
        """Stop; pending requests raise InfrastructureError, also those of engines that share this vLLM."""
        self._close()
        if self._transfer is not None:
            self._transfer.close()

    def _renew(self, act: Callable[[Any], Coroutine[Any, Any, None]], in_flight: bool) -> None:
        if in_flight and not self._asleep:
            self._llm.between_tokens(act)
        else:
            self._llm.exclusive(act)

    async def _receive(self, llm: Any, update: Coroutine[Any, Any, None], version: int) -> None:
        """Wakes up, updates the weights and forgets cached results of the old ones."""
        await self._wake(llm, "weights")  # an update of a sleeping engine crashes it (vLLM 0.32)
        await update
        await self._wake(llm, "kv_cache")
        await llm.reset_prefix_cache()
        self._is_new(version)

    async def _take_back(self, llm: Any) -> None:
        await self._wake(llm, "weights")
        await self._wake(llm, "kv_cache")
        self._asleep = False

    async def _switch(self, llm: Any, new: Any, version: int) -> None:
        await self._take_back(llm)
        await llm.add_lora(new)
        if self.lora is not None:
            await llm.remove_lora(self.lora.lora_int_id)
        await self._have(llm, new, version)

    async def _replace(self, llm: Any, new: Any, version: int) -> None:
        """Load an adapter under the number of the one in use."""
        from msgspec.structs import replace

        await llm.add_lora(replace(new, load_inplace=True))
        await self._have(llm, new, version)

    async def _have(self, llm: Any, new: Any, version: int) -> None:
        await llm.update_weight_version(str(version))
        self.lora = new
        self._is_new(version)

    async def _wake(self, llm: Any, part: str) -> None:
        if self._asleep:
            _return_memory()
            await llm.wake_up([part])

    def _is_new(self, version: int) -> None:
        """Count the weights as published: nothing that was decided with others is used again."""
        self._asleep = False
        self._choice.clear()
        self._llm.version = version

    async def _free_text(self, request: Request) -> Completion:
        """Complete a request without choices."""
        output, versions = await self._llm.generate(request.prompt_ids, self._parameters(request), self.lora)
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
            version=0 if self._frozen else versions[-1],
            versions=None if self._frozen else several(versions),
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
            ignore_eos=True,  # only the tokens above end an answer
            logprobs=NUCLEUS if nucleus else 0,
            flat_logprobs=True,
            detokenize=False,
            output_kind=RequestOutputKind.FINAL_ONLY,
        )

    async def _score(self, read: tuple[int, ...], tokens: tuple[int, ...]) -> Scores:
        """Returns the log probabilities of the alternatives `tokens` after the tokens `read`."""
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
            output, (version,) = await self._llm.generate(read, params, self.lora)
            self._count(output)
            logprobs = output.outputs[0].logprobs[0]
            out += [float(logprobs[token].logprob) for token in part]
        return Scores(out, 0 if self._frozen else version)

    def _count(self, output: Any) -> None:
        cached = output.num_cached_tokens or 0
        self._stats.prefix_tokens += cached
        self._stats.prefix_hits += cached > 0

    def _check(self, request: Request) -> None:
        """Raises InfrastructureError for a request that cannot be answered."""
        check_request(request, self.name, self.context, self._vocabulary)


async def _load(llm: Any, path: Path, version: int) -> None:
    """Have vLLM's workers load a safetensors file."""
    from vllm.distributed.weight_transfer.base import WeightTransferUpdateRequest

    await llm.start_weight_update()
    await llm.update_weights(WeightTransferUpdateRequest(update_info={"path": str(path)}))
    await llm.finish_weight_update(weight_version=str(version))


def _read(
    flat: Any, ids: tuple[int, ...], request: Request
) -> tuple[tuple[float, ...], tuple[tuple[int, ...] | None, ...] | None]:
    """Returns log probabilities (T,) and, if top_p < 1, the nucleus at each position (T,), from vLLM's flat format."""
    if request.temperature == 0.0:
        return (0.0,) * len(ids), None
    logprobs, allowed = [], []
    for position, token in enumerate(ids):
        span = slice(flat.start_indices[position], flat.end_indices[position])
        by_token = dict(zip(flat.token_ids[span], flat.logprobs[span], strict=True))
        logprobs.append(float(by_token[token]))
        if request.top_p < 1.0:
            allowed.append(tuple(sorted(t for t, logp in by_token.items() if logp > float("-inf"))))
    return tuple(logprobs), tuple(allowed) if request.top_p < 1.0 else None


def _return_memory() -> None:
    """Give what the trainer of this process has freed back to the GPU, on which vLLM wakes up."""
    import torch

    if torch.cuda.is_available():
        torch.cuda.empty_cache()


def _without_shared(tensors: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the tensors without tied ones, which share memory with an earlier one; the model ties them again."""
    out: dict[str, Any] = {}
    addresses = set()
    for name, tensor in tensors.items():
        if tensor.data_ptr() not in addresses:
            addresses.add(tensor.data_ptr())
            out[name] = tensor.detach()
    return out


_numbers: dict[Path, int] = {}


def _lora_request(adapter: Path, number: int = 0) -> Any:
    """vLLM identifies an adapter by a number and its folder. `number`: that of the adapter that it replaces."""
    from vllm.lora.request import LoRARequest

    folder = adapter.resolve()
    weights.of_adapter(folder, WEIGHTS)
    number = number or _numbers.setdefault(folder, len(_numbers) + 1)
    return LoRARequest(str(folder), number, str(folder))
