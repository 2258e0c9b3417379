"""Checks the contract of exact measures: `openspiel_state`, `from_openspiel` and `place` agree with the game."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from games.conformance.play import blamed, replayed
from games.conformance.report import Check, Finding, excerpt, excerpts_apart
from games.conformance.subject import Subject
from games.errors import InputError
from games.game import TextGame

MAX_POSITIONS = 60


def exact(subject: Subject) -> Iterator[Finding | Check]:
    """OpenSpiel's actions are the legal texts, and a game placed at a state shows what the match showed there."""
    game = subject.fresh()
    game.reset(subject.seed)
    if game.openspiel_state() is None:
        yield Check("exact", skipped="openspiel_state() is None, so it has no exact measures")
        return
    cases = 0
    for trace, turn in subject.spread(MAX_POSITIONS):
        if subject.late:
            break
        played = replayed(subject.fresh, trace, turn)
        where = f"seed {trace.seed}, turn {turn}"
        with blamed("exact", f"openspiel_state() ({where})"):
            problem = _menus(played) or _placed(played, subject.fresh(), trace.seed)
        cases += 1
        if problem:
            yield Finding("exact", f"{where}: {problem}")
    yield Check("exact", cases, "positions", lacks="no match was played to its end")


def _menus(game: TextGame) -> str:
    """Returns how the legal texts of an acting seat differ from OpenSpiel's legal actions."""
    state: Any = game.openspiel_state()
    for player, seat in enumerate(game.spec.seats):
        if seat not in game.acting:
            continue
        texts = [game.from_openspiel(state.action_to_string(player, a)) for a in state.legal_actions(player)]
        legal = game.legal(seat) or ()
        if sorted(texts) != sorted(legal):
            odd = sorted(set(texts) ^ set(legal))[:1] or texts[:1]
            return (
                f"from_openspiel gives {len(texts)} texts for {seat}, legal {len(legal)}; they differ in {odd[0]!r:.60}"
            )
    return ""


def _placed(game: TextGame, other: TextGame, seed: int) -> str:
    """Returns how another game, placed at the state of this one, differs from it."""
    if type(game).place is TextGame.place:
        return ""
    state: Any = game.openspiel_state()
    history = state.history()
    other.reset(seed + 1)
    try:
        other.place(state)
    except InputError:  # its observations depend on more than the state, so it has no exact measures
        return ""
    if other.acting != game.acting:
        return f"place() leads to acting {other.acting}; in the match it is {game.acting}"
    for seat in game.acting:
        if (text := other.observe(seat).text) != game.observe(seat).text:
            here, there = excerpts_apart(game.observe(seat).text, text)
            return f"{seat} reads {here}; after place() {there}"
        if other.legal(seat) != game.legal(seat):
            return f"after place() the legal actions of {seat} are {excerpt(repr(other.legal(seat)))}"
    other.apply({seat: (other.legal(seat) or ("",))[0] for seat in other.acting})
    return "place() plays on in the state that it was given; continue from a copy" if state.history() != history else ""
