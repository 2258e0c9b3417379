"""code-io-v0: a proposer writes a program; solvers predict its output or input, or write the program."""

from games.native.code_io.game import CodeIOGame

__all__ = ["CodeIOGame"]
