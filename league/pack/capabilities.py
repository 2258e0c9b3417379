"""What a run would do beyond computing if somebody continued it: load models, query servers, import packages."""

from __future__ import annotations

from collections.abc import Iterator

from league.records.run_spec import RunSpec
from league.trust import Capability, of_game, of_model, of_player, of_roles, of_tasks


def capabilities_of(spec: RunSpec) -> Iterator[Capability]:
    """Yields what the games, players, models, roles and suites of a run would do. Raises InputError."""
    settings = spec.training
    for id in spec.games:
        yield from of_game(id)
    for player in spec.players:
        yield from of_player(player.player)
    for policy in settings.policies:
        yield from of_model(policy.policy.model) if policy.policy.model else ()
        yield from of_roles(policy.roles.values())
    for suite in settings.suite:
        yield from of_tasks(suite)
