"""The conformance kit for matchmakers: their runs can be played, repeated and resumed."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial

from arena.conformance.generators import global_generators
from games.conformance.report import Check, Finding, Report
from games.conformance.run import Findings, run_checks
from games.errors import InputError, PluginError
from games.randomness import RandomStream
from league.conformance.logs import DEAL, PAIR, TRIO, played
from league.matchmaking.match_plans import expand
from league.matchmaking.matchmaker import Matchmaker, Pairing, PairingContext
from league.matchmaking.plugin_checks import problem_with
from league.matchmaking.registry import MATCHMAKERS
from league.records.matches import PlannedMatch, Result

MOST_ROUNDS = 60
MOST_MATCHES = 4_000
UNEVEN = 0.25
"""the share of a player's matches by which its seats may differ"""
FEW = 4
"""matches per player below which a player that never plays is only noted"""

Make = Callable[[], Matchmaker]


def contexts() -> dict[str, PairingContext]:
    """Returns runs of different sizes and shapes."""

    def names(n: int) -> dict[str, None]:
        return {f"p{i:02d}": None for i in range(n)}

    return {
        "2 players": PairingContext(names(2), {"one-v0": PAIR}, 3, 1),
        "5 players": PairingContext(names(5), {"one-v0": PAIR}, 4, 2),
        "8 players, two games": PairingContext(names(8), {"one-v0": PAIR, "deal-v0": DEAL}, 3, 3),
        "some players in one game": PairingContext(
            {**names(4), "p04": ("one-v0",)}, {"one-v0": PAIR, "deal-v0": DEAL}, 2, 4
        ),
        "three seats": PairingContext(names(4), {"trio-v0": TRIO}, 2, 5),
    }


@dataclass(frozen=True)
class SimulatedRun:
    """A run that was planned and played until it ended or became too long."""

    context: PairingContext
    rounds: list[Sequence[Pairing]]
    planned: list[PlannedMatch]
    log: list[Result]
    ended: bool


class MatchmakerSubject:
    """The matchmaker under test and the runs that every check uses; `make` returns a new matchmaker."""

    def __init__(self, make: Make) -> None:
        self.make = make

    @cached_property
    def each(self) -> dict[str, SimulatedRun | str]:
        """The run of each context, or the InputError message of a matchmaker that refuses the context."""
        return dict(_each(self.make))

    @property
    def runs(self) -> list[tuple[str, SimulatedRun]]:
        """The runs that were not refused."""
        return [(name, run) for name, run in self.each.items() if isinstance(run, SimulatedRun)]


def check_matchmaker(id: str) -> Report:
    """Check a matchmaker by its id. Raises InputError if it cannot be made."""
    MATCHMAKERS.make(id)
    return run_checks(id, MatchmakerSubject(partial(MATCHMAKERS.make, id)), CHECKS)


class Unplayable(PluginError):
    """The answer of a matchmaker cannot be played."""


def play(
    make: Make, context: PairingContext, *, fresh: bool = False, shuffle: bool = False, void: float = 0.0
) -> SimulatedRun:
    """Plan and play a whole run, with one matchmaker, or with a `fresh` one for each round, as after a restart."""
    matchmaker, order = make(), RandomStream(9)
    rounds: list[Sequence[Pairing]] = []
    planned: list[PlannedMatch] = []
    log: list[Result] = []
    while len(rounds) < MOST_ROUNDS and len(planned) < MOST_MATCHES:
        visible = order.shuffled(log) if shuffle else log
        asked = make() if fresh else matchmaker
        pairings = asked.next(context, len(rounds), () if asked.ahead else visible)
        if problem := problem_with(pairings, context):
            raise Unplayable(f"round {len(rounds)}: {problem}")
        if pairings is None:
            return SimulatedRun(context, rounds, planned, log, True)
        new = expand(pairings, context.games, run="check", seed=context.seed, round=len(rounds), start=len(planned))
        rounds.append(tuple(pairings))
        planned += new
        log = log + played(new, len(rounds), void=void, seq=len(log))
    return SimulatedRun(context, rounds, planned, log, False)


def _each(make: Make) -> Iterator[tuple[str, SimulatedRun | str]]:
    """Yields the run of each context, or the InputError message of a matchmaker that refuses the context."""
    for name, context in contexts().items():
        try:
            yield name, play(make, context)
        except InputError as error:
            yield name, str(error)


def _pairings(subject: MatchmakerSubject) -> Findings:
    """Every pairing names a game and one player of it per side, and no player twice."""
    cases, refused = 0, []
    try:
        for name, run in subject.each.items():
            if isinstance(run, str):
                refused.append(f"{name}: {run}")
                continue
            cases += len(run.planned)
            twice = [p for pairings in run.rounds for p in pairings if len(set(p.players)) < len(p.players)]
            if twice:
                yield Finding("pairings", f"{name}: {twice[0].players[0]!r} meets itself, which does not count")
    except Unplayable as error:
        yield Finding("pairings", str(error))
    else:
        yield from _refused(cases, refused)
    yield Check("pairings", cases, "matches")


def _refused(cases: int, refused: Sequence[str]) -> Iterator[Finding]:
    """What to say of the contexts that a matchmaker refuses; nothing at all may have been planned."""
    if not cases:
        yield Finding("pairings", f"no match was planned, so nothing was checked. {'; '.join(refused)}"[:400])
    elif refused:
        yield Finding("pairings", f"refused {refused[0]}"[:300], "note")


def _ends(subject: MatchmakerSubject) -> Findings:
    """A run ends, and `total`, unless None, is its number of matches."""
    cases = 0
    for name, run in subject.runs:
        cases += 1
        if not run.ended:
            yield Finding("ends", f"{name}: no end after {len(run.rounds)} rounds, {len(run.planned):,} matches")
            continue
        total = subject.make().total(run.context)
        if total is not None and total != len(run.planned):
            yield Finding("ends", f"{name}: total is {total!r}, {len(run.planned):,} matches were planned")
    yield Check("ends", cases, "runs")


def _repeats(subject: MatchmakerSubject) -> Findings:
    """The same arguments give the same pairings, and no global random generator is used."""
    drew: set[str] = set()
    with global_generators(drew):
        again = [run.rounds for _, run in MatchmakerSubject(subject.make).runs]
    if again != [run.rounds for _, run in subject.runs]:
        yield Finding(
            "repeats",
            "a run that is planned twice has different pairings; use a generator seeded by context.seed and the round",
        )
    yield from (Finding("repeats", f"uses the global generator {name}") for name in sorted(drew))
    yield Check("repeats", len(again), "runs")


def _resumes(subject: MatchmakerSubject) -> Findings:
    """A matchmaker keeps no state: a new one in each round plans the same, and so does a log in another order."""
    cases = 0
    for name, run in subject.runs:
        cases += len(run.rounds)
        for case, again in (
            ("with a new matchmaker in each round, as after a restart", play(subject.make, run.context, fresh=True)),
            ("with the log in another order", play(subject.make, run.context, shuffle=True)),
        ):
            if again.rounds != run.rounds:
                at = next((i for i, (a, b) in enumerate(zip(again.rounds, run.rounds, strict=False)) if a != b), "last")
                yield Finding("resumes", f"{name}: {case}, round {at} differs")
        matchmaker = subject.make()
        if matchmaker.ahead and matchmaker.next(run.context, 1, run.log) != matchmaker.next(run.context, 1, ()):
            yield Finding("resumes", f"{name}: `ahead` is True, but its rounds depend on the log")
    yield Check("resumes", cases, "rounds")


def _voids(subject: MatchmakerSubject) -> Findings:
    """Void matches, even if all are void, neither raise an error nor prevent the end of a run."""
    cases = 0
    for name, run in subject.runs:
        for share in (0.3, 1.0):
            cases += run.ended
            if run.ended and not play(subject.make, run.context, void=share).ended:
                yield Finding("voids", f"{name}: with {share:.0%} of the matches void the run does not end")
    yield Check("voids", cases, "runs", lacks="no run ended")


def _seats(subject: MatchmakerSubject) -> Findings:
    """Every player plays, and has every seat about equally often."""
    players = 0
    for name, run in subject.runs:
        sat: dict[str, Counter[str]] = defaultdict(Counter)
        for planned in run.planned:
            for seat, player in planned.match.seats.items():
                sat[player][f"{planned.match.game} {seat}"] += 1
        players += len(sat)
        if run.ended and (idle := [p for p in run.context.players if p not in sat]):
            few = len(run.planned) < FEW * len(run.context.players)  # with so few matches it may be chance
            yield Finding("seats", f"{name}: {', '.join(idle)} never played", "note" if few else "error")
        for player, counts in sat.items():
            for game, info in run.context.games.items():
                each = [counts[f"{game} {seat}"] for seat in info.seats]
                if max(each) - min(each) > 2 + UNEVEN * sum(each):
                    seats = ", ".join(f"{n} as {seat}" for seat, n in zip(info.seats, each, strict=True))
                    yield Finding("seats", f"{name}: {player} played {seats} in {game}; rotate, or keep mirrored=True")
                    break
    yield Check("seats", players, "players")


CHECKS = {
    "pairings": _pairings,
    "ends": _ends,
    "repeats": _repeats,
    "resumes": _resumes,
    "voids": _voids,
    "seats": _seats,
}
"""name -> check, in the order of the report"""
