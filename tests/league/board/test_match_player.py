"""`arena replay MATCH --play` steps through the positions of a match."""

from __future__ import annotations

import pytest

import arena
from league.board.match_pages import frame, match_pages, step


@pytest.mark.parametrize(
    ("at", "key", "after"),
    [(0, "right", 1), (2, "right", 2), (0, "left", 0), (1, "home", 0), (0, "end", 2), (1, "x", 1), (1, "q", None)],
)
def test_keys(at: int, key: str, after: int | None) -> None:
    assert step(at, key, total=3) == after


def test_the_overview_ends_with_the_final_position_and_frames_fit() -> None:
    episode = arena.play("openspiel/tic_tac_toe", ["random", "random"], seed=5)
    overview, *pages = match_pages(episode)
    assert len(pages) == len(episode.turns) + 1
    assert overview[0] == "openspiel/tic_tac_toe, seed 5"
    assert overview[-len(pages[-1]) :] == pages[-1]
    assert pages[0][-1] == "next: player_0 (random)"
    assert pages[-1][-1] == "the match is over"
    for width, height in ((80, 24), (120, 40), (10, 4)):
        lines = frame(pages, 1, width, height)
        assert len(lines) == height
        assert max(len(text) for text, _ in lines) <= width
