"""Small PettingZoo environments for tests of what no classic environment covers."""

from typing import ClassVar

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv, ParallelEnv
from pettingzoo.utils import AgentSelector, wrappers
from pettingzoo.utils.conversions import parallel_to_aec


class Matching(ParallelEnv):
    """Three players choose -1, 0 or 1 at once, five times; each hidden number that is matched pays 1, a miss -0.5.

    The third player leaves after two rounds.
    """

    metadata: ClassVar = {"name": "matching_v0", "render_modes": []}
    render_mode = None

    def __init__(self, rounds=5):
        self.rounds = rounds
        self.possible_agents = ["left", "right", "short"]
        self._space = {a: spaces.Discrete(3, start=-1) for a in self.possible_agents}
        self._seen = {a: spaces.Box(-1, 5, (2,), np.int64) for a in self.possible_agents}

    def action_space(self, agent):
        return self._space[agent]

    def observation_space(self, agent):
        return self._seen[agent]

    def reset(self, seed=None, options=None):
        self._random = np.random.default_rng(seed)
        self.agents = self.possible_agents[:]
        self._round = 0
        self._draw()
        return self._observe(), {a: {"action_mask": np.array([1, 1, 1], np.int8)} for a in self.agents}

    def _draw(self):
        self.hidden = {a: int(self._random.integers(-1, 2)) for a in self.possible_agents}

    def _observe(self):
        return {a: np.array([self._round, self.hidden[a]]) for a in self.agents}

    def step(self, actions):
        assert set(actions) == set(self.agents)
        rewards = {a: 1.0 if actions[a] == self.hidden[a] else -0.5 for a in self.agents}
        self._round += 1
        self._draw()
        over = self._round >= self.rounds
        done = {a: over or (a == "short" and self._round == 2) for a in self.agents}
        observations, acted = self._observe(), self.agents
        infos = {a: {"action_mask": np.array([1, 1, self._round % 2], np.int8)} for a in acted}
        self.agents = [a for a in acted if not done[a]]
        return observations, rewards, done, dict.fromkeys(acted, False), infos


class Costly(ParallelEnv):
    """Two players choose 0 or 1 at once, ten times; a choice of 0 costs 10, a choice of 1 costs 5."""

    metadata: ClassVar = {"name": "costly_v0", "render_modes": []}
    render_mode = None

    def __init__(self):
        self.possible_agents = ["left", "right"]
        self._space, self._seen = spaces.Discrete(2), spaces.Box(0, 10, (1,), np.int64)

    def action_space(self, agent):
        return self._space

    def observation_space(self, agent):
        return self._seen

    def reset(self, seed=None, options=None):
        self.agents, self._round = self.possible_agents[:], 0
        return {a: np.array([0]) for a in self.agents}, {a: {} for a in self.agents}

    def step(self, actions):
        self._round += 1
        agents, over = self.agents, self._round == 10
        self.agents = [] if over else agents
        rewards = {a: -5.0 if actions[a] else -10.0 for a in agents}
        seen = {a: np.array([self._round]) for a in agents}
        return seen, rewards, dict.fromkeys(agents, over), dict.fromkeys(agents, False), {a: {} for a in agents}


class Countdown(AECEnv):
    """Three players in turn take 1 to 3 of a heap; who takes the last is out with -1, the others go on with a new heap.

    The last who is left gets 2. Taking more than there is fails an assertion: the mask must be kept.
    """

    metadata: ClassVar = {"name": "countdown_v0", "render_modes": [], "is_parallelizable": False}
    render_mode = None

    def __init__(self, heap=5, in_info=False):
        super().__init__()
        self.heap, self.in_info = heap, in_info
        self.possible_agents = ["a", "b", "c"]
        self._space = {a: spaces.Discrete(3) for a in self.possible_agents}
        mask = spaces.Box(0, 1, (3,), np.int8)
        self._seen = {
            a: spaces.Dict({"observation": spaces.Box(0, 99, (1,), np.int64), "action_mask": mask})
            for a in self.possible_agents
        }

    def action_space(self, agent):
        return self._space[agent]

    def observation_space(self, agent):
        return self._seen[agent]

    def reset(self, seed=None, options=None):
        self.agents = self.possible_agents[:]
        self._left = self._start = self.heap + np.random.default_rng(seed).integers(3)
        self.rewards = dict.fromkeys(self.agents, 0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {a: {} for a in self.agents}
        self._mark()
        self._selector = AgentSelector(self.agents)
        self.agent_selection = self._selector.reset()

    def _mask(self):
        return np.array([n < self._left for n in range(3)], np.int8)

    def _mark(self):
        for a in self.infos:
            self.infos[a] = {"action_mask": self._mask()} if self.in_info else {}

    def observe(self, agent):
        assert agent in self.agents, "a removed agent cannot be observed"
        observation = {"observation": np.array([self._left])}
        return observation if self.in_info else {**observation, "action_mask": self._mask()}

    def step(self, action):
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        assert self._mask()[action], "illegal"
        self._cumulative_rewards[agent] = 0
        self._clear_rewards()
        self._left -= action + 1
        following = self._selector.next()
        if self._left == 0:
            self.rewards[agent] = -1
            self.terminations[agent] = True
            self._left = self._start
            live = [a for a in self.agents if not self.terminations[a]]
            self._selector.reinit(live)
            if len(live) == 1:
                self.rewards[live[0]] = 2
                self.terminations[live[0]] = True
            else:
                while self._selector.next() != following:
                    pass
        self._mark()
        self.agent_selection = following
        self._accumulate_rewards()
        self._deads_step_first()


class Spaces(ParallelEnv):
    """One round; every seat has a different action space and gets 1."""

    metadata: ClassVar = {"name": "spaces_v0", "render_modes": []}
    render_mode = None
    forms: ClassVar = {
        "box": spaces.Box(-1.0, 1.0, (2,), np.float32),
        "bytes": spaces.Box(0, 255, (2, 2), np.uint8),
        "many": spaces.MultiDiscrete([3, 2]),
        "bits": spaces.MultiBinary(3),
        "text": spaces.Text(5, charset="abc"),
        "both": spaces.Tuple((spaces.Discrete(3), spaces.Text(3))),
        "named": spaces.Dict({"go": spaces.Discrete(2), "to": spaces.Box(0, 10, (), np.float64)}),
        "huge": spaces.Discrete(10**6),
    }

    def __init__(self, only=None):
        self.possible_agents = [only] if only else list(self.forms)

    def action_space(self, agent):
        return self.forms[agent]

    def observation_space(self, agent):
        return spaces.Discrete(2)

    def reset(self, seed=None, options=None):
        self.agents = self.possible_agents[:]
        return dict.fromkeys(self.agents, 0), {a: {} for a in self.agents}

    def step(self, actions):
        assert all(self.forms[a].contains(action) for a, action in actions.items())
        self.last, acted, self.agents = actions, self.agents, []
        done = dict.fromkeys(acted, True)
        return dict.fromkeys(acted, 1), dict.fromkeys(acted, 1), done, done, {a: {} for a in acted}


class Broken(Countdown):
    """Fails in the middle of a match."""

    def __init__(self, at="step"):
        super().__init__()
        self.at = at

    def reset(self, seed=None, options=None):
        super().reset(seed)
        if self.at == "reset":
            raise RuntimeError("lost my board")

    def step(self, action):
        raise RuntimeError("lost my dice")


def countdown(**kwargs):
    """The environment in all checking wrappers, as a PettingZoo module makes it."""
    env = wrappers.TerminateIllegalWrapper(Countdown(**kwargs), illegal_reward=-1)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(env))


def matching_as_aec():
    return parallel_to_aec(Matching())


def not_an_env():
    return object()


def faceless():
    env = Matching()
    del env.possible_agents
    return env


def graph():
    env = Spaces("box")
    env.forms = {"box": spaces.Graph(spaces.Discrete(2), None)}
    return env


def refuses(size=3):
    raise ValueError(f"size {size} is too small\nsecond line")


number = 3
