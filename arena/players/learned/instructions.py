"""The memory `instructions`: a population of instructions for each role, of which every match draws one."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp

from arena.players.experience import Experience
from arena.players.learned.memory_kind import MemoryKind, one_line
from arena.players.player import Player, View
from arena.players.question import Question, put
from games.randomness import RandomStream, derive

TEMPERATURE = 0.2
"""of the draw of an instruction, in units of the return"""
TRIED = 8
"""matches after which the worst instruction may be replaced"""
_RULES = "You write instructions for a player. Answer with one instruction, in one sentence, and nothing else."


class Instructions(MemoryKind):
    """Draws an instruction with probability softmax(w / TEMPERATURE), where w is its mean return so far.

    The population of INSPO (arXiv 2512.01945), which takes the same softmax of weights from rewards. With `propose`,
    each round the worst instruction that was used often enough is replaced by one that the player writes after reading
    its worst match; a new one starts at the mean of all. INSPO verifies candidates before they enter; here the next
    matches do. The plan holds the whole population, the drawn one first.
    """

    def __init__(self, texts: Sequence[str], propose: bool) -> None:
        self.texts, self.propose = list(texts), propose

    async def learn(self, player: Player, past: Sequence[Experience]) -> Sequence[str]:
        """Returns the population."""
        held = sorted(past[-1].notes) or sorted(self.texts)
        if not self.propose:
            return held
        uses = {text: [x.score for x in past if x.notes[:1] == (text,)] for text in held}
        tried = [text for text in held if len(uses[text]) >= TRIED]
        if len(tried) < 2:
            return held
        worst = min(tried, key=lambda text: sum(uses[text]) / len(uses[text]))
        failed = min(past[-64:], key=lambda x: x.score)
        seed = derive(past[-1].round, past[-1].game, past[-1].role, past[-1].match)
        answer = await put(player, Question("instruction", _RULES, _task(held, worst, failed)), seed)
        new = one_line(answer.action or "")
        return sorted([new if text == worst else text for text in held]) if new and new not in held else held

    def match_notes(self, learned: Sequence[str], past: Sequence[Experience], seed: int) -> Sequence[str]:
        """Returns the drawn instruction, then the others."""
        population = list(learned) or sorted(self.texts)
        drawn = RandomStream(seed).weighted(shares(population, past))
        return [population[drawn], *population[:drawn], *population[drawn + 1 :]]

    def turn_notes(self, notes: Sequence[str], view: View) -> Sequence[str]:
        """Returns the drawn instruction alone."""
        return notes[:1]


def shares(population: Sequence[str], past: Sequence[Experience]) -> list[float]:
    """Returns the probability of each instruction."""
    overall = sum(x.score for x in past) / len(past) if past else 0.0
    means = []
    for text in population:
        scores = [x.score for x in past if x.notes[:1] == (text,)]
        means.append(sum(scores) / len(scores) if scores else overall)
    weights = [exp((mean - max(means)) / TEMPERATURE) for mean in means]
    return [weight / sum(weights) for weight in weights]


def _task(held: Sequence[str], worst: str, failed: Experience) -> str:
    others = "\n".join(f"- {text}" for text in held if text != worst)
    steps = "\n".join(f"saw: {one_line(s.observation)}\nplayed: {one_line(s.action)}" for s in failed.steps[-6:])
    return (
        f"Instructions in use:\n{others}\n\nThis one did badly: {worst}\n\n"
        f"A match that was lost (return {failed.score:+g}):\n{steps}\n\nWrite a better instruction than the bad one."
    )
