"""Keys and values of the tokens that a model has read, stored by row so that rows can join and leave.

Shapes: B rows, H key-value heads, T columns, D head size. A row fills the last columns; `valid` marks the columns in
use, and attention masks the others. Positions count the tokens of a row, not the columns.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import torch
from torch import Tensor
from torch.nn import functional
from transformers.cache_utils import Cache, CacheLayerMixin, DynamicLayer

Layers: TypeAlias = list[tuple[Tensor, Tensor]]
"""keys and values of each layer, (B, H, T, D)"""

HEADROOM = 128  # free columns allocated at a time: the number of steps between two copies of the slab


@dataclass(frozen=True, slots=True)
class Past:
    """The tokens that B rows have read. Immutable: reading more creates another past, so continuations can share one.

    Used for prefill and for short work on many rows.
    """

    layers: Layers
    """keys and values of each layer; [] before the first token"""
    valid: Tensor
    """(B, T) bool"""
    lengths: list[int]
    """(B,) tokens read, which is also the position of the next token"""

    @classmethod
    def empty(cls, rows: int, device: torch.device) -> Past:
        """Returns rows that have read nothing."""
        return cls([], torch.zeros(rows, 0, dtype=torch.bool, device=device), [0] * rows)

    @classmethod
    def repeated(cls, parts: Sequence[tuple[Past, int]]) -> Past:
        """Concatenate one-row pasts, each repeated n times; a single part is a view, not a copy."""
        if len(parts) == 1:
            past, times = parts[0]
            layers = [(k.expand(times, -1, -1, -1), v.expand(times, -1, -1, -1)) for k, v in past.layers]
            return cls(layers, past.valid.expand(times, -1), past.lengths * times)
        width = max(past.valid.shape[1] for past, _ in parts)
        depth = max(len(past.layers) for past, _ in parts)
        sources = [(past.layers or _zeros_like(parts, depth), times) for past, times in parts]
        layers = [
            (_stack([(s[i][0], n) for s, n in sources], width), _stack([(s[i][1], n) for s, n in sources], width))
            for i in range(depth)
        ]
        masks = [functional.pad(p.valid, (width - p.valid.shape[1], 0)).expand(n, -1) for p, n in parts]
        return cls(layers, torch.cat(masks), [p.lengths[0] for p, n in parts for _ in range(n)])

    def cache(self) -> Cache:
        """Returns a cache for one pass of the model: it contains these columns and receives the new ones."""
        cache = Cache(layer_class_to_replicate=DynamicLayer)
        for keys, values in self.layers:
            layer = DynamicLayer()
            layer.lazy_initialization(keys, values)
            layer.keys, layer.values = keys, values
            cache.layers.append(layer)
        return cache

    def select(self, rows: Sequence[int]) -> Past:
        """Returns these rows in this order; a row may occur several times."""
        if list(rows) == list(range(len(self.lengths))):
            return self  # no copy: a past never changes
        index = torch.tensor(rows, device=self.valid.device)
        layers = [(k.index_select(0, index), v.index_select(0, index)) for k, v in self.layers]
        return Past(layers, self.valid.index_select(0, index), [self.lengths[r] for r in rows])

    def compact(self, row: int) -> Past:
        """Returns a copy of one row with only its valid columns."""
        columns = self.valid[row].nonzero()[:, 0]
        layers = [(k[row : row + 1, :, columns], v[row : row + 1, :, columns]) for k, v in self.layers]
        return Past(layers, self.valid[row : row + 1, columns], self.lengths[row : row + 1])

    def extended(self, cache: Cache, real: Tensor, counts: Sequence[int]) -> Past:
        """Returns the past after a pass with `cache`; `real` (B, Q) bool marks tokens, `counts` (B,) their number."""
        layers = [(layer.keys, layer.values) for layer in cache.layers]
        lengths = [n + m for n, m in zip(self.lengths, counts, strict=True)]
        return Past(layers, torch.cat([self.valid, real], dim=1), lengths)

    @property
    def bytes(self) -> int:
        """Size of the keys and values."""
        return sum(t.numel() * t.element_size() for pair in self.layers for t in pair)


class Slab:
    """Rows that are being decoded, in preallocated buffers: a step writes one column and copies nothing.

    Rows occupy columns [start, stop) of the first `len(lengths)` buffer rows; the last row replaces a row that leaves.
    """

    def __init__(self, device: torch.device) -> None:
        self.device = device
        self.start = self.stop = 0
        self.lengths: list[int] = []
        self._widths: list[int] = []  # columns from a row's first to the last
        self._buffers: Layers = []
        self._valid = torch.zeros(0, 0, dtype=torch.bool, device=device)
        self.cache = Cache(layers=[])

    @property
    def valid(self) -> Tensor:
        """(B, T) bool, the columns in use."""
        return self._valid[: len(self.lengths), self.start : self.stop]

    @property
    def full(self) -> bool:
        """Whether every column is valid in every row, so that no mask is needed."""
        width = self.stop - self.start
        return all(w == width == n for w, n in zip(self._widths, self.lengths, strict=True))

    def add(self, past: Past, rows: Sequence[int]) -> None:
        """Add rows of a past."""
        if not rows:
            return
        index = torch.tensor(rows, device=self.device)
        width, old = past.valid.shape[1], len(self.lengths)
        self._make_room(old + len(rows), width, past.layers)
        place = slice(self.stop - width, self.stop)
        for (keys, values), (more_keys, more_values) in zip(self._buffers, past.layers, strict=True):
            keys[old : old + len(rows), :, place] = more_keys[index]
            values[old : old + len(rows), :, place] = more_values[index]
        self._valid[old : old + len(rows)] = False
        self._valid[old : old + len(rows), place] = past.valid[index]
        self.lengths += [past.lengths[r] for r in rows]
        self._widths += [width] * len(rows)
        self.start = self.stop - max(self._widths)

    def drop(self, row: int) -> None:
        """Remove a row; the last row takes its index."""
        last = len(self.lengths) - 1
        if row != last:
            for pair in self._buffers:
                for buffer in pair:
                    buffer[row, :, self.start : self.stop] = buffer[last, :, self.start : self.stop]
            self._valid[row] = self._valid[last]
        for values in (self.lengths, self._widths):
            values[row] = values[last]
            values.pop()
        self.start = self.stop - max(self._widths, default=0)

    def open(self) -> None:
        """Add the column of the next token, valid in every row; the model fills it."""
        rows = len(self.lengths)
        if self.stop + 1 > self._valid.shape[1]:
            self._make_room(rows, self.stop - self.start, self._buffers, move=True)
        self._valid[:rows, self.stop] = True
        self.stop += 1
        self.lengths = [n + 1 for n in self.lengths]
        self._widths = [n + 1 for n in self._widths]

    def _make_room(self, rows: int, width: int, like: Layers, move: bool = False) -> None:
        """Ensure space for `rows` rows, `width` columns before `stop` and one after it; else move to larger buffers."""
        old_rows, old_columns = self._valid.shape
        if not move and rows <= old_rows and width <= self.stop < old_columns:
            return
        used, new_rows = self.stop - self.start, max(-(-rows // 8) * 8, old_rows)
        stop = max(used, width)
        columns = stop + HEADROOM
        place, old = slice(stop - used, stop), len(self.lengths)
        valid = torch.zeros(new_rows, columns, dtype=torch.bool, device=self.device)
        valid[:old, place] = self.valid
        buffers = []
        for i, pair in enumerate(like):
            fresh = []
            for j, sample in enumerate(pair):
                buffer = sample.new_zeros(new_rows, sample.shape[1], columns, sample.shape[3])
                if old:
                    buffer[:old, :, place] = self._buffers[i][j][:old, :, self.start : self.stop]
                fresh.append(buffer)
            buffers.append((fresh[0], fresh[1]))
        self._buffers, self._valid = buffers, valid
        self.start, self.stop = stop - used, stop
        self.cache = Cache(layers=[_SlabLayer(self, k, v) for k, v in buffers])


class _SlabLayer(CacheLayerMixin):  # type: ignore[misc]
    """One layer of a slab with the interface of transformers; `update` fills the column that `open` added."""

    is_sliding = False

    def __init__(self, slab: Slab, keys: Tensor, values: Tensor) -> None:
        super().__init__()
        self.slab, self.keys, self.values = slab, keys, values
        self.is_initialized = True

    def lazy_initialization(self, key_states: Tensor, value_states: Tensor) -> None:
        """Does nothing; the buffers exist already."""

    def update(self, key_states: Tensor, value_states: Tensor, *_: object, **__: object) -> tuple[Tensor, Tensor]:
        """Write the newest column; returns all columns in use."""
        slab, rows = self.slab, len(self.slab.lengths)
        self.keys[:rows, :, slab.stop - 1 : slab.stop] = key_states
        self.values[:rows, :, slab.stop - 1 : slab.stop] = value_states
        used = slice(slab.start, slab.stop)
        return self.keys[:rows, :, used], self.values[:rows, :, used]

    def get_seq_length(self) -> int:
        """Returns the number of columns read before this step."""
        return self.slab.stop - self.slab.start - 1

    def get_mask_sizes(self, query_length: int) -> tuple[int, int]:
        """Returns length and offset of the columns that a query may see."""
        return self.slab.stop - self.slab.start, 0

    def get_max_length(self) -> int:
        """-1: unbounded."""
        return -1

    get_max_cache_shape = get_max_length  # its name in transformers 5.0


def _stack(parts: Sequence[tuple[Tensor, int]], width: int) -> Tensor:
    """Returns (1, H, P_i, D) tensors, each repeated n_i times and padded on the left to the same number of columns."""
    return torch.cat([functional.pad(t, (0, 0, width - t.shape[2], 0)).expand(n, -1, -1, -1) for t, n in parts])


def _zeros_like(parts: Sequence[tuple[Past, int]], depth: int) -> Layers:
    """Returns layers without columns, for a row that has read nothing; shaped like those of the other parts."""
    model = next(p.layers for p, _ in parts if len(p.layers) == depth)
    return [(k[:1, :, :0], v[:1, :, :0]) for k, v in model]
