"""What a person can choose from."""

from django.db import models


class Audience(models.TextChoices):
    """Who gets to see a part of a person's page."""

    EVERYBODY = "everybody", "Everybody"
    PLAYERS = "players", "Those who play with me"
    NOBODY = "nobody", "Nobody but me"


AUDIENCES = ("shows_name", "shows_games", "shows_history", "shows_statistics", "shows_achievements")
"""What a person settles who sees it: their name in the list of players, and the parts of their page."""


class Theme(models.TextChoices):
    """In which light pages are shown."""

    AUTO = "auto", "As the system is set"
    LIGHT = "light", "Day"
    DARK = "dark", "Night"


class Motion(models.TextChoices):
    """How much moves on a page."""

    AUTO = "auto", "As the system is set"
    FULL = "full", "Everything that moves"
    REDUCED = "reduced", "Cuts instead of motion"


class CellSize(models.TextChoices):
    """How large the cells of a board are shown."""

    FIT = "fit", "As fits the page"
    SMALL = "small", "Small"
    MEDIUM = "medium", "Medium"
    LARGE = "large", "Large"


class Manner(models.TextChoices):
    """How a person is told what happens in their games while they are elsewhere."""

    AT_ONCE = "at once", "At once"
    DAILY = "daily", "Once a day"
    ONE = "one", "One until I visit"
    NONE = "none", "Not at all"


class Standing(models.TextChoices):
    """What is played for a person who misses a turn, in games that have standing orders."""

    LAID = "laid", "As I have laid"
    AHEAD = "ahead", "Straight ahead"
    DOWN = "down", "Power down"


SPEEDS = (50, 100, 200, 400)
"""How fast turns are played back, in per cent."""

LOOKS = 8
"""How many robots there are to choose from by their looks."""
