"""Conformance kits for what plugins bring to matches and to the learner; `arena check ID` prints their reports."""
