"""Error messages of inference, in one line."""

from __future__ import annotations

from games.errors import InfrastructureError


def error_line(error: BaseException) -> str:
    """Returns an error's message as one line, after its class name if the message is short."""
    text = " ".join(str(error).split())
    return (f"{type(error).__name__}: {text}" if len(text) < 20 else text)[:300]


def inference_failed(error: Exception) -> InfrastructureError:
    """Returns the error for a request that a model failed to answer; its cause is `error`."""
    failure = InfrastructureError(f"inference failed: {error_line(error)}")
    failure.__cause__ = error
    return failure
