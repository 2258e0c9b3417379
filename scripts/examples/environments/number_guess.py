"""An environment of `verifiers` with several turns: guess a number; the environment answers higher or lower."""

import re
from collections.abc import Iterator

import verifiers.v1 as vf

__all__ = ["GuessEnv", "GuessTaskset"]


class GuessConfig(vf.TasksetConfig):
    most: int = 8


class GuessData(vf.TaskData):
    number: int


class GuessTaskset(vf.Taskset[vf.Task[GuessData], GuessConfig]):
    def load(self) -> Iterator[vf.Task[GuessData]]:
        for number in range(1, self.config.most + 1):
            prompt = f"I think of a number from 1 to {self.config.most}. Write your guess in brackets, as [1]."
            yield vf.Task(GuessData(name=str(number), prompt=prompt, number=number), self.config.task)


class GuessEnvConfig(vf.EnvConfig):
    player: vf.AgentConfig = vf.AgentConfig(max_turns=4)


class GuessEnv(vf.Env[GuessEnvConfig]):
    async def run(self, task: vf.Task[GuessData], agents: vf.Agents) -> None:
        async with agents.player.interaction(task) as talk:
            segment = await talk.turn()
            while not segment.terminated:
                found = re.search(r"\[(\d+)\]", segment.last_reply)
                guess = int(found[1]) if found else 0
                if guess == task.data.number:
                    break
                segment = await talk.turn("higher" if guess < task.data.number else "lower")
        solved = not segment.terminated
        talk.trace.record_reward("guessed", (1.0 if solved else 0.0))
        talk.trace.record_metric("guesses", talk.trace.num_turns)
