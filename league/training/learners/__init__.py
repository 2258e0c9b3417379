"""The learners of a training: settings, state, phases, resets, and the work that all of them share."""
