"""Prompts to tokens to answers, batched over all matches. Importing this loads no model library."""

from arena.inference.engine import Completion, Engine, EngineStats, Request
from arena.inference.registry import engine_for, release

__all__ = ["Completion", "Engine", "EngineStats", "Request", "engine_for", "release"]
