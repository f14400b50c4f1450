"""Ratings, for templates."""

from django import template

from games.ratings.pages.pools import pool_name

register = template.Library()
register.filter(pool_name)
