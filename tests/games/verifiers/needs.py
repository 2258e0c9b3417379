"""The programs that the tests of the verifiers need; one line says which of them is missing."""

import importlib.util
import shutil
from pathlib import Path

import pytest

from games.verifiers import python

sandboxed = pytest.mark.skipif(python.unavailable() is not None, reason=str(python.unavailable()))
mathematical = pytest.mark.skipif(importlib.util.find_spec("sympy") is None, reason="no sympy here")
_DATABASE = Path("/usr/share/metamath/databases/ql.mm")
metamath = pytest.mark.skipif(
    shutil.which("metamath") is None or not _DATABASE.exists(),
    reason="no metamath or no databases here; type: apt-get install metamath metamath-databases",
)
setmm = pytest.mark.skipif(
    not _DATABASE.with_name("set.mm").exists(), reason="no set.mm here; type: apt-get install metamath-databases"
)
