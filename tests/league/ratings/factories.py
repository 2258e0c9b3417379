"""Results to rate, made by hand."""

import msgspec
from hypothesis import strategies as st

from league.ratings import GameInfo
from league.records.matches import Result, SeatResult

PAIR = ("first", "second")
ZERO = "openspiel/tic_tac_toe"
NODRAW = "openspiel/hex"
THREE = "openspiel/kuhn_poker(players=3)"
DEAL = "bargain-v1"
TEAM = "openspiel/hanabi"
POKER = "openspiel/leduc_poker"
GAMES = {
    ZERO: GameInfo("zero_sum", PAIR),
    NODRAW: GameInfo("zero_sum", PAIR),
    THREE: GameInfo("zero_sum", ("a", "b", "c")),
    DEAL: GameInfo("general_sum", ("seller", "buyer")),
    TEAM: GameInfo("cooperative", PAIR),
    POKER: GameInfo("zero_sum", PAIR, stakes=True),
}


def voided(index, players, phase, game=ZERO):
    """A match that its first seat made void in this phase; "": nobody did."""
    ended = result(index, players, [0.0] * len(players), game, status="void")
    first = msgspec.structs.replace(ended.seats[0], void_phase=phase)
    return msgspec.structs.replace(ended, seats=(first, *ended.seats[1:]))


def result(index, players, scores, game=ZERO, *, status="finished", forfeits=(), pairing=None, faults=None):
    """One match: players and scores by seat; `forfeits` names seats; each seat took 2 turns and 10 tokens."""
    seats = tuple(
        SeatResult(
            seat=seat,
            role=seat,
            player=player,
            score=float(score),
            forfeited=seat in forfeits,
            turns=2,
            tokens=10,
            faults=(faults or {}).get(seat, {}),
        )
        for seat, player, score in zip(GAMES[game].seats, players, scores, strict=True)
    )
    return Result(
        index=index,
        round=0,
        pairing=pairing or f"p{index}",
        match=f"m{index}",
        game=game,
        seed=1,
        status="forfeit" if forfeits else status,
        reason="",
        seats=seats,
        seconds=0.1,
    )


@st.composite
def logs(draw):
    """A log of rotated pairings in all kinds of games, self-meetings, forfeits, voids and truncations included."""
    log = []
    for number in range(draw(st.integers(1, 9))):
        game = draw(st.sampled_from(list(GAMES)))
        seats = GAMES[game].seats
        names = draw(st.lists(st.sampled_from("uvwxyz"), min_size=len(seats), max_size=len(seats)))
        for turn in range(len(seats)):
            players = names[turn:] + names[:turn]
            scores = draw(st.lists(st.sampled_from([-1.0, 0.0, 0.1, 1.0]), min_size=len(seats), max_size=len(seats)))
            status = draw(st.sampled_from(["finished", "finished", "finished", "truncated", "void"]))
            forfeits = draw(st.sampled_from([(), (), (), (seats[0],), (seats[-1],)])) if status == "finished" else ()
            log.append(result(len(log), players, scores, game, status=status, forfeits=forfeits, pairing=f"p{number}"))
    return log
