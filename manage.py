#!/usr/bin/env python
"""Django's commands for Robo Runner."""

import os
import sys

from django.core.management import execute_from_command_line
from django.db import OperationalError


def main() -> None:
    """Run one command; a database that cannot be reached is a sentence, not a traceback."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "roborunner.settings")
    try:
        execute_from_command_line(sys.argv)
    except OperationalError as error:
        from roborunner.faults import unreachable

        sys.exit(unreachable(error))


if __name__ == "__main__":
    main()
