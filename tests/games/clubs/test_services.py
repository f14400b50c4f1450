"""Clubs: creation, membership, roles and leaving."""

from datetime import timedelta

import pytest

from accounts.models import User
from games.clubs import services
from games.clubs.models import Candidate, Club, Membership
from games.clubs.selectors import club_view, clubs, clubs_that_wait_for, invitations_to_clubs
from games.clubs.services import (
    change_club,
    close_club,
    create_club,
    invite_to_club,
    join_club,
    leave_club,
    remove_from_club,
    set_role,
)
from games.errors import Conflict, Forbidden, Invalid, NotFound, TooMany
from games.news.channels.mail import compose
from games.news.models import Notice
from games.news.services import OUTDATED, SEND, UNWANTED, judge
from games.people import contacts
from games.people.contacts import block
from games.people.services.deletion import delete_account
from tests import cast
from tests.games.support import NOW

SLUG = "tin-can-club"


@pytest.fixture
def club(alice: User) -> Club:
    return create_club(user=alice, name="Tin Can Club", now=NOW)


def roles() -> dict[str, str]:
    rows = Membership.objects.select_related("user")
    return {row.user.robo_name: row.role for row in rows}


def test_the_creator_of_a_club_is_its_captain(club: Club, alice: User) -> None:
    assert (club.slug, roles()) == (SLUG, {"Alice": "captain"})
    (listed,) = clubs(text="can")
    assert (listed["name"], listed["members"]) == ("Tin Can Club", 1)
    assert clubs(robo_name="alice") == [listed]
    assert clubs(text="rust") == []


def test_each_club_has_its_own_address(alice: User, bob: User, carol: User) -> None:
    people = (alice, alice, alice, bob, bob, bob, carol)
    names = ("Клуб 7", "Орбита 7", "New", "Роботы", "🚀🚀🚀", "Zoë’s", "Zoe s")
    made = [create_club(user=user, name=name, now=NOW) for user, name in zip(people, names, strict=True)]
    assert [club.slug for club in made] == ["7", "7-2", "new-2", "club", "club-2", "zoes", "zoe-s"]
    club = change_club(user=alice, slug="7-2", name="Орбита 8", now=NOW)
    assert (club.pk, club.slug, club_view(viewer=bob, slug="7")["name"]) == (made[1].pk, "7-2", "Клуб 7")
    with pytest.raises(Conflict):
        create_club(user=carol, name="КЛУБ 7", now=NOW)


def test_clubs_are_found_by_beginnings_of_words(club: Club) -> None:
    for text in ("tin", "CLUB ti", "ti\\"):
        assert [each["slug"] for each in clubs(text=text)] == [SLUG]
    for text in ("an", "tin rust", "can':* | 'rust", "!"):
        assert clubs(text=text) == []


def test_clubs_are_sorted_by_name(club: Club, alice: User, bob: User) -> None:
    create_club(user=bob, name="apollo", now=NOW)
    create_club(user=alice, name="Zebra", now=NOW)
    assert [each["name"] for each in clubs()] == ["apollo", "Tin Can Club", "Zebra"]


def test_a_name_is_unique(club: Club, bob: User) -> None:
    with pytest.raises(Conflict, match="Another club has this name"):
        create_club(user=bob, name="tin-can CLUB", now=NOW)
    assert Club.objects.count() == 1


def test_a_player_leads_a_limited_number_of_clubs(alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(3):
        create_club(user=alice, name=f"Club {number}", now=NOW)
    with pytest.raises(Conflict, match="You lead 3 clubs"):
        create_club(user=alice, name="Club 4", now=NOW)
    monkeypatch.setattr(services, "MOST_CLUBS_JOINED", 3)
    create_club(user=cast.bob(), name="Club 5", now=NOW)
    with pytest.raises(Conflict, match="Leave one first"):
        join_club(user=alice, slug="club-5", now=NOW)


def test_only_the_captain_changes_and_closes_a_club(club: Club, alice: User, bob: User) -> None:
    join_club(user=bob, slug=SLUG, now=NOW)
    for act in (lambda user: change_club(user=user, slug=SLUG, name="Rust", now=NOW), _close):
        with pytest.raises(Forbidden):
            act(bob)
    changed = change_club(user=alice, slug=SLUG, name="Rust", text="Oil.", entry="request", now=NOW)
    assert (changed.slug, changed.name, changed.text, changed.entry) == (SLUG, "Rust", "Oil.", "request")
    _close(alice)
    with pytest.raises(NotFound):
        club_view(viewer=alice, slug=SLUG)


def _close(user: User) -> None:
    close_club(user=user, slug=SLUG, now=NOW)


def test_anyone_joins_an_open_club_once(club: Club, bob: User) -> None:
    assert join_club(user=bob, slug=SLUG, now=NOW)
    with pytest.raises(Conflict):
        join_club(user=bob, slug=SLUG, now=NOW)
    leave_club(user=bob, slug=SLUG, now=NOW)
    leave_club(user=bob, slug=SLUG, now=NOW)
    assert roles() == {"Alice": "captain"}


def test_an_officer_admits_on_request(club: Club, alice: User, bob: User, carol: User) -> None:
    change_club(user=alice, slug=SLUG, entry="request", now=NOW)
    for _ in range(2):
        assert not join_club(user=bob, slug=SLUG, now=NOW)
    assert club_view(viewer=bob, slug=SLUG)["asked"]
    assert club_view(viewer=carol, slug=SLUG)["applicants"] == []
    assert [each["robo_name"] for each in club_view(viewer=alice, slug=SLUG)["applicants"]] == ["Bob"]
    assert clubs_that_wait_for(user=alice) == [(club, False)]
    assert clubs_that_wait_for(user=bob) == []
    assert invite_to_club(user=alice, slug=SLUG, robo_name="bob", now=NOW)
    assert roles() == {"Alice": "captain", "Bob": "member"} and not Candidate.objects.exists()
    with pytest.raises(Forbidden):
        invite_to_club(user=bob, slug=SLUG, robo_name="Carol", now=NOW)


def test_only_invited_players_join_a_closed_club(club: Club, alice: User, bob: User, carol: User) -> None:
    change_club(user=alice, slug=SLUG, entry="invited", now=NOW)
    with pytest.raises(Forbidden, match="need an invitation"):
        join_club(user=bob, slug=SLUG, now=NOW)
    assert not invite_to_club(user=alice, slug=SLUG, robo_name="Bob", now=NOW)
    assert invitations_to_clubs(user=bob) == [club]
    invite_to_club(user=alice, slug=SLUG, robo_name="Carol", now=NOW)
    leave_club(user=carol, slug=SLUG, now=NOW)  # declines
    assert [each["robo_name"] for each in club_view(viewer=alice, slug=SLUG)["invitees"]] == ["Bob"]
    assert join_club(user=bob, slug=SLUG, now=NOW)
    with pytest.raises(Conflict, match="Bob is already a member"):
        invite_to_club(user=alice, slug=SLUG, robo_name="Bob", now=NOW)


def test_an_invitation_is_a_notification_once_and_again_after_its_end(
    club: Club, alice: User, bob: User
) -> None:
    def mails() -> list[Notice]:
        return list(Notice.objects.filter(kind="club-in", user=bob, channel="mail").order_by("pk"))

    for _ in range(2):
        invite_to_club(user=alice, slug=SLUG, robo_name="Bob", now=NOW)
    (first,) = mails()
    assert compose(first).subject == "You are invited to Tin Can Club"
    assert f"/clubs/{SLUG}/" in compose(first).body
    leave_club(user=bob, slug=SLUG, now=NOW)  # declines
    assert judge(first, NOW) == OUTDATED
    later = NOW + timedelta(days=1)
    invite_to_club(user=alice, slug=SLUG, robo_name="Bob", now=later)
    (second,) = mails()
    assert second.pk != first.pk and judge(second, later) == SEND
    User.objects.filter(pk=bob.pk).update(silenced=["club-in"])
    assert judge(Notice.objects.get(pk=second.pk), later) == UNWANTED


def test_a_player_invites_a_limited_number_of_people_a_day(
    club: Club, alice: User, bob: User, carol: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(contacts, "INVITATIONS_A_DAY", 1)
    invite_to_club(user=alice, slug=SLUG, robo_name="Bob", now=NOW)
    with pytest.raises(TooMany):
        invite_to_club(user=alice, slug=SLUG, robo_name="Carol", now=NOW)
    assert [each.user for each in club.candidates.all()] == [bob]
    assert not Notice.objects.filter(user=carol).exists()


def test_a_full_club_invites_no_one(
    club: Club, alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(services, "MOST_MEMBERS", 1)
    with pytest.raises(Conflict, match="is full"):
        invite_to_club(user=alice, slug=SLUG, robo_name="Bob", now=NOW)


def test_a_blocked_player_cannot_invite(club: Club, alice: User, bob: User) -> None:
    block(user=bob, robo_name="Alice", now=NOW)
    with pytest.raises(Forbidden, match="cannot invite"):
        invite_to_club(user=alice, slug=SLUG, robo_name="Bob", now=NOW)


def test_a_full_club_takes_no_one(club: Club, bob: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(services, "MOST_MEMBERS", 1)
    with pytest.raises(Conflict, match="is full"):
        join_club(user=bob, slug=SLUG, now=NOW)


def test_officers_remove_members_below_their_role(club: Club, alice: User, bob: User, carol: User) -> None:
    for each in (bob, carol):
        join_club(user=each, slug=SLUG, now=NOW)
    with pytest.raises(Forbidden):
        remove_from_club(user=bob, slug=SLUG, robo_name="Carol", now=NOW)
    set_role(user=alice, slug=SLUG, robo_name="Bob", role="officer")
    for name in ("Alice", "Bob"):
        with pytest.raises(Forbidden):
            remove_from_club(user=bob, slug=SLUG, robo_name=name, now=NOW)
    remove_from_club(user=bob, slug=SLUG, robo_name="Carol", now=NOW)
    remove_from_club(user=bob, slug=SLUG, robo_name="Carol", now=NOW)
    remove_from_club(user=alice, slug=SLUG, robo_name="Bob", now=NOW)
    assert roles() == {"Alice": "captain"}


def test_the_captain_hands_over_the_role(club: Club, alice: User, bob: User) -> None:
    join_club(user=bob, slug=SLUG, now=NOW)
    with pytest.raises(Invalid):
        set_role(user=alice, slug=SLUG, robo_name="Bob", role="king")
    with pytest.raises(Conflict):
        set_role(user=alice, slug=SLUG, robo_name="Alice", role="member")
    with pytest.raises(Conflict):
        set_role(user=alice, slug=SLUG, robo_name=cast.carol().robo_name, role="officer")
    set_role(user=alice, slug=SLUG, robo_name="Bob", role="captain")
    assert roles() == {"Alice": "officer", "Bob": "captain"}


@pytest.mark.parametrize("by", ["leaving", "deletion"])
def test_an_officer_follows_a_captain_who_leaves(
    by: str, club: Club, alice: User, bob: User, carol: User
) -> None:
    join_club(user=bob, slug=SLUG, now=NOW + timedelta(days=1))
    join_club(user=carol, slug=SLUG, now=NOW + timedelta(days=2))
    set_role(user=alice, slug=SLUG, robo_name="Carol", role="officer")
    if by == "leaving":
        leave_club(user=alice, slug=SLUG, now=NOW)
    else:
        delete_account(user=alice, now=NOW)
    assert roles() == {"Bob": "member", "Carol": "captain"}
    for each in (carol, bob):
        leave_club(user=each, slug=SLUG, now=NOW)
    assert not Club.objects.exists(), "the last closes it"


def test_the_page_lists_the_captain_first(club: Club, alice: User, bob: User) -> None:
    join_club(user=bob, slug=SLUG, now=NOW - timedelta(days=1))
    seen = club_view(viewer=bob, slug=SLUG)
    assert [each["robo_name"] for each in seen["people"]] == ["Alice", "Bob"]
    assert (seen["my_role"], seen["asked"], seen["invited"]) == ("member", False, False)
