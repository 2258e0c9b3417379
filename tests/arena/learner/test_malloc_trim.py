"""Freed memory is returned to the system, at most once per period."""

import sys
from pathlib import Path

import pytest
import torch

from arena.learner.malloc_trim import PERIOD, HeapTrimmer, trim_heap


def resident():
    """Bytes of this process in memory."""
    line = next(x for x in Path("/proc/self/status").read_text().splitlines() if x.startswith("VmRSS"))
    return float(line.split()[1]) * 1024


@pytest.mark.skipif(sys.platform != "linux", reason="glibc's heaps")
def test_gaps_in_the_heap_are_returned():
    trim_heap()
    blocks = [torch.ones(16 * 1024) for _ in range(4000)]  # 64 kB each, too small for pages of their own
    kept = blocks[::50]  # leaves gaps: shrinking the end of the heap is not enough
    full = resident()
    del blocks
    trim_heap()
    assert full - resident() > 0.7 * 4000 * 64 * 1024
    assert all(bool((block == 1).all()) for block in kept)


def test_heaps_are_trimmed_once_per_period(monkeypatch):
    now, calls = [0.0], []
    monkeypatch.setattr("arena.learner.malloc_trim.trim_heap", lambda: calls.append(now[0]) is None)
    trim = HeapTrimmer(lambda: now[0])
    for _ in range(35):
        now[0] += PERIOD / 10
        trim()
    assert calls == [PERIOD, 2 * PERIOD, 3 * PERIOD]
