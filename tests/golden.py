"""Tables and texts that tests compare with, in the folder `golden` beside the module that reads them."""

import json
from pathlib import Path
from typing import Any


def text(module: str, name: str) -> str:
    """Returns the file `name` of the folder `golden` beside the file `module`."""
    return (Path(module).parent / "golden" / name).read_text(encoding="utf-8")


def lists(module: str, name: str) -> list[Any]:
    """Returns a table: one JSON value a line, or a line starting with "#", a comment."""
    lines = text(module, f"{name}.jsonl").split("\n")
    return [json.loads(line) for line in lines if line and not line.startswith("#")]


def rows(module: str, name: str) -> Any:
    """Returns a table with tuples for its arrays."""
    return tuple(map(_frozen, lists(module, name)))


def table(module: str, name: str) -> Any:
    """Returns a dictionary from a file of pairs."""
    return dict(rows(module, name))


def _frozen(value: Any) -> Any:
    if isinstance(value, list):
        return tuple(map(_frozen, value))
    return {key: _frozen(item) for key, item in value.items()} if isinstance(value, dict) else value
