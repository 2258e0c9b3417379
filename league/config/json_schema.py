"""JSON schemas of tournament and training files, for editors that check TOML."""

from __future__ import annotations

import json
from typing import Any, Literal

FileKind = Literal["tournament", "training"]


def schema_of(kind: FileKind) -> dict[str, Any]:
    """Returns the JSON schema (draft 2020-12) of a file: every key with its type, bounds, default and description."""
    if kind == "tournament":
        from league.config.tournament import TournamentConfig as Config
    else:
        from league.config.training import TrainingConfig as Config  # type: ignore[assignment]
    named = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": f"arena {kind} file"}
    return Config.model_json_schema() | named


def schema_text(kind: FileKind) -> str:
    """Returns the schema as `arena schema` prints it."""
    return json.dumps(schema_of(kind), indent=1, ensure_ascii=True) + "\n"
