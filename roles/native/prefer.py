"""The roles of prefer: answers are credited with the share of the others that they are preferred to (SPO), judges by
the truth.
"""

from __future__ import annotations

from roles.native.tagged import Speaker, TaggedRole
from roles.reward_kind import outcome, preference
from roles.rewards.credit import task_set
from roles.types import Scored


class Answerer(TaggedRole):
    """Gives one of several answers to the same task; its credit is its share of wins (SPO, arXiv 2401.04056)."""

    name = "answerer"
    reward_kind = preference()

    def task(self, episode: Scored, seat: str, phase: str = "") -> str:
        """Returns the task or the table, so that answers to different tasks are not compared."""
        return task_set(episode)


class PairJudge(Speaker):
    """Says which of two answers is better, paid by the truth (LLaVA-Critic-R1, arXiv 2509.00676; SPARK, 2509.22624)."""

    name = "pair-judge"
    reward_kind = outcome(0.0)
    form = "End with a letter: A or B."


class AnswerJudge(Speaker):
    """Says whether an answer is correct, paid by the truth (RISE, arXiv 2505.13445)."""

    name = "answer-judge"
    reward_kind = outcome(0.0)
    form = "End with your verdict, one word: correct or incorrect."
