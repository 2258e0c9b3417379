"""The environments of TextArena 0.7.4 that pass `arena check`, with their number of players."""

CHECKED: dict[str, int] = {"KuhnPoker-v0": 2, "TicTacToe-v0": 2}
