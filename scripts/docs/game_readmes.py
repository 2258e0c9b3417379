"""Fills the marked blocks of the native games' READMEs, and the tables of these games in docs/.

    python scripts/docs/game_readmes.py [GAME...]

A block starts with a comment and ends with an empty line. `<!-- transcript: ID, seed N -->`: a match of the suite's
competent policies. `<!-- parameters -->`: from the signature and the docstring. `<!-- results -->`: from
scripts/bench/role_rewards.json.
"""

from __future__ import annotations

import json
import re
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path

from attack_table import attack_table
from id_pages import written
from page_text import table

import arena
import games
from games.native import NATIVE, PAPERS
from league.info import find_items

ROOT = Path(__file__).parents[2]
RESULTS = ROOT / "scripts" / "bench" / "role_rewards.json"
PAGES = [ROOT / "docs" / name for name in ("role-games.md", "papers.md", "attack.md")]
GAMES = {re.sub(r"-v\d+$", "", id): ROOT / Path(*path.partition(":")[0].split(".")) for id, path in NATIVE.items()}
"""name of a game -> the folder of its package"""
_TRANSCRIPT = re.compile(r"<!-- transcript: (.+), seed (\d+) -->\n(?:.+\n)*")
_WIDE, _READ, _LINES = 120, 2, 12
"""of a transcript: the characters of a line, the lines for what a seat reads in a turn, and all lines"""
_QUOTE = re.compile(r'"([^"]+)"')


def main() -> None:
    """Rewrites the READMEs of the games that are named, else of all, and the tables."""
    for game in sys.argv[1:] or GAMES:
        path = GAMES[game] / "README.md"
        path.write_text(with_transcript(with_figures(game, path.read_text())))
    for path in PAGES:
        path.write_text(with_tables(path.read_text()))


def with_figures(game: str, readme: str) -> str:
    """Returns a README with its parameters and results."""
    readme = _block(readme, "parameters", _parameters(game))
    return _block(readme, "results", _results(game))


def with_transcript(readme: str) -> str:
    """Returns a README with its match, played again."""
    return _replaced(readme, _TRANSCRIPT, lambda match: transcript(match[1], int(match[2])))


def with_tables(page: str) -> str:
    """Returns a page of docs/ with its tables: the first paragraph of each README, the game of each paper, attacks."""
    abouts, papers = list[list[str]](), list[list[str]]()
    for game, folder in sorted(GAMES.items()):
        link = f"[`{game}`](../{folder.relative_to(ROOT)}/README.md)"
        abouts.append([link, (folder / "README.md").read_text().split("\n\n")[1]])
        papers += [[paper, link] for paper in PAPERS.get(game, ())]
    page = _block(page, "attacks", attack_table())
    page = _block(page, "games", table(("game", "about"), abouts))
    return _block(page, "papers", table(("paper", "game"), papers))


def transcript(id: str, seed: int) -> str:
    """Returns a match of competent policies: what each seat reads for the first time, what it says, what it earns.

    Lines that a seat has read are left out, and those that quote an earlier message; what is long is cut.
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
            lines += _wrapped(f"{turn.seat} reads", new) if new else []
            lines += _wrapped(turn.seat, turn.action.splitlines())
        messages += "\n".join(turn.action for turn in together)
        game.apply({turn.seat: turn.action for turn in together})
    lines = lines if len(lines) < _LINES else [*lines[: _LINES - 2], "..."]
    lines += _wrapped("returns", [", ".join(f"{seat} {value:+.3g}" for seat, value in episode.returns.items())])
    return "\n".join(["~~~text", *lines, "~~~"])


def _quotes(line: str, messages: str) -> bool:
    quotes = _QUOTE.findall(line)
    return bool(quotes) and all(quote in messages for quote in quotes)


def _wrapped(head: str, lines: list[str]) -> list[str]:
    text = f"{head}: {' / '.join(lines)}"
    return textwrap.wrap(text, _WIDE, subsequent_indent="    ", max_lines=_READ, placeholder=" ...")


def _parameters(game: str) -> str:
    (item,) = find_items(game, "game")
    return "\n".join(f"- {written(p)}, {p.allowed}: {p.about}".removesuffix(": ") for p in item.parameters)


def _results(game: str) -> str:
    kept = json.loads(RESULTS.read_text())[game]
    rows = []
    for best in kept["best"]:
        figures = [_figure(*best[name]) for name in ("honest", "competent", "earns")]
        role = best["role"] + (f", phase {best['credit']}" if best["credit"] else "")
        rows.append([role, *figures[:2], f"{best['shortcut']}: {figures[2]}"])
    for name, (role, why) in kept["solves"].items():
        rows.append([role, "", "", f"{name}, which is not told apart: {why}"])
    best = f"best of {kept['shortcuts']} [shortcuts](../../../docs/rewards.md)"
    return table(("role", "honest", "competent", best), rows)


def _figure(mean: float, margin: float) -> str:
    return f"{mean:z.2f} ± {margin:.2f}" if margin >= 0.005 else f"{mean:z.2f}"


def _block(text: str, name: str, content: str) -> str:
    return _replaced(text, re.compile(rf"<!-- {name} -->\n(?:.+\n)*"), lambda match: content)


def _replaced(text: str, block: re.Pattern[str], content: Callable[[re.Match[str]], str]) -> str:
    """Returns a text in which the lines below the comment of each such block are new."""
    return block.sub(lambda match: "\n".join([match[0].splitlines()[0], content(match).rstrip(), ""]), text)


if __name__ == "__main__":
    main()
