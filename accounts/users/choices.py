"""What a person can choose from."""

from django.db import models
from django.utils.translation import gettext_lazy as _


class Audience(models.TextChoices):
    """Who gets to see a part of a person's page."""

    EVERYBODY = "everybody", _("Everyone")
    PLAYERS = "players", _("Fellow players")
    NOBODY = "nobody", _("Only me")


AUDIENCES = ("shows_name", "shows_games", "shows_history", "shows_statistics", "shows_achievements")
"""What a person settles who sees it: their name in the list of players, and the parts of their page."""


class Theme(models.TextChoices):
    """In which light pages are shown."""

    AUTO = "auto", _("Same as my system")
    LIGHT = "light", _("Day")
    DARK = "dark", _("Night")


class Motion(models.TextChoices):
    """How much moves on a page."""

    AUTO = "auto", _("Same as my system")
    FULL = "full", _("Full")
    REDUCED = "reduced", _("No animation")


class CellSize(models.TextChoices):
    """How large the cells of a board are shown."""

    FIT = "fit", _("Fit to page")
    SMALL = "small", _("Small")
    MEDIUM = "medium", _("Medium")
    LARGE = "large", _("Large")


class Frequency(models.TextChoices):
    """How a person is told what happens in their games while they are elsewhere."""

    AT_ONCE = "at once", _("At once")
    DAILY = "daily", _("Once a day")
    ONE = "one", _("One until I visit")
    NONE = "none", _("Not at all")


class Standing(models.TextChoices):
    """What is played for a person who misses a turn, in games that have standing orders."""

    LAID = "laid", _("My draft")
    AHEAD = "ahead", _("Straight ahead")
    DOWN = "down", _("Power down")


SPEEDS = (50, 100, 200, 400)
"""How fast turns are played back, in per cent."""

LOOKS = 8
"""How many robots there are to choose from by their looks."""
