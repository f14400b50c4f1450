"""The Django admin of starships and games.

Starships are edited here; of games, seats, turns, programs, records, notifications, tokens, outages, seats
that passed on and what staff did there is a look, and what can be done about them. Whatever changes anything
goes through the rooms' services.
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
"""Modules that register pages of the admin when they are imported."""

admin.site.site_header = "Robo Runner"
admin.site.site_title = "Robo Runner"
admin.site.index_title = "Administration"
