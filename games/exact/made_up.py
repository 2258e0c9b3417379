"""Makes pronounceable words that mean nothing: consonants and vowels in turn, such as `tirumok`."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from games.randomness import RandomStream

CONSONANTS, VOWELS, ENDS = "bdfgklmnprtvz", "aeiou", "bkmnprtvz"
"""No word ends in s, d or g, so that `s`, `ed` and `ing` after a word are always endings."""


def made_up(stream: RandomStream, syllables: int) -> str:
    """Returns one word that starts and ends with a consonant."""
    pairs = "".join(stream.choice(CONSONANTS) + stream.choice(VOWELS) for _ in range(syllables))
    return pairs + stream.choice(ENDS)


def vocabulary(stream: RandomStream, taken: Collection[str], syllables: int = 2) -> Iterator[str]:
    """Yields different words, none of them in `taken` (English words, or those that the words replace)."""
    made = set(taken)
    while True:
        word = made_up(stream, syllables)
        if word not in made:
            made.add(word)
            yield word
