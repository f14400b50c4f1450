"""The Django admin of starships and games.

Here, staff edit starships, missions, site notices and maintenance. They can view games, seats, turns,
programs, records, notifications, tokens, outages, replacements, reports, cases and earlier actions of staff,
and run admin actions on them.
Every change goes through the services of the rooms (the packages of `games`).
"""

from typing import Final

from django.conf import settings
from django.contrib import admin

from games.admission import admin as admission
from games.fleet import admin as fleet
from games.moderation.admin import cases, reports
from games.news import admin as news
from games.people.admin import accounts, records
from games.play import admin as play
from games.site import admin as site
from games.staff import admin as staff

ROOMS: Final = (play, fleet, news, accounts, records, cases, reports, staff, site, admission)
"""The modules with admin pages. Each module registers its pages when it is imported."""

admin.site.site_header = settings.SITE_NAME
admin.site.site_title = settings.SITE_NAME
admin.site.index_title = "Administration"
