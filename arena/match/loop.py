"""The match loop. `_script` knows the rules of a match and waits for nobody; `play` and `play_async` drive it.

The script yields the seats to ask and is sent their decisions, so that bots run without an event loop (`play`) and
models, humans and endpoints run with one (`play_async`) through the same lines.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Generator, Mapping
from time import perf_counter
from typing import Any

from msgspec.structs import replace

from arena.match.opening import play_opening
from arena.match.outside import REASON, fit_facts, fit_returns, fit_to_keep, tame_traceback
from arena.match.policy import IllegalPolicy
from arena.match.records import Decision, Episode, MatchPlan, Status, Turn
from arena.match.seats import check_seats
from arena.match.seeds import seat_seeds
from arena.match.turn import Asked, Forfeit
from arena.players.player import Player
from games import IllegalAction, TextGame, plugins
from games.errors import InfrastructureError, RunPaused
from games.forfeit import forfeit_returns, truncated_returns
from games.text import one_line
from roles import Exchange

log = logging.getLogger(__name__)
log.addFilter(tame_traceback)

Script = Generator[list[Asked], list[Decision], Episode]

DEFAULT_POLICY = IllegalPolicy()


def play(
    game: TextGame, plan: MatchPlan, players: Mapping[str, Player], policy: IllegalPolicy = DEFAULT_POLICY
) -> Episode:
    """Play one match of players that do not wait. `players` maps each seat to its player.

    Raises TypeError or InputError before the match if they do not fit it (`check_seats`), RunPaused.
    """
    check_seats(game, plan, players, may_wait=False)
    script = _script(game, plan, players, policy)
    try:
        asked = next(script)
        while True:
            asked = script.send([_act(a) for a in asked])
    except StopIteration as end:
        return end.value  # type: ignore[no-any-return]
    except RunPaused:
        raise
    except InfrastructureError as error:
        return void(game, plan, str(error))


async def play_async(
    game: TextGame, plan: MatchPlan, players: Mapping[str, Player], policy: IllegalPolicy = DEFAULT_POLICY
) -> Episode:
    """Play one match some of whose players wait; seats that act simultaneously are asked at once.

    Raises TypeError or InputError before the match if they do not fit it (`check_seats`), RunPaused.
    """
    check_seats(game, plan, players, may_wait=True)
    script = _script(game, plan, players, policy)
    try:
        step = await asyncio.to_thread(_advance, script, None) if game.blocking else _advance(script, None)
        while not isinstance(step, Episode):
            if len(step) == 1:
                decisions = [await _act_async(step[0], policy.timeout)]
            else:
                decisions = await _act_together(step, policy.timeout)
            step = (
                await asyncio.to_thread(_advance, script, decisions) if game.blocking else _advance(script, decisions)
            )
    except RunPaused:
        raise
    except InfrastructureError as error:
        return void(game, plan, str(error))
    return step


def _advance(script: Script, decisions: list[Decision] | None) -> list[Asked] | Episode:
    """Whom to ask next, or the end. A StopIteration would not survive a thread."""
    try:
        return next(script) if decisions is None else script.send(decisions)
    except StopIteration as end:
        return end.value  # type: ignore[no-any-return]


def _act(asked: Asked) -> Decision:
    began = perf_counter()
    try:
        return _checked(asked.player.act(asked.view), asked)
    except InfrastructureError:
        raise
    except Exception as error:  # noqa: BLE001  a player's own fault counts against it, not against the match
        return _crashed(asked, error)
    finally:
        asked.seconds += perf_counter() - began


async def _act_async(asked: Asked, timeout: float | None) -> Decision:
    if not asked.player.waits:
        return _act(asked)
    began, limit = perf_counter(), asyncio.timeout(timeout)
    try:
        async with limit:
            return _checked(await asked.player.act_async(asked.view), asked)
    except InfrastructureError:
        raise
    except Exception as error:  # noqa: BLE001  as in _act
        if isinstance(error, TimeoutError) and limit.expired():  # else one of the player's own
            return Decision(None, "timeout", reason=f"no answer within {timeout} s")
        return _crashed(asked, error)
    finally:
        asked.seconds += perf_counter() - began


async def _act_together(asked: list[Asked], timeout: float | None) -> list[Decision]:
    try:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(_act_async(a, timeout)) for a in asked]
    except ExceptionGroup as failures:
        # Only InfrastructureError gets here; the other seats are cancelled.
        raise next((e for e in failures.exceptions if isinstance(e, RunPaused)), failures.exceptions[0]) from None
    return [task.result() for task in tasks]


def _checked(decision: object, asked: Asked) -> Decision:
    """What a player answered. A player is anybody's code: what is no decision is its fault, and must not reach the game
    as if it were the game's.
    """
    if not isinstance(decision, Decision):
        name, method = type(asked.player).__name__, "act_async" if asked.player.waits else "act"
        raise TypeError(f"{name}.{method} returned {decision!r:.80}; a player returns arena.match.Decision(action)")
    return fit_to_keep(decision, asked.view.legal)


def _crashed(asked: Asked, error: Exception) -> Decision:
    log.warning("player %s failed as %s: %r", asked.player.name, asked.seat, error, exc_info=True)
    place = plugins.culprit(error)
    return Decision(None, "error", reason=one_line(f"{type(error).__name__}: {error}{place and f' ({place})'}", REASON))


def _script(game: TextGame, plan: MatchPlan, players: Mapping[str, Player], policy: IllegalPolicy) -> Script:
    """A match, from reset to episode."""
    started = perf_counter()
    spec = game.spec
    turns: list[Turn] = []
    status: Status = "finished"
    reason, offender = "", ""
    failure: tuple[Decision, ...] = ()
    facts: dict[str, Any] = {}
    try:
        game.given(plan.task)
        game.reset(plan.seed)
        if plan.opening:
            turns += play_opening(game, plan)
        yield from _turns(game, plan, players, policy, turns)
        returns = fit_returns(game.returns(), spec.seats)
        if game.acting:
            status, reason = "truncated", f"no end within {spec.max_turns} turns"
            returns = truncated_returns(spec, returns)
        facts = fit_facts(game.facts())
    except Forfeit as loss:
        status, offender, failure = "forfeit", loss.seat, loss.attempts
        reason = f"{failure[-1].category}: {failure[-1].reason}"
        returns = forfeit_returns(spec, offender)
    except InfrastructureError:
        raise
    except Exception as error:
        log.exception("game %s failed in match %s", plan.game, plan.id)
        return void(game, plan, f"the game failed: {plugins.reason(error, type(game).__module__)}")
    return Episode(
        match=plan.id,
        game=plan.game,
        seed=plan.seed,
        seats=plan.seats,
        roles=dict(spec.seats),
        turns=tuple(turns),
        returns=returns,
        status=status,
        reason=reason,
        forfeited_by=offender,
        failure=failure,
        seconds=perf_counter() - started,
        facts=facts,
        task=plan.task,
        opening=plan.opening,
    )


def _turns(
    game: TextGame, plan: MatchPlan, players: Mapping[str, Player], policy: IllegalPolicy, turns: list[Turn]
) -> Generator[list[Asked], list[Decision], None]:
    """Turn after turn until the match is over or has used up its turns; appends to `turns`."""
    most = game.spec.max_turns
    memory: dict[str, list[Exchange]] = {seat: [] for seat, player in players.items() if player.remembers}
    seeds = seat_seeds(plan.seed, players, game.spec.seats)
    while (acting := game.acting) and len(turns) < most:
        if len(acting) > 1:
            yield from _joint_turn(game, plan, acting, seeds, players, policy, memory, turns)
            continue
        # The common case is written out: a joint turn of one seat takes 1.3 times as long.
        seat = acting[0]
        asked = Asked(game, plan.id, seat, players[seat], policy, seeds[seat], len(turns), memory.get(seat))
        while True:
            if asked.action is None:
                (decision,) = yield [asked]
                asked.take(decision)
                continue
            try:
                game.apply({seat: asked.action})
                break
            except IllegalAction as error:
                asked.refuse(str(error))
        turns.append(asked.record())


def _joint_turn(
    game: TextGame,
    plan: MatchPlan,
    acting: tuple[str, ...],
    seeds: Mapping[str, int],
    players: Mapping[str, Player],
    policy: IllegalPolicy,
    memory: Mapping[str, list[Exchange]],
    turns: list[Turn],
) -> Generator[list[Asked], list[Decision], None]:
    """Ask seats that act at once until the game takes all their actions; a refused seat alone is asked again."""
    asked = {
        seat: Asked(game, plan.id, seat, players[seat], policy, seeds[seat], len(turns) + i, memory.get(seat))
        for i, seat in enumerate(acting)
    }
    while True:
        while missing := [a for a in asked.values() if a.action is None]:
            decisions = yield missing
            for a, decision in zip(missing, decisions, strict=True):
                a.take(decision)
        try:
            game.apply({seat: a.action for seat, a in asked.items() if a.action is not None})
            break
        except IllegalAction as error:
            if error.seat not in asked:
                raise  # the game does not say whose action it refuses: it is at fault
            asked[error.seat].refuse(str(error))
    turns += [a.record() for a in asked.values()]


def void(game: TextGame, plan: MatchPlan, reason: str) -> Episode:
    """The record of a match that a failure below it ended: nobody won, nobody lost."""
    roles, nothing = dict(game.spec.seats), dict.fromkeys(game.spec.seats, 0.0)
    ended = Episode(plan.id, plan.game, plan.seed, plan.seats, roles, (), nothing, "void", one_line(reason, REASON))
    return replace(ended, task=plan.task, opening=plan.opening)
