"""Matches and episodes that the store's tests write: real records, made from a number."""

from arena.match import Decision, Episode, MatchPlan, Sample, Turn
from games.randomness import RandomStream
from league.records.matches import PlannedMatch

SEATS = {"player_0": "alice", "player_1": "bob"}


def planned(index, name="m", game="openspiel/kuhn_poker", seats=SEATS):
    return PlannedMatch(index, index // 4, f"p{index // 2}", MatchPlan(f"{name}{index:04d}", game, index * 7, seats))


def plan_of(size, name="m"):
    return [planned(i, name) for i in range(size)]


def episode(match, status="finished", salt=0):
    """Two turns, one by a model; all of it follows from the match's seed and `salt`."""
    plan = match.match
    rng = RandomStream(plan.seed + salt)
    ids = tuple(rng.below(49152) for _ in range(6))
    failed = Decision(None, "illegal", text="Fly", reason="no such action", sample=Sample(ids, ids[:1], (-0.5,)))
    played = Decision("Bet", text="\\boxed{Bet}", sample=Sample(ids, ids[:2], (-0.25, -1.5), ((1, 2), None)))
    turns = (
        Turn("player_0", "first", "play", "alice", "Bet", (failed, played), 0.25, trainable=True),
        Turn("player_1", "second", "play", "bob", "Pass", (Decision("Pass"),), 0.125),
    )
    score = float(rng.below(3) - 1)
    returns = {} if status == "void" else {"player_0": score, "player_1": -score}
    roles = {"player_0": "first", "player_1": "second"}
    reason = "the engine died" if status == "void" else ""
    return Episode(plan.id, plan.game, plan.seed, plan.seats, roles, turns, returns, status, reason, seconds=0.5)


def finished(match, status="finished"):
    return match, episode(match, status)


def transaction(store):
    """Returns a transaction on a store's own connection, for SQL that no method of the store runs."""
    return store._db.write()
