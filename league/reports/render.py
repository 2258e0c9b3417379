"""Renders a report as HTML or Markdown with jinja2, and its standings as CSV."""

from __future__ import annotations

import base64
import csv
import hashlib
import io
import json
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from arena.match import CSS
from games import InputError
from games.files import write_whole
from games.sanitize import printable, spreadsheet_cell
from league.board.printed import standing_rows
from league.records.leaderboard import Leaderboard, Standing
from league.reports import charts
from league.reports.columns import standings_table
from league.reports.content import ABOUT_RATINGS, ReportContent
from league.reports.sample_turns import READ

# GitHub also makes links of plain addresses, and lines through text between tildes.
_MARKUP = re.compile(r"[\\`*\[\]<>&|~@]|^[-+=#]|:(?=//)|(?<=www)\.|(?<!\w)_|_(?!\w)", re.IGNORECASE)
"""signs that begin markup; an underscore begins no more than emphasis, and is in many names"""

_SCRIPT = """
document.querySelectorAll("table.sortable th").forEach((head) => head.addEventListener("click", () => {
  const table = head.closest("table"), i = head.cellIndex, down = head.dataset.down !== "yes";
  const value = (row) => row.cells[i].dataset.value ?? row.cells[i].textContent;
  const rows = [...table.tBodies[0].rows].sort((a, b) => {
    const x = value(a), y = value(b);
    const order = x === "" || y === "" || isNaN(x) || isNaN(y) ? x.localeCompare(y) : x - y;
    return down ? -order : order;
  });
  table.querySelectorAll("th").forEach((other) => delete other.dataset.down);
  head.dataset.down = down ? "yes" : "no";
  table.tBodies[0].append(...rows);
}));
"""
"""sorts a table by the column that is clicked; the page works without it"""

_RELOAD = """
let used = Date.now();
["pointerdown", "pointermove", "keydown", "scroll"].forEach((kind) => addEventListener(kind, () => used = Date.now()));
setInterval(() => { if (Date.now() - used >= SECONDS * 1000) location.reload(); }, 1000);
"""
"""reloads the page, but not while somebody uses it: a reload closes what was opened"""


def _environment(*, html: bool) -> Environment:
    """Templates that escape everything: HTML by autoescape, and invisible characters by `printable` in both formats."""
    made = Environment(
        loader=PackageLoader("league.reports"),
        autoescape=html,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=lambda value: printable(value, lines=True) if type(value) is str else value,
    )
    made.filters["table"] = standings_table
    made.filters["pretty"] = lambda value: json.dumps(value, indent=1, ensure_ascii=False)
    return made


def to_html(content: ReportContent, reload: float = 0.0) -> str:
    """Returns one page without references to anything outside it; its policy forbids requests and other scripts.

    The page reloads itself once nobody has used it for `reload` seconds; 0: never.
    """
    script = _SCRIPT + (_RELOAD.replace("SECONDS", f"{reload:g}") if reload else "")
    return _page("report.html.j2", script, **_values(content), reload=reload)


def results_html(board: Leaderboard, sentences: Sequence[str]) -> str:
    """Returns the page of a leaderboard without a run, such as that of results from elsewhere, with what it says."""
    fitted = any(row.bt_rating is not None for row in board.standings)
    values = {"board": board, "sentences": sentences, "about_ratings": ABOUT_RATINGS if fitted else ""}
    return _page("results.html.j2", _SCRIPT, **values, bars=charts.interval_bars(board.standings))


def _page(template: str, script: str, **values: Any) -> str:
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    whole = values | {"script": _Static(script), "script_digest": digest}
    return _environment(html=True).get_template(template).render(**whole)


class _Static(str):
    """Text of our own that is not escaped; jinja2 asks for `__html__`."""

    __slots__ = ()

    def __html__(self) -> str:
        return str(self)


def to_markdown(content: ReportContent) -> str:
    """Returns the same in Markdown. Texts of models are in code blocks that they cannot end."""
    made = _environment(html=False)
    made.filters["cell"] = _cell
    made.filters["span"] = _span
    made.filters["block"] = _block
    return made.get_template("report.md.j2").render(**_values(content))


def _cell(value: object) -> str:
    """Returns a text in one line in which nothing is markup: no HTML, links or images."""
    return _MARKUP.sub(r"\\\g<0>", " ".join(str(value).split("\n")))


def _span(value: object) -> str:
    """Returns a text in one line as code, with more backticks around it than are in it."""
    text = " ".join(str(value).split("\n"))
    fence = "`" * (max(map(len, re.findall("`+", text)), default=0) + 1)
    return f"{fence} {text} {fence}" if "`" in text else f"`{text}`"


def _block(text: str) -> str:
    """Returns a code block with a fence that is longer than any in the text."""
    fence = "```"
    while fence in text:
        fence += "`"
    return f"{fence}\n{text}\n{fence}"


def to_csv(content: ReportContent) -> str:
    """Returns one line per player, overall, in each game, and in each role of a game."""
    names = [*(name for name in Standing.__struct_fields__ if name != "faults"), "timeouts"]
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["run", "game", "role", *names])
    tables = [("", "", content.leaderboard.standings)]
    for table in content.games:
        tables.append((table.game, "", table.rows))
        tables += [(table.game, role, rows) for role, rows in table.roles.items()]
    for game, role, rows in tables:
        for row in standing_rows(rows):
            cells = [content.run.name, game, role, *("" if row[name] is None else row[name] for name in names)]
            writer.writerow([spreadsheet_cell(cell) if isinstance(cell, str) else cell for cell in cells])
    return out.getvalue()


def _values(content: ReportContent) -> dict[str, Any]:
    heat = {game: charts.heat_cells(payoff) for game, payoff in content.payoffs.items()}
    return {
        "c": content,
        "heat": heat,
        "grids": {game: {(cell.row, cell.column): cell.text for cell in cells} for game, cells in heat.items()},
        "bars": charts.interval_bars(content.leaderboard.standings),
        "curves": [chart for chart in map(charts.curve_chart, content.curves) if chart is not None],
        "size": (charts.WIDTH, charts.HEIGHT),
        "read_limit": READ,
        "match_css": Markup(CSS),
    }


_FORMATS: dict[str, Callable[[ReportContent, float], str]] = {
    ".html": to_html,
    ".md": lambda content, _: to_markdown(content),
    ".csv": lambda content, _: to_csv(content),
}
SUFFIXES = tuple(_FORMATS)


def write_results(board: Leaderboard, sentences: Sequence[str], path: Path) -> None:
    """Write the page of a leaderboard without a run, and what it says, as HTML. Raises InputError."""
    if path.suffix != ".html":
        raise InputError(f"{str(path)!r} is a page in HTML; name a file that ends in .html")
    _write(path, results_html(board, sentences))


def check_suffix(path: Path) -> None:
    """Raise InputError for a file whose suffix names no format."""
    if path.suffix not in _FORMATS:
        raise InputError(f"{str(path)!r} has no known suffix; use {', '.join(SUFFIXES[:-1])} or {SUFFIXES[-1]}")


def write_report(content: ReportContent, path: Path, *, reload: float = 0.0) -> None:
    """Write a report in one step, so that no reader has a part of it; `reload` as in `to_html`.

    Raises InputError for an unknown suffix, or if writing fails.
    """
    check_suffix(path)
    _write(path, _FORMATS[path.suffix](content, reload))


def _write(path: Path, text: str) -> None:
    try:
        write_whole(path, text)
    except OSError as error:
        raise InputError(f"cannot write {path}: {error.strerror}; name another -o") from None
