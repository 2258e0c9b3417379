"""How matches are played and learned from."""
