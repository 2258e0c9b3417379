"""Signals around a run."""

from __future__ import annotations

import asyncio
import signal

import pytest

from league.tournament.interrupt import interruptible


@pytest.mark.parametrize("before", [signal.default_int_handler, signal.SIG_DFL])
def test_a_run_leaves_the_handler_of_sigterm_as_it_was(before):
    async def run():
        with interruptible(stops.append):
            assert signal.getsignal(signal.SIGTERM) is not before

    stops: list[None] = []
    outer = signal.signal(signal.SIGTERM, before)
    try:
        asyncio.run(run())
        assert signal.getsignal(signal.SIGTERM) is before
    finally:
        signal.signal(signal.SIGTERM, outer)
