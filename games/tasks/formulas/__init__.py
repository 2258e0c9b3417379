"""The task source `formulas`: theorems of set.mm to prove."""

from games.tasks.formulas.source import FormulaSource, PosedFormula

__all__ = ["FormulaSource", "PosedFormula"]
