"""A recorded match as pages of printable lines: an overview, then every position."""

from __future__ import annotations

import os
import select
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence

from arena.match import Decision, Episode, MatchPosition, iter_positions, move_line
from games.sanitize import one_line, printable
from league.board.cells import fit
from league.board.keyboard import Key, KeyParser
from league.board.lines import Line, styled
from league.board.screen import Screen

SECONDS = 5.0
"""time for the positions of a match; those of a longer replay are left out"""


def match_pages(episode: Episode, status: str = "") -> tuple[tuple[str, ...], ...]:
    """Returns the overview and the positions; `status` replaces that of the record.

    Raises any error of the game, which replays the match.
    """
    places, until = [], time.monotonic() + SECONDS
    for place in iter_positions(episode):
        places.append(tuple(position_lines(place, episode.seats)))
        if time.monotonic() > until:
            places.append(("the replay takes too long; the rest is left out",))
            break
    return ((*overview(episode, status), "", *places[-1]), *places)


def position_lines(place: MatchPosition, players: Mapping[str, str]) -> Iterator[str]:
    """Yields the moves that led to a position, the position, and who acts next. `players`: seat -> player."""
    for turn in place.moves:
        yield one_line(move_line(turn), 400)
    if place.moves:
        yield ""
    yield from printable(place.text, lines=True).expandtabs(4).splitlines()
    yield ""
    turns = ", ".join(f"{seat} ({players.get(seat, '')})" for seat in place.acting)
    yield one_line(f"next: {turns}" if turns else "the match is over")


def overview(episode: Episode, status: str = "") -> Iterator[str]:
    """Yields the result and the turns of a match, which need no game; `status` as in `match_pages`."""
    yield one_line(f"{episode.game}, seed {episode.seed}")
    yield one_line(f"{status or episode.status}{': ' + episode.reason if episode.reason else ''}")
    for seat, player in episode.seats.items():
        ended = {episode.forfeited_by: ", forfeited", episode.voided_by: ", made the match void"}.get(seat, "")
        counts = seat in episode.returns and episode.status != "void"
        score = f"{episode.returns[seat]:+g}" if counts else "no return"
        yield one_line(f"{seat} ({player}) as {episode.roles.get(seat, '')}: {score}{ended}")
    yield ""
    for number, turn in enumerate(episode.turns, 1):
        yield one_line(f"{number}. {turn.seat} ({'random opening' if turn.opening else turn.player}): {turn.action}")
        yield from _attempts(turn.attempts, turn.action)
    if episode.failure:
        yield one_line(f"{episode.offender} ({episode.seats.get(episode.offender, '')}):")
        yield from _attempts(episode.failure, None)


def _attempts(attempts: Iterable[Decision], action: str | None) -> Iterator[str]:
    for attempt in attempts:
        if attempt.text and attempt.text != action:
            yield f"   writes: {one_line(attempt.text)}"
        if attempt.category != "ok":
            yield f"   {attempt.category}: {one_line(attempt.reason)}"


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
