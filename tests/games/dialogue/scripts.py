"""Role games written as a plugin author writes them."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated

from annotated_types import Interval

from games import IllegalAction, Table, plugins, role_game
from games.dialogue import Script, final, numbers, read

SCORE = numbers(1, 10)
WORDS = ("harbour", "violin", "pepper", "glacier")


def load() -> None:
    """Registers the games; pytest forgets plugins after each test."""

    @role_game(
        "hint-v0",
        seats={"attacker": "attacker", "defender": "defender"},
        payoff="zero_sum",
        rules=lambda turns: f"The attacker knows a word. At most {turns} hints. The defender guesses it.",
        max_turns=lambda turns: 2 * turns,
        closed=True,
    )
    def hint(t: Table, turns: Annotated[int, Interval(ge=1, le=9)] = 3) -> Script:
        """An attacker gives hints about a word. `turns`: the number of hints."""
        word = t.stream.choice(WORDS)
        t.tell("attacker", f"The secret word is {word}.", secret=True, word=word)
        for left in range(turns, 0, -1):
            text = yield t.ask(
                "attacker", f"{left} hints are left.", phase="hint", examples=("It is a thing.", "It is new.")
            )
            if word in text.lower():
                raise IllegalAction("do not write the word", "attacker")
            t.say("attacker", text)
            guess = yield t.ask("defender", "Guess.", phase="guess", examples=WORDS)
            t.say("defender", guess)
            if word in guess.lower():
                return t.win("defender", ending="the word was guessed")
        return t.win("attacker", ending="nobody guessed the word")

    def seats(solvers: int) -> dict[str, str]:
        return {"proposer": "proposer", **{f"solver_{i}": "solver" for i in range(solvers)}, "judge": "judge"}

    @role_game(
        "sums-v0",
        seats=seats,
        payoff="general_sum",
        rules="A proposer writes a number, solvers double it, a judge scores the first answer.",
        returns_range=(0.0, 1.0),
    )
    def sums(t: Table, solvers: Annotated[int, Interval(ge=1, le=8)] = 2) -> Script:
        number = yield t.ask("proposer", "Write a number.", phase="propose", reads=final, examples=("7", "none"))
        if number is None or not number.isdecimal():
            t.outcome("proposer", broke=True)
            return t.end("no number was proposed")
        t.say("proposer", number)
        names = [seat for seat, role in t.seats.items() if role == "solver"]
        answers = yield t.ask(names, "Double it.", phase="solve", reads=final, examples=("14", "15", "?"))
        right = {seat: answers[seat] == str(2 * int(number)) for seat in names}
        for seat in names:
            t.pay(seat, right[seat])
            t.outcome(seat, right=float(right[seat]))
        t.outcome("proposer", solved=sum(right.values()) / len(names))
        t.say(names[0], answers[names[0]] or "no answer", to="judge")
        examples = ("<score>9</score>", "?")
        score = yield t.ask("judge", "Score it.", phase="judge", reads=lambda s: read(s, SCORE), examples=examples)
        return t.pay("judge", score is not None and (int(score) >= 5) == right[names[0]])

    @role_game("bids-v0", seats={"a": "bidder", "b": "bidder"}, payoff="zero_sum", rules="The higher bid wins.")
    def bids(t: Table) -> Script:
        options = {"a": ("1", "2"), "b": ("2", "3")}
        chosen = yield t.ask("all", {"a": "Bid, a.", "b": "Bid, b."}, phase="bid", options=options)
        for seat, bid in chosen.items():
            t.tell("all", f"{seat} bid {bid}.")
        if chosen["a"] == chosen["b"]:
            return t.end("a tie")
        return t.win(max(chosen, key=chosen.__getitem__))

    @role_game(
        "quiz-v0",
        seats={"solver": "solver"},
        payoff="general_sum",
        rules="Answer the question.",
        returns_range=(0.0, 1.0),
        source=lambda tasks: tasks,
    )
    def quiz(t: Table, tasks: str = "arithmetic(operation=add,digits=1)") -> Script:
        task = t.task()
        t.tell("solver", task.question)
        answer = yield t.ask("solver", reads=final, examples=(task.answer, "?"))
        t.pay("solver", answer is not None and t.source is not None and t.source.verdict(task, answer).ok)


@contextmanager
def loaded() -> Iterator[None]:
    """Registers the games for a while."""
    with plugins.isolated():
        load()
        yield
