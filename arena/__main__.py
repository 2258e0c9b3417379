"""`python -m arena` is the command `arena`."""

import sys

from arena.cli import main

sys.exit(main())
