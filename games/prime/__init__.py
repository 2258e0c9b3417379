"""Environments of Prime Intellect's library `verifiers` as text games: `verifiers/NAME(...)`."""
