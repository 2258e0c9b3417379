"""Measures the end of a run at one endpoint, and checks beforehand that this will work."""

from __future__ import annotations

import statistics

import msgspec

import games
from arena import event_loop, players
from arena.evaluation import Suite, anchors
from arena.evaluation.one_shot import one_shot
from arena.evaluation.solve_rates import solve_rates
from arena.players.policy_table import tabulate
from arena.records import Episode
from arena.runner.local import LocalRunner
from games import GameSpec, InputError
from league.config.database_url import DatabaseUrl
from league.runs import stored_players
from league.study.config import IN_MATCHES, EndpointConfig
from league.training.evaluate import evaluate_player, evaluate_suite
from roles.rewards.credit import outcomes


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
    if endpoint.measure in IN_MATCHES:
        return _in_matches(player, endpoint, game, db, trust)
    report = evaluate_player(player, game, matches=0, seed=endpoint.seed, db=db, trust=trust)
    if report.exact is None:
        raise InputError(f"endpoint {endpoint.name!r} has no exact value: {report.not_exact}")
    return report.exact.nash_conv if endpoint.measure == "nash_conv" else report.exact.exploitability


def _in_matches(player: str, endpoint: EndpointConfig, game: str, db: DatabaseUrl, trust: bool) -> float:
    """Returns the mean over the player's seats in matches against the endpoint's player."""
    spec, against = games.make(game).spec, players.make(endpoint.against or "")
    snapshot = stored_players.make(player, db=db, trust=trust)
    seats = [seat for seat in _seats(spec) if endpoint.role in (None, spec.seats[seat])]
    plans = anchors.plans(spec, "player", "anchor", seats, endpoint.matches, endpoint.seed)
    try:
        if why := snapshot.supports(games.make(game)):
            raise InputError(f"{player} cannot play {game}: {why}")
        runner = LocalRunner({"player": snapshot, "anchor": against})
        episodes = event_loop.run(runner.play_all(plans))
    finally:
        snapshot.close()
        against.close()
    pairs = [(e, seat) for e in episodes for seat in seats if e.seats[seat] == "player" and e.status != "void"]
    if not pairs:
        raise InputError(f"endpoint {endpoint.name!r}: every match was void")
    return statistics.mean(_value(endpoint, episode, seat) for episode, seat in pairs)


def _seats(spec: GameSpec) -> list[str]:
    return [team[0] for team in spec.teams] or list(spec.seats)


def _value(endpoint: EndpointConfig, episode: Episode, seat: str) -> float:
    """Returns a match's value for a seat. A forfeit says nothing of it, so it is neither right nor a broken rule."""
    if endpoint.measure == "return":
        return episode.returns[seat]
    outcome = outcomes(episode).get(seat)
    if outcome is None:
        return 0.0
    return float(outcome.broke) if endpoint.measure == "broke" else outcome.right or 0.0


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
        roles = {board.spec.seats[seat] for seat in _seats(board.spec)}
        if endpoint.role not in (None, *roles):
            listed = ", ".join(sorted(roles))
            raise InputError(f"endpoint {endpoint.name!r}: {game} has no role {endpoint.role!r}; its roles: {listed}")
        opponent = players.make(endpoint.against)
        try:
            if why := opponent.supports(board):
                raise InputError(f"endpoint {endpoint.name!r}: {opponent.name} cannot play {game}: {why}")
        finally:
            opponent.close()
    elif one_shot(board) is None:
        tabulate(board)
