"""Finds out, by asking, which request parameters an OpenAI-compatible server accepts.

Servers differ in the name of the length limit, in whether they accept a seed, and in how they restrict an answer to
given texts. If a server refuses a parameter (400 or 422), the request is sent again without it or with its next form.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Any

log = logging.getLogger(__name__)

LENGTHS = ("max_tokens", "max_completion_tokens")
RESTRICTIONS = ("structured_outputs", "guided_choice", "response_format", "")
"""vLLM; vLLM before 0.11; a JSON schema (OpenAI, llama.cpp, SGLang, ...); none"""


class Dialect:
    """The parameters that one server accepts, shared by all requests to it."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._length, self._restriction = 0, 0
        self._seed = True

    @property
    def restricts(self) -> bool:
        """Whether the server may accept a restriction of its answers."""
        return bool(RESTRICTIONS[self._restriction])

    def parameters(self, max_tokens: int, seed: int, choices: Sequence[str] | None) -> dict[str, Any]:
        """Returns the parameters for the openai client, except model, messages and sampling."""
        out: dict[str, Any] = {LENGTHS[self._length]: max_tokens}
        if self._seed:
            out["seed"] = seed & 0x7FFFFFFF
        if choices is None or not self.restricts:
            return out
        form = RESTRICTIONS[self._restriction]
        if form == "structured_outputs":
            out["extra_body"] = {form: {"choice": list(choices)}}
        elif form == "guided_choice":
            out["extra_body"] = {form: list(choices)}
        else:
            out[form] = {
                "type": "json_schema",
                "json_schema": {"name": "action", "strict": True, "schema": _schema(choices)},
            }
        return out

    def adapt(self, sent: dict[str, Any], details: str) -> bool:
        """Adapt to a refused request. Returns whether sending it again with new parameters may help.

        `sent` is a result of `parameters`: of two requests refused concurrently, only the first changes the dialect.
        """
        for name in LENGTHS:
            if name in sent and name in details:
                if LENGTHS[self._length] == name and self._length + 1 < len(LENGTHS):
                    self._length += 1
                    self._log(f"accepts {LENGTHS[self._length]} instead of {name}")
                return LENGTHS[self._length] != name
        if "seed" in sent and "seed" in details:
            if self._seed:
                self._log("accepts no seed: its answers are not repeatable")
            self._seed = False
            return True
        form, hints = restriction_of(sent), ("schema", "guided", "unrecognized", "unknown", "extra")
        if not form or not any(hint in details for hint in (form, *hints)):
            return False
        self.reject_restriction(form)
        return True

    def reject_restriction(self, form: str) -> None:
        """Use the next form from now on: the server refused `form`, or ignored it."""
        if RESTRICTIONS[self._restriction] != form:
            return
        self._restriction += 1
        after = RESTRICTIONS[self._restriction]
        self._log(
            f"does not restrict answers by {form}; "
            + (f"trying {after}" if after else "the model writes freely, and the prompt lists the legal actions")
        )

    def _log(self, what: str) -> None:
        log.warning("%s %s", self._name, what)


def restriction_of(sent: dict[str, Any]) -> str:
    """Returns the form of restriction in a request, "" if there is none."""
    return next((f for f in RESTRICTIONS if f and (f in sent or f in sent.get("extra_body", {}))), "")


def _schema(choices: Sequence[str]) -> dict[str, Any]:
    action = {"type": "string", "enum": list(choices)}
    return {"type": "object", "properties": {"action": action}, "required": ["action"], "additionalProperties": False}
