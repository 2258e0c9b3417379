"""Output to a terminal or pipe whose encoding is not UTF-8."""

import io
import json
import sys

from arena.cli import out


def test_what_the_encoding_lacks_is_replaced(monkeypatch):
    written = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(written, encoding="ascii"))
    out.replace_unwritable()
    out.say("1–2 ±3 ▒ é")
    assert written.getvalue() == b"1-2 ~3 + ?\n"


def test_json_keeps_its_meaning(monkeypatch):
    written = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(written, encoding="ascii"))
    out.replace_unwritable()
    out.say_json('{"name": "Zoë 😀"}')
    assert json.loads(written.getvalue()) == {"name": "Zoë 😀"}


def test_utf_8_is_left_alone(monkeypatch):
    written = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(written, encoding="utf8"))
    out.replace_unwritable()
    out.say("Zoë")
    assert written.getvalue().decode() == "Zoë\n"
    assert sys.stdout.errors == "strict"
