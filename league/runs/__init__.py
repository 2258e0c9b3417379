"""A stored run: its settings, players, standings, excluded workers and worker audit."""
