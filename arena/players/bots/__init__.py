"""Players that need no language model."""
