r"""Chess moves in the letters of players: `Nf3`, `exd5`, `O-O`, as a scoresheet writes them (`12. Nf3!?`, `0-0`)."""

from __future__ import annotations

import re
from collections.abc import Sequence

_MOVE = re.compile(r"(?:(?:[KQRBN][a-h]?[1-8]?x?|[a-h]x)?[a-h][1-8](?:=?[KQRBN])?|[KQRBNP]@[a-h][1-8]|O-O(?:-O)?)[+#]?")
_PIECE = re.compile(r"[A-Zx]")
_WORD = re.compile(r"[^\W\d_]{3,}")
_NUMBER = re.compile(r"\d{1,3} ?(?:\.(?: ?\. ?\.)?|…) ?(?=\D)")
"""`12. `, `12... `"""
_REMARK = re.compile(r"(?: ?e\.?p\.?)? ?[+#!?]{0,4}$")
"""what a reader of moves ignores: a check, a mate, a judgement"""
_CASTLING = re.compile(r"[0o]-[0o](-[0o])?", re.IGNORECASE)


def are_chess_moves(legal: Sequence[str]) -> bool:
    """Returns whether the actions of a turn are moves in letters; words such as `pass` may be among them."""
    moves = all(_MOVE.fullmatch(action) or _WORD.fullmatch(action) for action in legal)
    return moves and any(_MOVE.fullmatch(action) and _PIECE.search(action) for action in legal)


def chess_move(text: str) -> str:
    """Returns what identifies a move. Upper and lower case are the same unless it starts with b: a bishop is no pawn."""
    move = _REMARK.sub("", _NUMBER.sub("", text.strip(), count=1)).replace("=", "")
    if castling := _CASTLING.fullmatch(move):
        return f"o-o{'-o' if castling[1] else ''}"
    return move if move[:1] in ("b", "B") else move.casefold()
