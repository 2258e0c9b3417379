"""What several native games share: stages, tags, votes, arithmetic, rewards."""
