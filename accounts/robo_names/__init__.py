"""Robo Names: how they are spelled, which look alike, and which are retired."""

from accounts.robo_names.spelling import validate  # the first migration looks for it here

__all__ = ["validate"]
