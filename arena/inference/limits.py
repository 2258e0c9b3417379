"""The limits of a model: which requests it can answer."""

from __future__ import annotations

from typing import Any

from arena.inference.engine import Request
from games.errors import InfrastructureError


def check_request(request: Request, name: str, context: int, vocabulary: int) -> None:
    """Raises InfrastructureError if a model with this context and vocabulary size cannot answer a request."""
    if problem := _problem(request, name, context, vocabulary):
        raise InfrastructureError(f"{name} cannot answer: {problem}")


def _problem(request: Request, name: str, context: int, vocabulary: int) -> str:
    prompt, choices = request.prompt_ids, request.choices
    longest = request.max_tokens if choices is None else max(map(len, choices), default=0)
    if not prompt:
        return "the prompt is empty"
    if len(prompt) + longest > context:
        return f"prompt and answer need {len(prompt) + longest} tokens; {name} can read {context}"
    if not 0 <= min(prompt) <= max(prompt) < vocabulary:
        return f"the prompt has token ids outside 0 to {vocabulary - 1}"
    if request.temperature < 0.0 or not 0.0 < request.top_p <= 1.0:
        return f"temperature {request.temperature} or top_p {request.top_p} is out of range"
    if longest < 1:
        return "max_tokens is below 1" if choices is None else "there are no choices"
    return ""


def context_length(config: Any) -> int:
    """Returns the number of tokens that a model can read."""
    return int(getattr(config.get_text_config(), "max_position_embeddings", None) or 1 << 20)
