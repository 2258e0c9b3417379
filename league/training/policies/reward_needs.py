"""Whether the rewards of a training's roles say what its estimator, its loss and its replay buffer need to know."""

from __future__ import annotations

import math
from collections.abc import Mapping

import roles
from arena.inference import models
from arena.learner import estimator
from arena.learner.replay import ReplayBuffer
from games import InputError
from league.training.plan import PolicyPlan
from roles.reward_kind import NeededKind

_ASKED = {"verdict": "right and wrong (verdict)", "preference": "shares of wins (preference)"}


def check_reward_kinds(policy: PolicyPlan) -> None:
    """Raise InputError for a role of the policy whose rewards do not say what is needed in one of its games."""
    for part, needed in reward_needs(policy).items():
        for game, spec in policy.specs.items():
            for role in sorted(policy.roles.intersection(spec.seats.values())):
                kind = roles.make(policy.role_ids.get(role, role)).reward_kind
                if problem := kind.problem(needed, spec):
                    raise InputError(
                        f"{part} needs {_ASKED[needed]}, and role {role!r} of {game} pays by {kind.name}: {problem}"
                    )


def check_reward_range(policy: PolicyPlan) -> None:
    """Raise InputError if a role is paid returns of a game that go beyond what the estimator takes."""
    low, high = getattr(estimator(policy.advantage), "needs_range", (-math.inf, math.inf))
    for game, spec in policy.specs.items():
        for role in sorted(policy.roles.intersection(spec.seats.values())):
            kind = roles.make(policy.role_ids.get(role, role)).reward_kind
            if spec.returns_range is None or kind.name != "outcome" or kind.line is not None:
                continue  # the role pays on a scale of its own
            worst, best = spec.returns_range
            if worst < low or best > high:
                raise InputError(
                    f"advantage {policy.advantage!r} takes rewards from {low:g} to {high:g}, and {game} pays from "
                    f"{worst:g} to {best:g}; give it that range, as bnpo(low={worst:g}, high={best:g}) or "
                    f"ngrpo(best={best:g})"
                )


def reward_needs(policy: PolicyPlan) -> Mapping[str, NeededKind]:
    """Returns the kind of reward that each part of the settings needs, by what to call it."""
    models.require_packages()  # losses are made of tensors
    from arena.learner.losses import policy_loss

    parts = {
        f"advantage {policy.advantage!r}": estimator(policy.advantage),
        f"loss {policy.trainer.loss.name!r}": policy_loss(policy.trainer.loss),
        "[replay]": ReplayBuffer(policy.trainer.replay, 0),
    }
    needs: dict[str, NeededKind | None] = {name: getattr(part, "needs_kind", None) for name, part in parts.items()}
    return {name: kind for name, kind in needs.items() if kind}
