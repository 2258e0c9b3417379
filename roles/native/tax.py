"""The roles of tax, credited with the game's return."""

from __future__ import annotations

from roles.native.tagged import TaggedRole
from roles.reward_kind import outcome


class TaxPlanner(TaggedRole):
    """Sets the rates; learns about the workers from their incomes (LLM Economist, 2507.15815)."""

    name = "planner"
    reward_kind = outcome(0.5)


class TaxWorker(TaggedRole):
    """Chooses its hours by its wage, the rates and its effort (LLM Economist, 2507.15815)."""

    name = "worker"
    reward_kind = outcome(0.5)
