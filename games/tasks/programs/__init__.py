"""Generated programs: a number, a list or a text goes through several steps."""

from games.tasks.programs.source import ProgramSource, TaskProgram

__all__ = ["ProgramSource", "TaskProgram"]
