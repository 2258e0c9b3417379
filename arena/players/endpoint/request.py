"""What the user's parameters add to each request: the address, the key, headers and further fields of the body."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from arena.players.endpoint.dialect import ARENA_KEYS
from games import InputError

OPENAI = "https://api.openai.com/v1"
KEY = "OPENAI_API_KEY"
_METHOD = re.compile(r"(/chat)?/completions$")
_VARIABLE = re.compile(r"env:([A-Za-z_][A-Za-z0-9_]*)")
_SECRET = re.compile(r"(?i)auth|key|token|secret|cookie|password")
"""names of headers that hold a secret"""
_OF_HTTP = ("accept-encoding", "connection", "content-length", "content-type", "transfer-encoding")
"""headers that the HTTP client sets for each request"""
_HEADER = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}")


def key_of(name: str | None, base_url: str) -> str:
    """Returns the key. It goes from the environment into the client and nowhere else. Raises InputError."""
    if name is not None and not re.fullmatch(r"[A-Z_][A-Z0-9_]*", name):
        raise InputError(
            "openai(key=...) is the name of an environment variable that holds the key, such as OPENAI_API_KEY; the "
            "given text is not such a name. Never write a key into a file"
        )
    # A key for OpenAI is never sent to another server just because the variable is set.
    return _environment(name or KEY) if name is not None or base_url == OPENAI else ""


def checked_url(base_url: str) -> str:
    """Returns the address in a canonical spelling. Raises InputError."""
    try:
        url = urlsplit(base_url)
        good = url.scheme in ("http", "https") and bool(url.hostname) and url.port != 0
    except ValueError:
        good = False
    if not good:
        raise InputError(f"openai(base_url={base_url!r}): write it like http://127.0.0.1:8000/v1")
    if url.username or url.password or url.query:
        raise InputError("openai(base_url=...): no user, password or query in it; key= names an environment variable")
    url = url._replace(netloc=url.netloc.lower(), path=url.path.rstrip("/"))
    if path := _METHOD.search(url.path):
        shorter = url._replace(path=url.path.removesuffix(path[0])).geturl()
        raise InputError(f"openai(base_url=...): the arena adds {path[0]} itself; write base_url={shorter}")
    return url.geturl()


def extra_of(extra: str | Mapping[str, Any]) -> dict[str, Any]:
    """Returns the fields that `extra` adds to the body: JSON, or a mapping. Raises InputError."""
    fields = _object("extra", extra, '{"reasoning_effort": "low"}')
    if key := next((name for name in fields if name in ARENA_KEYS), ""):
        parameter = key in ("model", "temperature", "top_p", "max_tokens")
        use = f"write it as the parameter {key}=" if parameter else "the arena sets it itself; leave it out"
        raise InputError(f"openai(extra=...) cannot set {key}: {use}")
    return fields


def headers_of(headers: str | Mapping[str, str]) -> tuple[dict[str, str], list[str]]:
    """Returns the headers with the values of the environment variables in them, and these values, which are secret.

    `env:NAME` in a value stands for the environment variable. Raises InputError, also for a secret in clear text.
    """
    values: dict[str, str] = {}
    secrets: list[str] = []
    for name, text in _object("headers", headers, '{"api-key": "env:MY_KEY"}').items():
        if not _HEADER.fullmatch(name) or not isinstance(text, str) or not text.isprintable() or not text.isascii():
            raise InputError(f"openai(headers=...): {name!r} must be the name of a header, with a text as its value")
        variables = _VARIABLE.findall(text)
        if _SECRET.search(name) and not variables:
            raise InputError(
                f"openai(headers=...): the value of {name} must not stand in a file; put it into an environment "
                f'variable and write "{name}": "env:NAME"'
            )
        if name.lower() in _OF_HTTP:
            raise InputError(f"openai(headers=...): {name} is set for each request by the arena itself; leave it out")
        secrets += [_environment(variable) for variable in variables]
        written = "Authorization" if name.lower() == "authorization" else name  # replaces that of the client
        values[written] = _VARIABLE.sub(lambda match: _environment(match[1]), text)
    return values, secrets


def variables_of(headers: str) -> list[str]:
    """Returns the names of the environment variables that the text of a parameter `headers` sends."""
    return list(dict.fromkeys(_VARIABLE.findall(headers)))


def as_parameter(table: Mapping[str, Any]) -> str:
    """Returns a table as a text that a parameter of an id can hold: JSON without quotes inside its texts.

    Raises InputError for a value that JSON does not have.
    """
    try:
        text = json.dumps(table, allow_nan=False)
    except (TypeError, ValueError):
        raise InputError(
            f"{table!r} holds a date, inf or nan, which no request can hold; write it as a text, in quotes"
        ) from None
    coded = {'\\"': "\\u0022", "'": "\\u0027"}
    return re.sub(r"\\.|'", lambda match: coded.get(match[0], match[0]), text)


def _object(name: str, value: str | Mapping[str, Any], example: str) -> dict[str, Any]:
    if not value:
        return {}
    try:
        data = json.loads(value) if isinstance(value, str) else dict(value)
        json.dumps(data, allow_nan=False)
    except (TypeError, ValueError, RecursionError):
        data = None
    if not isinstance(data, dict):
        raise InputError(f"openai({name}=...) must be an object of JSON, such as {name}='{example}'")
    return data


def _environment(name: str) -> str:
    value = os.environ.get(name, "").strip()
    if not value:
        raise InputError(f"the environment variable {name} holds no key; type: export {name}=...")
    if not value.isascii() or not value.isprintable():
        raise InputError(
            f"the environment variable {name} holds a line break or a letter that no key has (a dash or quotes of a "
            f"text editor?); type: export {name}=..."
        )
    return value


__all__ = ["KEY", "OPENAI", "as_parameter", "checked_url", "extra_of", "headers_of", "key_of", "variables_of"]
