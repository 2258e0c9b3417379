"""The match loop. `_script` implements the rules of a match; `play` and `play_async` drive it.

The script is a generator: it yields the turns to decide and receives their decisions. So the same code runs bots
without an event loop (`play`) and models, humans and endpoints with one (`play_async`).
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Generator, Iterable, Mapping, Sequence
from time import perf_counter

from msgspec.structs import replace

from arena.match.attribution import apply, refusal, writer
from arena.match.bot_turns import play_bot_turns
from arena.match.faults import log_fault
from arena.match.illegal_policy import IllegalPolicy
from arena.match.opening import play_opening
from arena.match.sanitize import MAX_REASON, sanitize_decision, sanitize_facts, sanitize_returns, sanitize_traceback
from arena.match.seat_seeds import seat_seeds
from arena.match.seats import check_seats
from arena.match.turn import Forfeit, PendingTurn, SeatFailure, failed_decision, start_turn
from arena.players.player import Player
from arena.records import Decision, Episode, MatchPlan, Status, Turn
from games import TextGame, plugins
from games.contract import contract_error
from games.errors import InfrastructureError, RunPaused
from games.forfeit import forfeit_returns, paid_forfeit, truncated_returns
from games.sanitize import one_line
from roles import Exchange

log = logging.getLogger(__name__)
log.addFilter(sanitize_traceback)

Script = Generator[list[PendingTurn], list[Decision], Episode]

DEFAULT_POLICY = IllegalPolicy()


def play(
    game: TextGame, plan: MatchPlan, players: Mapping[str, Player], illegal: IllegalPolicy = DEFAULT_POLICY
) -> Episode:
    """Play one match of players that do not wait. `players` maps each seat to its player.

    Raises TypeError or InputError before the match if the arguments do not fit together (see `check_seats`), and
    RunPaused. Any other InfrastructureError makes the match void.
    """
    check_seats(game, plan, players, may_wait=False)
    turns: list[Turn] = []
    started = perf_counter()
    try:
        seeds = _start(game, plan, players, turns)
        turn = play_bot_turns(game, plan, players, illegal, seeds, turns)
        if turn is not None or game.acting:
            _drive(_turns(game, plan, players, illegal, seeds, turns, turn))
        return _finished(game, plan, players, turns, started)
    except Exception as error:  # noqa: BLE001  raised again unless it ends the match
        return _failed(game, plan, players, turns, started, error)


def _drive(rest: Generator[list[PendingTurn], list[Decision], None]) -> None:
    """Play turns of players that do not wait."""
    try:
        pending = next(rest)
        while True:
            pending = rest.send(list(map(_act, pending)))
    except StopIteration:
        return


async def play_async(
    game: TextGame,
    plan: MatchPlan,
    players: Mapping[str, Player],
    illegal: IllegalPolicy = DEFAULT_POLICY,
    timeout: float | None = None,
    turns: list[Turn] | None = None,
) -> Episode:
    """Play one match of any players. Seats that act simultaneously decide concurrently. Raises as `play` does.

    timeout: seconds for one attempt of a player that waits. A longer attempt fails with the category `timeout`.
    turns: an empty list that receives each turn as soon as it is played, for whoever follows the match.
    """
    check_seats(game, plan, players, may_wait=True)
    turns = [] if turns is None else turns
    script = _script(game, plan, players, illegal, turns)
    try:
        step = await asyncio.to_thread(_advance, script, None) if game.blocking else _advance(script, None)
        while not isinstance(step, Episode):
            if len(step) == 1:
                decisions = [await _act_async(step[0], timeout)]
            else:
                decisions = await _act_together(step, timeout)
            step = (
                await asyncio.to_thread(_advance, script, decisions) if game.blocking else _advance(script, decisions)
            )
    except RunPaused:
        raise
    except InfrastructureError as error:
        return _void(game, plan, turns, error)
    return step


def _advance(script: Script, decisions: list[Decision] | None) -> list[PendingTurn] | Episode:
    """Returns the next turns to decide, or the episode. StopIteration cannot be raised from a thread."""
    try:
        return next(script) if decisions is None else script.send(decisions)
    except StopIteration as end:
        return end.value  # type: ignore[no-any-return]


def _act(turn: PendingTurn) -> Decision:
    began, view = perf_counter(), turn.view
    try:
        return sanitize_decision(turn.player.act(view), view.legal, turn.player)
    except Exception as error:  # noqa: BLE001  an error in a player's code counts against the player
        return failed_decision(turn, error)
    finally:
        turn.seconds += perf_counter() - began


async def _act_async(turn: PendingTurn, timeout: float | None) -> Decision:
    if not turn.player.waits:
        return _act(turn)
    began, limit = perf_counter(), asyncio.timeout(timeout)
    try:
        async with limit:
            return sanitize_decision(await turn.player.act_async(turn.view), turn.view.legal, turn.player)
    except Exception as error:  # noqa: BLE001  as in _act
        if isinstance(error, TimeoutError) and limit.expired():  # not a TimeoutError of the player itself
            return Decision(None, "timeout", reason=f"no answer within {timeout} s")
        return failed_decision(turn, error)
    finally:
        turn.seconds += perf_counter() - began


async def _act_together(turns: list[PendingTurn], timeout: float | None) -> list[Decision]:
    try:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(_act_async(turn, timeout)) for turn in turns]
    except ExceptionGroup as failures:
        # These are InfrastructureErrors; the group has cancelled the other seats.
        raise next((e for e in failures.exceptions if isinstance(e, RunPaused)), failures.exceptions[0]) from None
    return [task.result() for task in tasks]


def _script(
    game: TextGame, plan: MatchPlan, players: Mapping[str, Player], illegal: IllegalPolicy, turns: list[Turn]
) -> Script:
    """Play a match from reset to episode. Appends to `turns`."""
    started = perf_counter()
    try:
        seeds = _start(game, plan, players, turns)
        # The turns of a game that blocks run in a thread, where bots must not play.
        turn = None if game.blocking else play_bot_turns(game, plan, players, illegal, seeds, turns)
        yield from _turns(game, plan, players, illegal, seeds, turns, turn)
        return _finished(game, plan, players, turns, started)
    except Exception as error:  # noqa: BLE001  raised again unless it ends the match
        return _failed(game, plan, players, turns, started, error)


def _start(game: TextGame, plan: MatchPlan, players: Mapping[str, Player], turns: list[Turn]) -> dict[str, int]:
    """Start a match and play its opening. Returns the seeds of the seats."""
    game.load_task(plan.task)
    game.reset(plan.seed)
    if plan.opening:
        turns += play_opening(game, plan)
    return seat_seeds(plan.seed, players, game.spec.seats)


def _finished(
    game: TextGame, plan: MatchPlan, players: Mapping[str, Player], turns: list[Turn], started: float
) -> Episode:
    """Returns the episode of a match that is over, or has no turn left."""
    spec = game.spec
    status: Status = "finished"
    reason = ""
    returns = sanitize_returns(game.returns(), spec.seats)
    if game.acting:
        status, reason = "truncated", f"no end within {spec.max_turns} turns"
        returns = truncated_returns(spec, returns)
    if problem := paid_forfeit(spec, returns.values()):
        return void(game, plan, problem, turns)
    facts = game.facts()
    # By position: sixteen keywords take 0.5 us, a twentieth of a short match.
    return Episode(
        plan.id,
        plan.game,
        plan.seed,
        plan.seats,
        dict(spec.seats),
        tuple(turns),
        returns,
        status,
        reason,
        "",
        (),
        perf_counter() - started,
        sanitize_facts(facts, notes=spec.notes is not None) if facts else {},
        "",  # the worker: the runner's, added by the store
        plan.task,
        plan.opening,
        plan.notes,
        "",
        "",
        _deterministic(plan, players, turns),
    )


def _failed(
    game: TextGame,
    plan: MatchPlan,
    players: Mapping[str, Player],
    turns: list[Turn],
    started: float,
    error: Exception,
) -> Episode:
    """Returns the episode of a match that an error ended: a forfeit or void. Raises RunPaused."""
    if isinstance(error, RunPaused):
        raise error
    if isinstance(error, InfrastructureError):
        return _void(game, plan, turns, error)
    if problem := contract_error(game):
        return void(game, plan, f"the game failed: {plan.game}: {problem}", turns)
    if not isinstance(error, Forfeit):  # an error in a game's code
        log_fault(log, f"game {plan.game} failed in match {plan.id}", error)
        return void(game, plan, f"the game failed: {plugins.reason(error, type(game).__module__)}", turns)
    loss, nothing = error.turn, void(game, plan, "", turns)
    return replace(
        nothing,
        returns=forfeit_returns(game.spec, loss.seat),
        status="forfeit",
        reason=f"{loss.attempts[-1].category}: {loss.attempts[-1].reason}",
        forfeited_by=loss.seat,
        failure=loss.attempts,
        seconds=perf_counter() - started,
        last_phase=loss.phase,
        deterministic=_deterministic(plan, players, turns),
    )


def _deterministic(plan: MatchPlan, players: Mapping[str, Player], turns: Sequence[Turn]) -> bool:
    """Returns `Episode.deterministic`; `all` takes five times as long as this loop."""
    for player in players.values():
        if not player.deterministic:
            return False
    return not plan.notes and not any(turn.substituted for turn in turns)


def _turns(
    game: TextGame,
    plan: MatchPlan,
    players: Mapping[str, Player],
    illegal: IllegalPolicy,
    seeds: Mapping[str, int],
    turns: list[Turn],
    turn: PendingTurn | None,
) -> Generator[list[PendingTurn], list[Decision], None]:
    """Play from `turn`, or from the next one, until the match is over or no turn is left. Appends to `turns`."""
    most = game.spec.max_turns
    memory: dict[str, list[Exchange]] = {}
    at_once = not game.blocking
    while True:
        if turn is not None:
            yield from _finish_turn(game, plan, turn, at_once, turns)
        elif not (acting := game.acting) or len(turns) >= most:
            return
        elif len(acting) > 1:
            yield from _joint_turn(game, plan, acting, seeds, players, illegal, memory, turns)
        else:  # for speed: `_joint_turn` with one seat takes 1.3 times as long
            (seat,) = acting
            first = start_turn(game, plan, seat, players[seat], illegal, seeds[seat], len(turns), memory)
            yield from _finish_turn(game, plan, first, at_once, turns)
        turn = play_bot_turns(game, plan, players, illegal, seeds, turns) if at_once else None


def _finish_turn(
    game: TextGame, plan: MatchPlan, turn: PendingTurn, at_once: bool, turns: list[Turn]
) -> Generator[list[PendingTurn], list[Decision], None]:
    """Play the turn of one seat and append it to `turns`. `at_once`: players that do not wait decide here."""
    while True:
        if turn.action is None:
            if at_once and not turn.player.waits:
                turn.take(_act(turn))
            else:
                (decision,) = yield [turn]
                turn.take(decision)
            continue
        actions = {turn.seat: turn.action}
        try:
            apply(game, actions, free=turn.view.legal is None)
            break
        except Exception as error:  # noqa: BLE001  raised again unless a text is the cause
            if (refused := refusal(game, plan, turns, {turn.seat: turn}, error)) is None:
                break
            turn.refuse(str(refused))
    turns.append(turn.record())


def _joint_turn(
    game: TextGame,
    plan: MatchPlan,
    acting: tuple[str, ...],
    seeds: Mapping[str, int],
    players: Mapping[str, Player],
    illegal: IllegalPolicy,
    memory: dict[str, list[Exchange]],
    turns: list[Turn],
) -> Generator[list[PendingTurn], list[Decision], None]:
    """Play simultaneous turns. Only a seat whose action is refused decides again."""
    joint = {
        seat: start_turn(game, plan, seat, players[seat], illegal, seeds[seat], len(turns) + i, memory)
        for i, seat in enumerate(acting)
    }
    while True:
        while missing := [turn for turn in joint.values() if turn.action is None]:
            decisions = yield missing
            for turn, decision in zip(missing, decisions, strict=True):
                turn.take(decision)
        actions = {seat: turn.action for seat, turn in joint.items() if turn.action is not None}
        try:
            apply(game, actions, free=any(turn.view.legal is None for turn in joint.values()))
            break
        except Exception as error:  # noqa: BLE001  raised again unless a text is the cause
            if (refused := refusal(game, plan, turns, joint, error)) is None:
                break
            if refused.seat not in joint:
                raise refused from None  # a bug of the game: it must name the seat whose action it refuses
            joint[refused.seat].refuse(str(refused))
    turns += [turn.record() for turn in joint.values()]


def void(game: TextGame, plan: MatchPlan, reason: str, turns: Iterable[Turn] = ()) -> Episode:
    """Returns the episode of a match that an infrastructure failure ended after these turns. All returns are 0."""
    roles, nothing = dict(game.spec.seats), dict.fromkeys(game.spec.seats, 0.0)
    reason = one_line(reason, MAX_REASON)
    ended = Episode(plan.id, plan.game, plan.seed, plan.seats, roles, tuple(turns), nothing, "void", reason)
    return replace(ended, task=plan.task, opening=plan.opening, notes=plan.notes)


def _void(game: TextGame, plan: MatchPlan, turns: Sequence[Turn], error: InfrastructureError) -> Episode:
    """Returns the void episode of a match, with the seat that caused it."""
    ended = void(game, plan, str(error), turns)
    if not isinstance(error, SeatFailure):
        return ended
    seat = writer(turns, error)
    failure = error.turn.attempts if seat == error.turn.seat else ()
    return replace(ended, voided_by=seat, last_phase=error.turn.phase, failure=failure)
