"""The page of a player on the interactive board."""
