"""Studies: their plan and what their runs measured, each written once, as entries of `meta`."""

from __future__ import annotations

from sqlalchemy import Connection, select

from league.store import schema


def entries(connection: Connection, study: str) -> dict[str, str]:
    """Returns part -> text of a study; {} if it was not planned. `study` has no slash."""
    c, start = schema.meta.c, f"study/{study}/"
    rows = connection.execute(select(c.key, c.value).where(c.key.startswith(start, autoescape=True)))
    return {key.removeprefix(start): value for key, value in rows}


def add(connection: Connection, study: str, part: str, text: str) -> str:
    """Adds a part unless it is there. Returns its text."""
    c, key = schema.meta.c, f"study/{study}/{part}"
    old = connection.execute(select(c.value).where(c.key == key)).scalar()
    if old is None:
        connection.execute(schema.meta.insert(), {"key": key, "value": text})
    return text if old is None else str(old)
