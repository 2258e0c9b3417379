"""`python -m league.cli.rank ARGUMENTS`: the command `arena` in one of the processes that share a learner."""

from __future__ import annotations

import sys

from arena.cli import main
from arena.learner.launch import as_rank

if __name__ == "__main__":
    sys.exit(as_rank(main))
