"""Numbers in documents match the code."""

import re
from datetime import timedelta
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings

ROOT = Path(__file__).parents[2]
SECONDS = {"days": 86_400, "hours": 3_600, "minutes": 60}

LIMITS = {
    "retention": {
        "deleted with the guest, {} days": "roborunner.settings.GUEST_DAYS",
        "A guest: {} days after they last came": "roborunner.settings.GUEST_DAYS",
        "waits for players is cancelled after {} days": "roborunner.settings.LOBBY_DAYS",
        "address is not confirmed: {} hours": "accounts.services.WAITS",
        "used | {} days after they were last seen": "accounts.sessions.TRACES_KEPT",
        "expire: after {} days": "games.people.models.LIFETIME",
        "owner chose, {} days at most": "games.people.tokens.LONGEST_LIFETIME",
        "the last {} tokens": "games.people.tokens.MOST_TOKENS",
        "drawing: {} drafts": "games.shipyard.services.MOST_DRAFTS",
        "the last {} versions": "games.shipyard.services.VERSIONS_KEPT",
        "try: {} bays": "games.dock.selectors.BAYS",
        "which a ship leaves {} days": "games.dock.models.WARNING",
        "not played on it for {} days": "games.dock.models.IDLE_AFTER",
        "the last {} runs": "games.shipyard.tunnel.RUNS_KEPT",
        "the last {} suggestions": "games.shipyard.suggestions.SEARCHES_KEPT",
        "switched off after {} days": "games.news.channels.webhook.FAILING",
        "the last {} browsers": "games.news.channels.browser.MOST_BROWSERS",
        "valid for {} days": "django.conf.settings.SESSION_COOKIE_AGE",
        "and {} days after logging in": "accounts.sessions.LONGEST",
        "the last {} boots": "games.clocks.machine_clock.BOOTS",
        "until it is sent, at most {} hours": "accounts.mail.GOOD_FOR",
        "favourite starships: {} ships": "games.fleet.selectors.MOST_FAVOURITES",
        "made: {} lists": "games.fleet.lists.MOST_LISTS",
        "lists of {} ships": "games.fleet.models.SHIPS_IN_LIST",
        "reports {} days after": "games.moderation.sanctions.REPORTS_KEPT",
        "listed until {} days": "games.standings.selectors.results.IDLE",
    },
    "tournaments": {
        "1 to {} rounds": "games.competitions.services.tournaments.MOST_ROUNDS",
        "1 to {} starships": "games.competitions.services.tournaments.MOST_SHIPS",
        "At most {} players can enter": "games.competitions.services.tournaments.MOST_ENTRANTS",
        "or {} in a league": "games.competitions.formats.MOST_IN_A_LEAGUE",
        "within {} days count": "games.competitions.services.tournaments.MONTH",
        "within the next {} days": "games.competitions.services.tournaments.LATEST",
        "a reliability of {} % or more": "games.competitions.services.tournaments.LEAST_RELIABILITY",
        "shows the last {} that are over": "games.competitions.pages.FINISHED_LISTED",
    },
    "clubs": {
        "up to {} members": "games.clubs.services.MOST_MEMBERS",
        "belong to {} clubs": "games.clubs.services.MOST_JOINED",
        "be captain of {}.": "games.clubs.services.MOST_LED",
    },
    "conduct": {
        "can send {} reports of players a day, and": "games.moderation.sanctions.PLAYER_REPORTS_A_DAY",
        "can send {} reports of players a day.": "games.moderation.sanctions.NEWCOMER_REPORTS_A_DAY",
        "stores two hashes for {} days": "accounts.sessions.TRACES_KEPT",
    },
    "library": {
        "up to {} ships as your favourites": "games.fleet.selectors.MOST_FAVOURITES",
        "can have {} lists": "games.fleet.lists.MOST_LISTS",
        "lists of up to {} ships": "games.fleet.models.SHIPS_IN_LIST",
    },
    "players": {
        "can follow {} players": "games.people.contacts.MOST_CONTACTS",
        "block {}, and": "games.people.contacts.MOST_CONTACTS",
        "can name {} players": "games.people.contacts.MOST_HOUSEMATES",
    },
    "shipyard": {
        "can keep {} drafts": "games.shipyard.services.MOST_DRAFTS",
        "keeps {} earlier versions": "games.shipyard.services.VERSIONS_KEPT",
        "The last {} runs": "games.shipyard.tunnel.RUNS_KEPT",
        "for {} days, you get a warning": "games.dock.models.IDLE_AFTER",
        "ask for {} ships a day": "games.shipyard.suggestions.SEARCHES_A_DAY",
        "can publish {} versions a day": "games.dock.services.VERSIONS_A_DAY",
        "and start {} a day": "games.shipyard.tunnel.RUNS_A_DAY",
    },
}
"""For each document, phrases with a number, and the constant that decides it."""


def in_units(value: Any, unit: str) -> float:
    """Convert a constant to the unit of a phrase. Times of 3,600 or more are seconds."""
    if isinstance(value, timedelta):
        return value.total_seconds() / SECONDS[unit]
    return float(value / SECONDS[unit] if unit in SECONDS and value >= 3_600 else value)


@pytest.mark.parametrize(
    ("page", "phrase", "name"),
    [(page, phrase, name) for page, phrases in LIMITS.items() for phrase, name in phrases.items()],
)
def test_a_number_is_the_constant(page: str, phrase: str, name: str) -> None:
    text = re.sub(r"\s+", " ", (ROOT / f"docs/{page}.md").read_text())
    before, after = map(re.escape, phrase.split("{}"))
    (number,) = set(re.findall(rf"{before}([\d,]+){after}", text)) or {"no such phrase"}
    module, _, constant = name.rpartition(".")
    place = settings if module.endswith("settings") else import_module(module)
    unit = re.match(r"\W*(\w+)", phrase.split("{}")[1])
    assert int(number.replace(",", "")) == in_units(getattr(place, constant), unit[1] if unit else ""), name
