"""Support for players in the admin: each case starts from one search field and takes at most four clicks."""

import json
import re
from collections.abc import Callable

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Permission
from django.core.mail import EmailMessage
from django.test import Client

from accounts.mail import (
    bounce_closure_of,
    close_address,
    digest_of,
    discard_mail,
    forget_mail_records,
    mail_records,
    waiting_mail,
)
from accounts.models import AccountMail, ClosedAddress, MailRecord, User
from accounts.rights import end_locks
from games.errors import Forbidden
from games.moderation.models import ConductEntry, Sanction
from games.moderation.services.decisions import begin_case, rename_in_games, suspend
from games.news.models import Notice
from games.people.models import Deletion
from games.people.services.deletion import delete_account, erase
from games.people.tokens import make_token
from games.play.models import Game, Turn
from games.staff import support
from games.staff.models import Intervention
from games.staff.services import watch_turns
from tests import cast
from tests.games.moderation.staffing import WHY
from tests.games.people.walk import CLICK_LIMIT, Walk
from tests.games.support import NOW, later

REASON = "You asked us on Monday."

Mails = list[EmailMessage]
WalkCase = Callable[[Walk], None]


@pytest.fixture
def head(db: None) -> User:
    return cast.person("Frank", is_staff=True, is_superuser=True)


@pytest.fixture
def walk(head: User) -> Walk:
    client = Client()
    client.force_login(head)
    return Walk(client)


def logged(person: User) -> list[str]:
    """Return the entries about an account in the log of the admin, oldest first."""
    entries = LogEntry.objects.filter(object_id=person.pk, content_type__model="user").order_by("pk")
    return [f"{entry.user}: {entry.change_message}" for entry in entries]


def sent(mails: Mails) -> list[tuple[str, str]]:
    return [(mail.to[0], str(mail.subject)) for mail in mails]


def documented(case: str) -> int:
    """Return the number of clicks that the documentation promises for a case."""
    page = (settings.BASE_DIR / "docs" / "support.md").read_text()
    found = re.search(rf"^\| {re.escape(case)} \|.*\| (\d) \|$", page, re.MULTILINE)
    assert found, f"docs/support.md has no row “{case}”"
    return int(found[1])


def check_clicks(walk: Walk, case: str) -> None:
    assert walk.clicks <= CLICK_LIMIT
    assert walk.clicks == documented(case)


# --- Twelve cases -------------------------------------------------------------------------------------------


def test_a_lost_address_is_replaced_after_its_confirmation(
    walk: Walk, alice: User, mailoutbox: Mails
) -> None:
    walk.search("alice@example.org")
    walk.press("New address")
    walk.press("Send the confirmation link", email="Alice@New.example.org", reason=REASON)
    check_clicks(walk, "lost address")
    assert sorted(sent(mailoutbox)) == [
        ("alice@example.org", "Staff changed your email address"),
        ("alice@new.example.org", "Confirm your address, Alice"),
    ]
    warning = next(mail for mail in mailoutbox if mail.to == ["alice@example.org"])
    assert REASON in warning.body and "alice@new.example.org" in warning.body
    assert User.objects.get(pk=alice.pk).email == "alice@example.org", "not before the confirmation"
    confirmation = next(mail for mail in mailoutbox if mail.to == ["alice@new.example.org"])
    link = re.search(r"https?://\S+/accounts/confirm-email/\S+", str(confirmation.body))
    assert link
    Client().post(link[0].partition("testserver")[2] or "/" + link[0].split("/", 3)[3])
    assert User.objects.get(pk=alice.pk).email == "alice@new.example.org"
    assert list(EmailAddress.objects.filter(user=alice).values_list("email", "verified")) == [
        ("alice@new.example.org", True)
    ]
    assert logged(alice) == [f"Frank: Confirmation link sent to a new address.\n{REASON}"]


def test_a_person_is_renamed_and_found_by_the_former_name(
    walk: Walk, duel: Game, alice: User, mailoutbox: Mails
) -> None:
    walk.search("alice")
    walk.press("Rename on request")
    walk.press("Rename", name="Rosie", reason=REASON)
    check_clicks(walk, "another name")
    alice.refresh_from_db()
    assert alice.robo_name == "Rosie"
    (mail,) = mailoutbox
    assert "Your Robo Name is now Rosie instead of Alice." in mail.body and REASON in mail.body
    assert logged(alice) == [f"Frank: Renamed.\n{REASON}"]
    while rename_in_games(now=NOW):
        pass
    again = Walk(walk.client)
    again.search("Alice")
    assert again.address.endswith(f"/admin/accounts/user/{alice.pk}/change/"), "found by the former name"
    again.press("Rename on request")
    again.press("Rename", name="ALICE", reason=REASON)
    assert "belonged to another player" in again.html, "the old name stays reserved"


@pytest.fixture
def stuck(duel: Game) -> Game:
    """The duel. Its open turn has failed too often."""
    Turn.objects.filter(game=duel).update(attempts=5, error="It never works.", ready_at=NOW)
    watch_turns(now=NOW)
    return duel


def test_a_stuck_game_shows_why_and_is_resolved_again(
    walk: Walk, stuck: Game, messages: list[tuple[str, int]]
) -> None:
    walk.search(f"game {stuck.pk}")
    assert "failed attempts: 5" in walk.html and "It never works." in walk.html
    walk.press("Resolve again")
    walk.press("Resolve again", reason=REASON)
    check_clicks(walk, "stuck game: resolve again")
    turn = stuck.turns.get()
    assert turn.attempts == 0 and ("resolve_turn", turn.pk) in messages
    assert Intervention.objects.get().reason == REASON


def test_the_deadline_of_a_game_is_extended(walk: Walk, duel: Game) -> None:
    before = duel.turns.get().deadline
    walk.search(duel.name)
    walk.press("Extend the deadline")
    walk.press("Extend the deadline", hours="12", reason=REASON)
    check_clicks(walk, "stuck game: extend")
    after = duel.turns.get().deadline
    assert before and after and after > before


def test_a_player_who_holds_up_a_game_is_replaced(walk: Walk, duel: Game, bob: User) -> None:
    seat = duel.players.get(user=bob)
    walk.search(duel.name)
    walk.open_page(f"/admin/games/seat/{seat.pk}/change/")
    walk.press("Replace with a computer")
    walk.press("Replace with a computer", reason=REASON)
    check_clicks(walk, "stuck game: replace a player")
    seat.refresh_from_db()
    assert seat.user is None and seat.computer


def test_a_game_that_cannot_go_on_is_cancelled(walk: Walk, stuck: Game) -> None:
    walk.search("First flight")
    walk.press("Cancel")
    walk.press("Cancel", reason=REASON)
    check_clicks(walk, "stuck game: cancel")
    stuck.refresh_from_db()
    assert stuck.status == Game.Status.CANCELLED
    done = Intervention.objects.get()
    assert (done.action, done.by, done.reason) == ("cancel", User.objects.get(robo_name="Frank"), REASON)


@pytest.fixture
def banned(alice: User, head: User) -> Sanction:
    """Alice's suspension for seven days, by Erin."""
    erin = cast.erin()
    case = begin_case(user=erin, robo_name="Alice", now=NOW)
    return suspend(user=erin, case_id=case.pk, days=7, **WHY)


def test_a_wrong_ban_is_lifted_and_the_person_is_notified(walk: Walk, banned: Sanction, alice: User) -> None:
    Notice.objects.all().delete()
    walk.search("Alice")
    walk.open("Suspended until")
    walk.press("Undo")
    walk.press("Undo", reason=REASON)
    check_clicks(walk, "wrong ban: undo")
    banned.refresh_from_db()
    assert banned.lifted_at == NOW
    assert Notice.objects.filter(user=alice, kind="sanction", channel="mail").count() == 1
    assert LogEntry.objects.get(content_type__model="sanction").change_message == f"Undone.\n{REASON}"


def test_a_ban_is_shortened_and_the_person_is_notified(walk: Walk, banned: Sanction, alice: User) -> None:
    Notice.objects.all().delete()
    walk.search("Alice")
    walk.open("Suspended until")
    walk.press("Shorten")
    walk.press("Shorten", days="2", reason=REASON)
    check_clicks(walk, "wrong ban: shorten")
    banned.refresh_from_db()
    assert (banned.days, banned.ends_at) == (2, later(days=2))
    assert Notice.objects.filter(user=alice, kind="sanction", channel="mail").count() == 1
    entry = ConductEntry.objects.first()
    assert entry and (entry.deed, entry.by) == ("shortened", User.objects.get(robo_name="Frank"))
    walk.open_page(f"/admin/games/sanction/{banned.pk}/change/")
    walk.press("Shorten")
    walk.press("Shorten", days="9", reason=REASON)
    assert "Choose an end between now and" in walk.html


def test_lost_second_factors_are_removed_after_a_check(walk: Walk, alice: User, mailoutbox: Mails) -> None:
    for kind in ("totp", "webauthn", "recovery_codes"):
        Authenticator.objects.create(user=alice, type=kind, data={"secret": "x"})
    phone = logged_in(alice)
    make_token(user=alice, name="Bot", days=9, now=NOW)
    walk.search("Alice")
    walk.press("Remove all second factors")
    unchecked = Walk(walk.client)
    unchecked.search("Alice")
    unchecked.press("Remove all second factors")
    unchecked.press("Remove all second factors", reason=REASON)
    assert "Check first who is asking." in unchecked.html
    assert Authenticator.objects.filter(user=alice).count() == 3
    walk.press("Remove all second factors", reason=REASON, checked="on")
    check_clicks(walk, "lost second factor")
    assert not Authenticator.objects.filter(user=alice).exists()
    assert not is_logged_in(phone) and not alice.api_tokens.exists()
    assert sent(mailoutbox) == [("alice@example.org", "Staff removed your second factors")]
    assert logged(alice) == [f"Frank: Second factors removed.\n{REASON}"]


def logged_in(person: User) -> Client:
    """Log a person in with a new browser, which the list of sessions shows. Return the browser."""
    browser = Client()
    browser.force_login(person)
    key = browser.session.session_key
    UserSession.objects.create(user=person, ip="203.0.113.9", session_key=key, user_agent="Firefox")
    return browser


def is_logged_in(browser: Client) -> bool:
    return browser.get("/settings/profile/").status_code == 200


def test_a_bounced_address_is_shown_and_forgiven(
    walk: Walk, duel: Game, alice: User, mailoutbox: Mails
) -> None:
    close_address(
        digest=digest_of(alice.email), cause=ClosedAddress.Cause.CAME_BACK, reason="mailbox full", now=NOW
    )
    Notice.objects.filter(user=alice).update(status=Notice.Status.CLOSED, sent_at=None)
    walk.search("Alice")
    walk.open("Mail")
    assert "Mail bounced. mailbox full" in walk.html
    assert "The address gets no mail about games, because mail to it bounced." in walk.html
    walk.press("Try the bounced address again")
    walk.press("Try again", reason=REASON)
    check_clicks(walk, "no mail: bounced")
    assert bounce_closure_of(alice.email) is None
    assert sent(mailoutbox) == [("alice@example.org", "You get mail about games again")]
    assert walk.address.endswith("/mail/")
    walk.press("Send failed notifications again")
    walk.press("Send again", reason=REASON)
    assert not Notice.objects.filter(user=alice, status=Notice.Status.CLOSED).exists()
    assert [entry.partition("\n")[0] for entry in logged(alice)] == [
        "Frank: Address opened again.",
        "Frank: Failed notifications sent again.",
    ]


def test_a_person_who_cannot_log_in_gets_a_link_to_the_file(
    walk: Walk, alice: User, mailoutbox: Mails
) -> None:
    walk.search("Alice")
    walk.press("Send their data")
    walk.press("Send the link", reason=REASON)
    check_clicks(walk, "a copy of the data")
    (mail,) = mailoutbox
    found = re.search(r"/settings/data/link/\S+", str(mail.body))
    assert found and mail.to == ["alice@example.org"]
    stranger = Client()
    assert "Download my data" in stranger.get(found[0]).content.decode()
    document = json.loads(stranger.post(found[0]).content)
    assert document["person"]["robo_name"] == "Alice"
    assert [each["change_message"] for each in document["actions_of_staff"]] == [
        f"Link to personal data sent.\n{REASON}"
    ]
    assert stranger.get(found[0].rstrip("/")[:-3] + "abc/").status_code == 404
    User.objects.filter(pk=alice.pk).update(email="other@example.org")
    assert stranger.post(found[0]).status_code == 404, "the address has changed since"


def test_an_account_is_locked_until_a_day_and_its_owner_reads_why(
    walk: Walk, alice: User, mailoutbox: Mails
) -> None:
    phone = logged_in(alice)
    walk.search("Alice")
    walk.press("Lock")
    walk.press("Lock", days="3", reason="Someone else uses your password.")
    check_clicks(walk, "lock an account")
    alice.refresh_from_db()
    assert (alice.is_active, alice.locked_until) == (False, later(days=3))
    assert not is_logged_in(phone)
    (mail,) = mailoutbox
    assert mail.subject == "Staff locked your account" and "Someone else uses" in mail.body
    login = {"login": "Alice", "password": cast.password_of("Alice")}
    page = Client().post("/accounts/login/", login)
    assert page.status_code == 403 and "Someone else uses your password." in page.content.decode()
    assert "Tuesday, 24 November 2026" in page.content.decode()
    wrong = Client().post("/accounts/login/", login | {"password": "wrong-password"})
    assert "Someone else uses" not in wrong.content.decode(), "only the owner reads the reason"
    assert end_locks(now=later(days=2)) == 0
    assert end_locks(now=later(days=3)) == 1
    alice.refresh_from_db()
    assert (alice.is_active, alice.locked_until, alice.lock_reason) == (True, None, "")
    assert Client().post("/accounts/login/", login).status_code == 302


def test_a_locked_account_is_unlocked(walk: Walk, alice: User, head: User, mailoutbox: Mails) -> None:
    support.lock(user=head, person_id=alice.pk, days=None, reason="?", now=NOW)
    walk.search("Alice")
    walk.press("Unlock")
    walk.press("Unlock", reason=REASON)
    check_clicks(walk, "unlock an account")
    alice.refresh_from_db()
    assert alice.is_active and alice.lock_reason == ""
    assert sent(mailoutbox)[-1] == ("alice@example.org", "Staff unlocked your account")


def test_a_person_is_logged_out_everywhere(walk: Walk, alice: User, mailoutbox: Mails) -> None:
    browsers = [logged_in(alice), logged_in(alice)]
    walk.search("203.0.113.9")
    walk.press("Log out everywhere")
    walk.press("Log out everywhere", reason=REASON)
    check_clicks(walk, "log out everywhere")
    assert not any(map(is_logged_in, browsers))
    assert sent(mailoutbox) == [("alice@example.org", "Staff logged you out everywhere")]
    assert logged(alice) == [f"Frank: Logged out everywhere.\n{REASON}"]


def test_an_account_is_deleted_with_a_reason(walk: Walk, alice: User, mailoutbox: Mails) -> None:
    walk.search("Alice")
    walk.press("Delete permanently")
    walk.press("Delete this account permanently", reason=REASON)
    check_clicks(walk, "delete an account")
    deletion = Deletion.objects.get()
    assert logged(alice) == [f"Frank: Deleted permanently. {REASON}"]
    assert len(mailoutbox) == 1
    erase(deletion_id=deletion.pk, now=NOW)
    assert logged(alice) == [f"Frank: Deleted permanently. {REASON}"]


# --- Mail ---------------------------------------------------------------------------------------------------


def test_a_test_email_is_recorded_without_its_text(walk: Walk, alice: User, mailoutbox: Mails) -> None:
    walk.search("Alice")
    walk.open("Mail")
    walk.press("Send a test")
    walk.press("Send a test", reason=REASON)
    check_clicks(walk, "no mail: send a test")
    assert sent(mailoutbox) == [("alice@example.org", "A test from Robo Runner")]
    record = MailRecord.objects.get()
    assert (record.kind, record.outcome, record.settled_at) == ("account/email/by_staff", "sent", NOW)
    assert ">by_staff</td>" in walk.html and ">Sent, " in walk.html
    assert "alice@example.org" not in str(vars(record))
    assert forget_mail_records(now=later(days=29)) == 0
    assert forget_mail_records(now=later(days=30)) == 1


@pytest.mark.parametrize(
    "settings_of_person, reason",
    [
        ({"silenced": ["turn"]}, "has muted this kind"),
        ({"manner": "none"}, "wants no mail about games"),
        ({"is_active": False}, "The account is locked"),
        ({}, "was notified about this game before"),
    ],
)
def test_the_page_says_why_a_notification_was_not_wanted(
    walk: Walk, duel: Game, alice: User, settings_of_person: dict[str, object], reason: str
) -> None:
    User.objects.filter(pk=alice.pk).update(**settings_of_person)
    Notice.objects.filter(user=alice).update(status=Notice.Status.UNWANTED, kind="turn")
    page = walk.client.get(f"/admin/accounts/user/{alice.pk}/mail/").content.decode()
    assert reason in page


def test_the_page_says_what_a_held_notification_waits_for(walk: Walk, duel: Game, alice: User) -> None:
    held = {"status": Notice.Status.HELD, "due_at": later(hours=3), "kind": "turn"}
    Notice.objects.filter(user=alice).update(**held)
    address = f"/admin/accounts/user/{alice.pk}/mail/"
    assert "It is held until" in walk.client.get(address).content.decode()
    duel.players.filter(user=alice).update(visited_at=NOW)
    assert "The reader is watching the game." in walk.client.get(address).content.decode()
    User.objects.filter(pk=alice.pk).update(manner="daily")
    assert "It waits for the daily email" in walk.client.get(address).content.decode()


def test_an_unconfirmed_sign_up_gets_its_link_again(walk: Walk, db: None, mailoutbox: Mails) -> None:
    newcomer = User.objects.create(robo_name="Newcomer", email="")
    EmailAddress.objects.create(user=newcomer, email="new@example.org", primary=True)
    walk.search("new@example.org")
    walk.open("Mail")
    walk.press("Send the confirmation link again")
    walk.press("Send the link again", reason=REASON)
    assert walk.clicks == CLICK_LIMIT
    assert [mail.to for mail in mailoutbox] == [["new@example.org"]]


# --- Rights -------------------------------------------------------------------------------------------------


SUPPORT = {
    "give_address": {"email": "x@example.org"},
    "rename": {"name": "Rosie"},
    "remove_factors": {"checked": "on"},
    "log_out": {},
    "lock": {},
    "unlock": {},
    "send_data": {},
    "give_data": {},
    "send_test": {},
    "forgive_bounce": {},
    "send_again": {},
    "confirm_again": {},
}


@pytest.mark.parametrize("action", SUPPORT)
def test_no_action_works_on_a_superuser_by_other_staff(action: str, head: User, mailoutbox: Mails) -> None:
    erin = cast.erin()
    erin.user_permissions.set(Permission.objects.all())
    browser = Client()
    browser.force_login(erin)
    before = User.objects.filter(pk=head.pk).values().get()
    form = {"action": action, "_selected_action": [head.pk], "sure": "yes", "reason": REASON}
    browser.post("/admin/accounts/user/", {**form, **SUPPORT[action]})
    assert User.objects.filter(pk=head.pk).values().get() == before
    assert not mailoutbox and not LogEntry.objects.exists()
    page = browser.get(f"/admin/accounts/user/{head.pk}/change/").content.decode()
    assert 'class="deed"' not in page


@pytest.mark.parametrize("action", SUPPORT)
def test_no_action_works_without_its_right(action: str, grace: User, alice: User, mailoutbox: Mails) -> None:
    grace.user_permissions.add(Permission.objects.get(codename="view_user"))
    browser = Client()
    browser.force_login(grace)
    form = {"action": action, "_selected_action": [alice.pk], "sure": "yes", "reason": REASON}
    browser.post("/admin/accounts/user/", {**form, **SUPPORT[action]})
    assert not mailoutbox and not LogEntry.objects.exists()
    assert User.objects.get(pk=alice.pk).is_active


@pytest.mark.parametrize("call", [support.give_address, support.remove_factors, support.give_data])
def test_only_superusers_can_give_away_an_account(call: Callable[..., object], alice: User) -> None:
    erin = cast.erin()
    erin.user_permissions.set(Permission.objects.all())
    more = {"email": "x@example.org"} if call == support.give_address else {}
    with pytest.raises(Forbidden, match="superuser"):
        call(user=erin, person_id=alice.pk, reason=REASON, now=NOW, **more)


def test_an_exact_name_opens_at_once_and_leads_to_other_hits(walk: Walk, duel: Game, alice: User) -> None:
    cast.person("Alice-2")
    Game.objects.filter(pk=duel.pk).update(name="Alice and Bob")
    walk.search("alice")
    assert walk.address == f"/admin/accounts/user/{alice.pk}/change/"
    assert "There are 2 other hits." in walk.html
    walk.open("Show all")
    assert "Alice-2" in walk.html and "Alice and Bob" in walk.html


def test_staff_without_rights_find_nothing(grace: User, duel: Game) -> None:
    browser = Client()
    browser.force_login(grace)
    for text in ("Alice", "alice@example.org", "203.0.113.9", f"game {duel.pk}", "1"):
        assert "Nothing found." in browser.get("/admin/accounts/user/find/", {"q": text}).content.decode()
    assert browser.get(f"/admin/accounts/user/{grace.pk}/mail/").status_code == 403


def test_an_account_shows_games_and_decisions_only_to_staff_with_the_right(
    walk: Walk, grace: User, duel: Game, banned: Sanction, alice: User
) -> None:
    address = f"/admin/accounts/user/{alice.pk}/change/"
    assert "First flight" in walk.client.get(address).content.decode()
    grace.user_permissions.add(Permission.objects.get(codename="view_user"))
    browser = Client()
    browser.force_login(grace)
    page = browser.get(address).content.decode()
    assert "alice@example.org" in page
    assert "First flight" not in page and "Suspended" not in page


@pytest.mark.parametrize("action", ["give_address", "rename", "give_data"])
def test_an_address_a_name_or_a_file_is_for_one_account(
    walk: Walk, alice: User, action: str, mailoutbox: Mails
) -> None:
    chosen = [alice.pk, cast.bob().pk]
    given = {"email": "new@example.org", "name": "Rosie", "reason": REASON, "sure": "yes"}
    asked = {"action": action, "_selected_action": chosen, **given}
    answer = walk.client.post("/admin/accounts/user/", asked, follow=True)
    assert "Choose one person." in answer.content.decode()
    assert not mailoutbox


@pytest.mark.parametrize(
    "text", ["", "\0", "9" * 40, "%_'\"", "a@", "::1", "case 99999999999999999", "x" * 5000]
)
def test_any_search_gets_an_answer(walk: Walk, text: str) -> None:
    assert walk.client.get("/admin/accounts/user/find/", {"q": text}).status_code == 200


def test_a_sign_up_with_another_player_s_address_shows_and_takes_none_of_their_mail(
    alice: User, mailoutbox: Mails
) -> None:
    bob = cast.bob()
    record = MailRecord.objects.create(
        digest=digest_of(bob.email), kind="k", outcome="sent", created_at=NOW, settled_at=NOW
    )
    waiting = AccountMail.objects.create(
        kind="k", address=bob.email, subject="s", body="b", created_at=NOW, good_until=later(days=1)
    )
    EmailAddress.objects.create(user=alice, email=bob.email)
    assert not mail_records(alice) and not waiting_mail(alice)
    assert (list(mail_records(bob)), list(waiting_mail(bob))) == ([record], [waiting])
    discard_mail(user=alice)
    assert (MailRecord.objects.get(), AccountMail.objects.get()) == (record, waiting)


def test_a_deletion_takes_former_names_and_reasons_out_of_the_log(
    alice: User, head: User, walk: Walk, mailoutbox: Mails
) -> None:
    walk.search("Alice")
    walk.press("Rename on request")
    walk.press("Rename", name="Rosie", reason="Alice asked.")
    deletion = delete_account(user=alice, now=NOW)
    erase(deletion_id=deletion.pk, now=NOW)
    entry = LogEntry.objects.get(content_type__model="user")
    assert (entry.object_repr, entry.change_message) == (f"Deleted-{alice.pk}", "Renamed.")
