"""Checks that illegal actions raise IllegalAction and change nothing, and that legal ones are accepted."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from games.conformance.play import Trace, Violation, replayed
from games.conformance.report import Check, Finding, excerpt
from games.conformance.subject import Subject
from games.errors import IllegalAction
from games.game import Seat, TextGame

MAX_POSITIONS = 24
ACCEPTED = "is accepted"
CHANGES = "is refused but changes the game"


def hostile_texts(legal: str) -> tuple[str, ...]:
    """Returns illegal texts, some made from a legal one."""
    return (
        "",
        " \t\n",
        "zq7 is no action",
        f"{legal} please",
        f"not {legal}",
        f"{legal}, {legal}",
        f"{legal}\n{legal}",
        f'{{"action": "{legal}"}}',
        f"\\boxed{{{legal}}}",
        "-1",
        "1000000",
        "1e400",
        "None",
        "\x00\x1b[31m\u202e\ud800",
        "日本語 👍 ﷺ",
        "<|im_start|>system",
        "x" * 50_000,
    )


def illegal(subject: Subject) -> Iterator[Finding | Check]:
    """Hostile texts are refused on turns with listed actions, and never crash a free-text turn."""
    cases = 0
    for trace, turn in subject.spread(MAX_POSITIONS):
        if cases and subject.late:
            break
        for finding in _try_texts(subject, trace, turn):
            if finding is not None:
                yield finding
            cases += 1
    yield Check("illegal", cases, "texts")


def wrong_seat(subject: Subject) -> Iterator[Finding | Check]:
    """The game refuses an action of a seat that is not acting, and moves that lack an acting seat."""
    cases = 0
    for trace, turn in subject.spread(MAX_POSITIONS):
        if cases and subject.late:
            break
        move, position = trace.moves[turn], trace.positions[turn]
        wrong: list[dict[Seat, str]] = [
            {seat: text} for seat in subject.spec.seats if seat not in position.acting for text in [*move.values()][:1]
        ]
        if len(move) > 1:
            wrong += [{s: t for s, t in move.items() if s != left_out} for left_out in move]
        if not wrong:
            continue
        game = replayed(subject.fresh, trace, turn)
        for actions in wrong:
            cases += 1
            problem = _refusal(game, actions)
            if problem:
                where = f"seed {trace.seed}, turn {turn}: acting is {position.acting}, apply({actions!r})"
                yield Finding("illegal" if problem == CHANGES else "turns", f"{where} {problem}")
                game = replayed(subject.fresh, trace, turn)
    decisions = sum(len(t.moves) for t in subject.traces)
    yield Check("turns", decisions + cases, "turns")


def legal(subject: Subject) -> Iterator[Finding | Check]:
    """Every listed action of sampled positions, and every example of a free-text turn, is accepted."""
    cases = 0
    for trace, turn in subject.spread(MAX_POSITIONS // 2):
        if cases and (subject.late or turn > 200):
            continue
        move, position = trace.moves[turn], trace.positions[turn]
        for seat in position.acting:
            options = position.legal[seat] or replayed(subject.fresh, trace, turn).examples(seat)
            for text in options[:20]:
                cases += 1
                game = replayed(subject.fresh, trace, turn)
                try:
                    game.apply({**move, seat: text})
                except IllegalAction as error:
                    yield Finding(
                        "legal", f"seed {trace.seed}, turn {turn}: {seat}'s legal {text!r} is refused: {error}"
                    )
                except Exception as error:  # noqa: BLE001  a game under test can raise anything
                    yield Finding("legal", f"seed {trace.seed}, turn {turn}: {seat}'s legal {text!r} raised {error!r}")
    yield Check("legal", sum(len(t.moves) for t in subject.traces) + cases, "actions")


def _try_texts(subject: Subject, trace: Trace, turn: int) -> Iterator[Finding | None]:
    """One item for each text, None if it is handled correctly."""
    move, position = trace.moves[turn], trace.positions[turn]
    seat = position.acting[turn % len(position.acting)]
    listed = position.legal[seat]
    game = replayed(subject.fresh, trace, turn)
    same = {_normal(text) for text in listed or ()}
    for text in hostile_texts(move[seat]):
        if _normal(text) in same:
            continue
        problem = _refusal(game, {**move, seat: text})
        if problem == ACCEPTED and listed is None:
            problem = ""
            game = replayed(subject.fresh, trace, turn)
        if problem:
            yield Finding("illegal", f"seed {trace.seed}, turn {turn}, {seat}: {excerpt(text, 40)} {problem}")
            game = replayed(subject.fresh, trace, turn)
        else:
            yield None


def _refusal(game: TextGame, actions: Mapping[Seat, str]) -> str:
    """Returns the problem with a refusal; empty if the game raises IllegalAction and nothing changes."""
    before = snapshot(game)
    try:
        game.apply(actions)
    except IllegalAction as error:
        if snapshot(game) != before:
            return CHANGES
        return "" if str(error).strip() else "is refused without a reason"
    except Exception as error:  # noqa: BLE001  a game under test can raise anything
        return f"raises {type(error).__name__}, not IllegalAction: {excerpt(str(error))}"
    return ACCEPTED


def snapshot(game: TextGame) -> tuple[Any, ...]:
    """Returns everything visible of a position."""
    seats = tuple(game.spec.seats)
    try:
        views = tuple((game.observe(s), game.legal(s), game.secrets(s)) for s in seats)
        return game.acting, views, dict(game.returns())
    except Exception as error:
        raise Violation("play", f"the game cannot be observed after a refused action: {error!r}") from error


def _normal(text: str) -> str:
    return " ".join(text.split()).casefold()
