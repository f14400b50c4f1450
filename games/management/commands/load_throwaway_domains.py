"""``manage.py load_throwaway_domains``: load a newer list of throw-away mail domains."""

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final
from urllib.request import urlopen

from django.core.exceptions import ValidationError
from django.core.management.base import CommandError, CommandParser

from accounts.admission import load_throwaway_domains, normal_block, reset_throwaway_domains
from games.management import OneLineCommand

TIMEOUT: Final = 30
"""Seconds to wait for the server that has the list."""

MAX_BYTES: Final = 20_000_000
MAX_DOMAINS: Final = 500_000


class Command(OneLineCommand):
    """Replace the list of throw-away domains by a file, a page or standard input."""

    help = "Replace the list of throw-away mail domains, one domain in each line."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "source", help="a file, an https:// address, - for standard input, or package for the own list"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Load the list, and print the number of domains. If a line is no domain, the old list stays."""
        source: str = options["source"]
        if source == "package":
            reset_throwaway_domains()
            self.stdout.write("The list of the package counts again.")
            return
        try:
            domains = _domains(_lines(source))
        except (OSError, ValueError) as error:
            raise CommandError(f"{source} could not be read: {error}.") from error
        load_throwaway_domains(domains)
        self.stdout.write(f"Loaded {len(domains)} domains.")


def _domains(lines: Iterable[str]) -> set[str]:
    """Return the domains in the lines of a list. Empty lines and comments are skipped."""
    found: set[str] = set()
    for number, line in enumerate(lines, 1):
        text = line.strip()
        if not text or text.startswith("#"):
            continue
        try:
            found.add(normal_block("domain", text))
        except ValidationError:
            raise CommandError(f"Line {number} is not a domain: {text[:80]}") from None
        if len(found) > MAX_DOMAINS:
            raise CommandError(f"The list has more than {MAX_DOMAINS} domains.")
    if not found:
        raise CommandError("The list is empty.")
    return found


def _lines(source: str) -> Iterable[str]:
    if source == "-":
        return sys.stdin
    if source.startswith("https://"):
        with urlopen(source, timeout=TIMEOUT) as answer:  # noqa: S310 - the operator's address, by https
            content: bytes = answer.read(MAX_BYTES + 1)
        if len(content) > MAX_BYTES:
            raise CommandError(f"The list has more than {MAX_BYTES} bytes.")
        return content.decode().splitlines()
    return Path(source).read_text().splitlines()
