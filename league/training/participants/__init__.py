"""Who takes part in a training: policies by name, their players, records against opponents, and frozen roles."""
