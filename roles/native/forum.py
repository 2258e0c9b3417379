"""The roles of forum-v0, credited with its returns, which are the rewards of CoMAS."""

from __future__ import annotations

from roles.native.tagged import Speaker


class ForumSolver(Speaker):
    """Posts an answer."""

    name = "forum-solver"


class Evaluator(Speaker):
    """Points out the errors of an answer."""

    name = "evaluator"


class Scorer(Speaker):
    """Marks an answer."""

    name = "scorer"
    form = "End with your mark: 1, 2 or 3."
