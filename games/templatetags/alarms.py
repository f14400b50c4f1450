"""Alarms on pages of the admin."""

from django import template

from games.play.selectors.health import open_alarms

register = template.Library()

register.simple_tag(open_alarms)
