"""Template filters for games, times, numbers, ratings and ranks in words."""

from datetime import date, datetime
from functools import lru_cache

from django import template
from django.template.context import Context
from django.template.defaultfilters import date as date_filter
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext

import rules
from accounts.languages import quoted
from accounts.models import User
from games import wording
from games.clocks.clock import Live, Pace
from games.clocks.paces import pace_in_words
from games.clocks.selectors import DAYS_A_YEAR, allows_vacation
from games.fleet.models import Course, StarshipRevision
from games.fleet.search import class_of_board
from games.fleet.selectors import players
from games.lobby.selectors import terms_mark
from games.news.kinds import hand_in_words
from games.play import stored
from games.play.models import Game, Seat
from games.play.policy import absence_in_words
from games.play.selectors import early_end_in_words, is_paused, winner_name
from games.standings.awards import RANKS
from games.standings.pages import pool_name
from games.standings.selectors.awards import RankView, rank_of
from games.wording import (
    chat_time,
    day_and_time,
    day_of,
    duration_in_words,
    exact_time,
    model_name,
    option_name,
    squad_label,
    squad_name,
    time_in_zone,
    time_since,
    time_until,
    value_in_words,
)

register = template.Library()

for say in (
    time_since,
    value_in_words,
    option_name,
    day_and_time,
    exact_time,
    early_end_in_words,
    time_until,
    model_name,
    players,
    chat_time,
    quoted,
    squad_label,
    squad_name,
    duration_in_words,
    time_in_zone,
    winner_name,
    hand_in_words,
):
    register.filter(say)


@register.filter
def time_ago(since: datetime) -> SafeString:
    """Return the time since a moment as inline HTML, with the exact time on hover."""
    exact = exact_time(since)
    machine = date_filter(timezone.localtime(since), "c")
    return format_html('<time datetime="{}" title="{}">{}</time>', machine, exact, time_since(since))


@register.filter
def on_day(at: datetime) -> SafeString:
    """Return a date in the reader's time zone as HTML, with the time on hover."""
    machine = date_filter(timezone.localtime(at), "c")
    return format_html('<time datetime="{}" title="{}">{}</time>', machine, exact_time(at), day_of(at))


@register.filter
def time_left(until: datetime, game: Game | None = None) -> SafeString:
    """Return the time left as HTML. A script updates the time, and warns if it is short."""
    short = short_of_time(game) if game else None
    up = until <= timezone.now()
    opening = _until(until, short, up, timezone.get_current_timezone_name(), get_language())
    return format_html("{}{}</time>", opening, time_until(until))


@lru_cache(maxsize=1024)
def _until(until: datetime, short: int | None, up: bool, zone: str, language: str) -> SafeString:
    exact = exact_time(until)
    machine = date_filter(timezone.localtime(until), "c")
    attribute = "" if short is None else format_html(' data-short="{}"', short)
    opening = '<time class="time-left{}" datetime="{}" title="{}" data-until{}>'
    return format_html(opening, " is-up" if up else "", machine, exact, attribute)


@register.simple_tag(takes_context=True)
def local_time(context: Context, at: datetime) -> str:
    """Return the weekday, date and time, with the time zone for readers without an account."""
    return day_and_time(at) if context["user"].is_authenticated else time_in_zone(at)


@register.filter
def short_of_time(game: Game) -> int:
    """Return the number of seconds below which a player's time counts as short.

    This is a quarter of the time for a turn in live games, and an hour in other games.
    """
    pace = stored.pace_of(game)
    return pace.minutes * 60 // 4 if isinstance(pace, Live) else 3600


@register.filter
def pace(game: Game) -> str:
    return pace_in_words(stored.pace_of(game))


@register.filter
def terms(game: Game) -> str:
    """Return a hash of a game's terms. When players agree to the terms, their browser sends the hash back."""
    return terms_mark(game)


@register.filter
def pace_words(pace: Pace) -> str:
    return pace_in_words(pace)


@register.filter
def absence(game: Game) -> str:
    return absence_in_words(stored.absence_of(game))


@register.filter
def paused(game: Game) -> bool:
    return is_paused(game=game, now=timezone.now())


@register.filter
def has_vacation(game: Game) -> int:
    """Return the number of vacation days a year in a game, or 0 if it has no vacation."""
    return DAYS_A_YEAR if allows_vacation(stored.pace_of(game)) else 0


@register.filter
def model_text(model: str) -> str:
    """Describe the special feature of a robot model."""
    return gettext(rules.MODELS[model])


@register.filter
def model_slogan(model: str) -> str:
    """Return the slogan of a robot model, or an empty text if there is no such model."""
    return str(wording.SLOGANS_OF_MODELS.get(model, ""))


@register.filter
def class_name(board: StarshipRevision | Course) -> str:
    return str(class_of_board(board).name)


@register.filter
def ruleset_name(game: Game | str) -> str:
    """Return the name of a ruleset, given its key or a game."""
    return rules.ruleset(game if isinstance(game, str) else game.ruleset).name


register.filter(pool_name)


@register.simple_tag
def rank(robo_name: str) -> RankView | None:
    """Return the rank of the player with this Robo Name, or None for an unknown name."""
    user = User.objects.filter(robo_name__iexact=robo_name).first()
    return rank_of(user=user) if user else None


@register.filter
def rank_name(key: str) -> str | Promise:
    return next((each.name for each in RANKS if each.key == key), key)


@register.filter
def level_name(level: str) -> str:
    """Return the name of a computer's level, or an empty text if there is no such level."""
    return str(dict(Seat.Level.choices).get(level, ""))


@register.filter
def in_address(month: date) -> str:
    """Return a month as text for a URL: “2026-11”."""
    return f"{month:%Y-%m}"
