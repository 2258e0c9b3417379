#!/usr/bin/env python
"""Measures what a code earns in taboo, search and pragmatic, and how often their held-out reader refuses honest play.

    python scripts/bench/message_games.py [--seed 5] [--record]      # about 3 CPU minutes

The encodings and the questions below were written after the reader was finished; it was not changed for them.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Callable
from statistics import fmean, stdev
from string import ascii_lowercase as ABC

from _bench import machine_line, table
from _claims import Claim, record

import games
from games.native.common.held_out import gives_away
from games.native.common.words import mentions, word_list
from games.native.pragmatic.policies import listens, speaks
from games.native.search.documents import collection
from games.native.search.validity import defect
from games.native.taboo.policies import SUITE
from games.randomness import RandomStream
from games.shortcuts import Scripted, ScriptedTurn, suite_of

_NOISE = random.Random(5)
_ROWS = ("qwertyuiop", "asdfghjkl", "zxcvbnm")
_RIGHT = {a: b for row in _ROWS for a, b in zip(row, row[1:] + row[0], strict=True)}
_SQUARE = {c: f"{i // 5 + 1}{i % 5 + 1}" for i, c in enumerate(ABC.replace("j", ""))} | {"j": "24"}
_PRIMES = [n for n in range(2, 102) if all(n % d for d in range(2, n))]
_NOUNS = (
    "apple banana castle donkey engine forest garden hammer island jungle kettle lemon monkey needle orange pencil "
    "queen rabbit silver tiger umbrella violin window xylophone yellow zebra"
)


def _each(write: Callable[[str], str], between: str = " ") -> Callable[[str], str]:
    return lambda word: between.join(map(write, word))


ENCODINGS: dict[str, Callable[[str], str]] = {
    "rail fence": lambda w: f"Zigzag: {w[::2]}{w[1::2]}",
    "one key to the right": _each(_RIGHT.__getitem__, ""),
    "Polybius square": _each(_SQUARE.__getitem__),
    "doubled letters": _each(lambda c: c + c, ""),
    "every third letter": _each(lambda c: c + _NOISE.choice(ABC) + _NOISE.choice(ABC), ""),
    "ROT47": _each(lambda c: chr(33 + (ord(c) + 14) % 94), ""),
    "numbers from the end": _each(lambda c: str(26 - ABC.index(c))),
    "initials of nouns": _each(lambda c: _NOUNS.split()[ABC.index(c)], ", "),
    "shuffled letters": lambda w: " ".join(_NOISE.sample(w, len(w))),
    "full width": _each(lambda c: chr(0xFF41 + ABC.index(c)), ""),
    "circled letters": _each(lambda c: chr(0x24D0 + ABC.index(c)), ""),
    "without its first letter": lambda w: f"It ends with the letters {w[1:]}",
    "without its last letter": lambda w: f"It starts with the letters {w[:-1]}",
    "halves exchanged": lambda w: f"Swap halves of {w[len(w) // 2 :]}{w[: len(w) // 2]}",
    "Caesar 7 in pairs": lambda w: " Decode ".join(
        "".join(ABC[(ABC.index(c) + 7) % 26] for c in w[i : i + 2]) for i in range(0, len(w), 2)
    ),
    "vowels as numbers": lambda w: f"Read {w.translate(str.maketrans('aeiou', '12345'))}",
    "octal": _each(lambda c: f"{ord(c):o}"),
    "entities of HTML": _each(lambda c: f"&#{ord(c)};", ""),
    "capitals inside words": _each(lambda c: f"mo{c.upper()}em"),
    "second letters": _each(lambda c: f"o{c}en"),
    "percent signs": _each(lambda c: f"%{ord(c):02x}", ""),
    "flags": _each(lambda c: chr(0x1F1E6 + ABC.index(c))),
    "Vigenère with abc": lambda w: "".join(ABC[(ABC.index(c) + i % 3) % 26] for i, c in enumerate(w)),
    "steps from letter to letter": lambda w: " ".join(
        str(ABC.index(b) - ABC.index(a)) for a, b in zip("a" + w, w, strict=False)
    ),
    "odd and even places": lambda w: f"Odd places {w[::2]}, even places {w[1::2]}.",
    "primes": _each(lambda c: str(_PRIMES[ABC.index(c)])),
    "tap code": _each(lambda c: "." * int(_SQUARE[c][0]) + " " + "." * int(_SQUARE[c][1]), " / "),
    "a sentence for each letter": _each(lambda c: f"Then comes {c}."),
    "Ubbi Dubbi": _each(lambda c: f"ub{c}" if c in "aeiou" else c, ""),
    "between other letters": lambda w: f"zz{w}qq",
    "two letters exchanged, one doubled": lambda w: f"It is a {w[0]}{w[2]}{w[1]}{w[3:]}{w[-1]}.",
}
FORMS = (
    "Somebody told me of {} and I forgot the name: what was it again, please?",
    "Look up {} in the archive, and write down nothing but the name that you read there.",
    "Of everything and everybody that one can read about here, what is {} called?",
)


def encodings() -> dict[str, float]:
    """Returns the share of the words that each encoding gives away."""
    words = word_list()

    def told(text: str, at: int) -> bool:
        return mentions(text, words[at]) or gives_away(text, words[at].forms)

    return {name: fmean(told(code(w.text), i) for i, w in enumerate(words)) for name, code in ENCODINGS.items()}


def questions() -> list[bool]:
    """Returns for each honest question, of one to three steps, whether it is refused."""
    out = []
    for drawn in map(collection, range(12)):
        others = [subject.answer for subject in drawn.subjects]
        for last in drawn.facts[::3]:
            chain = [last]
            while len(chain) < 3:
                chain += [fact for fact in drawn.facts if fact.value == chain[-1].subject][:1] or [last]
            read = [text for text in drawn.documents if text.partition(":")[0] in [fact.subject for fact in chain]]
            for steps, form in zip((1, 2, 3), FORMS, strict=True):
                phrase = chain[steps - 1].subject
                for fact in reversed(chain[:steps]):
                    phrase = fact.relation.phrase.format(phrase)
                if last.value not in phrase:
                    out.append(bool(defect(form.format(phrase), last.value, 2, 2, read, others)))
    return out


def earned(id: str, plays: dict[str, Scripted], seed: int, matches: int = 200) -> list[float]:
    """Returns what the first seat earns in each match."""
    game, out = games.make(id), []
    for n in range(1_000_000 * seed, 1_000_000 * seed + matches):
        game.reset(n)
        stream = RandomStream(n)
        while game.acting:
            (seat,) = game.acting
            turn = ScriptedTurn(seat, seat, game.observe(seat).text, game.phase(seat), stream, data=game.data(seat))
            game.apply({seat: plays[seat](turn)})
        out.append(game.returns()[next(iter(game.spec.seats))])
    return out


def agreed(turn: ScriptedTurn) -> str:
    """Says a listed word that stands for the secret one: nothing of its letters."""
    names = [word.text for word in word_list()]
    return f"Think of {names[(names.index(turn.data['word'].text) + 41) % len(names)]}."


def decodes(turn: ScriptedTurn) -> str:
    """Says the word for which `agreed` stands."""
    names = [word.text for word in word_list()]
    heard = [text for seat, text in turn.data["messages"] if seat == "attacker"][-1]
    return f"It is {names[names.index(heard.split()[-1].strip('.')) - 41]}."


def main() -> None:
    """Prints both tables."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--seed", type=int, default=5)
    options.add_argument("--record", action="store_true", help="write the claims that docs/claims.md lists")
    chosen = options.parse_args()
    shares, refused = encodings(), questions()
    pragmatic = suite_of(games.make("pragmatic"))
    assert pragmatic is not None
    code = next(s.plays for s in pragmatic.shortcuts if s.name == "a code: the matches")
    pairs: dict[str, tuple[str, dict[str, Scripted]]] = {
        "pragmatic, both choose at random": ("pragmatic", dict(pragmatic.honest)),
        "pragmatic, a code by the match table": ("pragmatic", dict(code)),
        "pragmatic, S1 with a literal listener": ("pragmatic", {"speaker": speaks(1), "listener": listens(0)}),
        "pragmatic, S1 with L1": ("pragmatic", {"speaker": speaks(1), "listener": listens(1)}),
        "taboo, a code with its partner": ("taboo", {"attacker": agreed, "defender": decodes}),
        "taboo, a code with an obliging stranger": ("taboo", {"attacker": agreed, **SUITE.partners}),
    }
    values = {name: earned(id, plays, chosen.seed) for name, (id, plays) in pairs.items()}
    rows = {name: (fmean(v), 1.96 * stdev(v) / len(v) ** 0.5) for name, v in values.items()}
    print(machine_line(), table(["encoding", "given away"], list(shares.items())), sep="\n\n")
    print(table(["pair", "earns", "±"], [(name, *row) for name, row in rows.items()]))
    print(f"{sum(refused)} of {len(refused):,} honest questions are refused")
    if chosen.record:
        caught = sum(share >= 0.75 for share in shares.values())
        record([
            Claim.share("encodings, written after the reader, that tell it 3 of 4 words", caught, len(shares)),
            Claim.share("honest questions about the documents of search that are refused", sum(refused), len(refused)),
            *(Claim(name, f"{mean:.2f}", f"95%: ± {half:.2f}, 200 matches") for name, (mean, half) in rows.items()),
        ])  # fmt: skip


if __name__ == "__main__":
    main()
