"""PettingZoo environments as text games: any AEC or Parallel environment by id."""
