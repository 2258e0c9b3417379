"""What the board says in sentences follows from rank ranges and probabilities alone."""

from __future__ import annotations

import pytest

from league.board.findings import findings
from league.board.table import table_text
from league.records.leaderboard import Standing


def row(name: str, rank: int, best: int, worst: int, above_next: float | None = None, **more: object) -> Standing:
    fields = {"games": 100, "wins": 50, "draws": 0, "losses": 50, "forfeits": 0} | more
    bounds = {"rank_low": best, "rank_high": worst, "above_next": above_next}
    return Standing(name, rank, 30.0 - rank, 28.0 - rank, 32.0 - rank, **fields, **bounds)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("rows", "sentences"),
    [
        (
            [row("a", 1, 1, 1, 0.999), row("b", 2, 2, 3, 0.8), row("c", 3, 2, 3, 0.99), row("d", 4, 4, 4)],
            (
                "Surely better (95%): a than b and c, and these than d.",
                "Not known yet: b above c (80%).",
                "Next: about 440 more matches of b and c each would tell them apart.",
            ),
        ),
        (
            [row("a", 1, 1, 2, 0.9), row("b", 2, 1, 3, 0.55), row("c", 3, 2, 4, 0.55), row("d", 4, 3, 4)],
            (
                "Surely better (95%): a than d.",
                "Not known yet: a above b (90%), b above c (55%), and 1 more pair.",
                "Next: about 130 more matches of a and b each would tell them apart.",
            ),
        ),
        (
            [row("a", 1, 1, 2, 0.52), row("b", 2, 1, 2)],
            (
                "No player is surely better than another yet (95%).",
                "Not known yet: a above b (52%).",
                "Next: a and b are too close to tell apart soon; take them as equal.",
            ),
        ),
        ([row("a", 1, 1, 1, 0.99), row("b", 2, 2, 2)], ("Surely better (95%): a than b.",)),
        ([row("a", 1, 1, 1)], ()),
        ([Standing("a", 1, 25, 20, 30, 1, 1, 0, 0, 0), Standing("b", 2, 25, 20, 30, 1, 0, 0, 1, 0)], ()),
    ],
)
def test_sentences(rows: list[Standing], sentences: tuple[str, ...]) -> None:
    assert findings(rows) == sentences


def test_long_groups_are_counted() -> None:
    rows = [row(f"p{i}", i, 1, 6, 0.9) for i in range(1, 7)] + [row("last", 7, 7, 7)]
    assert findings(rows)[0] == "Surely better (95%): p1, p2 and 4 more than last."


def test_who_never_answers_has_no_rating() -> None:
    rows = [row("a", 1, 1, 1, 0.99), row("mute", 2, 2, 2, games=108, wins=0, losses=108, forfeits=108)]
    text = table_text(rows, 120).plain
    assert "no legal answer 108/108" in text
    assert "28.0" not in text
    assert "29.0" in text
