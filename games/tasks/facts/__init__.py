"""Questions about countries and chemical elements, with exact answers."""

from games.tasks.facts.source import FactsSource

__all__ = ["FactsSource"]
