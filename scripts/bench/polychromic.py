"""Compares the polychromic advantage with `rloo` where several answers are right: a softmax bandit, no language model.

    python scripts/bench/polychromic.py [--seeds 20] [--first 100] [--record]

Three of twelve answers earn 1. Both arms see 400 groups of 8 answers and learn the logits at the same rate. Coverage is
the chance, mean over the right answers, that one is among 8 draws of the policy after training: 1/3 if it has collapsed
to one of them.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import numpy as np
from _bench import machine_line
from _claims import Claim, record
from numpy.typing import NDArray

sys.path.insert(0, str(Path(__file__).parents[1] / "examples"))
from polychromic import of_pairs

RIGHT, ANSWERS, GROUP, STEPS, RATE = 3, 12, 8, 400, 1.0


def main() -> None:
    """Train both arms on all seeds and print them."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--seeds", type=int, default=20)
    options.add_argument("--first", type=int, default=100, help="the first seed")
    options.add_argument("--record", action="store_true", help="write the claims of docs/claims.md")
    settings = options.parse_args()
    seeds = range(settings.first, settings.first + settings.seeds)
    claims = []
    for arm in ("rloo", "polychromic"):
        policies = np.array([trained(arm, seed)[:RIGHT] for seed in seeds])  # (seeds, RIGHT)
        figures = {"coverage of the right answers in 8 draws": (1 - (1 - policies) ** 8).mean(axis=1)}
        figures["probability of a right answer"] = policies.sum(axis=1)
        for what, values in figures.items():
            interval = f"{values.min():.3f} to {values.max():.3f}, {len(seeds)} seeds"
            claims.append(Claim(f"bandit with 3 of 12 answers right, {arm}: {what}", f"{values.mean():.3f}", interval))
            print(*claims[-1], sep="; ")
    print(machine_line("numpy"))
    if settings.record:
        record(claims, "numpy")


def trained(arm: str, seed: int) -> NDArray[np.float64]:
    """Returns (ANSWERS,) the probabilities after training; the first RIGHT answers are right."""
    generator, logits = np.random.default_rng(seed), np.zeros(ANSWERS)
    for _ in range(STEPS):
        shares = softmax(logits)
        answers = generator.choice(ANSWERS, size=GROUP, p=shares)
        rewards = (answers < RIGHT).astype(np.float64)
        if arm == "rloo":
            advantages = (rewards - rewards.mean()) * GROUP / (GROUP - 1)
        else:
            advantages = of_pairs(rewards, [str(answer) for answer in answers])
        counts = np.bincount(answers, weights=advantages, minlength=ANSWERS)
        logits += RATE * (counts - advantages.sum() * shares) / GROUP
    return softmax(logits)


def softmax(logits: NDArray[np.float64]) -> NDArray[np.float64]:
    """Returns the probabilities of logits."""
    powers = np.exp(logits - logits.max())
    out: NDArray[np.float64] = powers / powers.sum()
    return out


if __name__ == "__main__":
    main()
