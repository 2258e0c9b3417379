"""Memory that steps freed goes back to the system, and not at every step."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
import torch

from arena.learner.memory import PERIOD, Returner, give_back


def resident() -> float:
    """Bytes of this process in memory."""
    line = next(x for x in Path("/proc/self/status").read_text().splitlines() if x.startswith("VmRSS"))
    return float(line.split()[1]) * 1024


@pytest.mark.skipif(sys.platform != "linux", reason="glibc's heaps")
def test_holes_in_the_heap_are_given_back() -> None:
    give_back()
    blocks = [torch.ones(16 * 1024) for _ in range(4000)]  # 64 kB each, too small for pages of their own
    kept = blocks[::50]  # holes between them: the heap's end cannot simply shrink
    full = resident()
    del blocks
    give_back()
    assert full - resident() > 0.7 * 4000 * 64 * 1024
    assert all(bool((block == 1).all()) for block in kept)


def test_it_is_done_once_in_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    now, calls = [0.0], []
    monkeypatch.setattr("arena.learner.memory.give_back", lambda: calls.append(now[0]) is None)
    returner = Returner(lambda: now[0])
    for _ in range(35):
        now[0] += PERIOD / 10
        returner()
    assert calls == [PERIOD, 2 * PERIOD, 3 * PERIOD]
