"""An example plugin of the arena: a game, a role and a matchmaker."""
