"""The ace."""

from rules.computers.pilot import choose, first_heading, wants_redeal

__all__ = ["choose", "first_heading", "wants_redeal"]
