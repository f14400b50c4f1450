"""The API of a person's own tokens: listing and revoking them."""

from accounts import guests
from accounts.models import User
from games.people.models import ApiToken
from games.people.tokens import make_token, use_token
from tests.cast import password_of
from tests.games.api_client import Api, ApiOf
from tests.games.support import NOW, later

LOGIN = {"login": "Alice", "password": password_of("Alice")}


def test_a_person_lists_their_tokens_with_the_current_one_marked(api: ApiOf, alice: User, bob: User) -> None:
    make_token(user=alice, name="Old", now=later(days=-1))
    api(bob)
    client = api(alice)
    answer = client.get("me/tokens")
    shown, old = answer.body["results"]
    assert (shown["name"], shown["shown"], shown["used_at"]) == ("", True, "2026-11-21T12:00:00Z")
    assert (old["name"], old["shown"], old["used_at"]) == ("Old", False, None)
    assert old["created_at"] == "2026-11-20T12:00:00Z"
    for token in ApiToken.objects.all():
        assert token.digest not in answer.text


def test_in_a_browser_no_token_is_marked_as_current(alice: User) -> None:
    make_token(user=alice, now=NOW)
    client = Api()
    client.client.force_login(alice)
    assert [token["shown"] for token in client.get("me/tokens").body["results"]] == [False]


def test_a_token_is_revoked_even_the_current_one(api: ApiOf, alice: User) -> None:
    lost = make_token(user=alice, name="Lost", now=later(days=-1))
    client = api(alice)
    own, other = client.get("me/tokens").body["results"]
    left = client.delete(f"me/tokens/{other['id']}").body["results"]
    assert [token["id"] for token in left] == [own["id"]]
    assert use_token(token=lost, now=NOW) is None
    assert client.delete(f"me/tokens/{own['id']}").body == {"results": []}
    assert client.get("me/tokens").refusal == (401, "unknown-token")


def test_a_token_of_another_person_is_not_found(api: ApiOf, alice: User, bob: User) -> None:
    make_token(user=bob, now=NOW)
    theirs = ApiToken.objects.get(user=bob).pk
    client = api(alice)
    for number in (theirs, 999_999_999, 10**30):
        assert client.delete(f"me/tokens/{number}").status == 404
    assert ApiToken.objects.filter(pk=theirs).exists()


def test_guests_have_no_tokens(db: None) -> None:
    client = Api()
    client.client.force_login(guests.make_guest())
    assert client.get("me/tokens").body == {"results": []}
    assert client.delete("me/tokens/1").refusal == (403, "guest")
