"""Who takes part in a training: learners by name, their players, records against opponents, and frozen roles."""
