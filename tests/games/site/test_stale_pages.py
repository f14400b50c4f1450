"""A form from an outdated page does not overwrite newer changes."""

import html
import re
from collections.abc import Callable
from datetime import timedelta
from functools import partial
from typing import NamedTuple

from django.test import Client
from django.urls import get_resolver
from django.utils import timezone

from accounts.inputs import GuardedForm
from accounts.models import User
from accounts.settings import change_preferences
from games.clocks.services import change_rest
from games.clubs.services import change_club, create_club
from games.competitions.services.matching import find_game, seek_game
from games.competitions.services.tournaments import change_draft, create_tournament
from games.fleet.lists import change_list, create_list
from tests.games.competitions.hosting import terms
from tests.games.support import Table


class Case(NamedTuple):
    """A form: its path, the sender's changes, and changes in another tab meanwhile."""

    path: str
    filled: dict[str, str]
    elsewhere: Callable[[], object]
    label: str


def test_forms_replace_only_values_that_their_sender_has_seen(
    db: None, alice: User, table: Table, client: Client
) -> None:
    now = timezone.now()
    club = create_club(user=alice, name="Orbit", text="", entry="open", now=now)
    rules = partial(terms, table, starts_at=now + timedelta(days=3), club=club.slug)
    cup = create_tournament(user=alice, terms=rules(), now=now)
    seek_game(user=alice, wish={"pace": "day", "least": 2, "most": 4}, now=now)
    made = create_list(user=alice, name="Ships", text="", seen_by="owner", now=now)
    cases = [
        Case(
            f"/clubs/{club.slug}/edit/",
            {"name": "Orbit 2"},
            lambda: change_club(
                user=alice, slug=club.slug, name="Orbit", text="Elsewhere.", entry="open", now=now
            ),
            "About the club",
        ),
        Case(
            f"/starships/lists/{made.pk}/edit/",
            {"name": "Ships 2"},
            lambda: change_list(
                user=alice, list_id=made.pk, name="Ships", text="Elsewhere.", seen_by="owner", now=now
            ),
            "Description",
        ),
        Case(
            f"/tournaments/{cup.pk}/edit/",
            {"name": "Winter Cup"},
            lambda: change_draft(
                user=alice, tournament_id=cup.pk, terms=rules(text="Elsewhere.", size=3), now=now
            ),
            "About the tournament, Players at a table",
        ),
        Case(
            "/games/find/",
            {"pace": "slow"},
            lambda: find_game(user=alice, wish={"ruleset": "robo-arena"}, change=True, now=now),
            "Ruleset",
        ),
        Case(
            "/settings/profile/",
            {"shows_games": "nobody"},
            lambda: change_preferences(user=_again(alice), time_zone="Asia/Tokyo"),
            "Time zone",
        ),
        Case(
            "/settings/news/",
            {"daily_hour": "7"},
            lambda: change_preferences(user=_again(alice), silenced=["away"]),
            "Never notify me about",
        ),
        Case(
            "/settings/time/",
            {"takes_vacation": "on"},
            lambda: change_rest(user=_again(alice), days_off=(6,), night=None, takes_vacation=False),
            "Days off",
        ),
    ]
    client.force_login(alice)
    for case in cases:
        shown = client.get(case.path).content.decode()
        sent = fields(shown) | case.filled
        case.elsewhere()
        kept = fields(client.get(case.path).content.decode())
        page = client.post(case.path, sent)
        assert page.status_code in (200, 422), case.path
        answer = page.content.decode()
        assert f"since you opened this page: {case.label}. Check them, then save again." in html.unescape(
            answer
        ), case.path
        assert fields(client.get(case.path).content.decode()) == kept, case.path
        again = fields(answer)
        assert {name: again.get(name) for name in case.filled} == case.filled, "nothing is lost"
        assert client.post(case.path, again).status_code == 302, case.path
        now_kept = fields(client.get(case.path).content.decode())
        assert {name: now_kept.get(name) for name in case.filled} == case.filled, case.path


def test_every_guarded_form_is_covered() -> None:
    assert get_resolver().url_patterns  # loads all forms
    names = {each.__name__ for each in GuardedForm.__subclasses__()}
    staff = {"MissionForm", "StarshipForm"}  # covered in tests/games/fleet/test_*_admin.py
    channels = {"GroupChannelChangesForm"}  # covered in tests/games/groups/test_channels.py
    branches = {"BranchForm"}  # covered in tests/games/branches/test_forms.py
    assert (
        names
        == {
            "ClubChangesForm",
            "TournamentChangesForm",
            "SearchForm",
            "StarshipListChangesForm",
            "NewsChangesForm",
            "ProfileForm",
            "RestForm",
        }
        | staff
        | channels
        | branches
    )


def _again(user: User) -> User:
    return User.objects.get(pk=user.pk)


def fields(page: str) -> dict[str, list[str] | str]:
    """Return the fields of the form that has ``instead_of``, unchanged."""
    form = next(each for each in re.findall(r"(?s)<form.*?</form>", page) if 'name="instead_of"' in each)
    found: dict[str, list[str]] = {}
    for tag in re.findall(r"<input[^>]*>", form):
        given = dict(re.findall(r'([\w-]+)="([^"]*)"', tag))
        name, chosen = given.get("name", ""), given.get("type") in ("radio", "checkbox")
        if name in ("", "csrfmiddlewaretoken") or (chosen and " checked" not in tag):
            continue
        found.setdefault(name, []).append(html.unescape(given.get("value", "on" if chosen else "")))
    for name, body in re.findall(r'(?s)<select[^>]*name="([^"]*)".*?>(.*?)</select>', form):
        found[name] = re.findall(r'value="([^"]*)" selected', body)
    for name, body in re.findall(r'(?s)<textarea[^>]*name="([^"]*)"[^>]*>(.*?)</textarea>', form):
        found[name] = [html.unescape(body.strip())]
    return {name: values[0] if len(values) == 1 else values for name, values in found.items()}
