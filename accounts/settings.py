"""Page settings and other preferences. Each page setting is declared once.

To add a page setting, add a field to `User` with its migration, and a declaration here. The form, the
JSON for scripts, the error messages and the personal data follow from the declaration.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.core.exceptions import ValidationError
from django.db.models import Field
from django.utils.functional import Promise
from django.utils.translation import gettext, gettext_lazy as _

from accounts.languages import quoted
from accounts.models import AUDIENCES, PROFILE, CellSize, Motion, Theme, User
from accounts.time_zones import canonical

Words = str | Promise

PLAYING: Final = _("Playing")
DISPLAY: Final = _("Display")
SOUND: Final = _("Sound")
CHAT: Final = _("Chat")


@dataclass(frozen=True, kw_only=True, slots=True)
class PageSetting:
    """The declaration of a page setting: its field of `User`, and its ``group`` in the form.

    ``allowed`` is the error message for an invalid value. The form shows ``choices`` side by side. A setting
    without choices is a switch, or a slider if ``volume`` names the switch that it belongs to. If ``help``
    is empty, the form shows the help text of the field, or no help text if the setting is a slider.
    """

    name: str
    group: Words
    allowed: Words
    choices: Iterable[tuple[object, Words]] = ()
    help: Words = ""
    volume: str = ""


PAGE_SETTINGS: Final = (
    PageSetting(name="aid", group=PLAYING, allowed=_("The programming aid must be on or off.")),
    PageSetting(
        name="speed",
        group=PLAYING,
        allowed=_("The animation speed must be 50, 100, 200 or 400 per cent."),
        choices=[("50", "½×"), ("100", "1×"), ("200", "2×"), ("400", "4×")],
    ),
    PageSetting(
        name="motion",
        group=PLAYING,
        allowed=_("The motion must be auto, full or reduced."),
        choices=[(Motion.AUTO, _("System")), (Motion.FULL, _("Full")), (Motion.REDUCED, _("No animation"))],
        help=_(
            "System: follows your device’s setting. No animation: robots jump straight to the end of each"
            " move."
        ),
    ),
    PageSetting(
        name="theme",
        group=DISPLAY,
        allowed=_("The theme must be auto, light or dark."),
        choices=[(Theme.LIGHT, _("Day")), (Theme.DARK, _("Night")), (Theme.AUTO, _("System"))],
    ),
    PageSetting(
        name="cell_size",
        group=DISPLAY,
        allowed=_("The cell size must be fit, small, medium or large."),
        choices=[(CellSize.FIT, _("Fit")), *CellSize.choices[1:]],
        help=_("Small is 32 pixels, medium 48, large 64. Boards that don’t fit scroll."),
    ),
    PageSetting(name="sound", group=SOUND, allowed=_("The sound must be on or off.")),
    PageSetting(
        name="volume",
        group=SOUND,
        allowed=_("The master volume must be a whole number from 0 to 100."),
        volume="sound",
    ),
    PageSetting(
        name="effects_volume",
        group=SOUND,
        allowed=_("The effects volume must be a whole number from 0 to 100."),
        volume="sound",
    ),
    PageSetting(name="music", group=SOUND, allowed=_("The music must be on or off.")),
    PageSetting(
        name="music_volume",
        group=SOUND,
        allowed=_("The music volume must be a whole number from 0 to 100."),
        volume="music",
    ),
    PageSetting(name="chat_filter", group=CHAT, allowed=_("The chat filter must be on or off.")),
)

SETTINGS: Final = {each.name: each for each in PAGE_SETTINGS}
"""All page settings by name, in the order of the form."""


PREFERENCES = (
    *PROFILE,
    "manner",
    "daily_hour",
    "lobby_mail",
    "starship_mail",
    "silenced",
    "reminder_hours",
    "standing",
    *AUDIENCES,
)
"""The names of all preferences: the fields of `User` that `change_preferences` may change."""


def change_preferences(*, user: User, **chosen: Any) -> None:
    """Save preferences, given by their names in `PREFERENCES`. Leave all others unchanged.

    Raises ValidationError for an invalid value, and KeyError for an unknown name.
    """
    for name in chosen:
        if name not in PREFERENCES:
            raise KeyError(name)
        setattr(user, name, chosen[name])
    user.time_zone = canonical(user.time_zone)
    user.clean_fields(exclude={"robo_name", "email", "password"})
    user.validate_constraints(exclude={"robo_name", "email"})
    user.save(update_fields=list(chosen))


def settings_of(user: User) -> dict[str, Any]:
    """Return a person's page settings by name, as values that can be written as JSON."""
    return {name: getattr(user, name) for name in SETTINGS}


def change_settings(*, user: User, chosen: Mapping[str, object]) -> None:
    """Save page settings, given by their names in `SETTINGS`. Leave all others unchanged.

    Raises ValidationError with a sentence for each invalid value, and then saves no setting.
    """
    kept, refused = {}, {}
    for name, value in chosen.items():
        if name not in SETTINGS:
            refused[name] = gettext("There is no setting {name}.").format(name=_quoted_value(name))
            continue
        field = User._meta.get_field(name)
        assert isinstance(field, Field)
        try:
            kept[name] = field.clean(value, user)
        except (ValidationError, OverflowError):  # OverflowError: the value is an infinite number
            refused[name] = str(SETTINGS[name].allowed)
    if refused:
        raise ValidationError(refused)
    for name, value in kept.items():
        setattr(user, name, value)
    user.save(update_fields=list(kept))


def _quoted_value(value: object) -> str:
    """Quote a submitted value for an error message, cut to 40 characters."""
    if value in (None, ""):
        return gettext("nothing")
    text = str(value)
    return quoted(text if len(text) <= 40 else f"{text[:39]}…")
