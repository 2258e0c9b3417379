"""Plays matches of random legal actions, observes every seat at every position, and checks each answer."""

from __future__ import annotations

import functools
import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from games import plugins
from games.conformance.report import excerpt
from games.contract import returns_error
from games.errors import IllegalAction
from games.game import Observation, Seat, TextGame
from games.randomness import RandomStream, derive

Moves = Sequence[Mapping[Seat, str]]
_WORD = re.compile(r"\w+")


class Violation(Exception):
    """The game breaks its contract; `check` names the check that this belongs to."""

    def __init__(self, check: str, message: str) -> None:
        super().__init__(message)
        self.check = check


class OutOfTime(Exception):
    """The time limit of the kit is reached; the report covers what was seen so far."""


@dataclass(frozen=True, slots=True)
class PlayedPosition:
    """Everything that a game answers at one position."""

    turn: int
    acting: tuple[Seat, ...]
    texts: Mapping[Seat, str]
    phases: Mapping[Seat, str]
    legal: Mapping[Seat, tuple[str, ...] | None]
    secrets: Mapping[Seat, tuple[str, ...]]
    reference: Mapping[Seat, str]
    """OpenSpiel's information state of each seat, if the game has one and hides something"""


@dataclass(slots=True)
class Trace:
    """The record of one match."""

    seed: int
    moves: list[Mapping[Seat, str]] = field(default_factory=list)
    positions: list[PlayedPosition] = field(default_factory=list)
    returns: Mapping[Seat, float] = field(default_factory=dict)
    oracle: tuple[float, ...] | None = None
    """OpenSpiel's returns, in seat order"""

    def actions_before(self, turn: int) -> str:
        """Returns every action played before a position."""
        return "\n".join(text for move in self.moves[:turn] for text in move.values())

    def shown_actions(self, turn: int, reader: Seat, owner: Seat) -> str:
        """Returns the earlier actions that a reader knows: its own, and those that it was shown.

        Of the actions of `owner`, whose secrets are searched for, only texts count that the reader has read whole.
        """
        texts = []
        for at, move in enumerate(self.moves[:turn]):
            for seat, text in move.items():
                if seat != owner:
                    texts.append(text)
                else:
                    read = [p.texts[reader] for p in self.positions[at + 1 : turn + 1]]
                    texts += [part for part in _parts(text) if any(_holds(observation, part) for observation in read)]
        return "\n".join(texts)


def _parts(text: str) -> set[str]:
    """Returns a message, its lines, and what its tags contain."""
    return {part.strip() for part in (text, *text.splitlines(), *re.split(r"</?\w+>", text)) if part.strip()}


@functools.lru_cache(maxsize=20_000)
def _holds(text: str, part: str) -> bool:
    """Returns whether a text contains the first words of a message, whatever stands between them."""
    first = r"\W*".join(_WORD.findall(part)[:12])
    return bool(first) and re.search(rf"(?<!\w){first}(?!\w)", text, re.IGNORECASE) is not None


@contextmanager
def blamed(check: str, what: str) -> Iterator[None]:
    """Turn any error inside into a Violation of `check`."""
    try:
        yield
    except (Violation, OutOfTime):
        raise
    except Exception as error:  # a game under test can raise anything
        raise Violation(check, f"{what} {plugins.raised(error)}") from error


def record(game: TextGame, seed: int, deadline: float, moves: Moves | None = None) -> Trace:
    """Play one match to its end: `moves` first, then random legal actions. Raises Violation or OutOfTime."""
    trace = Trace(seed)
    with blamed("play", f"reset({seed})"):
        game.reset(seed)
    stream = RandomStream(derive(seed, "kit"))
    decisions = 0
    while True:
        position = look(game, len(trace.moves), seed)
        trace.positions.append(position)
        if not position.acting:
            break
        decisions += len(position.acting)
        if decisions > game.spec.max_turns:
            raise Violation("ends", f"seed {seed}: no end after spec.max_turns = {game.spec.max_turns} decisions")
        if time.monotonic() > deadline:
            raise OutOfTime
        turn = len(trace.moves)
        move = moves[turn] if moves and turn < len(moves) else choose(game, position, stream, seed)
        play(game, move, position, seed)
        trace.moves.append(move)
    with blamed("returns", f"returns() at the end of seed {seed}"):
        returns = game.returns()
    if problem := returns_error(returns, game.spec.seats):
        raise Violation("returns", f"seed {seed}: {problem}")
    trace.returns = dict(returns)
    state: Any = game.openspiel_state()
    trace.oracle = None if state is None else tuple(state.returns())
    return trace


def look(game: TextGame, turn: int, seed: int) -> PlayedPosition:
    """Query everything once and check its form."""
    where = f"seed {seed}, turn {turn}"
    with blamed("turns", f"acting ({where})"):
        acting = game.acting
    seats = tuple(game.spec.seats)
    if not isinstance(acting, tuple) or len(set(acting)) != len(acting) or not set(acting) <= set(seats):
        raise Violation("turns", f"{where}: acting is {acting!r}; expected a tuple of different seats of {seats}")
    observations = {seat: _observe(game, seat, seat in acting, where) for seat in seats}
    legal = {}
    for seat in seats:
        with blamed("legal", f"legal({seat!r}) ({where})"):
            legal[seat] = game.legal(seat)
    _check_legal(acting, legal, where)
    secrets = {}
    for seat in seats:
        with blamed("secrets", f"secrets({seat!r}) ({where})"):
            secrets[seat] = tuple(s for s in game.secrets(seat) if s.strip())
    reference = _reference(game, acting, where)
    texts = {seat: o.text for seat, o in observations.items()}
    phases = {seat: o.phase for seat, o in observations.items()}
    _check_phases(game, acting, phases, where)
    return PlayedPosition(turn, acting, texts, phases, legal, secrets, reference)


def choose(game: TextGame, position: PlayedPosition, stream: RandomStream, seed: int) -> dict[Seat, str]:
    """Returns a random legal action for each acting seat, or one of the game's examples on a free-text turn."""
    move = {}
    for seat in position.acting:
        legal = position.legal[seat]
        if legal is None:
            with blamed("legal", f"examples({seat!r}) (seed {seed}, turn {position.turn})"):
                legal = tuple(game.examples(seat))
        if not legal:
            raise Violation("legal", f"seed {seed}, turn {position.turn}: no examples({seat!r}) on a free-text turn")
        move[seat] = stream.choice(legal)
    return move


def play(game: TextGame, move: Mapping[Seat, str], position: PlayedPosition, seed: int) -> None:
    """Apply a legal move; raises Violation if the game refuses it."""
    where = f"seed {seed}, turn {position.turn}"
    refused = refusal(game, move, "play", f"apply({dict(move)!r}) ({where})")
    if refused is None:
        return
    for seat in game.spec.seats:
        if len(move) == 1 and seat not in move and _accepts(game, {seat: next(iter(move.values()))}):
            raise Violation(
                "turns", f"{where}: acting is {position.acting} but the action is accepted only from {seat}"
            )
    raise Violation("legal", f"{where}: refuses its own legal action {dict(move)!r}: {refused}")


def refusal(game: TextGame, move: Mapping[Seat, str], check: str, what: str) -> IllegalAction | None:
    """Applies a move. Returns the game's refusal, None if it is accepted; raises Violation for any other error."""
    with blamed(check, what):
        try:
            game.apply(move)
        except IllegalAction as error:
            return error
    return None


def _accepts(game: TextGame, move: Mapping[Seat, str]) -> bool:
    try:
        game.apply(move)
    except Exception:  # noqa: BLE001  any error is a refusal here
        return False
    return True


def _observe(game: TextGame, seat: Seat, acts: bool, where: str) -> Observation:
    who = f"{seat} ({'acting' if acts else 'not acting'}, {where})"
    with blamed("observe", f"observe for {who}"):
        observation = game.observe(seat)
    if (
        not isinstance(observation, Observation)
        or not isinstance(observation.text, str)
        or not isinstance(observation.phase, str)
    ):
        raise Violation(
            "observe", f"observe for {who} gave {excerpt(repr(observation))}, not an Observation of text and phase"
        )
    if acts and not observation.text.strip():
        raise Violation("observe", f"observe for {who} is empty")
    return observation


def _check_phases(game: TextGame, acting: tuple[Seat, ...], phases: Mapping[Seat, str], where: str) -> None:
    """The phase that the match loop records is that of the observation."""
    for seat in acting:
        with blamed("observe", f"phase({seat!r}) ({where})"):
            recorded = "play" if game.one_phase else game.phase(seat)
        if recorded != phases[seat]:
            how = "one_phase says 'play'" if game.one_phase else f"phase() gives {recorded!r}"
            raise Violation("observe", f"{where}: {how}, and the observation of {seat} has {phases[seat]!r}")


def _check_legal(acting: tuple[Seat, ...], legal: Mapping[Seat, tuple[str, ...] | None], where: str) -> None:
    for seat, actions in legal.items():
        if seat not in acting:
            if actions != () and acting:
                raise Violation("turns", f"{where}: {seat} does not act (acting is {acting}) but has legal actions")
            if actions != ():
                raise Violation("legal", f"{where}: the match is over but {seat} has legal actions")
        elif actions is not None:
            if not isinstance(actions, tuple) or not all(isinstance(a, str) for a in actions):
                raise Violation("legal", f"{where}: legal({seat!r}) is {excerpt(repr(actions))}, not a tuple of texts")
            if not actions:
                raise Violation("turns", f"{where}: {seat} must act but has no legal action")
            if len(set(actions)) < len(actions) or not all(a.strip() for a in actions):
                raise Violation("legal", f"{where}: legal({seat!r}) repeats an action or has a blank one")


def _reference(game: TextGame, acting: tuple[Seat, ...], where: str) -> dict[Seat, str]:
    state: Any = game.openspiel_state()
    if state is None:
        return {}
    seats = tuple(game.spec.seats)
    with blamed("play", f"OpenSpiel's state ({where})"):
        current = state.current_player()
        if current >= 0:
            actors: tuple[Seat, ...] = (seats[current],)
        else:
            actors = () if state.is_terminal() else tuple(s for i, s in enumerate(seats) if state.legal_actions(i))
        if not state.is_chance_node() and set(actors) != set(acting):
            raise Violation("turns", f"{where}: acting is {acting}; by OpenSpiel {actors or 'nobody'} must act")
        kind = state.get_game().get_type()
        hides = kind.information == kind.Information.IMPERFECT_INFORMATION
        if not hides or not kind.provides_information_state_string or state.is_chance_node():
            return {}
        # a game in extensive form defines what a seat knows only where it acts
        only = {current} if kind.short_name == "efg_game" else range(len(seats))
        return {seat: state.information_state_string(i) for i, seat in enumerate(seats) if i in only}


def replayed(make: Callable[[], TextGame], trace: Trace, turn: int) -> TextGame:
    """Returns a game at the position of a trace before move number `turn`."""
    game = make()
    with blamed("play", f"replaying seed {trace.seed}"):
        game.reset(trace.seed)
        for move in trace.moves[:turn]:
            game.apply(move)
    return game
