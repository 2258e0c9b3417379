"""Matches a written answer with a legal action. It never guesses; an ambiguous answer is an error."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache

from games.dialogue.answers import mentions
from games.sanitize import clean
from roles.parsing._answers import LABELS, unlabelled
from roles.parsing._decoration import CHESS_TEXT, are_chess_moves, chess_move, undecorated

_PAIRS = ('""', "''", "``", "“”", "‘’", "«»", "「」", "『』", "【】", "()", "[]", "{}", "<>", "$$", "**", "__")
_LATEX = re.compile(
    r"\\(?:text(?:bf|it|rm|tt|sf|sc)?|math(?:rm|bf|it|tt|sf)|mbox|operatorname|emph)\s{0,4}"
    r"\{((?:[^{}]|\{[^{}]*\})*)\}"
)
_LATEX_ESCAPE = re.compile(r"\\([_$%#&{}])|\\[,;:! ]|~")
_MATH = ((r"\(", r"\)"), (r"\[", r"\]"))
_DASHES_AND_QUOTES = str.maketrans("−–—‒‑’‘“”", "-----''\"\"")


class Ambiguous(ValueError):
    """The answer matches several legal actions, listed in `options`."""

    def __init__(self, options: Sequence[str]) -> None:
        super().__init__(" or ".join(options))
        self.options = options


class LegalActions:
    """The legal actions of a turn: which of them a text means, and which a text mentions."""

    labels = LABELS

    def __init__(self, legal: tuple[str, ...]) -> None:
        self._legal, self._all = legal, frozenset(legal)
        self._longest = 200 + 4 * max(map(len, legal), default=0)
        self._ascii = all(map(str.isascii, legal))
        self._tables: dict[Callable[[str], str], dict[str, list[str]]] = {}

    @cached_property
    def words(self) -> int:
        """The number of words of the longest action."""
        return max((len(action.split()) for action in self._legal), default=0)

    @cached_property
    def _folds(self) -> tuple[Callable[[str], str], ...]:
        return (_spaces, _compatible, _word) if self._case_matters else _FOLDS

    @cached_property
    def _case_matters(self) -> bool:
        return self._chess or _case_matters(self._legal)

    @cached_property
    def _undecorated(self) -> tuple[tuple[str, ...], ...]:
        return undecorated(self._legal)

    @cached_property
    def _shorter(self) -> tuple[str, ...]:
        return tuple(min(texts, key=len, default="") for texts in self._undecorated)

    @cached_property
    def _letters(self) -> str:
        """The actions in one text, in which prose is looked up before the tables of `_loose` are made."""
        return _compatible("\n".join(self._legal)).casefold().replace("_", " ")

    @cached_property
    def _tokens(self) -> frozenset[str]:
        return frozenset(_TOKEN.findall(self._letters))

    def _plausible(self, content: str) -> bool:
        """Returns whether a text may be an action in another spelling, which prose is not."""
        text = _compatible(content).casefold()
        if self._chess:
            return CHESS_TEXT.fullmatch(text) is not None
        words = _TOKEN.findall(text)
        return bool(words) and all(word in self._letters for word in words)

    @cached_property
    def _chess(self) -> bool:
        return are_chess_moves(self._legal)

    @cached_property
    def _loose(self) -> tuple[tuple[Callable[[str], str], dict[str, list[str]]], ...]:
        """The folds of spaces beside signs, and their tables: a full text goes before one without decoration."""
        if self._chess:
            folds: tuple[Callable[[str], str], ...] = (_tight, _chess_move)
        else:
            folds = (_tight,) if self._case_matters else (_tight, _tight_case)
        return tuple((fold, self._table(fold)) for fold in folds)

    def _table(self, fold: Callable[[str], str]) -> dict[str, list[str]]:
        full, short = defaultdict[str, list[str]](list), defaultdict[str, list[str]](list)
        for action, texts in zip(self._legal, self._undecorated, strict=True):
            full[fold(action)].append(action)
            for text in dict.fromkeys(map(fold, texts)):
                short[text].append(action)
        return {**short, **full}

    def _folded(self, fold: Callable[[str], str]) -> dict[str, list[str]]:
        """Returns a folded text -> the actions that it may stand for. ASCII has no other width, dashes or quotes."""
        fold = _ASCII_FOLDS.get(fold, fold) if self._ascii else fold
        if fold not in self._tables:
            table = self._tables[fold] = defaultdict(list)
            for action in self._legal:
                table[fold(action)].append(action)
        return self._tables[fold]

    def of(self, content: str) -> str | None:
        """Returns the action that `content` means, or None."""
        try:
            return self.match(content)
        except Ambiguous:
            return None

    def match(self, content: str) -> str | None:
        """Returns the action that `content` means, or None. Raises Ambiguous.

        An exact match wins, then the match with the least change. The changes are, in order: white space and what
        surrounds the answer (quotes, brackets, LaTeX, a full stop); case; full and half width forms, dashes and quotes
        of all kinds; spaces beside signs; the game's own decoration, which an answer may leave out but not contradict
        (`undecorated`). A circled, raised or bold character stays a different character. Case is kept if it has a
        meaning: some actions start in lower case and some in upper case, such as `bxc3` and `Bxc3` in chess. Words such
        as `Paris` have none.
        """
        if content in self._all:
            return content
        if len(content) > self._longest:
            return None
        layers = list(dict.fromkeys(_layers(content)))
        for layer in layers:
            if layer in self._all:
                return layer
        for fold in self._folds:
            if option := _only(self._folded(fold), fold, layers):
                return option
        if any(map(self._plausible, layers)):
            for fold, table in self._loose:
                if option := _only(table, fold, layers):
                    return option
        return None

    def rival(self, after: str, value: str) -> str:
        """Returns the reason if the text after an action states another action, else ""."""
        if not after.strip():
            return ""
        shares_a_word = not self._tokens.isdisjoint(_TOKEN.findall(after.casefold()))
        return mentions(self._legal, self._shorter if shares_a_word else ()).rival(after, value)


def _only(table: Mapping[str, Sequence[str]], fold: Callable[[str], str], layers: Sequence[str]) -> str | None:
    """Returns the action of the first layer that has one. Raises Ambiguous if it has several."""
    for layer in layers:
        options = table.get(fold(layer), ())
        if len(options) > 1:
            raise Ambiguous(options)
        if options:
            return options[0]
    return None


@lru_cache(32)
def legal_actions(legal: tuple[str, ...]) -> LegalActions:
    """Returns the actions of a list; the same object for the same list."""
    return LegalActions(legal)


def undressed(content: str) -> str:
    """Free text without LaTeX or backticks around the whole of it; its own quotes and brackets stay."""
    while True:
        inner = content.strip()
        if latex := _LATEX.fullmatch(inner):
            inner = latex[1]
        elif inner.startswith("`") and not inner.strip("`").count("`"):
            inner = inner.strip("`")
        if inner == content:
            return inner
        content = inner


def _layers(content: str) -> Iterator[str]:
    """Yields `content`, then `content` without one layer of surroundings after the other."""
    for _ in range(8):
        yield content
        inner = _inside(content.strip())
        if inner == content:
            break
        content = inner
    yield _LATEX_ESCAPE.sub(_unescaped, content)


def _unescaped(escape: re.Match[str]) -> str:
    """Returns the escaped character; a space for `\\ ` and `~`; nothing for other spacing commands."""
    return escape[1] or (" " if escape[0] in ("\\ ", "~") else "")


def _inside(text: str) -> str:
    """Returns `text` without its outermost layer."""
    if latex := _LATEX.fullmatch(text):
        return latex[1]
    for opening, closing in _MATH:
        if text.startswith(opening) and text.endswith(closing) and len(text) >= 4:
            return text[2:-2]
    if len(text) >= 2 and text[0] + text[-1] in _PAIRS:
        return text[1:-1]
    if text.endswith((".", "。", "!", "！")):
        return text[:-1]
    return unlabelled(text)


def _case_matters(legal: tuple[str, ...]) -> bool:
    """Returns whether some actions start in lower case and some in upper case, one of them at least no word."""
    if any(a[:1].islower() for a in legal) and any(a[:1].isupper() for a in legal):
        signs = [a for a in legal if not _WORDS.fullmatch(a)]
        return not signs or (any(a[:1].islower() for a in signs) and any(a[:1].isupper() for a in signs))
    return False


def _spaces(text: str) -> str:
    """Returns the text with single spaces and without invisible characters, which a plugin's action may contain."""
    return " ".join(clean(text).split())


def _case(text: str) -> str:
    return _spaces(text).casefold()


def _compatible(text: str) -> str:
    if not text.isascii():
        text = unicodedata.normalize("NFC", "".join(map(_narrowed, text))).translate(_DASHES_AND_QUOTES)
    return _spaces(text)


def _narrowed(char: str) -> str:
    """Returns a character without its full or half width."""
    how, _, plain = unicodedata.decomposition(char).partition(" ")
    return chr(int(plain, 16)) if how in ("<wide>", "<narrow>", "<noBreak>") and " " not in plain else char


def _compatible_case(text: str) -> str:
    return _compatible(text).casefold()


def _tight(text: str) -> str:
    """Returns a text without spaces where they mean nothing: beside commas, colons and brackets, around operators.

    A space on one side of an operator stays, because `1 -1` is no `1-1`.
    """
    return _AROUND.sub(r"\1", _BESIDE.sub(r"\1", _compatible(text).replace("_", " ")))


def _tight_case(text: str) -> str:
    return _tight(text).casefold()


def _chess_move(text: str) -> str:
    return chess_move(_compatible(text))


_TOKEN = re.compile(r"[^\W_]+")
_BESIDE = re.compile(r" ?([,;:()\[\]{}]) ?")
_AROUND = re.compile(r"(?<=\S) ([-+*/=<>|&←→]+) (?=\S)")


def _word(text: str) -> str:
    """Returns a text in lower case if it consists of words, else as it is."""
    text = _compatible(text)
    return text.casefold() if _WORDS.fullmatch(text) else text


_WORDS = re.compile(r"[^\W\d_]{3,}(?:[ '-][^\W\d_]+)*")
_FOLDS = (_spaces, _case, _compatible, _compatible_case)
_ASCII_FOLDS: dict[Callable[[str], str], Callable[[str], str]] = {_compatible: _spaces, _compatible_case: _case}
