"""What a person chooses, and how it is kept."""

from collections.abc import Mapping
from typing import Any

from django.core.exceptions import ValidationError
from django.db.models import Field
from django.utils.translation import gettext as _

from accounts.settings.declarations import SETTINGS
from accounts.time_zones import canonical
from accounts.users.choices import AUDIENCES
from accounts.users.models import User

PREFERENCES = (
    "look",
    "time_zone",
    "manner",
    "daily_hour",
    "lobby_mail",
    "starship_mail",
    "silenced",
    "standing",
    *AUDIENCES,
)
"""What a person may choose."""


def change_preferences(*, user: User, **chosen: Any) -> None:
    """Keep what `user` chose, by the fields of `PREFERENCES`; what is not named stays as it is.

    Raises ValidationError when something is none of what there is to choose from, and KeyError for what is no
    preference.
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
    """The settings of `user` by name, as scripts and answers show them."""
    return {name: getattr(user, name) for name in SETTINGS}


def change_settings(*, user: User, chosen: Mapping[str, object]) -> None:
    """Keep the `SETTINGS` that `user` changed, by name; those that are not named stay as they are.

    Raises ValidationError with a sentence for each that will not do; then none is kept.
    """
    kept, refused = {}, {}
    for name, value in chosen.items():
        if name not in SETTINGS:
            refused[name] = _("There is no setting {name}.").format(name=_said(name))
            continue
        field = User._meta.get_field(name)
        assert isinstance(field, Field)
        try:
            kept[name] = field.clean(value, user)
        except (ValidationError, OverflowError):  # the latter where a number is infinite
            refused[name] = _("{allowed}: {value} will not do.").format(
                allowed=SETTINGS[name].allowed, value=_said(value)
            )
    if refused:
        raise ValidationError(refused)
    for name, value in kept.items():
        setattr(user, name, value)
    user.save(update_fields=list(kept))


def _said(value: object) -> str:
    """A value that someone sent, in a sentence; what is long is cut."""
    text = _("nothing") if value in (None, "") else f"“{value}”"
    return text if len(text) <= 42 else f"{text[:40]}…”"
