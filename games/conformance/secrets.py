"""Checks that no seat sees what only another seat may know.

Two methods. If OpenSpiel says what a seat may know (its information state), all positions that the seat must not tell
apart must show it the same text; this is exact and needs no declaration. The texts that a game declares in
`secrets(seat)` are searched for in what other seats are shown (`games.conformance.leaks`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from games.conformance.leaks import ShownText, find_leaks
from games.conformance.play import Trace
from games.conformance.report import Check, Finding, excerpt, excerpts_apart
from games.conformance.subject import Subject
from games.game import Seat

MAX_TURNS = 12
MAX_INFO_MATCHES = 120
MAX_TEXTS = 100_000  # takes about 25 s; without it 22-player hold'em took three minutes


def secrets(subject: Subject) -> Iterator[Finding | Check]:
    """No observation shows another seat's secret."""
    seats = len(subject.spec.seats)
    most = max(20, MAX_TEXTS // max(1, seats * (seats - 1) * MAX_TURNS))
    shown = [s for trace in subject.traces[:most] for s in _shown_in(trace)]
    yield from find_leaks("secrets", "observation", shown, subject.spec.rules)
    cases, found = _compare_with_reference(subject.traces)
    yield from found
    if not shown and not cases and not _open_by_openspiel(subject):
        yield Finding("secrets", "no secrets(seat) declared: nothing hidden, or not verifiable", "note")
    yield Check("secrets", len(shown) + cases, "texts")


def infos(subject: Subject) -> Iterator[Finding | Check]:
    """No info of the AEC environment, action masks included, shows another seat's secret."""
    shown: list[ShownText] = []
    for trace in subject.traces[:MAX_INFO_MATCHES]:
        if subject.late:
            break
        shown += _infos_of(subject, trace)
    yield from find_leaks("infos", "info", shown, subject.spec.rules)
    yield Check("infos", len(shown), "infos")


def _open_by_openspiel(subject: Subject) -> bool:
    """Whether OpenSpiel says that the game hides nothing."""
    if len(subject.spec.seats) == 1:
        return True
    game = subject.fresh()
    game.reset(subject.seed)
    state: Any = game.openspiel_state()
    if state is None:
        return False
    kind = state.get_game().get_type()
    return bool(kind.information == kind.Information.PERFECT_INFORMATION)


def _shown_in(trace: Trace) -> Iterator[ShownText]:
    for position in trace.positions[:MAX_TURNS]:
        for owner, words in position.secrets.items():
            if not words:
                continue
            for to, text in position.texts.items():
                if to != owner:
                    own = "\n".join(position.secrets[to])
                    yield ShownText(owner, to, position.turn, trace.seed, text, words, own, trace.said(position.turn))


def _infos_of(subject: Subject, trace: Trace) -> list[ShownText]:
    """The infos of every agent at every step of a match, replayed through the environment."""
    game = subject.fresh()
    env = subject.aec(game)
    shown: list[ShownText] = []
    env.reset(seed=trace.seed)
    said = ""
    for turn, move in enumerate(trace.moves[:MAX_TURNS]):
        secrets = {seat: tuple(s for s in game.secrets(seat) if s.strip()) for seat in subject.spec.seats}
        for owner, words in secrets.items():
            for to in env.agents if words else ():
                if to != owner:
                    own = "\n".join(secrets[to])
                    shown.append(ShownText(owner, to, turn, trace.seed, repr(env.infos[to]), words, own, said))
        for seat in trace.positions[turn].acting:
            env.step(move[seat])
        said += "\n" + "\n".join(move.values())
    return shown


def _compare_with_reference(traces: Iterable[Trace]) -> tuple[int, list[Finding]]:
    """Compare the texts of positions with the same information state and the same acting seats (which are public)."""
    first: dict[tuple[Seat, str, tuple[Seat, ...]], tuple[str, int, int]] = {}
    findings = []
    reported = set()
    cases = 0
    for trace in traces:
        for position in trace.positions:
            for seat, known in position.reference.items():
                cases += 1
                text = position.texts[seat]
                before, seed, turn = first.setdefault((seat, known, position.acting), (text, trace.seed, position.turn))
                if text != before and seat not in reported:
                    reported.add(seat)
                    a, b = excerpts_apart(before, text)
                    findings.append(
                        Finding(
                            "secrets",
                            f"{seat} is shown more than it may know: {a} (seed {seed}, turn {turn}) and {b} (seed "
                            f"{trace.seed}, turn {position.turn}) have one information state {excerpt(known, 40)}",
                        )
                    )
    return cases, findings
