"""Players' robots beside their names."""

import re
from pathlib import Path

from django.contrib.staticfiles import finders
from django.template import Context, Template

from accounts.services import DELETED_PREFIX
from games.fleet.pictures import robots_sheet


def shown(source: str, **context: object) -> str:
    return Template("{% load pictures %}" + source).render(Context(context))


def robot_in(html: str) -> str | None:
    found = re.search(r"site/robots[.\w]*\.svg#(robot-\d)", html)
    return found and found[1]


def test_the_file_of_robots_is_what_the_drawing_makes():
    """If this fails, write `robots_sheet()` to static/site/robots.svg."""
    path = finders.find("site/robots.svg")
    assert path and Path(path).read_text() == robots_sheet()
    assert "<use" not in robots_sheet() and robots_sheet().count("<symbol") == 8


def test_a_favourite_robot_is_beside_its_players_name():
    html = shown("{% robo_name 'Alice' 5 %}")
    assert robot_in(html) == "robot-5"
    assert '<a class="robo-name" href="/players/Alice/">Alice</a>' in html and 'aria-hidden="true"' in html


def test_a_player_without_a_favourite_always_has_the_same_robot():
    robots = {name: robot_in(shown("{% robo_name name %}", name=name)) for name in ("Alice", "Bob", "Carol")}
    assert None not in robots.values() and len(set(robots.values())) > 1
    assert robot_in(shown("{% robo_name 'Bob' None %}")) == robots["Bob"]


def test_computers_have_a_robot_and_no_page():
    html = shown("{% robo_name 'Ace Beetle' 1 computer='ace' %}")
    assert robot_in(html) == "robot-1" and "<a" not in html


def test_a_deleted_account_has_neither_robot_nor_page():
    name = f"{DELETED_PREFIX}12"
    assert shown("{% robo_name name 3 %}", name=name) == name


def test_names_cannot_bring_markup():
    assert "<b>" not in shown("{% robo_name name computer='ace' %}", name="<b>x")
