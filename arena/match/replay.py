"""A recorded match played again from its seed and its actions: does what is recorded follow from the rules?"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import msgspec

from arena.match.opening import play_opening
from arena.match.records import Decision, Episode, MatchPlan, Turn
from games import IllegalAction, InputError, MissingPackage, TextGame
from games.errors import InfrastructureError
from games.forfeit import forfeit_returns, truncated_returns

_UNSTEADY = (b'"timeout"', b'"error"')
"""verdicts that depend on how busy the machine was"""


class Unsettled(Exception):
    """The record differs from the replay, but a verifier ran out of time in one of them."""


class _Contradiction(Exception):
    """What the rules do not allow."""


def contradiction(game: TextGame, episode: Episode, attempts: int | None = None) -> str:
    """The first thing in a record that contradicts the game, in words; "" if it follows from the rules.

    `attempts`: how many a seat has for a turn, where that is known. Seats, roles, players, whose turn it is, legal and
    illegal actions, the end, the returns and the facts are compared. Raises Unsettled, and InfrastructureError or
    MissingPackage if the game cannot be played here.
    """
    try:
        _compare(game, episode, attempts)
    except _Contradiction as found:
        return str(found)
    except (InfrastructureError, MissingPackage, Unsettled):
        raise
    except InputError as error:
        return f"the game does not take its task: {error}"
    except Exception as error:  # noqa: BLE001  a game that fails makes a match void, and this one is not
        return f"the game fails on it: {type(error).__name__}: {error}"
    return ""


def _compare(game: TextGame, episode: Episode, attempts: int | None) -> None:
    spec = game.spec
    if episode.roles != dict(spec.seats):
        raise _Contradiction(f"its seats and roles are {episode.roles}, those of the game {dict(spec.seats)}")
    if (episode.status == "forfeit") != bool(episode.forfeited_by):
        raise _Contradiction(f"its status is {episode.status} and the seat that forfeits is {episode.forfeited_by!r}")
    if episode.status == "void":
        _pays(dict.fromkeys(episode.returns, 0.0), episode)
        return
    game.given(episode.task)
    game.reset(episode.seed)
    _turns(game, episode, attempts, _opening(game, episode))
    acting, played = game.acting, len(episode.turns)
    if episode.status == "forfeit":
        _forfeits(game, episode, attempts)
        _pays(forfeit_returns(spec, episode.forfeited_by), episode)
        return
    if episode.status == "finished" and acting:
        raise _Contradiction(f"it says finished, but after its {played} turns {', '.join(acting)} must act")
    if episode.status == "truncated" and (not acting or played < spec.max_turns):
        raise _Contradiction(f"it says truncated after {played} turns; the game is over or allows {spec.max_turns}")
    returns = dict(game.returns())
    facts = msgspec.json.encode(game.facts(), order="sorted")
    try:
        _pays(truncated_returns(spec, returns) if acting else returns, episode)
        if facts != (recorded := msgspec.json.encode(episode.facts, order="sorted")):
            raise _Contradiction(f"its facts are not those of the replay{_where(recorded, facts)}")
    except _Contradiction as found:
        if any(word in facts + msgspec.json.encode(episode.facts) for word in _UNSTEADY):
            raise Unsettled(str(found)) from None
        raise


def _opening(game: TextGame, episode: Episode) -> int:
    """Play the opening and return its turns' number. Raise unless the record has the one that its seed draws."""
    if not episode.opening:
        return 0
    plan = MatchPlan(episode.match, episode.game, episode.seed, episode.seats, episode.task, episode.opening)
    drawn = play_opening(game, plan)
    if episode.turns[: len(drawn)] != tuple(drawn):
        raise _Contradiction(f"its opening is not the one of {len(drawn)} turns that its seed draws")
    return len(drawn)


def _turns(game: TextGame, episode: Episode, attempts: int | None, at: int) -> None:
    """The turns from number `at` on."""
    turns = episode.turns
    while at < len(turns):
        acting = game.acting
        if not acting:
            raise _Contradiction(f"the game is over before turn {at + 1}")
        together = turns[at : at + len(acting)]
        if tuple(turn.seat for turn in together) != tuple(acting):
            seats = ", ".join(turn.seat for turn in together)
            raise _Contradiction(f"turn {at + 1} is of {seats}; the game asks {', '.join(acting)}")
        for number, turn in enumerate(together, at + 1):
            _turn(game, episode, turn, number, attempts, alone=len(acting) == 1)
        try:
            game.apply({turn.seat: turn.action for turn in together})
        except IllegalAction as error:
            actions = ", ".join(repr(turn.action) for turn in together)
            raise _Contradiction(f"turn {at + 1}: the game refuses {actions:.200}: {error}") from None
        at += len(together)


def _turn(game: TextGame, episode: Episode, turn: Turn, number: int, attempts: int | None, *, alone: bool) -> None:
    """Who plays, what may be played, and that every attempt before it was none."""
    role, player = game.spec.seats[turn.seat], episode.seats.get(turn.seat)
    if (turn.role, turn.player) != (role, player):
        raise _Contradiction(f"turn {number} is played by {turn.player} as {turn.role}, not by {player} as {role}")
    legal = game.legal(turn.seat)
    if legal is not None and turn.action not in legal:
        raise _Contradiction(f"turn {number}: {turn.action!r:.200} is not legal")
    failed = turn.attempts if turn.substituted else turn.attempts[:-1]
    if not turn.substituted and (not turn.attempts or turn.attempts[-1].action != turn.action):
        raise _Contradiction(f"turn {number} plays {turn.action!r:.200}, which is not what was answered last")
    if attempts is not None and (len(failed) != attempts if turn.substituted else len(failed) >= attempts):
        raise _Contradiction(f"turn {number} has {len(failed)} failed attempts; the run allows {attempts}")
    _failures(game, turn.seat, failed, f"turn {number}", alone=alone)


def _forfeits(game: TextGame, episode: Episode, attempts: int | None) -> None:
    seat, acting = episode.forfeited_by, game.acting
    if seat not in acting:
        raise _Contradiction(f"{seat} forfeits, but the game asks {', '.join(acting) or 'nobody'}")
    if not episode.failure or (attempts is not None and len(episode.failure) != attempts):
        allowed = f"; the run allows {attempts}" if attempts is not None else ""
        raise _Contradiction(f"{seat} forfeits after {len(episode.failure)} failed attempts{allowed}")
    _failures(game, seat, episode.failure, "the forfeit", alone=len(acting) == 1)


def _failures(game: TextGame, seat: str, failed: Sequence[Decision], where: str, *, alone: bool) -> None:
    """Raise for an attempt that counts as failed and is an action that the game takes."""
    legal = game.legal(seat)
    for attempt in failed:
        if attempt.action is None or (legal is not None and attempt.action not in legal):
            continue
        if alone:  # of several seats the game judges all actions at once, and those of the others are not known
            try:
                game.apply({seat: attempt.action})
            except IllegalAction:
                continue
            raise _Contradiction(f"{where}: {attempt.action!r:.200} of {seat} counts as failed, and the game takes it")


def _pays(right: Mapping[str, float], episode: Episode) -> None:
    """Raise unless the record has these returns."""
    told = episode.returns
    same = told.keys() == right.keys() and all(
        math.isclose(told[seat], value, rel_tol=1e-9, abs_tol=1e-9) for seat, value in right.items()
    )
    if not same:
        raise _Contradiction(f"its returns are {_shown(told)}; by the rules they are {_shown(right)}")


def _shown(returns: Mapping[str, float]) -> str:
    return ", ".join(f"{seat} {value:+g}" for seat, value in returns.items()) or "none"


def _where(recorded: bytes, replayed: bytes) -> str:
    """The first key whose values differ."""
    old, new = msgspec.json.decode(recorded), msgspec.json.decode(replayed)
    differs = next((key for key in {**old, **new} if old.get(key) != new.get(key)), None)
    return f" in {differs!r}" if differs is not None else ""


__all__ = ["Unsettled", "contradiction"]
