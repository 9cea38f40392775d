"""`python -m optimal` is the command `optimal`."""

from __future__ import annotations

import sys

from optimal.cli import main

sys.exit(main())
