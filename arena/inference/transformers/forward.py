"""Forward passes over rows of different lengths, and the grouping of rows into passes."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor
from torch.nn.functional import scaled_dot_product_attention

from arena.inference.engine import EngineStats
from arena.inference.transformers.kv import Past, Slab
from arena.inference.transformers.layers import TokenPositions, verify, window_of

ATTENTION = "arena_sdpa"


class Forward:
    """A causal language model as a function of token rows. Not thread-safe; only the engine's thread calls it.

    Raises InputError for a model that it would compute incorrectly.
    """

    def __init__(self, model: Any, device: torch.device, stats: EngineStats) -> None:
        self.model, self.device, self.stats = model, device, stats
        self._window = window_of(model)
        use_own_attention(model, device, self._window is not None)
        # The last column of a wider tensor is not contiguous. If the weights need no gradient, torch then copies the
        # output matrix once per row instead of multiplying once, which is 6 times slower at 64 rows.
        head = model.get_output_embeddings()
        head.register_forward_pre_hook(lambda _, inputs: (inputs[0].contiguous(), *inputs[1:]))
        self._boolean = "sdpa" in model.config._attn_implementation
        self._cache_argument = cache_argument(model)
        self._columns: TokenPositions | None = None  # of the last pass
        self._verify()

    def read(self, tokens: Sequence[Sequence[int]], past: Past) -> tuple[Tensor, Past]:
        """Read B rows of tokens, at least one each, after `past`.

        Returns (B, V) float32 logits after the last token of each row, and a new past that includes the tokens.
        """
        width = max(map(len, tokens))
        pads = [width - len(row) for row in tokens]
        ids = torch.tensor([[0] * pad + list(row) for pad, row in zip(pads, tokens, strict=True)], device=self.device)
        column = torch.arange(width, device=self.device)
        pad = torch.tensor(pads, device=self.device)[:, None]
        start = torch.tensor(past.lengths, device=self.device)[:, None]
        real = column >= pad
        positions = (start + column - pad).clamp_min(0)
        cache = past.cache()
        if self._window is not None:
            keys = torch.cat([past.valid, real], dim=1)
            self._columns = TokenPositions(positions, keys.cumsum(dim=1) - 1, max(past.lengths) + width)
        logits = self._run(ids, positions, self._mask(past.valid, real), cache)
        return logits, past.extended(cache, real, [len(row) for row in tokens])

    def step(self, tokens: Sequence[int], slab: Slab) -> Tensor:
        """Append one token to every row of the slab; returns (B, V) float32 logits."""
        positions = torch.tensor(slab.lengths, device=self.device)[:, None]
        slab.open()
        mask = None if slab.full else self._typed(slab.valid[:, None, None, :])
        if self._window is not None:
            self._columns = TokenPositions(positions, slab.valid.cumsum(dim=1) - 1, max(slab.lengths))
        ids = torch.tensor(tokens, device=self.device)[:, None]
        return self._run(ids, positions, mask, slab.cache)

    def _run(self, ids: Tensor, positions: Tensor, mask: Tensor | None, cache: Any) -> Tensor:
        self.stats.batches += 1
        self.stats.rows += len(ids)
        named: dict[str, Any] = {self._cache_argument: cache}
        if self._columns is not None:
            named["columns"] = self._columns
        out = self.model(
            input_ids=ids, position_ids=positions, attention_mask=mask, use_cache=True, logits_to_keep=1, **named
        )
        logits: Tensor = out.logits[:, -1].float()
        return logits

    @torch.inference_mode()
    def _verify(self) -> None:
        """Compare rows of different lengths after a shared past with each sequence alone. Raises InputError."""

        def last_logits(sequences: Sequence[tuple[int, ...]]) -> tuple[Tensor, int]:
            _, shared = self.read([sequences[0][:4]], Past.empty(1, self.device))
            logits, _ = self.read([s[4:] for s in sequences], Past.repeated([(shared, len(sequences))]))
            return logits, 0 if self._columns is None else self._columns.windowed

        stats, self.stats = self.stats, EngineStats()
        verify(self.model, self._window, last_logits)
        self.stats = stats

    def _mask(self, before: Tensor, real: Tensor) -> Tensor:
        """Returns (B, 1, Q, T + Q): a token sees the real columns before it and itself; padding sees itself."""
        queries = real.shape[1]
        causal = torch.ones(queries, queries, dtype=torch.bool, device=self.device).tril()
        query_mask = (causal & real[:, None, :]) | torch.eye(queries, dtype=torch.bool, device=self.device)
        return self._typed(torch.cat([before[:, None, :].expand(-1, queries, -1), query_mask], dim=2)[:, None])

    def _typed(self, mask: Tensor) -> Tensor:
        """Returns the mask in the form of the model's attention: bool, or numbers to add."""
        if self._boolean:
            return mask
        dtype = self.model.dtype
        return torch.zeros(mask.shape, dtype=dtype, device=self.device).masked_fill_(~mask, torch.finfo(dtype).min)


def cache_argument(model: Any) -> str:
    """Returns the model's parameter for keys and values: `cache`, or `past_key_values` in older transformers."""
    return "cache" if "cache" in inspect.signature(model.forward).parameters else "past_key_values"


def buckets(lengths: Sequence[int], max_rows: int, max_tokens: int = 8192) -> list[list[int]]:
    """Group rows into passes with little padding: at most 1.25 times the real tokens plus 64.

    A pass has at most `max_rows` rows and `max_tokens` padded tokens (a single row may have more). The longest rows
    come first.

    >>> buckets([5, 300, 6, 5], max_rows=8)
    [[1], [2, 0, 3]]
    """
    order = sorted(range(len(lengths)), key=lambda i: -lengths[i])
    out: list[list[int]] = []
    real = 0
    for i in order:
        if out:
            rows, widest = len(out[-1]) + 1, lengths[out[-1][0]]
            padded = rows * widest
            if rows <= max_rows and padded <= max_tokens and padded <= 1.25 * (real + lengths[i]) + 64:
                out[-1].append(i)
                real += lengths[i]
                continue
        out.append([i])
        real = lengths[i]
    return out


def out_of_memory(error: BaseException) -> bool:
    """Returns True for the errors that torch raises on CUDA and on the CPU when memory runs out."""
    return isinstance(error, (torch.OutOfMemoryError, MemoryError)) or (
        isinstance(error, RuntimeError) and "can't allocate memory" in str(error)
    )


def use_own_attention(model: Any, device: torch.device, windows: bool) -> None:
    """Apply sliding windows inside attention, and on the CPU share keys and values among query heads.

    transformers applies a window through the mask, but the mask passed here is the same for all layers. With a mask it
    also copies keys and values for each query head, which CUDA kernels require but the CPU kernel does not. Sharing
    them makes a pass of many short rows after a long prefix 1.5 times as fast.
    """
    if model.config._attn_implementation not in ("sdpa", ATTENTION) or (device.type != "cpu" and not windows):
        return
    from transformers import AttentionInterface, AttentionMaskInterface
    from transformers.integrations.sdpa_attention import sdpa_attention_forward
    from transformers.masking_utils import sdpa_mask

    AttentionInterface.register(ATTENTION, _attention(sdpa_attention_forward))
    AttentionMaskInterface.register(ATTENTION, sdpa_mask)
    model.set_attn_implementation(ATTENTION)


def _attention(usual: Callable[..., tuple[Tensor, None]]) -> Callable[..., tuple[Tensor, None]]:
    def attend(
        module: Any,
        query: Tensor,
        key: Tensor,
        value: Tensor,
        attention_mask: Tensor | None,
        columns: TokenPositions | None = None,
        **options: Any,
    ) -> tuple[Tensor, None]:
        if columns is not None and options.get("sliding_window"):
            attention_mask = columns.within(options["sliding_window"], attention_mask)
        special = any(options.get(name) is not None for name in ("position_bias", "softcap", "cache"))
        plain = special or options.get("dropout") or query.device.type != "cpu"
        if plain or attention_mask is None or query.shape[2] == 1:
            return usual(module, query, key, value, attention_mask, **options)
        out = scaled_dot_product_attention(
            query, key, value, attn_mask=attention_mask, scale=options.get("scaling"), enable_gqa=True
        )
        return out.transpose(1, 2).contiguous(), None

    return attend
