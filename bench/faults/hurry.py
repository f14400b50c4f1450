"""Shorten the leases and waits of a worker. Workers import this module in short fault tests."""

from datetime import timedelta

from games.news import delivery
from games.work import sweeper

delivery.LEASE = timedelta(seconds=10)
delivery.SENDING_TIME = timedelta(seconds=8)
sweeper.OFFER_AGAIN_AFTER = timedelta(seconds=5)
sweeper.THINKING_TIME = timedelta(seconds=3)
