"""Majority and novelty: a reward without labels, of the answers of one group.

EVOL-RL (Zhou et al. 2025, arXiv 2509.15194) keeps the majority's answer as its label, as TTRL (arXiv 2504.16084) does,
and pays within majority and minority for reasoning that differs from the others', so that the policy does not collapse
on one way to answer. The similarity is BLEU here instead of embeddings of a language model.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from games.dialogue.messages import tokens
from games.verifiers import arithmetic
from roles.rewards.diversity import distances


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
