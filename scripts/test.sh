#!/usr/bin/env bash
# Installs everything and runs every check: lint, types, import rules, tests. Further arguments are passed to pytest.
# --all, as the first argument, adds the slow tests and those against real servers, engines and libraries (PostgreSQL,
# Ray, vLLM, verifiers, OpenEnv), installs the wheel and the sdist into empty environments, and builds the documentation site.
# --without EXTRA,EXTRA, as the first argument, runs the default tests as a user without these extras sees them.
set -euo pipefail
unset PYTHONDONTWRITEBYTECODE  # otherwise each of the many processes compiles the arena again
EXTRAS=llm,lora,openai,classic,parquet,plot,verifiers,tasks,search,textarena,dev
ALL=""
if [ "${1:-}" = --all ]; then
    ALL=yes
    EXTRAS=$EXTRAS,efg,textworld,trackers,postgres,ray,docs  # efg and textworld may be compiled, 70 s each
    shift
fi
WITHOUT=""
if [ "${1:-}" = --without ]; then
    WITHOUT=$2
    shift 2
fi
source "$(dirname "$0")/_env.sh" "$EXTRAS"
if [ -n "$WITHOUT" ]; then
    "$PY" scripts/_without.py .venv .venv-without ${WITHOUT//,/ }
    PY=.venv-without/bin/python
fi
need() { # program or file, packages: if it is missing, its tests are skipped; with --all that is an error
    system "$@" || [ -z "$ALL" ]
}
need bwrap bubblewrap    # the sandbox of games/verifiers
need metamath metamath  # the reference for the proof kernel
need /usr/share/metamath/databases/ql.mm metamath-databases

room_in_memory() { # Docker gives 64 MB
    [ -w /dev/shm ] && [ "$(df --output=avail -k /dev/shm | tail -1)" -gt 2000000 ]
}
in_parallel() { # a worker more than cores, because tests wait; each computes in one thread, and databases wait for no disk
    local workers=$(($(nproc) < 4 ? $(nproc) + 1 : 5))
    if room_in_memory; then local -x PYTEST_DEBUG_TEMPROOT=/dev/shm; fi
    OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 "$PY" -m pytest -n "$workers" --dist worksteal "$@"
}
step() { # name, command
    local name=$1 began=$SECONDS
    echo "== $name"
    shift
    "$@"
    echo "== $name: $((SECONDS - began)) s"
}
check() {
    step "ruff" "$PY" -m ruff check .
    step "format" "$PY" -m ruff format --check .
    step "words" "$PY" scripts/lint_words.py
    step "mypy" types
    step "imports" "${PY%/*}/lint-imports"
}
types() { # without torch, its classes have no types to check
    if "$PY" -c 'import torch' 2>/dev/null; then "$PY" -m mypy; else echo "arena: no torch here, types are not checked"; fi
}

if [ -z "$ALL" ]; then
    check
    step "pytest" in_parallel "$@"
    exit
fi

NAMED=$#
some() { # pytest command; the tests a user names need not exist in every part
    local rc=0
    "$@" || rc=$?
    [ "$rc" = 0 ] || { [ "$rc" = 5 ] && [ "$NAMED" -gt 0 ]; }
}

named_or() { # the tests of a library that needs an environment of its own, unless the user names some
    [ "$NAMED" -gt 0 ] || echo "$@"
}

where() { # the tests of a part, unless the user names some
    [ "$NAMED" -gt 0 ] || echo "tests/real/$1"
}

source scripts/_real.sh
system chromium chromium # shows the pages of reports
trap stop_real EXIT
start_real
check
step "documentation" "$PY" scripts/docs/build.py
OWN_PART="not gpu and not postgres and not packaging and not ray and not vllm"
step "pytest, with PostgreSQL" some in_parallel --missing fail -m "not long and $OWN_PART" "$@"
step "pytest, PostgreSQL" some "$PY" -m pytest -m "postgres and not ray" $(where postgres) "$@"
step "pytest, packaging" some in_parallel -m packaging $(where packaging) "$@"
step "pytest, Ray" some "$PY" -m pytest -m ray $(where ray) "$@"
step "pytest, verifiers" some in_beside prime-verifiers $(named_or tests/games/prime tests/arena/export) "$@"
step "pytest, OpenEnv" some in_beside openenv $(named_or tests/games/openenv tests/arena/export) "$@"
step "pytest, vLLM" some in_vllm $(where vllm) "$@"
echo "== all: $SECONDS s"
not_run
