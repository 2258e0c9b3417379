"""A new attacker for taboo: it speaks in rhymes, and short messages are worth more."""

from roles import register
from roles.native.taboo import Attacker


@register("attacker")
class Poet(Attacker):
    """Speaks in rhymes; the credit for a win is 1 minus 0.1 for each message after the first."""

    def __init__(self, form="a couplet"):
        super().__init__()
        self.verse = form

    def messages(self, observation, legal, memory):
        chat = super().messages(observation, legal, memory)
        chat[0]["content"] += f"\nSpeak in rhymes: every message is {self.verse}."
        return chat

    def credit(self, episode, seat):
        won = super().credit(episode, seat)
        sent = sum(turn.seat == seat for turn in episode.turns)
        return won * max(0.0, 1.0 - 0.1 * (sent - 1))
