"""What the store keeps of a study besides its plan: what each run took, and what was measured at its end."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from league.records.metrics_file import read_metrics
from league.study.measure import Measurement
from league.study.plan import StudyRun

PLAN = "plan"


class StudyWork(msgspec.Struct, frozen=True):
    """What a run took."""

    matches: int
    tokens: int
    """that the policy wrote in them"""


def work_of(run: StudyRun) -> StudyWork:
    """Returns what the metrics of a run say about it, up to the step that is measured."""
    rows = [row for row in read_metrics(run.config.place) if 0 < row["step"] <= run.step]
    tokens = sum(row.get("answers", 0.0) * row.get("length", 0.0) for row in rows)
    return StudyWork(round(sum(row.get("matches", 0.0) for row in rows)), round(tokens))


def part_of(run: StudyRun, endpoint: str = "") -> str:
    """Returns the key of a measurement of a run; without an endpoint, of what the run took."""
    return f"{run.arm}/{run.seed}/{endpoint}"


def stored_work(parts: Mapping[str, str], run: StudyRun) -> StudyWork:
    """Returns what a run took."""
    return msgspec.json.decode(parts[part_of(run)], type=StudyWork)


def stored_measurement(parts: Mapping[str, str], run: StudyRun, endpoint: str) -> Measurement:
    """Returns what an endpoint says of a run."""
    return msgspec.json.decode(parts[part_of(run, endpoint)], type=Measurement)


def is_measured(parts: Mapping[str, str], run: StudyRun, endpoints: list[str]) -> bool:
    """Returns whether nothing is missing of a run."""
    return all(part_of(run, endpoint) in parts for endpoint in ["", *endpoints])
