"""The memory `lessons`: texts that the player itself writes by comparing its better and its worse matches."""

from __future__ import annotations

import re
from collections.abc import Sequence

from arena.players.experience import Experience
from arena.players.learned.memory_kind import MemoryKind, one_line
from arena.players.player import Player
from arena.players.question import Question, put
from games.randomness import derive

PRUNED = 0.3
"""a lesson is dropped if its score is below this after TRIED matches"""
TRIED = 10

_EDIT = re.compile(r"(?im)^\W*(ADD|UPDATE|DELETE)\s*(\d+)?\s*:?\s*(.*)$")
_RULES = """You write short lessons for your next matches. A lesson is one sentence of advice that holds in every match.
Answer with lines of these forms and nothing else:
ADD: a new lesson
UPDATE 2: better words for lesson 2
DELETE 2"""


class Lessons(MemoryKind):
    """A list of at most `most` lessons, edited after each round in which the player's returns differ.

    Training-Free GRPO (arXiv 2510.08191): a group of matches in the same role, compared in text, gives operations on an
    experience library; a group without differences is left out. Each lesson has the score (s + 1)/(n + 2) of EvolveR
    (arXiv 2510.16079) from the n matches that had it and the s of them above the player's mean return; a low score
    removes it. Of MUSE (arXiv 2510.08002) it has the reflection after a task and the memory in natural language.
    """

    def __init__(self, most: int) -> None:
        self.most = most

    async def learn(self, player: Player, past: Sequence[Experience]) -> Sequence[str]:
        """Returns the lessons that the last round's matches had, edited and pruned."""
        last = [x for x in past if x.round == past[-1].round]
        kept = [note for note in past[-1].notes if not _poor(note, past)]
        best, worst = max(last, key=lambda x: x.score), min(last, key=lambda x: x.score)
        if best.score == worst.score:
            return kept
        seed = derive(past[-1].round, past[-1].game, past[-1].role, *(x.match for x in last))
        answer = await put(player, Question("lessons", _RULES, _compared(kept, best, worst)), seed)
        return edited(kept, answer.action or "", self.most)


def _poor(note: str, past: Sequence[Experience]) -> bool:
    mean = sum(x.score for x in past) / len(past)
    had = [x.score > mean for x in past if note in x.notes]
    return len(had) >= TRIED and score(sum(had), len(had)) < PRUNED


def score(successes: int, uses: int) -> float:
    """Returns how good a lesson is, between 0 and 1; 0.5 before it was used (EvolveR)."""
    return (successes + 1) / (uses + 2)


def edited(lessons: Sequence[str], answer: str, most: int) -> list[str]:
    """Returns the lessons after the operations in an answer. Operations on lessons that do not exist are ignored."""
    lines: list[str | None] = list(lessons)
    for verb, number, text in _EDIT.findall(answer):
        place, line = int(number or 0) - 1, one_line(text)
        if verb.upper() == "ADD" and line:
            lines.append(line)
        elif 0 <= place < len(lessons):
            lines[place] = None if verb.upper() == "DELETE" else line or lines[place]
    return list(dict.fromkeys(text for text in lines if text))[-most:]


def _compared(lessons: Sequence[str], best: Experience, worst: Experience) -> str:
    listed = "\n".join(f"{i}. {lesson}" for i, lesson in enumerate(lessons, 1)) or "none yet"
    return (
        f"Your lessons so far:\n{listed}\n\nYour best match, return {best.score:+g}:\n{_transcript(best)}\n\n"
        f"Your worst match, return {worst.score:+g}:\n{_transcript(worst)}\n\n"
        "What made the difference? Edit the lessons."
    )


def _transcript(experience: Experience) -> str:
    steps = experience.steps[-6:]
    return "\n".join(f"saw: {one_line(step.observation)}\nplayed: {one_line(step.action)}" for step in steps)
