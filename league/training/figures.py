"""The figures of one training step, from what was played and what was learned."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from arena.learner import Credit, Estimator, Key, StepStats
from arena.match import Decision, Episode
from arena.players.by_role import WHOLE
from league.training.diversity import message_figures, task_figures
from league.training.matches import FROZEN, LIVE, base_name

_OURS = (LIVE, FROZEN)


def step_figures(
    episodes: Sequence[Episode],
    credits: Sequence[Credit],
    advantages: Sequence[float],
    stats: Mapping[str, StepStats],
    estimator: Estimator,
) -> dict[str, float]:
    """Rewards and baselines per role, answers, seats, and what the trainers say. Nothing that depends on the clock."""
    out: dict[str, float] = {"matches": len(episodes), "void": sum(e.status == "void" for e in episodes)}
    out |= _rewards(credits, advantages)
    baseline = getattr(estimator, "baseline", None)
    if baseline is not None:
        seen: tuple[Key, ...] = baseline.keys()
        out |= {f"baseline/{'/'.join(key)}": baseline.value(key) for key in seen}
    out |= _answers(episodes)
    out |= _seats(episodes)
    out |= task_figures(episodes)
    out |= message_figures(episodes, lambda player: base_name(player) in _OURS)
    for key, step in stats.items():
        out |= {name if key == WHOLE else f"{name}/{key}": value for name, value in step.metrics().items()}
    return out


def _rewards(credits: Sequence[Credit], advantages: Sequence[float]) -> dict[str, float]:
    """Mean reward and mean square of the advantage, per game and role."""
    groups: dict[str, list[tuple[float, float]]] = {}
    for credit, advantage in zip(credits, advantages, strict=True):
        groups.setdefault(f"{credit.game}/{credit.role}", []).append((credit.reward, advantage))
    out: dict[str, float] = {}
    for key, pairs in sorted(groups.items()):
        out[f"reward/{key}"] = sum(r for r, _ in pairs) / len(pairs)
        out[f"advantage_square/{key}"] = sum(a * a for _, a in pairs) / len(pairs)
    return out


def _answers(episodes: Sequence[Episode]) -> dict[str, float]:
    """What the live policy wrote: mean tokens of an answer, share of answers that were no legal action."""
    attempts = [a for e in episodes for a in live_attempts(e)]
    tokens = sum(len(a.sample.completion_ids) for a in attempts if a.sample is not None)
    faults = sum(a.category != "ok" for a in attempts)
    n = max(1, len(attempts))
    return {"answers": len(attempts), "length": tokens / n, "illegal": faults / n}


def staleness(episodes: Sequence[Episode], version: int) -> dict[str, float]:
    """How many steps the weights that played are behind those that learn from it: mean over answers, and most."""
    behind = [version - a.sample.version for e in episodes for a in live_attempts(e) if a.sample is not None]
    return {"staleness": sum(behind) / max(1, len(behind)), "staleness_max": max(behind, default=0)}


def live_attempts(episode: Episode) -> Iterator[Decision]:
    """Every answer the live policy gave in a match."""
    for turn in episode.turns:
        if base_name(turn.player) in _OURS:
            yield from turn.attempts
    if episode.forfeited_by and base_name(episode.seats[episode.forfeited_by]) in _OURS:
        yield from episode.failure


def _seats(episodes: Sequence[Episode]) -> dict[str, float]:
    """Which seat wins the decided matches of the policy against itself."""
    wins: dict[str, dict[str, int]] = {}
    for episode in episodes:
        if "rewards" in episode.facts:
            continue  # rewards of different kinds for different roles: the highest is no win
        if episode.status == "void" or any(base_name(p) not in _OURS for p in episode.seats.values()):
            continue
        best = max(episode.returns.values())
        winners = [s for s, r in episode.returns.items() if r >= best - 1e-9]
        if len(winners) == 1:
            game = wins.setdefault(episode.game, dict.fromkeys(episode.seats, 0))
            game[winners[0]] += 1
    return {
        f"seat_win/{game}/{seat}": won / sum(seats.values())
        for game, seats in sorted(wins.items())
        for seat, won in seats.items()
    }
