"""Role games as scripts: a match is a generator that tells seats lines, asks seats for messages, and pays them.

    @role_game("guess-v0", seats={"thinker": "thinker", "guesser": "guesser"}, payoff="zero_sum", rules=RULES)
    def guess(t: Table, tries: Annotated[int, Ge(1)] = 3) -> Script:
        number = t.stream.below(100)
        t.tell("thinker", f"The number is {number}.", secret=True, number=number)
        for left in range(tries, 0, -1):
            hint = yield t.ask("thinker", f"{left} hints are left.", phase="hint")
            t.say("thinker", hint)
            if (yield t.ask("guesser", "Which number is it?", reads=final)) == str(number):
                return t.win("guesser", ending="guessed")
        return t.win("thinker", ending="not guessed")

Whose turn it is, what each seat reads, which messages are legal, secrets, facts, the spectator's view, copies, ids and
defaults follow from the script. State cannot be forgotten, because there is none outside the generator.
"""

from games.dialogue.answers import AnswerKind, Reading, final, letters, numbers, phrases, players, read
from games.dialogue.declaration import role_game
from games.dialogue.game import RoleGame
from games.dialogue.table import Ask, Reader, Script, Stage, Table

__all__ = [
    "AnswerKind",
    "Ask",
    "Reader",
    "Reading",
    "RoleGame",
    "Script",
    "Stage",
    "Table",
    "final",
    "letters",
    "numbers",
    "phrases",
    "players",
    "read",
    "role_game",
]
