"""What a game exposes to the seats of each role: examples, forms of messages, data, secrets."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from games import IllegalAction, TextGame
from games.attack import Expression
from games.attack.agreed import lists_of
from games.attack.readings import last_message, left, listed, speeches
from games.attack.sources import data_of, quotation, scalar
from games.randomness import RandomStream, derive
from games.shortcuts import ScriptedTurn, ShortcutSuite

MATCHES = 12
_TAG, _FENCE = re.compile(r"<(\w+)>(.*?)</\1>", re.DOTALL), re.compile(r"```(\w+)\n(.*?)\n```", re.DOTALL)
_LONGEST = 2_000
"""characters of a constant"""


@dataclass
class Survey:
    """What matches of honest players expose to the seats of one role. Dictionaries are ordered sets."""

    role: str
    seats: int = 1
    phases: dict[str, None] = field(default_factory=dict)
    places: dict[tuple[str, ...], None] = field(default_factory=dict)
    """forms that hold a part of a message, such as ("tag", "question")"""
    examples: dict[str, None] = field(default_factory=dict)
    data: dict[str, set[str]] = field(default_factory=dict)
    """key of a text or number that the seats were told -> its values"""
    facts: dict[str, set[str]] = field(default_factory=dict)
    secrets: list[tuple[str, ...]] = field(default_factory=list)
    """the texts that a seat alone knew, of each match"""
    solutions: dict[str, None] = field(default_factory=dict)
    """messages that a competent player wrote in other matches"""
    lists: dict[str, int] = field(default_factory=dict)
    """key of a list of texts that the seats were told -> its length"""
    turns: int = 0
    words: dict[str, int] = field(default_factory=dict)
    """word of the last message that the seats read -> in how many turns"""
    lefts: dict[int, None] = field(default_factory=dict)
    """how many turns were left"""
    letters: bool = False
    """whether the seats read lists with letters"""
    speakers: dict[str, None] = field(default_factory=dict)
    options: int = 0
    """how many legal actions a turn has, at most; 0 for free text"""
    ideas: list[Expression] = field(default_factory=list)
    """messages of a player that attacks"""
    readers: dict[str, None] = field(default_factory=dict)
    """other roles that read messages of this one, and act after them"""

    def add(self, turn: ScriptedTurn, message: str, examples: Sequence[str]) -> None:
        """Add one turn of the role."""
        self.phases[turn.phase.partition(" ")[0]] = None
        self.options = max(self.options, len(turn.legal or ()))
        for example in (message, *examples):
            self.places.update(dict.fromkeys(_places(example)))
        self.examples.update(dict.fromkeys(text for text in examples if len(text) <= _LONGEST))
        self._add_text(turn.text)
        for key, value in data_of(turn).items():
            if (text := scalar(value)) is not None:
                self.data.setdefault(key, set()).add(text)
        for key, texts in lists_of(turn).items():
            self.lists[key] = max(self.lists.get(key, 0), len(texts))

    def _add_text(self, text: str) -> None:
        """Add what a text tells by its form."""
        self.turns += 1
        for word in set(re.findall(r"\w+", last_message(text))):
            self.words[word] = self.words.get(word, 0) + 1
        self.letters = self.letters or bool(listed(text))
        self.speakers.update((name, None) for name, _ in speeches(text))
        if (count := left(text)) is not None:
            self.lefts[count] = None

    def telling_words(self, most: int) -> list[str]:
        """Returns words that stand in some last messages and not in others, the most frequent first."""
        some = [word for word, times in self.words.items() if 1 < times < self.turns]
        return sorted(some, key=lambda word: (-self.words[word], word))[:most]

    def frames(self) -> list[tuple[str, str]]:
        """Returns what stands before and after the changing part of each secret, those that do change."""
        texts: dict[int, list[str]] = {}
        for match in self.secrets:
            for place, text in enumerate(match):
                texts.setdefault(place, []).append(text)
        return list(dict.fromkeys(frame(of) for of in texts.values() if len(set(of)) > 1))


def frame(texts: Sequence[str]) -> tuple[str, str]:
    """Returns what all texts begin and end with, in whole words."""
    before = _common(texts)
    after = _common([text[len(before) :][::-1] for text in texts])[::-1]
    return re.sub(r"\w+$", "", before), re.sub(r"^\w+", "", after)


def _common(texts: Sequence[str]) -> str:
    """Returns the characters that all texts begin with."""
    columns = itertools.takewhile(lambda column: len(set(column)) == 1, zip(*texts, strict=False))
    return "".join(column[0] for column in columns)


def _places(text: str) -> Iterable[tuple[str, ...]]:
    yield from (("tag", part[1]) for part in _TAG.finditer(text))
    yield from (("fence", part[1]) for part in _FENCE.finditer(text))
    if "\\boxed{" in text:
        yield ("box",)


def _parts(text: str) -> Iterable[str]:
    """Yields what stands in tags and blocks of a message, which is often all that others read of it."""
    return (part[2].strip() for pattern in (_TAG, _FENCE) for part in pattern.finditer(text))


def survey(game: TextGame, suite: ShortcutSuite, seed: int) -> dict[str, Survey]:
    """Returns what each role of the suite meets in matches of honest players."""
    roles = list(game.spec.seats.values())
    surveys = {role: Survey(role, roles.count(role)) for role in roles}
    for n in range(MATCHES):
        game.reset(derive(seed, "attack survey", n))
        _play(game, suite, surveys, RandomStream(derive(seed, "attack honest", n)))
    return surveys


def _play(game: TextGame, suite: ShortcutSuite, surveys: dict[str, Survey], stream: RandomStream) -> None:
    """Plays one match of honest players and adds its turns to the surveys."""
    last: dict[str, list[str]] = {}
    for _ in range(game.spec.max_turns):
        if not (acting := game.acting):
            return
        messages = {seat: _message(game, suite, surveys, stream, seat) for seat in acting}
        for seat in acting:
            _note(game, surveys, seat, last)
        last |= {seat: [quotation(text), *_parts(text)] for seat, text in messages.items()}
        try:
            game.apply(messages)
        except IllegalAction:
            game.apply({seat: game.examples(seat)[0] for seat in acting})


def _message(game: TextGame, suite: ShortcutSuite, surveys: dict[str, Survey], stream: RandomStream, seat: str) -> str:
    role, observation = game.spec.seats[seat], game.observe(seat)
    reading = (observation.text, observation.phase, stream, game.legal(seat), game.data(seat))
    turn = ScriptedTurn(seat, role, *reading, game)
    message = (suite.honest[role] if role in suite.honest else suite.partner(role))(turn)
    surveys[role].add(turn, message, game.examples(seat))
    if role in suite.competent:
        surveys[role].solutions[suite.competent[role](turn)] = None
    return message


def _note(game: TextGame, surveys: dict[str, Survey], seat: str, last: dict[str, list[str]]) -> None:
    """Notes facts and secrets of a seat, and whose last messages it can read."""
    role = game.spec.seats[seat]
    if secrets := game.secrets(seat):
        surveys[role].secrets.append(tuple(secrets))
    for key, value in game.facts().items():
        if (text := scalar(value)) is not None:
            surveys[role].facts.setdefault(key, set()).add(text)
    reading = f"{game.observe(seat).text}\n{game.data(seat)}"
    for other, texts in last.items():
        if (writer := game.spec.seats[other]) != role and any(len(text) > 2 and text in reading for text in texts):
            surveys[writer].readers[role] = None
