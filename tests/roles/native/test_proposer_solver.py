"""The credit of roles that set, solve and judge tasks, for one match and for a batch."""

from types import SimpleNamespace

import pytest

import games
import roles
from games import InputError
from roles import Memory, ParseError
from roles.registry import ROLES
from tests import golden


def match(rate, task="t", *, valid=True, game="psj-v1", role="proposer", base=2 / 3, weight=1 / 3):
    proposal = {"base": base, "weight": weight if valid else 0.0, "rate": rate, "paid": 1 - rate}
    reward = base + (weight * (1 - rate) if valid else 0.0)
    return SimpleNamespace(
        match="m",
        game=game,
        roles={"asks": role, "solver_0": "solver"},
        returns={"asks": 0.25, "solver_0": 0.0},
        facts={"task": task, "proposal": proposal, "rewards": {"asks": reward, "solver_0": 0.5}},
    )


def test_the_published_reward_stands_in_the_facts():
    episode = match(0.5)
    assert roles.make("proposer").credit(episode, "asks") == pytest.approx(2.5 / 3)
    assert roles.make("solver").credit(episode, "solver_0") == 0.5
    assert roles.make("proposer").credit_batch([episode]) is None


def test_a_forfeit_has_no_facts_and_counts_by_its_return():
    episode = SimpleNamespace(**{**vars(match(0.5)), "facts": {}})
    assert roles.make("solver").credit(episode, "solver_0") == 0.0
    assert roles.make("challenger").credit_batch([episode]) == [{}]


def test_another_difficulty_replaces_the_term_of_the_rate_alone():
    role = roles.make("proposer(difficulty=parabola)")
    batch = role.credit_batch([match(0.25), match(0.5, valid=False)])
    assert batch == [{"asks": pytest.approx(2 / 3 + 0.75 / 3)}, {"asks": pytest.approx(2 / 3)}]


def test_the_percentile_compares_valid_tasks_of_the_same_game():
    role = roles.make("proposer(difficulty='percentile(share=0.5)')")
    batch = [match(p, base=0.0, weight=1.0) for p in (0.0, 0.25, 0.5, 1.0)]
    other = match(0.5, game="code-io-v1", base=0.0, weight=1.0)
    invalid = match(0.0, valid=False, base=-1.0)
    found = role.credit_batch([*batch, other, invalid])
    assert [m["asks"] for m in found] == [0.0, 0.75, 0.0, 0.0, 0.5, -1.0]


def test_r_zeros_challenger_to_the_digit():
    """1 - 2 |s - 1/2| minus the share of the batch that asks the same; -1 minus it for an unreadable question."""
    tasks = ["how many primes are below one hundred", "name the largest prime", "how many primes are below one hundred"]
    asked = [match(s, t, role="challenger", base=0.0, weight=1.0) for s, t in zip((0.5, 0.8, 1.0), tasks, strict=True)]
    unread = match(0.0, "", valid=False, role="challenger", base=-1.0)
    rewards = [m["asks"] for m in roles.make("challenger").credit_batch([*asked, unread])]
    assert rewards == pytest.approx([1.0 - 0.5, 0.4 - 0.25, 0.0 - 0.5, -1.0 - 0.25])
    code = [m["asks"] for m in roles.make("challenger(difficulty=tent)").credit_batch([*asked, unread])]
    assert code == pytest.approx([0.5 - 0.5, 0.2 - 0.25, 0.0 - 0.5, -1.0 - 0.25])


def controlled(rate, *right, weight=1.0):
    """A match beside whose task solvers read a control."""
    episode = match(rate, f"task {rate} {len(right)}", base=0.0, weight=weight)
    episode.facts |= {"control": {"right": dict(enumerate(right))}, "repeat_cost": 0.0}
    return episode


def test_wrong_controls_of_the_batch_take_the_pay_but_no_cost():
    role = roles.make("proposer(difficulty='tent(scale=2)')")
    paid = lambda *batch: [m["asks"] for m in role.credit_batch(batch)]  # noqa: E731
    right = [controlled(0.5, True, True)] * 7
    assert paid(*right) == [1.0] * 7
    assert paid(*right, controlled(0.5, False, False)) == [pytest.approx((0.25 - 2 / 16) / 0.15)] * 8
    assert paid(controlled(0.5, True), controlled(0.5, False)) == [0.0, 0.0]
    nothing_told = [controlled(0.0, False), controlled(1.0, True)]
    assert paid(controlled(0.5, True), *nothing_told) == [1.0, 0.0, 0.0]
    assert paid(controlled(0.5, True), controlled(1.0, False)) == [0.0, 0.0]
    assert paid(match(0.0, valid=False, base=-1.0), controlled(0.5, False)) == [-1.0, 0.0]


@pytest.mark.parametrize("name", ["proposer", "challenger", "solver", "judge"])
def test_tagged_roles_never_fail_on_free_text(name):
    role = roles.make(name)
    assert role.parse("<think>42</think>So: <answer>7</answer><|im_end|> more", None) == "So: <answer>7</answer>"
    assert role.parse("", None) == ""
    assert role.parse("<think>forever", None) == ""
    assert role.parse(r"\boxed{7}", None) == r"\boxed{7}"
    assert role.parse(r"\boxed{7}", ("6", "7")) == "7"
    with pytest.raises(ParseError):
        role.parse("hm", ("6", "7"))


@pytest.mark.parametrize(
    "id", ["proposer", "challenger", "solver", "judge", "proposer(difficulty=barely,duplicates=1)"]
)
def test_conformance(id):
    from roles.conformance import check_role

    report = check_role(id)
    assert report.ok, str(report)


@pytest.mark.parametrize("bad", ["proposer(duplicates=-1)", "proposer(difficulty=hard)"])
def test_wrong_parameters(bad):
    with pytest.raises(InputError):
        roles.make(bad)


def test_they_are_listed():
    assert {"challenger", "judge", "proposer", "solver"} <= set(ROLES.ids())


def chats(game, seat, *moves, answer="boxed"):
    played = games.make(game)
    played.reset(0)
    for move in moves:
        played.apply(dict.fromkeys(played.acting, move))
    role = roles.make(played.spec.seats[seat])
    return role.messages(played.observe(seat), played.legal(seat), Memory(played.spec, seat, answer))


@pytest.mark.parametrize(
    ("game", "seat", "moves"),
    golden.lists(__file__, "proposer_solver_demonstrations_are_in_the_words_of_the_game_and_are_read_by_it"),
)
def test_demonstrations_are_in_the_words_of_the_game_and_are_read_by_it(game, seat, moves):
    """A demonstration has the form of a real turn, and its answer is valid."""
    chat = chats(game, seat, *moves)
    assert [m["role"] for m in chat] == ["system", "user", "assistant", "user", "assistant", "user"]
    shown, real = chat[1]["content"].splitlines(), chat[-1]["content"].splitlines()
    assert shown[-2:] == real[-2:]
    assert shown[-3].partition(":")[0] == real[-3].partition(":")[0]
    played = games.make(game)
    played.reset(0)
    for move in [*moves, chat[2]["content"]]:
        played.apply(dict.fromkeys(played.acting, move))
    assert played.facts()["verdict"] != "invalid"


def test_nothing_is_demonstrated_where_actions_are_listed():
    assert [m["role"] for m in chats("psj(solvers=2,size=2)", "proposer", answer="bare")] == ["system", "user"]


def test_all_solvers_of_a_task_read_the_same_prompt():
    """An engine then computes the prefix once."""
    asked = ["<question>What is 1 + 1?</question>", "<score>9</score>"]
    texts = [chats("psj(solvers=3)", f"solver_{i}", *asked) for i in range(3)]
    assert texts[0] == texts[1] == texts[2]
    assert texts[0][0]["content"].startswith("You are a solver in a game of psj.")
    assert chats("psj(solvers=3)", "proposer")[0]["content"].startswith("You are proposer in a game of psj.")


def test_where_anything_may_be_asked_a_question_is_paid_once_a_batch():
    """Three questions asked twice each: a third of the batch, and each is worth half."""
    asks = ["14 25 36 47", "81 22 63 94", "55 76 17 38"] * 2
    batch = [match(0.5, text, role="challenger", base=0.0, weight=1.0) for text in asks]
    credit = roles.make("challenger").credit_batch
    assert [m["asks"] for m in credit(batch)] == pytest.approx([1 - 1 / 3] * 6)
    for episode in batch:
        episode.facts["repeat_once"] = True
    assert [m["asks"] for m in credit(batch)] == [0.5] * 6


def test_an_equal_program_is_paid_once_a_batch_and_one_of_the_same_words_costs_its_share():
    once, alike = "def f(x): return x * 31 + 2", "def f(x): return x * 31 + 3"
    batch = [match(0.5, text, role="challenger", base=0.0, weight=1.0) for text in [once] * 3 + [alike]]
    for episode in batch:
        episode.facts["repeat_once"] = "equal"
    assert [m["asks"] for m in roles.make("challenger").credit_batch(batch)] == pytest.approx([0.0] * 4)
