"""The player `openai`: models behind OpenAI-compatible endpoints."""

from arena.players.endpoint.player import Endpoint

__all__ = ["Endpoint"]
