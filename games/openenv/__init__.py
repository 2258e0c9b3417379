"""Environments that an OpenEnv server offers, as text games: `openenv/http://localhost:8000`."""
