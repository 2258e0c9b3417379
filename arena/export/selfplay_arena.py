"""The arena's games as an environment package of Prime Intellect's `verifiers`: `vf-eval selfplay-arena`.

The library finds an environment by the name of an installed module, which must not contain a dot. So the installed
package has this file as the module `selfplay_arena` (pyproject.toml).
"""

from arena.export.prime import ArenaEnv, ArenaTaskset, verifiers_environment
from arena.export.prime_harness import ChatHarness

load_environment = verifiers_environment

__all__ = ["ArenaEnv", "ArenaTaskset", "ChatHarness", "load_environment"]
