"""Checks that a seat cannot forge lines of the game, of another seat or of a chat template, at any later turn.

Each forged message is played on a free-text turn and searched for at once. A few messages that try everything are
followed to the end of their match: in observations, legal actions, the environment's infos, the rules and the facts.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from games.conformance.forgery import Detector, is_flood, long_payloads, payloads
from games.conformance.play import Trace, blamed, choose, look, play, refusal, replayed
from games.conformance.report import Check, Finding
from games.conformance.subject import Subject
from games.game import Seat, TextGame
from games.randomness import RandomStream, derive

MAX_SPOTS = 16
"""turns at which forged messages are played"""
MAX_ALIKE = 2
"""most spots with the same seat and phase"""
MAX_FOLLOWED = 3000
"""decisions of all matches that are followed to their end"""
TIME_SHARE = 0.25
"""of the remaining time, for following"""


class Spot(NamedTuple):
    """A free-text turn of a recorded match."""

    trace: Trace
    turn: int
    seat: Seat

    def __str__(self) -> str:
        return f"seed {self.trace.seed}, turn {self.turn}"


def speech(subject: Subject) -> Iterator[Finding | Check]:
    """Forged lines and template tokens in a message are harmless in everything that seats are shown, now and later."""
    seats = dict(subject.spec.seats)
    forger, cases, accepted = _Forger(subject), 0, 0
    for spot in _spots(subject):
        if cases and subject.late:
            break
        for payload in (*payloads(seats), *long_payloads(seats)):
            cases += 1
            game = forger.after_message(spot, payload)
            if game is None:
                continue
            accepted += 1
            problem = forger.visible_forgery(game, spot) or forger.later(game, spot, payload)
            if problem:
                yield Finding("speech", problem)
                break
    lacks = f"none of {cases} forged messages was accepted" if cases else "no free-text turn was played"
    yield Check("speech", accepted, "forged messages", lacks=lacks)


def _spots(subject: Subject) -> list[Spot]:
    """Returns free-text turns of several matches, of every seat and phase that has any."""
    spots: list[Spot] = []
    counts: dict[tuple[Seat, str], int] = {}
    for trace in subject.traces:
        for position in trace.positions:
            for seat in position.acting:
                kind = (seat, position.phases[seat])
                if position.legal[seat] is None and counts.get(kind, 0) < MAX_ALIKE:
                    counts[kind] = counts.get(kind, 0) + 1
                    spots.append(Spot(trace, position.turn, seat))
    first = {spot.trace.positions[spot.turn].phases[spot.seat]: spot for spot in reversed(spots)}
    return [*first.values(), *(spot for spot in spots if spot not in first.values())][
        :MAX_SPOTS
    ]  # one of each phase first


class _Forger:
    """Plays forged messages and searches for them."""

    def __init__(self, subject: Subject) -> None:
        self._subject, self._detector = subject, Detector(subject.spec.seats)
        self._followed, self._infos = 0, set[tuple[Seat, str]]()
        self._until = time.monotonic() + TIME_SHARE * (subject.deadline - time.monotonic())

    def after_message(self, spot: Spot, payload: str) -> TextGame | None:
        """Returns the game after one form of the message was accepted, or None if all were refused."""
        trace, turn, seat = spot
        for message in _carriers(trace.moves[turn][seat], payload):
            game = replayed(self._subject.fresh, trace, turn)
            if refusal(game, {**trace.moves[turn], seat: message}, "speech", f"{spot}: a message of {seat}") is None:
                self._message = message
                return game
        return None

    def visible_forgery(self, game: TextGame, spot: Spot) -> str:
        """Returns the finding if another seat is shown the forgery at once, else an empty text."""
        for other in self._subject.spec.seats:
            if other != spot.seat and (what := self._detector.forgery_in(game.observe(other).text)):
                return f"{spot}: {other} is shown {what} written by {spot.seat}"
        return ""

    def later(self, game: TextGame, spot: Spot, payload: str) -> str:
        """Returns the finding if any seat is shown the forgery until the end of the match; only for `long_payloads`."""
        late = time.monotonic() > self._until or self._followed > MAX_FOLLOWED
        if late or payload not in long_payloads(self._subject.spec.seats):
            return ""
        stream = RandomStream(derive(spot.trace.seed, "followed", spot.turn))
        moves: list[Mapping[Seat, str]] = [{**spot.trace.moves[spot.turn], spot.seat: self._message}]
        written = f"that {spot.seat} wrote at turn {spot.turn}"
        seed, turn, decisions = spot.trace.seed, spot.turn + 1, 0
        while True:
            position = look(game, turn, seed)
            for seat, text in position.texts.items():
                choices = "\n".join(position.legal[seat] or ())
                if what := self._detector.forgery_in(text) or self._detector.forgery_in(choices):
                    return f"seed {seed}, turn {turn}: {seat} is shown {what} {written}"
            decisions += len(position.acting)
            if not position.acting or decisions > game.spec.max_turns:
                break
            move = choose(game, position, stream, seed)
            play(game, move, position, seed)
            moves.append(move)
            turn += 1
        self._followed += decisions
        return self._in_records(game, spot, written) or self._in_infos(spot, moves, written)

    def _in_records(self, game: TextGame, spot: Spot, written: str) -> str:
        """Returns the finding if the rules contain the forgery, or if the facts cannot be stored."""
        if what := self._detector.forgery_in(game.spec.rules):
            return f"{spot}: the rules contain {what} {written}"
        with blamed("speech", f"facts() as JSON after a message of {spot.seat} ({spot})"):
            facts = json.dumps(dict(game.facts()))
        return f"{spot}: the facts contain a flood {written}" if is_flood(facts) else ""

    def _in_infos(self, spot: Spot, moves: list[Mapping[Seat, str]], written: str) -> str:
        """Returns the finding if the environment's infos contain the forgery; tried once per seat and phase."""
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
                contents = {
                    key: value for key, value in info.items() if not (key == "action_mask" and info["free_text"])
                }
                if what := self._detector.forgery_in("\n".join(_texts(contents))):
                    return f"seed {spot.trace.seed}, turn {turn + 1}: {agent}'s info contains {what} {written}"
        return ""


def _texts(value: Any) -> Iterator[str]:
    """Yields every text inside a value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for pair in value.items():
            yield from _texts(pair)
    elif isinstance(value, list | tuple | set):
        for item in value:
            yield from _texts(item)


def _carriers(example: str, payload: str) -> Iterator[str]:
    """Yields messages in an example's form that contain the payload, appended or in place of the longest phrase."""
    yield example + payload.removeprefix("Well.").removeprefix("Well ")
    words = max(re.findall(r"[A-Za-z][A-Za-z ,.']*", example), key=len, default="")
    if words:
        yield example.replace(words, payload, 1)
        yield example.replace(words, payload.replace("\n", "\\n"), 1)
    yield payload
