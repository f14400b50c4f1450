"""A silent receiver delays only its own notifications.

The workers run with the commands of `make run`.
"""

import logging
import time
from collections.abc import Callable, Iterator

import pytest

from accounts.models import Frequency, User
from embedded import up
from games.news.channels.webhook import set_webhook
from games.news.services import change_notification_settings
from tests.games.support import NOW, Table
from tests.games.together import wait_until
from tests.support.mailbox import Mailbox
from tests.support.receiver import Receiver
from tests.support.worker import Worker

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("private_webhooks")]

GAMES = 8
"""The number of games that are announced to the silent receiver.

Each announcement takes 10 seconds, so one worker would need 80 seconds.
"""

SECONDS = 30.0
"""The maximum wait for other notifications, in seconds, on a busy machine.

On a quiet machine it is one second.
"""


@pytest.fixture
def silent() -> Iterator[Receiver]:
    """A web server that accepts connections and never responds."""
    receiver = Receiver()
    receiver.pause = 600.0
    receiver.start()
    yield receiver
    receiver.stop()


@pytest.mark.parametrize("deployment", ["make run", "one worker for all queues"])
def test_neither_mail_nor_another_webhook_waits_for_a_silent_receiver(
    deployment: str,
    table: Table,
    alice: User,
    bob: User,
    carol: User,
    silent: Receiver,
    receiver: Receiver,
    start_worker: Callable[..., Worker],
    mailbox: Mailbox,
) -> None:
    set_webhook(user=alice, url=silent.url, now=NOW)
    set_webhook(user=carol, url=receiver.url, now=NOW)
    for player in (alice, bob):  # only Carol's mail keeps a worker busy
        change_notification_settings(user=player, manner=Frequency.NONE, daily_hour=8, now=NOW)
    names = ["worker", "caller"] if deployment == "make run" else [None]
    for name in names:
        start_worker(command=up.commands(0)[name] if name else None, PRIVATE_WEBHOOKS="1")
    for _ in range(GAMES):
        table.game(alice, bob)
    wait_until(lambda: len(silent.posted) > 0)
    begun = time.monotonic()
    table.game(carol, bob)
    ways = {"mail": lambda: mailbox.to(carol.email), "webhook": lambda: receiver.posted}
    waited: dict[str, float] = {}
    while len(waited) < len(ways):
        for way, arrived in ways.items():
            if way not in waited and arrived():
                waited[way] = round(time.monotonic() - begun, 1)
        assert time.monotonic() - begun < SECONDS, f"only these have come: {waited}"
        time.sleep(0.05)
    logging.getLogger(__name__).warning("%s: seconds waited: %s", deployment, waited)  # for `pytest -rP`
    assert len(silent.posted) == 1, "it gets one call at a time"
