"""Settings of pages and of turns as they are played: each declared once.

A new one is a field of `User` with its migration, and a declaration here: the form, answers and documents of
pages, what is refused, and what a person's data hold follow.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from accounts.users.choices import SPEEDS, CellSize, Motion, Theme

Words = str | Promise

PLAYING: Final = _("Playing")
DISPLAY: Final = _("Display")
SOUND: Final = _("Sound")
CHAT: Final = _("Chat")


@dataclass(frozen=True, kw_only=True, slots=True)
class PageSetting:
    """One setting: its field of `User`, and the ``group`` of the form in which it stands.

    ``allowed`` begins the sentence that refuses another value. ``choices`` are those that the form shows side
    by side; without them it shows a switch, or a slider for the ``volume`` of what another setting turns on.
    Where ``help`` is empty, the form shows that of the field, and none beside a slider.
    """

    name: str
    group: Words
    allowed: Words
    choices: Iterable[tuple[object, Words]] = ()
    help: Words = ""
    volume: str = ""


PAGE_SETTINGS: Final = (
    PageSetting(name="aid", group=PLAYING, allowed=_("The programming aid is on or off")),
    PageSetting(
        name="speed",
        group=PLAYING,
        allowed=_("Turns are played at 50, 100, 200 or 400 per cent of their speed"),
        choices=[(str(speed), f"{speed / 100:g}×") for speed in SPEEDS],
    ),
    PageSetting(
        name="motion",
        group=PLAYING,
        allowed=_("Motion is auto, full or reduced"),
        choices=[(Motion.AUTO, _("As set")), (Motion.FULL, _("Full")), (Motion.REDUCED, _("No animation"))],
        help=_("As set: as your system asks. No animation: robots appear where they come to stand."),
    ),
    PageSetting(
        name="theme",
        group=DISPLAY,
        allowed=_("The light is auto, light or dark"),
        choices=[(Theme.LIGHT, _("Day")), (Theme.DARK, _("Night")), (Theme.AUTO, _("As set"))],
    ),
    PageSetting(
        name="cell_size",
        group=DISPLAY,
        allowed=_("The size of cells is fit, small, medium or large"),
        choices=[(CellSize.FIT, _("Fit")), *CellSize.choices[1:]],
        help=_("Small is 32 pixels, medium 48, large 64; the board then scrolls in its frame."),
    ),
    PageSetting(name="sound", group=SOUND, allowed=_("Sound is on or off")),
    PageSetting(
        name="volume",
        group=SOUND,
        allowed=_("The master volume is a whole number from 0 to 100"),
        volume="sound",
    ),
    PageSetting(
        name="effects_volume",
        group=SOUND,
        allowed=_("The effects volume is a whole number from 0 to 100"),
        volume="sound",
    ),
    PageSetting(name="music", group=SOUND, allowed=_("Music is on or off")),
    PageSetting(
        name="music_volume",
        group=SOUND,
        allowed=_("The music volume is a whole number from 0 to 100"),
        volume="music",
    ),
    PageSetting(name="chat_filter", group=CHAT, allowed=_("The chat filter is on or off")),
)

SETTINGS: Final = {each.name: each for each in PAGE_SETTINGS}
"""All by name, in the order of the form."""
