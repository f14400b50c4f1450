"""Feeds: notifications and deadlines at secret addresses, for news readers and calendars."""
