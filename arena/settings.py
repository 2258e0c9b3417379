"""The base class of all settings: one frozen, validated class for each table of a file."""

from __future__ import annotations

import re
from typing import Any, get_origin

from pydantic import BaseModel, ConfigDict, ValidationInfo, field_validator

from games.sanitize import hidden

LARGEST_NUMBER = 1e12
"""the largest absolute value of a float setting"""


class Settings(BaseModel):
    """A table of settings: immutable and without unknown keys. Numbers are finite and small enough to be stored."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", use_attribute_docstrings=True, allow_inf_nan=False, hide_input_in_errors=True
    )

    @field_validator("*", mode="before")
    @classmethod
    def _storable(cls, value: Any, info: ValidationInfo) -> Any:
        """Reject text and booleans that pydantic would convert to a number, and values that cannot be stored."""
        kind = cls.model_fields[info.field_name or ""].annotation
        if isinstance(value, bool | str) and kind in (int, float, int | None, float | None):
            raise ValueError("write a number, such as 3, without quotes")
        if not isinstance(value, dict) or get_origin(kind) is dict:  # a nested table of settings checks its own
            _check_size(value)
        if isinstance(value, str) and "\0" in value:
            raise ValueError("text must not contain the character NUL")
        lines = value if info.field_name == "name" or not isinstance(value, str) else re.sub(r"[\n\t]", "", value)
        if isinstance(value, str) and (unseen := hidden(lines)):
            raise ValueError(f"text must not contain the control or invisible character {unseen}")
        return value


def plain_message(message: str) -> str:
    """Returns a message of pydantic in our words: `Input should be 'local' or 'ray'` as `must be 'local' or 'ray'`."""
    return re.sub(r"^(Input|String|Tuple|List|Value) should ", "must ", message.removeprefix("Value error, "))


def _check_size(value: Any) -> None:
    """Raises ValueError for a number, alone or in a table, that the store or the arithmetic of ratings cannot hold."""
    for inner in value.values() if isinstance(value, dict) else (value,):
        if isinstance(inner, int) and not -(2**63) <= inner < 2**63:
            raise ValueError("whole numbers must lie between -2^63 and 2^63 - 1")
        if isinstance(inner, float) and LARGEST_NUMBER < abs(inner) < float("inf"):
            raise ValueError(f"numbers must lie between -{LARGEST_NUMBER:g} and {LARGEST_NUMBER:g}")
