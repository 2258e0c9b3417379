"""A recorded match as pages of printable lines: an overview, then every position."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping

from arena.match import Decision, Episode, MatchPosition, iter_positions, move_line
from games.sanitize import one_line, printable

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
