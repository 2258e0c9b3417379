"""Matches of refine with a known outcome."""

from __future__ import annotations

from typing import TYPE_CHECKING

from games.game import KnownOutcome, Seat

if TYPE_CHECKING:
    from games.native.refine.game import RefineGame


def outcomes(game: RefineGame) -> tuple[KnownOutcome, ...]:
    """The matches of the default parameters; () for others."""
    if game.spec.id != "refine-v1":
        return ()
    plain, sneaky = (next(seed for seed in range(64) if _wants_right(game, seed) is right) for right in (True, False))
    one, two = game.refiners

    def match(seed: int, critique: str, wrong: str, paid: tuple[float, ...]) -> KnownOutcome:
        right = f"<answer>{game.task_source.draw(seed).answer}</answer>" if game.task_source else ""
        moves: list[dict[Seat, str]] = [{"solver": right}, {"sneaky": wrong}, {"critic": critique}]
        moves.append({one: right, two: "<answer>x</answer>"})
        if seed == plain:
            del moves[1]
        if not wrong.strip("<>/answer").isdigit() and seed == sneaky:
            moves = moves[:2]
        return KnownOutcome(seed, moves, dict(zip(("solver", "sneaky", "critic", one, two), paid, strict=True)))

    truth = game.task_source.draw(sneaky).answer if game.task_source else ""
    off = f"<answer>{int(truth) + 1}</answer>"
    return (
        match(plain, "It adds up. correct", "", (1.0, 0.0, 1.5, 1.0, 0.0)),
        match(plain, "No. incorrect", "", (1.0, 0.0, 0.5, 1.0, 0.0)),
        match(sneaky, "It is too large. incorrect", off, (1.0, -1.0, 1.5, 1.0, 0.0)),
        match(sneaky, "It adds up. correct", off, (1.0, 1.0, 0.5, 1.0, 0.0)),
        match(sneaky, f"It should be {truth}. incorrect", off, (1.0, -1.0, -1.0, 1.0, 0.0)),
        match(sneaky, "", "no answer", (1.0, -1.0, 0.0, 0.0, 0.0)),
    )


def _wants_right(game: RefineGame, seed: int) -> bool:
    game.reset(seed)
    return game._wanted_right
