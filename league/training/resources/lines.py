"""A resource plan as text."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from league.training.resources.resource_plan import ResourcePlan


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


def _owners(resources: ResourcePlan, card: str) -> tuple[tuple[str, int], ...]:
    sums: dict[str, int] = defaultdict(int)
    for each in resources.allocations:
        if each.card == card:
            when = "" if each.phase == "always" else f", during a {each.phase}"
            sums[f"{each.owner}{when}"] += each.bytes
    return tuple(sums.items())


__all__ = ["resource_lines"]
