"""Toy games, players and faults that tests share."""
