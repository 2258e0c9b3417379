"""Monitors of a training step, per game and role: is the reward earned by what is right, are rules kept?

`truth/` is the mean of what the exact rules confirm (`roles.rewards.monitors`), `reward_truth/` its correlation with
the reward over the seats of the step, `violations/`, `leaks/` and `refusals/` are shares of the seats. Only seats of
the live policy count.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import pairwise
from statistics import StatisticsError, correlation, fmean

from arena.learner import Credit
from arena.match import Episode
from roles.rewards import monitors


def monitor_metrics(
    episodes: Sequence[Episode], credits: Sequence[Credit], players: Collection[str]
) -> dict[str, float]:
    """Returns the monitors of one step. A game without known truth or rules has none."""
    rewards: dict[tuple[str, str], float] = {}
    for credit in credits:
        rewards[credit.match, credit.seat] = rewards.get((credit.match, credit.seat), 0.0) + credit.reward
    pairs: dict[str, list[tuple[float, float]]] = {}
    shares: dict[str, list[bool]] = {}
    for episode in episodes:
        if episode.status == "void" or not episode.facts:
            continue
        live = [seat for seat, player in episode.seats.items() if player in players]
        truths = monitors.truths(episode)
        marks = {"violations": monitors.violations(episode), "refusals": monitors.refusals(episode)}
        marks["leaks"] = monitors.leaks(episode)
        for seat in live:
            path = f"{episode.game}/{episode.roles[seat]}"
            if seat in truths and (episode.match, seat) in rewards:
                pairs.setdefault(path, []).append((rewards[episode.match, seat], truths[seat]))
            for name, seats in marks.items():
                shares.setdefault(f"{name}/{path}", []).append(seat in seats)
    out = {key: fmean(values) for key, values in sorted(shares.items())}
    for path, values in sorted(pairs.items()):
        out[f"truth/{path}"] = fmean(truth for _, truth in values)
        if (r := _correlation(values)) is not None:
            out[f"reward_truth/{path}"] = r
    return out


def _correlation(pairs: Sequence[tuple[float, float]]) -> float | None:
    """Pearson's correlation; None if one side never changes."""
    if len(pairs) < 3 or all(a == b for a, b in pairwise(truth for _, truth in pairs)):
        return None
    try:
        return correlation([reward for reward, _ in pairs], [truth for _, truth in pairs])
    except StatisticsError:
        return None
