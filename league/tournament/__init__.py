"""Running a tournament: lineup, backends, worker loop, budget, notes."""
