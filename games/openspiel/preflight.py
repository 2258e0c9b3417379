"""Tries the parameters of an OpenSpiel game in a child process.

Some parameters crash OpenSpiel 2.0.2: `connect_four(rows=0)` ends the process with SIGSEGV, `hanabi(ranks=9)` with
SIGABRT; tests/games/openspiel/test_preflight.py lists more. Its C++ reads beyond the end of lists, divides by zero and
loops forever, so no list of bounds here can be complete. A game with parameters is therefore loaded and played once in
a child process, which takes about 0.1 s; games without parameters are not.
"""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from functools import lru_cache
from pathlib import Path

from games.errors import InputError
from games.openspiel import _preflight_child, parameters
from games.openspiel.parameters import Loadable

_SECONDS = 300.0  # the child limits its own CPU time; this limit is for an overloaded machine


def try_in_child(name: str, params: Loadable) -> None:
    """Raises InputError with OpenSpiel's message if a match with these checked parameters crashes or fails."""
    job = {"path": sys.path, "name": name, "params": parameters.complete(name, params)}
    try:
        done = subprocess.run(
            [sys.executable, "-I", "-S", "-c", _source()],
            input=json.dumps(job).encode(),
            capture_output=True,
            timeout=_SECONDS,
        )
    except subprocess.TimeoutExpired:
        raise _refused(name, params, "OpenSpiel does not finish") from None
    if done.returncode == -signal.SIGXCPU:
        raise _refused(name, params, "OpenSpiel does not finish")
    lines = done.stderr.decode(errors="replace").strip().splitlines()[-1:]
    if done.returncode:
        how = signal.Signals(-done.returncode).name if done.returncode < 0 else f"exit status {done.returncode}"
        raise _refused(name, params, ": ".join([f"OpenSpiel crashed ({how})", *lines]))
    if done.stdout:
        raise _refused(name, params, done.stdout.decode(errors="replace"))


def _refused(name: str, params: Loadable, reason: str) -> InputError:
    usual = parameters.types()[name].parameter_specification
    plain = [f"{key}={usual[key]!r}" for key in params if len(str(usual[key])) < 60 and type(usual[key]) is not dict]
    default = f"; by default {', '.join(plain)}" if plain else ""
    return InputError(f"{parameters.canonical(name, params)} cannot be played: {parameters.tidy(reason)}{default}")


@lru_cache(1)
def _source() -> str:
    return Path(_preflight_child.__file__).read_text(encoding="utf-8")
