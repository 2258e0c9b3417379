"""A solver that is paid without labels: by the majority of the solvers of its match, and by novelty (EVOL-RL)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from annotated_types import Interval

from games.dialogue.messages import tokens
from games.verifiers import arithmetic
from roles.native.proposer_solver import SolverRole
from roles.reward_kind import verdict
from roles.rewards.diversity import distances
from roles.types import Scored


def votes(answers: Sequence[str | None]) -> list[str | None]:
    """Returns what each answer stands for: equal numbers and texts that differ in case and signs only are one vote."""
    return [None if a is None else str(arithmetic.number(a) or " ".join(tokens(a))) for a in answers]


def majority(labels: Sequence[str | None]) -> str | None:
    """Returns the most frequent label, of equals the first; None without any."""
    counts = Counter(label for label in labels if label is not None)
    return max(counts, key=lambda label: counts[label]) if counts else None


def majority_novelty(
    answers: Sequence[str | None], texts: Sequence[str], *, alpha: float = 0.5, novelty: bool = True
) -> list[float]:
    """Returns a group's rewards: 0.5 to 1 for the majority's answer, -1 to -0.5 for others, -1 for unreadable ones.

    Within each class the most novel text gets the highest reward. The novelty of a text is 1 - alpha s - (1 - alpha) m,
    with s its mean similarity to the others of its class and m its largest one to any; it is scaled to 0 to 1 by the
    class's minimum and maximum, and is 1/2 if all are equal. Without `novelty` the rewards are 1 and -1.
    """
    labels = votes(answers)
    winner = majority(labels)
    agrees = [label is not None and label == winner for label in labels]
    if not novelty:
        return [1.0 if a else -1.0 for a in agrees]
    table = distances(texts)
    out = [-1.0] * len(answers)
    for kind in (True, False):
        members = [i for i, label in enumerate(labels) if label is not None and agrees[i] is kind]
        novelties = [_novelty(i, members, labels, table, alpha) for i in members]
        low, high = min(novelties, default=0.0), max(novelties, default=0.0)
        for i, value in zip(members, novelties, strict=True):
            scaled = (value - low) / (high - low) if high > low else 0.5
            out[i] = (0.5 if kind else -1.0) + 0.5 * scaled
    return out


def _novelty(
    i: int, members: Sequence[int], labels: Sequence[str | None], table: Sequence[Sequence[float]], alpha: float
) -> float:
    """1 - alpha * mean similarity within the class - (1 - alpha) * largest similarity to any readable answer."""
    same = [1.0 - table[i][j] for j in members if j != i]
    every = [1.0 - table[i][j] for j in range(len(labels)) if j != i and labels[j] is not None]
    mean = sum(same) / len(same) if same else 0.0
    return 1.0 - alpha * mean - (1.0 - alpha) * max(every, default=0.0)


class MajoritySolver(SolverRole):
    """Credited by majority and novelty (EVOL-RL, arXiv 2509.15194), for games whose facts hold all solvers' answers.

    Set it in a training file: `[roles] solver = "majority-solver"`. The truth is recorded and pays nobody: compare
    `reward_truth/` in the metrics. A majority that is wrong is paid as well.

    alpha: the share of the mean similarity in the novelty; the rest is the largest one.
    novelty: without it the majority's answer earns 1 and others -1 (TTRL).
    """

    name = "majority-solver"
    reward_kind = verdict(0.0)

    def __init__(self, alpha: Annotated[float, Interval(ge=0, le=1)] = 0.5, novelty: bool = True) -> None:
        super().__init__()
        self.alpha, self.novelty = float(alpha), novelty

    def credit_batch(self, episodes: Sequence[Scored]) -> Sequence[Mapping[str, float]] | None:
        """Returns the rewards of the solvers of each match, compared with each other."""
        return [self._rewards(episode) for episode in episodes]

    def _rewards(self, episode: Scored) -> Mapping[str, float]:
        facts: Mapping[str, Any] = getattr(episode, "facts", None) or {}
        written = {turn.seat: turn.action for turn in getattr(episode, "turns", ())}
        paid: dict[str, float] = {}
        for asked in (facts, facts.get("control") or {}):
            answers: Mapping[str, str | None] = asked.get("answers") or {}
            texts = [written.get(seat, "") for seat in answers]
            earned = majority_novelty(list(answers.values()), texts, alpha=self.alpha, novelty=self.novelty)
            paid |= zip(answers, earned, strict=True)
        return paid
