"""Replays a recorded match from its seed and actions to check that the record follows from the game's rules."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import msgspec

from arena.match.attribution import NO_FAULT, apply, restore
from arena.match.opening import play_opening
from arena.records import Decision, Episode, MatchPlan, Turn
from games import IllegalAction, InputError, MissingPackage, TextGame
from games.errors import InfrastructureError
from games.forfeit import forfeit_returns, truncated_returns

_TIME_DEPENDENT = (b'"timeout"', b'"error"')
"""verdicts of verifiers that depend on the load of the machine"""


class InconclusiveReplay(Exception):
    """Raised if record and replay differ and a verifier failed or ran out of time in one of them."""


class _Contradiction(Exception):
    """The record violates the rules."""


def contradiction(game: TextGame, episode: Episode, attempts: int | None = None) -> str:
    """Describes the first contradiction between a record and the game's rules; "" if there is none.

    Compares seats, roles, players, the order of turns, legal and illegal actions, the end, the returns and the facts.
    `attempts`: the number of attempts per turn, if known. Raises InconclusiveReplay, and InfrastructureError or
    MissingPackage if the game cannot be played on this machine.
    """
    try:
        _compare(game, episode, attempts)
    except _Contradiction as difference:
        return str(difference)
    except (InfrastructureError, MissingPackage, InconclusiveReplay):
        raise
    except InputError as error:
        return f"the game rejects its task: {error}"
    except Exception as error:  # noqa: BLE001  a failing game makes a match void, but this record is not void
        return f"the game fails: {type(error).__name__}: {error}"
    return ""


def _compare(game: TextGame, episode: Episode, attempts: int | None) -> None:
    spec = game.spec
    if episode.roles != dict(spec.seats):
        raise _Contradiction(f"its seats and roles are {episode.roles}; those of the game are {dict(spec.seats)}")
    if (episode.status == "forfeit") != bool(episode.forfeited_by):
        raise _Contradiction(f"its status is {episode.status}, but forfeited_by is {episode.forfeited_by!r}")
    if episode.voided_by and (episode.status != "void" or episode.voided_by not in spec.seats):
        raise _Contradiction(f"its status is {episode.status}, but voided_by is {episode.voided_by!r}")
    if episode.status == "void":
        _check_returns(dict.fromkeys(episode.returns, 0.0), episode)
        return
    game.load_task(episode.task)
    game.reset(episode.seed)
    _check_turns(game, episode, attempts, start=_check_opening(game, episode))
    acting, played = game.acting, len(episode.turns)
    if episode.status == "forfeit":
        _check_forfeit(game, episode, attempts)
        _check_returns(forfeit_returns(spec, episode.forfeited_by), episode)
        return
    if episode.status == "finished" and acting:
        raise _Contradiction(f"it says finished, but after its {played} turns {', '.join(acting)} must act")
    if episode.status == "truncated" and (not acting or played < spec.max_turns):
        raise _Contradiction(f"it says truncated after {played} turns; the game is over or allows {spec.max_turns}")
    returns = dict(game.returns())
    facts = msgspec.json.encode(game.facts(), order="sorted")
    try:
        _check_returns(truncated_returns(spec, returns) if acting else returns, episode)
        if facts != (recorded := msgspec.json.encode(episode.facts, order="sorted")):
            raise _Contradiction(f"its facts differ from the replay{_first_difference(recorded, facts)}")
    except _Contradiction as difference:
        if any(word in facts + msgspec.json.encode(episode.facts) for word in _TIME_DEPENDENT):
            raise InconclusiveReplay(str(difference)) from None
        raise


def _check_opening(game: TextGame, episode: Episode) -> int:
    """Play the opening. Returns its number of turns. Raises _Contradiction if the record has another opening."""
    if not episode.opening:
        return 0
    drawn = play_opening(game, _plan(episode))
    if episode.turns[: len(drawn)] != tuple(drawn):
        raise _Contradiction(f"its opening differs from the {len(drawn)} turns that its seed gives")
    return len(drawn)


def _check_turns(game: TextGame, episode: Episode, attempts: int | None, *, start: int) -> None:
    """Check and play the turns from index `start`."""
    turns, at = episode.turns, start
    while at < len(turns):
        acting = game.acting
        if not acting:
            raise _Contradiction(f"the game is over before turn {at + 1}")
        together = turns[at : at + len(acting)]
        if tuple(turn.seat for turn in together) != tuple(acting):
            seats = ", ".join(turn.seat for turn in together)
            raise _Contradiction(f"turn {at + 1} is by {seats}, but the turn belongs to {', '.join(acting)}")
        for number, turn in enumerate(together, at + 1):
            _check_turn(game, episode, turn, number, attempts, at if len(acting) == 1 else None)
        try:
            game.apply({turn.seat: turn.action for turn in together})
        except IllegalAction as error:
            actions = ", ".join(repr(turn.action) for turn in together)
            raise _Contradiction(f"turn {at + 1}: the game refuses {actions:.200}: {error}") from None
        at += len(together)


def _check_turn(
    game: TextGame, episode: Episode, turn: Turn, number: int, attempts: int | None, played: int | None
) -> None:
    """Check role and player, that the action is legal, and that every earlier attempt failed.

    `played`: the number of turns before this one; None if other seats act at the same time.
    """
    role, player = game.spec.seats[turn.seat], episode.seats.get(turn.seat)
    if (turn.role, turn.player) != (role, player):
        raise _Contradiction(f"turn {number} is played by {turn.player} as {turn.role}, not by {player} as {role}")
    legal = game.legal(turn.seat)
    if legal is not None and turn.action not in legal:
        raise _Contradiction(f"turn {number}: {turn.action!r:.200} is not legal")
    failed = turn.failed
    if not turn.substituted and (not turn.attempts or turn.attempts[-1].action != turn.action):
        raise _Contradiction(f"turn {number} plays {turn.action!r:.200}, which is not its last attempt")
    if attempts is not None and (len(failed) != attempts if turn.substituted else len(failed) >= attempts):
        raise _Contradiction(f"turn {number} has {len(failed)} failed attempts; the run allows {attempts}")
    _check_failures(game, episode, turn.seat, failed, f"turn {number}", played)


def _check_forfeit(game: TextGame, episode: Episode, attempts: int | None) -> None:
    seat, acting = episode.forfeited_by, game.acting
    if seat not in acting:
        raise _Contradiction(f"{seat} forfeits, but the turn belongs to {', '.join(acting) or 'nobody'}")
    if not episode.failure or (attempts is not None and len(episode.failure) != attempts):
        allowed = f"; the run allows {attempts}" if attempts is not None else ""
        raise _Contradiction(f"{seat} forfeits after {len(episode.failure)} failed attempts{allowed}")
    played = len(episode.turns) if len(acting) == 1 else None
    _check_failures(game, episode, seat, episode.failure, "the forfeit", played)


def _check_failures(
    game: TextGame, episode: Episode, seat: str, failed: Sequence[Decision], where: str, played: int | None
) -> None:
    """Raises _Contradiction if the game accepts an attempt that is recorded as failed.

    Simultaneous attempts (`played` is None) are not checked: the game judges them together, and those of the other
    seats are not in the record.
    """
    legal = game.legal(seat)
    for attempt in failed if played is not None else ():
        if attempt.action is None or (legal is not None and attempt.action not in legal):
            continue
        try:
            apply(game, {seat: attempt.action}, free=legal is None)
        except IllegalAction:
            continue
        except NO_FAULT:
            raise
        except Exception:
            if legal is not None:
                raise
            restore(game, _plan(episode), episode.turns[:played])  # a text that the game cannot read
            continue
        raise _Contradiction(f"{where}: {attempt.action!r:.200} of {seat} counts as failed, but the game takes it")


def _plan(episode: Episode) -> MatchPlan:
    return MatchPlan(episode.match, episode.game, episode.seed, episode.seats, episode.task, episode.opening)


def _check_returns(expected: Mapping[str, float], episode: Episode) -> None:
    """Raises _Contradiction unless the record has these returns."""
    recorded = episode.returns
    same = recorded.keys() == expected.keys() and all(
        math.isclose(recorded[seat], value, rel_tol=1e-9, abs_tol=1e-9) for seat, value in expected.items()
    )
    if not same:
        raise _Contradiction(f"its returns are {_listed(recorded)}; by the rules they are {_listed(expected)}")


def _listed(returns: Mapping[str, float]) -> str:
    return ", ".join(f"{seat} {value:+g}" for seat, value in returns.items()) or "none"


def _first_difference(recorded: bytes, replayed: bytes) -> str:
    """Returns the first key whose values differ, for an error message."""
    old, new = msgspec.json.decode(recorded), msgspec.json.decode(replayed)
    differs = next((key for key in {**old, **new} if old.get(key) != new.get(key)), None)
    return f" in {differs!r}" if differs is not None else ""


__all__ = ["InconclusiveReplay", "contradiction"]
