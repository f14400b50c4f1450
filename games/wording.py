"""Times, numbers and choices as people say them."""

from datetime import datetime, timedelta

from django.utils import timezone

CHOICES = {
    "lives": "Lives",
    "hull_damage": "Hull damage",
    "scanners": "Scanners",
    "equipment": "Optional equipment",
    "checkpoints": "Checkpoints played",
    "robot_lasers": "Robots’ lasers",
    "piercing_lasers": "Piercing lasers",
    "shared_deck": "One deck for all",
    "damage_limit": "Damage that destroys",
    "power_down": "Power-down",
}
"""Options and house rules as they are called, where that is not their key."""

MODELS = {"james-bot": "James Bot", "lazybot": "LazyBot"}

MINUTE = timedelta(minutes=1)
HOUR = timedelta(hours=1)
DAY = timedelta(days=1)


def ago(since: datetime) -> str:
    """Say how long ago something was, in the largest unit that fits."""
    passed = timezone.now() - since
    return "just now" if passed < MINUTE else f"{_roughly(passed)} ago"


def left(until: datetime) -> str:
    """Say how much time is left."""
    remaining = until - timezone.now()
    if remaining <= timedelta(0):
        return "time is up"
    return f"{_closely(remaining)} left"


def stretch(seconds: int) -> str:
    """Say how long a number of seconds are.

    >>> stretch(0), stretch(300), stretch(93600), stretch(356400)
    ('empty', '5 min', '1 day 2 h', '4 days')
    """
    return _closely(timedelta(seconds=seconds)) if seconds else "empty"


def said(at: datetime) -> str:
    """Say when someone said something, as shortly as it goes: the time today, with the day before that."""
    local, today = timezone.localtime(at), timezone.localdate()
    if local.date() == today:
        return f"{local:%H:%M}"
    return f"{local:%a %H:%M}" if today - local.date() < 7 * DAY else f"{local.day} {local:%b, %H:%M}"


def model_name(model: str) -> str:
    """Return a robot's model as it is called.

    >>> model_name("james-bot"), model_name("peach")
    ('James Bot', 'Peach')
    """
    return MODELS.get(model, model.capitalize())


def choice_name(key: str) -> str:
    """Return what an option or a house rule is called.

    >>> choice_name("hull_damage"), choice_name("damaged_copies")
    ('Hull damage', 'Damaged copies')
    """
    return CHOICES.get(key, key.replace("_", " ").capitalize())


def choice(value: int | bool) -> str:
    """Say what an option is set to.

    >>> choice(True), choice(3)
    ('yes', '3')
    """
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)


def option_in_words(key: str, value: int | bool) -> str:
    """Say what an option is set to; nothing where it is off.

    >>> option_in_words("lives", 3), option_in_words("hull_damage", True), option_in_words("scanners", 0)
    ('3 lives', 'hull damage', '')
    """
    name = {"lives": "life" if value == 1 else "lives", "scanners": "scanner" if value == 1 else "scanners"}
    if isinstance(value, bool):
        return choice_name(key).lower() if value else ""
    return f"{value} {name.get(key, choice_name(key).lower())}" if value else ""


def _roughly(time: timedelta) -> str:
    if time < HOUR:
        return f"{time // MINUTE} min"
    if time < DAY:
        return f"{time // HOUR} h"
    return _counted(time // DAY, "day")


def _closely(time: timedelta) -> str:
    """Name the two largest units, as long as the second matters."""
    if time < HOUR:
        return f"{max(1, time // MINUTE)} min"
    if time < DAY:
        return f"{time // HOUR} h {time % HOUR // MINUTE} min"
    days = _counted(time // DAY, "day")
    return f"{days} {time % DAY // HOUR} h" if time < 3 * DAY else days


def _counted(number: int, unit: str) -> str:
    return f"{number} {unit}{'' if number == 1 else 's'}"
