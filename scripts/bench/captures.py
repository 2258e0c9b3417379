"""Pictures for the documentation: every page of the live board at two sizes, the printed board, the report, the site.

The lines are those that the board paints. Play the quickstart and build the site first; Chromium shows the pages:

    bash scripts/quickstart.sh
    python scripts/docs/build.py
    python scripts/bench/captures.py
"""

from __future__ import annotations

import argparse
import html
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec
from rich.color import Color
from rich.console import Console
from rich.style import Style
from rich.terminal_theme import MONOKAI
from rich.text import Text

from league.board.lines import to_text
from league.board.pages import draw
from league.board.printed import board_text
from league.board.state import BoardState
from league.board.view_state import ViewState
from league.reports import gather, write_report
from league.store import Store
from league.views.listing import MatchFilter, match_rows
from league.views.player_history import PlayerHistory
from league.views.report import read_board

SIZES = ((120, 40), (80, 24))
"""columns and lines"""
CELL = (6, 12)
"""width and height of a character in the picture"""
DARK, LIGHT = "#0c0c0c", "#d9d9d9"
STYLE = f"text{{font:10px Menlo,Consolas,'DejaVu Sans Mono',monospace;fill:{LIGHT};white-space:pre}}"


def state_of(db: str, run: str | None = None) -> BoardState:
    """What the board of a run shows; default: the newest run."""
    report = read_board(db, run)
    with Store.open(db, read_only=True) as store:
        title = store.run(run).name
    panels = tuple(report.panels.panels(report.snapshot.standings))
    return BoardState(report.snapshot, title=title, status=report.status, panels=panels)


def views(db: str, training: str, player: str) -> Iterator[tuple[str, BoardState, ViewState]]:
    """Name, state and view of each capture."""
    played = state_of(db)
    first = msgspec.structs.replace(ViewState(), cursor=player)
    with Store.open(db, read_only=True) as store:
        history = PlayerHistory(store, store.run(None))
        details = history.details(player, "", "")
        while details.read < details.total:
            details = history.details(player, "", "")
        name = newest(store, player)
        match = history.pages(name)
    yield "tournament", played, first
    yield "player", played, ViewState(page="player", player=player, details=details)
    yield "match", played, ViewState(page="match", match=name, details=match, tab=3)
    yield "explanation", played, ViewState(page="explain", player=player)
    yield "help", played, ViewState(page="help")
    yield "training", state_of(db, training), ViewState()


def newest(store: Store, player: str) -> str:
    """Returns the newest match of a player."""
    rows = match_rows(store, store.run(None), MatchFilter(player=player))
    return max(rows, key=lambda row: row.match).match


def board(db: str) -> list[Text]:
    """Returns the lines that `arena board` prints."""
    page = read_board(db)
    return board_text(page.snapshot, status=page.status).split("\n", allow_blank=True)


def in_browser(page: Path, picture: Path) -> None:
    """Writes a picture of a page as Chromium shows it."""
    if (browser := shutil.which("chromium")) is None:
        raise SystemExit("no chromium here; type: apt-get install chromium")
    options = ("--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--window-size=1240,900")
    command = [browser, *options, f"--screenshot={picture.absolute()}", page.absolute().as_uri()]
    subprocess.run(command, check=True, stderr=subprocess.DEVNULL)


def svg(lines: Sequence[Text], columns: int, height: int) -> str:
    """The lines as a terminal shows them."""
    wide, tall = CELL
    console = Console(width=columns, color_system="truecolor", force_terminal=True)
    out = [f"<style>{STYLE}</style>", f'<rect width="100%" height="100%" fill="{DARK}"/>']
    for row, line in enumerate(lines[:height]):
        at, spans = 0, ""
        for segment in line.render(console):
            ink, paper = _colours(segment.style or Style())
            x, length = at * wide, segment.cell_length * wide
            if paper:
                out.append(f'<rect x="{x}" y="{row * tall}" width="{length}" height="{tall}" fill="{paper}"/>')
            if segment.text.strip():
                spans += f'<tspan x="{x}" textLength="{length}"{ink}>{html.escape(segment.text)}</tspan>'
            at += segment.cell_length
        if spans:
            out.append(f'<text y="{row * tall + 9}">{spans}</text>')
    size = f'viewBox="0 0 {columns * wide} {height * tall}"'
    return "\n".join([f'<svg xmlns="http://www.w3.org/2000/svg" {size}>', *out, "</svg>\n"])


def _colours(style: Style) -> tuple[str, str]:
    """Attributes of a text, and the colour behind it or ""."""
    ink, paper = style.color, style.bgcolor
    front = _hex(ink, foreground=True) if ink else ""
    back = _hex(paper, foreground=False) if paper else ""
    if style.reverse:
        front, back = back or DARK, front or LIGHT
    told = f' fill="{front}"' if front else ""
    told += ' font-weight="bold"' if style.bold else ""
    told += ' opacity=".6"' if style.dim else ""
    told += ' text-decoration="underline"' if style.underline else ""
    return told, back


def _hex(colour: Color, *, foreground: bool) -> str:
    return colour.get_truecolor(MONOKAI, foreground=foreground).hex


def main() -> None:
    """Read the arguments, write the pictures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--db", default="sqlite:///runs/quickstart.db", help="its newest run is the tournament")
    parser.add_argument("--training", default="quickstart-train", help="a run")
    parser.add_argument("--player", default="smollm2", help="the player whose page is shown")
    parser.add_argument("--site", type=Path, default=Path("build/site"), help="the folder of the site")
    parser.add_argument("--out", type=Path, default=Path("docs"), help="a folder")
    given = parser.parse_args()
    folder = given.out / "captures"
    folder.mkdir(parents=True, exist_ok=True)
    lines = board(given.db)
    (given.out / "board.svg").write_text(svg(lines, max(map(len, lines)), len(lines)))
    for name, state, view in views(given.db, given.training, given.player):
        for columns, height in SIZES:
            page, _ = draw(state, view, columns, height)
            (folder / f"{name}-{columns}x{height}.svg").write_text(
                svg([to_text([line]) for line in page], columns, height)
            )
    with TemporaryDirectory() as place:
        report = Path(place) / "report.html"
        write_report(gather(given.db), report)
        in_browser(report, folder / "report.png")
    in_browser(given.site / "index.html", folder / "site.png")


if __name__ == "__main__":
    main()
