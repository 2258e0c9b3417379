"""Generated programs: a number, a list or a text goes through several steps."""

from games.tasks.programs.source import Program, ProgramSource

__all__ = ["Program", "ProgramSource"]
