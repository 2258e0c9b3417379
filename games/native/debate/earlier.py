"""Earlier versions of debate, which stored matches name. They differ in the wrong answers only.

In debate-v0 wrong answers are at the distances 1, 2 and 10 from the right one. With three or four answers these
distances tell the right one to a judge who reads no speech. In debate-v1 these are answers to other questions near it,
each number once, so that a frequent answer is the best guess.
"""

from __future__ import annotations

from collections.abc import Sequence

from games.native.common.own_questions import answer_to
from games.native.debate.game import DebateGame
from games.randomness import RandomStream
from games.tasks import SourceTask
from games.tasks.choices import NEAR, POOL, beside
from games.verifiers.arithmetic import question


class PublishedDebateGame(DebateGame):
    """debate-v0, in which distances between three or more answers tell the right one."""

    version = 0

    def _answers_beside(self, asked: str, stream: RandomStream) -> Sequence[str]:
        truth = int(answer_to(asked))
        near = stream.shuffled(NEAR)[: self.n - 1]
        return stream.shuffled([str(truth), *(str(truth + distance) for distance in near)])

    def _answers_of(self, task: SourceTask, stream: RandomStream) -> Sequence[str]:
        texts = (task.answer, *self._tasks.wrong_answers(task, stream, self.n - 1))
        return stream.shuffled(texts) if len(texts) == self.n else texts


class NearDebateGame(PublishedDebateGame):
    """debate-v1, in which three or more answers hold each number once; debates of two are those of debate-v0."""

    version = 1

    def _answers_beside(self, asked: str, stream: RandomStream) -> Sequence[str]:
        if self.n == 2:
            return super()._answers_beside(asked, stream)
        others = [int(answer_to(question(stream))) for _ in range(POOL)]
        return beside(int(answer_to(asked)), others, self.n - 1, stream)

    def _answers_of(self, task: SourceTask, stream: RandomStream) -> Sequence[str]:
        return super()._answers_of(task, stream) if self.n == 2 else self._tasks.alike(task, stream, self.n - 1)
