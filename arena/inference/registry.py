"""One engine for each model in a process, however many players use it."""

from __future__ import annotations

import atexit
import threading
from dataclasses import dataclass

from arena.inference.engine import Engine

_lock = threading.Lock()


@dataclass(slots=True)
class _Shared:
    engine: Engine
    users: int = 0


_engines: dict[tuple[str, str, str], _Shared] = {}


def engine_for(model: str = "smollm2-135m", dtype: str = "bf16", device: str = "auto") -> Engine:
    """The engine of a model, loaded now if nobody has it yet. Each call is paired with one `release`.

    Raises InputError where the model, a package or the device is missing.
    """
    with _lock:
        key = (model, dtype, device)
        if key not in _engines:
            _engines[key] = _Shared(_load(*key))
        _engines[key].users += 1
        return _engines[key].engine


def release(engine: Engine) -> None:
    """Give an engine back; the last user closes it and frees the model."""
    with _lock:
        for key, shared in list(_engines.items()):
            if shared.engine is engine:
                shared.users -= 1
                if shared.users <= 0:
                    del _engines[key]
                    engine.close()


def _load(model: str, dtype: str, device: str) -> Engine:
    from arena.inference import models

    models.require_packages()
    from arena.inference.transformers_engine import TransformersEngine

    return TransformersEngine(models.load(model, dtype, device))


@atexit.register
def _close_all() -> None:
    """A pass that is still running when the interpreter goes away would crash it."""
    for shared in list(_engines.values()):
        shared.engine.close()
    _engines.clear()
