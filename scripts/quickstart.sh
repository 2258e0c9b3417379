#!/usr/bin/env bash
# Installs everything and plays a rated tournament of a language model and bots, live in this terminal. Then, for one to
# two minutes, a tiny language model learns poker by self-play and its snapshots climb.
# Stop it with Ctrl-C and run it again: it resumes.
set -euo pipefail
source "$(dirname "$0")/_env.sh" llm,classic

.venv/bin/arena tournament scripts/examples/quickstart.toml "$@"
.venv/bin/arena train scripts/examples/quickstart_train.toml
cat <<'END'

Look around:
  .venv/bin/arena board --db runs/quickstart.db --game openspiel/kuhn_poker
  .venv/bin/arena replay 0 --db runs/quickstart.db
  .venv/bin/arena board --db runs/quickstart_train.db
  .venv/bin/arena eval quickstart-train@500 --game openspiel/kuhn_poker --db runs/quickstart_train.db
  .venv/bin/arena play openspiel/tic_tac_toe human 'mcts(simulations=100)'
END
