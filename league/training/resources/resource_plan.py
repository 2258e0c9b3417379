"""The result of planning: who takes how many bytes of which card, and what a publication costs."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from games import InputError

HOST = "this machine"
Owner = Literal[
    "weights", "copies", "gradients", "moments", "activations", "engine", "keys and values", "snapshots", "context",
]  # fmt: skip
Phase = Literal["always", "step"]
"""when the bytes are taken; a checkpoint takes none, and a publication fewer than a step"""


@dataclass(frozen=True, slots=True)
class Cards:
    """GPUs of one size; the workers of a Ray cluster have such GPUs too. Without one, the memory of the host."""

    count: int
    """0: all processes compute on the CPU and share `bytes`"""
    bytes: int
    described: bool = False
    """whether the user named them, for a machine that need not be this one"""

    @property
    def sees(self) -> str:
        """The words before the number of GPUs in a message."""
        return "--gpus names" if self.described else "this process sees"

    @property
    def kind(self) -> str:
        """The devices that compute: cuda or cpu."""
        return "cuda" if self.count else "cpu"

    def card(self, number: int) -> str:
        """Returns the name of a GPU, or of the host's memory if there is none."""
        return f"GPU {number}" if self.count else HOST

    def used_by(self, device: str) -> Cards:
        """Returns the cards as a policy on this device uses them: none if it is on the CPU."""
        return replace(self, count=0) if device.startswith("cpu") else self

    @classmethod
    def parse(cls, text: str) -> Cards:
        """Returns what `8x80` says: 8 GPUs of 80 GB. Raises InputError."""
        parts = re.fullmatch(r"(\d{1,4})x(\d{1,5}(?:\.\d+)?)", text.strip())
        if parts is None or not int(parts[1]) or not float(parts[2]):
            raise InputError(f"--gpus is {text!r}; write their number and the GB of each, such as 8x80")
        return cls(int(parts[1]), int(float(parts[2]) * 1e9), described=True)


@dataclass(frozen=True, slots=True)
class Allocation:
    """Bytes of one owner in one process."""

    card: str
    """`GPU 0`, `a worker's GPU`, or `this machine`"""
    process: str
    owner: Owner
    bytes: int
    phase: Phase = "always"
    snapshots: int = 0
    """how many snapshots, each a whole model, take them"""


@dataclass(frozen=True, slots=True)
class Publication:
    """New weights on their way to an engine."""

    policy: str
    transport: str
    bytes: int
    seconds: float


@dataclass(frozen=True, slots=True)
class ResourcePlan:
    """The allocations of a training."""

    cards: Cards
    allocations: tuple[Allocation, ...]
    publications: tuple[Publication, ...]
    recompute: bool
    """whether activations are recomputed in the largest micro-batches"""
    token_budget: int
    faults: tuple[str, ...] = ()
    """what does not work, besides too few bytes"""
    remedies: tuple[str, ...] = ()
    """settings that would make it fit, each in words with the value that does"""

    def peaks(self) -> Mapping[str, int]:
        """Returns the most bytes that each card holds at once."""
        peaks: dict[str, int] = defaultdict(int)
        for each in self.allocations:
            peaks[each.card] += each.bytes
        return peaks

    @property
    def problems(self) -> tuple[str, ...]:
        """What keeps the training from running on these cards; (): it fits. Memory beside GPUs has no bound."""
        over = [
            f"{card} needs {peak / 1e9:.1f} of {self.cards.bytes / 1e9:.1f} GB"
            for card, peak in self.peaks().items()
            if peak > self.cards.bytes and (card != HOST or not self.cards.count)
        ]
        return (*self.faults, *over[:1])


def resource_lines(resources: ResourcePlan, changes: Sequence[str] = ()) -> Iterator[str]:
    """Yields the cards with their owners, equal ones together, then publications and what does not fit."""
    cards = resources.cards
    how = "recomputed" if resources.recompute else "kept"
    several = f"{cards.count} GPU{'' if cards.count == 1 else 's'} of " if cards.count else "the CPU with "
    yield (
        f"resources on {several}{cards.bytes / 1e9:.3g} GB, planned from the model's shape: activations {how}, "
        f"token_budget {resources.token_budget:,}"
    )
    yield from (f"  lowered to fit: {change}" for change in changes)
    peaks, alike = resources.peaks(), defaultdict[tuple[tuple[str, int], ...], list[str]](list)
    for card in peaks:
        alike[_owners(resources, card)].append(card)
    for owners, names in alike.items():
        name = names[0] if len(names) == 1 else f"{names[0]} to {names[-1]}, each"
        yield f"  {name}: at most {peaks[names[0]] / 1e9:.1f} GB"
        yield from (f"    {size / 1e9:7.2f} GB  {owner}" for owner, size in owners)
    for held in resources.allocations:
        if n := held.snapshots:
            yield (
                f"  snapshots on {held.card}: at most {n} loaded, whole models of {held.bytes / n / 1e9:.2f} GB each, "
                "which play with transformers; with lora those of a large model share it"
            )
    for each in resources.publications:
        size = f"{each.bytes / 1e9:.2f} GB"
        yield f"  publication of {each.policy} ({each.transport}): {size}, about {each.seconds:.2g} s"
    yield from (f"  does not fit: {problem}" for problem in resources.problems)
    yield from (f"  would fit with {remedy}" for remedy in resources.remedies)


def _owners(resources: ResourcePlan, card: str) -> tuple[tuple[str, int], ...]:
    sums: dict[str, int] = defaultdict(int)
    for each in resources.allocations:
        if each.card == card:
            when = "" if each.phase == "always" else f", during a {each.phase}"
            sums[f"{each.owner}{when}"] += each.bytes
    return tuple(sums.items())
