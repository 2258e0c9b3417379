"""TextArena's environments as text games: `textarena/TicTacToe-v0`."""
