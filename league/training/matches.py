"""The training matches of a step, planned as pure data: a function of the seed, the step and the population."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from arena.match import Episode, MatchPlan
from games import GameSpec
from games.randomness import Stream, derive
from league.ratings import GameInfo
from league.records import PlannedMatch
from league.training.config import TrainingConfig
from league.training.population import Population

LIVE, FROZEN = "live", "live.frozen"
"""the live policy where it learns, and where its role is frozen; copies of it in a group are `live#1`, ..."""


def live_names(group: int) -> list[str]:
    """The names under which the live policy learns."""
    return [named(LIVE, copy) for copy in range(group)]


def named(base: str, copy: int) -> str:
    """The name of one copy: copies draw their own random numbers where the seed is the same."""
    return f"{base}#{copy}" if copy else base


def base_name(name: str) -> str:
    """The name without its copy."""
    return name.partition("#")[0]


def learns(config: TrainingConfig, game: str, role: str, step: int) -> bool:
    """Whether a role of a game, by its spec's id, is trained at a step."""
    return not any(
        f.role == role and f.game in (None, game) and f.start <= step and (f.stop is None or step < f.stop)
        for f in config.freeze
    )


def plan_step(
    config: TrainingConfig,
    specs: Mapping[str, GameSpec],
    population: Population,
    step: int,
    start: int,
    task: Callable[[str, Stream], str] | None = None,
    notes: Callable[[str, Mapping[str, str]], str] | None = None,
) -> list[PlannedMatch]:
    """The matches of a step, numbered from `start` on.

    Against itself the policy has all seats; against another player it takes each side (a seat, or a team of seats) in
    turn on one seed, so that neither cards nor seats favour anybody. `config.group` matches are played of everything,
    on the same seed and the same task, which `task` draws from a pool for a game ("": it has none). `notes` tells
    what earlier matches left to the players of these seats.
    """
    stream = Stream(derive(config.seed, config.name, "opponents", step))
    ids = list(specs)
    shares = [g.weight for g in config.games]
    tasks = Stream(derive(config.seed, config.name, "tasks", step))
    drawn: set[str] = set()
    planned: list[PlannedMatch] = []
    pairing = 0
    while len(planned) < config.matches_per_step:
        spec = specs[ids[stream.weighted(shares)]]
        opponent = population.opponent(spec.id, stream, drawn)
        live = {seat: LIVE if learns(config, spec.id, role, step) else FROZEN for seat, role in spec.seats.items()}
        seed = derive(config.seed, config.name, "match", step, pairing)
        given = task(spec.id, tasks) if task and tasks.random() < config.tasks.share else ""
        for seats in _seatings(live, GameInfo.of(spec).sides, opponent, config.group):
            id = f"{config.name}.training-{start + len(planned)}"
            match = MatchPlan(id, spec.id, seed, seats, given or (notes(spec.id, seats) if notes else ""))
            planned.append(PlannedMatch(start + len(planned), step, f"{step}.{pairing}", match))
        pairing += 1
    return planned


def _seatings(
    live: Mapping[str, str], sides: Sequence[Sequence[str]], opponent: str | None, group: int
) -> list[dict[str, str]]:
    """Who sits where in each match of a pairing. Against others, only sides that learn are taken, if there are any."""
    if opponent is None:
        return [{seat: named(name, copy) for seat, name in live.items()} for copy in range(group)]
    mine = [side for side in sides if any(live[seat] == LIVE for seat in side)] or sides
    return [
        {seat: named(live[seat], copy) if seat in side else opponent for seat in live}
        for side in mine
        for copy in range(group)
    ]


def result_of_live(episode: Episode) -> tuple[str, float] | None:
    """The opponent and the live policy's result (1, 0.5, 0), or None where it met only itself or the match is void."""
    others = [s for s, p in episode.seats.items() if base_name(p) not in (LIVE, FROZEN)]
    if episode.status == "void" or not others:
        return None
    mine = next(s for s in episode.seats if s not in others)
    best = max(episode.returns[s] for s in others)
    own = episode.returns[mine]
    return episode.seats[others[0]], 0.5 if abs(own - best) <= 1e-9 else float(own > best)


def in_plan_order(planned: Sequence[PlannedMatch], episodes: Sequence[Episode]) -> list[Episode]:
    """Episodes sorted as they were planned, whatever order they ended in."""
    place = {p.match.id: p.index for p in planned}
    return sorted(episodes, key=lambda e: place[e.match])
