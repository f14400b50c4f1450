"""``manage.py check_mail`` checks the records of the sender, with a real DNS server on this machine."""

import base64
import io
from collections.abc import Iterator

import pytest
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.core.management import CommandError, call_command
from pytest_django.fixtures import Settings

from tests.support.nameserver import Nameserver

SENDER = "203.0.112.25"
DOMAIN = "robo.example.org"


def key(bits: int) -> str:
    public = rsa.generate_private_key(public_exponent=65537, key_size=bits).public_key()
    der = public.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    text = base64.b64encode(der).decode()
    halves = " ".join(f'"{part}"' for part in (text[:200], text[200:]))
    return f'"v=DKIM1; k=rsa; p=" {halves}'


RIGHT = {
    (DOMAIN, "MX"): [f"10 mail.{DOMAIN}."],
    (DOMAIN, "TXT"): ['"v=spf1 include:_spf.example.org -all"', '"another text"'],
    ("_spf.example.org", "TXT"): ['"v=spf1 mx:robo.example.org ~all"'],
    (f"mail.{DOMAIN}", "A"): [SENDER],
    ("s1._domainkey.robo.example.org", "TXT"): [key(2048)],
    ("_dmarc.example.org", "TXT"): ['"v=DMARC1; p=reject"'],
    ("25.112.0.203.in-addr.arpa", "PTR"): [f"mail.{DOMAIN}."],
}


@pytest.fixture
def dns(settings: Settings) -> Iterator[Nameserver]:
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST = f"mail.{DOMAIN}"
    settings.MAIL_PROVIDER = ""
    settings.BOUNCE_ADDRESS = ""
    settings.DEFAULT_FROM_EMAIL = f"Robo Runner <robo@{DOMAIN}>"
    with Nameserver(RIGHT) as server:
        yield server


def check(dns: Nameserver, *words: str) -> tuple[dict[str, str], str]:
    """Run the command. Return the last line about each subject, and the error at the end or ""."""
    said, complaint = io.StringIO(), ""
    try:
        call_command("check_mail", "--server=127.0.0.1", f"--port={dns.port}", *words, stdout=said)
    except CommandError as error:
        complaint = str(error)
    return dict(line.split(": ", 1) for line in said.getvalue().splitlines()), complaint


def test_it_accepts_the_records_of_a_good_sender(dns: Nameserver) -> None:
    said, complaint = check(dns, "--selector=s1")
    assert complaint == ""
    assert list(said) == ["MX", "SPF", "DKIM", "DMARC", "Reverse DNS"]
    assert [line for line in said.values() if not line.startswith("right. ")] == []


@pytest.mark.parametrize(
    ("changed", "subject", "hint"),
    [
        ({(DOMAIN, "MX"): ["0 ."]}, "MX", "gets no mail"),
        ({(DOMAIN, "MX"): ["10 gone.example.org."]}, "MX", "gone.example.org, a mail server"),
        ({(DOMAIN, "TXT"): ['"hello"']}, "SPF", f"Add a TXT record: v=spf1 ip4:{SENDER} -all"),
        ({(DOMAIN, "TXT"): ['"v=spf1 -all"', '"v=spf1 mx -all"']}, "SPF", "has 2 SPF records"),
        ({(DOMAIN, "TXT"): ['"v=spf1 ip4:198.51.100.0/24 ~all"']}, "SPF", f"{SENDER} may not send"),
        ({(DOMAIN, "TXT"): ['"v=spf1 -a:mail.robo.example.org +all"']}, "SPF", f"{SENDER} may not send"),
        ({(DOMAIN, "TXT"): ['"v=spf1 redirect=robo.example.org"']}, "SPF", "more than 10 look-ups"),
        (
            {("s1._domainkey.robo.example.org", "TXT"): [key(1024)[:-40] + '"']},
            "DKIM",
            "a part of p= is missing",
        ),
        ({("s1._domainkey.robo.example.org", "TXT"): ['"v=DKIM1; p="']}, "DKIM", "is revoked"),
        ({("s1._domainkey.robo.example.org", "TXT"): []}, "DKIM", "has no TXT record"),
        ({("_dmarc.example.org", "TXT"): ['"hello"']}, "DMARC", "v=DMARC1; p=none; rua=mailto:postmaster@"),
        ({("_dmarc.example.org", "TXT"): ['"v=DMARC1; p=never"']}, "DMARC", "Set p=none at first"),
        (
            {("25.112.0.203.in-addr.arpa", "PTR"): ["host-25.example.net."]},
            "Reverse DNS",
            "does not lead back",
        ),
        ({("25.112.0.203.in-addr.arpa", "PTR"): []}, "Reverse DNS", "has no name"),
    ],
)
def test_it_says_what_is_wrong_and_what_to_do(
    changed: dict[tuple[str, str], list[str]], subject: str, hint: str, dns: Nameserver
) -> None:
    dns.records |= changed
    dns.records = {asked: texts for asked, texts in dns.records.items() if texts}
    said, complaint = check(dns, "--selector=s1", f"--address={SENDER}")
    assert said[subject].startswith("wrong. ") and hint in said[subject]
    assert complaint.startswith("Wrong: ")


@pytest.mark.parametrize(
    ("record", "state"),
    [
        ("v=spf1 ip4:203.0.112.0/24 -all", "right"),
        ("v=spf1 a:mail.robo.example.org/24 -all", "right"),
        ("v=spf1 redirect=_spf.example.org", "right"),
        ("v=spf1 exists:mail.robo.example.org ?all", "right"),
        ("v=spf1 exists:%{i}.example.org ?all", "not checked"),
        ("v=spf1 ip4:many -all", "not checked"),
        ("v=spf1 ?all", "wrong"),
    ],
)
def test_it_evaluates_spf_for_the_sending_address(record: str, state: str, dns: Nameserver) -> None:
    dns.records[DOMAIN, "TXT"] = [f'"{record}"']
    said, _ = check(dns)
    assert said["SPF"].startswith(f"{state}. ")


def test_it_names_the_records_of_a_provider(dns: Nameserver, settings: Settings) -> None:
    settings.EMAIL_BACKEND, settings.MAIL_PROVIDER = "roborunner.providers.Mailgun", "Mailgun"
    said, complaint = check(dns, "--selector=s1")
    assert "include:mailgun.org" in said["SPF"] and complaint.startswith("Wrong: 1.")
    dns.records[DOMAIN, "TXT"] = ['"v=spf1 include:mailgun.org ~all"']
    assert check(dns, "--selector=s1")[1] == ""


def test_it_warns_if_bounces_go_to_another_domain(dns: Nameserver, settings: Settings) -> None:
    settings.BOUNCE_ADDRESS = "bounces@example.net"
    dns.records["example.net", "MX"] = [f"10 mail.{DOMAIN}."]
    dns.records["example.net", "TXT"] = [f'"v=spf1 ip4:{SENDER} -all"']
    said, _ = check(dns)
    assert said["DMARC"].startswith("wrong. Bounces go to example.net")
    assert said["DKIM"].startswith("not checked. ")


def test_it_goes_on_if_dns_fails(dns: Nameserver) -> None:
    dns.broken.add("_dmarc.example.org")
    said, complaint = check(dns, "--selector=s1")
    assert said["DMARC"].startswith("not checked. DNS did not answer")
    assert said["Reverse DNS"].startswith("right. ") and complaint == ""


def test_it_checks_only_a_site_that_sends_mail_from_a_domain(dns: Nameserver, settings: Settings) -> None:
    assert check(dns, "--address=mail")[1] == "mail is not an IP address."
    settings.DEFAULT_FROM_EMAIL = "robo@localhost"
    assert "Set MAIL_FROM" in check(dns)[1]
    settings.EMAIL_BACKEND = "django.core.mail.backends.filebased.EmailBackend"
    assert "sends no mail" in check(dns)[1]
