"""What `arena check PAIRING` looks at: whether a matchmaker plans runs that can be played, repeated and resumed."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial

from arena.conformance.generators import global_generators
from games.conformance.report import Check, Finding, Report
from games.conformance.runner import Found, run_checks
from games.errors import InputError
from games.randomness import Stream
from league.conformance.logs import DEAL, PAIR, TRIO, played
from league.matchmaking.checked import problem_with
from league.matchmaking.expand import expand
from league.matchmaking.matchmaker import Field, Matchmaker, Pairing
from league.matchmaking.registry import MATCHMAKERS
from league.records import PlannedMatch, Result

MOST_ROUNDS = 60
MOST_MATCHES = 4_000
UNEVEN = 0.25
"""share of a player's matches by which its two seats may differ"""

Make = Callable[[], Matchmaker]


def fields() -> dict[str, Field]:
    """Runs of different sizes and shapes."""

    def names(n: int) -> dict[str, None]:
        return {f"p{i:02d}": None for i in range(n)}

    return {
        "2 players": Field(names(2), {"one-v0": PAIR}, 3, 1),
        "5 players": Field(names(5), {"one-v0": PAIR}, 4, 2),
        "8 players, two games": Field(names(8), {"one-v0": PAIR, "deal-v0": DEAL}, 3, 3),
        "games of some": Field({**names(4), "p04": ("one-v0",)}, {"one-v0": PAIR, "deal-v0": DEAL}, 2, 4),
        "three seats": Field(names(4), {"trio-v0": TRIO}, 2, 5),
    }


@dataclass(frozen=True)
class Run:
    """A run that was planned and played to its end, or until it was too long."""

    field: Field
    rounds: list[Sequence[Pairing]]
    planned: list[PlannedMatch]
    log: list[Result]
    ended: bool


class Subject:
    """The matchmaker under test, made anew whenever it is called, and the runs that every check looks at."""

    def __init__(self, make: Make) -> None:
        self.make = make

    @cached_property
    def each(self) -> dict[str, Run | str]:
        """The runs of all fields; why not, for a field that the matchmaker refuses by InputError."""
        return dict(_each(self.make))

    @property
    def runs(self) -> list[tuple[str, Run]]:
        """Those that it did not refuse."""
        return [(name, run) for name, run in self.each.items() if isinstance(run, Run)]


def check_matchmaker(id: str) -> Report:
    """Check a matchmaker by its id. Raises InputError if it cannot be made."""
    MATCHMAKERS.make(id)
    return run_checks(id, Subject(partial(MATCHMAKERS.make, id)), CHECKS)


class Unplayable(Exception):
    """What a matchmaker answered cannot be played."""


def play(make: Make, field: Field, *, fresh: bool = False, shuffle: bool = False, void: float = 0.0) -> Run:
    """Plan and play a whole run: with one matchmaker, or a `fresh` one for each round, as after a restart."""
    matchmaker, order = make(), Stream(9)
    rounds: list[Sequence[Pairing]] = []
    planned: list[PlannedMatch] = []
    log: list[Result] = []
    while len(rounds) < MOST_ROUNDS and len(planned) < MOST_MATCHES:
        known = order.shuffled(log) if shuffle else log
        asked = make() if fresh else matchmaker
        found = asked.next(field, len(rounds), () if asked.ahead else known)
        if problem := problem_with(found, field):
            raise Unplayable(f"round {len(rounds)}: {problem}")
        if found is None:
            return Run(field, rounds, planned, log, True)
        new = expand(found, field.games, run="check", seed=field.seed, round=len(rounds), start=len(planned))
        rounds.append(tuple(found))
        planned += new
        log = log + played(new, len(rounds), void=void, seq=len(log))
    return Run(field, rounds, planned, log, False)


def _each(make: Make) -> Iterator[tuple[str, Run | str]]:
    """The runs of all fields; why not, for a field that the matchmaker refuses by InputError."""
    for name, field in fields().items():
        try:
            yield name, play(make, field)
        except InputError as error:
            yield name, str(error)


def _pairings(subject: Subject) -> Found:
    """Every pairing names a game of the run and players of it, as many as it has sides, nobody twice."""
    cases, refused = 0, []
    try:
        for name, run in subject.each.items():
            if isinstance(run, str):
                refused.append(f"{name}: {run}")
                continue
            cases += len(run.planned)
            twice = [p for pairings in run.rounds for p in pairings if len(set(p.players)) < len(p.players)]
            if twice:
                yield Finding("pairings", f"{name}: {twice[0].players[0]!r} meets itself, which counts for nothing")
    except Unplayable as error:
        yield Finding("pairings", str(error))
    if not cases:
        yield Finding("pairings", f"no match was planned: nothing was verified. {'; '.join(refused)}"[:400])
    elif refused:
        yield Finding("pairings", f"refused {refused[0]}"[:300], "note")
    yield Check("pairings", cases, "matches")


def _ends(subject: Subject) -> Found:
    """A run ends, and `total`, if it is told, is the number of its matches."""
    cases = 0
    for name, run in subject.runs:
        cases += 1
        if not run.ended:
            yield Finding("ends", f"{name}: no end after {len(run.rounds)} rounds, {len(run.planned):,} matches")
            continue
        told = subject.make().total(run.field)
        if told is not None and told != len(run.planned):
            yield Finding("ends", f"{name}: total is {told!r}, {len(run.planned):,} matches were planned")
    yield Check("ends", cases, "runs")


def _repeats(subject: Subject) -> Found:
    """The same arguments give the same pairings, whatever was asked before, and no global generator is drawn from."""
    drew: set[str] = set()
    with global_generators(drew):
        again = [run.rounds for _, run in Subject(subject.make).runs]
    if again != [run.rounds for _, run in subject.runs]:
        yield Finding("repeats", "planned twice, a run has other pairings; draw from a seed: field.seed and the round")
    yield from (Finding("repeats", f"it draws from the global generator {name}") for name in sorted(drew))
    yield Check("repeats", len(again), "runs")


def _resumes(subject: Subject) -> Found:
    """One made anew for each round plans the same, for a matchmaker keeps no state; so does one given another order."""
    cases = 0
    for name, run in subject.runs:
        cases += len(run.rounds)
        for told, again in (
            ("made anew in each round, as after a restart", play(subject.make, run.field, fresh=True)),
            ("with the log in another order", play(subject.make, run.field, shuffle=True)),
        ):
            if again.rounds != run.rounds:
                at = next((i for i, (a, b) in enumerate(zip(again.rounds, run.rounds, strict=False)) if a != b), "last")
                yield Finding("resumes", f"{name}: {told}, it plans another round {at}")
        matchmaker = subject.make()
        if matchmaker.ahead and matchmaker.next(run.field, 1, run.log) != matchmaker.next(run.field, 1, ()):
            yield Finding("resumes", f"{name}: it says `ahead`, and its rounds depend on the log")
    yield Check("resumes", cases, "rounds")


def _voids(subject: Subject) -> Found:
    """Void matches, even all of them, neither break it nor keep a run from its end."""
    cases = 0
    for name, run in subject.runs:
        for share in (0.3, 1.0):
            cases += 1
            if run.ended and not play(subject.make, run.field, void=share).ended:
                yield Finding("voids", f"{name}: with {share:.0%} of the matches void the run does not end")
    yield Check("voids", cases, "runs")


def _seats(subject: Subject) -> Found:
    """Everybody plays, and sits in every seat about equally often."""
    players = 0
    for name, run in subject.runs:
        sat: dict[str, Counter[str]] = defaultdict(Counter)
        for planned in run.planned:
            for seat, player in planned.match.seats.items():
                sat[player][f"{planned.match.game} {seat}"] += 1
        players += len(sat)
        if run.ended and (idle := [p for p in run.field.players if p not in sat]):
            yield Finding("seats", f"{name}: {', '.join(idle)} never played")
        for player, counts in sat.items():
            for game, info in run.field.games.items():
                each = [counts[f"{game} {seat}"] for seat in info.seats]
                if max(each) - min(each) > 2 + UNEVEN * sum(each):
                    told = ", ".join(f"{n} as {seat}" for seat, n in zip(info.seats, each, strict=True))
                    yield Finding("seats", f"{name}: {player} sat {told} in {game}; rotate, or leave mirrored=True")
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
"""name -> check, in the order they are reported"""

__all__ = ["CHECKS", "check_matchmaker"]
