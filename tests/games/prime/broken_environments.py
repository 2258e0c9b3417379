"""Environments of verifiers that fail, or need what the arena does not have. Each test writes one as a module."""

from tests import golden

HEAD = golden.text(__file__, "broken_environments.py.txt")

RAISES_ON_A_TEXT = """
class Job(vf.Task):
    @vf.reward
    async def length(self, trace: vf.Trace) -> float:
        return 1 / len(trace.last_reply.replace("x", ""))
"""
JUDGE_IS_AWAY = """
class Job(vf.Task):
    @vf.reward
    async def judged(self, trace: vf.Trace) -> float:
        raise vf.ProviderError("no route to the judge")
"""
NOT_A_NUMBER = """
class Job(vf.Task):
    @vf.reward
    async def odd(self, trace: vf.Trace) -> float:
        return float("nan")
"""
CONTAINER = """
class Job(vf.Task):
    NEEDS_CONTAINER = True
"""
RUNTIME_REWARD = """
class Job(vf.Task):
    @vf.reward
    async def ran(self, trace: vf.Trace, runtime: vf.Runtime) -> float:
        return 1.0
"""
RUNTIME_SETUP = """
class Job(vf.Task):
    async def setup(self, trace, runtime):
        await runtime.run(["true"], {})
"""
DRAWS = """
class Job(vf.Task):
    @vf.reward
    async def luck(self, trace: vf.Trace) -> float:
        return random.random()
"""
EXITS = """
class Job(vf.Task):
    @vf.reward
    async def gone(self, trace: vf.Trace) -> float:
        raise SystemExit("not authenticated")
"""
