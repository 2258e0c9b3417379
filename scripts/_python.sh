# Sourced by _env.sh and .ci/run, in the root of the checkout: the Pythons of this machine that work.

VERSIONS=$(sed -n 's/.*"Programming Language :: Python :: \(3\.[0-9]*\)".*/\1/p' pyproject.toml | sort -rV)

# A Python built without a library lacks these; networkx imports bz2. Debian's has neither venv nor ensurepip.
_LOOK='
import importlib, sys
version = "%d.%d" % sys.version_info[:2]
if version not in sys.argv[1:]:
    sys.exit(print("is " + version) or 1)
for name in ("ssl", "sqlite3", "ctypes", "zlib", "bz2", "venv", "ensurepip"):
    try:
        importlib.import_module(name)
    except ImportError:
        sys.exit(print("is %s without %s" % (version, name)) or 1)
print(version)
'

_look() { # Python: prints its version, or else what is wrong with it
    local answer
    answer=$("$1" -I -c "$_LOOK" $VERSIONS 2>/dev/null) && echo "$answer" && return
    echo "${answer:-does not start}" # such as a shim of pyenv, or a link to a Python that was removed
    return 1
}

_candidates() { # the Pythons on the path, then those of pyenv that are not on it
    local version
    {
        for version in $VERSIONS; do type -aP "python$version" || true; done
        type -aP python3 python || true
        for version in $VERSIONS; do
            { ls -d "${PYENV_ROOT:-$HOME/.pyenv}/versions/$version".*/bin/python3 2>/dev/null || true; } | sort -rV
        done
    } | awk '!seen[$0]++'
}

pythons() { # "version path" of each version that works, the newest first; the first on the path stands for its version
    local python version
    _candidates | while read -r python; do
        if version=$(_look "$python"); then echo "$version $python"; fi
    done | sort -s -u -rV -k 1,1
}

newest_python() { # the path of ARENA_PYTHON, or else of the newest that works; prints one line if there is none
    local python faults wanted
    wanted=$(echo $VERSIONS | sed 's/ /, /g; s/\(.*\), /\1 or /')
    if [ -n "${ARENA_PYTHON:-}" ]; then
        python=$(command -v "$ARENA_PYTHON" || echo "$ARENA_PYTHON")
        faults=$(_look "$python") && echo "$python" && return
        echo "arena: ARENA_PYTHON=$ARENA_PYTHON $faults; name a Python $wanted, or unset it to use the newest here" >&2
        return 1
    fi
    python=$(pythons | head -n 1)
    [ -n "$python" ] && echo "${python#* }" && return
    faults=$(_candidates | while read -r python; do printf ', %s %s' "$python" "$(_look "$python" || true)"; done)
    echo "arena: no Python $wanted works here${faults:+ (${faults#, })}; install one, for example:" \
        "apt-get install python3 python3-venv; or name one: ARENA_PYTHON=/path/to/python3" >&2
    return 1
}
