"""The conformance kit of roles: the generic role passes, and only one check finds each planted fault."""

import json

import pytest

import roles
from games import plugins
from roles import ParseError, Role
from roles.conformance import CHECKS, LEGAL, check_role
from roles.parsing.actions import parse
from tests.toys.faults import having, returning


def test_the_generic_role_passes_every_check():
    report = check_role("bidder")
    assert report.ok, str(report)
    assert not report.findings
    assert [check.name for check in report.checks] == list(CHECKS)
    assert {c.name: report.status(c.name) for c in report.checks} == dict.fromkeys(CHECKS, "pass") | {"phases": "skip"}
    assert json.loads(report.to_json())["ok"] is True
    assert str(report).startswith("bidder: ok, Role\n")


def test_a_plugin_author_checks_a_role_in_one_line():
    roles.check("buyer").raise_if_failed()
    with pytest.raises(AssertionError, match="chat"):
        roles.check(TWO_USERS("bidder")).raise_if_failed()


def saying(change):
    """Returns a role whose chat is `change(chat, observation, legal, memory)`."""
    return returning(Role, messages=lambda chat, role, *turn: change(chat, *turn))


def added(chat, text, at=-1):
    chat[at]["content"] += text
    return chat


class Remembers(Role):
    seen = ""

    def messages(self, observation, legal, memory):
        chat = added(super().messages(observation, legal, memory), self.seen)
        self.seen = observation.text if memory.seat == "right" else self.seen
        return chat


class Counts(Role):
    turns = 0

    def messages(self, observation, legal, memory):
        self.turns += 1
        return added(super().messages(observation, legal, memory), f" Turn {self.turns}.")


def reading(read):
    """Returns a role that reads an answer by a function."""
    return having(Role, parse=lambda role, text, legal: read(text, legal))


def in_a_box(text, legal):
    if legal and "boxed" not in text:
        raise ParseError("use a box")
    return parse(text, legal)


def anything(text, legal):
    try:
        return parse(text, legal)
    except ParseError as error:
        if error.category != "unparsable":
            raise
        return "pass"


TWO_USERS = saying(lambda chat, *_: [*chat, {"role": "user", "content": "Hurry."}])
FAULTS = [
    (TWO_USERS, {"chat"}),
    (saying(lambda chat, observation, legal, memory: chat[: 2 + 2 * len(memory.exchanges)]), {"sees"}),
    (saying(lambda chat, observation, legal, memory: added(chat, f" One of {legal}")), {"sees"}),
    (Remembers, {"stateless"}),
    (Counts, {"stateless"}),
    (reading(lambda text, legal: next((a for a in legal or () if a in text), None) or parse(text, legal)), {"reads"}),
    (reading(in_a_box), {"reads"}),
    (reading(lambda text, legal: parse(text, legal) if text.strip() else text.split()[0]), {"hostile"}),
    (reading(anything), {"hostile", "reads"}),
    (
        reading(lambda text, legal: parse(text, legal) if legal is not None else text.strip() or parse(text, legal)),
        {"private"},
    ),
    (returning(Role, credit=lambda *_: float("nan")), {"credit"}),
]


@pytest.mark.parametrize(("fault", "checks"), FAULTS)
def test_a_planted_fault_is_found_by_its_check(fault, checks):
    report = check_role(fault("seller"))
    assert not report.ok
    assert {f.check for f in report.findings if f.severity == "error"} == checks, str(report)


def test_a_changing_system_message_is_noted():
    report = check_role(saying(lambda chat, observation, *_: added(chat, observation.text, 0))("seller"))
    assert report.ok
    assert [f.severity for f in report.of("prefix")] == ["note"] * 4


def test_a_role_that_raises_is_reported_and_the_other_checks_still_run():
    class Broken(Role):
        def messages(self, observation, legal, memory):
            raise KeyError("rules")

    report = check_role(Broken("seller"))
    assert {f.check for f in report.findings} == {"chat", "sees", "prefix", "stateless"}
    assert "raised KeyError: 'rules'" in str(report)
    assert report.of("reads") == ()


class SendsText(Role):
    def messages(self, observation, legal, memory):
        return observation.text


def test_text_in_place_of_messages_is_told_what_to_return():
    (finding,) = check_role(SendsText("bidder")).of("chat")
    assert 'it returns a list of {"role": ..., "content": ...}' in finding.message
    assert "(test_conformance.py, line" in finding.message


def test_credit_that_reads_the_turns_is_not_verifiable():
    class ByLength(Role):
        def credit(self, episode, seat):
            return len(episode.turns)

    report = check_role(ByLength("seller"))
    assert report.ok
    assert report.status("credit") == "not verifiable"
    assert "it needs more of an episode than its returns (turns)" in str(report)


class ListsPhases(Role):
    def phases(self, episode, seat):
        return [1.0]


class OtherPhases(Role):
    def phases(self, episode, seat):
        return {"bid": 1.0}


def test_phases_are_checked():
    (found,) = set(check_role(ListsPhases("bidder")).of("phases"))
    assert found.severity == "error"
    assert "phases returned [1.0]; it returns None, or a mapping" in found.message
    assert "test_conformance.py, line" in found.message
    (found,) = set(check_role(OtherPhases("bidder")).of("phases"))
    assert found.severity == "note"
    assert "phases names 'bid'" in found.message


def test_a_name_that_is_not_the_id_is_noted():
    with plugins.isolated():
        roles.register("careful")(lambda: Role("bidder"))
        roles.register("unnamed")(Role)
        report = check_role("careful")
        assert report.ok
        assert "a model is told the name 'bidder', and the id is 'careful'" in report.of("name")[0].message
        assert "a model is told no name" in check_role("unnamed").of("name")[0].message


def test_reasoning_that_no_text_carries_is_not_verifiable():
    class RefusesProse(Role):
        def parse(self, text, legal):
            if legal is None:
                raise ParseError("write no prose")
            return super().parse(text, legal)

    report = check_role(RefusesProse("seller"))
    assert report.status("private") == "not verifiable", str(report)


@pytest.mark.timeout(60)  # minutes where a pattern tries every place of a gap
@pytest.mark.parametrize("gap", [" ", "\x0c", "\t"])
def test_a_long_gap_is_read_in_linear_time(gap):
    assert Role("x").parse(f"I play{gap * 50_000}wren 3", LEGAL) == "wren 3"
    with pytest.raises(ParseError):
        Role("x").parse(f'{{"": "t"}}{gap * 50_000}x', LEGAL)
