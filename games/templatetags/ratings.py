"""Ratings, for templates."""

from django import template

from games.standings.pages import pool_name

register = template.Library()
register.filter(pool_name)
