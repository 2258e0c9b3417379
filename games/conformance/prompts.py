"""Checks that no seat reads more than `GameSpec.prompt_bytes`, also if every message is as long as others read."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from games.conformance.play import blamed, choose, look, play, refusal
from games.conformance.report import Check, Finding
from games.conformance.subject import Subject
from games.game import Seat
from games.randomness import RandomStream, derive

MATCHES = 8
"""matches that are played with long messages"""
_FILLER = "𒀀𒀀𒀀𒀀𒀀 " * 1000
"""21,000 bytes in 6,000 characters: longer than what others read, whether a game limits bytes or characters"""
_PHRASE = re.compile(r"[A-Za-z][A-Za-z ,.']*")
_FORMS: tuple[Callable[[str], str], ...] = (
    lambda text: f"{text} {_FILLER}",
    lambda text: text.replace(max(_PHRASE.findall(text), key=len, default=text), _FILLER, 1),
)
"""how an example becomes long: behind its end, or in place of its longest phrase"""


def prompts(subject: Subject) -> Iterator[Finding | Check]:
    """The rules with an observation have at most as many bytes as the spec says."""
    limit, cases = subject.spec.prompt_bytes, 0
    rules = len(subject.spec.rules.encode())
    for number, seed in enumerate(subject.seeds("prompts", MATCHES) if limit is not None else ()):
        worst, where = 0, ""
        for turn, seat, text in _texts(subject, seed, _FORMS[number % len(_FORMS)]):
            cases += 1
            if (size := rules + len(text.encode())) > worst:
                worst, where = size, f"seed {seed}, turn {turn}: {seat}"
        if limit is not None and worst > limit:
            yield Finding("prompts", f"{where} reads {worst:,} bytes; spec.prompt_bytes allows {limit:,}")
            break
    yield Check("prompts", cases, "prompts", lacks="write GameSpec(prompt_bytes=...): rules and longest observation")


def _texts(subject: Subject, seed: int, lengthened: Callable[[str], str]) -> Iterator[tuple[int, Seat, str]]:
    """Yields turn, seat and observation of a match in which every free text is as long as the game accepts."""
    game, stream = subject.fresh(), RandomStream(derive(seed, "prompts"))
    with blamed("prompts", f"reset({seed})"):
        game.reset(seed)
    turn = decisions = 0
    while True:
        position = look(game, turn, seed)
        yield from ((turn, seat, text) for seat, text in position.texts.items())
        decisions += len(position.acting)
        if not position.acting or decisions > game.spec.max_turns or subject.late:
            return
        move = choose(game, position, stream, seed)
        long = {seat: text if position.legal[seat] is not None else lengthened(text) for seat, text in move.items()}
        if refusal(game, long, "prompts", f"apply with a long message (seed {seed}, turn {turn})"):
            play(game, move, position, seed)
        turn += 1
