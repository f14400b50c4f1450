"""Notifications in browsers by Web Push: RFC 8030, 8188, 8291 and 8292.

A person adds a browser on the settings page. The browser is removed when its push service reports that
the browser no longer takes messages.
"""

import json
import os
import time
from base64 import b64decode, urlsafe_b64encode
from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from email.utils import parseaddr
from functools import lru_cache
from typing import Any, Final
from urllib.parse import urlsplit

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.conf import settings
from django.utils.translation import gettext as _, pgettext

from accounts.languages import as_read_by
from accounts.models import User
from accounts.sessions import browser_and_system, browser_hashes
from games.errors import Invalid, NotFound, refuse_guests
from games.news.channels import FAILED, NOT_SET_UP, SENT, Attempt, Channel, Gone, Undeliverable
from games.news.channels.outbound import address_of, post
from games.news.delivery import Busy, receiver_slot
from games.news.kinds import KINDS, Summary, hand_in_words, summary_of
from games.news.models import Device, Notice

CURVE: Final = ec.SECP256R1()
ORDER: Final = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551

RECORD_SIZE: Final = 4096
"""The size in bytes of a message's single encrypted record. Push services accept no larger record."""

LONGEST_BODY: Final = 700
"""The maximum number of characters in the body of a message."""

VAPID_LIFETIME: Final = timedelta(hours=12)
"""The lifetime of the token that proves to a push service that a message is from this site."""

LIFETIME: Final = timedelta(days=3)
"""The longest time that a push service stores a message for a closed browser.

If the notification has a deadline, the message is stored until the deadline at most.
"""

SECRET_BYTES: Final = 16
"""The number of bytes in the secret shared by a browser and this site."""

GONE_STATUSES: Final = frozenset({404, 410})

WRONG_KEY_STATUSES: Final = frozenset({401, 403})
"""The HTTP statuses of a push service's answer to a message signed with the wrong key.

The right key is the one that the browser used to subscribe.
"""

TIMEOUT: Final = 4.0
"""The time limit for each message, in seconds.

The messages to all browsers of a person must end within the lease of the notification.
"""


def send(notice: Notice, device: Device, *, now: datetime) -> None:
    """Send a notification to a browser. Raises Undeliverable if that fails."""
    summary = summary_of(notice)
    # A message about a game replaces an unread one about the game. All other messages stay.
    topic = f"game-{notice.game_id}" if notice.game_id else f"notice-{notice.pk}"
    with as_read_by(notice.user):
        lines = [hand_in_words(summary.hand)] if summary.hand else []
        message = {
            "title": summary.subject,
            "body": "\n".join(lines + summary.lines)[:LONGEST_BODY],
            "tag": topic,
            "url": summary.url,
            **_actions(summary),
        }
    kept = min(summary.deadline - now, LIFETIME) if summary.deadline else LIFETIME
    headers = {
        "TTL": str(max(0, int(kept.total_seconds()))),
        "Urgency": "high" if KINDS[notice.kind].urgent else "normal",
        "Topic": topic,
    }
    _post(device, json.dumps(message, ensure_ascii=False).encode(), headers, now)


def _actions(summary: Summary) -> dict[str, Any]:
    """Return the buttons of a message about a turn that waits, and the address of its reminder."""
    if not summary.reminder_url:
        return {}
    buttons = {"open": pgettext("button", "Open"), "remind": _("Remind me in 3 hours")}
    actions = [{"action": name, "title": title} for name, title in buttons.items()]
    return {"actions": actions, "reminder": summary.reminder_url}


def send_test(device: Device, *, now: datetime) -> None:
    """Show a test notification in a browser. Raises the errors of `send`."""
    message = {
        "title": _("A test from {site}").format(site=settings.SITE_NAME),
        "body": _("Notifications reach this browser."),
        "tag": "test",
        "url": settings.BASE_URL + "/",
    }
    headers = {"TTL": "60", "Urgency": "normal", "Topic": "test"}
    _post(device, json.dumps(message).encode(), headers, now)


def send_message(device: Device, *, title: str, body: str, tag: str, url: str, now: datetime) -> None:
    """Show an urgent message that is not a notification in a browser. Raises the errors of `send`."""
    message = {"title": title, "body": body[:LONGEST_BODY], "tag": tag, "url": url}
    headers = {"TTL": str(int(LIFETIME.total_seconds())), "Urgency": "high", "Topic": tag}
    _post(device, json.dumps(message, ensure_ascii=False).encode(), headers, now)


def application_key() -> str:
    """Return the site's public key for push services, encoded for browsers."""
    return _public(_key_from(settings.SECRET_KEY))


def public_key_of(text: str) -> ec.EllipticCurvePublicKey:
    """Decode the public key of a browser. Raises ValueError if it is not valid."""
    return ec.EllipticCurvePublicKey.from_encoded_point(CURVE, decode_base64(text))


def keys_of(*, p256dh: str, auth: str) -> tuple[str, str]:
    """Check the keys of a browser. Return the keys as stored in a `Device`.

    Raises ValueError unless ``p256dh`` is an uncompressed point of the curve, and ``auth`` is a secret of 16
    bytes (RFC 8291).
    """
    point, secret = _point(public_key_of(p256dh)), decode_base64(auth)
    if decode_base64(p256dh) != point or len(secret) != SECRET_BYTES:
        raise ValueError("These are no keys of a browser.")
    return _encoded(point), _encoded(secret)


def decode_base64(text: str) -> bytes:
    """Decode URL-safe base64, with or without padding.

    Raises ValueError for other characters. By default, Python's decoder would skip them.
    """
    bare = text.rstrip("=").encode("ascii")
    return b64decode(bare + b"=" * (-len(bare) % 4), altchars=b"-_", validate=True)


def encrypt(message: bytes, *, p256dh: str, auth: str, salt: bytes, key: ec.EllipticCurvePrivateKey) -> bytes:
    """Encrypt a message for a browser with its keys ``p256dh`` and ``auth`` (RFC 8291).

    Each message needs a new ``salt`` and ``key``.
    """
    theirs, ours = public_key_of(p256dh), _point(key.public_key())
    shared = key.exchange(ec.ECDH(), theirs)
    secret = _derived(shared, decode_base64(auth), b"WebPush: info\0" + _point(theirs) + ours, 32)
    cipher = AESGCM(_derived(secret, salt, b"Content-Encoding: aes128gcm\0", 16))
    nonce = _derived(secret, salt, b"Content-Encoding: nonce\0", 12)
    header = salt + RECORD_SIZE.to_bytes(4, "big") + bytes([len(ours)]) + ours
    return header + cipher.encrypt(nonce, message + b"\x02", None)


def vapid_header(endpoint: str, *, secret: str, now: datetime) -> str:
    """Return the HTTP header that proves to a push service that a message is from this site (RFC 8292).

    The header contains a token that is valid for 12 hours and signed with a key derived from ``secret``.
    """
    key = _key_from(secret)
    parts = urlsplit(endpoint)
    sender = f"mailto:{parseaddr(settings.DEFAULT_FROM_EMAIL)[1]}"
    claims = {
        "aud": f"{parts.scheme}://{parts.netloc}",
        "exp": int((now + VAPID_LIFETIME).timestamp()),
        "sub": sender,
    }
    signed = ".".join(_encoded(_compact(part)) for part in ({"typ": "JWT", "alg": "ES256"}, claims))
    signature = key.sign(signed.encode(), ec.ECDSA(SHA256()))
    raw = b"".join(number.to_bytes(32, "big") for number in decode_dss_signature(signature))
    return f"vapid t={signed}.{_encoded(raw)}, k={_public(key)}"


def _post(device: Device, message: bytes, headers: Mapping[str, str], now: datetime) -> None:
    key, salt = ec.generate_private_key(CURVE), os.urandom(16)
    body = encrypt(message, p256dh=device.p256dh, auth=device.auth, salt=salt, key=key)
    about = {**headers, "Content-Encoding": "aes128gcm", "Content-Type": "application/octet-stream"}
    status, end = 0, time.monotonic() + TIMEOUT
    for secret in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS):
        about["Authorization"] = vapid_header(device.endpoint, secret=secret, now=now)
        status = post(device.endpoint, body=body, headers=about, seconds=max(0.1, end - time.monotonic()))
        if status not in WRONG_KEY_STATUSES:
            break
    if status in GONE_STATUSES:
        raise Gone("gone", status)
    if not 200 <= status < 300:
        raise Undeliverable("status", status)


@lru_cache(maxsize=16)
def _key_from(secret: str) -> ec.EllipticCurvePrivateKey:
    drawn = int.from_bytes(_derived(secret.encode(), b"", b"Robo Runner, push services", 48), "big")
    return ec.derive_private_key(drawn % (ORDER - 1) + 1, CURVE)


def _derived(secret: bytes, salt: bytes, info: bytes, length: int) -> bytes:
    return HKDF(algorithm=SHA256(), length=length, salt=salt, info=info).derive(secret)


def _public(key: ec.EllipticCurvePrivateKey) -> str:
    return _encoded(_point(key.public_key()))


def _point(key: ec.EllipticCurvePublicKey) -> bytes:
    return key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def _compact(document: Mapping[str, Any]) -> bytes:
    return json.dumps(document, separators=(",", ":")).encode()


def _encoded(raw: bytes) -> str:
    return urlsafe_b64encode(raw).rstrip(b"=").decode()


MOST_BROWSERS: Final = 10
"""The maximum number of browsers per person. A browser beyond the limit replaces the oldest one."""


def add_device(
    *, user: User, endpoint: str, p256dh: str, auth: str, agent: str, browser: str = "", now: datetime
) -> Device:
    """Add a browser for a person's notifications, and remove it from any other person.

    ``agent`` is the browser's header User-Agent, and ``browser`` is its cookie (`browser_of`). Raises
    Forbidden for guests, and Invalid if the browser's subscription is not valid.
    """
    refuse_guests(user)
    try:
        address_of(endpoint)
        p256dh, auth = keys_of(p256dh=p256dh, auth=auth)
    except ValueError:
        raise Invalid(
            "no-device",
            _(
                "This browser’s subscription doesn’t work. Allow notifications in your browser, then try"
                " again."
            ),
        ) from None
    mine = {"user": user, "p256dh": p256dh, "auth": auth, "name": browser_and_system(agent), "made_at": now}
    mine["browser"] = next(iter(browser_hashes(browser)), "")
    device, _created = Device.objects.update_or_create(endpoint=endpoint, defaults={**mine, "told_at": None})
    surplus = Device.objects.filter(user=user).order_by("-made_at", "-pk").values("pk")[MOST_BROWSERS:]
    Device.objects.filter(pk__in=list(surplus.values_list("pk", flat=True))).delete()
    return device


def drop_device_on_logout(*, user: User, browser: str) -> None:
    """Remove a browser from a person after a logout in that browser.

    ``browser`` is the browser's cookie (`browser_of`).
    """
    Device.objects.filter(user=user, browser__in=browser_hashes(browser)).delete()


def drop_devices_of_others(*, user: User, browser: str) -> None:
    """Remove a browser from all other people after a person's login in that browser.

    ``browser`` is the browser's cookie (`browser_of`).
    """
    Device.objects.filter(browser__in=browser_hashes(browser)).exclude(user=user).delete()


def drop_other_devices(*, user: User, browser: str) -> None:
    """Remove all browsers of a person except one, after the person's other sessions have ended.

    ``browser`` is the cookie (`browser_of`) of the browser that stays.
    """
    Device.objects.filter(user=user).exclude(browser__in=browser_hashes(browser)).delete()


def drop_device(*, user: User, device_id: int) -> None:
    """Remove one of a person's browsers. Raises NotFound if the person has no such browser."""
    if not Device.objects.filter(user=user, pk=device_id).delete()[0]:
        raise NotFound("no-device", _("This browser is not on your list."))


PARALLEL_MESSAGES: Final = 4
"""The maximum number of messages sent to one push service at a time, for all people together."""

TIME_TO_START: Final = 20.0
"""The number of seconds after which no further message about a notification is started.

The messages must end within the lease of the notification.
"""


class Browsers(Channel):
    """The browser channel. It works even while no page of the site is open."""

    name = "push"
    label = "Browser"
    task = "games.tasks.push_message"

    receivers = "SELECT DISTINCT user_id FROM games_device WHERE user_id = ANY(%s::bigint[]) ORDER BY 1"

    def send(self, notice: Notice, *, now: datetime) -> bool:
        """Send a notification to the recipient's browsers. Return whether any browser took it.

        Removes browsers that no longer exist. Raises Undeliverable if a message failed and no browser took
        the notification. Raises Busy if all push services are paused after slow failures. Also raises Busy,
        without trying the remaining browsers, if other calls take all slots of a push service before any
        browser has taken the notification.
        """
        told: list[int] = []
        failure: Busy | Undeliverable | None = None
        begun = time.monotonic()
        for device in list(Device.objects.filter(user=notice.user_id).order_by("pk")):
            if time.monotonic() - begun > TIME_TO_START:
                break
            try:
                with receiver_slot(row=notice, url=device.endpoint, slots=PARALLEL_MESSAGES, now=now):
                    send(notice, device, now=now)
                told.append(device.pk)
            except Busy as error:
                if not (told or error.rests):
                    raise
                failure = failure or error
            except Gone:
                device.delete()
            except Undeliverable as error:
                failure = error
        Device.objects.filter(pk__in=told).update(told_at=now)
        if not told and failure:
            raise failure
        return bool(told)

    def try_out(self, *, user: User | None, address: str, now: datetime) -> Iterator[Attempt]:
        """Show a test notification in each of a person's browsers. Yield the results.

        Unlike `send`, this does not remove browsers that no longer exist.
        """
        if user is None:
            return
        devices = list(Device.objects.filter(user=user).order_by("pk"))
        if not devices:
            yield Attempt(self.name, NOT_SET_UP, "This account has no browsers for notifications.")
        for device in devices:
            try:
                send_test(device, now=now)
            except Undeliverable as error:
                yield Attempt(self.name, FAILED, f"{device.label}: {error}")
            else:
                yield Attempt(self.name, SENT, f"The push service of {device.label} accepted it.")

    def settings_of(self, user: User) -> dict[str, Any]:
        """Return a person's browsers, newest first, and the site's public key for them."""
        devices = Device.objects.filter(user=user).order_by("-made_at", "-pk")
        return {"devices": devices, "push_key": application_key()}
