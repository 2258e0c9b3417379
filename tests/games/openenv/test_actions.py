"""Texts as actions, by the schema of a server; addresses; and what is said without the library."""

import importlib
import importlib.util
import json

import pytest

import games
from games import IllegalAction, InputError
from games.openenv.actions import ActionSchema
from games.openenv.lookup import source


def schema(required=("move",), **fields):
    return ActionSchema({"properties": {"metadata": {}, **fields}, "required": list(required)})


@pytest.mark.parametrize(
    ("kind", "text", "value"),
    [
        ("string", "anything at all", "anything at all"),
        ("integer", " 3 ", 3),
        ("number", "2.5", 2.5),
        ("boolean", "true", True),
        ("array", "[1, 2]", [1, 2]),
    ],
)
def test_a_text_is_the_value_of_the_only_required_field(kind, text, value):
    assert schema(move={"type": kind}, note={"type": "string"}).read(text) == {"move": value}


@pytest.mark.parametrize(
    ("kind", "text"), [("integer", "2.5"), ("integer", "true"), ("integer", "three"), ("number", "x"), ("boolean", "1")]
)
def test_a_value_of_a_wrong_type_is_refused(kind, text):
    with pytest.raises(IllegalAction, match="is not"):
        schema(move={"type": kind}).read(text)


def test_several_required_fields_are_one_json_object():
    both = schema(("x", "y"), x={"type": "integer"}, y={"type": "integer"})
    assert both.read('{"x": 1, "y": 2}') == {"x": 1, "y": 2}
    for text in ("[1, 2]", "1", "{x: 1}", ""):
        with pytest.raises(IllegalAction, match="JSON object with the fields x, y"):
            both.read(text)
    assert json.loads(both.examples()[0]).keys() == {"x", "y"}
    assert both.choices({"legal_actions": [1, 2]}) is None


def test_listed_actions():
    assert schema(move={"type": "integer"}).choices({"legal_actions": [0, 2]}) == ("0", "2")
    assert schema(move={"enum": ["left", "right"]}).choices({}) == ("left", "right")
    assert schema(move={"type": "string"}).choices({"legal_actions": []}) is None
    assert schema(move={"type": "string"}).choices({"legal_actions": [{"a": 1}]}) is None


def test_addresses():
    assert source("localhost:8000") == source("http://localhost:8000/") == "http://localhost:8000"
    assert source("https://host.example/env/one") == "https://host.example/env/one"
    for text in ("file:///etc/passwd", "http://user@host", "ftp://host", "host:8000?x=1", ""):
        with pytest.raises(InputError, match="names no server"):
            source(text)


@pytest.mark.skipif(importlib.util.find_spec("openenv") is not None, reason="the package openenv is installed")
def test_without_the_library_one_line_says_what_to_install():
    with pytest.raises(InputError) as caught:
        games.make("openenv/localhost:8000")
    assert str(caught.value) == "openenv/ needs the package 'openenv'; type: pip install 'selfplay-arena[openenv]'"
    with pytest.raises(InputError, match=r"arena\.export\.openenv needs the package 'openenv'"):
        importlib.import_module("arena.export.openenv")
