"""The API of tokens and of the current user."""

from allauth.account.models import EmailAddress

from accounts.models import User
from games.people.models import ApiToken
from games.play.models import Game
from tests.cast import password_of
from tests.games.api_client import Api, ApiOf
from tests.games.support import Table


def sign_in(login: str, password: str) -> dict[str, str]:
    return {"login": login, "password": password}


def test_a_token_is_created_with_robo_name_and_password(api: ApiOf, alice: User) -> None:
    answer = api(None).post("tokens", sign_in("Alice", password_of("Alice")))
    assert answer.status == 201
    client = api(None)
    client.headers["Authorization"] = f"Bearer {answer.body['token']}"
    assert client.get("me").body["robo_name"] == "Alice"
    for login in ("ALICE@example.org", "aLICE"):
        assert api(None).post("tokens", sign_in(login, password_of("Alice"))).status == 201


def test_a_wrong_password_creates_no_token(api: ApiOf, alice: User) -> None:
    answer = api(None).post("tokens", sign_in("Alice", "wrong"))
    assert answer.refusal == (401, "wrong-login")
    assert answer.headers["WWW-Authenticate"] == "Bearer"
    assert not ApiToken.objects.exists()


def test_an_unknown_name_is_refused_like_a_wrong_password(api: ApiOf, alice: User) -> None:
    unknown = api(None).post("tokens", sign_in("Nobody", "wrong"))
    wrong = api(None).post("tokens", sign_in("Alice", "wrong"))
    assert unknown.text == wrong.text


def test_many_wrong_passwords_are_throttled(api: ApiOf, alice: User) -> None:
    answers = [api(None).post("tokens", sign_in("Alice", "wrong")) for _ in range(6)]
    assert [answer.status for answer in answers] == [401, 401, 401, 401, 401, 429]
    assert int(answers[-1].headers["Retry-After"]) > 0


def test_correct_passwords_are_not_throttled(api: ApiOf, alice: User) -> None:
    answers = [api(None).post("tokens", sign_in("Alice", password_of("Alice"))) for _ in range(7)]
    assert {answer.status for answer in answers} == {201}


def test_a_closed_account_gets_no_token(api: ApiOf, alice: User) -> None:
    alice.is_active = False
    alice.save()
    assert api(None).post("tokens", sign_in("Alice", password_of("Alice"))).refusal == (403, "closed")


def test_an_unconfirmed_account_gets_no_token(api: ApiOf, alice: User) -> None:
    EmailAddress.objects.update(verified=False)
    assert api(None).post("tokens", sign_in("Alice", password_of("Alice"))).refusal == (403, "unconfirmed")
    EmailAddress.objects.all().delete()
    assert api(None).post("tokens", sign_in("Alice", password_of("Alice"))).status == 403


def test_a_token_of_a_closed_account_opens_nothing(api: ApiOf, alice: User) -> None:
    client = api(alice)
    alice.is_active = False
    alice.save()
    assert client.get("me").refusal == (401, "unknown-token")


def test_an_unknown_token_opens_nothing(api: ApiOf, db: None) -> None:
    client = api(None)
    for token in ("Bearer robo_nonsense", "Bearer", "bearer ", "Bearer ä"):
        client.headers["Authorization"] = token
        answer = client.get("me")
        assert answer.refusal == (401, "unknown-token"), token
        assert answer.headers["WWW-Authenticate"] == "Bearer"


def test_the_current_user_is_returned(api: ApiOf, table: Table, alice: User, bob: User) -> None:
    table.game(alice, bob)
    table.game(alice, seats=2)
    body = api(alice).get("me").body
    assert body == {
        "robo_name": "Alice",
        "look": None,
        "invitations": 0,
        "preferences": {
            "time_zone": "UTC",
            "mail_my_turn": True,
            "manner": "at once",
            "daily_hour": 8,
            "lobby_mail": True,
            "starship_mail": True,
            "silenced": [],
            "reminder_hours": [],
            "chat_filter": True,
            "shows_name": "everybody",
            "shows_games": "everybody",
            "shows_history": "everybody",
            "shows_statistics": "everybody",
            "shows_achievements": "everybody",
            "shows_accuracy": "nobody",
        },
        "games": {"open": 1, "running": 1, "over": 0, "won": 0, "missions": 0, "waiting": 1},
    }


def test_games_waiting_for_the_player_come_most_urgent_first(
    api: ApiOf, table: Table, alice: User, bob: User
) -> None:
    slow = table.game(alice, bob, name="slow", pace={"hours": 72})
    table.game(alice, bob, name="without end", pace=None)
    table.game(alice, bob, name="quick", pace={"hours": 2})
    table.game(alice, name="not begun", seats=2)
    assert _names(api(bob)) == ["quick", "slow", "without end"]
    table.move(slow, bob)
    assert _names(api(bob)) == ["quick", "without end"]
    assert _names(api(alice)) == ["quick", "slow", "without end"]


def test_a_waiting_game_has_its_deadline_and_missing_players(api: ApiOf, duel: Game, alice: User) -> None:
    [game] = api(alice).get("me/waiting").body["results"]
    assert game["deadline"] == "2026-11-22T12:00:00Z"
    assert game["waiting_for"] == ["Alice", "Bob"]
    assert game["waits_for_me"]


def _names(client: Api) -> list[str]:
    return [game["name"] for game in client.get("me/waiting").body["results"]]


def test_a_player_changes_the_frequency_of_mail(api: ApiOf, alice: User) -> None:
    told = {"manner": "daily", "daily_hour": 19, "lobby_mail": True}
    first = api(alice).patch("me", {"manner": "daily", "daily_hour": 19}).body["preferences"]
    assert first == first | told
    second = api(alice).patch("me", {"lobby_mail": False}).body["preferences"]
    assert second == second | told | {"lobby_mail": False}
    alice.refresh_from_db()
    assert (alice.manner, alice.daily_hour, alice.lobby_mail) == ("daily", 19, False)


def test_an_unknown_frequency_is_refused(api: ApiOf, alice: User, duel: Game) -> None:
    assert api(alice).patch("me", {"manner": "hourly"}).refusal == (422, "no-manner")
    assert api(alice).patch("me", {"daily_hour": 24}).refusal == (400, "malformed")
    assert api(alice).put(f"games/{duel.pk}/news", {"manner": "hourly"}).refusal == (422, "no-manner")


def test_a_player_mutes_a_game_and_unmutes_it(api: ApiOf, duel: Game, alice: User, dave: User) -> None:
    for manner in ("none", ""):
        assert api(alice).put(f"games/{duel.pk}/news", {"manner": manner}).body == {"manner": manner}
        assert duel.players.get(user=alice).manner == manner
    assert api(dave).put(f"games/{duel.pk}/news", {"manner": "none"}).refusal == (403, "no-seat")
