"""Shorter waits for a worker of the short fault test, which imports this: nobody shall wait for a minute."""

from datetime import timedelta

from games.services import sending, sweeping

sending.LEASE = timedelta(seconds=10)
sending.SENDING = timedelta(seconds=8)
sweeping.OFFER_AGAIN = timedelta(seconds=5)
sweeping.THINKING = timedelta(seconds=3)
