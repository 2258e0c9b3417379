#!/usr/bin/env bash
# Installs everything. Then, for about a minute, a tiny language model learns poker by self-play, live in this terminal.
# After that it meets its untrained self, SmolLM2, an exact solver and a random player in a rated tournament.
# Stop it with Ctrl-C and run it again: it resumes.
set -euo pipefail
source "$(dirname "$0")/_env.sh" llm,classic

.venv/bin/arena train scripts/examples/quickstart_train.toml
.venv/bin/arena tournament scripts/examples/quickstart.toml "$@"
cat <<'END'

Watch a match:     .venv/bin/arena replay 0 --play --db runs/quickstart.db
Play against it:   .venv/bin/arena play openspiel/kuhn_poker \
                   human quickstart-train --db runs/quickstart.db
END
