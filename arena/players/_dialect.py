"""How one OpenAI-compatible server wants to be asked: found out by asking, each thing once.

Servers differ in the name of the length limit, in whether they take a seed, and in how an answer is restricted to
given texts. A server that refuses a parameter (400 or 422) is asked again without it or with the next form of it.
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
    """The parameters one server takes. Shared by all requests to it."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._length, self._restriction = 0, 0
        self._seed = True

    @property
    def restricts(self) -> bool:
        """Whether there is a form left in which this server may restrict answers."""
        return bool(RESTRICTIONS[self._restriction])

    def parameters(self, max_tokens: int, seed: int, choices: Sequence[str] | None) -> dict[str, Any]:
        """The parameters beside model, messages and what the user set, for the openai client."""
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

    def refused(self, sent: dict[str, Any], what: str) -> bool:
        """The server refused a request, saying `what`. True where asking differently may help.

        `sent` is what `parameters` gave: of two requests refused at once, only the first changes the dialect.
        """
        for name in LENGTHS:
            if name in sent and name in what:
                if LENGTHS[self._length] == name and self._length + 1 < len(LENGTHS):
                    self._length += 1
                    self._told(f"takes {LENGTHS[self._length]} for {name}")
                return LENGTHS[self._length] != name
        if "seed" in sent and "seed" in what:
            if self._seed:
                self._told("takes no seed: its answers are not repeatable")
            self._seed = False
            return True
        form = restriction_of(sent)
        if not form or not any(hint in what for hint in (form, "schema", "guided", "unrecognized", "unknown", "extra")):
            return False
        self.unrestricted(form)
        return True

    def unrestricted(self, form: str) -> None:
        """An answer was not restricted by `form`, or the server refused it: the next form is tried from now on."""
        if RESTRICTIONS[self._restriction] != form:
            return
        self._restriction += 1
        after = RESTRICTIONS[self._restriction]
        self._told(
            f"does not restrict answers by {form}; "
            + (f"{after} is tried" if after else "the model writes freely, with the legal actions shown")
        )

    def _told(self, what: str) -> None:
        log.warning("%s %s", self._name, what)


def restriction_of(sent: dict[str, Any]) -> str:
    """The form by which a request restricts its answer, "" for none."""
    return next((f for f in RESTRICTIONS if f and (f in sent or f in sent.get("extra_body", {}))), "")


def _schema(choices: Sequence[str]) -> dict[str, Any]:
    action = {"type": "string", "enum": list(choices)}
    return {"type": "object", "properties": {"action": action}, "required": ["action"], "additionalProperties": False}
