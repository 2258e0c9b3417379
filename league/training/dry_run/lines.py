"""The result of `arena train --dry-run` as text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from league.training.resources.resource_plan import resource_lines

if TYPE_CHECKING:
    from league.training.dry_run.needs import DryRun

_MOST_CHOICES = 12
"""choices of the prompt that are listed"""


def dry_run_lines(needs: DryRun) -> Iterator[str]:
    """Yields what is printed: model, resources, first batch, tokens, evaluation, one prompt."""
    total = sum(needs.policies.values())
    yield f"{needs.name}: nothing was played and nothing was written"
    if needs.resumes_after is not None:
        yield f"the training was started before; it would resume after step {needs.resumes_after:,}"
    several = f" in {len(needs.policies)} policies ({', '.join(needs.policies)})" if len(needs.policies) > 1 else ""
    yield f"model: {total:,} parameters{several}, {needs.trained:,} of them trained, {needs.dtype} on {needs.device}"
    yield ""
    if needs.resources is None:
        yield "memory: unknown for this kind of model"
    else:
        yield from resource_lines(needs.resources, needs.changes)
    yield ""
    matches = sum(n for by in needs.matches.values() for n in by.values())
    yield f"first batch: {matches:,} matches"
    for game, opponents in needs.matches.items():
        yield f"  {game}: " + ", ".join(f"{n:,} against {name}" for name, n in opponents.items())
    yield ""
    yield from _tokens(needs)
    yield ""
    yield f"evaluation: before the first step, every {needs.evaluations:,} steps and after the last one"
    yield from ("  " + line for line in needs.evaluation or ("nothing: no anchors, no exact measure, no suite",))
    yield ""
    yield f"the first prompt ({needs.first}):"
    yield from ("  | " + line for line in needs.prompt.splitlines())
    if needs.choices:
        more = f" and {len(needs.choices) - _MOST_CHOICES} more" if len(needs.choices) > _MOST_CHOICES else ""
        yield f"the model chooses from: {', '.join(map(repr, needs.choices[:_MOST_CHOICES]))}{more}"
    else:
        yield f"the model writes at most {needs.tokens.answer:,} tokens"


def _tokens(needs: DryRun) -> Iterator[str]:
    t = needs.tokens
    low, middle, high = t.prompts
    yield f"tokens: the first prompts have {low:,} to {high:,} (median {middle:,}); it reads at most {t.context:,}"
    yield f"  an answer has at most {t.answer:,}; a step asks for at most {t.attempts:,} answers, retries included"
    yield (
        f"  so a step reads about {t.attempts * middle:,} tokens at most, if later prompts are not longer; equal "
        "beginnings are read once"
    )
    yield f"  the learner takes at most {t.token_budget:,} tokens at a time (optimizer.token_budget)"
