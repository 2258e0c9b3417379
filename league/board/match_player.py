"""Steps through a recorded match in the terminal: `arena replay MATCH --play`."""

from __future__ import annotations

import os
import select
from collections.abc import Sequence

from league.board.cells import fit
from league.board.events import Key
from league.board.keyboard import KeyParser
from league.board.lines import Line, styled
from league.board.screen import Screen

FORWARD, BACK = {"right", "down", "j", "l", " ", "enter", "tab"}, {"left", "up", "k", "h", "backspace", "s-tab"}


def step(at: int, key: str, total: int) -> int | None:
    """Returns the page after a key; None to leave."""
    if key in ("q", "escape", "c-c"):
        return None
    moves = {"home": -total, "end": total, "pageup": -10, "pagedown": 10}
    by = 1 if key in FORWARD else -1 if key in BACK else moves.get(key, 0)
    return min(max(at + by, 0), total - 1)


def frame(pages: Sequence[Sequence[str]], at: int, width: int, height: int) -> list[Line]:
    """Returns the lines of one page, with the keys in the last line."""
    title = f"position {at} of {len(pages) - 1}"
    body: list[Line] = [(fit(line, width), []) for line in pages[at][: max(0, height - 2)]]
    body += [("", [])] * (height - 2 - len(body))
    return [styled(fit(title, width), "bold"), *body, styled(fit("← → step   Home End   q quit", width), "dim")]


def play_pages(pages: Sequence[Sequence[str]], fd: int) -> None:
    """Shows the pages on the terminal `fd` until the viewer leaves."""
    screen, parser, at = Screen(fd), KeyParser(), 0
    screen.enter()
    try:
        while True:
            size = screen.size
            screen.paint(frame(pages, at, *size), size)
            if not select.select([fd], [], [], 0.5)[0]:
                events = parser.flush()
            elif data := os.read(fd, 1024):
                events = parser.feed(data)
            else:
                return
            for event in events:
                after = step(at, event.name, len(pages)) if isinstance(event, Key) else at
                if after is None:
                    return
                at = after
    finally:
        screen.leave()
