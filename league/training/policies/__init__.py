"""The policies of a training: their state, phases, resets, and the work that all of them share."""
