"""Robo Names: how they are spelled, which look alike, and which are retired."""
