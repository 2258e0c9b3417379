"""What the README and the pages in docs/ show is run as written."""

import os
import re
import runpy
import shlex
import shutil
import tomllib
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

import games
from arena.cli import main
from games import InputError
from games.naming import parse_name
from league.config.json_schema import schema_of
from league.config.tournament import parse_tournament
from league.config.training import parse_training
from league.conformance.kinds import kinds_of
from league.info import find_items, names_by_kind
from league.study.config import parse_study

ROOT = Path(__file__).parents[1]
READMES = sorted((ROOT / "games" / "native").glob("*/README.md"))
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")), *READMES]


def name_of(page):
    return str(page.relative_to(ROOT))


def blocks(page, language, containing=""):
    text = (ROOT / page).read_text()
    return [b for b in re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL) if containing in b]


def block(page, language, containing):
    (found,) = blocks(page, language, containing)
    return found


def plugins():
    """Every plugin of the guides: its page, its name without a version, its code."""
    found = [(p, b) for p in sorted((ROOT / "docs" / "plugins").glob("*.md")) for b in blocks(name_of(p), "python")]
    offers = re.compile(r"""(?:register|role_game)\(\s*"([\w-]+?)(?:-v\d+)?"[,)]""")
    named = [(offers.search(code), page, code) for page, code in found]
    return [pytest.param(match[1], code, id=f"{page.stem}-{match[1]}") for match, page, code in named if match]


@pytest.mark.parametrize(("name", "code"), plugins())
def test_the_plugins_pass_their_checks(name, code, tmp_path, capsys):
    path = tmp_path / f"{name.replace('-', '_')}.py"
    path.write_text(code)
    assert main(["check", name, "--plugin", str(path)]) == 0, capsys.readouterr()
    assert main(["info", name, "--plugin", str(path)]) == 0


def test_the_game_and_the_player_are_played(tmp_path, capsys):
    for name, page in (("stones", "game"), ("habit", "player")):
        (tmp_path / f"{name}.py").write_text(block(f"docs/plugins/{page}.md", "python", f'@register("{name}'))
    files = [option for name in ("stones", "habit") for option in ("--plugin", str(tmp_path / f"{name}.py"))]
    assert main(["play", "stones", "habit(share=0.5)", *files]) == 0
    assert "== finished" in capsys.readouterr().out


def test_the_pairing_and_the_rating_method_run_a_tournament(tmp_path, monkeypatch, capsys):
    (tmp_path / "neighbours.py").write_text(block("docs/plugins/pairing.md", "python", "@register"))
    (tmp_path / "points.py").write_text(block("docs/plugins/rating-method.md", "python", "@register"))
    lines = [
        'name = "cup"',
        'games = ["openspiel/kuhn_poker"]',
        'pairing = "neighbours(circle=true)"',
        'plugins = ["points.py", "neighbours.py"]',
        *(f'[[players]]\nname = "{name}"\nplayer = "random"' for name in "abc"),
        '[ratings]\nmethod = "points"',
    ]
    (tmp_path / "cup.toml").write_text("\n".join(lines))
    monkeypatch.chdir(tmp_path)
    assert main(["tournament", "cup.toml", "--json"]) == 0
    assert '"finished":6' in capsys.readouterr().out.replace(" ", "")


def parts():
    """Every TOML text of the pages."""
    found = [(page, text) for page in PAGES for text in blocks(name_of(page), "toml")]
    return [pytest.param(text, id=f"{page.stem}-{i}") for i, (page, text) in enumerate(found)]


@pytest.mark.parametrize("text", parts())
def test_settings_are_valid(text):
    """Each is a file of one kind, or becomes one with the keys that such a file needs."""
    data = tomllib.loads(text)
    two = [{"name": name, "player": "random"} for name in ("smollm2", "random")]
    needed: dict[str, dict[str, Any]] = {
        "tournament": {"name": "x", "games": ["openspiel/kuhn_poker"], "players": two},
        "training": {"name": "x", "games": ["openspiel/kuhn_poker"], "steps": 1},
        "study": {},
    }
    problems = []
    for parse, kind in ((parse_tournament, "tournament"), (parse_training, "training"), (parse_study, "study")):
        try:
            parse(needed[kind] | data)
        except InputError as error:
            problems.append(str(error))
    assert len(problems) < 3, problems


def snippets():
    """Every Python text of the pages that is not a plugin. The README's and the reader's are run below."""
    found = [(page, i, code) for page in PAGES[1:] for i, code in enumerate(blocks(name_of(page), "python"))]
    return [pytest.param(code, id=f"{p.stem}-{i}") for p, i, code in found if "register(" not in code]


@pytest.mark.parametrize("code", snippets())
def test_the_python_of_the_pages_runs(code, tmp_path, monkeypatch):
    if "bubblewrap" in code and shutil.which("bwrap") is None:
        pytest.skip("bubblewrap is not installed")
    for words, package in (("selfplay_arena", "verifiers"), ("arena.export.openenv", "openenv")):
        if words in code and find_spec(package) is None:
            pytest.skip(f"the package {package} is not installed")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "page.py").write_text(code)
    runpy.run_path("page.py")


@pytest.mark.parametrize("kind", ["tournament", "training"])
def test_the_reference_has_every_key(kind, monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "scripts" / "docs"))
    page = import_module("settings_pages").settings_page(kind)
    schema = schema_of(kind)
    for properties in (schema["properties"], *(d.get("properties", {}) for d in schema["$defs"].values())):
        assert all(f"| `{key}` |" in page for key in properties)
    without = re.findall(r"^\| `(\w+)` .*\|  \|$", page, re.MULTILINE)
    assert not without, f"write a docstring below these settings: {', '.join(without)}"
    assert "[stop.sprt]" in page or kind == "training"


def test_the_reference_describes_every_parameter():
    """In a line `name: text` of the docstring, or in its text in backticks."""
    items = [item for kind, names in names_by_kind().items() for name in names for item in find_items(name, kind)]
    items += [item for id in games.ids() if "/" not in id for item in find_items(id, "game")]
    without = [
        f"{item.kind} {item.id}: {p.name}"
        for item in items
        for p in item.parameters
        if item.origin == "the arena" and not p.about and f"`{p.name}`" not in item.about
    ]
    assert without == ["player by-role: roles..."]


def test_the_reference_has_every_verb(monkeypatch, capsys):
    monkeypatch.syspath_prepend(str(ROOT / "scripts" / "docs"))
    page = import_module("command_page").command_page()
    assert set(re.findall(r"^## `arena (\w+)`", page, re.MULTILINE)) == verbs(capsys)
    assert "--trust-db" in page


def test_the_reference_has_every_example(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "scripts" / "docs"))
    page = import_module("examples_page").examples_page()
    assert all(f"| `{path.name}` |" in page for path in (ROOT / "scripts" / "examples").glob("*.toml"))


def test_the_citation_names_this_version():
    text = (ROOT / "docs" / "CITATION.cff").read_text()
    cited = dict(re.findall(r"^(\w+): (.+)$", text, re.MULTILINE))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert (cited["version"], cited["license"]) == (project["version"], project["license"])


def test_the_tournament_from_python_runs(tmp_path, capsys):
    script = tmp_path / "script.py"
    script.write_text(block("README.md", "python", "run_tournament(config"))
    before = Path.cwd()
    os.chdir(tmp_path)
    try:
        runpy.run_path(str(script))
    finally:
        os.chdir(before)
    assert capsys.readouterr().out.splitlines()[-1].startswith("mcts ")
    assert (tmp_path / "runs" / "from-python.db").exists()


def verbs(capsys):
    capsys.readouterr()
    main(["--help"])
    return set(re.findall(r"^  (\w+) ", capsys.readouterr().out.split("Play:")[1], re.MULTILINE))


def test_every_verb_a_page_names_exists(capsys):
    names = verbs(capsys) | {"VERB"}
    for page in PAGES:
        assert set(re.findall(r"(?:`|^)arena (\w+)", page.read_text(), re.MULTILINE)) <= names, page


def test_every_option_a_page_names_exists(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "scripts" / "docs"))
    helps = import_module("command_page").command_page().split("\n## ")
    known = {head.strip("`"): body for head, _, body in (help.partition("\n") for help in helps)}
    commands = re.findall(r"(?:^|`)(arena [^`\n]*)", "\n".join(page.read_text() for page in PAGES), re.MULTILINE)
    for command in (line.split("#")[0] for line in commands):
        verb = " ".join(command.split()[:2])
        missing = [
            option for option in re.findall(r"(?<=\s)--[a-z-]+", command) if option not in known.get(verb, option)
        ]
        assert not missing, f"{command}: {missing}"


STORED = {"quickstart-train", "quickstart-train@0", "learn", "learn@0", "riddle"}
"""players that earlier commands of the pages make; an unknown name raises"""


def test_every_id_a_command_names_exists():
    known = STORED | {str(param.values[0]) for param in plugins()}
    for page in PAGES:
        for command in re.findall(r"^arena (?:play|eval|check|info) .*", page.read_text(), re.MULTILINE):
            words = shlex.split(command, comments=True)[2:]
            named = [
                w
                for before, w in zip(["", *words], words, strict=False)
                if before not in ("--db", "--plugin", "--seed", "--wordings")
            ]
            for id in (w for w in named if not w.startswith("--") and not w.isupper() and "..." not in w):
                assert id in known or (base := parse_name(id).base) in known or kinds_of(base), command


def test_every_path_and_link_of_a_page_exists():
    for page in PAGES:
        text = page.read_text()
        paths = re.findall(r"`((?:games|roles|arena|league|tests|scripts|docs)/[\w./]+)`", text)
        assert not [path for path in paths if not (ROOT / path).exists() and not (ROOT / f"{path}.py").exists()], page
        links = re.findall(r"\]\(([^)#:]+)(?:#[\w-]+)?\)", text)
        assert not [link for link in links if not (page.parent / link).exists()], page


def test_the_reader_of_answers_gives_what_the_page_shows(tmp_path):
    path = tmp_path / "answers.py"
    path.write_text(block("docs/role-games.md", "python", "CORRECTNESS, final").replace("\nread(", "\na = read(", 1))
    path.write_text(path.read_text().replace("\nread(", "\nb = read(").replace("\nfinal(", "\nc = final("))
    shown = runpy.run_path(str(path))
    assert (shown["a"], shown["b"].value, shown["c"]) == ("incorrect", None, r"\frac{1}{2}")
    assert shown["b"].reason == "the letter is hedged"
