"""Plugin files import the files in their own folder, and no other code sees them."""

import subprocess
import sys
from pathlib import Path

import pytest

from games import InputError, plugins
from tests import golden

END = """
from games import plugins
plugins.register("arena.tests", NAME)(lambda: FOUND)
"""


def write(folder, files):
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    return folder


def offered(name):
    return plugins.entries("arena.tests")[name].load()()


@pytest.mark.parametrize(("imports", "found"), golden.rows(__file__, "imports_every_form_of_import_finds_a_neighbour"))
def test_every_form_of_import_finds_a_neighbour(tmp_path, imports, found):
    write(
        tmp_path,
        {
            "helper.py": "VALUE = 7\n",
            "second.py": "from helper import VALUE\nTHIRD = 3 * VALUE\n",
            "random.py": "raise RuntimeError('the standard library comes first')\n",
            "games.py": "raise RuntimeError('and so does the arena')\n",
            "tools/__init__.py": "from .deep import double\nONE = double(1) - 1\n",
            "tools/deep.py": "import helper\ndef double(x):\n    return 2 * x\n",
            "bare/inner.py": "TWO = 2\n",
            "plugin.py": f"{imports}\nNAME = 'one'{END}",
        },
    )
    before = list(sys.path)
    plugins.load_file(tmp_path / "plugin.py")
    assert offered("one") == found
    assert sys.path == before
    assert "helper" not in sys.modules
    assert not list(tmp_path.rglob("__pycache__"))


def test_helpers_of_one_name_do_not_clash(tmp_path):
    for name in "ab":
        end = "" if name == "b" else "FOUND = FOUND()"
        lazily = f"def FOUND():\n    from later import WHO\n    return VALUE + WHO\n{end}"
        files = {"helper.py": f"VALUE = '{name}'\n", "later.py": f"WHO = '{name}'\n"}
        write(tmp_path / name, {**files, "plugin.py": f"from helper import VALUE\n{lazily}\nNAME = '{name}'{END}"})
        plugins.load_file(tmp_path / name / "plugin.py")
    assert offered("a") == "aa"
    assert offered("b")() == "bb"  # type: ignore[operator]


def test_two_plugins_of_one_folder_share_their_helper_and_one_may_import_the_other(tmp_path):
    write(
        tmp_path,
        {
            "helper.py": "MADE = []\n",
            "base.py": f"import helper\nhelper.MADE.append(1)\nFOUND = helper.MADE\nNAME = 'base'{END}",
            "more.py": f"import base\nFOUND = base.FOUND\nNAME = 'more'{END}",
        },
    )
    plugins.load_file(tmp_path / "more.py")
    plugins.load_file(tmp_path / "base.py")
    assert offered("base") is offered("more")
    assert offered("more") == [1]


def test_a_plugin_of_a_package_knows_it_by_its_name(tmp_path):
    text = f"from mine.helper import VALUE\nimport mine\nFOUND = VALUE, mine.ROOT\nNAME = 'packaged'{END}"
    folder = write(tmp_path / "mine", {"__init__.py": "ROOT = 1\n", "helper.py": "VALUE = 2\n", "plugin.py": text})
    plugins.load_file(folder / "plugin.py")
    assert offered("packaged") == (2, 1)


@pytest.mark.parametrize("stem", ["with-dash", "with.dot", "class"])
def test_any_file_name_will_do(tmp_path, stem):
    write(tmp_path, {"helper.py": "VALUE = 7\n", f"{stem}.py": f"from helper import VALUE as FOUND\nNAME = 'odd'{END}"})
    plugins.load_file(tmp_path / f"{stem}.py")
    assert offered("odd") == 7


def test_the_faulty_line_is_named_in_whichever_file_it_is(tmp_path):
    write(tmp_path, {"helper.py": "x = 1\nx / 0\n", "plugin.py": f"import helper{END}", "lost.py": "import absent\n"})
    with pytest.raises(InputError, match=r"plugin\.py' is broken: ZeroDivisionError: .* \(helper\.py, line 2\)$"):
        plugins.load_file(tmp_path / "plugin.py")
    with pytest.raises(InputError, match=r"No module named 'absent' \(lost\.py, line 1\)$"):
        plugins.load_file(tmp_path / "lost.py")


def test_a_script_that_exits_is_a_broken_plugin(tmp_path):
    file = tmp_path / "script.py"
    file.write_text("import sys\nsys.exit(0)\n")
    with pytest.raises(InputError, match=r"script\.py' is broken: SystemExit: 0 \(script\.py, line 2\)$"):
        plugins.load_file(file)


def test_a_file_that_registers_nothing_says_how_to(tmp_path):
    write(tmp_path, {"silent.py": "class Game: ...\n"})
    with pytest.raises(
        InputError, match=r"silent\.py' registers nothing; put a decorator above a class .*games\.register"
    ):
        plugins.load_file(tmp_path / "silent.py")
    with pytest.raises(InputError, match="is a folder"):
        plugins.load_file(tmp_path)
    (tmp_path / "note.txt").write_text("")
    with pytest.raises(InputError, match=r"must end in \.py"):
        plugins.load_file(tmp_path / "note.txt")


@pytest.mark.parametrize("made", ["def env():\n    return AECEnv()\n", "class Mine(AECEnv): ...\n"])
def test_an_environment_is_told_its_id(tmp_path, made):
    file = tmp_path / "my_env.py"
    file.write_text(f"from pettingzoo import AECEnv\n{made}")
    name = "env" if "def" in made else "Mine"
    with pytest.raises(InputError) as refused:
        plugins.load_file(file)
    assert f"type: PYTHONPATH={tmp_path} arena play 'pettingzoo/my_env:{name}' random random" in str(refused.value)


def test_the_command_takes_such_files_also_from_a_tournament(tmp_path):
    """The path is relative to the TOML file, not to the working directory."""
    write(
        tmp_path / "sub",
        {
            "lucky.py": "import shared\nfrom arena.players import register\nregister('lucky')(shared.Lucky)\n",
            "shared.py": "from arena.players.bots.random import RandomPlayer\nclass Lucky(RandomPlayer): ...\n",
            "t.toml": 'name = "t"\ndb = "sqlite:///t.db"\ngames = ["openspiel/tic_tac_toe"]\nplugins = ["lucky.py"]\n'
            '[[players]]\nname = "a"\nplayer = "lucky"\n[[players]]\nname = "b"\nplayer = "random"\n',
        },
    )
    command = [sys.executable, "-m", "arena", "tournament", "sub/t.toml", "--board", "plain"]
    env = {"PYTHONPATH": str(Path(__file__).parents[3]), "PATH": "/usr/bin:/bin"}
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, env=env, check=False)
    assert done.returncode == 0, done.stderr
