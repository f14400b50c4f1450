"""The Django admin of starships and games.

Starships are edited here; of games, seats, turns, programs, records, notifications, tokens, outages, seats
that passed on and what staff did there is a look, and what can be done about them. Whatever changes anything
goes through the rooms' services.
"""

from django.contrib import admin

from games.admin import (
    conduct,
    games,
    interventions,
    outages,
    people,
    records,
    replacements,
    reports,
    reviews,
    tokens,
    turns,
)
from games.fleet import admin as fleet
from games.news import admin as notices
from games.staff import admin as staff

admin.site.site_header = "Robo Runner"
admin.site.site_title = "Robo Runner"
admin.site.index_title = "Administration"
