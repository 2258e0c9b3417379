"""What every test gets: nothing of the user's terminal, proxies and caches, and no plugins of the tests before it."""

import gc
import hashlib
import os
import shutil
import signal
import tempfile
from collections.abc import Iterator
from pathlib import Path

import hypothesis
import pytest

from games import plugins, register
from tests import missing_packages
from tests.toys.small_games import Auction, Race

INFERENCE = Path(__file__).parents[1] / "arena" / "inference"
TERMINAL = ("FORCE_COLOR", "NO_COLOR", "PYTHON_COLORS", "TTY_COMPATIBLE", "TTY_INTERACTIVE", "COLUMNS", "LINES")
PROXIES = tuple(f"{kind}_proxy" for kind in ("http", "https", "all"))

# The same commit gives the same answer on every machine; for new examples: pytest --hypothesis-profile search.
# A busy machine must not fail a test.
hypothesis.settings.register_profile("search", deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow])
hypothesis.settings.register_profile(
    "arena", hypothesis.settings.get_profile("search"), derandomize=True, max_examples=50
)
hypothesis.settings.load_profile("arena")

register("race-v0")(Race)
register("auction-v0")(Auction)

os.environ["HF_HUB_OFFLINE"] = "1"  # the hub's library reads it once, when it is imported


pytest_addoption = missing_packages.pytest_addoption


def pytest_configure(config: pytest.Config) -> None:
    """One empty cache for all workers of pytest-xdist: what the user has cached was made by other code.

    Ctrl-C has its usual effect in them and in the programs that tests start, also if a shell ignores it because it has
    put the tests into the background.
    """
    missing_packages.pytest_configure(config)
    if not hasattr(config, "workerinput"):
        if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
            signal.signal(signal.SIGINT, signal.default_int_handler)
        cache = tempfile.TemporaryDirectory(prefix="arena-tests-", ignore_cleanup_errors=True)
        os.environ["ARENA_CACHE"] = cache.name
        os.environ["ARENA_STATE"] = os.path.join(cache.name, "state")
        config.add_cleanup(cache.cleanup)
        if (kept := getattr(config, "cache", None)) is not None:  # it has none under -p no:cacheprovider
            (Path(cache.name) / "models").symlink_to(_models(kept.mkdir("arena-models")))


def pytest_collection_finish() -> None:
    """Freeze what importing the tests has made: each run begins with a full collection, which takes up to a second."""
    gc.collect()
    gc.freeze()


def _models(home: Path) -> Path:
    """The folder of models made by today's code: to convert SmolLM2 takes half a minute, so it outlives the run."""
    code = b"".join(INFERENCE.joinpath(name).read_bytes() for name in ("convert.py", "tiny.py"))
    today = home / hashlib.sha256(code).hexdigest()[:16]
    for old in set(home.iterdir()) - {today}:
        shutil.rmtree(old)
    today.mkdir(exist_ok=True)
    return today


@pytest.fixture(autouse=True, scope="session")
def _plain_surroundings() -> Iterator[None]:
    """Not earlier, because pytest's own output respects them."""
    with pytest.MonkeyPatch.context() as patch:
        for name in (*TERMINAL, *PROXIES, *(proxy.upper() for proxy in PROXIES)):
            patch.delenv(name, raising=False)
        yield


@pytest.fixture(autouse=True)
def _plugins_are_forgotten() -> Iterator[None]:
    with plugins.isolated():
        yield
