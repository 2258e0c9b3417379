"""What a run would do beyond computing if somebody continued it: load models, query servers, import packages."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from games import InputError
from league.records.run_spec import RunSpec
from league.trust import Capability, of_game, of_model, of_player, of_roles, of_tasks


class _Policy(msgspec.Struct, frozen=True):
    model: str = ""


class _PolicyTable(msgspec.Struct, frozen=True):
    policy: _Policy = _Policy()
    roles: dict[str, str] = {}


class _Training(_PolicyTable, frozen=True):
    policies: tuple[_PolicyTable, ...] = ()


class _Evaluation(msgspec.Struct, frozen=True):
    suite: tuple[str, ...] = ()


class _File(msgspec.Struct, frozen=True):
    evaluation: _Evaluation = _Evaluation()


class _Settings(msgspec.Struct, frozen=True):
    training: _Training = _Training()
    file: _File = _File()


def capabilities_of(spec: RunSpec) -> Iterator[Capability]:
    """Yields what the games, players, models, roles and suites of a run would do. Raises InputError."""
    try:
        settings = msgspec.convert(spec.other, _Settings)
    except msgspec.ValidationError as error:
        raise InputError(f"the stored settings of run {spec.name!r} are damaged: {error}") from None
    for id in spec.games:
        yield from of_game(id)
    for player in spec.players:
        yield from of_player(player.player)
    for policy in (settings.training, *settings.training.policies):
        yield from of_model(policy.policy.model) if policy.policy.model else ()
        yield from of_roles(policy.roles.values())
    for suite in settings.file.evaluation.suite:
        yield from of_tasks(suite)
