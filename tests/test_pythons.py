"""scripts/_python.sh: which Python the scripts choose among those of a machine."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SUPPORTED = ("3.13", "3.12", "3.11")
FAKE = """#!/bin/sh
exec {real} -I -c "import sys; sys.version_info = {version}; sys.modules.update(dict.fromkeys({lacks}))
sys.argv[:2] = sys.argv[1:2]; exec(sys.argv[0])" "$3" "$3" {supported}
"""
SHIM = "#!/bin/sh\necho 'pyenv: python: command not found' >&2\nexit 127\n"


def put(file, version, lacks=()):
    """Write a Python that is of another version and lacks modules, or, without a version, does not start."""
    words = {"real": sys.executable, "version": version, "lacks": lacks, "supported": " ".join(SUPPORTED)}
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(FAKE.format(**words) if version else SHIM)
    file.chmod(0o755)
    return file


def ask(tmp_path, command, **names):
    """Returns the exit status, the output and the errors of a function of the script, with only these Pythons."""
    tools = tmp_path / "tools"
    tools.mkdir(exist_ok=True)
    for tool in ("sed", "sort", "awk", "ls", "head"):
        if not (tools / tool).exists():
            (tools / tool).symlink_to(Path("/usr/bin", tool))
    env = {"PATH": f"{tmp_path / 'bin'}:{tools}", "PYENV_ROOT": str(tmp_path / "pyenv"), **names}
    script = f"set -euo pipefail; source scripts/_python.sh; {command}"
    done = subprocess.run(["/bin/bash", "-c", script], cwd=ROOT, env=env, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout.strip(), done.stderr.strip()


@pytest.mark.parametrize(
    "worse",
    [
        pytest.param({"python3.13": (None,)}, id="a shim that does not start"),
        pytest.param({"python3.13": ((3, 13, 0), ("sqlite3",))}, id="built without sqlite3"),
        pytest.param({"python3.13": ((3, 13, 0), ("ssl",))}, id="built without ssl"),
        pytest.param({"python3.13": ((3, 13, 0), ("ensurepip",))}, id="Debian's without python3-venv"),
        pytest.param({"python3.14": ((3, 14, 0),), "python3": ((3, 14, 0),)}, id="newer than is supported"),
        pytest.param({"python3": ((3, 10, 4),), "python": ((2, 7, 18),)}, id="too old"),
    ],
)
def test_the_newest_that_works_is_chosen(tmp_path, worse):
    for name, kind in worse.items():
        put(tmp_path / "bin" / name, *kind)
    put(tmp_path / "bin/python3.11", (3, 11, 7))
    good = put(tmp_path / "bin/python3.12", (3, 12, 1))
    assert ask(tmp_path, "newest_python") == (0, str(good), "")


def test_pyenvs_are_searched_and_what_is_on_the_path_comes_first_within_a_version(tmp_path):
    put(tmp_path / "bin/python3.13", None)
    newest = [put(tmp_path / f"pyenv/versions/3.13.{n}/bin/python3", (3, 13, n)) for n in (2, 10)][1]
    put(tmp_path / "pyenv/versions/3.11.9/bin/python3", (3, 11, 9))
    on_path = put(tmp_path / "bin/python", (3, 11, 2))
    assert ask(tmp_path, "pythons") == (0, f"3.13 {newest}\n3.11 {on_path}", "")


def test_the_named_python_is_used_or_refused_in_one_line(tmp_path):
    put(tmp_path / "bin/python3.13", (3, 13, 0))
    named = put(tmp_path / "bin/python3.11", (3, 11, 7))
    old = put(tmp_path / "old/python3", (3, 10, 4))
    for name in (str(named), named.name):
        assert ask(tmp_path, "newest_python", ARENA_PYTHON=name) == (0, str(named), "")
    for name, why in ((str(old), "is 3.10"), ("/no/python3", "does not start")):
        line = f"arena: ARENA_PYTHON={name} {why}; name a Python 3.13, 3.12 or 3.11, or unset it to use the newest here"
        assert ask(tmp_path, "newest_python", ARENA_PYTHON=name) == (1, "", line)


def test_one_line_says_why_none_works(tmp_path):
    advice = "install one, for example: apt-get install python3 python3-venv; or name one: ARENA_PYTHON=/path/to/"
    none = "arena: no Python 3.13, 3.12 or 3.11 works here"
    assert ask(tmp_path, "newest_python") == (1, "", f"{none}; {advice}python3")
    shim = put(tmp_path / "bin/python3.13", None)
    bare = put(tmp_path / "bin/python3", (3, 12, 1), ("venv",))
    why = f"{shim} does not start, {bare} is 3.12 without venv"
    assert ask(tmp_path, "newest_python") == (1, "", f"{none} ({why}); {advice}python3")
