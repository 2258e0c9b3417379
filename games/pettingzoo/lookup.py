"""From a name to an environment and its game. The only place that asks PettingZoo's registry."""

from __future__ import annotations

import inspect
import re
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from typing import Any, NamedTuple, get_args

from games import plugins
from games.errors import ArenaError, InputError, MissingPackage, UnknownName
from games.game import Payoff, TextGame
from games.naming import Name
from games.parameters import canonical
from games.pettingzoo.catalog import CLASSIC, INSTALL
from games.pettingzoo.kit import Generic, Kit, check_spaces

_VERSION = re.compile(r"^(.+)_v(\d+)$")
# They check what the adapter has checked already, and they cost more than the environments.
_CHECKS = ("TerminateIllegalWrapper", "AssertOutOfBoundsWrapper", "OrderEnforcingWrapper")
_PAYOFFS: tuple[Payoff, ...] = get_args(Payoff)


class Found(NamedTuple):
    """Where an environment is: its canonical name, and the factory as `module:attribute` or itself."""

    name: str
    target: str | Callable[..., Any]
    preset: Mapping[str, Any]


def build(name: str, params: dict[str, Any]) -> TextGame:
    """See `games.pettingzoo.make`."""
    from games.pettingzoo.adapter import AecGame, ParallelGame

    own = {key: value for key, value in params.items() if key in ("max_turns", "payoff")}
    given = {key: value for key, value in params.items() if key not in own}
    _check_own(name, own)
    found = _find(name)
    with _quiet():
        factory = _checked(_load(found), found)
        given = canonical(factory, given, found.preset)
        env, parallel = _unwrap(_create(found, factory, given))
        check_spaces(env)
        kit = _kit(found.name, env)
    game = ParallelGame if parallel else AecGame
    usual = {"max_turns": kit.max_turns, "payoff": kit.payoff}
    own = {key: own[key] for key in usual if key in own and own[key] != usual[key]}
    id = str(Name(f"pettingzoo/{found.name}", {**given, **own}))
    return game(id, env, kit, own.get("max_turns"), own.get("payoff"))


def _check_own(name: str, own: Mapping[str, Any]) -> None:
    turns, payoff = own.get("max_turns", 1), own.get("payoff", _PAYOFFS[0])
    if not isinstance(turns, int) or isinstance(turns, bool) or turns < 1:
        raise InputError(f"max_turns of {name!r} must be a whole number from 1, not {turns!r}")
    if payoff not in _PAYOFFS:
        raise InputError(f"payoff of {name!r} must be one of {', '.join(_PAYOFFS)}, not {payoff!r}")


def _find(name: str) -> Found:
    if ":" in name:
        return Found(name, name, {})
    asked = re.sub(r"-v(\d+)$", r"_v\1", name.removeprefix("classic/"))
    known = _known()
    versions = [(int(m[2]), n) for n in known if (m := _VERSION.match(n)) and asked in (n, m[1])]
    if not versions and "/" not in asked:  # the environments of every namespace by their bare names
        short = [(n, m) for n in known if "/" in n and (m := _VERSION.match(n.rpartition("/")[2]))]
        versions = [(int(m[2]), n) for n, m in short if asked in (m[0], m[1])]
    if asked in known:
        return known[asked]
    if not versions:
        raise UnknownName(
            "PettingZoo environment", name, [*known, *(n.rpartition("/")[2] for n in known)], "arena games"
        )
    return known[max(versions)[1]]


def _known() -> dict[str, Found]:
    """Every registered environment by canonical name; the Parallel form of one that has both."""
    from pettingzoo import aec_registry, parallel_registry

    found: dict[str, Found] = {}
    for registry in (aec_registry, parallel_registry):
        for spec in registry.values():
            name = re.sub(r"-v(\d+)$", r"_v\1", spec.id).removeprefix("classic/")
            preset = dict(spec.kwargs)
            if spec.max_cycles not in (None, -1):
                preset.setdefault("max_cycles", spec.max_cycles)
            found[name] = Found(name, spec.entry_point, preset)
    for name, entry in CLASSIC.items():
        found[name] = Found(name, f"{entry.module}:raw_env", {})
    return found


def _create(found: Found, factory: Callable[..., Any], params: Mapping[str, Any]) -> Any:
    try:
        env = plugins.call("PettingZoo environment", found.name, factory, {**found.preset, **params})
    except ArenaError:
        raise
    except ImportError as error:
        raise _missing(found.name, error) from error
    except Exception as error:  # an environment may raise anything at what it is given
        reason = str(error).strip() or type(error).__name__
        raise InputError(f"PettingZoo environment {found.name!r} cannot be made: {reason.splitlines()[0]}") from error
    if found.name in CLASSIC and CLASSIC[found.name].parallel:
        from pettingzoo.utils.conversions import aec_to_parallel

        env = aec_to_parallel(env)
    return env


def _load(found: Found) -> Callable[..., Any]:
    if not isinstance(found.target, str):
        return found.target
    module, _, attribute = found.target.partition(":")
    try:
        factory = getattr(import_module(module), attribute, None)
    except ModuleNotFoundError as error:
        if error.name and (module == error.name or module.startswith(f"{error.name}.")):
            raise InputError(
                f"no module {error.name!r} for the environment {found.name!r}; is it on the path?"
            ) from None
        raise _missing(found.name, error) from error
    except ImportError as error:
        raise _missing(found.name, error) from error
    if not callable(factory):
        raise InputError(f"module {module!r} has no {attribute!r} that makes an environment; write module.path:factory")
    return factory  # type: ignore[no-any-return]


def _checked(factory: Callable[..., Any], found: Found) -> Callable[..., Any]:
    """`factory` under the signature that says what it takes: PettingZoo's `env(**kwargs)` hides that of raw_env."""
    raw = getattr(inspect.getmodule(factory), "raw_env", None)
    if raw is None or inspect.signature(factory).parameters.keys() != {"kwargs"}:
        return factory

    def create(**params: Any) -> Any:
        return factory(**params)

    create.__signature__ = inspect.signature(raw)  # type: ignore[attr-defined]
    return create


def _missing(name: str, error: ImportError) -> MissingPackage:
    bare = name.rpartition("/")[2]
    family = "classic" if "/" not in name else name.partition("/")[0]
    install = INSTALL.get(bare.rpartition("_v")[0]) or INSTALL.get(family, f"'pettingzoo[{family}]'")
    cause: BaseException | None = error
    while cause is not None and not getattr(cause, "name", None):
        cause = cause.__cause__
    package = str(getattr(cause, "name", None) or error).partition(".")[0]
    if ":" in name:
        install = package
    return MissingPackage(f"pettingzoo/{name}", package, install)


def _unwrap(env: Any) -> tuple[Any, bool]:
    """The environment without checking wrappers, and whether it is Parallel."""
    from pettingzoo import AECEnv, ParallelEnv
    from pettingzoo.utils.conversions import aec_to_parallel_wrapper, parallel_to_aec_wrapper

    made = type(env).__name__
    env = _bare(env)
    if isinstance(env, parallel_to_aec_wrapper):
        env = env.env
    elif isinstance(env, aec_to_parallel_wrapper):
        env.aec_env = _bare(env.aec_env)
    if not isinstance(env, AECEnv | ParallelEnv):
        raise InputError(f"a {made} is no PettingZoo environment; the factory must make an AECEnv or a ParallelEnv")
    return env, isinstance(env, ParallelEnv)


def _bare(env: Any) -> Any:
    while type(env).__name__ in _CHECKS:
        env = env.env
    return env


def _kit(name: str, env: Any) -> Kit:
    if name not in CLASSIC:
        return Generic(env)
    module, _, cls = CLASSIC[name].kit.partition(":")
    kit: Kit = getattr(import_module(module), cls)(env.unwrapped)
    return kit


@contextmanager
def _quiet() -> Iterator[None]:
    """PettingZoo warns of its own plans and gymnasium of its casts while an environment is made; neither is ours."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        warnings.filterwarnings("ignore", message=r".*precision lowered by casting.*", category=UserWarning)
        yield
