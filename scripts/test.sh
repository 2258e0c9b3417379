#!/usr/bin/env bash
# Sets everything up and runs every check of the project: lint, types, imports, tests. Further arguments go to pytest.
set -euo pipefail
source "$(dirname "$0")/_env.sh" llm,lora,classic,parquet,plot,openskill,verifiers,dev
_system bwrap bubblewrap                      # the sandbox of games/verifiers
_system metamath metamath metamath-databases  # what the proof kernel is tested against

step() { echo "== $1"; shift; "$@"; }
step "ruff" $PY -m ruff check .
step "format" $PY -m ruff format --check .
step "mypy" $PY -m mypy
step "imports" .venv/bin/lint-imports
step "pytest" $PY -m pytest -n 2 --dist worksteal "$@"
