"""The result of `arena train --dry-run` as text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from league.training.dry_run.needs import DryRun

_SHOWN = 12
"""choices of the prompt that are listed"""


def dry_run_lines(found: DryRun) -> Iterator[str]:
    """What is printed: model, memory, first batch, tokens, evaluation, one prompt."""
    total = sum(found.policies.values())
    yield f"{found.name}: nothing was played and nothing was written"
    if found.resumes_after is not None:
        yield f"the training was started before; it would resume after step {found.resumes_after:,}"
    several = f" in {len(found.policies)} policies ({', '.join(found.policies)})" if len(found.policies) > 1 else ""
    yield f"model: {total:,} parameters{several}, {found.trained:,} of them trained, {found.dtype} on {found.device}"
    yield ""
    yield from _memory(found)
    yield ""
    matches = sum(n for by in found.matches.values() for n in by.values())
    yield f"first batch: {matches:,} matches"
    for game, opponents in found.matches.items():
        yield f"  {game}: " + ", ".join(f"{n:,} against {name}" for name, n in opponents.items())
    yield ""
    yield from _tokens(found)
    yield ""
    yield f"evaluation: before the first step, every {found.evaluations:,} steps and after the last one"
    yield from ("  " + line for line in found.evaluation or ("nothing: no anchors, no exact measure, no suite",))
    yield ""
    yield f"the first prompt ({found.first}):"
    yield from ("  | " + line for line in found.prompt.splitlines())
    if found.choices:
        more = f" and {len(found.choices) - _SHOWN} more" if len(found.choices) > _SHOWN else ""
        yield f"the model chooses from: {', '.join(map(repr, found.choices[:_SHOWN]))}{more}"
    else:
        yield f"the model writes at most {found.tokens.answer:,} tokens"


def _memory(found: DryRun) -> Iterator[str]:
    total = sum(item.bytes for item in found.memory)
    there = f" of {_bytes(found.available)} available" if found.available is not None else ""
    yield f"memory: {_bytes(total)}{there}, without activations"
    for item in found.memory:
        yield f"  {_bytes(item.bytes):>9}  {item.what}"
    if found.available is not None and total > found.available:
        yield "  this does not fit: train with LoRA (policy.lora), a smaller model, or fewer opponents.loaded"


def _tokens(found: DryRun) -> Iterator[str]:
    t = found.tokens
    low, middle, high = t.prompts
    yield f"tokens: the first prompts have {low:,} to {high:,} (median {middle:,}); it reads at most {t.context:,}"
    yield f"  an answer has at most {t.answer:,}; a step asks for at most {t.attempts:,} answers, retries included"
    yield (
        f"  so a step reads about {t.attempts * middle:,} tokens at most, if later prompts are not longer; equal "
        "beginnings are read once"
    )
    yield f"  the learner takes at most {t.token_budget:,} tokens at a time (optimizer.token_budget)"


def _bytes(n: int) -> str:
    """A number of bytes with three figures: `1.25 GiB`, `310 MiB`."""
    value, unit = float(n), "B"
    for larger in ("KiB", "MiB", "GiB", "TiB"):
        if value < 1000:
            break
        value, unit = value / 1024, larger
    return f"{value:.3g} {unit}"
