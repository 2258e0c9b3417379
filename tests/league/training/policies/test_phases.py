"""Which policies train at which step."""

import json
from typing import Any

from league.config.policies import PhaseConfig
from league.training.policies.phases import PhaseSchedule


def trained(phases, steps, repeat=False):
    """The policies, of a and b, that train at each step."""
    schedule = PhaseSchedule([PhaseConfig.model_validate(phase) for phase in phases], repeat)
    out = []
    for step in range(steps):
        schedule.begin_step(step)
        out.append("".join(name for name in "ab" if schedule.trains(name)))
    return " ".join(out)


def test_without_phases_everything_trains():
    assert trained([], 3) == "ab ab ab"


def test_phases_alternate():
    """Iterative-SPO: one is trained while the other is fixed, then they are swapped."""
    turns = [{"policies": ["a"], "steps": 2}, {"policies": ["b"], "steps": 1}]
    assert trained(turns, 7, repeat=True) == "a a b a a b a"
    assert trained(turns, 5) == "a a b b b"  # the last one lasts


def test_stages_end_with_training_together():
    """HCSP: first the skills, then the strategy on fixed skills, then both."""
    stages: list[dict[str, Any]] = [{"policies": ["a"], "steps": 1}, {"policies": ["b"], "steps": 2}, {}]
    assert trained(stages, 5) == "a b b ab ab"


def test_roles_are_frozen_by_phase():
    schedule = PhaseSchedule([PhaseConfig(roles=("solver",))])
    assert schedule.trains("", "solver")
    assert not schedule.trains("", "proposer")
    assert schedule.trains("")


def test_a_resumed_schedule_goes_on():
    phases = [PhaseConfig(steps=3), PhaseConfig(steps=2)]
    whole, parts = PhaseSchedule(phases, repeat=True), PhaseSchedule(phases, repeat=True)
    found = []
    for step in range(30):
        again = PhaseSchedule(phases, repeat=True)
        again.load_state_dict(json.loads(json.dumps(parts.state_dict())))
        parts = again
        for schedule in (whole, parts):
            schedule.begin_step(step)
        assert parts.number == whole.number
        found.append(whole.number)
    assert found[-1] > 4
