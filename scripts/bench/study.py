"""Runs a study of scripts/examples and writes its table as claims.

    python scripts/bench/study.py scripts/examples/study_wordings.toml [--record]

Resumes like `arena study`. A claim is a contrast at an endpoint with its interval, and the arms' means.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from _bench import machine_line
from _claims import Claim, record

from league.study.config import load_study
from league.study.report import result_lines, verdict
from league.study.result import EndpointResult, StudyResult
from league.study.run import run_study


def main() -> None:
    """Run or resume the study and print its table."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("file", help="a study file")
    options.add_argument("--record", action="store_true", help="write the claims of docs/claims.md")
    settings = options.parse_args()
    config = load_study(settings.file)
    result = run_study(config, settings.file, show=lambda line: print(line, flush=True))
    if result is None:
        raise SystemExit(f"stopped; to resume, type: python scripts/bench/study.py {settings.file}")
    print(machine_line("torch", "transformers"))
    print("\n".join(result_lines(result)))
    if settings.record:
        record(list(claims(result)), "torch", "transformers", name=config.name)


def claims(result: StudyResult) -> Iterator[Claim]:
    """Yields a line for each contrast of each endpoint."""
    for endpoint in result.endpoints:
        means = {arm.arm: arm.mean for arm in endpoint.arms}
        for c in endpoint.contrasts:
            words = f"{endpoint.measure}, {_place(endpoint)}: {c.first} {means[c.first]:.3f} less "
            words += f"{c.second} {means[c.second]:.3f}; {verdict(endpoint, c)}"
            interval = f"{c.low:+.3f} to {c.high:+.3f} (95%), {len(result.seeds)} seeds"
            yield Claim(words, f"{c.difference:+.3f}", interval)


def _place(endpoint: EndpointResult) -> str:
    return f"{endpoint.endpoint} ({endpoint.items} items)" if endpoint.items else endpoint.endpoint


if __name__ == "__main__":
    main()
