"""Earlier versions of prefer, which stored matches name. They differ in the lists of closed games only.

In prefer-v0 numbers are at the distances 1, 2 and 10 from the right one, which tell it. In prefer-v1 they are answers
to other tasks near it, each number once, so that a frequent answer is the best guess. With `problems` both list
neighbouring numbers.
"""

from __future__ import annotations

from games.native.common.sourced import WRONG, neighbouring
from games.native.prefer.game import PreferGame
from games.randomness import RandomStream


class NearPreferGame(PreferGame):
    """prefer-v1, whose lists hold each answer once."""

    version = 1

    def _draw_list(self, seed: int, stream: RandomStream) -> None:
        if self._problems:
            self._list(seed)
        elif self.closed:
            self._listed = self._offered(stream)

    def _offered(self, stream: RandomStream) -> tuple[str, ...]:
        return neighbouring(self, stream) if self._problems else self._near(stream)

    def _near(self, stream: RandomStream) -> tuple[str, ...]:
        """The list of a game without `problems`."""
        assert self._task is not None
        return self._tasks.alike(self._task, stream, WRONG)


class PublishedPreferGame(NearPreferGame):
    """prefer-v0, in whose lists distances between numbers tell the right one."""

    version = 0

    def _near(self, stream: RandomStream) -> tuple[str, ...]:
        assert self._task is not None
        return tuple(stream.shuffled([self._task.answer, *self._tasks.wrong_answers(self._task, stream, WRONG)]))
