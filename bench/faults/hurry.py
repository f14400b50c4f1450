"""Shorten the leases and waits of a worker. Workers import this module in short fault tests."""

from datetime import timedelta

from games.groups import delivery as groups
from games.news import delivery
from games.work import sweeper

delivery.LEASE = timedelta(seconds=10)
delivery.SENDING_TIME = timedelta(seconds=8)
delivery.SLOT_LEASE = timedelta(seconds=10)
groups.LEASE = timedelta(seconds=10)
groups.SECONDS_PER_TASK, groups.SENDING_SECONDS = 3.0, 6.0
groups.BACK_OFF = timedelta(seconds=2)
groups.LONGEST_BACK_OFF = timedelta(seconds=5)
sweeper.OFFER_AGAIN_AFTER = timedelta(seconds=5)
sweeper.THINKING_TIME = timedelta(seconds=3)
