"""Outcomes of results made by hand."""

from league.outcomes import OutcomeTable, is_counted
from league.outcomes.outcome import arranged, ranks_of


def pairing_outcomes(results, info):
    """The outcomes of the matches of one pairing that count."""
    kept = sorted((r for r in results if is_counted(r, info)), key=lambda r: r.index)
    return arranged(kept, info, ranks_of(kept, info)) if kept else []


def rows_of(games, results):
    """The table of outcomes."""
    table = OutcomeTable(games)
    table.add(results)
    return table.rows()
