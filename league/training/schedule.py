"""The matches of a training step, planned as a pure function of the seed, the step and the opponent pool."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping, Sequence

import games
from arena.match import Episode
from games import GameSpec, InputError
from games.randomness import RandomStream, derive
from league.config.training import FreezeConfig, TrainingConfig
from league.matchmaking.match_plans import plan_pairing
from league.ratings import GameInfo
from league.records.matches import PlannedMatch
from league.training.opponent_pool import OpponentPool

LIVE, FROZEN = "live", "live.frozen"
"""Names of the live policy: in seats whose role learns, and in seats whose role is frozen. In a group, the copies are
`live#1`, `live#2`, ..."""


def live_names(group: int) -> list[str]:
    """The names under which the live policy learns."""
    return [copy_name(LIVE, copy) for copy in range(group)]


def copy_name(base: str, copy: int) -> str:
    """The name of one copy of the live policy. Copies use different random numbers on the same seed."""
    return f"{base}#{copy}" if copy else base


def base_name(name: str) -> str:
    """A player's name without its copy number."""
    return name.partition("#")[0]


def is_live(player: str) -> bool:
    """Whether a player is the live policy, learning or frozen."""
    return base_name(player) in (LIVE, FROZEN)


def learns(config: TrainingConfig, game: str, role: str, step: int) -> bool:
    """Whether a role of a game (the id in its spec) is trained at a step."""
    return not any(
        f.role == role and f.game in (None, game) and f.start <= step and (f.stop is None or step < f.stop)
        for f in config.freeze
    )


def resolve_freezes(config: TrainingConfig, specs: Mapping[str, GameSpec]) -> TrainingConfig:
    """The settings with each game of `[[freeze]]` replaced by its id in `specs`.

    Raises InputError for a game that is not played and for a role that it does not have: neither would freeze anything.
    """
    return config.model_copy(update={"freeze": tuple(_resolve_freeze(f, specs) for f in config.freeze)})


def _resolve_freeze(freeze: FreezeConfig, specs: Mapping[str, GameSpec]) -> FreezeConfig:
    game = None if freeze.game is None else _game_id(freeze.game, specs)
    meant = specs.values() if game is None else [specs[game]]
    roles = sorted({role for spec in meant for role in spec.seats.values()})
    if freeze.role not in roles:
        found = f"no game here has a role {freeze.role!r}" if game is None else f"{game} has no role {freeze.role!r}"
        raise InputError(f"freeze: {found}; its roles: {', '.join(roles)}")
    return freeze.model_copy(update={"game": game})


def _game_id(text: str, specs: Mapping[str, GameSpec]) -> str:
    """The id of a played game, however `text` writes it. Raises InputError."""
    found = text
    with contextlib.suppress(InputError):
        found = games.make(text).spec.id
    if found not in specs:
        raise InputError(f"freeze: {text!r} is not a game of this training; its games: {', '.join(specs)}")
    return found


def plan_step(
    config: TrainingConfig,
    specs: Mapping[str, GameSpec],
    opponents: OpponentPool,
    step: int,
    start: int,
    sample_task: Callable[[str, RandomStream], str] | None = None,
    notes: Callable[[str, Mapping[str, str]], str] | None = None,
) -> list[PlannedMatch]:
    """The matches of a step, numbered from `start`.

    In self-play the live policy has all seats. Against another player it takes each side (a seat, or a team of seats)
    in turn on one seed, so neither the deal nor the seat favours anyone. Each pairing is played `config.group` times on
    the same seed and task. `sample_task(game, stream)` returns a task from the pool, or "". `notes(game, seats)`
    returns what earlier matches noted for these players.
    """
    stream = RandomStream(derive(config.seed, config.name, "opponents", step))
    ids = list(specs)
    weights = [g.weight for g in config.games]
    tasks = RandomStream(derive(config.seed, config.name, "tasks", step))
    sampled: set[str] = set()
    planned: list[PlannedMatch] = []
    pairing = 0
    while len(planned) < config.matches_per_step:
        spec = specs[ids[stream.weighted(weights)]]
        opponent = opponents.sample(spec.id, stream, sampled)
        task = sample_task(spec.id, tasks) if sample_task and tasks.random() < config.tasks.share else ""
        planned += plan_pairing(
            spec.id,
            _seatings(config, spec, step, opponent),
            run=f"{config.name}.training",
            index=start + len(planned),
            round=step,
            pairing=f"{step}.{pairing}",
            seed=derive(config.seed, config.name, "match", step, pairing),
            task=task,
            notes=notes,
        )
        pairing += 1
    return planned


def _seatings(config: TrainingConfig, spec: GameSpec, step: int, opponent: str | None) -> list[dict[str, str]]:
    """The seats of each match of a pairing. Against an opponent, only sides that learn are live, if there are any."""
    live = {seat: LIVE if learns(config, spec.id, role, step) else FROZEN for seat, role in spec.seats.items()}
    copies = range(config.group)
    if opponent is None:
        return [{seat: copy_name(name, copy) for seat, name in live.items()} for copy in copies]
    sides = GameInfo.of(spec).sides
    mine = [side for side in sides if any(live[seat] == LIVE for seat in side)] or sides
    return [
        {seat: copy_name(live[seat], copy) if seat in side else opponent for seat in live}
        for side in mine
        for copy in copies
    ]


def result_of_live(episode: Episode) -> tuple[str, float] | None:
    """The opponent and the live policy's result (1, 0.5 or 0); None for self-play and void matches."""
    others = [s for s, p in episode.seats.items() if not is_live(p)]
    if episode.status == "void" or not others:
        return None
    mine = next(s for s in episode.seats if s not in others)
    best = max(episode.returns[s] for s in others)
    own = episode.returns[mine]
    return episode.seats[others[0]], 0.5 if abs(own - best) <= 1e-9 else float(own > best)


def in_plan_order(planned: Sequence[PlannedMatch], episodes: Sequence[Episode]) -> list[Episode]:
    """The episodes in the order in which their matches were planned."""
    index = {p.match.id: p.index for p in planned}
    return sorted(episodes, key=lambda e: index[e.match])
