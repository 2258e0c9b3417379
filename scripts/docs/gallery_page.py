"""The gallery: a position of common board and card games, and a turn of every native game.

python scripts/docs/gallery_page.py > docs/gallery.md
"""

from __future__ import annotations

import re
from itertools import islice
from pathlib import Path

from game_readmes import GAMES, ROOT
from page_text import code

import arena
from arena.match.positions import iter_positions
from games.descriptions import about

BOARDS = {"kuhn_poker": 1, "tic_tac_toe": 5, "connect_four": 12, "liars_dice": 2, "breakthrough": 12, "chess": 12}
"""game of OpenSpiel -> the number of turns before its picture, if the match is as long"""
SEED = 3
_TRANSCRIPT = re.compile(r"<!-- transcript: .+ -->\n~~~text\n(.+?)\n~~~", re.DOTALL)
_HEAD = re.compile(r"^[\w-]+(?: reads)?: ")

INTRO = f"""# Gallery

What matches look like. The boards are positions of matches between random players with seed {SEED}, as replays and the
board's match page show them. `arena games` lists all games; `arena play GAME PLAYER...` plays one.
"""
ROLE_GAMES = """## Role games

One turn of each native game, from a match of its competent policies: what a seat reads for the first time, and what it
answers. The page of a game has the whole match.
"""


def gallery_page() -> str:
    """Returns the page: the boards, then the role games."""
    roles = [_role_game(game, folder) for game, folder in sorted(GAMES.items())]
    return "\n".join([INTRO, "## Boards and cards\n", *map(board, BOARDS), ROLE_GAMES, *roles]).rstrip() + "\n"


def board(name: str) -> str:
    """Returns the part of a game of OpenSpiel: its sentence, a position, and the turns before it."""
    id = f"openspiel/{name}"
    episode = arena.play(id, ["random"], seed=SEED)
    *_, place = islice(iter_positions(episode), BOARDS[name] + 1)
    moves = ", ".join(code(turn.action) for turn in episode.turns[: place.played])
    return f"### {code(id)}\n\n{about(id)}\n\n~~~text\n{place.text.rstrip()}\n~~~\n\nTurns so far: {moves}.\n"


def _role_game(game: str, folder: Path) -> str:
    readme = (folder / "README.md").read_text()
    transcript = _TRANSCRIPT.search(readme)
    assert transcript is not None, f"{game} has no transcript"
    link = f"[`{game}`](../{folder.relative_to(ROOT)}/README.md)"
    return f"### {link}\n\n{readme.split(chr(10) * 2)[1]}\n\n~~~text\n{turn_of(transcript[1])}\n~~~\n"


def turn_of(transcript: str) -> str:
    """Returns the first turn of a transcript: what a seat reads, if it reads something, and what it answers."""
    lines = [line for line in transcript.splitlines() if not line.startswith("$")]
    answer = next(i for i, line in enumerate(lines) if _HEAD.match(line) and " reads: " not in line)
    end = next(i for i, line in enumerate(lines) if i > answer and (_HEAD.match(line) or line == "..."))
    seat = lines[answer].partition(":")[0]
    start = next(i for i, line in enumerate(lines) if line.startswith((f"{seat} reads:", f"{seat}:")))
    return "\n".join(lines[start:end])


if __name__ == "__main__":
    print(gallery_page(), end="")
