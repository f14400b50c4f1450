"""Whom players follow and block, and what they note about others for themselves."""
