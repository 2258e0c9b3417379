"""efg-v2: a translator writes a game described in words as an extensive-form game, which is checked and solved.

After GameInterpreter (Deng et al. 2025, arXiv 2501.17282). README.md says what differs.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from annotated_types import Interval

from games.dialogue import RoleGame, Script, Table, role_game
from games.errors import InputError
from games.game import KnownOutcome
from games.native.efg.check import require, same
from games.native.efg.generated import generated
from games.native.efg.kinds import KINDS, drawn
from games.native.efg.notation import HEADER
from games.native.efg.policies import TRANSLATOR, suite
from games.native.efg.rules import rules
from games.verifiers.verdict import Verdict

_PAID = {"pass": 1.0, "fail": 0.0}
"""for the first text that is a game: whoever could try readings in turn would guess"""


def _problem(stages: int) -> str:
    require()
    return "a generated game has two players and so two stages or more; write stages=2, 3 or 4" if stages == 1 else ""


def _known_outcomes(game: RoleGame) -> tuple[KnownOutcome, ...]:
    """Four matches."""
    right, wrong, none = ({TRANSLATOR: text} for text in (*_right_and_wrong(game), HEADER))
    return (
        KnownOutcome(0, (right,), {TRANSLATOR: 1.0}),
        KnownOutcome(0, (none, none, right), {TRANSLATOR: 1.0}),
        KnownOutcome(0, (none, wrong), {TRANSLATOR: 0.0}),
        KnownOutcome(0, (none, none, none), {TRANSLATOR: -1.0}),
    )


def _right_and_wrong(game: RoleGame) -> tuple[str, str]:
    data = game.data(TRANSLATOR)
    kind, (first, *others) = KINDS[data["kind"]], data["features"]
    right, wrong = (kind.written(data["numbers"], (of, *others)) for of in (first, not first))
    return right, wrong


@role_game(
    "efg-v2",
    seats={TRANSLATOR: TRANSLATOR},
    payoff="general_sum",
    rules=rules,
    max_turns=lambda tries: tries,
    rated=False,
    closed=True,
    blocking=True,
    problem=_problem,
    suite=suite,
    known=_known_outcomes,
)
def efg(
    t: Table,
    tries: Annotated[int, Interval(ge=1, le=20)] = 3,
    stages: Annotated[int, Interval(ge=0, le=4)] = 0,
) -> Script:
    """A translator writes a game described in words in extensive form (GameInterpreter).

    tries: texts that the translator may hand in until one is a game; it reads the error of each.
    stages: above 0, generated games of so many stages, with chance, hidden moves and early ends, instead of the four
    kinds of `games.native.efg.kinds`.
    closed: the translator chooses among a few texts.
    """
    game = generated(t.stream, stages) if stages else drawn(t.stream)
    listed = t.stream.shuffled([game.efg, *game.wrong, HEADER])
    verdicts: list[Verdict] = []
    t.facts |= {"game": None, "equilibria": []}
    t.tell(TRANSLATOR, game.words, **game.data)
    for left in range(tries, 0, -1):
        prompt = "1 try is left." if left == 1 else f"{left} tries are left."
        text = yield t.ask(TRANSLATOR, prompt, examples=listed)
        verdict, equilibria = same(game.efg, text)
        verdicts.append(verdict)
        t.log(t.quote(TRANSLATOR, text.strip()))
        t.tell(TRANSLATOR, f"Text {len(verdicts)}: {verdict}")
        if verdict.ok:
            t.facts |= {"game": text.strip(), "equilibria": [list(payoffs) for payoffs in equilibria]}
        if verdict.kind in _PAID:
            break
    t.facts |= {"verdicts": [v.kind for v in verdicts], "reasons": [v.reason for v in verdicts]}
    t.pay(TRANSLATOR, _PAID.get(verdict.kind, -1.0))
    t.outcome(TRANSLATOR, right=float(verdict.ok), broke=verdict.kind not in _PAID)


def playable(text: str, path: str | Path) -> str:
    """Writes a game to a file and returns its id, with which `games.make` plays it through OpenSpiel's efg_game.

    Raises InputError if the path cannot be part of an id or cannot be written.
    """
    file = Path(path).resolve()
    if any(c in "(),='\"" or c.isspace() for c in str(file)):
        raise InputError(f"the path {str(file)!r} holds a space, a quote or one of (),=; choose another path")
    try:
        file.write_text(text.strip() + "\n", encoding="utf-8")
    except OSError as error:
        raise InputError(f"cannot write {file}: {error.strerror}") from None
    return f"openspiel/efg_game(filename={file})"
