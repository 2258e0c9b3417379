"""The date that chat templates read: that of the start of a run, which the store keeps, not that of the prompt.

Templates such as those of Llama 3 and Granite write the date into the system message. A training that is resumed days
later, or that imitates matches of another run, reads the prompts of the first day.
"""

from __future__ import annotations

import json
import string
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, date, datetime, time
from functools import lru_cache

_pinned: date | None = None
"""of the process and not of a task: threads and workers write prompts of the same run"""
_FLAGS = ("", "-", "_", "0", "^", "#")
_CODES = string.ascii_letters + "%"


def today() -> date:
    """Returns the date in UTC; nothing else reads the clock for prompts."""
    return datetime.now(UTC).date()


def prompt_date() -> date:
    """Returns the date of the run that this process plays; today's outside of a run."""
    return _pinned or today()


def pin(day: date | None) -> None:
    """Have the prompts of this process read a date from now on; None: today's. For workers, which play one run."""
    global _pinned
    _pinned = day


@contextmanager
def pinned(day: date) -> Iterator[None]:
    """Inside the block prompts read this date."""
    before = _pinned
    pin(day)
    try:
        yield
    finally:
        pin(before)


def reads_clock(template: str) -> bool:
    """Returns whether a chat template can read the clock: the sandbox of templates has one function for it."""
    return "strftime_now" in template


@lru_cache(maxsize=64)
def dated(template: str, day: date) -> str:
    """Returns a template whose `strftime_now` is a macro that writes parts of a date, at midnight.

    A macro, because transformers passes no functions to templates.
    """
    moment = datetime.combine(day, time())
    texts = {f"%{flag}{code}": moment.strftime(f"%{flag}{code}") for flag in _FLAGS for code in _CODES}
    return (
        "{%- macro strftime_now(format) -%}"
        f"{{%- set texts = {json.dumps(texts)} -%}}"
        '{%- set at = namespace(code="") -%}'
        "{%- for c in format -%}"
        '{%- if at.code and c in "-_0^#" -%}{%- set at.code = at.code ~ c -%}'
        '{%- elif at.code -%}{{- texts.get(at.code ~ c, at.code ~ c) -}}{%- set at.code = "" -%}'
        '{%- elif c == "%" -%}{%- set at.code = c -%}'
        "{%- else -%}{{- c -}}{%- endif -%}"
        "{%- endfor -%}"
        "{{- at.code -}}"
        "{%- endmacro %}\n"  # the tag takes the line break away; the template still begins at the start of a line
        f"{template}"
    )
