"""The roles of forum, credited with its returns."""

from __future__ import annotations

from roles.native.tagged import Speaker
from roles.reward_kind import outcome


class ForumSolver(Speaker):
    """Posts an answer."""

    name = "forum-solver"
    reward_kind = outcome(0.5)


class Evaluator(Speaker):
    """Points out the errors of an answer."""

    name = "evaluator"
    reward_kind = outcome(0.0)


class Scorer(Speaker):
    """Marks an answer."""

    name = "scorer"
    reward_kind = outcome(0.0)
    form = "End with your mark: 1, 2 or 3."
