"""The notification settings, and links that stop mail about one game."""

from datetime import timedelta
from urllib.parse import urlsplit

from django.test import Client

from accounts.models import Frequency, User
from games import live
from games.news.channels.mail import stop_url
from games.news.models import Notice, Webhook
from games.news.services import is_looking, judge
from games.play.models import Game, Seat
from tests.games.api_client import Api
from tests.games.support import NOW, Table


def path_of(game: Game, user: User) -> str:
    return urlsplit(stop_url(user_id=user.pk, game_id=game.pk)).path


def manner_in(game: Game, user: User) -> str:
    return Seat.objects.get(game=game, user=user).manner


def test_a_player_chooses_how_to_be_notified(client: Client, alice: User) -> None:
    client.force_login(alice)
    assert b"<h1>Notifications</h1>" in client.get("/settings/news/").content
    page = client.post("/settings/news/", {"manner": "daily", "daily_hour": "19"}, follow=True)
    assert b"Your notification settings are saved." in page.content
    alice.refresh_from_db()
    assert (alice.manner, alice.daily_hour) == (Frequency.DAILY, 19)


def test_a_player_chooses_mail_about_lobbies_and_starships(client: Client, alice: User) -> None:
    client.force_login(alice)
    for chosen in ({"lobby_mail": "on"}, {"starship_mail": "on"}):
        client.post("/settings/news/", {"manner": "at once", "daily_hour": "8", **chosen})
        alice.refresh_from_db()
        assert (alice.lobby_mail, alice.starship_mail) == ("lobby_mail" in chosen, "starship_mail" in chosen)


def test_a_player_overrides_the_settings_for_one_game(
    client: Client, duel: Game, alice: User, bob: User
) -> None:
    client.force_login(alice)
    path = f"/games/{duel.pk}/news/"
    assert f'href="{path}"' in client.get(duel.get_absolute_url()).content.decode()
    page = client.post(path, {"manner": "one"}, follow=True)
    assert b"Your notification settings for this game are saved." in page.content
    assert (manner_in(duel, alice), manner_in(duel, bob)) == ("one", "")
    assert b"One, then none until I visit" in client.get("/settings/news/").content
    client.post(path, {"manner": ""})
    assert manner_in(duel, alice) == ""


def test_only_players_have_settings_for_a_game(client: Client, duel: Game, dave: User) -> None:
    assert client.get(f"/games/{duel.pk}/news/").status_code == 302
    client.force_login(dave)
    assert f"/games/{duel.pk}/news/" not in client.get(duel.get_absolute_url()).content.decode()
    page = client.post(f"/games/{duel.pk}/news/", {"manner": "none"})
    assert page.status_code == 403
    assert b"You have no seat in this game" in page.content


def test_the_link_in_a_mail_stops_mail_about_its_game(
    table: Table, duel: Game, alice: User, bob: User
) -> None:
    other = table.game(alice, bob)
    browser = Client(enforce_csrf_checks=True)
    asked = browser.get(path_of(duel, alice))
    assert "No more mail about “First flight”?" in asked.content.decode()
    assert manner_in(duel, alice) == ""
    page = browser.post(
        path_of(duel, alice), "List-Unsubscribe=One-Click", content_type="application/x-www-form-urlencoded"
    )
    assert b"These emails have stopped" in page.content
    assert (manner_in(duel, alice), manner_in(duel, bob), manner_in(other, alice)) == ("none", "", "")


def test_a_forged_link_stops_nothing(client: Client, duel: Game, alice: User, bob: User) -> None:
    signature = path_of(duel, alice).rstrip("/").rsplit("-", 1)[-1]
    for path in (
        path_of(duel, alice)[:-3] + "x/",
        f"/unsubscribe/game/{bob.pk}-{duel.pk}-{signature}/",
        "/unsubscribe/game/-/",
        "/unsubscribe/game/x/",
    ):
        page = client.post(path)
        assert page.status_code == 404, path
        assert b"This link does not work" in page.content
    assert {seat.manner for seat in duel.players.all()} == {""}


def test_only_a_page_s_heartbeat_marks_its_reader_as_present(
    client: Client, duel: Game, alice: User, dave: User
) -> None:
    there = {"game_id": duel.pk, "user_ids": [alice.pk, dave.pk]}
    for person in (dave, alice):
        client.force_login(person)
        client.get(f"{duel.get_absolute_url()}pulse/?seen=x")
        client.get(f"{duel.get_absolute_url()}parts/")
    assert live.active_viewers(**there) == set()
    assert Seat.objects.get(game=duel, user=alice).visited_at is None
    for person in (dave, alice):
        client.force_login(person)
        assert client.post(f"{duel.get_absolute_url()}pulse/").status_code == 204
    assert live.active_viewers(**there) == {alice.pk}
    assert Seat.objects.get(game=duel, user=alice).visited_at is not None
    assert Seat.objects.filter(visited_at=None).count() == 1


def test_presence_ends_five_minutes_after_the_last_heartbeat(client: Client, duel: Game, alice: User) -> None:
    client.force_login(alice)
    client.post(f"{duel.get_absolute_url()}pulse/")
    left = live._client().ttl(live._key(duel.pk, alice.pk))
    assert 290 <= left <= 300
    seat = Seat.objects.get(game=duel, user=alice)
    live._client().flushdb()
    assert seat.visited_at
    assert is_looking(seat, seat.visited_at + timedelta(minutes=4))
    assert not is_looking(seat, seat.visited_at + timedelta(minutes=5))


def test_opening_a_game_s_page_marks_its_player_as_present(
    client: Client, duel: Game, alice: User, bob: User, dave: User
) -> None:
    for person in (alice, dave):
        client.force_login(person)
        client.get(duel.get_absolute_url())
    people = [alice.pk, bob.pk, dave.pk]
    assert live.active_viewers(game_id=duel.pk, user_ids=people) == {alice.pk}


def test_a_player_who_joins_and_starts_a_game_gets_no_mail_about_it(
    client: Client, table: Table, alice: User, bob: User
) -> None:
    game = table.game(alice, seats=2)
    client.force_login(bob)
    assert client.post(f"{game.get_absolute_url()}join/").status_code == 302
    assert Game.objects.get(pk=game.pk).status == Game.Status.RUNNING
    assert live.active_viewers(game_id=game.pk, user_ids=[alice.pk, bob.pk]) == {bob.pk}


def test_a_kind_that_is_turned_off_is_sent_by_no_channel(client: Client, duel: Game, alice: User) -> None:
    Webhook.objects.create(user=alice, url="https://example.org/hook", secret="s", made_at=NOW)
    client.force_login(alice)
    form = {"manner": "at once", "daily_hour": "8", "silenced": ["over", "round"]}
    client.post("/settings/news/", form)
    alice.refresh_from_db()
    assert alice.silenced == ["over", "round"]
    assert "checked" in client.get("/settings/news/").content.decode().partition('value="round"')[2][:120]
    for channel in ("mail", "webhook"):
        for kind, status in (("over", "unwanted"), ("invited", "outdated")):
            notice = Notice(kind=kind, channel=channel, user=alice, game=duel, turn=0, created_at=NOW)
            assert judge(notice, NOW).status == status, (kind, channel)
    client.post("/settings/news/", {**form, "silenced": []})
    alice.refresh_from_db()
    assert alice.silenced == []
    assert client.post("/settings/news/", {**form, "silenced": ["thunder"]}).status_code == 422


def test_the_api_turns_kinds_off(alice: User) -> None:
    api = Api(alice)
    assert api.patch("me", {"silenced": ["round", "round"]}).body["preferences"]["silenced"] == ["round"]
    assert api.patch("me", {"silenced": ["thunder"]}).status == 422
    assert api.get("me").body["preferences"]["silenced"] == ["round"]
    assert api.patch("me", {"silenced": []}).body["preferences"]["silenced"] == []


def test_reminder_steps_are_chosen_on_the_page_and_by_the_api(client: Client, alice: User) -> None:
    client.force_login(alice)
    form = {"manner": "at once", "daily_hour": "8"}
    client.post("/settings/news/", {**form, "reminder_hours": ["1", "24"]})
    alice.refresh_from_db()
    assert alice.reminder_hours == [24, 1]
    page = client.get("/settings/news/").content.decode()
    assert "remind-24h" not in page, "steps are not in the list of kinds"
    assert client.post("/settings/news/", {**form, "reminder_hours": ["2"]}).status_code == 422
    api = Api(alice)
    assert api.patch("me", {"reminder_hours": [6, 6]}).body["preferences"]["reminder_hours"] == [6]
    for wrong, status in (([2], 422), ([25], 400), ("6", 400), ([1, 6, 24, 1], 400)):
        assert api.patch("me", {"reminder_hours": wrong}).status == status, wrong
    assert api.get("me").body["preferences"]["reminder_hours"] == [6]
    assert api.patch("me", {"manner": "daily"}).body["preferences"]["reminder_hours"] == [6]
