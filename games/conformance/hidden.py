"""Noninterference: a hidden move changes nothing that a seat without the right to know it reads.

A match is played again with one move changed. The move is hidden if the words that changed are the actor's secrets
afterwards. Then

- until another seat acts, every other seat must read exactly the same;
- later its texts may differ, because the game may answer (hit or miss), but not show the hidden words themselves;
- while seats that act at once have not all chosen, no seat reads anything of the choice of another, secret or not.

A seat may know the words if they are among its secrets too. What a game says in `disclosure(seat)` may be known to all:
moves for which it differs are not compared. Nothing is compared after the end of a match.
"""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from games.conformance.play import Trace, replayed
from games.conformance.replies import alternatives, secrets_later, word_changes, words
from games.conformance.report import Finding, excerpt, excerpts_apart
from games.conformance.subject import Subject
from games.conformance.views import PositionView, env_views, pairs
from games.game import Seat

MAX_SPOTS = 40
"""turns with hidden moves that are changed"""
MAX_ALIKE = 6
"""most changes with the same seat and turn"""
MIN_JOINED = 4
"""characters of a word that is found although spaces or signs stand between its letters"""
MIN_REPEATS = 3
"""comparisons, all with the hidden word, that make a leak after other seats have acted"""

Replay = Callable[[Subject, Trace, int, Mapping[Seat, str]], list[PositionView]]


@dataclass(frozen=True, slots=True)
class MoveChange:
    """One move of a recorded match, and another one in its place."""

    trace: Trace
    turn: int
    seat: Seat
    texts: tuple[str, str]

    def move(self, number: int) -> Mapping[Seat, str]:
        """Returns the whole move with the recorded text (0) or the other one (1)."""
        return {**self.trace.moves[self.turn], self.seat: self.texts[number]}


@dataclass(slots=True)
class HiddenComparisons:
    """What the seats read after hidden moves, for one kind of text."""

    check: str
    what: str
    cases: int = 0
    """texts of seats that may not know, compared between two matches"""
    unmatched: set[Seat] = field(default_factory=set)
    """seats whose moves change secrets and other words together, in games without an OpenSpiel state"""
    compared: set[Seat] = field(default_factory=set)
    leaks: dict[tuple[Seat, Seat], Finding] = field(default_factory=dict)
    """the first leak of each owner to each reader"""
    answers: dict[tuple[Seat, Seat, int, int], list[str]] = field(default_factory=lambda: defaultdict(list))
    """owner, reader, turn of the move, turn -> for each comparison after others acted, the leak or an empty text"""

    def add(self, change: MoveChange, replays: Sequence[list[PositionView]]) -> None:
        """Compares two replays of a match, moment by moment."""
        for one, other in pairs(*replays):
            secrets = _gained(one, other, change.seat), _gained(other, one, change.seat)
            if all(secrets) and not change.trace.positions[change.turn].reference:
                self.unmatched.add(change.seat)
            hidden = all(secrets) and covers(change.texts, secrets) and one.disclosed == other.disclosed
            for reader in one.texts if hidden or one.sealed else ():
                if reader != change.seat and (one.sealed or not _entitled(reader, (one, other), secrets)):
                    self._compare(change, reader, (one, other), secrets)

    def findings(self) -> Iterator[Finding]:
        """Yields leaks, possible leaks, and the seats for which nothing could be compared."""
        for (owner, reader, _, _), messages in sorted(self.answers.items()):
            if all(messages) and len(messages) >= MIN_REPEATS:
                self.leaks.setdefault((owner, reader), Finding(self.check, messages[0]))
        yield from self.leaks.values()
        for (owner, reader, _, turn), messages in sorted(self.answers.items()):
            if any(messages) and (owner, reader) not in self.leaks:
                count = f"{sum(map(bool, messages))} of {len(messages)} comparisons"
                what = f"turn {turn}: in {count} {reader} reads words of {owner}'s hidden move"
                yield Finding(self.check, f"{what}; a result of the moves, or a leak", "note")
        for seat in sorted(self.unmatched - self.compared):
            what = f"not verifiable: {seat}'s moves change secrets({seat!r}), but no two differ only in words of them"
            yield Finding(self.check, f"{what}; declare the hidden words of the move, and offer two examples()", "note")

    def _compare(
        self,
        change: MoveChange,
        reader: Seat,
        views: tuple[PositionView, PositionView],
        secrets: Sequence[tuple[str, ...]],
    ) -> None:
        one, other = views
        texts = one.texts[reader], other.texts[reader]
        self.cases += 1
        self.compared.add(change.seat)
        alone = all(set(move) == {change.seat} for move in change.trace.moves[change.turn : one.turn])
        if one.sealed or (alone and one.secrets[reader] == other.secrets[reader]):
            if texts[0] != texts[1]:
                message = self._message(change, reader, one, texts)
                self.leaks.setdefault((change.seat, reader), Finding(self.check, message))
            return
        leak = _shows(secrets, change.texts, texts)
        message = self._message(change, reader, one, texts) if leak else ""
        self.answers[change.seat, reader, change.turn, one.turn].append(message)

    def _message(self, change: MoveChange, reader: Seat, view: PositionView, texts: tuple[str, str]) -> str:
        excerpts = zip(excerpts_apart(*texts), change.texts, strict=True)
        both = ", ".join(f"{text} after {excerpt(move, 40)}" for text, move in excerpts)
        reads = f"seed {change.trace.seed}, turn {view.turn}: {reader}'s {self.what}"
        if view.sealed:
            return f"{reads} shows the choice of {change.seat} before all have chosen: {both}"
        hidden = f"{change.seat}'s hidden move of turn {change.turn}"
        return f"{reads} depends on {hidden}: {both}; what all may know of it belongs in disclosure({change.seat!r})"


def hidden_moves(subject: Subject, check: str, what: str, replay: Replay) -> HiddenComparisons:
    """Changes one move after another and compares what the other seats read."""
    comparisons = HiddenComparisons(check, what)
    for change in _changes(subject, at_once=replay is env_views):
        comparisons.add(change, [replay(subject, change.trace, change.turn, change.move(i)) for i in (0, 1)])
    return comparisons


def _changes(subject: Subject, at_once: bool) -> Iterator[MoveChange]:
    """Yields every changed move that is tried: of hidden moves, and of moves `at_once`."""
    for trace, turn, seat in _spots(subject, at_once):
        if subject.late:
            return
        game = replayed(subject.fresh, trace, turn)
        for text in alternatives(subject, game, trace, turn, seat):
            yield MoveChange(trace, turn, seat, (trace.moves[turn][seat], text))


def _spots(subject: Subject, at_once: bool) -> list[tuple[Trace, int, Seat]]:
    """Returns turns whose move leaves the seat with new secrets, of several matches; or turns of several seats."""
    if len(subject.spec.seats) < 2:
        return []
    alike: dict[tuple[Seat, int], int] = defaultdict(int)
    spots = []
    for trace in subject.traces:
        for turn, move in enumerate(trace.moves):
            for seat in move:
                hides = (at_once and len(move) > 1) or secrets_later(trace, turn, seat)
                if hides and alike[seat, turn] < MAX_ALIKE:
                    alike[seat, turn] += 1
                    spots.append((trace, turn, seat))
    return spots[:MAX_SPOTS]


def _gained(view: PositionView, other: PositionView, seat: Seat) -> tuple[str, ...]:
    """Returns the secrets of a seat in one replay and not in the other."""
    return tuple(s for s in view.secrets[seat] if s not in other.secrets[seat])


def covers(texts: tuple[str, str], fresh: Sequence[tuple[str, ...]]) -> bool:
    """Returns whether all that differs between two actions is secret."""
    changed = word_changes(*texts)
    secrets = [(set(words(joined)), squeezed(joined)) for joined in map(" ".join, fresh)]
    if not changed:
        return all(squeezed(text) in all_letters for text, (_, all_letters) in zip(texts, secrets, strict=True))
    return all(any(w in single or squeezed(w) in letters for single, letters in secrets) for w in changed)


def _entitled(reader: Seat, views: tuple[PositionView, PositionView], fresh: Sequence[tuple[str, ...]]) -> bool:
    """Returns whether the secrets are also secrets of the reader."""
    return all(
        any(piece in words(" ".join(view.secrets[reader])) for piece in _pieces(gained, others))
        for view, gained, others in zip(views, fresh, reversed(fresh), strict=True)
    )


def _shows(fresh: Sequence[tuple[str, ...]], moves: tuple[str, str], texts: tuple[str, str]) -> bool:
    """Returns whether each text contains more words of its own hidden move than the other text does."""
    return all(
        any(
            times(piece, texts[i]) > times(piece, texts[1 - i])
            for piece in {*_pieces(fresh[i], fresh[1 - i]), *_pieces((moves[i],), (moves[1 - i],))}
        )
        for i in (0, 1)
    )


def _pieces(gained: Sequence[str], others: Sequence[str]) -> set[str]:
    """Returns the words that only these texts have, and the texts as a whole."""
    elsewhere = set(words(" ".join(others)))
    return {w for w in words(" ".join(gained)) if w not in elsewhere} | {squeezed(text) for text in gained}


def times(piece: str, text: str) -> int:
    """Returns how often a word occurs in a text: as a word, or a longer one also with signs between its letters."""
    whole = words(text).count(piece)
    return max(whole, squeezed(text).count(squeezed(piece))) if len(piece) >= MIN_JOINED else whole


def squeezed(text: str) -> str:
    """Returns the letters and digits of a text, without case, accents of form, spaces and signs."""
    return "".join(c for c in unicodedata.normalize("NFKC", text).casefold() if c.isalnum())
