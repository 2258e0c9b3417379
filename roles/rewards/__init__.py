"""Building blocks of credit: facts of a match, difficulty, diversity, shaping and target matching."""
