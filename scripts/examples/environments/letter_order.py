"""An environment of Prime Intellect's `verifiers` with one agent and one reply: which of two letters comes first?"""

import itertools
import string
from collections.abc import Iterator

import verifiers.v1 as vf

__all__ = ["LetterTaskset"]


class LetterConfig(vf.TasksetConfig):
    letters: int = 4
    """how many letters of the alphabet the pairs are made of"""


class LetterData(vf.TaskData):
    answer: str


class LetterTask(vf.Task[LetterData]):
    @vf.reward
    async def correct(self, task: LetterData, trace: vf.Trace) -> float:
        return float(trace.last_reply == task.answer)


class LetterTaskset(vf.Taskset[LetterTask, LetterConfig]):
    def load(self) -> Iterator[LetterTask]:
        for first, second in itertools.permutations(string.ascii_lowercase[: self.config.letters], 2):
            prompt = f"Which letter comes first in the alphabet, {first} or {second}? Write the letter only."
            data = LetterData(name=f"{first}{second}", prompt=prompt, answer=min(first, second))
            yield LetterTask(data, self.config.task)
