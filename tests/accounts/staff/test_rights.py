"""Only superusers may change rights, passwords, addresses and second factors."""

from typing import Any

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.contrib.auth.models import Group, Permission
from django.core.mail import EmailMessage
from django.test import Client

from accounts.models import AUDIENCES, User
from tests import cast

NEW = "a-new-password-9"

pytestmark = pytest.mark.django_db


@pytest.fixture
def erin() -> User:
    """Erin, with every permission, but not a superuser."""
    erin = cast.erin()
    erin.user_permissions.set(Permission.objects.all())
    return erin


@pytest.fixture
def root() -> User:
    return cast.person("Frank", is_staff=True, is_superuser=True)


@pytest.fixture
def staff(erin: User) -> Client:
    browser = Client()
    browser.force_login(erin)
    return browser


@pytest.fixture
def superuser(root: User) -> Client:
    browser = Client()
    browser.force_login(root)
    return browser


@pytest.fixture
def alice() -> User:
    return cast.alice()


def path(user: User, what: str = "change") -> str:
    return f"/admin/accounts/user/{user.pk}/{what}/"


def form_of(user: User, **more: Any) -> dict[str, Any]:
    """Return the admin form of an account, with every right ticked."""
    rights = {"is_active": "on", "is_staff": "on", "is_superuser": "on"}
    told = {"time_zone": "UTC", "manner": "none", "daily_hour": "8"}
    everybody = dict.fromkeys(AUDIENCES, "everybody")
    permissions = [str(each.pk) for each in Permission.objects.all()]
    return {**rights, **told, **everybody, "user_permissions": permissions, "password": "x", **more}


def test_staff_grant_no_rights_by_posting_read_only_fields(staff: Client, erin: User, alice: User) -> None:
    group = Group.objects.create(name="Everything")
    for person in (erin, alice):
        before = person.password
        assert staff.post(path(person), form_of(person, groups=[str(group.pk)])).status_code == 302
        person.refresh_from_db()
        assert person.manner == "none", "the rest of the form is taken"
        assert (person.is_superuser, person.is_staff) == (False, person == erin)
        assert person.password == before
        assert not person.groups.exists()
    assert not alice.user_permissions.exists()


def test_staff_change_nothing_about_other_staff(staff: Client, root: User) -> None:
    other = cast.person("Grace", is_staff=True)
    for person in (root, other):
        assert staff.post(path(person), form_of(person, is_active="")).status_code == 403
        assert User.objects.get(pk=person.pk).is_active
        assert staff.get(path(person)).status_code == 200


def test_staff_give_a_new_account_no_rights(staff: Client) -> None:
    form = {"robo_name": "Bob", "email": "bob@example.org", "usable_password": "true"}
    words = {"password1": NEW, "password2": NEW, "is_staff": "on", "is_superuser": "on"}
    assert staff.post("/admin/accounts/user/add/", form | words).status_code == 302
    bob = User.objects.get(robo_name="Bob")
    assert (bob.is_staff, bob.is_superuser) == (False, False)


def test_staff_set_no_passwords(staff: Client, erin: User, alice: User, root: User) -> None:
    for person in (alice, root, erin):
        before = person.password
        for form in ({"usable_password": "false"}, {"password1": NEW, "password2": NEW}):
            assert staff.post(path(person, "password"), form).status_code == 403
        assert User.objects.get(pk=person.pk).password == before


def test_staff_neither_set_nor_confirm_an_address(staff: Client, root: User) -> None:
    pages = "/admin/account/emailaddress/"
    own = EmailAddress.objects.get(user=root)
    loose = EmailAddress.objects.create(user=root, email="mallory@example.org")
    made = {"user": root.pk, "email": "m@example.org", "verified": "on", "primary": "on"}
    assert staff.post(f"{pages}add/", made).status_code == 403
    assert staff.post(f"{pages}{own.pk}/change/", made).status_code == 403
    assert staff.post(f"{pages}{own.pk}/delete/", {"post": "yes"}).status_code == 403
    for action in ("make_verified", "delete_selected"):
        staff.post(pages, {"action": action, "_selected_action": [loose.pk, own.pk], "post": "yes"})
    assert not EmailAddress.objects.get(pk=loose.pk).verified
    assert EmailAddress.objects.get(pk=own.pk).email == User.objects.get(pk=root.pk).email


def test_staff_remove_no_second_factor(staff: Client, alice: User) -> None:
    factor = Authenticator.objects.create(user=alice, type="totp", data={"secret": "x"})
    pages = "/admin/mfa/authenticator/"
    assert staff.get(f"{pages}{factor.pk}/change/").status_code == 200
    assert staff.post(f"{pages}{factor.pk}/delete/", {"post": "yes"}).status_code == 403
    staff.post(pages, {"action": "delete_selected", "_selected_action": [factor.pk], "post": "yes"})
    assert Authenticator.objects.filter(pk=factor.pk).exists()


def test_staff_give_a_group_no_new_permission(staff: Client, erin: User) -> None:
    group = Group.objects.create(name="Helpers")
    erin.groups.add(group)
    everything = [str(each.pk) for each in Permission.objects.all()]
    form = {"name": "Helpers", "permissions": everything}
    assert staff.post(f"/admin/auth/group/{group.pk}/change/", form).status_code == 403
    assert staff.post("/admin/auth/group/add/", form | {"name": "More"}).status_code == 403
    assert staff.post(f"/admin/auth/group/{group.pk}/delete/", {"post": "yes"}).status_code == 403
    assert not group.permissions.exists()
    assert not Group.objects.filter(name="More").exists()


def test_staff_log_out_players_but_no_other_staff(staff: Client, alice: User, root: User) -> None:
    for person, status in ((alice, 302), (root, 403)):
        session = UserSession.objects.create(
            user=person, ip="203.0.113.9", session_key=f"key-of-{person.pk}", user_agent="Firefox"
        )
        page = f"/admin/usersessions/usersession/{session.pk}/delete/"
        assert staff.post(page, {"post": "yes"}).status_code == status
        assert UserSession.objects.filter(pk=session.pk).exists() == (status == 403)


def sent_mails(mailoutbox: list[EmailMessage]) -> list[tuple[str, str]]:
    return [(mail.subject, mail.to[0]) for mail in mailoutbox]


def test_the_owner_is_notified_of_a_superuser_s_new_password(
    superuser: Client, alice: User, mailoutbox: list[EmailMessage]
) -> None:
    form = {"usable_password": "true", "password1": NEW, "password2": NEW, "set-password": "yes"}
    assert superuser.post(path(alice, "password"), form).status_code == 302
    alice.refresh_from_db()
    assert alice.check_password(NEW)
    assert sent_mails(mailoutbox) == [("Staff changed your password", "alice@example.org")]
    assert "This happened on Saturday, 21 November 2026, 12:00 (UTC)." in mailoutbox[0].body
    assert "127.0.0.1" not in str(mailoutbox[0].body), "where staff sit is not the owner's business"


def test_a_refused_password_sends_no_mail(
    superuser: Client, alice: User, mailoutbox: list[EmailMessage]
) -> None:
    form = {"usable_password": "true", "password1": NEW, "password2": "another"}
    superuser.post(path(alice, "password"), form)
    assert superuser.get(path(alice, "password")).status_code == 200
    assert superuser.post("/admin/accounts/user/none/password/", form).status_code == 404
    assert not mailoutbox


def test_new_staff_are_notified_of_their_rights(
    superuser: Client, alice: User, mailoutbox: list[EmailMessage]
) -> None:
    assert superuser.post(path(alice), form_of(alice, is_superuser="")).status_code == 302
    alice.refresh_from_db()
    assert alice.is_staff and not alice.is_superuser and alice.user_permissions.exists()
    assert sent_mails(mailoutbox) == [("Staff changed your rights", "alice@example.org")]
    superuser.post(path(alice), form_of(alice, is_superuser="", daily_hour="9"))
    assert len(mailoutbox) == 1, "whose rights stayed as they were is told nothing"


def test_both_addresses_are_notified_of_a_superuser_s_change(
    superuser: Client, alice: User, mailoutbox: list[EmailMessage]
) -> None:
    made = {"user": alice.pk, "email": "Alice@new.example.org", "verified": "on", "primary": "on"}
    assert superuser.post("/admin/account/emailaddress/add/", made).status_code == 302
    (address,) = EmailAddress.objects.filter(user=alice)
    alice.refresh_from_db()
    assert alice.email == address.email == "alice@new.example.org"
    assert address.verified and address.primary
    subject = "Staff changed your email address"
    assert sorted(sent_mails(mailoutbox)) == [
        (subject, "alice@example.org"),
        (subject, "alice@new.example.org"),
    ]


def test_the_owner_is_notified_if_a_superuser_confirms_an_address(
    superuser: Client, alice: User, mailoutbox: list[EmailMessage]
) -> None:
    EmailAddress.objects.filter(user=alice).update(verified=False)
    address = EmailAddress.objects.get(user=alice)
    page = f"/admin/account/emailaddress/{address.pk}/change/"
    assert (
        superuser.post(page, {"email": address.email, "verified": "on", "primary": "on"}).status_code == 302
    )
    assert EmailAddress.objects.get(pk=address.pk).verified
    assert sent_mails(mailoutbox) == [("Staff changed your email address", "alice@example.org")]


def test_an_invalid_address_is_refused_with_a_sentence(
    superuser: Client, alice: User, mailoutbox: list[EmailMessage]
) -> None:
    address = EmailAddress.objects.get(user=alice)
    missing = "An account needs a primary address. Make another one primary instead."
    for form, sentence in (
        ({"email": "frank@example.org", "primary": "on"}, "Another account has this email address."),
        ({"email": "alice@example.org"}, missing),
    ):
        page = superuser.post(f"/admin/account/emailaddress/{address.pk}/change/", form)
        assert sentence in page.content.decode()
    assert User.objects.get(pk=alice.pk).email == "alice@example.org"
    assert not mailoutbox


def test_the_primary_address_of_an_account_cannot_be_removed(superuser: Client, alice: User) -> None:
    own = EmailAddress.objects.get(user=alice)
    other = EmailAddress.objects.create(user=alice, email="second@example.org")
    pages = "/admin/account/emailaddress/"
    assert superuser.post(f"{pages}{own.pk}/delete/", {"post": "yes"}).status_code == 403
    assert superuser.post(f"{pages}{other.pk}/delete/", {"post": "yes"}).status_code == 302
    assert list(EmailAddress.objects.filter(user=alice)) == [own]
