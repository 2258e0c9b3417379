"""The roles of tax-v0, credited with the game's return: the share of the best welfare, of the best own utility."""

from __future__ import annotations

from roles.native.tagged import TaggedRole


class TaxPlanner(TaggedRole):
    """Sets the rates; learns about the workers from their incomes (LLM Economist, 2507.15815)."""

    name = "planner"


class TaxWorker(TaggedRole):
    """Chooses its hours by its wage, the rates and its effort (LLM Economist, 2507.15815)."""

    name = "worker"
