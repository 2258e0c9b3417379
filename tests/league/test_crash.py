"""A tournament killed at random moments ends like one that was not; the long form is scripts/bench/crash_test.py."""

import importlib.util
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "scripts" / "bench" / "crash_test.py"


@pytest.mark.slow
def test_kill_9_loses_nothing_and_doubles_nothing(tmp_path):
    spec = importlib.util.spec_from_file_location("crash_script", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["crash_script"] = module
    spec.loader.exec_module(module)
    outcome = module.crash(tmp_path, matches=240, kills=4, seed=1)
    assert outcome.ok, outcome
    assert outcome.matches == 240
    assert any(0 < n < 240 for n in outcome.moments), outcome.moments
