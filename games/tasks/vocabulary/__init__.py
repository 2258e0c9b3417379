"""Nouns with definitions, hints and near words, from WordNet."""

from games.tasks.vocabulary.source import Entry, VocabularySource

__all__ = ["Entry", "VocabularySource"]
