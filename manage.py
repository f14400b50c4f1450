#!/usr/bin/env python
"""Run Django's management commands for Robo Runner."""

import os
import sys

from django.core.management import execute_from_command_line
from django.db import OperationalError


def main() -> None:
    """Run a command. If the database cannot be reached, print a sentence instead of a traceback."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "roborunner.settings")
    try:
        execute_from_command_line(sys.argv)
    except OperationalError as error:
        from roborunner.faults import unreachable

        sys.exit(unreachable(error))


if __name__ == "__main__":
    main()
