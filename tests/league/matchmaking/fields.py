"""Runs to plan, and players that decide their matches by a hidden strength."""

import random

from league.matchmaking import PairingContext, expand
from league.ratings import GameInfo
from league.records.matches import Result, SeatResult

PAIR = GameInfo("zero_sum", ("first", "second"))
TRIO = GameInfo("zero_sum", ("a", "b", "c"))


def field(n, games=None, *, rounds=1, seed=7):
    return PairingContext({f"p{i:02d}": None for i in range(n)}, games or {"g-v0": PAIR}, rounds, seed)


def play(planned, rng, *, void=0.0):
    """A result for each planned match: the lower name is likelier to win."""
    log = []
    for one in planned:
        scores = {player: rng.random() - 0.03 * int(player[1:] or "0") for player in one.match.seats.values()}
        status = "void" if rng.random() < void else "finished"
        seats = tuple(SeatResult(seat, seat, player, scores[player]) for seat, player in one.match.seats.items())
        log.append(
            Result(
                one.index, one.round, one.pairing, one.match.id, one.match.game, one.match.seed, status, "", seats, 0.1
            )
        )
    return log


def run(matchmaker, of, *, void=0.0, seed=1, shuffle=False):
    """Plan and play all rounds: (pairings of each round, all planned matches, log)."""
    rng, order = random.Random(seed), random.Random(99)
    rounds, planned, log = [], [], []
    while (pairings := matchmaker.next(of, len(rounds), log)) is not None:
        matches = expand(pairings, of.games, run="run", seed=of.seed, round=len(rounds), start=len(planned))
        rounds.append(list(pairings))
        planned += matches
        log = log + play(matches, rng, void=void)
        if shuffle:
            order.shuffle(log)
    return rounds, planned, log
