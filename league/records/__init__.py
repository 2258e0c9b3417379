"""Data structures shared by the store, the ratings and the board."""
