"""Fills the marked blocks of the native games' READMEs, and the table of these games in docs/role-games.md.

    python scripts/docs/game_readmes.py [GAME...]

A block starts with a comment and ends with an empty line. `<!-- transcript: ID, seed N -->`: a match of the suite's
competent policies. `<!-- parameters -->`: from the signature and the docstring. `<!-- results -->`: from
scripts/bench/role_rewards.json.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from page_text import code, table

import arena
import games
from games.native import NATIVE
from league.info import find_items

ROOT = Path(__file__).parents[2]
RESULTS = ROOT / "scripts" / "bench" / "role_rewards.json"
LIST = ROOT / "docs" / "role-games.md"
GAMES = {re.sub(r"-v\d+$", "", id): ROOT / Path(*path.partition(":")[0].split(".")) for id, path in NATIVE.items()}
"""name of a game -> the folder of its package"""
_TRANSCRIPT = re.compile(r"<!-- transcript: (.+), seed (\d+) -->\n(?:.+\n)*")
_WIDE, _SHOWN = 116, 6
_QUOTE = re.compile(r'"([^"]+)"')


def main() -> None:
    """Rewrites the READMEs of the games that are named, else of all, and the table."""
    for game in sys.argv[1:] or GAMES:
        path = GAMES[game] / "README.md"
        text = _replaced(with_figures(game, path.read_text()), _TRANSCRIPT, lambda m: transcript(m[1], int(m[2])))
        path.write_text(text)
    LIST.write_text(with_list(LIST.read_text()))


def with_figures(game: str, readme: str) -> str:
    """Returns a README with its parameters and results."""
    readme = _block(readme, "parameters", _parameters(game))
    return _block(readme, "results", _results(game))


def with_list(page: str) -> str:
    """Returns docs/role-games.md with its table of games: the first paragraph of each README."""
    rows = []
    for game, folder in sorted(GAMES.items()):
        title, about = (folder / "README.md").read_text().split("\n\n")[:2]
        link = Path("..", folder.relative_to(ROOT), "README.md")
        rows.append([f"[`{title.removeprefix('# ')}`]({link})", " ".join(about.split())])
    return _block(page, "games", table(("game", "about"), rows))


def transcript(id: str, seed: int) -> str:
    """Returns a match of competent policies: what each seat reads for the first time, what it says, what it earns.

    Lines that a seat has read are left out, and those that quote an earlier message; long ones are cut.
    """
    lines = [f'$ arena play {id if "(" not in id else json.dumps(id)} "policy(name=competent)" --seed {seed}']
    episode = arena.play(id, ["policy(name=competent)"], seed=seed)
    game, messages, earlier = games.make(id), "", set[str]()
    game.load_task(episode.task)
    game.reset(seed)
    turns = iter(episode.turns)
    while game.acting:
        together = [next(turns) for _ in game.acting]
        for turn in together:
            observation = [line for line in game.observe(turn.seat).text.splitlines() if line.strip()]
            new = [line for line in observation if line not in earlier and not _quotes(line, messages)]
            earlier.update(observation)
            lines += [f"{turn.seat} reads", *_short(new)] if new else []
            lines.append(_cut(f"{turn.seat}: {' / '.join(turn.action.splitlines())}"))
        messages += "\n".join(turn.action for turn in together)
        game.apply({turn.seat: turn.action for turn in together})
    lines.append("returns: " + ", ".join(f"{seat} {value:+.3g}" for seat, value in episode.returns.items()))
    return "\n".join(["~~~text", *lines, "~~~"])


def _quotes(line: str, messages: str) -> bool:
    quotes = _QUOTE.findall(line)
    return bool(quotes) and all(quote in messages for quote in quotes)


def _short(lines: list[str]) -> Iterator[str]:
    yield from (_cut(f"  {line}") for line in lines[:_SHOWN])
    if len(lines) > _SHOWN:
        yield f"  ... ({len(lines) - _SHOWN} more lines)"


def _cut(line: str) -> str:
    return line if len(line) <= _WIDE else line[: _WIDE - 4] + " ..."


def _parameters(game: str) -> str:
    (item,) = find_items(game, "game")
    return "\n".join(f"- {code(_default(p.name, p.default))}, {p.allowed}: {p.about}" for p in item.parameters)


def _default(name: str, value: object) -> str:
    return f"{name}={str(value).lower() if isinstance(value, bool) else value!r if value == '' else value}"


def _results(game: str) -> str:
    kept = json.loads(RESULTS.read_text())[game]
    rows = []
    for best in kept["best"]:
        figures = [_figure(*best[name]) for name in ("honest", "competent", "earns")]
        role = best["role"] + (f", phase {best['credit']}" if best["credit"] else "")
        rows.append([role, *figures[:2], f"{best['shortcut']}: {figures[2]}"])
    head = ("role", "honest", "competent", f"best of {kept['shortcuts']} shortcuts")
    lines = [
        f"Not told apart: the {role} that plays {name!r}, because {why}."
        for name, (role, why) in kept["solves"].items()
    ]
    return table(head, rows) + "\n".join(lines)


def _figure(mean: float, margin: float) -> str:
    return f"{mean:.2f} ± {margin:.2f}" if margin >= 0.005 else f"{mean:.2f}"


def _block(text: str, name: str, content: str) -> str:
    return _replaced(text, re.compile(rf"<!-- {name} -->\n(?:.+\n)*"), lambda match: content)


def _replaced(text: str, block: re.Pattern[str], content: Callable[[re.Match[str]], str]) -> str:
    """Returns a text in which the lines below the comment of each such block are new."""
    return block.sub(lambda match: f"{match[0].partition('\n')[0]}\n{content(match).rstrip()}\n", text)


if __name__ == "__main__":
    main()
