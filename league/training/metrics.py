"""The metrics of one training step, computed from its episodes, its credits and the trainers' statistics.

Keys are paths such as `reward/openspiel/kuhn_poker/first`. Nothing here depends on wall time, so a resumed run on the
CPU repeats every value bit for bit.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from statistics import StatisticsError, correlation, fmean
from typing import Any, NamedTuple

from arena.learner import Credit, Estimator, Key, StepStats
from arena.match import Decision, Episode, Turn
from arena.players.by_role import WHOLE
from games.tasks.canonical import canonical_of, canonical_text
from roles.rewards import monitors


def step_metrics(
    episodes: Sequence[Episode],
    credits: Sequence[Credit],
    advantages: Sequence[float],
    stats: Mapping[str, StepStats],
    estimator: Estimator,
    players: Collection[str],
) -> dict[str, float]:
    """Rewards and baselines per role, answers, seats, tasks, messages and what the trainers report, of one policy."""
    out: dict[str, float] = {"matches": len(episodes), "void": sum(e.status == "void" for e in episodes)}
    out |= _rewards(credits, advantages)
    baseline = getattr(estimator, "baseline", None)
    if baseline is not None:
        keys: tuple[Key, ...] = baseline.keys()
        out |= {f"baseline/{'/'.join(key)}": baseline.value(key) for key in keys}
    out |= _answers(episodes, players)
    out |= _seat_wins(episodes, players)
    out |= task_metrics(episodes)
    out |= message_metrics(episodes, players)
    out |= reading_metrics(episodes, players)
    out |= monitor_metrics(episodes, credits, players)
    for policy, step in stats.items():
        out |= {name if policy == WHOLE else f"{name}/{policy}": value for name, value in step.metrics().items()}
    return out


def _rewards(credits: Sequence[Credit], advantages: Sequence[float]) -> dict[str, float]:
    """Mean reward, mean squared advantage and the share of advantages that are 0, per game and role."""
    groups: dict[str, list[tuple[float, float]]] = {}
    for credit, advantage in zip(credits, advantages, strict=True):
        groups.setdefault(f"{credit.game}/{credit.role}", []).append((credit.reward, advantage))
    out: dict[str, float] = {}
    for key, pairs in sorted(groups.items()):
        out[f"reward/{key}"] = sum(r for r, _ in pairs) / len(pairs)
        out[f"advantage_square/{key}"] = sum(a * a for _, a in pairs) / len(pairs)
        out[f"no_advantage/{key}"] = sum(a == 0.0 for _, a in pairs) / len(pairs)
    return out


def _answers(episodes: Sequence[Episode], players: Collection[str]) -> dict[str, float]:
    """The live policy's answers: their number, mean length in tokens, the share that the limit of tokens ended, and the
    share that was not a legal action.
    """
    attempts = [a for e in episodes for a in live_attempts(e, players)]
    tokens = sum(len(a.sample.completion_ids) for a in attempts if a.sample is not None)
    illegal = sum(a.category != "ok" for a in attempts)
    n = max(1, len(attempts))
    cut = sum(a.sample.truncated for a in attempts if a.sample is not None)
    return {"answers": len(attempts), "length": tokens / n, "truncated": cut / n, "illegal": illegal / n}


def staleness(episodes: Sequence[Episode], version: int, players: Collection[str]) -> dict[str, float]:
    """Returns how many updates the sampling weights lag behind `version`: the mean over all answers, and the maximum.

    An answer's lag is the mean over its tokens.
    """
    lags = list(_lags(episodes, version, players))
    means = [lag.total / lag.tokens for lag in lags]
    return {
        "staleness": sum(means) / max(1, len(means)),
        "staleness_max": max((lag.largest for lag in lags), default=0),
    }


def version_mixture(episodes: Sequence[Episode], version: int, players: Collection[str]) -> dict[str, float]:
    """Returns the share of answers that several versions of the weights sampled, and the mean lag of a token."""
    lags = list(_lags(episodes, version, players))
    mixed, tokens = sum(lag.mixed for lag in lags), sum(lag.tokens for lag in lags)
    total = sum(lag.total for lag in lags)
    return {"mixed_versions": mixed / max(1, len(lags)), "token_staleness": total / max(1, tokens)}


class _Lag(NamedTuple):
    """How many updates the tokens of an answer lag behind."""

    total: int
    """over all tokens"""
    largest: int
    tokens: int
    mixed: bool


def _lags(episodes: Sequence[Episode], version: int, players: Collection[str]) -> Iterator[_Lag]:
    """Of all answers of the live policy. Token by token only where the versions differ."""
    for episode in episodes:
        for attempt in live_attempts(episode, players):
            if (sample := attempt.sample) is not None and (tokens := len(sample.completion_ids)):
                lags = [version - sampled for sampled in sample.versions or (sample.version,)]
                total = sum(lags) if sample.versions else lags[0] * tokens
                yield _Lag(total, max(lags), tokens, len(set(lags)) > 1)


def live_attempts(episode: Episode, players: Collection[str]) -> Iterator[Decision]:
    """Yields every answer of a policy in a match, failed attempts included."""
    for turn in episode.turns:
        if turn.player in players:
            yield from turn.attempts
    if episode.forfeited_by and episode.seats[episode.forfeited_by] in players:
        yield from episode.failure


def _seat_wins(episodes: Sequence[Episode], players: Collection[str]) -> dict[str, float]:
    """Returns each seat's share of the wins in self-play matches that have one winner."""
    wins: dict[str, dict[str, int]] = {}
    for episode in episodes:
        if "rewards" in episode.facts or len(episode.seats) < 2:
            continue  # roles have rewards of different kinds, so the highest return is not a win; alone nobody wins
        if episode.status == "void" or not all(player in players for player in episode.seats.values()):
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


# Diversity. A collapse shows here before it shows in rewards: fewer different tasks or messages, solve rates near 0
# or 1, judges that no longer agree with the truth.


def task_metrics(episodes: Sequence[Episode]) -> dict[str, float]:
    """Per game with tasks: shares of valid and of different proposals, mean solve rate, mean length, ..."""
    games: dict[str, list[Mapping[str, Any]]] = {}
    for episode in episodes:
        if episode.status != "void" and "task" in episode.facts and "verdict" in episode.facts:
            games.setdefault(episode.game, []).append(episode.facts)
    return {f"{name}/{game}": v for game, facts in sorted(games.items()) for name, v in _tasks(facts).items()}


def _tasks(facts: Sequence[Mapping[str, Any]]) -> dict[str, float]:
    proposed = [f for f in facts if not f.get("pooled")]
    valid = [f for f in proposed if f["verdict"] == "pass"]
    rates = [f["solve_rate"] for f in facts if f.get("solve_rate") is not None]
    agrees = [m["agrees"] for f in facts for m in f.get("marks", ()) if m.get("agrees") is not None]
    labels = [f["label_right"] for f in facts if f.get("label_right") is not None]
    controls = [right for f in facts for right in f.get("control", {}).get("right", {}).values()]
    means = {
        "valid": _mean(f["verdict"] == "pass" for f in proposed),
        "distinct": len(set(map(canonical_of, valid))) / len(valid) if valid else None,
        "task_length": _mean(len(f["task"]) for f in valid),
        "solve_rate": _mean(rates),
        "controls": _mean(controls),
        "agreement": _mean(agrees),
        "label_right": _mean(labels),
    }
    return {name: value for name, value in means.items() if value is not None}


def reading_metrics(episodes: Sequence[Episode], players: Collection[str]) -> dict[str, float]:
    """Per dialogue game and role, as shares of the live policy's turns: answers that could not be read, and messages
    that others read only in part.
    """
    turns: dict[str, int] = {}
    counts: dict[str, int] = {}
    for episode in episodes:
        if "unread" not in episode.facts:
            continue
        for turn in episode.turns:
            if turn.player in players:
                key = f"{episode.game}/{turn.role}"
                turns[key] = turns.get(key, 0) + 1
        for seat, player in episode.seats.items():
            if player in players:
                key = f"{episode.game}/{episode.roles[seat]}"
                missed = len(episode.facts["unread"].get(seat, ()))
                cut = episode.facts.get("cut", {}).get(seat, 0)  # starling-v1 cuts nothing
                for name, count in (("unread", missed), ("cut", cut)):
                    counts[f"{name}/{key}"] = counts.get(f"{name}/{key}", 0) + count
    return {name: count / max(1, turns.get(name.partition("/")[2], 0)) for name, count in sorted(counts.items())}


def message_metrics(episodes: Sequence[Episode], players: Collection[str]) -> dict[str, float]:
    """Per dialogue game and role: the shares of different messages and of the most frequent one, of the live policy.

    What another seat of the match has said before does not count: several seats may give the right answer. Dialogue
    games are recognised by the facts they record. Substituted actions, drawn at random after illegal answers, do not
    count, and neither do choices from a list, which good play makes fewer: their spread is the entropy.
    """
    messages: dict[str, list[str]] = {}
    for episode in episodes:
        first: dict[str, str] = {}
        for turn in episode.turns if episode.facts else ():
            if turn.player in players and not turn.substituted and not _chosen(turn):
                text = canonical_text(turn.action)
                if first.setdefault(text, turn.seat) == turn.seat:
                    messages.setdefault(f"{episode.game}/{turn.role}", []).append(text)
    different = {f"messages/{role}": len(set(texts)) / len(texts) for role, texts in sorted(messages.items())}
    most = {role: max(Counter(texts).values()) for role, texts in messages.items()}
    return different | {f"same/{role}": most[role] / len(texts) for role, texts in sorted(messages.items())}


def _chosen(turn: Turn) -> bool:
    """Returns whether a model chose one of the listed actions."""
    return turn.sample is not None and turn.sample.allowed is not None


def _mean(values: Iterable[float]) -> float | None:
    numbers = [float(value) for value in values]
    return sum(numbers) / len(numbers) if numbers else None


def monitor_metrics(
    episodes: Sequence[Episode], credits: Sequence[Credit], players: Collection[str]
) -> dict[str, float]:
    """Returns the monitors of one step, per game and role: is the reward earned by what is right, are rules kept?

    `truth/` is the mean of what the exact rules confirm (`roles.rewards.monitors`), `reward_truth/` its correlation
    with the reward over the seats of the step, `violations/`, `leaks/` and `refusals/` are shares of the seats. Only
    seats of the live policy count. A game without known truth or rules has none.
    """
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
