"""Checks that no seat sees what only another seat may know.

Three methods. If OpenSpiel says what a seat may know (its information state), all positions that the seat must not tell
apart must show it the same text; this is exact and needs no declaration. The texts that a game declares in
`secrets(seat)` are searched for in what other seats are shown (`games.conformance.leaks`). A match is played again with
one hidden move changed, and the others must read the same (`games.conformance.hidden`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from games.conformance.hidden import hidden_moves
from games.conformance.leaks import ReaderText, leaks
from games.conformance.play import Trace
from games.conformance.report import Check, Finding, excerpt, excerpts_apart
from games.conformance.subject import Subject
from games.conformance.views import env_views, game_views
from games.game import Seat

MAX_TURNS = 12
MAX_INFO_MATCHES = 120
MAX_TEXTS = 100_000  # takes about 25 s; without it 22-player hold'em took three minutes


def secrets(subject: Subject) -> Iterator[Finding | Check]:
    """No observation shows another seat's secret, and hidden moves change no observation."""
    if reason := _nothing_hidden(subject):
        yield Check("secrets", skipped=reason)
        return
    seats = len(subject.spec.seats)
    most = max(20, MAX_TEXTS // max(1, seats * (seats - 1) * MAX_TURNS))
    texts = [s for trace in subject.traces[:most] for s in _reader_texts(trace)]
    searched, findings = leaks("secrets", "observation", subject.spec.rules, texts)
    yield from findings
    moves = hidden_moves(subject, "secrets", "observation", game_views)
    yield from moves.findings()
    cases, differences = _compare_with_reference(subject.traces)
    yield from differences
    yield Check("secrets", searched + moves.cases + cases, "comparisons", lacks=_lack(subject))


def infos(subject: Subject) -> Iterator[Finding | Check]:
    """No info of the AEC environment, action masks included, shows another seat's secret or hidden move."""
    if reason := _nothing_hidden(subject):
        yield Check("infos", skipped=reason)
        return
    texts: list[ReaderText] = []
    for trace in subject.traces[:MAX_INFO_MATCHES]:
        if subject.late:
            break
        texts += _infos_of(subject, trace)
    searched, findings = leaks("infos", "info", subject.spec.rules, texts)
    yield from findings
    moves = hidden_moves(subject, "infos", "info", env_views)
    yield from moves.findings()
    yield Check("infos", searched + moves.cases, "comparisons", lacks=_lack(subject))


def _lack(subject: Subject) -> str:
    """Returns why no text could be compared."""
    if any(words for trace in subject.traces for p in trace.positions for words in p.secrets.values()):
        return "no secret differs between matches, and no hidden move could be changed"
    return "secrets(seat) declares nothing; return what only the seat may know, its hidden moves included"


def _nothing_hidden(subject: Subject) -> str:
    """Returns why nothing can be hidden: there is one seat, or OpenSpiel says so. Empty if something may be."""
    if len(subject.spec.seats) == 1:
        return "one seat: nothing is hidden from another"
    return "OpenSpiel: a game of perfect information" if _open_by_openspiel(subject) else ""


def _open_by_openspiel(subject: Subject) -> bool:
    """Returns whether OpenSpiel says that the game hides nothing."""
    game = subject.fresh()
    game.reset(subject.seed)
    state: Any = game.openspiel_state()
    if state is None:
        return False
    kind = state.get_game().get_type()
    return bool(kind.information == kind.Information.PERFECT_INFORMATION)


def _reader_texts(trace: Trace) -> Iterator[ReaderText]:
    for position in trace.positions[:MAX_TURNS]:
        for owner, words in position.secrets.items():
            if not words:
                continue
            for to, text in position.texts.items():
                if to != owner:
                    reader_secrets = "\n".join(position.secrets[to])
                    reader_actions = trace.shown_actions(position.turn, to, owner)
                    yield ReaderText(owner, to, position.turn, trace.seed, text, words, reader_secrets, reader_actions)


def _infos_of(subject: Subject, trace: Trace) -> list[ReaderText]:
    """Returns the infos of every agent at every step of a match, replayed through the environment."""
    game = subject.fresh()
    env = subject.aec(game)
    texts: list[ReaderText] = []
    env.reset(seed=trace.seed)
    for turn, move in enumerate(trace.moves[:MAX_TURNS]):
        secrets = {seat: tuple(s for s in game.secrets(seat) if s.strip()) for seat in subject.spec.seats}
        for owner, words in secrets.items():
            for to in env.agents if words else ():
                if to != owner:
                    reader_secrets, reader_actions = "\n".join(secrets[to]), trace.shown_actions(turn, to, owner)
                    texts.append(
                        ReaderText(
                            owner, to, turn, trace.seed, repr(env.infos[to]), words, reader_secrets, reader_actions
                        )
                    )
        for seat in trace.positions[turn].acting:
            env.step(move[seat])
    return texts


def _compare_with_reference(traces: Iterable[Trace]) -> tuple[int, list[Finding]]:
    """Compare the texts of positions with the same information state and the same acting seats (which are public)."""
    first: dict[tuple[Seat, str, tuple[Seat, ...]], tuple[str, int, int]] = {}
    findings = []
    reported = set()
    cases = 0
    for trace in traces:
        for position in trace.positions:
            for seat, state in position.reference.items():
                text, key = position.texts[seat], (seat, state, position.acting)
                cases += key in first
                before, seed, turn = first.setdefault(key, (text, trace.seed, position.turn))
                if text != before and seat not in reported:
                    reported.add(seat)
                    a, b = excerpts_apart(before, text)
                    findings.append(
                        Finding(
                            "secrets",
                            f"{seat} is shown more than it may know: {a} (seed {seed}, turn {turn}) and {b} (seed "
                            f"{trace.seed}, turn {position.turn}) have one information state {excerpt(state, 40)}",
                        )
                    )
    return cases, findings
