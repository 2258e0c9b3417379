"""Parameters are tried in a process of its own first: there are always some that OpenSpiel dies of.

Its C++ reads lists beyond their end, divides by sizes of zero and goes on in circles; no check here could foresee all
of that. A game with parameters of its own is therefore loaded and played once where it can hurt nobody, for about
0.1 s; games with their defaults are not.
"""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from functools import lru_cache
from pathlib import Path

from games.errors import InputError
from games.openspiel import _rehearsed, parameters
from games.openspiel.parameters import Loadable

_SECONDS = 300.0  # the process limits its own processor time; this is for a machine that stands still


def rehearse(name: str, params: Loadable) -> None:
    """Raises InputError, with what OpenSpiel said, where a match with these checked parameters kills it or fails."""
    job = {"path": sys.path, "name": name, "params": parameters.complete(name, params)}
    try:
        done = subprocess.run(
            [sys.executable, "-I", "-S", "-c", _source()],
            input=json.dumps(job).encode(),
            capture_output=True,
            timeout=_SECONDS,
        )
    except subprocess.TimeoutExpired:
        raise _refused(name, params, "OpenSpiel does not come to an end") from None
    if done.returncode == -signal.SIGXCPU:
        raise _refused(name, params, "OpenSpiel does not come to an end")
    said = done.stderr.decode(errors="replace").strip().splitlines()[-1:]
    if done.returncode:
        how = signal.Signals(-done.returncode).name if done.returncode < 0 else f"exit status {done.returncode}"
        raise _refused(name, params, ": ".join([f"OpenSpiel dies of it ({how})", *said]))
    if done.stdout:
        raise _refused(name, params, done.stdout.decode(errors="replace"))


def _refused(name: str, params: Loadable, reason: str) -> InputError:
    usual = parameters.types()[name].parameter_specification
    plain = [f"{key}={usual[key]!r}" for key in params if len(str(usual[key])) < 60 and type(usual[key]) is not dict]
    default = f"; by default {', '.join(plain)}" if plain else ""
    return InputError(f"{parameters.canonical(name, params)} cannot be played: {parameters.tidy(reason)}{default}")


@lru_cache(1)
def _source() -> str:
    return Path(_rehearsed.__file__).read_text(encoding="utf-8")
