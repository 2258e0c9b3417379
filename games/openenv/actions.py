"""Texts as actions of an OpenEnv environment, whose server describes them with a JSON schema."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from games.errors import IllegalAction

_WORDS = {"integer": "a whole number", "number": "a number", "boolean": "true or false"}
_EXAMPLES = {"integer": ("0", "1", "2"), "number": ("0", "1"), "boolean": ("true", "false")}
_TEXTS = ("Yes", "No", "1", "I do not know.")


class ActionSchema:
    """What an environment accepts. With one required field a text is its value, else a JSON object of all fields."""

    def __init__(self, schema: Mapping[str, Any]) -> None:
        fields = {key: field for key, field in schema.get("properties", {}).items() if key != "metadata"}
        required = [key for key in schema.get("required", ()) if key in fields]
        self.field = required[0] if len(required) == 1 else ""
        """the only required field; "" if there are none or several"""
        self._field = fields.get(self.field, {})
        self._fields = fields

    def choices(self, observation: Mapping[str, Any]) -> tuple[str, ...] | None:
        """Returns the actions that an observation (`legal_actions`) or schema (`enum`) lists; None without one."""
        listed = observation.get("legal_actions")
        if not self.field or (not listed and not isinstance(listed := self._field.get("enum"), list)):
            return None
        plain = isinstance(listed, list) and all(isinstance(one, str | int | float) for one in listed)
        return tuple(dict.fromkeys(map(_written, listed))) if plain and listed else None

    def read(self, text: str) -> dict[str, Any]:
        """Returns the action in a text. Raises IllegalAction."""
        if not self.field:
            try:
                action = json.loads(text)
            except ValueError:
                action = None
            if not isinstance(action, dict):
                raise IllegalAction(f"expected a JSON object with the fields {', '.join(self._fields) or '(none)'}")
            return action
        kind = self._field.get("type", "string")
        if kind == "string":
            return {self.field: text}
        try:
            value = json.loads(text)
        except ValueError:
            value = None
        fits = {"integer": type(value) is int, "number": type(value) in (int, float), "boolean": type(value) is bool}
        if not fits.get(kind, value is not None):
            raise IllegalAction(f"{text!r:.60} is not {_WORDS.get(kind, f'JSON of the type {kind}')}")
        return {self.field: value}

    def examples(self) -> tuple[str, ...]:
        """Returns texts that have the form of an action."""
        if not self.field:
            return (json.dumps({key: field.get("default", "") for key, field in self._fields.items()}),)
        return _EXAMPLES.get(self._field.get("type", "string"), _TEXTS)

    def description(self) -> str:
        """Returns the form of an action, in words; "" if any text is one."""
        if not self.field:
            return f"Write an action as a JSON object with the fields {', '.join(self._fields)}."
        kind = self._field.get("type", "string")
        return f"Write {_WORDS[kind]}." if kind in _WORDS else ""


def _written(value: str | int | float) -> str:
    return value if isinstance(value, str) else json.dumps(value)
