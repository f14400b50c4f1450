"""The rules' texts in the reader's language, and times and options in words."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from functools import partial
from typing import Any, Final

from django.utils import timezone
from django.utils.dates import WEEKDAYS, WEEKDAYS_ABBR
from django.utils.formats import date_format, number_format
from django.utils.translation import gettext, gettext_lazy as _, ngettext

import rules
from rules import language
from rules.sentences import SQUAD_NAMES

SLOGANS_OF_MODELS: Final = {
    "tanky": _("Hit me again. I was getting bored."),
    "james-bot": _("One oil, ice-cold. Two holes, still smoking."),
    "lazybot": _("I’ll be there. Right after this nap."),
    "albot": _("Give me a second. I have a better idea."),
    "peach": _("Look behind me and you’ll see yourself."),
}
"""The slogans of robot models, by the keys of `rules.MODELS`."""

SLOGANS_OF_LOOKS: Final = {
    "beetle": _("Small feet, big plans."),
    "disc": _("No corners to cut."),
    "wedge": _("One foot in every door."),
    "crab": _("Forward is a matter of opinion."),
    "spider": _("Eight legs, no excuses."),
    "tank": _("Roads are for others."),
    "drone": _("Hovering is just waiting in style."),
    "magnet": _("Opposites attract. So do I."),
}
"""The slogans of robots, by the names of their pictures."""


WORDS: Final = rules.Words(gettext, ngettext, partial(number_format, force_grouping=True))


def sentence_of(event: Mapping[str, Any]) -> str:
    return rules.sentence(event, WORDS)


def translate(text: str | float) -> str:
    """Return a text or number from the rules in the reader's language.

    A text that is not from the rules is returned unchanged.
    """
    return language.told(text, WORDS)


def names_in_words(names: list[str]) -> str:
    """Return a list of names for a sentence: “Bob and Carol”."""
    return language.joined(names, WORDS)


def squad_name(squad: str) -> str:
    """Return the name of a squad for the middle of a sentence: “the red squad”."""
    return WORDS(SQUAD_NAMES[squad])


def direction_name(letter: str) -> str:
    """Return the name of a direction: “north” for N."""
    return WORDS(language.WAYS[letter])


CHOICES: Final = {
    "lives": _("Lives"),
    "spare_lives": _("Spare lives"),
    "hull_damage": _("Hull damage"),
    "scanners": _("Scanners"),
    "equipment": _("Optional equipment"),
    "checkpoints": _("Checkpoints played"),
    "random_checkpoints": _("Random checkpoints"),
    "robot_lasers": _("Robots’ lasers"),
    "piercing_lasers": _("Piercing lasers"),
    "crushers": _("Crushers"),
    "damaged_copies": _("Damaged copies"),
    "programming_aid": _("Programming aid"),
    "shared_deck": _("One deck for all players"),
    "damage_limit": _("Damage that destroys a robot"),
    "power_down": _("Power-down"),
}
"""The names of options and house rules, by key."""

SWITCHES: Final = {
    "hull_damage": _("hull damage"),
    "equipment": _("optional equipment"),
    "robot_lasers": _("robots’ lasers"),
    "piercing_lasers": _("piercing lasers"),
    "crushers": _("crushers"),
    "damaged_copies": _("damaged copies"),
    "programming_aid": _("programming aid"),
    "shared_deck": _("one deck for all players"),
    "power_down": _("power-down"),
}
"""The names of options that are on or off, for a list such as “3 lives, hull damage”."""

SQUADS: Final = {"red": _("Red squad"), "blue": _("Blue squad")}

MODELS = {"james-bot": "James Bot", "lazybot": "LazyBot"}

MINUTE = timedelta(minutes=1)
HOUR = timedelta(hours=1)
DAY = timedelta(days=1)


def time_since(since: datetime) -> str:
    """Return the time since an instant, in the largest unit that fits: “3 h ago”."""
    passed = timezone.now() - since
    if passed < MINUTE:
        return gettext("just now")
    if passed < HOUR:
        return gettext("{number} min ago").format(number=passed // MINUTE)
    if passed < DAY:
        return gettext("{number} h ago").format(number=passed // HOUR)
    days = passed // DAY
    return ngettext("{number} day ago", "{number} days ago", days).format(number=days)


def time_until(until: datetime) -> str:
    """Return the time left until an instant: “3 h 20 min left”."""
    remaining = until - timezone.now()
    if remaining <= timedelta(0):
        return gettext("time is up")
    if remaining < HOUR:
        return gettext("{minutes} min left").format(minutes=max(1, remaining // MINUTE))
    days, hours, minutes = _split(remaining)
    if not days:
        return gettext("{hours} h {minutes} min left").format(hours=hours, minutes=minutes)
    if days >= 3:
        return ngettext("{number} day left", "{number} days left", days).format(number=days)
    words = ngettext("{number} day {hours} h left", "{number} days {hours} h left", days)
    return words.format(number=days, hours=hours)


def duration_in_words(seconds: int) -> str:
    """Return a number of seconds in words. Zero is “empty”, which means an empty time bank.

    >>> duration_in_words(0), duration_in_words(300), duration_in_words(93600), duration_in_words(356400)
    ('empty', '5 min', '1 day 2 h', '4 days')
    """
    if not seconds:
        return gettext("empty")
    time = timedelta(seconds=seconds)
    if time < HOUR:
        return gettext("{number} min").format(number=max(1, time // MINUTE))
    days, hours, minutes = _split(time)
    if not days:
        return gettext("{hours} h {minutes} min").format(hours=hours, minutes=minutes)
    if days >= 3:
        return ngettext("{number} day", "{number} days", days).format(number=days)
    return ngettext("{number} day {hours} h", "{number} days {hours} h", days).format(
        number=days, hours=hours
    )


def _split(time: timedelta) -> tuple[int, int, int]:
    """Split a duration into full days, and the hours and minutes that remain."""
    return time // DAY, time % DAY // HOUR, time % HOUR // MINUTE


def chat_time(at: datetime) -> str:
    """Return the time of a chat message, with its day unless it is today."""
    local, today = timezone.localtime(at), timezone.localdate()
    if today - local.date() >= 7 * DAY:
        return date_format(local, "SHORT_DATETIME_FORMAT")
    time = date_format(local, "TIME_FORMAT")
    return time if local.date() == today else _on_weekday(local, time)


def day_and_time(at: datetime) -> str:
    """Return the weekday, date and time of an instant: “Sun 22 Nov, 12:00”."""
    local = timezone.localtime(at)
    return _on_weekday(local, date_format(local, "SHORT_DATETIME_FORMAT"))


def _on_weekday(local: datetime, time: str) -> str:
    return gettext("{weekday} {time}").format(weekday=WEEKDAYS_ABBR[local.weekday()], time=time)


def time_in_zone(at: datetime) -> str:
    """Return the weekday, date, time and time zone of an instant: “Sun 22 Nov, 12:00 (UTC)”."""
    return gettext("{time} ({zone})").format(time=day_and_time(at), zone=zone_name())


def exact_time(at: datetime) -> str:
    """Return an instant in full: “Sunday, 22 November 2026, 12:00 (UTC)”."""
    local = timezone.localtime(at)
    return gettext("{weekday}, {time} ({zone})").format(
        weekday=WEEKDAYS[local.weekday()], time=date_format(local, "DATETIME_FORMAT"), zone=zone_name()
    )


def zone_name() -> str:
    """Return the name of the reader's time zone: “America/New York”."""
    return timezone.get_current_timezone_name().replace("_", " ")


def day_of(at: datetime) -> str:
    """Return the date of an instant in the reader's time zone."""
    return date_format(timezone.localtime(at), "DATE_FORMAT")


def model_name(model: str) -> str:
    """Return the name of a robot model.

    >>> model_name("james-bot"), model_name("peach")
    ('James Bot', 'Peach')
    """
    return MODELS.get(model, model.capitalize())


def squad_label(squad: str) -> str:
    """Return the label of a squad.

    >>> squad_label("red")
    'Red squad'
    """
    return str(SQUADS.get(squad, squad))


def option_name(key: str) -> str:
    """Return the name of an option or house rule.

    >>> option_name("hull_damage"), option_name("damaged_copies")
    ('Hull damage', 'Damaged copies')
    """
    return str(CHOICES[key]) if key in CHOICES else key.replace("_", " ").capitalize()


def value_in_words(value: int | bool) -> str:
    """Return the value of an option in words.

    >>> value_in_words(True), value_in_words(3)
    ('yes', '3')
    """
    if isinstance(value, bool):
        return gettext("yes") if value else gettext("no")
    return str(value)


def lives_in_words(number: int, *, spares: bool) -> str:
    """Return a number of lives in words, or of spare lives if a robot pays one to come back (G-9.1).

    >>> lives_in_words(3, spares=False), lives_in_words(1, spares=True), lives_in_words(0, spares=True)
    ('3 lives', '1 spare life', 'no spare lives')
    """
    if not spares:
        words = ngettext("{number} life", "{number} lives", number)
    elif number:
        words = ngettext("{number} spare life", "{number} spare lives", number)
    else:
        return gettext("no spare lives")
    return words.format(number=number)


def option_in_words(key: str, value: int | bool) -> str:
    """Return the value of an option in words, or an empty text if the option is off.

    ``key`` is the option's `rules.setup.Option.name_key`.

    >>> option_in_words("lives", 3), option_in_words("hull_damage", True), option_in_words("scanners", 0)
    ('3 lives', 'hull damage', '')
    """
    if key in ("lives", "spare_lives"):
        return lives_in_words(value, spares=key == "spare_lives")
    if not value:
        return ""
    match key:
        case "scanners":
            words = ngettext("{number} scanner", "{number} scanners", value)
        case "checkpoints":
            words = ngettext("{number} checkpoint", "{number} checkpoints", value)
        case "random_checkpoints":
            words = ngettext("{number} random checkpoint", "{number} random checkpoints", value)
        case _:
            return str(SWITCHES[key]) if key in SWITCHES else option_name(key)
    return words.format(number=value)
