"""PettingZoo's own tests; their package imports a deprecated module."""

import warnings

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)
    from pettingzoo.test import api_test, parallel_api_test, seed_test

__all__ = ["api_test", "parallel_api_test", "seed_test"]
