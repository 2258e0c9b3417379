"""Finds an environment by name in PettingZoo's registry or by import path, and makes its game."""

from __future__ import annotations

import inspect
import re
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from importlib import import_module
from typing import Any, NamedTuple

from games import plugins
from games.errors import ArenaError, InputError, MissingPackage, UnknownName
from games.game import TextGame
from games.naming import Name
from games.parameter_info import ParameterInfo, parameters_of
from games.parameters import canonical, check_parameters
from games.pettingzoo.adapter import AecGame, EnvGame, ParallelGame
from games.pettingzoo.catalog import CLASSIC, INSTALL
from games.pettingzoo.interface import TextInterface
from games.pettingzoo.space_interface import SpaceInterface
from games.returns_range import with_range

ADAPTER = ("max_turns", "payoff", "returns_range")
"""the parameters of the adapter; all others are the environment's own"""
_VERSION = re.compile(r"^(.+)_v(\d+)$")
# They repeat the checks of the adapter and take more time than the environments.
_CHECKS = ("TerminateIllegalWrapper", "AssertOutOfBoundsWrapper", "OrderEnforcingWrapper")


class EnvironmentEntry(NamedTuple):
    """An environment: its canonical name, its factory (`module:attribute` or a function), its preset parameters."""

    name: str
    target: str | Callable[..., Any]
    preset: Mapping[str, Any]


def make(name: str, params: Mapping[str, Any]) -> TextGame:
    """Returns the game for a PettingZoo environment.

    `name` is `connect_four_v3` (without a version: the newest), `namespace/name_v0` of PettingZoo's registry, or
    `module.path:factory` for any importable function that makes an AECEnv or a ParallelEnv. `params` are the
    environment's own parameters and three of the adapter: `max_turns` (the match ends after that many decisions of all
    seats together), `payoff` and `returns_range`. Raises UnknownName, MissingPackage or InputError.
    """
    adapter_settings = with_range({key: value for key, value in params.items() if key in ADAPTER})
    settings = {key: value for key, value in params.items() if key not in adapter_settings}
    check_parameters(f"pettingzoo/{name}", EnvGame, adapter_settings)
    environment = _find(name)
    with _quiet():
        factory = _with_signature(_load(environment), environment)
        settings = canonical(factory, settings, environment.preset)
        env, parallel = _unwrap(_create(environment, factory, settings))
        _check_agents(env)
        interface = _interface(environment.name, env)
    game = ParallelGame if parallel else AecGame
    usual = {"max_turns": interface.max_turns, "payoff": interface.payoff, "returns_range": ""}
    adapter_settings = {
        key: adapter_settings[key] for key in usual if key in adapter_settings and adapter_settings[key] != usual[key]
    }
    id = str(Name(f"pettingzoo/{environment.name}", {**settings, **adapter_settings}))
    return game(id, env, interface, *[adapter_settings.get(key) for key in ADAPTER])


def describe(name: str) -> list[ParameterInfo]:
    """Returns the parameters of an environment, and those of the adapter. Raises as `make` does."""
    environment = _find(name)
    with _quiet():
        infos = parameters_of(_with_signature(_load(environment), environment))
    infos = [replace(p, default=environment.preset.get(p.name, p.default)) for p in infos]
    return infos + [replace(p, required=False) for p in parameters_of(EnvGame) if p.name in ADAPTER]


def source(name: str) -> str:
    """Returns the factory that makes the environment, as `module:attribute`."""
    target = _find(name).target
    return target if isinstance(target, str) else f"{target.__module__}:{target.__qualname__}"


def _find(name: str) -> EnvironmentEntry:
    if ":" in name:
        return EnvironmentEntry(name, name, {})
    asked = re.sub(r"-v(\d+)$", r"_v\1", name.removeprefix("classic/"))
    environments = _environments()
    versions = [(int(m[2]), n) for n in environments if (m := _VERSION.match(n)) and asked in (n, m[1])]
    if not versions and "/" not in asked:  # a name without its namespace
        short = [(n, m) for n in environments if "/" in n and (m := _VERSION.match(n.rpartition("/")[2]))]
        versions = [(int(m[2]), n) for n, m in short if asked in (m[0], m[1])]
    if asked in environments:
        return environments[asked]
    if not versions:
        raise UnknownName(
            "PettingZoo environment",
            name,
            [*environments, *(n.rpartition("/")[2] for n in environments)],
            "arena games",
        )
    return environments[max(versions)[1]]


def _environments() -> dict[str, EnvironmentEntry]:
    """Returns every registered environment by canonical name; the Parallel form if there are two."""
    from pettingzoo import aec_registry, parallel_registry

    environments: dict[str, EnvironmentEntry] = {}
    for registry in (aec_registry, parallel_registry):
        for spec in registry.values():
            name = re.sub(r"-v(\d+)$", r"_v\1", spec.id).removeprefix("classic/")
            preset = dict(spec.kwargs)
            if spec.max_cycles not in (None, -1):
                preset.setdefault("max_cycles", spec.max_cycles)
            environments[name] = EnvironmentEntry(name, spec.entry_point, preset)
    for name, entry in CLASSIC.items():
        environments[name] = EnvironmentEntry(name, f"{entry.module}:raw_env", {})
    return environments


def _create(environment: EnvironmentEntry, factory: Callable[..., Any], params: Mapping[str, Any]) -> Any:
    try:
        env = plugins.call("PettingZoo environment", environment.name, factory, {**environment.preset, **params})
    except ArenaError:
        raise
    except ImportError as error:
        raise _missing(environment.name, error) from error
    except Exception as error:  # an environment can raise anything for wrong parameters
        reason = str(error).strip() or type(error).__name__
        raise InputError(
            f"PettingZoo environment {environment.name!r} cannot be made: {reason.splitlines()[0]}"
        ) from error
    if environment.name in CLASSIC and CLASSIC[environment.name].parallel:
        from pettingzoo.utils.conversions import aec_to_parallel

        env = aec_to_parallel(env)
    return env


def _load(environment: EnvironmentEntry) -> Callable[..., Any]:
    if not isinstance(environment.target, str):
        return environment.target
    module, _, attribute = environment.target.partition(":")
    try:
        factory = getattr(import_module(module), attribute, None)
    except ModuleNotFoundError as error:
        if error.name and (module == error.name or module.startswith(f"{error.name}.")):
            raise InputError(
                f"no module {error.name!r} for the environment {environment.name!r}; if it is a file, "
                "type: export PYTHONPATH=FOLDER, the folder of the file"
            ) from None
        raise _missing(environment.name, error) from error
    except ImportError as error:
        raise _missing(environment.name, error) from error
    if not callable(factory):
        raise InputError(f"module {module!r} has no {attribute!r} that makes an environment; write module.path:factory")
    return factory  # type: ignore[no-any-return]


def _with_signature(factory: Callable[..., Any], environment: EnvironmentEntry) -> Callable[..., Any]:
    """`factory` with a full signature: PettingZoo's `env(**kwargs)` hides `raw_env`'s, and the catalog adds bounds."""
    raw = getattr(inspect.getmodule(factory), "raw_env", None)
    if raw is None or inspect.signature(factory).parameters.keys() != {"kwargs"}:
        raw = factory
    types = CLASSIC[environment.name].parameters if environment.name in CLASSIC else {}
    if raw is factory and not types:
        return factory

    def create(**params: Any) -> Any:
        return factory(**params)

    signature = inspect.signature(raw)
    create.__signature__ = signature.replace(  # type: ignore[attr-defined]
        parameters=[p.replace(annotation=types.get(name, p.annotation)) for name, p in signature.parameters.items()]
    )
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
    """Returns the environment without checking wrappers, and whether it is a Parallel one."""
    from pettingzoo import AECEnv, ParallelEnv
    from pettingzoo.utils.conversions import aec_to_parallel_wrapper, parallel_to_aec_wrapper

    made = type(env).__name__
    env = _bare(env)
    if isinstance(env, parallel_to_aec_wrapper):
        env = env.env
    elif isinstance(env, aec_to_parallel_wrapper):
        env.aec_env = _bare(env.aec_env)
    if not isinstance(env, AECEnv | ParallelEnv):
        raise InputError(f"{made} is not a PettingZoo environment; the factory must make an AECEnv or a ParallelEnv")
    return env, isinstance(env, ParallelEnv)


def _bare(env: Any) -> Any:
    while type(env).__name__ in _CHECKS:
        env = env.env
    return env


def _interface(name: str, env: Any) -> TextInterface:
    if name not in CLASSIC:
        return SpaceInterface(env)
    module, _, cls = CLASSIC[name].interface.partition(":")
    interface: TextInterface = getattr(import_module(module), cls)(env.unwrapped)
    return interface


def _check_agents(env: Any) -> None:
    """Raises InputError if the agents cannot be seats: not known before the match, or without distinct names."""
    agents = getattr(env, "possible_agents", None)
    if not agents:
        raise InputError(f"{env} has no possible_agents; the arena needs to know the seats before a match")
    if len({str(agent) for agent in agents}) != len(agents):
        raise InputError(f"{env} has agents of the same name: {', '.join(map(str, agents))}")


@contextmanager
def _quiet() -> Iterator[None]:
    """Silence PettingZoo's deprecation warnings and gymnasium's cast warnings while an environment is made."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        warnings.filterwarnings("ignore", message=r".*precision lowered by casting.*", category=UserWarning)
        yield
