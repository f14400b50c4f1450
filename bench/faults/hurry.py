"""Shorter waits for a worker in the short fault test, which imports this module."""

from datetime import timedelta

from games.news import delivery
from games.work import sweeper

delivery.LEASE = timedelta(seconds=10)
delivery.SENDING = timedelta(seconds=8)
sweeper.OFFER_AGAIN = timedelta(seconds=5)
sweeper.THINKING = timedelta(seconds=3)
