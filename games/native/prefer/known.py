"""Matches of prefer with a known outcome, the same in all versions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from games.game import KnownOutcome

if TYPE_CHECKING:
    from games.native.prefer.game import PreferGame


def outcomes(game: PreferGame) -> tuple[KnownOutcome, ...]:
    """The matches of some ids; () for others."""
    one, other = game.answerers[:2]

    def table(first: str, second: str, paid: float) -> KnownOutcome:
        return KnownOutcome(0, ({one: first, other: second},), {one: paid, other: 1.0 - paid})

    params = game.spec.id.removeprefix(f"prefer-v{game.version}")
    if params == "(table=biased)":
        return (table("rock", "rock", 0.5), table("rock", "paper", 0.3), table("straw", "scissors", 0.1))
    if params not in ("", "(referee=pairs)") or game.task_source is None:
        return ()
    right, wrong = f"It is <answer>{game.task_source.draw(0).answer}</answer>", "<answer>x</answer>"
    if not params:
        return (table(right, wrong, 1.0), table(wrong, "nothing", 0.5), table("", right, 0.0), table(right, right, 0.5))
    game.reset(0)
    (judge,) = (seat for seat in game.spec.seats if seat.startswith("judge"))
    letter = "A" if game._reads[judge].first == one else "B"
    answers = {one: right, other: wrong}
    return (
        KnownOutcome(0, (answers, {judge: letter}), {one: 1.0, other: 0.0, judge: 1.0}),
        KnownOutcome(0, (answers, {judge: f"Not {letter}"}), {one: 0.5, other: 0.5, judge: -1.0}),
        KnownOutcome(0, ({one: wrong, other: wrong}, {judge: letter}), {one: 1.0, other: 0.0, judge: 0.0}),
    )
