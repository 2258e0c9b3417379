"""The roles of the native games. `tagged` holds their base classes; every other module holds the roles of a game."""
