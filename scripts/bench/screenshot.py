"""Write the board of a run as an SVG picture, as it looks in a terminal.

.venv/bin/python scripts/bench/screenshot.py --db sqlite:///runs/quickstart.db --out docs/board.svg
.venv/bin/python scripts/bench/screenshot.py --player smollm2 --out player.svg
"""

from __future__ import annotations

import argparse
import io
import re

from rich.console import Console
from rich.terminal_theme import MONOKAI
from rich.text import Text

from league.board.lines import to_text
from league.board.pages import draw
from league.board.printed import board_text
from league.board.state import BoardState
from league.board.view_state import ViewState
from league.runs.rebuild import read_snapshot
from league.store import Store
from league.views.player_history import PlayerHistory


def printed(db: str, run: str | None, game: str | None, width: int | None, legend: bool) -> Text:
    """What `arena board` prints."""
    return board_text(read_snapshot(db, run), game, width=width, legend=legend)


def player_page(db: str, run: str | None, player: str, width: int, height: int) -> Text:
    """The page of a player on the live board."""
    with Store.open(db, read_only=True) as store:
        found = store.run(run)
        history = PlayerHistory(store, found)
        details = history.details(player, "", "")
        while details.read < details.total:
            details = history.details(player, "", "")
    state = BoardState(read_snapshot(db, run), title=found.name, status="finished")
    lines, _ = draw(state, ViewState(page="player", player=player, details=details), width, height)
    return to_text(lines)


def picture(text: Text, columns: int) -> str:
    """The SVG of a text."""
    console = Console(record=True, width=columns, file=io.StringIO(), force_terminal=True, color_system="truecolor")
    console.print(text)
    # A fixed id keeps the file stable; any fixed-width font works.
    svg = console.export_svg(title="arena board", theme=MONOKAI, unique_id="board")
    svg = re.sub(r"@font-face \{.*?\}\s*", "", svg, flags=re.DOTALL)
    return re.sub(r'x="([\d.]+)" y="([\d.]+)" textLength="([\d.]+)"([^>]*)>((?:&#160;)+)', _unindent, svg)


def _unindent(found: re.Match[str]) -> str:
    """Leading spaces as a shift, because some viewers drop them. A character is 12.2 wide in rich's pictures."""
    x, y, length, rest, spaces = found.groups()
    shift = 12.2 * (len(spaces) // len("&#160;"))
    return f'x="{float(x) + shift:.1f}" y="{y}" textLength="{max(0.0, float(length) - shift):.1f}"{rest}>'


def main() -> None:
    """Read the arguments, write the picture."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--db", default="sqlite:///runs/quickstart.db")
    parser.add_argument("--run", help="default: the newest")
    parser.add_argument("--game", help="one game's standings instead of all")
    parser.add_argument("--width", type=int, help="columns; default: as wide as the table")
    parser.add_argument("--legend", action="store_true", help="add a legend")
    parser.add_argument("--player", help="the page of this player on the live board")
    parser.add_argument("--height", type=int, default=40, help="lines of that page")
    parser.add_argument("--out", default="docs/board.svg")
    given = parser.parse_args()
    if given.player:
        text = player_page(given.db, given.run, given.player, given.width or 100, given.height)
    else:
        text = printed(given.db, given.run, given.game, given.width, given.legend)
    columns = given.width or max(len(line) for line in text.plain.split("\n"))
    with open(given.out, "w") as file:
        file.write(picture(text, columns))
    print(f"wrote {given.out}")


if __name__ == "__main__":
    main()
