"""Reference of the keys of tournament and training files, from the settings classes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from page_text import code, escaped, table

from league.config.json_schema import FileKind, schema_of

_BOUNDS = {"minimum": ">=", "exclusiveMinimum": ">", "maximum": "<=", "exclusiveMaximum": "<"}
_TYPES = {
    "string": "text",
    "integer": "whole number",
    "number": "number",
    "boolean": "true or false",
    "object": "table",
}


def settings_page(kind: FileKind) -> str:
    """Every key of a file, table by table."""
    schema = schema_of(kind)
    verb = {"tournament": "tournament", "training": "train"}[kind]
    intro = (
        f"# Keys of a {kind} file\n\n`arena {verb} FILE.toml` reads these keys. Unknown keys are refused. "
        f"`arena schema {kind}` prints the same as a JSON schema for editors.\n"
    )
    return "\n".join([intro, *_tables("", schema, schema["$defs"])])


def _tables(path: str, schema: dict[str, Any], defs: dict[str, Any]) -> Iterator[str]:
    """The table at a path and, after it, those inside it."""
    inner, rows = [], []
    required = schema.get("required", ())
    for key, field in schema["properties"].items():
        known, many = _settings_of(field, defs)
        name = f"{path}.{key}" if path else key
        if known is not None:
            header = f"[[{name}]]" if many else f"[{name}]"
            inner.append((header, name, known))
            rows.append([code(key), f"[`{header}`](#{_anchor(name)})", "", _about(field, known)])
            continue
        default = "required" if key in required else _default(field)
        rows.append([code(key), escaped(_allowed(field, defs)), default, _about(field)])
    yield table(("key", "value", "default", "meaning"), rows)
    for header, name, known in inner:
        yield f"## `{header}` {{: #{_anchor(name)} }}\n\n{escaped(known.get('description', ''))}\n"
        yield from _tables(name, known, defs)


def _anchor(name: str) -> str:
    return "table-" + name.replace(".", "-").replace("_", "-")


def _settings_of(field: dict[str, Any], defs: dict[str, Any]) -> tuple[dict[str, Any] | None, bool]:
    """The table of settings that a key holds, if it holds one, and whether it holds a list of them."""
    if "$ref" in field:
        found = defs[field["$ref"].rpartition("/")[2]]
        return (found, False) if "properties" in found else (None, False)
    for inner in (*field.get("anyOf", ()), *field.get("allOf", ())):
        known, many = _settings_of(inner, defs)
        if known is not None:
            return known, many
    if isinstance(field.get("items"), dict):
        return _settings_of(field["items"], defs)[0], True
    return None, False


def _allowed(field: dict[str, Any], defs: dict[str, Any]) -> str:
    """The values of a key in words."""
    if "$ref" in field:
        return _allowed(defs[field["$ref"].rpartition("/")[2]], defs)
    if "anyOf" in field:
        kinds = [_allowed(inner, defs) for inner in field["anyOf"] if inner.get("type") != "null"]
        return " or ".join(dict.fromkeys(kinds))
    if "enum" in field:
        return " or ".join(code(json.dumps(value)) for value in field["enum"])
    if "const" in field:
        return code(json.dumps(field["const"]))
    if field.get("type") == "array":
        inner = field.get("items") or (field.get("prefixItems") or [{}])[0]
        return f"list of: {_allowed(inner, defs)}"
    bounds = [f"{sign} {field[key]:g}" for key, sign in _BOUNDS.items() if key in field]
    return " ".join([_TYPES.get(field.get("type", ""), "any value"), " and ".join(bounds)]).strip()


def _default(field: dict[str, Any]) -> str:
    value = field.get("default")
    if value is None or value in ({}, []):
        return ""
    return code(f"{value:.6g}" if isinstance(value, float) else json.dumps(value))


def _about(field: dict[str, Any], known: dict[str, Any] | None = None) -> str:
    return escaped(field.get("description") or (known or {}).get("description", ""))
