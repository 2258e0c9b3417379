"""Loads the plugin scripts/examples/NAME.py for the tests in test_NAME.py."""

import importlib.util
from pathlib import Path

import pytest

from games import plugins

EXAMPLES = Path(__file__).parents[2] / "scripts" / "examples"


@pytest.fixture(autouse=True)
def plugin(request):
    """The plugin file of the test's module, loaded."""
    path = EXAMPLES / f"{request.path.stem.removeprefix('test_')}.py"
    plugins.load_file(path)
    return path


@pytest.fixture
def module(plugin):
    """The same file as a module, for functions that no registry holds."""
    spec = importlib.util.spec_from_file_location(f"{plugin.stem}_example", plugin)
    loaded = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(loaded)
    return loaded
