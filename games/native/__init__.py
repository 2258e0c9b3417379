"""Our own games of words. Each keeps the contract of `games.TextGame` and nothing of it is known outside its file."""
