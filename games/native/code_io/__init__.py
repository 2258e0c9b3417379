"""code-io: a proposer writes a program and inputs, solvers find the output, an input, or the program."""

from games.native.code_io.game import code_io

__all__ = ["code_io"]
