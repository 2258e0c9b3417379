"""Players that tests share."""
