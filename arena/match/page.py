"""A match as a piece of HTML that one can step through, without scripts and outside resources.

Each position is a radio button in a bar: click it, or use the arrow keys. So the page works offline, from a file, and
in notebooks that run no scripts.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from html import escape

from arena.match.positions import MatchPosition, positions
from arena.records import Episode, Turn, show_in_notebooks
from games.sanitize import clean

CSS = """
.arena-match { display: flex; flex-wrap: wrap; font: 14px/1.4 system-ui, sans-serif; max-width: 60rem; }
.arena-match > p { flex-basis: 60rem; margin: .2rem 0; }
.arena-match > input { appearance: none; flex: 1 1 4px; min-width: 3px; height: 12px; margin: 0; order: 1; }
.arena-match > input { cursor: pointer; background: #8884; border-right: 1px solid #fff8; }
.arena-match > input:checked { background: #2166ac; }
.arena-match > section { display: none; order: 2; flex-basis: 60rem; }
.arena-match > input:checked + section { display: block; }
.arena-match pre { background: #8882; padding: .6rem; margin: .4rem 0; }
.arena-match pre, .arena-match .say { white-space: pre-wrap; overflow-wrap: anywhere; }
.arena-match .say { border-left: 3px solid #2166ac; padding: .1rem .6rem; margin: .3rem 0; }
.arena-match .say:nth-child(even) { border-color: #b2182b; }
.arena-match small { opacity: .75; }
"""
LONGEST = 4000
"""characters of a message or a position that are shown"""


def match_html(episode: Episode, replay: Sequence[MatchPosition] | None = None) -> str:
    """Returns the match as HTML; `replay` saves replaying it. All texts are escaped. Raises as `positions` does."""
    places = positions(episode) if replay is None else replay
    name = "m" + hashlib.sha256(f"{episode.match}/{episode.game}/{episode.seed}".encode()).hexdigest()[:12]
    head = f"<p><b>{_text(episode.game)}</b> &middot; {_text(episode.match)} &middot; {_result(episode)}</p>"
    body = "".join(_place(place, name, number, len(places)) for number, place in enumerate(places))
    return f'<div class="arena-match">{head}{body}</div>'


def standalone_html(episode: Episode) -> str:
    """Returns `match_html` with its style sheet, for a notebook or a file."""
    return f"<style>{CSS}</style>{match_html(episode)}"


def notebook_html(episode: Episode) -> str:
    """Returns the positions of a match; without them its turns, if its game may not or cannot be made.

    A notebook shows records of any origin, so only ids without parameters make a game: a parameter may name a file.
    """
    try:
        if _is_plain(episode.game):
            return standalone_html(episode)
        why = "the id of the game has parameters or names other code; arena.match.standalone_html shows positions"
    except Exception as error:  # noqa: BLE001  such as a damaged record or a missing package
        why = str(error)
    head = f"<p><b>{_text(episode.game)}</b> &middot; {_text(episode.match)} &middot; {_result(episode)}</p>"
    moves = "".join(map(_move, episode.turns))
    body = f"{moves}<p><small>no positions: {_text(why)}</small></p>"
    return f'<style>{CSS}</style><div class="arena-match">{head}<div>{body}</div></div>'


def _is_plain(game: str) -> bool:
    namespace, slash, _ = game.partition("/")
    return not set("(:") & set(game) and (not slash or namespace in ("openspiel", "pettingzoo"))


show_in_notebooks(notebook_html)


def _place(place: MatchPosition, name: str, number: int, total: int) -> str:
    checked = " checked" if number == total - 1 else ""
    label = f"position {number} of {total - 1}"
    moves = "".join(map(_move, place.moves)) or "<p>The match begins.</p>"
    then = f"next: {', '.join(place.acting)}" if place.acting else "the match is over"
    return (
        f'<input type="radio" name="{name}" title="{label}" aria-label="{label}"{checked}>'
        f"<section>{moves}<pre>{_text(place.text)}</pre><small>{label}; {_text(then)}</small></section>"
    )


def _move(turn: Turn) -> str:
    player = "opening" if turn.opening else turn.player
    troubles = "".join(f" <small>({_text(attempt.category)})</small>" for attempt in turn.failed)
    who = f"<small>{_text(turn.seat)}, {_text(turn.role)} &middot; {_text(player)}</small>"
    return f'<div class="say">{who}{troubles}<br>{_text(turn.action)}</div>'


def _result(episode: Episode) -> str:
    scores = ", ".join(f"{seat} {episode.returns.get(seat, 0.0):+g}" for seat in episode.seats)
    return _text(f"{episode.status}: {scores}")


def _text(text: str) -> str:
    cut = text if len(text) <= LONGEST else text[:LONGEST] + " ..."
    return escape(clean(cut))
