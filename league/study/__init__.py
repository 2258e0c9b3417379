"""Studies: arms x seeds of trainings, planned and hashed before the first run, and compared with intervals."""
