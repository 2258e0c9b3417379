"""How often the live board may paint: frames take at most a share of a core, whatever is typed."""

from __future__ import annotations

import time

from league.board.state import Clock

TICK = 0.25
"""the least number of seconds between frames that no key asked for"""
QUICK = 0.1
"""the least number of seconds between frames that keys asked for: a held key is about 30 keys a second"""
SHARE = 0.012
"""of a core, for frames in the long run: the whole board, reading keys included, stays below 3%"""
BURST = 0.02
"""seconds of a processor that frames may take beyond their share after a rest, about eight frames of 64 players: single
keys are answered at once, a held key is not"""


class FrameBudget:
    """Saves the share of the processor that frames did not use, up to BURST."""

    def __init__(self, clock: Clock = time.monotonic) -> None:
        self._clock = clock
        self._saved, self._at = BURST, clock()

    def pause(self, cost: float) -> float:
        """Returns the seconds to wait after a frame that took `cost` seconds of a processor.

        The wall time of a frame does not count: it makes the board slow where other work is heavy.
        """
        now = self._clock()
        self._saved = min(BURST, self._saved + SHARE * (now - self._at)) - cost
        self._at = now
        return max(QUICK, -self._saved / SHARE)
