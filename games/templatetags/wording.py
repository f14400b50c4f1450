"""Times and numbers as people say them."""

from datetime import datetime, timedelta

from django import template
from django.template.defaultfilters import date
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString

import rules
from games import slogans, stored
from games.absence.policy import absence_in_words
from games.clocks.clock import Live, Pace
from games.clocks.paces import pace_in_words
from games.clocks.selectors.vacations import DAYS_A_YEAR, lets_vacation
from games.fleet.models import Starship
from games.lobby.selectors.lobby import terms_mark
from games.play.models import Game
from games.play.selectors.pauses import is_paused

register = template.Library()

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


@register.filter
def ago(since: datetime) -> str:
    """Say how long ago something was, in the largest unit that fits."""
    passed = timezone.now() - since
    return "just now" if passed < MINUTE else f"{_roughly(passed)} ago"


@register.filter
def left(until: datetime) -> str:
    """Say how much time is left."""
    remaining = until - timezone.now()
    if remaining <= timedelta(0):
        return "time is up"
    return f"{_closely(remaining)} left"


@register.filter
def time_ago(since: datetime) -> SafeString:
    """Say how long ago something was, with the exact time on hover: as HTML, to stand within a sentence."""
    exact = date(timezone.localtime(since), "l j F Y, H:i")
    machine = date(timezone.localtime(since), "c")
    return format_html('<time datetime="{}" title="{}">{}</time>', machine, exact, ago(since))


@register.filter
def time_left(until: datetime, game: Game | None = None) -> SafeString:
    """Say how much time is left, as HTML that a script keeps up to date, and when it is short in a game."""
    exact = date(timezone.localtime(until), "l j F, H:i")
    machine = date(timezone.localtime(until), "c")
    short = format_html(' data-short="{}"', short_of_time(game)) if game else ""
    opening = format_html(
        '<time class="time-left" datetime="{}" title="{}" data-until{}>', machine, exact, short
    )
    return format_html("{}{}</time>", opening, left(until))


@register.filter
def short_of_time(game: Game) -> int:
    """Return how many seconds are short of time: an hour, or a quarter of a turn in a live game."""
    pace = stored.pace_of(game)
    return pace.minutes * 60 // 4 if isinstance(pace, Live) else 3600


@register.filter
def stretch(seconds: int) -> str:
    """Say how long so many seconds are.

    >>> stretch(0), stretch(300), stretch(93600), stretch(356400)
    ('empty', '5 min', '1 day 2 h', '4 days')
    """
    return _closely(timedelta(seconds=seconds)) if seconds else "empty"


@register.filter
def said(at: datetime) -> str:
    """Say when somebody said something, as shortly as it goes: the time today, with the day before that."""
    local, today = timezone.localtime(at), timezone.localdate()
    if local.date() == today:
        return f"{local:%H:%M}"
    return f"{local:%a %H:%M}" if today - local.date() < 7 * DAY else f"{local.day} {local:%b, %H:%M}"


@register.filter
def pace(game: Game) -> str:
    """Say how fast a game is played."""
    return pace_in_words(stored.pace_of(game))


@register.filter
def terms(game: Game) -> str:
    """Return the mark of the terms that a page shows, for who agrees to them there."""
    return terms_mark(game)


@register.filter
def pace_words(pace: Pace) -> str:
    """Say how fast a pace is."""
    return pace_in_words(pace)


@register.filter
def absence(game: Game) -> str:
    """Say what becomes of players who miss turns."""
    return absence_in_words(stored.absence_of(game))


@register.filter
def paused(game: Game) -> bool:
    """Return whether the clocks of a game stand still."""
    return is_paused(game=game, now=timezone.now())


@register.filter
def has_deadlines(game: Game) -> bool:
    """Return whether the time for a turn is limited."""
    return stored.pace_of(game) is not None


@register.filter
def has_vacation(game: Game) -> int:
    """Return how many days of vacation a year players of a game have; 0 where there is none."""
    return DAYS_A_YEAR if lets_vacation(stored.pace_of(game)) else 0


@register.filter
def players(starship: Starship) -> str:
    """Say for how many players a starship is meant."""
    least, most = starship.seats_least, starship.seats_most
    if most == 1:
        return "for one"
    return f"for {least}" if least == most else f"for {least} to {most}"


@register.filter
def model_slogan(model: str) -> str:
    """Return what a model says of itself; nothing where it is none."""
    return slogans.MODELS.get(model, "")


@register.filter
def model_name(model: str) -> str:
    """Return a robot's model as it is called.

    >>> model_name("james-bot"), model_name("peach")
    ('James Bot', 'Peach')
    """
    return MODELS.get(model, model.capitalize())


@register.filter
def ruleset_name(game: Game | str) -> str:
    """Return what a game is played by, or the ruleset of a key, as it is called."""
    return rules.ruleset(game if isinstance(game, str) else game.ruleset).name


@register.filter
def winner_name(game: Game) -> str:
    """Return who has won a game: a robot, or a squad."""
    if game.winner in rules.ruleset(game.ruleset).squads:
        return f"the {game.winner} squad"
    return game.winner


@register.filter
def how_it_broke_off(game: Game) -> str:
    """Return a sentence that says what ended a game that its rules did not end."""
    match game.ending:
        case Game.Ending.CONCEDED:
            return f"The others have conceded: {winner_name(game)} wins."
        case Game.Ending.VOTED:
            return "Its players have called the game off by vote: nobody wins."
        case Game.Ending.RESIGNED if game.status == Game.Status.CANCELLED:
            return "The last player gave up before the first turn: the game counts for no player."
        case Game.Ending.RESIGNED if game.winner:
            return f"The game ended by resignation: {winner_name(game)} wins."
        case Game.Ending.RESIGNED:
            return "The last player gave up: the game is lost."
        case Game.Ending.DESERTED:
            return "Nobody was left who played this game: it was called off, and nobody wins."
    return "Staff have called the game off: nobody wins."


@register.filter
def choice_name(key: str) -> str:
    """Return what an option or a house rule is called.

    >>> choice_name("hull_damage"), choice_name("damaged_copies")
    ('Hull damage', 'Damaged copies')
    """
    return CHOICES.get(key, key.replace("_", " ").capitalize())


@register.filter
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
