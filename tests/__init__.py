import arena.inference  # noqa: F401  says how torch's threads wait, before any test imports torch
