"""The settings of tournaments and trainings: one class for each table of a file."""
