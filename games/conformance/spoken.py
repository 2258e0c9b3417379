"""Free words of a seat must not pass for words of the game, of another seat, or of a chat template: at no later turn.

Each forged message is said on a free-text turn and looked for at once; a few that try everything are followed to the
end of their match, in what every seat is shown, in what it may choose, in the environment's infos, in the rules.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from games.conformance.forgery import Detector, is_flood, long_payloads, payloads
from games.conformance.play import Fault, Trace, blamed, choose, look, play, replayed
from games.conformance.report import Check, Finding
from games.conformance.subject import Subject
from games.errors import IllegalAction
from games.game import Seat, TextGame
from games.randomness import Stream, derive

SPOTS = 16
"""turns at which forged messages are said"""
EACH = 2
"""of them with the same seat and phase"""
FOLLOWED = 3000
"""decisions of all matches that are followed to their end"""
SHARE = 0.25
"""of the kit's time that following may take"""


class Spot(NamedTuple):
    """A free-text turn of a recorded match."""

    trace: Trace
    turn: int
    seat: Seat

    def __str__(self) -> str:
        return f"seed {self.trace.seed}, turn {self.turn}"


def speech(subject: Subject) -> Iterator[Finding | Check]:
    """Forged lines and template tokens inside a message reach nobody as such, now or later."""
    seats = dict(subject.spec.seats)
    teller, cases, taken = _Teller(subject), 0, 0
    for spot in _spots(subject):
        if cases and subject.late:
            break
        for payload in (*payloads(seats), *long_payloads(seats)):
            cases += 1
            game = teller.said(spot, payload)
            if game is None:
                continue
            taken += 1
            problem = teller.shown(game, spot) or teller.later(game, spot, payload)
            if problem:
                yield Finding("speech", problem)
                break
    if cases and not taken:
        yield Finding("speech", f"not verifiable: none of {cases} forged messages was accepted", "note")
    yield Check("speech", taken, "forged messages")


def _spots(subject: Subject) -> list[Spot]:
    """Free-text turns of every seat and phase that has any, of several matches."""
    found: list[Spot] = []
    seen: dict[tuple[Seat, str], int] = {}
    for trace in subject.traces:
        for position in trace.positions:
            for seat in position.acting:
                kind = (seat, position.phases[seat])
                if position.legal[seat] is None and seen.get(kind, 0) < EACH:
                    seen[kind] = seen.get(kind, 0) + 1
                    found.append(Spot(trace, position.turn, seat))
    first = {spot.trace.positions[spot.turn].phases[spot.seat]: spot for spot in reversed(found)}
    return [*first.values(), *(spot for spot in found if spot not in first.values())][:SPOTS]  # every phase before all


class _Teller:
    """Says messages and looks for them."""

    def __init__(self, subject: Subject) -> None:
        self._subject, self._detector = subject, Detector(subject.spec.seats)
        self._followed, self._infos = 0, set[tuple[Seat, str]]()
        self._until = time.monotonic() + SHARE * (subject.deadline - time.monotonic())

    def said(self, spot: Spot, payload: str) -> TextGame | None:
        """The game after the message was taken in one of its forms, or None if it was in none."""
        trace, turn, seat = spot
        for message in _carriers(trace.moves[turn][seat], payload):
            game = replayed(self._subject.fresh, trace, turn)
            try:
                game.apply({**trace.moves[turn], seat: message})
            except IllegalAction:
                continue
            except Exception as error:
                raise Fault("speech", f"{spot}: a message of {seat} raised {error!r}") from error
            self._message = message
            return game
        return None

    def shown(self, game: TextGame, spot: Spot) -> str:
        """What the other seats are shown at once, as a finding."""
        for other in self._subject.spec.seats:
            if other != spot.seat and (what := self._detector.found(game.observe(other).text)):
                return f"{spot}: {other} is shown {what} written by {spot.seat}"
        return ""

    def later(self, game: TextGame, spot: Spot, payload: str) -> str:
        """What any seat is shown until the match is over, as a finding; only of messages that try everything."""
        late = time.monotonic() > self._until or self._followed > FOLLOWED
        if late or payload not in long_payloads(self._subject.spec.seats):
            return ""
        stream = Stream(derive(spot.trace.seed, "followed", spot.turn))
        moves: list[Mapping[Seat, str]] = [{**spot.trace.moves[spot.turn], spot.seat: self._message}]
        written = f"that {spot.seat} wrote at turn {spot.turn}"
        seed, turn, decisions = spot.trace.seed, spot.turn + 1, 0
        while True:
            position = look(game, turn, seed)
            for seat, text in position.texts.items():
                choices = "\n".join(position.legal[seat] or ())
                if what := self._detector.found(text) or self._detector.found(choices):
                    return f"seed {seed}, turn {turn}: {seat} is shown {what} {written}"
            decisions += len(position.acting)
            if not position.acting or decisions > game.spec.max_turns:
                break
            move = choose(game, position, stream, seed)
            play(game, move, position, seed)
            moves.append(move)
            turn += 1
        self._followed += decisions
        return self._kept(game, spot, written) or self._told(spot, moves, written)

    def _kept(self, game: TextGame, spot: Spot, written: str) -> str:
        """What is in the rules, and whether the facts of the match are fit to be stored."""
        if what := self._detector.found(game.spec.rules):
            return f"{spot}: the rules hold {what} {written}"
        with blamed("speech", f"facts() as JSON after a message of {spot.seat} ({spot})"):
            facts = json.dumps(dict(game.facts()))
        return f"{spot}: the facts hold a flood {written}" if is_flood(facts) else ""

    def _told(self, spot: Spot, moves: list[Mapping[Seat, str]], written: str) -> str:
        """What the environment's infos hold, once for each seat and phase."""
        kind = (spot.seat, spot.trace.positions[spot.turn].phases[spot.seat])
        if kind in self._infos:
            return ""
        self._infos.add(kind)
        game = self._subject.fresh()
        env = self._subject.aec(game)
        env.reset(seed=spot.trace.seed)
        for turn, move in enumerate([*spot.trace.moves[: spot.turn], *moves]):
            for seat in game.acting:
                env.step(move[seat])
            for agent, info in env.infos.items():
                shown = {key: value for key, value in info.items() if not (key == "action_mask" and info["free_text"])}
                if what := self._detector.found("\n".join(_texts(shown))):
                    return f"seed {spot.trace.seed}, turn {turn + 1}: {agent}'s info holds {what} {written}"
        return ""


def _texts(value: Any) -> Iterator[str]:
    """Every text inside a value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for pair in value.items():
            yield from _texts(pair)
    elif isinstance(value, list | tuple | set):
        for item in value:
            yield from _texts(item)


def _carriers(example: str, payload: str) -> Iterator[str]:
    """Messages of the game's own form that carry the payload: appended, or in place of the longest words."""
    yield example + payload.removeprefix("Well.").removeprefix("Well ")
    words = max(re.findall(r"[A-Za-z][A-Za-z ,.']*", example), key=len, default="")
    if words:
        yield example.replace(words, payload, 1)
        yield example.replace(words, payload.replace("\n", "\\n"), 1)
    yield payload
