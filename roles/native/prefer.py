"""The roles of prefer-v0: answers are credited with the share of the others that they are preferred to (SPO), judges by
the truth.
"""

from __future__ import annotations

from roles.native.tagged import Speaker, TaggedRole
from roles.rewards.credit import task_set
from roles.types import Scored


class Answerer(TaggedRole):
    """Gives one of several answers to the same task."""

    name = "answerer"

    def task(self, episode: Scored, seat: str, phase: str = "") -> str:
        """The task or the table, so that answers to different tasks are not compared."""
        return task_set(episode)


class PairJudge(Speaker):
    """Says which of two answers is better."""

    name = "pair-judge"
    form = "End with a letter: A or B."


class AnswerJudge(Speaker):
    """Says whether an answer is correct."""

    name = "answer-judge"
    form = "End with your verdict, one word: correct or incorrect."
