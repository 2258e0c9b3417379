"""Hostile texts against every regular expression, in a separate process: a slow one blocks all threads of its own."""

import subprocess
import sys

import pytest

from tests import golden

READS = golden.text(__file__, "hostile_reads.py.txt")


@pytest.mark.slow
def test_no_text_takes_more_than_its_length_to_read():
    subprocess.run([sys.executable, "-c", READS], check=True, timeout=60)
