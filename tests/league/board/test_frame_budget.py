"""Frames of the live board take at most their share of a core, whatever is typed."""

from __future__ import annotations

import hypothesis.strategies as st
from hypothesis import given

from league.board.live import BURST, QUICK, SHARE, FrameBudget

COST = 0.0026
"""seconds of a processor for a frame of 64 players"""


class ManualTime:
    now = 100.0

    def __call__(self) -> float:
        return self.now


@given(st.lists(st.floats(0, 0.05), min_size=1, max_size=60), st.floats(0, 0.5))
def test_frames_take_at_most_their_share_and_one_burst(costs: list[float], rest: float) -> None:
    clock = ManualTime()
    budget = FrameBudget(clock)
    for cost in costs:
        clock.now += cost + (pause := budget.pause(cost)) + rest
        assert pause >= QUICK
    assert sum(costs) <= SHARE * (clock.now - 100) + BURST + 1e-9


def test_single_keys_are_answered_at_once_and_a_held_key_is_not() -> None:
    clock = ManualTime()
    budget = FrameBudget(clock)
    pauses = []
    for _ in range(60):
        pauses.append(budget.pause(COST))
        clock.now += pauses[-1]
    assert pauses[:5] == [QUICK] * 5
    assert 0.2 < pauses[-1] < 0.25
    clock.now += 5
    assert budget.pause(COST) == QUICK
