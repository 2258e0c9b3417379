"""A stored run: its settings, players, standings and worker audit."""
