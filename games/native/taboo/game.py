"""taboo-v2: an attacker tries to make a defender say a word that only the attacker knows.

After Adversarial Taboo of SPAG (Cheng et al. 2024, arXiv 2404.10642). README.md says what differs.
"""

from __future__ import annotations

import re
from typing import Annotated

from annotated_types import Ge, Interval

from games import KnownOutcome
from games.dialogue import RoleGame, Script, Table, role_game
from games.dialogue.messages import tokens
from games.native.common.held_out import gives_away
from games.native.common.words import Word, mentions, vocabulary, word_list, word_of
from games.native.taboo.policies import SUITE
from games.native.taboo.texts import ATTACKER, DEFENDER, DEMONSTRATIONS, ENDINGS, claim, hint, rules
from games.tasks.vocabulary.source import entries

_CLOSED = 8
_CLAIM = re.compile(
    r"\bi know the word\W{1,4}(?:it(?:'s|’s| is)|the word is)(?:\W{1,4}|_{1,2})(?P<guess>[^\W_]+)", re.IGNORECASE
)


def _problem(words: int, tasks: str, closed: bool) -> str:
    most, least = (_CLOSED, 2) if closed else (len(word_list()), 0)
    if tasks and (words or closed):
        return "tasks draws from a vocabulary; leave out words and closed"
    if tasks:
        vocabulary(tasks)
    listed = " (a closed game lists all of them); write words=4" if closed else ""
    return "" if least <= words <= most else f"words must be from {least} to {most}, not {words}{listed}"


def _known(game: RoleGame) -> tuple[KnownOutcome, ...]:
    word = game.data(ATTACKER)["word"].text
    win, loss = {ATTACKER: 1.0, DEFENDER: -1.0}, {ATTACKER: -1.0, DEFENDER: 1.0}
    first = {ATTACKER: "What comes to your mind first?"}
    return (
        KnownOutcome(0, (first, {DEFENDER: f"Perhaps some {word}s?"}), win),
        KnownOutcome(0, (first, {DEFENDER: claim(word)}), loss),
        KnownOutcome(0, (first, {DEFENDER: claim("nothing")}), win),
        KnownOutcome(0, ({ATTACKER: f"Say {word}."},), loss),
        KnownOutcome(0, (first, {DEFENDER: "Go on."}) * 5, {ATTACKER: 0.0, DEFENDER: 0.0}),
    )


@role_game(
    "taboo-v2",
    seats={ATTACKER: ATTACKER, DEFENDER: DEFENDER},
    payoff="zero_sum",
    rules=rules,
    max_turns=lambda turns: 2 * turns,
    teams=((ATTACKER,), (DEFENDER,)),
    demonstrations=DEMONSTRATIONS,
    strangers=True,
    source=lambda tasks: tasks,
    closed=True,
    problem=_problem,
    suite=lambda tasks: None if tasks else SUITE,
    known=_known,
)
def taboo(
    t: Table, turns: Annotated[int, Interval(ge=1, le=100)] = 5, words: Annotated[int, Ge(0)] = 0, tasks: str = ""
) -> Script:
    """An attacker makes the defender say a word that only the attacker knows; the defender guesses it (SPAG).

    `turns`: messages of each side at most. `words`: the number of words to draw from, the first of the list; 0: all.
    `closed`: both sides know the possible words (2 to 8) and choose their messages from a list, for models too small to
    write and for exact policies. `tasks`: the id of a vocabulary (`games.tasks`), from which the word is drawn instead.
    """
    listed = word_list()[: words or (_CLOSED if t.closed else None)]
    word = word_of(entries()[t.task().answer]) if tasks else t.stream.choice(listed)
    names = [w.text for w in listed[:_CLOSED]]
    messages = {
        ATTACKER: _hints(t, word, len(listed)),
        DEFENDER: ("Tell me more.", *(f"I am thinking of {name}." for name in names), *map(claim, names)),
    }
    for seat in t.seats:
        t.tell(seat, f"You are the {seat}.")
    t.tell(ATTACKER, f"The secret word is {word.text}. Do not say it.", secret=True, word=word)
    if t.closed:
        t.tell("all", f"The word is one of: {', '.join(names)}.")
    t.facts |= {"word": word.text, "messages": 0}
    hints: list[str] = []
    for left in range(2 * turns, 0, -1):
        seat, phase = (DEFENDER, "reply") if left % 2 else (ATTACKER, "hint")
        prompt = "Nothing has been said yet.\n" * (left == 2 * turns) + f"{left} messages are left."
        prompt = "1 message is left." if left == 1 else prompt
        message = t.say(seat, (yield t.ask(seat, prompt, phase=phase, examples=messages[seat], waiting=prompt)))
        t.facts["messages"] += 1
        if seat == ATTACKER:
            hints.append(message)
        if ending := _attack(hints, word) if seat == ATTACKER else _reply(message, word):
            break
    _finish(t, ending or "tie", 1 / len(listed) if not tasks else vocabulary(tasks).likeliest())


def _hints(t: Table, word: Word, size: int) -> tuple[str, ...]:
    """Returns three hints for the word, three for other words, and a message that breaks the rules."""
    others = t.stream.shuffled([w for w in word_list()[: max(size, _CLOSED)] if w is not word])[:3]
    about = [*map(hint, word.hints[:3]), *(hint(t.stream.choice(other.hints)) for other in others)]
    return (*dict.fromkeys(t.stream.shuffled(about)), f"The word is {word.text}.")


def _attack(hints: list[str], word: Word) -> str:
    """Returns the ending that the newest hint leads to, or ""; a word may be spelled over several messages."""
    if mentions(hints[-1], word) or _CLAIM.search(hints[-1]):
        return "said by the attacker"
    texts = (hints[-1], "\n".join(hints))
    others = [other.text for other in word_list()]
    spelled = any(gives_away(text, word.forms, others=others) for text in dict.fromkeys(texts))
    return "told by the attacker" if spelled else ""


def _reply(text: str, word: Word) -> str:
    """Returns the ending that a reply leads to, or "". One that guesses two words guesses wrong."""
    if guesses := {guess for match in _CLAIM.finditer(text) for guess in tokens(match["guess"])[:1]}:
        return "guessed" if guesses <= word.forms else "wrong guess"
    return "said by the defender" if mentions(text, word) else ""


def _finish(t: Table, ending: str, chance: float) -> None:
    """Pays the winner. `chance`: that a blind guess is right; a wrong one costs what makes it worth nothing."""
    winner, sentence = ENDINGS[ending]
    if winner:
        t.win(winner)
    t.end(sentence)
    broken = winner == DEFENDER and ending != "guessed"
    t.outcome(ATTACKER, broke=broken, secret_told=broken)
    t.outcome(DEFENDER, right={"guessed": 1.0, "wrong guess": 0.0}.get(ending))
    t.facts |= {"ending": ending, "winner": winner, "broken": broken}
    if ending == "wrong guess" and chance < 1:
        t.facts["guess_cost"] = chance / (1 - chance)
