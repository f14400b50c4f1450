"""Robots in templates, by their looks."""

from django import template
from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import gettext

from accounts.deletion import PREFIX
from games import slogans
from games.fleet.pages.pictures import robot_picture
from rules.drawing.silhouettes import SILHOUETTES

register = template.Library()


@register.simple_tag
def robot(look: int | str) -> SafeString:
    """Draw the robot of a look, counted from 1, as decoration beside its name."""
    return robot_picture(int(look))


@register.simple_tag(takes_context=True)
def robo_name(context: template.Context, name: str) -> SafeString:
    """Return a player's name with the link to their page, to stand within a sentence."""
    return render_to_string("components/robo_name.html", {"name": name, "user": context.get("user")})


@register.filter
def is_placeholder(name: str) -> bool:
    """Return whether a name stands for someone whose account was deleted: there is no page of them."""
    return name.startswith(PREFIX)


@register.filter
def look_name(look: int | str) -> str:
    """Say what a robot looks like.

    >>> look_name(1)
    'beetle'
    """
    return gettext(SILHOUETTES[int(look) - 1].name)


@register.filter
def look_slogan(look: int | str) -> str:
    """Return what a robot of a look says of itself."""
    return str(slogans.LOOKS[SILHOUETTES[int(look) - 1].name])
