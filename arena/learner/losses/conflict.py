"""GTPO: tokens that right and wrong answers share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import ClassVar

import torch
from torch import Tensor

from arena.learner.config import LossConfig
from arena.learner.losses.base import Reduction, Unit
from arena.learner.losses.ppo import Bound
from arena.learner.losses.reinforce import Reinforce
from arena.learner.losses.tokens import LossTokens


class ConflictTokens(Reinforce):
    """GTPO (arXiv 2508.03772): no negative update on tokens with which answers of positive advantage begin or end.

    A token is in conflict if an answer of the other sign in its group has the same token at the same place, counted
    from the start or from the end, in an unbroken run from there. Its weight is 0 in answers with a negative advantage
    and `positive` in those with a positive one, also if both runs reach it (in the authors' code: its square).
    An answer with a mean entropy above `threshold` has no advantage; the others lose `penalty` times theirs. There is
    neither clip nor KL; importance weights are capped.
    """

    reduction: ClassVar[Reduction] = "sequence"
    unit: ClassVar[Unit] = "group"
    needs_policy: ClassVar[bool] = True
    follows_advantage: ClassVar[bool] = False

    def __init__(self, config: LossConfig, positive: Bound = 2.0, threshold: Bound = 0.7, penalty: Bound = 0.1) -> None:
        super().__init__(config)
        self.positive, self.threshold, self.penalty = float(positive), float(threshold), float(penalty)

    def prepare(self, tokens: LossTokens) -> Mapping[str, Tensor]:
        """Returns the advantage of each token, with its weight and the penalty for entropy."""
        entropy = tokens.sample_mean(tokens.entropy)
        advantage = torch.where(entropy > self.threshold, 0.0, tokens.advantage - self.penalty * entropy)
        return {"advantage": advantage * conflict_weights(tokens, self.positive)}

    def __call__(self, tokens: LossTokens) -> tuple[Tensor, Tensor]:
        """Returns (K,) losses; no token is clipped."""
        return super().__call__(replace(tokens, advantage=tokens.prepared["advantage"]))


def conflict_weights(tokens: LossTokens, positive: float) -> Tensor:
    """Returns (K,) 1, or for a token in conflict 0 in an answer with a negative advantage, else `positive`."""
    places: dict[int, list[int]] = {}
    for place, sample in enumerate(tokens.sample.tolist()):
        places.setdefault(sample, []).append(place)
    ids, signs, groups = tokens.token.tolist(), tokens.advantage.sign().int().tolist(), tokens.group.tolist()
    answers: dict[int, dict[int, list[list[int]]]] = {group: {-1: [], 0: [], 1: []} for group in groups}
    for where in places.values():
        answers[groups[where[0]]][signs[where[0]]].append(where)
    weights = [1.0] * len(ids)
    for group in answers.values():
        for step in (1, -1):  # runs from the start, then from the end
            right, wrong = (_pairs([[ids[p] for p in where[::step]] for where in group[sign]]) for sign in (1, -1))
            shared = right & wrong
            for sign, weight in ((1, positive), (-1, 0.0)):
                for where in group[sign]:
                    for n, place in enumerate(where[::step]):
                        if (n, ids[place]) not in shared:
                            break
                        weights[place] = weight
    return torch.tensor(weights, device=tokens.token.device)


def _pairs(answers: Sequence[Sequence[int]]) -> set[tuple[int, int]]:
    """Returns (place, token) of all answers."""
    return {pair for answer in answers for pair in enumerate(answer)}
