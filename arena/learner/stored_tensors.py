"""The tensors of a checkpoint, of which each process of a learner wrote its rows and reads those that it needs."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from torch import Tensor

_PART = re.compile(r"(.+?)(?:\.part(\d+))?\.safetensors")


class StoredTensors(Mapping[str, "Tensor"]):
    """Reads tensors when they are asked for, whole or by rows, from the files that hold parts of them."""

    def __init__(self) -> None:
        self._parts: dict[str, list[tuple[int, Any]]] = {}
        """name -> first row and file of each part, in order"""

    def add(self, path: Path) -> None:
        """Add the tensors of a file."""
        from safetensors import safe_open

        file: Any = safe_open(path, framework="pt")
        first = json.loads((file.metadata() or {}).get("first_rows", "{}"))
        for name in file.keys():  # noqa: SIM118  a file is no mapping
            self._parts.setdefault(name, []).append((int(first.get(name, 0)), file))
            self._parts[name].sort(key=lambda part: part[0])

    def __getitem__(self, name: str) -> Tensor:
        """Returns a whole tensor, in the memory of the host."""
        return self._joined([file.get_tensor(name) for _, file in self._parts[name]])

    def is_scalar(self, name: str) -> bool:
        """Returns whether a tensor has no rows."""
        return not self._parts[name][0][1].get_slice(name).get_shape()

    def rows(self, name: str, start: int, stop: int) -> Tensor:
        """Returns the rows from `start` to before `stop`."""
        pieces = []
        for first, file in self._parts[name]:
            stored = file.get_slice(name)
            low, high = max(start - first, 0), min(stop - first, stored.get_shape()[0])
            if low < high:
                pieces.append(stored[low:high])
        return self._joined(pieces) if pieces else self._parts[name][0][1].get_slice(name)[0:0]

    def __iter__(self) -> Iterator[str]:
        return iter(self._parts)

    def __len__(self) -> int:
        return len(self._parts)

    @staticmethod
    def _joined(pieces: list[Tensor]) -> Tensor:
        import torch

        return pieces[0] if len(pieces) == 1 else torch.cat(pieces)


def part_name(group: str, rank: int) -> str:
    """Returns the name of the file with the rows that one of several processes has."""
    return f"{group}.part{rank}.safetensors"


def stored_groups(folder: Path) -> dict[str, StoredTensors]:
    """Returns the tensors of a checkpoint by group: `weights`, `optimizer` and so on, with the prefix of a policy."""
    groups: dict[str, StoredTensors] = defaultdict(StoredTensors)
    for path in sorted(folder.glob("*.safetensors")):
        match = _PART.fullmatch(path.name)
        assert match is not None
        groups[match[1]].add(path)
    return dict(groups)


__all__ = ["StoredTensors", "part_name", "stored_groups"]
