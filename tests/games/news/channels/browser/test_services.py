"""Browser notifications: encryption, push services, and browsers that no longer exist."""

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import dataclass
from datetime import datetime

import pytest
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from pytest_django.fixtures import Settings

from accounts import guests
from accounts.models import Frequency, User
from games import live
from games.errors import Forbidden, Invalid, NotFound
from games.news.channels import browser as push
from games.news.channels.browser import add_device, drop_device
from games.news.delivery import send_notification
from games.news.models import Device, Notice
from games.news.services import change_notification_settings
from games.play.models import Game
from games.play.reminders import reminder_url
from games.play.services import change_game_mail
from tests.games.support import NOW, Table, later
from tests.support.receiver import Posted, Receiver

pytestmark = pytest.mark.usefixtures("private_webhooks", "base_url")

CURVE = ec.SECP256R1()


def encoded(raw: bytes) -> str:
    return urlsafe_b64encode(raw).rstrip(b"=").decode()


def decode_base64(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


def point(key: ec.EllipticCurvePublicKey) -> bytes:
    return key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


@dataclass
class Browser:
    key: ec.EllipticCurvePrivateKey
    auth: bytes

    @property
    def keys(self) -> dict[str, str]:
        return {"p256dh": encoded(point(self.key.public_key())), "auth": encoded(self.auth)}

    def read(self, body: bytes) -> bytes:
        """Decrypt a message, as RFC 8188 and RFC 8291 define."""
        salt, size, length = body[:16], int.from_bytes(body[16:20], "big"), body[20]
        theirs, record = body[21 : 21 + length], body[21 + length :]
        assert len(body) <= size
        shared = self.key.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(CURVE, theirs))
        about = b"WebPush: info\0" + point(self.key.public_key()) + theirs
        secret = HKDF(SHA256(), 32, self.auth, about).derive(shared)
        cipher = HKDF(SHA256(), 16, salt, b"Content-Encoding: aes128gcm\0").derive(secret)
        nonce = HKDF(SHA256(), 12, salt, b"Content-Encoding: nonce\0").derive(secret)
        plain = AESGCM(cipher).decrypt(nonce, record, None).rstrip(b"\0")
        assert plain[-1:] == b"\x02"
        return plain[:-1]


@pytest.fixture
def service(receiver: Receiver) -> Receiver:
    receiver.status = 201
    return receiver


@pytest.fixture
def browser() -> Browser:
    return Browser(ec.generate_private_key(CURVE), b"sixteen letters.")


@pytest.fixture
def device(service: Receiver, browser: Browser, alice: User) -> Device:
    return add_device(user=alice, endpoint=service.url, **browser.keys, agent="Firefox", now=NOW)


def notice_of(game: Game, user: User, turn: int = 0, kind: str = "turn") -> Notice:
    return Notice.objects.get(game=game, user=user, turn=turn, kind=kind, channel="push")


def deliver(notice: Notice, now: datetime = NOW) -> str:
    send_notification(notice_id=notice.pk, now=now)
    notice.refresh_from_db()
    return notice.status


def test_the_example_of_the_standard_is_reproduced() -> None:
    """The example is in RFC 8291, section 5 and appendix A."""
    private = int.from_bytes(decode_base64("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"), "big")
    body = push.encrypt(
        b"When I grow up, I want to be a watermelon",
        p256dh="BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
        auth="BTBZMqHH6r4Tts7J_aSIgg",
        salt=decode_base64("DGv6ra1nlYgDCS1FRnbzlw"),
        key=ec.derive_private_key(private, CURVE),
    )
    assert encoded(body) == (
        "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8w"
        "EqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
    )


def test_only_the_addressed_browser_can_decrypt_a_turn(
    device: Device, service: Receiver, browser: Browser, table: Table, alice: User, bob: User
) -> None:
    game = table.game(alice, bob)
    table.play(game, alice, bob, now=later(hours=1))
    assert deliver(notice_of(game, alice, 1), later(hours=2)) == Notice.Status.SENT
    (posted,) = service.posted
    message = json.loads(browser.read(posted.body))
    assert message["body"].startswith("Your hand: ")
    assert message | {"body": ""} == {
        "title": "First flight, turn 1: your move",
        "body": "",
        "tag": f"game-{game.pk}",
        "url": f"https://robo.example/games/{game.pk}/move/",
        "actions": [
            {"action": "open", "title": "Open"},
            {"action": "remind", "title": "Remind me in 3 hours"},
        ],
        "reminder": reminder_url(notice_of(game, alice, 1)),
    }
    with pytest.raises(InvalidTag):
        Browser(browser.key, b"another secret..").read(posted.body)
    headers = posted.headers
    assert (headers["content-encoding"], headers["ttl"]) == ("aes128gcm", str(23 * 3600))
    assert (headers["urgency"], headers["topic"]) == ("normal", f"game-{game.pk}")
    assert not Notice.objects.filter(user=bob, channel="push").exists()
    device.refresh_from_db()
    assert device.told_at == later(hours=2)


def claims_of(posted: Posted) -> dict[str, object]:
    """Check the signature of a request, as a push service does. Return the sender's claims."""
    scheme, _, rest = posted.headers["authorization"].partition(" ")
    given = dict(part.strip().split("=", 1) for part in rest.split(","))
    assert (scheme, given["k"]) == ("vapid", push.application_key())
    signed, _, signature = given["t"].rpartition(".")
    r, s = (
        int.from_bytes(half, "big") for half in (decode_base64(signature)[:32], decode_base64(signature)[32:])
    )
    key = ec.EllipticCurvePublicKey.from_encoded_point(CURVE, decode_base64(given["k"]))
    key.verify(encode_dss_signature(r, s), signed.encode(), ec.ECDSA(SHA256()))
    header, claims = (json.loads(decode_base64(part)) for part in signed.split("."))
    assert header == {"typ": "JWT", "alg": "ES256"}
    return dict(claims)


def test_a_push_service_gets_a_signed_sender_and_audience(
    device: Device, service: Receiver, duel: Game, alice: User
) -> None:
    deliver(notice_of(duel, alice))
    assert claims_of(service.posted[0]) == {
        "aud": f"http://localhost:{service.port}",
        "exp": int(later(hours=12).timestamp()),
        "sub": "mailto:robo-runner@localhost",
    }


def test_the_site_s_key_depends_only_on_its_secret(settings: Settings) -> None:
    before = push.application_key()
    assert before == push.application_key()
    settings.SECRET_KEY = "another secret, and as long as it should be"
    assert push.application_key() != before


class BoundService(Receiver):
    """A push service that accepts only one key of the site."""

    bound_to = ""

    @property
    def status(self) -> int:
        """The status of the last response."""
        return (
            201 if self.posted and self.posted[-1].headers["authorization"].endswith(self.bound_to) else 403
        )

    @status.setter
    def status(self, status: int) -> None:
        """Ignore assignments: the key in the request decides the status."""


def test_a_browser_from_before_a_new_key_is_reached_with_the_old_key(
    browser: Browser, table: Table, alice: User, bob: User, settings: Settings
) -> None:
    service = BoundService()
    service.bound_to = f"k={push.application_key()}"
    service.start()
    add_device(user=alice, endpoint=service.url, **browser.keys, agent="Firefox", now=NOW)
    game = table.game(alice, bob)
    settings.SECRET_KEY_FALLBACKS = [settings.SECRET_KEY]
    settings.SECRET_KEY = "the key that came after, and just as long as the old one"
    assert deliver(notice_of(game, alice)) == Notice.Status.SENT
    assert len(service.posted) == 2
    settings.SECRET_KEY_FALLBACKS = []
    table.play(game, alice, bob)
    assert deliver(notice_of(game, alice, 1)) != Notice.Status.SENT
    service.stop()


@pytest.mark.parametrize("status", [404, 410])
def test_an_expired_browser_is_deleted(
    device: Device, service: Receiver, duel: Game, table: Table, alice: User, bob: User, status: int
) -> None:
    service.status = status
    assert deliver(notice_of(duel, alice)) == Notice.Status.UNWANTED
    assert not Device.objects.exists()
    table.play(duel, alice, bob)
    assert not Notice.objects.filter(channel="push", turn=1).exists()


def test_a_failing_push_service_is_tried_again(
    device: Device, service: Receiver, duel: Game, alice: User
) -> None:
    service.status = 503
    notice = notice_of(duel, alice)
    assert deliver(notice) == Notice.Status.PENDING
    assert notice.last_error == "status: 503"
    service.status = 201
    assert notice.lease_until
    assert deliver(notice, notice.lease_until) == Notice.Status.SENT


def test_one_browser_that_accepts_is_enough(
    device: Device, service: Receiver, browser: Browser, duel: Game, alice: User
) -> None:
    """A second attempt for the other browser would repeat the notification in this one."""
    nobody = service.url.replace(str(service.port), "9")
    add_device(user=alice, endpoint=nobody, **browser.keys, agent="", now=later(hours=1))
    assert deliver(notice_of(duel, alice)) == Notice.Status.SENT
    assert Device.objects.count() == 2


def test_a_player_on_the_game_s_page_is_shown_nothing_until_they_leave(
    device: Device, service: Receiver, duel: Game, alice: User
) -> None:
    live.record_viewers([(duel.pk, alice.pk)])
    notice = notice_of(duel, alice)
    assert deliver(notice) == Notice.Status.HELD
    assert service.posted == []
    assert notice.due_at == later(minutes=3)


def test_the_frequency_of_mail_does_not_affect_browsers_but_muting_a_game_does(
    device: Device, table: Table, duel: Game, alice: User, bob: User
) -> None:
    change_notification_settings(user=alice, manner=Frequency.NONE, daily_hour=8, now=NOW)
    assert deliver(notice_of(duel, alice)) == Notice.Status.SENT
    change_game_mail(user=alice, game_id=duel.pk, manner="none", now=NOW)
    table.play(duel, alice, bob)
    assert deliver(notice_of(duel, alice, 1)) == Notice.Status.UNWANTED


def test_a_browser_belongs_to_its_last_user(
    device: Device, service: Receiver, browser: Browser, alice: User, bob: User
) -> None:
    add_device(user=bob, endpoint=service.url, **browser.keys, agent="", now=later(hours=1))
    assert list(Device.objects.values_list("user__robo_name")) == [("Bob",)]


def test_the_eleventh_browser_replaces_the_first(browser: Browser, alice: User) -> None:
    for number in range(push.MOST_BROWSERS + 1):
        url = f"https://push.example.org/{number}"
        add_device(user=alice, endpoint=url, **browser.keys, agent="", now=later(hours=number))
    kept = Device.objects.order_by("made_at").values_list("endpoint", flat=True)
    assert (len(kept), kept[0]) == (push.MOST_BROWSERS, "https://push.example.org/1")


def test_players_remove_only_their_own_browsers(device: Device, alice: User, bob: User) -> None:
    with pytest.raises(NotFound):
        drop_device(user=bob, device_id=device.pk)
    drop_device(user=alice, device_id=device.pk)
    assert not Device.objects.exists()


COMPRESSED = encoded(
    ec.derive_private_key(7, CURVE).public_key().public_bytes(Encoding.X962, PublicFormat.CompressedPoint)
)
AUTH = encoded(b"sixteen letters.")
OFF_THE_CURVE = encoded(b"\x04" + b"\x01" * 64)


WRONG = [
    *({"endpoint": endpoint} for endpoint in ("", "ftp://push.example.org/1")),
    *({"p256dh": key} for key in ("", "not a key", "ü", OFF_THE_CURVE, COMPRESSED)),
    {"p256dh": "!" + encoded(point(ec.derive_private_key(7, CURVE).public_key()))},
    *({"auth": auth} for auth in ("", "AAAA", "ü" * 22, "!" * 3000 + AUTH, AUTH + "\0", "\n".join(AUTH))),
]


def test_an_invalid_subscription_is_refused_with_a_sentence(browser: Browser, alice: User) -> None:
    for wrong in WRONG:
        given = {"endpoint": "https://push.example.org/1", **browser.keys} | wrong
        with pytest.raises(Invalid, match="This browser’s subscription doesn’t work"):
            add_device(user=alice, **given, agent="", now=NOW)


def test_guests_get_no_notifications(db: None, browser: Browser) -> None:
    with pytest.raises(Forbidden):
        add_device(
            user=guests.make_guest(), endpoint="https://push.example.org/1", **browser.keys, agent="", now=NOW
        )
