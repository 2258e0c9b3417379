"""Building blocks of credit: facts of a match, difficulty and diversity."""
