"""Measures the end of a run at one endpoint, and checks beforehand that this will work."""

from __future__ import annotations

import statistics

import msgspec

import games
from arena import event_loop, players
from arena.evaluation import Suite
from arena.evaluation.one_shot import one_shot
from arena.evaluation.solve_rates import solve_rates
from arena.players.policy_table import tabulate
from games import InputError
from league.config.database_url import DatabaseUrl
from league.runs import stored_players
from league.study.config import EndpointConfig
from league.training.evaluate import evaluate_player, evaluate_suite


class Measurement(msgspec.Struct, frozen=True):
    """What an endpoint says of one run."""

    value: float
    items: dict[str, float] = {}
    """task -> 1 for a right answer, 0 for another; or game -> value; {} for an endpoint without items"""


def measured(player: str, endpoint: EndpointConfig, db: DatabaseUrl, *, trust: bool = False) -> Measurement:
    """Returns the measurement of a snapshot. Raises InputError if there is none."""
    if endpoint.suite is not None:
        suite, tasks = endpoint.suite, endpoint.tasks
        score = evaluate_suite(player, suite, tasks=tasks, seed=endpoint.seed, db=db, trust=trust)
        return Measurement(score.all.rate, {task: float(right) for task, right in score.answers.items()})
    values = {game: _of_game(player, endpoint, game, db, trust) for game in endpoint.games}
    return Measurement(statistics.mean(values.values()), values if len(values) > 1 else {})


def _of_game(player: str, endpoint: EndpointConfig, game: str, db: DatabaseUrl, trust: bool) -> float:
    if endpoint.measure == "solved":
        return _solved(player, endpoint, game, db)
    against = [] if endpoint.against is None else [endpoint.against]
    matches = endpoint.matches if against else 0
    report = evaluate_player(player, game, matches=matches, against=against, seed=endpoint.seed, db=db, trust=trust)
    if against:
        if not report.seats:
            raise InputError(f"endpoint {endpoint.name!r}: {', '.join(report.skipped.values())}")
        return statistics.mean(seat.score for seat in report.seats)
    if report.exact is None:
        raise InputError(f"endpoint {endpoint.name!r} has no exact value: {report.not_exact}")
    return report.exact.nash_conv if endpoint.measure == "nash_conv" else report.exact.exploitability


def _solved(player: str, endpoint: EndpointConfig, game: str, db: DatabaseUrl) -> float:
    """Returns the mean over all kinds of task, without items: the kinds are not a sample of others."""
    snapshot = stored_players.make(player, db=db)
    try:
        rates = event_loop.run(solve_rates(snapshot, games.make(game), endpoint.tasks, endpoint.seed))
    finally:
        snapshot.close()
    return statistics.mean(statistics.mean(tasks.values()) for tasks in rates.values())


def check_endpoint(endpoint: EndpointConfig) -> None:
    """Raises InputError if a game, player or suite cannot be made, or a game is too large for exact values."""
    if endpoint.suite is not None:
        Suite(endpoint.suite, 1, endpoint.seed)
        return
    for game in endpoint.games:
        _check_game(endpoint, game)


def _check_game(endpoint: EndpointConfig, game: str) -> None:
    board = games.make(game)
    if endpoint.measure == "solved":
        if board.task_source is None:
            raise InputError(f"endpoint {endpoint.name!r}: {game} has no task source; write tasks=...")
        return
    if endpoint.against is not None:
        opponent = players.make(endpoint.against)
        try:
            if why := opponent.supports(board):
                raise InputError(f"endpoint {endpoint.name!r}: {opponent.name} cannot play {game}: {why}")
        finally:
            opponent.close()
    elif one_shot(board) is None:
        tabulate(board)
