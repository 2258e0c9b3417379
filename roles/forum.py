"""The roles of forum-v0, credited with its returns, which are CoMAS's."""

from __future__ import annotations

from roles.speaker import Speaker


class ForumSolver(Speaker):
    """Posts an answer."""

    name = "forum-solver"


class Evaluator(Speaker):
    """Finds the errors of an answer that was given to it."""

    name = "evaluator"


class Scorer(Speaker):
    """Marks an answer."""

    name = "scorer"
    form = "Your whole reply is your mark: 1, 2 or 3 and nothing else."
