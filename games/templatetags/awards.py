"""Ranks and months, for templates."""

from datetime import date

from django import template
from django.utils.functional import Promise

from accounts.models import User
from games.standings.awards import RANKS
from games.standings.selectors.awards import RankView, rank_of

register = template.Library()


@register.simple_tag
def rank(robo_name: str) -> RankView | None:
    """Return the rank of a player, by their name."""
    user = User.objects.filter(robo_name__iexact=robo_name).first()
    return rank_of(user=user) if user else None


@register.filter
def rank_name(key: str) -> str | Promise:
    """Return what a rank is called."""
    return next((each.name for each in RANKS if each.key == key), key)


@register.filter
def in_address(month: date) -> str:
    """Return a month as it is written in addresses."""
    return f"{month:%Y-%m}"
