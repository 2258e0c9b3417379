"""The result of a study, from what the store keeps of its runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec
import numpy as np

from league.records.metrics_file import read_metrics
from league.study.config import EndpointConfig
from league.study.measure import Measurement
from league.study.plan import StudyPlan, StudyRun
from league.study.statistics import Values, compare, holm

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


def is_measured(parts: Mapping[str, str], run: StudyRun, endpoints: list[str]) -> bool:
    """Returns whether nothing is missing of a run."""
    return all(part_of(run, endpoint) in parts for endpoint in ["", *endpoints])


class ArmResult(msgspec.Struct, frozen=True):
    """One arm at one endpoint."""

    arm: str
    mean: float
    seeds: tuple[float, ...]
    """the value of each seed, in the order of the file"""


class ContrastResult(msgspec.Struct, frozen=True):
    """One arm less another at one endpoint, paired by seed."""

    first: str
    second: str
    difference: float
    low: float
    high: float
    """95% interval of this contrast alone"""
    spread: float
    """standard deviation of the seeds' differences"""
    p: float | None
    """two-sided; None if the seeds do not spread, so that there is nothing to test against"""
    corrected: float | None
    """p by Holm, over the contrasts of the endpoint"""


class EndpointResult(msgspec.Struct, frozen=True):
    """All arms and contrasts at one endpoint."""

    endpoint: str
    measure: str
    better: str
    primary: bool
    items: int
    """tasks that every run has answered, or games of a range; 0 for an endpoint without items"""
    arms: tuple[ArmResult, ...]
    contrasts: tuple[ContrastResult, ...]


class StudyResult(msgspec.Struct, frozen=True):
    """A finished study."""

    name: str
    hash: str
    """of the plan, which was stored before the first run"""
    seeds: tuple[int, ...]
    work: dict[str, StudyWork]
    """arm -> the mean of what its runs took"""
    endpoints: tuple[EndpointResult, ...]


def study_result(plan: StudyPlan, parts: Mapping[str, str]) -> StudyResult:
    """Returns the result of a study whose runs are all measured; `parts` is what the store keeps."""
    config = plan.config
    endpoints = tuple(_endpoint(plan, endpoint, parts) for endpoint in config.endpoints)
    work = {arm.name: _work(plan, arm.name, parts) for arm in config.arms}
    return StudyResult(config.name, plan.hash, config.seeds, work, endpoints)


def _work(plan: StudyPlan, arm: str, parts: Mapping[str, str]) -> StudyWork:
    runs = [msgspec.json.decode(parts[part_of(run)], type=StudyWork) for run in plan.runs if run.arm == arm]
    return StudyWork(sum(r.matches for r in runs) // len(runs), sum(r.tokens for r in runs) // len(runs))


def _endpoint(plan: StudyPlan, endpoint: EndpointConfig, parts: Mapping[str, str]) -> EndpointResult:
    read: dict[str, list[Measurement]] = {}
    for run in plan.runs:
        text = parts[part_of(run, endpoint.name)]
        read.setdefault(run.arm, []).append(msgspec.json.decode(text, type=Measurement))
    items = sorted(set.intersection(*(set(m.items) for runs in read.values() for m in runs)))
    values = {arm: _values(runs, items) for arm, runs in read.items()}
    arms = tuple(ArmResult(arm, float(rows.mean()), tuple(rows.mean(axis=1).tolist())) for arm, rows in values.items())
    draws = int(plan.hash[:8], 16)
    pairs = plan.config.contrasts
    differences = [compare(values[first], values[second], draws) for first, second in pairs]
    corrected = holm([d.p for d in differences])
    contrasts = tuple(
        ContrastResult(*pair, d.mean, d.low, d.high, d.spread, d.p, p)
        for pair, d, p in zip(pairs, differences, corrected, strict=True)
    )
    primary = endpoint.name == plan.config.primary
    return EndpointResult(endpoint.name, endpoint.measure, endpoint.better, primary, len(items), arms, contrasts)


def _values(runs: Sequence[Measurement], items: Sequence[str]) -> Values:
    """Returns a row for each seed: its items, or its value."""
    return np.array([[m.items[i] for i in items] if items else [m.value] for m in runs], dtype=np.float64)
