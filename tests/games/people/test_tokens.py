"""API tokens: creation, use, limits and revocation."""

import pytest

from accounts import guests
from accounts.models import User
from games.errors import Forbidden
from games.people.models import ApiToken
from games.people.tokens import MOST_TOKENS, make_token, revoke_token, revoke_tokens, use_token
from tests.games.support import NOW, later


def test_a_token_identifies_its_owner(alice: User, bob: User) -> None:
    tokens = {user: make_token(user=user, now=NOW) for user in (alice, bob)}
    assert {user: use_token(token=token, now=NOW) for user, token in tokens.items()} == {
        alice: alice,
        bob: bob,
    }


def test_guests_cannot_create_tokens(db: None) -> None:
    with pytest.raises(Forbidden):
        make_token(user=guests.make_guest(), now=NOW)
    assert not ApiToken.objects.exists()


def test_the_database_does_not_contain_a_token(alice: User) -> None:
    token = make_token(user=alice, now=NOW)
    row = ApiToken.objects.get()
    assert token not in (row.digest, str(row))
    assert use_token(token=row.digest, now=NOW) is None


def test_its_use_is_recorded_once_an_hour(alice: User) -> None:
    token = make_token(user=alice, now=NOW)
    for minutes, noted in ((0, 0), (59, 0), (60, 60), (61, 60)):
        use_token(token=token, now=later(minutes=minutes))
        assert ApiToken.objects.get().used_at == later(minutes=noted)


def test_a_revoked_token_is_refused(alice: User) -> None:
    first, second, third = (make_token(user=alice, now=NOW) for _ in range(3))
    assert revoke_token(token=first)
    assert not revoke_token(token=first)
    assert use_token(token=first, now=NOW) is None
    assert use_token(token=second, now=NOW) == alice
    assert revoke_tokens(user=alice) == 2
    assert use_token(token=third, now=NOW) is None


def test_a_closed_account_s_token_is_refused(alice: User) -> None:
    token = make_token(user=alice, now=NOW)
    alice.is_active = False
    alice.save()
    assert use_token(token=token, now=NOW) is None


def test_above_the_limit_the_least_recently_used_token_is_deleted(alice: User, bob: User) -> None:
    theirs = make_token(user=bob, now=later(days=-9))
    tokens = [make_token(user=alice, now=later(minutes=minute)) for minute in range(MOST_TOKENS)]
    for minute, token in enumerate(reversed(tokens[1:])):
        use_token(token=token, now=later(days=1, minutes=minute))
    use_token(token=tokens[0], now=later(days=2))
    make_token(user=alice, now=later(days=3))
    known = [token for token in tokens if use_token(token=token, now=later(days=3))]
    assert known == [token for token in tokens if token != tokens[-1]]
    assert use_token(token=theirs, now=NOW) == bob


def test_a_new_token_survives_others_created_at_the_same_time(alice: User) -> None:
    for _ in range(MOST_TOKENS + 1):
        last = make_token(user=alice, now=NOW)
    assert use_token(token=last, now=NOW) == alice
    assert ApiToken.objects.count() == MOST_TOKENS
