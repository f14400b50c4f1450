"""What waits for staff, on pages of the admin."""

from django import template

from games.conduct.selectors.queue import number_of_appeals, number_of_cases
from games.dock.selectors.reports import number_of_held_reviews, number_of_open_reports
from games.play.selectors.health import open_alarms

register = template.Library()

register.simple_tag(open_alarms)
register.simple_tag(number_of_cases)
register.simple_tag(number_of_appeals)
register.simple_tag(number_of_held_reviews)
register.simple_tag(number_of_open_reports)
