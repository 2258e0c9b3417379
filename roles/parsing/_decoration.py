"""What a game writes around its actions, and the texts of the actions without it.

The games of OpenSpiel, PettingZoo and TextArena number their actions (`18 - 24/21 6/2`), name the seat or its colour
(`Player: 0 Action: Pass`, `W d4`, `[P1]Bid: 3`), repeat a verb (`Guess letter u`), mark a capture (`f6e7*`) and write
brackets (`[3]`). A model leaves such parts out. Each rule reads the legal actions of one turn, none knows a game: a
part that all of them share tells nothing. Chess moves in letters have a notation of their own (`12. Nf3!?`, `0-0`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from games.dialogue.answers.patterns import SENTENCE

_INDEX = re.compile(r"\d+ - (?=\S)")
_WORD = r"[^\W\d_]{1,20}"
_LABEL = re.compile(rf"\W{{0,2}}{_WORD}[\w ]{{0,30}}[:=] ?(?=\S)")
"""`Bid: `, `Proposer 1: `"""
_SEAT = re.compile(
    rf"(?:, ?)?(?:\[[^\W\d_]\w{{0,8}}\] ?)?(?:{_WORD} ?[:=] ?\d+ )*(?:{_WORD}(?: ?\d+)?[:=] ?)?(?=\S)", re.ASCII
)
"""`Player: 0 Action: `, `[P0]Bid: `"""
_COLOUR = re.compile(r"[BWXO] (?=[a-z(]|[^\W\d_]{2})|[xo](?=[a-z]?\d|\()")
"""`W d4`, `X To (3, 7)`, `x2`, `xf5`, `x(1,1)`: the seat's own colour or mark"""
_VERB = re.compile(
    rf"(?:[,\[(] ?|[BWXO] )?(?:(?:(?!\w\W){_WORD}(?: ?\d+(?=[:\] ]))?|[Pp][a-z]{{0,5}}\d+)"
    r"(?:\] ?|[:=] ?(?:\d+,? )?|(?=\()| (?![-+/<>|=*]))){1,12}(?=\S)"
)
"""words, labels and numbers of seats, up to what sets the actions apart; no operator, whose left side is a part"""
_NEGATION = re.compile(
    r"\b(?:not?|never|none|nothing|don'?t|without|pass|reject|refuse|decline|un\w+)\b", re.IGNORECASE
)
_MARK = re.compile(r"(?<=\w)\*(?!\w)")
"""a capture, `13/9* 7/4*`; `S*9a` is a drop"""
_END = re.compile(r"[.;!]$")
_BRACKETS = {"(": ")", "[": "]", "{": "}", "<": ">", "'": "'", '"': '"'}
_DEPTH = 6
_SEATED = re.compile(r"\d|[:=].*[:=]")
_TOKEN, _NUMBER = re.compile(r"[^\W_]+"), re.compile(r"\d+")

_MOVE = re.compile(r"(?:(?:[KQRBN][a-h]?[1-8]?x?|[a-h]x)?[a-h][1-8](?:=?[KQRBN])?|[KQRBNP]@[a-h][1-8]|O-O(?:-O)?)[+#]?")
CHESS_TEXT = re.compile(r"(?=.*(?:[a-h][1-8]|[0o]-[0o]))[\w .…+#!?=@-]{2,24}")
"""a short text with a square or castling, in lower case"""
_PIECE = re.compile(r"[A-Zx]")
_PLAIN = re.compile(r"[^\W\d_]{3,}")
_MOVE_NUMBER = re.compile(r"\d{1,3} ?(?:\.(?: ?\. ?\.)?|…) ?(?=\D)")
"""`12. `, `12... `"""
_REMARK = re.compile(r"(?: ?e\.?p\.?)? ?(?:\+{1,2}|#)? ?(?:!{1,2}|!\?|\?!)?$")
"""what a reader of moves ignores: a check, a mate, praise; a question is no answer"""
_CASTLING = re.compile(r"[0o]-[0o](-[0o])?", re.IGNORECASE)


def undecorated(legal: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    """Returns for each action its texts without decoration, those that keep the most first.

    Actions that differ in their index only are one move: all 5,891 such groups of 12 matches of backgammon, 84% of its
    actions, lead to one position each. The first of them stands for all.
    """
    bare = list(map(_unbracketed, legal))
    indexed = bool(bare) and all(map(_INDEX.match, bare))
    if indexed:  # nothing else is left out: a number alone could be the index
        starts, bare = [], [_INDEX.sub("", action, count=1) for action in bare]
    else:
        starts = _starts(bare) if bare else []
    out, first = list[tuple[str, ...]](), dict[str, str]()
    for action, inner in zip(legal, bare, strict=True):
        if first.setdefault(inner, action) != action and indexed:
            out.append(())
            continue
        texts = [inner, *(inner[len(start) :] for start in starts if inner.startswith(start))]
        texts += [_unbracketed(text) for text in texts[1:]]
        texts += [_END.sub("", _MARK.sub("", text)) for text in texts]
        out.append(tuple(text for text in dict.fromkeys(texts) if text != action and any(map(str.isalnum, text))))
    return tuple(out)


def contradicts(before: str, action: str, content: str) -> bool:
    """Returns whether the text before an undecorated answer is the decoration of another action: `Player: 1 Action: `.

    If the decoration has a label, no other seat or number may stand before that label: `Playr: 0 Action: `.
    """
    full, rest = _tokens(action), _tokens(content)
    start = full[: -len(rest)] if rest and full[-len(rest) :] == rest else []
    words = _tokens(before)[-len(start) :] if start else []
    if words == start:
        return False
    if [_NUMBER.sub("0", word) for word in words] == [_NUMBER.sub("0", word) for word in start]:
        return True
    line = SENTENCE.split(before.rpartition("\n")[2])[-1]
    return len(start) > 1 and _tokens(line)[-1:] == start[-1:] and _SEATED.search(line) is not None


def _tokens(text: str) -> list[str]:
    return _TOKEN.findall(text.casefold())


def _unbracketed(text: str) -> str:
    """Returns a text without the brackets and quotes around the whole of it."""
    for _ in range(_DEPTH):
        if len(text) < 3 or _BRACKETS.get(text[0]) != text[-1] or not _encloses(text):
            break
        text = text[1:-1].strip()
    return text


def _encloses(text: str) -> bool:
    """Returns whether the last character closes what the first one opens."""
    if text[0] == text[-1]:
        return text.count(text[0]) == 2
    depth = 0
    for at, char in enumerate(text):
        depth += (char == text[0]) - (char == text[-1])
        if not depth:
            return at == len(text) - 1
    return False


def _starts(actions: Sequence[str]) -> list[str]:
    """Returns the beginnings that decorate the actions of a turn."""
    low, high = min(actions), max(actions)
    length = next((i for i, (a, b) in enumerate(zip(low, high, strict=False)) if a != b), len(low))
    patterns = (_SEAT, _VERB) if len(actions) > 1 else (_SEAT,)
    starts = {match[0] for pattern in patterns if (match := pattern.match(low, 0, length + 1))}
    if (colour := _COLOUR.match(low)) and colour.end() <= length:
        starts.add(colour[0])
    labels = [match[0] for action in actions if (match := _LABEL.match(action))]
    if len(set(labels)) == 1 and len(labels) >= min(2, len(actions)):
        starts.add(labels[0])
    return sorted(start for start in starts if start and not _NEGATION.search(start))


def are_chess_moves(legal: Sequence[str]) -> bool:
    """Returns whether the actions of a turn are moves in letters; words such as `pass` may be among them."""
    moves = all(_MOVE.fullmatch(action) or _PLAIN.fullmatch(action) for action in legal)
    return moves and any(_MOVE.fullmatch(action) and _PIECE.search(action) for action in legal)


def chess_move(text: str) -> str:
    """Returns what identifies a move. Case means nothing unless the move starts with b: a bishop is no pawn."""
    move = _REMARK.sub("", _MOVE_NUMBER.sub("", text.strip(), count=1)).replace("=", "")
    if castling := _CASTLING.fullmatch(move):
        return f"o-o{'-o' if castling[1] else ''}"
    return move if move[:1] in ("b", "B") else move.casefold()
