"""The task source `letters`: strings of few letters to copy, reverse, sort or shift, a ladder for tiny models."""

from games.tasks.letters.source import LettersSource

__all__ = ["LettersSource"]
