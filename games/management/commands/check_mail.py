"""``manage.py check_mail``: check the DNS records of the site's sender."""

from email.utils import parseaddr
from ipaddress import ip_address
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError, CommandParser

from games.management import OneLineCommand
from games.news.sending import WRONG, Address, NoAnswer, Records, Sending, check_records


class Command(OneLineCommand):
    """Check MX, SPF, DKIM, DMARC and reverse DNS. The exit status is 1 if one of them is wrong."""

    help = "Check the DNS records with which other mail servers trust the site's mail, and say what to do."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--selector", action="append", default=[], help="the selector of a DKIM key; can be repeated"
        )
        parser.add_argument(
            "--address",
            action="append",
            default=[],
            help="an address from which the mail server sends; by default, that of EMAIL_URL",
        )
        parser.add_argument("--server", default="", help="the address of a DNS server to ask")
        parser.add_argument("--port", type=int, default=53, help="the port of that server")

    def handle(self, *args: Any, **options: Any) -> None:
        """Print each finding as soon as it is known."""
        if not (settings.EMAIL_BACKEND.endswith("smtp.EmailBackend") or settings.MAIL_PROVIDER):
            raise CommandError("This site sends no mail. Set EMAIL_URL to a mail server or a provider first.")
        try:
            records = Records(_address(options["server"]) if options["server"] else "", options["port"])
            sending = _sending(options["address"], options["selector"], records)
        except NoAnswer as problem:
            raise CommandError(str(problem)) from problem
        wrong = 0
        for finding in check_records(sending, records):
            wrong += finding.state == WRONG
            self.stdout.write(f"{finding.subject}: {finding.state}. {finding.text}")
            self.stdout.flush()
        if wrong:
            raise CommandError(f"Wrong: {wrong}. docs/sending.md explains each record.")


def _address(text: str) -> str:
    try:
        return str(ip_address(text))
    except ValueError:
        raise CommandError(f"{text} is not an IP address.") from None


def _sending(addresses: list[str], selectors: list[str], records: Records) -> Sending:
    domain = _domain(settings.DEFAULT_FROM_EMAIL)
    if "." not in domain:
        raise CommandError(
            f"Mail comes from {domain}, which is no domain. Set MAIL_FROM to an address of yours."
        )
    known: list[Address] = [ip_address(_address(text)) for text in addresses]
    if not known and not settings.MAIL_PROVIDER:
        known = _addresses_of(settings.EMAIL_HOST, records)
    return Sending(
        domain=domain,
        bounces=_domain(settings.BOUNCE_ADDRESS) if settings.BOUNCE_ADDRESS else domain,
        addresses=known,
        provider=settings.MAIL_PROVIDER,
        selectors=selectors,
    )


def _domain(address: str) -> str:
    """Return the domain of an email address, as DNS knows it."""
    domain = parseaddr(address)[1].rpartition("@")[2].lower()
    return domain.encode("idna").decode()


def _addresses_of(host: str, records: Records) -> list[Address]:
    try:
        return [ip_address(host.strip("[]"))]
    except ValueError:
        return records.addresses(host) if "." in host else []
