"""The Django admin of starships and games.

Here, staff edit starships and missions. They can view games, seats, turns, programs, records, notifications,
tokens, outages, replacements, reports, cases and earlier actions of staff, and run admin actions on them.
Every change goes through the services of the rooms (the packages of `games`).
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
"""The modules with admin pages. Each module registers its pages when it is imported."""

admin.site.site_header = "Robo Runner"
admin.site.site_title = "Robo Runner"
admin.site.index_title = "Administration"
