"""What robots say of themselves: a slogan for each model and for each look."""

from typing import Final

from django.utils.translation import gettext_lazy as _

MODELS: Final = {
    "tanky": _("Hit me again. I was getting bored."),
    "james-bot": _("One oil, ice-cold. Two holes, still smoking."),
    "lazybot": _("I’ll be there. Right after this nap."),
    "albot": _("Give me a second. I have a better idea."),
    "peach": _("Look behind me and you’ll see yourself."),
}
"""Slogans by the keys of `rules.MODELS`."""

LOOKS: Final = {
    "beetle": _("Small feet, big plans."),
    "disc": _("No corners to cut."),
    "wedge": _("One foot in every door."),
    "crab": _("Forward is a matter of opinion."),
    "spider": _("Eight legs, no excuses."),
    "tank": _("Roads are for others."),
    "drone": _("Hovering is just waiting in style."),
    "magnet": _("Opposites attract. So do I."),
}
"""Slogans by the names of robots' silhouettes."""
