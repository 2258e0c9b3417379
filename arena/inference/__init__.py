"""Prompts to tokens to answers, batched over all matches. Importing this loads no model library."""

import os

from arena.inference.engine import Completion, Engine, EngineStats, Request
from arena.inference.registry import engine_for, release

# Read when torch is first imported, so said here: its threads sleep while they wait for each other. By default they
# spin, and where bots or other programs want the same cores a pass takes 5 to 30 times as long.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")

__all__ = ["Completion", "Engine", "EngineStats", "Request", "engine_for", "release"]
