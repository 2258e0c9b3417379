"""A study as text: its plan, its table, and a page in Markdown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import msgspec

from league.study.plan import StudyPlan
from league.study.result import ContrastResult, EndpointResult, StudyResult, is_measured
from league.study.statistics import LEVEL, detectable


class PlanSummary(msgspec.Struct, frozen=True):
    """What `arena study --plan` prints."""

    name: str
    hash: str
    seeds: tuple[int, ...]
    arms: dict[str, int]
    """arm -> training matches of each of its runs"""
    runs: int
    measured: int
    """runs that are done"""
    matches: int
    """of all runs"""
    endpoints: tuple[str, ...]
    primary: str
    contrasts: tuple[tuple[str, str], ...]
    detectable: float
    """the difference, in standard deviations of the seeds' differences, that is detected in 95% of such studies"""


def plan_summary(plan: StudyPlan, parts: Mapping[str, str]) -> PlanSummary:
    """Returns the plan in short; `parts` is what the store keeps of the study, {} before its start."""
    config = plan.config
    arms = {arm.name: plan.matches(arm.name) for arm in config.arms}
    names = tuple(endpoint.name for endpoint in config.endpoints)
    return PlanSummary(
        name=config.name,
        hash=plan.hash,
        seeds=config.seeds,
        arms=arms,
        runs=len(plan.runs),
        measured=sum(is_measured(parts, run, list(names)) for run in plan.runs),
        matches=sum(arms.values()) * len(config.seeds),
        endpoints=names,
        primary=config.primary,
        contrasts=config.contrasts,
        detectable=detectable(len(config.seeds), len(config.contrasts)),
    )


def plan_lines(plan: PlanSummary) -> Iterator[str]:
    """Yields the plan as text."""
    yield f"{plan.name}: nothing was played and nothing was written"
    yield f"plan {plan.hash}"
    yield f"arms x seeds: {len(plan.arms)} x {len(plan.seeds)} = {plan.runs} runs, {plan.measured} of them measured"
    for arm, matches in plan.arms.items():
        yield f"  {arm}: {f'{matches:,} training matches a run' if matches else 'measured before its first step'}"
    yield f"matches: {plan.matches:,}, without evaluations"
    yield f"endpoints: {', '.join(plan.endpoints)}; {plan.primary} decides"
    yield f"contrasts: {', '.join(f'{a} - {b}' for a, b in plan.contrasts)}"
    yield (
        f"a difference of {plan.detectable:.1f} standard deviations of the seeds' differences is detected in 95% of "
        "such studies"
    )


def result_lines(result: StudyResult) -> Iterator[str]:
    """Yields the result as one table for the terminal."""
    yield f"{result.name}: {len(result.work)} arms, {len(result.seeds)} seeds, plan {result.hash[:12]}"
    for endpoint in result.endpoints:
        yield ""
        yield _title(endpoint)
        for arm in endpoint.arms:
            seeds = " ".join(f"{value:.3f}" for value in arm.seeds)
            yield f"  {arm.arm:<32} {arm.mean:>8.4f}   by seed: {seeds}"
        for contrast in endpoint.contrasts:
            yield "  " + "  ".join(_cells(contrast)) + "  " + verdict(endpoint, contrast)


def _title(endpoint: EndpointResult) -> str:
    kind = "primary" if endpoint.primary else "secondary"
    items = f", {endpoint.items:,} items" if endpoint.items else ""
    return f"{endpoint.endpoint} ({endpoint.measure}, {endpoint.better} is better, {kind}{items})"


def _cells(contrast: ContrastResult) -> tuple[str, str, str, str]:
    return (
        f"{contrast.first} - {contrast.second}",
        f"{contrast.difference:+.4f}",
        f"[{contrast.low:+.4f}, {contrast.high:+.4f}]",
        f"p {_p(contrast.p)}, corrected {_p(contrast.corrected)}",
    )


def _p(value: float | None) -> str:
    return "none" if value is None else "< 0.0001" if value < 0.0001 else f"{value:.4f}"


def verdict(endpoint: EndpointResult, contrast: ContrastResult) -> str:
    """Returns which arm is better, or that none is, or that this cannot be tested."""
    if contrast.corrected is None:
        return "not verifiable: no seed differs from another"
    if contrast.corrected >= LEVEL:
        return "no difference detected"
    first = (contrast.difference > 0) == (endpoint.better == "higher")
    return f"{contrast.first if first else contrast.second} is better"


def page(plan: StudyPlan, result: StudyResult) -> str:
    """Returns the page of a study in Markdown."""
    lines = [f"# {result.name}", "", f"Plan, stored before the first run: `{result.hash}`.", ""]
    lines += _table(("arm", "control", "training matches", "tokens written"), list(_arms(plan, result)))
    for endpoint in result.endpoints:
        lines += ["", f"## {_title(endpoint)}", ""]
        rows = [(a.arm, f"{a.mean:.4f}", ", ".join(f"{v:.4f}" for v in a.seeds)) for a in endpoint.arms]
        lines += _table(("arm", "mean", f"seeds {', '.join(map(str, result.seeds))}"), rows)
        compared = [(*_cells(c), verdict(endpoint, c)) for c in endpoint.contrasts]
        lines += ["", *_table(("contrast", "difference", "95%", "p, and by Holm", "verdict"), compared)]
    lines += [
        "",
        "Differences are paired by seed. Intervals are of one contrast alone; `corrected` is over the contrasts of an "
        f"endpoint, at {LEVEL:.0%}. The primary endpoint decides; secondary ones are not corrected for each other.",
    ]
    return "\n".join(lines) + "\n"


def _arms(plan: StudyPlan, result: StudyResult) -> Iterator[tuple[str, ...]]:
    """Yields a row for each arm: what its runs took, on average."""
    for arm in plan.config.arms:
        work = result.work[arm.name]
        yield arm.name, arm.control or "", f"{work.matches:,}", f"{work.tokens:,}"


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    return [f"| {' | '.join(cells)} |" for cells in (head, ["---"] * len(head), *rows)]
