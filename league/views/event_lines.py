"""Events of a run as lines for people. Some events hold JSON, which other code reads."""

from __future__ import annotations

import msgspec

from league.store import Event
from league.views.wording_gaps import KIND

NAMED = {"snapshot": "name", KIND: "player"}
"""kind -> the key of its JSON that names what it is about"""


def event_line(event: Event) -> str:
    """`kind: text`; of an event that holds JSON, the name in it."""
    text = event.text
    if event.kind in NAMED or event.kind == "spent":
        try:
            fields = msgspec.json.decode(text, type=dict[str, object])
        except (msgspec.MsgspecError, UnicodeError, RecursionError):
            return f"{event.kind}: {text}"
        if event.kind == "spent":
            text = ", ".join(f"{key} {value}" for key, value in fields.items())
        else:
            text = str(fields.get(NAMED[event.kind]) or text)
    return f"{event.kind}: {text}"
