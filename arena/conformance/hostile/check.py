"""Searches for texts that break a game or a role. `arena check ID --hostile` prints the report."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from typing import get_args

from arena.conformance.hostile.defect import Defect, blamed
from arena.conformance.hostile.position import TextPosition
from arena.conformance.hostile.search import TextReader, TextSearch
from arena.conformance.hostile.texts import Texts
from arena.conformance.hostile.vocabulary import Vocabulary, vocabulary
from games.aec import to_aec
from games.conformance.forgery import long_payloads, payloads
from games.conformance.play import OutOfTime, Violation
from games.conformance.report import Check, Finding, Report
from games.conformance.subject import Subject, source
from games.game import TextGame
from games.randomness import RandomStream, derive
from roles.conformance import LEGAL
from roles.prompts import written
from roles.registry import unguarded
from roles.role import Role
from roles.types import Answer, ParseError


class RoleReader:
    """Reads texts as `Role.parse` does; `legal` as there."""

    def __init__(self, role: Role, legal: tuple[str, ...] | None) -> None:
        self.role, self.legal = role, legal
        self.where = f"{role.name}, {'free text' if legal is None else f'legal are {legal}'}"
        actions = legal or LEGAL
        self.bases = tuple(written(action, form) for form in get_args(Answer) for action in actions)

    def attempt(self, text: str, follow: bool) -> None:
        """Reads a text. Raises Defect for any result but an action or a ParseError."""
        try:
            with blamed("parse"):
                action = self.role.parse(text, self.legal)
        except ParseError as error:
            if not str(error).strip():
                raise Defect("parse refuses it without a reason") from error
            return
        if not isinstance(action, str):
            raise Defect(f"parse returns {action!r:.60}")
        if self.legal is not None and action not in self.legal:
            raise Defect("parse returns what is not legal")


_MATCHES, _SHARE = 40, 0.15
"""matches whose positions are used, and the share of the time that they take, at most"""
_POSITIONS = 6
"""of one role and phase, at most"""
_NO_TEXT = "no seat writes free text; `arena check ROLE --hostile` checks the parser of a role"


def check_game(
    game: str | TextGame | Callable[[], TextGame], seconds: float = 60.0, seed: int = 0, defects: int = 5
) -> Report:
    """Searches for texts that break a game, at free-text turns of every role and phase.

    The search of a phase ends after so many defects. The report counts the texts per role and phase. Raises InputError
    for an unknown id.
    """
    began = time.monotonic()
    subject = Subject(source(game), to_aec, _MATCHES, seed, began + seconds)
    subject.play_matches(_SHARE)
    roles = {name: unguarded(name) for name in dict.fromkeys(subject.spec.seats.values())}
    words = vocabulary(subject.fresh(), *roles.values())
    forged = (*payloads(subject.spec.seats), *long_payloads(subject.spec.seats))
    try:
        places, findings = _places(subject, roles), list(subject.violations)
    except (Violation, OutOfTime) as violation:
        places, findings = {}, [Finding("play", str(violation))]
    searches = [
        TextSearch(name, role_places, _texts(seed, name, words), forged, defects)
        for name, role_places in places.items()
    ]
    played = Check("play", len(subject.traces), "matches", lacks="no match was played to its end")
    if not searches:
        lacks = _NO_TEXT if subject.traces else played.lacks
        return Report(subject.spec.id, (played, Check("texts", lacks=lacks)), tuple(findings))
    return _report(subject.spec.id, searches, [played], findings, began, seconds)


def check_role(id: str | Role, seconds: float = 60.0, seed: int = 0, defects: int = 5) -> Report:
    """Searches for texts that break the parser of a role, with listed actions and for free text; as `check_game`."""
    began = time.monotonic()
    role = unguarded(id) if isinstance(id, str) else id
    words = vocabulary(role)
    searches = [
        TextSearch(name, (RoleReader(role, legal),), _texts(seed, name, words), defects=defects)
        for name, legal in (("free text", None), ("listed actions", LEGAL))
    ]
    return _report(role.name, searches, [], [], began, seconds)


def _texts(seed: int, name: str, words: Vocabulary) -> Texts:
    return Texts(RandomStream(derive(seed, "hostile", name)), words)


def _places(subject: Subject, roles: Mapping[str, Role]) -> dict[str, list[TextReader]]:
    """Returns free-text turns of different matches by role and phase."""
    places: dict[str, list[TextReader]] = {}
    for trace in subject.traces:
        for at in trace.positions:
            for seat in at.acting:
                role = subject.spec.seats[seat]
                same = places.setdefault(f"{role}, {at.phases[seat]}", []) if at.legal[seat] is None else None
                if same is not None and len(same) < _POSITIONS:
                    same.append(TextPosition(subject, trace, at.turn, seat, roles[role]))
    return places


def _report(
    id: str, searches: Sequence[TextSearch], checks: list[Check], findings: list[Finding], began: float, seconds: float
) -> Report:
    for index, search in enumerate(searches):
        left = began + seconds - time.monotonic()
        checks.append(search.run(max(0.1, left / (len(searches) - index))))
        findings += search.findings
    tried = sum(search.tried for search in searches)
    summary = f"{tried:,} hostile texts, {time.monotonic() - began:.0f} s"
    return Report(id, tuple(checks), tuple(findings), summary)
