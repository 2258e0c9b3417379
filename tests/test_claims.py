"""The page of claims is the one that the benchmarks' files make."""

import json
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.fixture
def page(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "scripts" / "docs"))
    import claims_page

    yield claims_page
    sys.modules.pop("claims_page")


def test_the_page_is_current(page):
    """If this fails, type: python scripts/docs/claims_page.py > docs/claims.md"""
    assert (ROOT / "docs" / "claims.md").read_text() == page.claims_page()


def test_a_claim_is_a_line_under_its_command_date_and_machine(page, monkeypatch, tmp_path):
    monkeypatch.syspath_prepend(str(ROOT / "scripts" / "bench"))
    import _claims

    monkeypatch.setattr(_claims, "CLAIMS", tmp_path)
    monkeypatch.setattr(page, "CLAIMS", tmp_path)
    monkeypatch.setattr(sys, "argv", ["/somewhere/bench_match.py", "--repeats", "3", "--record"])
    _claims.record([_claims.Claim.ratio("faster", [2.0, 3.0, 2.5]), _claims.Claim.share("wrong", 0, 1000)])
    text = page.claims_page()
    section = text[text.index("## Speed and size") :]
    assert section.startswith("## Speed and size\n\n### bench match\n\nSpeed of the match loop")
    assert "\n`scripts/bench/bench_match.py --repeats 3`, 20" in section
    assert "| faster | 2.50 | 2.00 to 3.00, 3 repeats |\n| wrong | 0.00% | 0.00% to 0.38%, 1,000 cases |\n" in section


def test_every_file_of_claims_has_a_topic(page):
    topics = [patterns for topic, patterns in page.TOPICS.items() if patterns != ("*",)]
    names = [path.stem for path in page.CLAIMS.glob("*.json")]
    assert [n for n in names if not any(page.fnmatch(n, p) for patterns in topics for p in patterns)] == []


def test_every_recorded_claim_names_a_script_that_exists(page):
    commands = [json.loads(path.read_text())["command"] for path in page.CLAIMS.glob("*.json")]
    assert commands
    assert all((ROOT / command.split()[0]).is_file() for command in commands)
