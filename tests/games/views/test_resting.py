"""The page on which people say when their clocks are to stand still, and what others see of it."""

from datetime import time

import pytest
from django.test import Client

from accounts.models import User
from games import services
from games.models import Rest
from tests.games.support import Table

FORM = {"days_off": ["5", "6"], "night_from": "22:00", "night_until": "06:30"}


def test_a_person_says_when_their_clocks_stand_still(client: Client, alice: User) -> None:
    client.force_login(alice)
    assert "Your clocks run day and night" in client.get("/preferences/time/").content.decode()
    page = client.post("/preferences/time/", FORM, follow=True).content.decode()
    assert "Your clocks stand still on Saturdays and Sundays, and from 22:00 to 06:30" in page
    assert page.count(" checked") == 2
    rest = Rest.objects.get()
    assert (rest.user, rest.days_off) == (alice, [5, 6])
    assert (rest.night_from, rest.night_until) == (time(22), time(6, 30))
    client.post("/preferences/time/", {})
    assert "Your clocks run day and night" in client.get("/preferences/time/").content.decode()


@pytest.mark.parametrize(
    ("form", "sentence"),
    [
        ({"days_off": ["0", "1", "2", "3"]}, "At most 3 days of the week can be off."),
        ({"days_off": ["7"]}, "A week has seven days: 7 is none of them."),
        ({"days_off": ["Sunday"]}, "A week has seven days: Sunday is none of them."),
        ({"night_from": "22:00"}, "say both, or neither"),
        ({"night_until": "06:00"}, "say both, or neither"),
        ({"night_from": "10 pm", "night_until": "06:00"}, "Say a time of day, such as 22:00"),
        ({"night_from": "20:00", "night_until": "08:01"}, "A night lasts up to 12 hours."),
        ({"night_from": "20:00", "night_until": "20:00"}, "A night lasts up to 12 hours."),
    ],
)
def test_what_is_no_rest_is_refused(
    client: Client, alice: User, form: dict[str, str | list[str]], sentence: str
) -> None:
    client.force_login(alice)
    page = client.post("/preferences/time/", form)
    assert page.status_code == 422
    assert sentence in page.content.decode()
    assert not Rest.objects.exists()


def test_others_see_until_when_somebody_has_time_where_that_is_another_time(
    client: Client, table: Table, alice: User, bob: User
) -> None:
    even = table.game(alice, bob)
    services.change_rest(user=bob, days_off=[5, 6], night=None)
    uneven = table.game(alice, bob)
    client.force_login(alice)
    assert "data-mate-time" not in client.get(even.get_absolute_url()).content.decode()
    page = client.get(uneven.get_absolute_url()).content.decode()
    assert page.count("data-mate-time") == 1
