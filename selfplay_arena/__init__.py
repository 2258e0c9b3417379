"""The arena's games as an environment package of Prime Intellect's `verifiers`: `vf-eval selfplay-arena`.

The library finds an environment by the name of an installed module, which must not contain a dot.
"""

from arena.export.prime import ArenaEnv, ArenaTaskset, verifiers_environment
from arena.export.prime_harness import ChatHarness

load_environment = verifiers_environment

__all__ = ["ArenaEnv", "ArenaTaskset", "ChatHarness", "load_environment"]
