"""The Django admin of starships and games.

Staff edit starships here. They can see games, seats, turns, programs, records, notifications, tokens,
outages, replacements and the actions of staff, and act on them. Every change goes through the services of the
rooms.
"""

from typing import Final

from django.contrib import admin

from games.fleet import admin as fleet
from games.moderation.admin import cases, reports
from games.news import admin as news
from games.people import admin as people
from games.play import admin as play
from games.staff import admin as staff

ROOMS: Final = (play, fleet, news, people, cases, reports, staff)
"""Modules with pages of the admin. Each registers its pages on import."""

admin.site.site_header = "Robo Runner"
admin.site.site_title = "Robo Runner"
admin.site.index_title = "Administration"
