"""Imports an environment of `verifiers` by its name, configures it, and makes its game."""

from __future__ import annotations

import inspect
import itertools
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from functools import lru_cache
from typing import Any, NamedTuple

from games.errors import ArenaError, InputError, MissingPackage
from games.isolated_rng import IsolatedGenerators
from games.naming import Name, Value
from games.parameter_info import ParameterInfo, parameters_of
from games.parameters import canonical, check_parameters
from games.prime.adapter import TASK_LIMIT, VerifiersGame
from games.returns_range import with_range

PARAMETERS = ("actions", "max_turns", "task_limit", "returns_range")
"""the parameters of the adapter; all others are fields of the environment's configuration"""
_NAME = re.compile(r"(?:[A-Za-z0-9_-]+/)?([A-Za-z0-9_-]+)")


class LoadedEnvironment(NamedTuple):
    """An environment with its tasks and the configurations of its agents."""

    env: Any
    tasks: tuple[Any, ...]
    specs: Mapping[str, Any]


def make(name: str, params: Mapping[str, Any]) -> VerifiersGame:
    """Returns the game for the environment whose package exports a taskset under `name`. Imports that package.

    `params`: those of the adapter (see `VerifiersGame`), and the fields of the environment's own configuration.
    Raises MissingPackage or InputError.
    """
    id = _plain(name)
    fields = _fields(id)
    written = with_range({key: params[key] for key in PARAMETERS if key in params})
    settings: dict[str, Any] = canonical(VerifiersGame, written)
    check_parameters(f"verifiers/{id}", VerifiersGame, settings)
    if unknown := sorted(params.keys() - fields.keys() - set(PARAMETERS)):
        allowed = ", ".join([*PARAMETERS, *fields])
        raise InputError(f"verifiers/{id} has no parameter {unknown[0]!r}; it takes {allowed}")
    values = {key: params[key] for key in fields if key in params and params[key] != fields[key].default}
    env, tasks, specs = _loaded(id, tuple(values.items()), int(settings.get("task_limit", TASK_LIMIT)))
    canonical_id = str(Name(f"verifiers/{id}", {**settings, **values}))
    if type(env) is library().SingleAgentEnv:  # one reply
        settings = {"max_turns": 1} | settings
    return VerifiersGame(canonical_id, id, env, tasks, specs, **settings)


def describe(name: str) -> list[ParameterInfo]:
    """Returns the parameters of the adapter and of the environment. Raises as `make` does."""
    infos = [replace(p, required=False) for p in parameters_of(VerifiersGame) if p.name in PARAMETERS]
    return infos + [
        ParameterInfo(key, "", field.default, field.is_required(), field.description or "")
        if isinstance(field.default, bool | int | float | str)
        else ParameterInfo(key, "", None, field.is_required(), field.description or "")
        for key, field in _fields(_plain(name)).items()
    ]


def source(name: str) -> str:
    """Returns the class of the environment's taskset, as `module:class`."""
    library()
    from verifiers.v1.utils.loaders import taskset_class

    with _reported(_plain(name)):
        cls = taskset_class(_plain(name))
    return f"{cls.__module__}:{cls.__qualname__}"


def library() -> Any:
    """Returns the module `verifiers.v1`. Raises MissingPackage."""
    try:
        with IsolatedGenerators(0).active():
            import verifiers.v1 as vf
    except ImportError as error:
        if (error.name or "").partition(".")[0] not in ("verifiers", ""):
            raise InputError(f"the package verifiers is broken here: {error}") from error
        raise MissingPackage("verifiers/", "verifiers", "'selfplay-arena[prime-verifiers]'") from None
    return vf


def _plain(name: str) -> str:
    """Returns the name as the library finds it: without an owner, in lower case, with dashes."""
    match = _NAME.fullmatch(name)
    if match is None:
        raise InputError(f"verifiers/{name} names no environment; write verifiers/NAME, such as verifiers/gsm8k-v1")
    return match[1].replace("_", "-").lower()


def _fields(id: str) -> dict[str, Any]:
    """Returns the fields of the configurations of taskset and environment that an id can set."""
    vf = library()
    with _reported(id):
        taskset, env = vf.taskset_config_type(id), vf.env_config_type(id)
    return {
        key: field
        for config, base in ((env, vf.EnvConfig), (taskset, vf.TasksetConfig))
        for key, field in config.model_fields.items()
        if key not in base.model_fields and key not in PARAMETERS and not isinstance(field.default, vf.AgentConfig)
    }


@lru_cache(32)
def _loaded(id: str, params: tuple[tuple[str, Value], ...], limit: int) -> LoadedEnvironment:
    vf = library()
    with _reported(id):
        taskset_fields = vf.taskset_config_type(id).model_fields
        taskset = {"id": id} | {key: value for key, value in params if key in taskset_fields}
        others = {key: value for key, value in params if key not in taskset_fields}
        env = vf.load_environment(vf.resolve_env_config({"taskset": taskset, **others}))
        tasks = tuple(itertools.islice(iter(env.taskset), limit))
    if not tasks:
        raise InputError(f"verifiers/{id} has no tasks")
    specs = {key: value for key, value in env.config if isinstance(value, vf.AgentConfig)}
    if why := _needs(vf, env, tasks[0]):
        raise InputError(f"verifiers/{id} needs {why}; the arena plays environments whose agents only write messages")
    return LoadedEnvironment(env, tasks, specs)


def _needs(vf: Any, env: Any, task: Any) -> str:
    """Returns what an environment needs that the arena does not have; "" if nothing."""
    hooks = [*task.hooks("reward"), *task.hooks("metric")]
    runtime = (inspect.signature(hook).parameters.get("runtime") for hook in hooks)
    reasons = {
        "a container": task.NEEDS_CONTAINER or task.data.image is not None,
        "tools": bool(task.toolsets(task.config) or env.taskset.toolsets(env.taskset.config)),
        "the agent's runtime in a reward": any(p is not None and p.default is p.empty for p in runtime),
        "its messages rewritten": any(hasattr(getattr(type(task), name, None), "intercept") for name in dir(task)),
        "resources that it starts itself": type(env).start is not vf.Env.start,
    }
    return next((reason for reason, applies in reasons.items() if applies), "")


@contextmanager
def _reported(id: str) -> Iterator[None]:
    """Turn what an import or a configuration raises into an InputError of one line."""
    try:
        with IsolatedGenerators(0).active():
            yield
    except ArenaError:
        raise
    except ModuleNotFoundError as error:
        cause = error.__cause__ if isinstance(error.__cause__, ModuleNotFoundError) else error
        module = id.replace("-", "_")
        if cause.name == module:
            hint = "install it, or add its folder to PYTHONPATH"
            raise InputError(f"verifiers/{id}: there is no package {module!r} here; {hint}") from None
        raise MissingPackage(f"verifiers/{id}", str(cause.name), str(cause.name)) from None
    except (Exception, SystemExit) as error:
        details = getattr(error, "errors", None)
        if callable(details) and (problems := details()):  # pydantic
            where = ".".join(str(part) for part in problems[0]["loc"] if part != "taskset")
            raise InputError(
                f"verifiers/{id}: {where}: {problems[0]['msg']}; see `arena info verifiers/{id}`"
            ) from None
        reason = " ".join(str(error).split()) or type(error).__name__
        raise InputError(f"verifiers/{id} cannot be made here: {type(error).__name__}: {reason:.240}") from error
