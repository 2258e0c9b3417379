"""Players that spend more on a decision: they search, sample several answers, revise them, or run a behaviour tree."""
