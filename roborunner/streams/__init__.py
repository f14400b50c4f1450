"""Streams of server-sent events, answered in front of Django.

An open one holds neither a thread nor a database connection.
"""

from roborunner.streams.application import Streams

__all__ = ["Streams"]
