"""Runs a study: stores its plan, trains and measures one run after another, and compares the arms at the end.

What is done is in the store, so that a study that was stopped or killed goes on with the next measurement, and
several processes that run the same study share its runs.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec

from arena.inference.prompt_date import pinned
from games import InputError
from games.files import write_whole
from league.runs import stored_players
from league.runs.game_ids import stored_run
from league.store import NoDatabase, RunTaken, Store
from league.store.runs import differences
from league.study.config import StudyConfig, load_study
from league.study.measure import check_endpoint, measured
from league.study.plan import StudyPlan, StudyRun, plain, study_plan
from league.study.report import page
from league.study.result import PLAN, StudyResult, part_of, study_result, work_of
from league.training.run import plan_of, run_training

POLL = 2.0
"""seconds between two looks at runs that other processes play"""


def run_study(
    config: StudyConfig | str | Path,
    file: str | Path = "",
    *,
    show: Callable[[str], None] = lambda line: None,
    trust: bool = False,
) -> StudyResult | None:
    """Start a study, or resume it. Returns None if Ctrl-C stopped a training.

    `file`: the path that `config` was read from. `show` is called with a line at the start of each run. `trust` is as
    in `league.run_tournament`. Raises InputError before any run if the study cannot work or another one has its name.
    """
    if not isinstance(config, StudyConfig):
        file, config = file or config, load_study(config)
    plan = checked_plan(config, file, trust=trust)
    with Store.open(config.db) as store:
        refuse_changed(plan, store.add_to_study(config.name, PLAN, plain(plan.settings)))
        if not all(complete_runs(plan, store, show, trust)):
            return None
        result = study_result(plan, store.study(config.name))
    plan.config.place.mkdir(parents=True, exist_ok=True)
    write_whole(plan.config.place / "study.md", page(plan, result))
    write_whole(plan.config.place / "study.json", msgspec.json.format(msgspec.json.encode(result), indent=1).decode())
    return result


def complete_runs(plan: StudyPlan, store: Store, show: Callable[[str], None], trust: bool) -> Iterator[bool]:
    """Completes the runs that no other process plays, until there are none. Yields False where one was stopped."""
    waits = False
    incomplete = dict(enumerate(plan.runs, 1))
    while incomplete:
        for i, run in list(incomplete.items()):
            if (stored := stored_run(store, run.config.name)) is not None and store.played(stored):
                continue
            with contextlib.suppress(RunTaken):  # another process was quicker
                yield _complete(plan, run, store, f"run {i} of {len(plan.runs)}", show, trust)
                del incomplete[i]
        if incomplete and not waits:
            which = " and ".join(map(str, incomplete))
            show(f"another process plays run {which}; this one waits, and goes on if it ends")
        waits = bool(incomplete)
        time.sleep(POLL * waits)


def stored_parts(config: StudyConfig) -> dict[str, str]:
    """Returns what the store keeps of a study; {} if it is not there yet."""
    try:
        with Store.open(config.db, read_only=True) as store:
            return store.study(config.name)
    except NoDatabase:
        return {}


def checked_plan(config: StudyConfig, file: str | Path, *, trust: bool = False) -> StudyPlan:
    """Returns the plan of a study whose runs and endpoints can be made; writes nothing. Raises InputError."""
    plan = study_plan(config, file)
    for run in plan.runs[: len(config.arms)]:
        plan_of(run.config, plan.base, trust=trust)  # loads the plugins, which the endpoints may need
    for endpoint in config.endpoints:
        check_endpoint(endpoint)
    return plan


def refuse_changed(plan: StudyPlan, stored: str) -> None:
    """Raises InputError if the study was planned with other settings."""
    settings = plain(plan.settings)
    if settings == stored:
        return
    changed = list(differences(msgspec.json.decode(stored), msgspec.json.decode(settings)))
    more = f" and {len(changed) - 3} more" if len(changed) > 3 else ""
    raise InputError(
        f"study {plan.config.name!r} was planned otherwise: {'; '.join(changed[:3])}{more}; change it back to resume "
        "that study, or give this one another name"
    )


def _complete(
    plan: StudyPlan, run: StudyRun, store: Store, count: str, show: Callable[[str], None], trust: bool
) -> bool:
    """Train and measure what is missing of a run. False if the training was stopped. Raises RunTaken."""
    parts, name = store.study(plan.config.name), plan.config.name
    missing = [e for e in plan.config.endpoints if part_of(run, e.name) not in parts]
    if not missing and part_of(run) in parts:
        return True
    show(f"{count}: {run.arm}, seed {run.seed}")
    if not run_training(run.config, plan.base, board="off", trust=trust).complete:
        return False
    store.add_to_study(name, part_of(run), plain(msgspec.to_builtins(work_of(run))))
    # Open until all are measured, so that the model is loaded once and not for each of their games.
    with (
        store.exclusive(trained := store.run(run.config.name)),
        pinned(store.day(trained)),
        contextlib.closing(stored_players.make(run.player, run.config.db, trust=trust)),
    ):
        for endpoint in missing:
            text = parts.get(part_of(plan.same_policy(run), endpoint.name))
            if text is None:
                text = plain(msgspec.to_builtins(measured(run.player, endpoint, run.config.db, trust=trust)))
            store.add_to_study(name, part_of(run, endpoint.name), text)
    return True
