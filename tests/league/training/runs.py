"""Small trainings of the built-in tiny model."""

from pathlib import Path
from typing import Any

from league.config.training import TrainingConfig, parse_training
from league.training.participants.policy_id import ONLY
from league.training.plan import PolicyPlan, TrainingPlan
from league.training.resolve import resolve

KUHN = "openspiel/kuhn_poker"


def config(folder: Path, **more: Any) -> TrainingConfig:
    """Kuhn poker with the tiny model: a league in every part, in seconds."""
    settings: dict[str, Any] = {
        "name": "kuhn",
        "db": f"sqlite:///{folder}/arena.db",
        "folder": str(folder / "run"),
        "seed": 1,
        "steps": 6,
        "matches_per_step": 16,
        "games": [KUHN],
        "policy": {"model": "tiny(layers=1, hidden=32)"},
        "loss": {"tau": 0.3},
        "optimizer": {"lr": 1e-3},
        "opponents": {"self": 0.5, "snapshots": 0.3, "anchors": 0.2},
        "anchors": [{"name": "random", "player": "random"}],
        "snapshots": {"every": 2, "matches": 2, "versus": 1},
        "evaluation": {"every": 2, "matches": 4},
        "checkpoint": {"every": 2, "keep": 2},
        "trackers": [],
    }
    return parse_training(settings | more)


def plans(settings: TrainingConfig) -> tuple[TrainingPlan, PolicyPlan]:
    """Returns the plan of a training with one policy, and of its policy."""
    plan = resolve(settings)
    return plan, plan.policies[ONLY]


GATED: dict[str, Any] = {
    "steps": 4,
    "snapshots": {"every": 2, "matches": 1, "versus": 1, "gate": {"nelo1": 200.0, "max_pairs": 16}},
    "evaluation": {"every": 4, "matches": 0, "exact": False},
}
"""settings of a training with a gate"""
