"""Events of a run as lines for people. Some events hold JSON, which other code reads."""

from __future__ import annotations

import msgspec

from league.runs.excluded_workers import EXCLUDE, INCLUDE
from league.store import Event
from league.views.wording_gaps import KIND

NAMED = {"snapshot": "name", EXCLUDE: "worker", INCLUDE: "worker", KIND: "player"}
"""kind -> the key of its JSON that names what it is about"""


def event_line(event: Event) -> str:
    """`kind: text`; of an event that holds JSON, the name in it, and the reason if there is one."""
    text = event.text
    if event.kind in NAMED or event.kind == "spent":
        try:
            fields = msgspec.json.decode(text, type=dict[str, object])
        except (msgspec.MsgspecError, UnicodeError, RecursionError):
            return f"{event.kind}: {text}"
        if event.kind == "spent":
            text = ", ".join(f"{key} {value}" for key, value in fields.items())
        elif name := fields.get(NAMED[event.kind]):
            text = f"{name}, {reason}" if (reason := fields.get("reason")) else str(name)
    return f"{event.kind}: {text}"
