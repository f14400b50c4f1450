"""Clubs invite people by email address, and reveal nothing about the owners of addresses."""

import re
from datetime import timedelta
from typing import Any
from urllib.parse import quote

import pytest
from django.test import Client

from accounts.models import User
from games.clubs import services
from games.clubs.models import Candidate, Club, Membership
from games.clubs.selectors import (
    INVITATION_LASTS,
    club_view,
    invitations_by_mail,
    invitations_to_clubs,
    mail_token,
)
from games.clubs.services import (
    change_club,
    close_club,
    create_club,
    forget_invitations,
    invite_address,
    invite_to_club,
    join_club,
    leave_club,
    remove_from_club,
    set_role,
    withdraw_mail,
)
from games.errors import Conflict, Forbidden, Malformed, NotFound, TooMany
from games.news.delivery import send_notification
from games.news.models import Notice
from games.people import contacts
from games.people.contacts import block
from games.people.services.deletion import delete_account
from tests import cast
from tests.games.reader import ReaderOf, reader
from tests.games.support import NOW
from tests.support.mailbox import Mailbox

SLUG = "tin-can-club"
CLUB = f"/clubs/{SLUG}/"
NEW = "nobody@example.org"


@pytest.fixture
def club(alice: User) -> Club:
    """A club of Alice that only invited players can join."""
    return create_club(user=alice, name="Tin Can Club", entry="invited", now=NOW)


def ask(club: Club, by: User, email: str = NEW, days: float = 0) -> Candidate:
    invite_address(user=by, slug=club.slug, email=email, now=NOW + timedelta(days=days))
    return club.candidates.get(email=email.lower())


def withdraw(club: Club, by: User, row: Candidate) -> None:
    withdraw_mail(user=by, slug=club.slug, invitation_id=row.pk)


def deliver(now_too: timedelta = timedelta()) -> int:
    """Send all waiting notifications. Return the number sent."""
    waiting = Notice.objects.filter(status="pending", channel="mail").order_by("pk")
    return sum(send_notification(notice_id=each.pk, now=NOW + now_too) for each in waiting)


def joins(club: Club, person: User, token: str, days: float = 0) -> bool:
    try:
        return join_club(user=person, slug=club.slug, link=token, now=NOW + timedelta(days=days))
    except (Forbidden, NotFound):
        return False


def test_a_stranger_gets_one_email_that_leads_through_sign_up(
    club: Club, alice: User, mailbox: Mailbox, settings: Any
) -> None:
    settings.BASE_URL = "https://robo.example"
    ask(club, alice, "Nobody@Example.org")
    assert deliver() == 1
    (mail,) = mailbox.to(NEW)
    assert mail["Subject"] == "Alice invites you to Tin Can Club"
    path = f"{CLUB}?link={mail_token(club.pk, NEW)}"
    for kind in ("plain", "html"):
        text = str(mail.get_body((kind,)).get_content())  # type: ignore[union-attr]
        assert f"https://robo.example{path}" in text
        assert f"https://robo.example/accounts/signup/?next={quote(path, safe='')}" in text
        assert "Alice asked us to send this email." in text and "No more invitations to this address" in text
    html = str(mail.get_body(("html",)).get_content())  # type: ignore[union-attr]
    assert re.search(r'href="[^"]*/accounts/signup/[^"]*" style="display: inline-block[^>]*>Sign up<', html)
    assert "Alice" not in str(mail["From"]) and mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"


def test_the_owner_of_an_address_gets_an_ordinary_invitation(club: Club, alice: User, bob: User) -> None:
    ask(club, alice, bob.email)
    assert invitations_to_clubs(user=bob) == [club]
    assert {each.kind for each in Notice.objects.filter(user=bob)} == {"club-in"}
    assert not Notice.objects.exclude(email="").exists()
    assert club_view(viewer=bob, slug=SLUG)["invited"] and joins(club, bob, "")


def test_a_link_in_an_email_works_once_for_anyone(club: Club, alice: User, bob: User, carol: User) -> None:
    ask(club, alice)
    token = mail_token(club.pk, NEW)
    assert not joins(club, bob, f"{token}x")
    assert joins(club, bob, token)
    assert not joins(club, carol, token)
    other = create_club(user=carol, name="Rust Club", entry="invited", now=NOW)
    ask(other, carol)
    assert not joins(other, bob, token)


def test_an_invitation_ends_after_30_days_and_its_address_is_deleted(
    club: Club, alice: User, bob: User
) -> None:
    ask(club, alice)
    token, days = mail_token(club.pk, NEW), INVITATION_LASTS / timedelta(days=1)
    assert not joins(club, bob, token, days=days)
    assert forget_invitations(now=NOW + INVITATION_LASTS - timedelta(seconds=1)) == 0
    assert forget_invitations(now=NOW + INVITATION_LASTS) == 1
    assert not Candidate.objects.exists() and not Notice.objects.exclude(email="").exists()


def test_a_withdrawn_invitation_opens_nothing_and_is_not_sent(club: Club, alice: User, bob: User) -> None:
    withdraw(club, alice, ask(club, alice))
    assert deliver() == 0
    assert Notice.objects.get(email=NEW).status == "outdated"
    assert not joins(club, bob, mail_token(club.pk, NEW))
    with pytest.raises(NotFound):
        withdraw(club, alice, club.candidates.get())
    assert invitations_by_mail(viewer=alice, club=club, now=NOW) == []


def test_an_address_that_is_invited_again_gets_no_second_email(
    club: Club, alice: User, bob: User, mailbox: Mailbox
) -> None:
    for _ in range(3):
        withdraw(club, alice, ask(club, alice))
    ask(club, alice)
    assert deliver() == 1
    withdraw(club, alice, club.candidates.get())
    ask(club, alice, days=20)
    assert deliver(timedelta(days=20)) == 0
    assert joins(club, bob, mail_token(club.pk, NEW), days=20)
    assert len(mailbox.to(NEW)) == 1


def test_a_player_who_is_invited_again_is_not_mailed_again_on_the_same_day(
    club: Club, alice: User, bob: User, mailbox: Mailbox
) -> None:
    def again(days: float) -> int:
        now = NOW + timedelta(days=days)
        invite_to_club(user=alice, slug=SLUG, robo_name="Bob", now=now)
        sent = deliver(timedelta(days=days))
        remove_from_club(user=alice, slug=SLUG, robo_name="Bob", now=now)
        return sent

    assert [again(days) for days in (0, 0, 0.9, 1, 1.5)] == [1, 0, 0, 1, 0]
    assert len(mailbox.to(bob.email)) == 2


def test_a_player_whose_invitation_was_withdrawn_before_the_email_gets_the_next(
    club: Club, alice: User, bob: User, mailbox: Mailbox
) -> None:
    invite_to_club(user=alice, slug=SLUG, robo_name="Bob", now=NOW)
    remove_from_club(user=alice, slug=SLUG, robo_name="Bob", now=NOW)
    assert deliver() == 0
    invite_to_club(user=alice, slug=SLUG, robo_name="Bob", now=NOW)
    assert deliver() == 1


def test_only_officers_invite_and_only_valid_addresses(club: Club, alice: User, bob: User) -> None:
    join_club(user=bob, slug=SLUG, link=_link(club), now=NOW)
    with pytest.raises(Forbidden):
        ask(club, bob)
    row = ask(club, alice)
    with pytest.raises(Forbidden):
        withdraw(club, bob, row)
    hostile = ["@", "a@b", "a@b@c.org", "x@example.org\nBcc: y@example.org", "a b@example.org"]
    for email in [*hostile, "x" * 255 + NEW, "<script>@example.org", "a\0@example.org"]:
        with pytest.raises(Malformed):
            invite_address(user=alice, slug=SLUG, email=email, now=NOW)
    assert club.candidates.count() == 1


def _link(club: Club) -> str:
    Club.objects.filter(pk=club.pk).update(link_token="t0ken")
    return "t0ken"


def test_invitations_by_mail_are_limited(
    club: Club, alice: User, monkeypatch: pytest.MonkeyPatch, mailbox: Mailbox
) -> None:
    monkeypatch.setattr(services, "MOST_MAILS", 2)
    for name in ("a", "b"):
        withdraw(club, alice, ask(club, alice, f"{name}@example.org"))
    with pytest.raises(TooMany, match="at most 2 email addresses"):
        ask(club, alice)
    ask(club, alice, days=1)
    monkeypatch.setattr(contacts, "INVITATIONS_A_DAY", 1)
    with pytest.raises(TooMany, match="at most 1 people"):
        ask(club, alice, "c@example.org", days=1)
    monkeypatch.setattr(services, "MOST_CANDIDATES", 1)
    monkeypatch.setattr(contacts, "INVITATIONS_A_DAY", 50)
    with pytest.raises(Conflict, match="too many open invitations"):
        ask(club, alice, "c@example.org", days=1)


def test_an_address_gets_a_limited_number_of_emails_a_day(alice: User, mailbox: Mailbox) -> None:
    makers = [alice, cast.bob(), cast.carol(), cast.dave()]
    made = [create_club(user=each, name=f"Club {each.robo_name}", now=NOW) for each in makers]
    for maker, club in zip(makers, made, strict=True):
        ask(club, maker)
    assert deliver() == services.MAILS_TO_ADDRESS == 3
    erin = cast.erin()
    assert all(joins(club, erin, mail_token(club.pk, NEW)) for club in made)


def test_an_address_that_wants_no_mail_gets_none_from_clubs(
    club: Club, alice: User, mailbox: Mailbox
) -> None:
    ask(club, alice)
    assert deliver() == 1
    link = re.search(r"https?://[^/]+(/\S+)>", mailbox.to(NEW)[0]["List-Unsubscribe"])
    assert link
    browser = Client(enforce_csrf_checks=True)
    assert "No more invitations to this address?" in browser.get(link[1]).content.decode()
    assert "no more invitations to this address" in browser.post(link[1]).content.decode()
    other = create_club(user=alice, name="Rust Club", now=NOW)
    ask(other, alice)
    assert deliver() == 0
    assert Notice.objects.get(about=other.pk).status == "unwanted"


def test_blocked_and_known_people_get_nothing_and_no_one_learns_it(
    club: Club, alice: User, bob: User, carol: User, dave: User
) -> None:
    block(user=bob, robo_name="Alice", now=NOW)
    join_club(user=carol, slug=SLUG, link=_link(club), now=NOW)
    invite_to_club(user=alice, slug=SLUG, robo_name="Dave", now=NOW)
    Notice.objects.all().delete()
    for each in (alice, bob, carol, dave):
        ask(club, alice, each.email)
    assert not Notice.objects.exists()
    assert set(club.candidates.filter(user=None).values_list("email", flat=True)) == {
        each.email for each in (alice, bob, carol, dave)
    }
    assert len(invitations_by_mail(viewer=alice, club=club, now=NOW)) == 4


def test_invitations_by_mail_stay_listed_whatever_their_readers_do(
    club: Club, alice: User, bob: User, carol: User, dave: User
) -> None:
    for each in (bob, carol, dave):
        ask(club, alice, each.email)
    before = invitations_by_mail(viewer=alice, club=club, now=NOW)
    joins(club, bob, "")
    leave_club(user=carol, slug=SLUG, now=NOW)  # declines
    invite_to_club(user=alice, slug=SLUG, robo_name="Dave", now=NOW)
    assert invitations_by_mail(viewer=alice, club=club, now=NOW) == before
    view = club_view(viewer=alice, slug=SLUG)
    assert [each["robo_name"] for each in view["invitees"]] == ["Dave"]
    assert invitations_to_clubs(user=carol) == []
    remove_from_club(user=alice, slug=SLUG, robo_name="Carol", now=NOW)
    assert invitations_by_mail(viewer=alice, club=club, now=NOW) == before


def test_an_officer_cannot_probe_for_an_invited_owner(club: Club, alice: User, bob: User) -> None:
    ask(club, alice, bob.email)
    remove_from_club(user=alice, slug=SLUG, robo_name="Bob", now=NOW)
    assert club_view(viewer=bob, slug=SLUG)["invited"]


def test_only_the_sender_sees_an_address(club: Club, alice: User, bob: User) -> None:
    join_club(user=bob, slug=SLUG, link=_link(club), now=NOW)
    set_role(user=alice, slug=SLUG, robo_name="Bob", role="officer")
    ask(club, alice)
    ask(club, bob)
    names = {each: invitations_by_mail(viewer=each, club=club, now=NOW)[0][1] for each in (alice, bob)}
    assert names == {alice: NEW, bob: "Someone invited by Alice"}


def test_invitations_end_with_the_club_and_with_their_sender(
    club: Club, alice: User, bob: User, carol: User, dave: User
) -> None:
    token = mail_token(club.pk, NEW)
    for each in (bob, carol):
        join_club(user=each, slug=SLUG, link=_link(club), now=NOW)
        set_role(user=alice, slug=SLUG, robo_name=each.robo_name, role="officer")
    ask(club, bob)
    remove_from_club(user=alice, slug=SLUG, robo_name="Bob", now=NOW)
    deliver()
    assert not joins(club, dave, token)
    ask(club, carol)
    delete_account(user=carol, now=NOW)
    deliver()
    assert not joins(club, dave, token)
    assert not club.candidates.filter(email=NEW).exists()
    ask(club, alice)
    close_club(user=alice, slug=SLUG, now=NOW)
    deliver()
    assert Notice.objects.get(email=NEW).status == "outdated"
    with pytest.raises(NotFound):
        join_club(user=dave, slug=SLUG, link=token, now=NOW)


def test_a_removed_member_cannot_return_through_an_email(club: Club, alice: User, bob: User) -> None:
    ask(club, alice)
    assert deliver() == 1
    User.objects.filter(pk=bob.pk).update(email=NEW)  # who signs up, but does not use the link
    invite_to_club(user=alice, slug=SLUG, robo_name="Bob", now=NOW)
    assert joins(club, bob, "")
    remove_from_club(user=alice, slug=SLUG, robo_name="Bob", now=NOW)
    assert not joins(club, bob, mail_token(club.pk, NEW))
    assert [name for _, name, _ in invitations_by_mail(viewer=alice, club=club, now=NOW)] == [NEW]


def test_an_invitation_outlives_the_role_of_its_sender(
    club: Club, alice: User, bob: User, dave: User, mailbox: Mailbox
) -> None:
    join_club(user=bob, slug=SLUG, link=_link(club), now=NOW)
    ask(club, alice)
    set_role(user=alice, slug=SLUG, robo_name="Bob", role="captain")
    leave_club(user=alice, slug=SLUG, now=NOW)
    assert deliver() == 1 and joins(club, dave, mail_token(club.pk, NEW))


def test_the_deleted_owner_of_an_address_is_forgotten(club: Club, alice: User, bob: User) -> None:
    address = bob.email
    ask(club, alice, address)
    joins(club, bob, "")
    delete_account(user=bob, now=NOW)
    assert not Candidate.objects.filter(email=address).exists()


def test_an_invitation_lets_people_in_whatever_the_captain_chose(
    club: Club, alice: User, bob: User, carol: User
) -> None:
    for number, entry in enumerate(("request", "open")):
        change_club(user=alice, slug=SLUG, entry=entry, now=NOW)
        email = f"{number}@example.org"
        ask(club, alice, email)
        assert joins(club, (bob, carol)[number], mail_token(club.pk, email))
    assert set(club.candidates.values_list("status", flat=True)) == {"accepted"}


def test_names_and_addresses_are_invited_together(
    club: Club, alice: User, bob: User, carol: User, read: ReaderOf
) -> None:
    sent = {"do": "invite", "player": f"Bob, {NEW}\r\n{carol.email.upper()},{NEW},foo@"}
    page = reader(alice).client.post(f"{CLUB}member/", sent).content.decode()
    assert f"You invited Bob, {NEW} and {carol.email.upper()}." in page
    assert ">foo@</textarea>" in page and "“foo@” is not an email address." in page
    assert {each.user for each in club.candidates.all()} == {bob, carol, None}
    mine = read(alice).get(CLUB)
    assert "Invited by email" in mine and NEW in mine.text and carol.email in mine.text
    (one, _other) = re.findall(r'name="invitation" value="(\d+)"', mine.html)
    gone = reader(alice).client.post(f"{CLUB}member/", {"do": "withdraw", "invitation": one}, follow=True)
    assert "No one was removed from the club." in gone.content.decode()
    for wrong in (one, "x", ""):
        answer = reader(alice).client.post(f"{CLUB}member/", {"do": "withdraw", "invitation": wrong})
        assert answer.status_code == 404
    assert NEW not in read(carol).get(CLUB).html


def test_the_page_behind_a_mailed_link_invites_and_then_says_that_it_is_used(
    club: Club, alice: User, bob: User, carol: User, read: ReaderOf
) -> None:
    ask(club, alice)
    path = f"{CLUB}?link={mail_token(club.pk, NEW)}"
    stranger = read(None).get(path)
    assert "Alice invites you to the club Tin Can Club." in stranger and "Sign up to join" in stranger
    (sign_up,) = {each for each in stranger.links if each.startswith("/accounts/signup/") and "link" in each}
    assert "Alice invites you to the club Tin Can Club." in read(None).get(sign_up)
    for other in (
        "/accounts/signup/",
        f"/accounts/signup/?next={CLUB}?link=x",
        "/accounts/signup/?next=/%00",
    ):
        assert "Tin Can Club" not in read(None).get(other)
    assert "Accept the invitation" in read(bob).get(path)
    answer = reader(bob).client.post(path.replace("?", "belong/?"), {"do": "join"}, follow=True)
    assert "You are now a member." in answer.content.decode()
    assert Membership.objects.filter(user=bob).exists()
    later = read(carol).get(path)
    assert "no longer works" in later and "Accept the invitation" not in later
