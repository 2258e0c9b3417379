"""What a training measures besides its rewards: monitors for each role, and accuracy on suites of tasks."""
