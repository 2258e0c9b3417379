"""The memory `cases`: what each action was worth in the situations seen before."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import NamedTuple

from arena.players.experience import Experience
from arena.players.learned.memory_kind import MemoryKind, one_line
from arena.players.player import Player, View
from games.randomness import RandomStream

MOST = 96
"""cases in the notes of a match"""
_WORD = re.compile(r"\w+")


class PastCase(NamedTuple):
    """An action in a situation, how often it was played there, and the mean return of these matches."""

    situation: str
    action: str
    times: int
    mean: float

    def text(self) -> str:
        """Returns the case as a sentence."""
        times = "once" if self.times == 1 else f"{self.times} times"
        return (
            f'When you saw "{quoted(self.situation)}" you played {self.action} {times}: mean return {self.mean:+.2f}.'
        )


def quoted(situation: str) -> str:
    """Returns a situation as the sentence of a case quotes it: what others said must not end the quotation."""
    return situation.replace('"', "'")


class Cases(MemoryKind):
    """Cases and their mean returns; a turn shows the `top` ones whose situations are nearest.

    Case-based memory after AgentFly (arXiv 2508.16153): in its non-parametric form cases are chosen by similarity, here
    of the sets of words (Jaccard), and the mean return stands for the learned value of a case.
    """

    def __init__(self, top: int) -> None:
        self.top = top

    async def learn(self, player: Player, past: Sequence[Experience]) -> Sequence[str]:
        """Returns the cases as JSON, the most frequent ones if there are too many."""
        sums: dict[tuple[str, str], list[float]] = {}
        for experience in past:
            for step in dict.fromkeys(experience.steps):
                sums.setdefault((one_line(step.observation), one_line(step.action)), []).append(experience.score)
        cases = [
            PastCase(situation, did, len(all_), round(sum(all_) / len(all_), 4))
            for (situation, did), all_ in sums.items()
        ]
        kept = sorted(sorted(cases), key=lambda case: -case.times)[:MOST]
        return [json.dumps(case, ensure_ascii=False) for case in kept]

    def turn_notes(self, notes: Sequence[str], view: View) -> Sequence[str]:
        """Returns the nearest cases as sentences, nearest first."""
        here = one_line(view.observation.text)
        words = set(_WORD.findall(here.casefold()))

        def distance(case: PastCase) -> tuple[bool, float]:
            other = set(_WORD.findall(case.situation.casefold()))
            return case.situation != here, -len(words & other) / max(1, len(words | other))

        cases = sorted((PastCase(*json.loads(note)) for note in notes), key=distance)
        return [case.text() for case in cases[: self.top]]

    def control(self, notes: Sequence[str], seed: int) -> Sequence[str]:
        """Returns the cases with each other's returns."""
        cases = [PastCase(*json.loads(note)) for note in notes]
        means = RandomStream(seed).shuffled([case.mean for case in cases])
        spoilt = [case._replace(mean=mean) for case, mean in zip(cases, means, strict=True)]
        return [json.dumps(case, ensure_ascii=False) for case in spoilt]
