"""Small study files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

ENDPOINT = {"name": "nc", "measure": "nash_conv", "game": "openspiel/kuhn_poker"}


def study(folder: Path, **changes: Any) -> Path:
    """Writes a training of 2 steps with 4 matches each and a study of it, and returns the study's path."""
    training = {
        "name": "base",
        "steps": 2,
        "matches_per_step": 4,
        "games": ["openspiel/kuhn_poker"],
        "policy": {"model": "tiny(layers=1, hidden=32)"},
        "optimizer": {"lr": 0.01},
        "snapshots": {"matches": 0},
        "evaluation": {"every": 2, "matches": 0},
    }
    settings = {
        "name": "s",
        "db": f"sqlite:///{folder}/arena.db",
        "folder": f"{folder}/runs",
        "base": "base.toml",
        "seeds": 2,
        "arms": [{"name": "a"}, {"name": "b", "control": "permuted-returns"}],
        "endpoints": [ENDPOINT],
        "primary": "nc",
        "contrasts": [["a", "b"]],
    }
    (folder / "base.toml").write_text(_toml(training))
    file = folder / "study.toml"
    file.write_text(_toml(settings | changes))
    return file


def _toml(table: dict[str, Any]) -> str:
    return "\n".join(f"{key} = {_value(value)}" for key, value in table.items())


def _value(value: Any) -> str:
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {_value(inner)}" for key, inner in value.items()) + " }"
    return "[" + ", ".join(map(_value, value)) + "]" if isinstance(value, list) else json.dumps(value)
