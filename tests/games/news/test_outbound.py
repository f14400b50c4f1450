"""Posts to players' web addresses: limited, and never into private networks."""

import datetime
import socket
import time
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from games.news.channels import outbound
from games.news.channels.outbound import Undeliverable, address_of, post
from tests.support.receiver import Receiver, Silence


def leads_to(monkeypatch: pytest.MonkeyPatch, *machines: str) -> None:
    """Resolve every host name to the given IP addresses."""
    found = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (machine, 443)) for machine in machines]
    monkeypatch.setattr(outbound.socket, "getaddrinfo", lambda *args, **more: found)


def test_a_post_arrives(private_webhooks: None, receiver: Receiver) -> None:
    assert post(receiver.url, body=b"{}", headers={"webhook-id": "one"}) == 200
    (got,) = receiver.posted
    assert (got.path, got.body, got.headers["webhook-id"]) == ("/news?of=robots", b"{}", "one")
    assert got.headers["host"] == f"localhost:{receiver.port}"


def test_the_next_ip_address_is_tried_if_one_refuses(
    monkeypatch: pytest.MonkeyPatch, private_webhooks: None, receiver: Receiver
) -> None:
    look_up = socket.getaddrinfo

    def found(host: str, *args: Any, **more: Any) -> list[Any]:
        machines = ("127.0.0.2", "127.0.0.1") if host == "localhost" else (host,)
        return [each for machine in machines for each in look_up(machine, *args, **more)]

    monkeypatch.setattr(outbound.socket, "getaddrinfo", found)
    assert post(receiver.url, body=b"{}", headers={}) == 200
    assert len(receiver.posted) == 1


def test_the_status_is_returned_and_redirects_are_not_followed(
    private_webhooks: None, receiver: Receiver
) -> None:
    receiver.headers = {"Location": "/elsewhere"}
    for number, status in enumerate((204, 302, 404, 500), 1):
        receiver.status = status
        assert post(receiver.url, body=b"", headers={}) == status
        assert len(receiver.posted) == number


PRIVATE = [
    *("127.0.0.1", "10.1.2.3", "172.16.0.1", "192.168.178.1", "169.254.169.254", "100.64.0.1", "0.0.0.0"),
    *("224.0.0.1", "255.255.255.255", "::1", "::", "fe80::1", "fd00::1", "ff02::1", "::ffff:127.0.0.1"),
    *("2002:7f00:1::", "64:ff9b::a00:1", "192.0.0.8", "192.0.0.10", "192.0.0.255", "::ffff:192.0.0.200"),
    *("2002:c000:c8::", "64:ff9b::c000:8", "fec0::1", "feff::1"),
]


def test_a_name_in_a_private_network_is_not_called(monkeypatch: pytest.MonkeyPatch) -> None:
    for machine in PRIVATE:
        for machines in ([machine], ["93.184.215.14", machine]):
            leads_to(monkeypatch, *machines)
            with pytest.raises(Undeliverable, match="private network"):
                post("https://robots.example.org/", body=b"", headers={})


def test_a_private_address_is_not_called() -> None:
    for machine in PRIVATE:
        host = f"[{machine}]" if ":" in machine else machine
        with pytest.raises(ValueError, match="private network"):
            address_of(f"https://{host}/hook")


def test_the_resolved_machine_is_the_one_that_is_called(monkeypatch: pytest.MonkeyPatch) -> None:
    """The name is resolved only once."""
    leads_to(monkeypatch, "93.184.215.14")
    asked: list[str] = []

    def create_connection(address: tuple[str, int], timeout: float) -> socket.socket:
        asked.append(address[0])
        raise ConnectionRefusedError(111, "Connection refused")

    monkeypatch.setattr(outbound.socket, "create_connection", create_connection)
    with pytest.raises(Undeliverable, match="It can’t be reached: connection refused"):
        post("https://robots.example.org/", body=b"", headers={})
    assert asked == ["93.184.215.14"]


NO_ADDRESSES = [
    *("", "robots.example.org", "http://robots.example.org/", "ftp://robots.example.org/"),
    *("file:///etc/passwd", "https://", "https:///hook", "https://robots.example.org:port/"),
    *("https://robots.example.org:0/", "https://robots.example.org:99999/", "https://[::1/"),
    *("https://alice:hush@robots.example.org/", "https://robots.example.org/#there"),
    *("https://robots.example.org/a b", "https://robots.example.org/\r\nX-More: 1"),
    *("https://röbots.example.org/", "https://robots.example.org/" + "a" * 1000),
]


def test_an_invalid_address_is_refused_with_a_sentence() -> None:
    for url in NO_ADDRESSES:
        with pytest.raises(ValueError, match=r"^(The|This|An) [^\n]+\.$"):
            address_of(url)


def test_an_unknown_host_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(Undeliverable, match="Its host is unknown"):
        post("https://nowhere.invalid/", body=b"", headers={})


def test_an_unreachable_host_is_reported(private_webhooks: None, receiver: Receiver) -> None:
    receiver.stop()
    with pytest.raises(Undeliverable, match="It can’t be reached: connection refused"):
        post(receiver.url, body=b"", headers={})


def test_a_slow_or_dripping_receiver_is_abandoned(private_webhooks: None, receiver: Receiver) -> None:
    silence = Silence()
    silence.start()
    receiver.pause = 5
    try:
        for url in (receiver.url, silence.url):
            begun = time.monotonic()
            with pytest.raises(Undeliverable, match=r"It did not answer within 0\.5 seconds"):
                post(url, body=b"", headers={}, seconds=0.5)
            assert time.monotonic() - begun < 4
    finally:
        silence.stop()


@pytest.fixture
def certificate(tmp_path: Path) -> Path:
    """A self-signed certificate for localhost, with its key.

    OpenSSL checks the certificate against the real time, so it is valid on every day.
    """
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    signed = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(datetime.datetime(2000, 1, 1, tzinfo=datetime.UTC))
        .not_valid_after(datetime.datetime(9999, 12, 31, tzinfo=datetime.UTC))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
        .sign(key, hashes.SHA256())
    )
    pem = serialization.Encoding.PEM
    secret = key.private_bytes(pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    path = tmp_path / "certificate.pem"
    path.write_bytes(secret + signed.public_bytes(pem))
    return path


def test_a_receiver_without_a_valid_certificate_gets_nothing(
    private_webhooks: None, certificate: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    receiver = Receiver(certificate)
    receiver.start()
    try:
        with pytest.raises(Undeliverable, match="Its certificate is not valid: self-signed certificate"):
            post(receiver.url, body=b"secret", headers={})
        assert receiver.posted == []
        monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
        assert post(receiver.url, body=b"secret", headers={}) == 200
    finally:
        receiver.stop()
