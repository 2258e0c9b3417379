"""An environment of `verifiers` with two agents: one proposes how to split 10 coins, the other one accepts or not."""

import re
from collections.abc import Iterator

import verifiers.v1 as vf

__all__ = ["SplitEnv", "SplitTaskset"]

_OFFER = "Write how many of {coins} coins you keep, as [7], with a short message to the other player."


class SplitData(vf.TaskData):
    coins: int


class SplitTaskset(vf.Taskset[vf.Task[SplitData], vf.TasksetConfig]):
    def load(self) -> Iterator[vf.Task[SplitData]]:
        for coins in (10, 20, 50):
            yield vf.Task(SplitData(name=str(coins), coins=coins), self.config.task)


class SplitEnvConfig(vf.EnvConfig):
    first: vf.AgentConfig = vf.AgentConfig()
    second: vf.AgentConfig = vf.AgentConfig()


class SplitEnv(vf.Env[SplitEnvConfig]):
    async def run(self, task: vf.Task[SplitData], agents: vf.Agents) -> None:
        async with agents.first.interaction(task) as first, agents.second.interaction(task) as second:
            offer = (await first.turn(_OFFER.format(coins=task.data.coins))).last_reply
            answer = (await second.turn(f"The other player writes: {offer}\nWrite accept or reject.")).last_reply
        found = re.search(r"\[(\d+)\]", offer)
        kept = min(int(found[1]), task.data.coins) if found else 0
        agreed = found is not None and "accept" in answer.casefold()
        first.trace.record_reward("coins", kept / task.data.coins if agreed else 0.0)
        second.trace.record_reward("coins", (task.data.coins - kept) / task.data.coins if agreed else 0.0)
