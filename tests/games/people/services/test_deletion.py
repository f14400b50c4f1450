"""Deleting an account removes all data about the person, and games stay complete."""

from dataclasses import replace
from typing import Any

import pytest
from django.apps import apps
from django.contrib.admin.models import CHANGE, LogEntry as StaffEntry
from django.contrib.auth.models import Permission
from django.core.exceptions import ValidationError
from django.db.models import BinaryField, CharField, JSONField, Model, TextField
from django.test import Client

from accounts import guests, mail
from accounts.models import AccountMail, RetiredName, User
from games.chat.services import post_line
from games.errors import Conflict, Forbidden
from games.films.game_file import game_file
from games.films.selectors import log_after
from games.fleet.services import save_starship
from games.lobby.invitations import invite
from games.lobby.seats import join_game, remove_player
from games.news.models import Notice
from games.people.models import Forgetting
from games.people.services.deletion import KEPT_REFERENCES, delete_account, label_of, references
from games.people.tokens import make_token, use_token
from games.play.models import Game, Turn
from games.play.orders import save_draft
from games.play.stored import PlayedHand
from tests.games.deletions import SETTLED, erased, faults, played_out, redis_keys, redis_with, rows_with
from tests.games.support import HALL, NOW, Table, history_of, open_turn, programs_of, record_of, rekeep


@pytest.fixture
def over(lane: Table, alice: User, bob: User) -> Game:
    return played_out(lane, alice, bob)


def remarked(hand: PlayedHand, remark: str) -> PlayedHand:
    """Return a hand with the given remark in its program, if it has a program."""
    return replace(hand, program=hand.program and replace(hand.program, remark=remark))


def test_no_table_contains_name_or_address(
    over: Game, table: Table, alice: User, bob: User, carol: User, dave: User, erin: User, client: Client
) -> None:
    before = redis_keys()
    running = table.game(alice, bob, carol)
    table.play(running, alice, bob, carol)
    save_draft(user=alice, game_id=running.pk, turn_number=1, document={"power_down": True}, now=NOW)
    elsewhere = table.game(bob, carol)
    post_line(user=bob, game_id=elsewhere.pk, text="@Alice plays next door: alice@example.org", now=NOW)
    lobby = table.game(bob, seats=4)
    invite(user=bob, game_id=lobby.pk, robo_name="Alice", now=NOW)
    invite(user=bob, game_id=lobby.pk, email="alice@example.org", now=NOW)
    join_game(user=alice, game_id=lobby.pk, now=NOW)
    invite(user=alice, game_id=lobby.pk, robo_name="Dave", now=NOW)
    remove_player(user=bob, game_id=lobby.pk, seat=2, now=NOW)
    make_token(user=alice, now=NOW)
    client.force_login(alice)
    client.get("/settings/profile/")
    session = client.session
    session["account_authentication_methods"] = [{"method": "password", "username": "Alice"}]
    session.save()
    signed = {**HALL.document, "name": "Signed", "builder": "Alice and Bob"}
    board = save_starship(document=signed, section="fleet", by=alice, now=NOW)
    StaffEntry.objects.log_actions(erin.pk, User.objects.filter(pk=alice.pk), CHANGE, "Looked at her.")
    StaffEntry.objects.log_actions(erin.pk, Game.objects.filter(pk=over.pk), CHANGE, "")
    Turn.objects.filter(pk=open_turn(running).pk).update(error="KeyError: 'Alice'")
    rekeep(over, hands=[remarked(hand, "KeyError: 'Alice'") for hand in record_of(over).hands])
    deletion = erased(alice)
    assert [row.partition(":")[0] for row in rows_with("alice")] == ["games_chatline"] * 2, "what Bob said"
    gone = User.objects.get(pk=alice.pk)
    name = f"Deleted-{alice.pk}"
    assert (gone.robo_name, gone.email, gone.is_active, gone.deleted_at) == (name, "", False, NOW)
    assert redis_with("alice", besides=before) == []
    deletion.refresh_from_db()
    assert (deletion.name, deletion.address, deletion.done_at) == ("", "", SETTLED)
    assert not Forgetting.objects.exists()
    said = list(over.chat.order_by("pk").values_list("name", "text"))
    assert said == [
        ("Bob", f"@{name}, Alice! Alice's late. Alicentown?"),
        (name, f"Write to (an address), says {name}."),
    ]
    assert [line.text for line in elsewhere.chat.all()] == ["@Alice plays next door: (an address)"]
    over.refresh_from_db()
    assert over.name == f"{name} against Bob"
    assert f"{name} joined." in history_of(lobby)
    assert programs_of(over)[1].remark == f"KeyError: '{name}'"
    board.refresh_from_db()
    assert board.builder == f"{name} and Bob"
    assert list(StaffEntry.objects.order_by("pk").values_list("object_repr", flat=True)) == [
        name,
        f"{name} against Bob",
    ]


def test_a_finished_game_stays_readable_and_verifiable(over: Game, alice: User, bob: User) -> None:
    before = game_file(game=over)
    over.players.filter(user=alice).update(standing="down")
    erased(alice)
    over.refresh_from_db()
    after = game_file(game=over)
    name = f"Deleted-{alice.pk}"
    assert faults(over) == []
    assert over.players.get(user=alice).standing == ""
    assert [seat["name"] for seat in after["seats"]] == [name, "Bob"]
    assert after["winner"] == {"Alice": name}.get(before["winner"], before["winner"])
    assert (after["seed"], len(after["turns"])) == (before["seed"], len(before["turns"]))
    assert [seat.robo_name for seat in over.players.order_by("number")] == [name, "Bob"]
    client = Client()
    client.force_login(bob)
    page = client.get(f"/games/{over.pk}/").content.decode()
    assert name in page and f"/players/{name}/" not in page
    assert client.get(f"/players/{name}/").status_code == 404
    card = client.get(f"/games/{over.pk}/robots/1/").content.decode()
    assert "Played by a person who deleted their account" in card and f"/players/{name}/" not in card


def test_removing_one_s_words_leaves_empty_chat_lines(over: Game, alice: User, bob: User) -> None:
    erased(alice, takes_chat=True)
    texts = dict(over.chat.values_list("user", "text"))
    assert texts[alice.pk] == "(deleted)"
    assert texts[bob.pk].startswith(f"@Deleted-{alice.pk}")


def test_a_robot_named_like_a_word_of_the_log_leaves_the_words_intact(lane: Table, alice: User) -> None:
    mover = User.objects.create_user("Move", "mover@example.org", "mover-likes-robots")
    game = lane.game(mover, alice, options={"lives": 1})
    while game.status == Game.Status.RUNNING:
        lane.play(game, *[seat.user for seat in game.players.all() if not seat.out])
    kinds = [event["type"] for event in log_after(game=game)["events"]]
    assert "move" in kinds
    erased(mover)
    assert [event["type"] for event in log_after(game=game)["events"]] == kinds
    game.refresh_from_db()
    assert faults(game) == []


def test_from_the_start_no_one_can_act_as_the_person(
    duel: Game, alice: User, client: Client, mailoutbox: list[Any], django_capture_on_commit_callbacks: Any
) -> None:
    client.force_login(alice)
    token = make_token(user=alice, now=NOW)
    with django_capture_on_commit_callbacks(execute=True):
        delete_account(user=alice, now=NOW)
    assert client.get("/my-room/").status_code == 302
    assert use_token(token=token, now=NOW) is None
    assert not client.login(username="Alice", password="alice-likes-robots")
    assert not Notice.objects.filter(user=alice).exists()
    assert [sent.to for sent in mailoutbox] == [["alice@example.org"]]
    assert "Alice" not in mailoutbox[0].body
    seat = duel.players.get(number=1)
    assert seat.robo_name == "Alice", "as its log has it, until that is rewritten"


def test_only_the_farewell_remains_of_waiting_mail(alice: User) -> None:
    kept = mail.post_mail(kind="test", address="bob@example.org", subject="", body="", now=NOW)
    mail.post_mail(kind="test", address=alice.email, subject="Hello Alice", body="a link", now=NOW)
    delete_account(user=alice, now=NOW)
    farewell, other = AccountMail.objects.order_by("-pk")
    assert (farewell.kind, farewell.address) == ("account/email/account_deleted", "alice@example.org")
    assert "Alice" not in farewell.body
    assert other == kept


def test_all_settings_are_reset_to_defaults(alice: User) -> None:
    User.objects.filter(pk=alice.pk).update(
        theme="dark", look=3, time_zone="Europe/Berlin", manner="daily", last_login=NOW, volume=5
    )
    delete_account(user=alice, now=NOW)
    gone = User.objects.get(pk=alice.pk)
    fresh = User()
    own = {"id", "robo_name", "skeleton", "password", "is_active", "date_joined", "deleted_at"}
    for field in User._meta.concrete_fields:
        if field.name not in own:
            assert getattr(gone, field.name) == getattr(fresh, field.name), field.name
    assert not gone.has_usable_password()


def test_the_name_cannot_be_taken(alice: User) -> None:
    delete_account(user=alice, now=NOW)
    for name in ("Alice", "ALICE"):
        with pytest.raises(ValidationError, match="can’t be used again"):
            User(robo_name=name, email="new@example.org", password="x").full_clean()
    answer = Client().post(
        "/accounts/signup/",
        {"username": "alice", "email": "new@example.org", "password1": "robots-in-orbit"},
    )
    assert "can’t be used again" in answer.content.decode()
    assert RetiredName.objects.count() == 1
    User(
        robo_name="Alicia", email="alice@example.org", password="x"
    ).full_clean()  # the address can be used again


def test_guests_and_deleted_accounts_cannot_be_deleted(alice: User) -> None:
    with pytest.raises(Forbidden):
        delete_account(user=guests.make_guest(), now=NOW)
    delete_account(user=alice, now=NOW)
    with pytest.raises(Conflict):
        delete_account(user=alice, now=NOW)


def test_staff_need_a_permission_and_only_superusers_delete_staff(alice: User, erin: User) -> None:
    with pytest.raises(Forbidden):
        delete_account(user=alice, by=erin, now=NOW)
    head = User.objects.create_superuser("Head", "head@example.org", "head-likes-robots")
    assert delete_account(user=alice, by=head, now=NOW).by == head
    erin.user_permissions.add(Permission.objects.get(codename="delete_user"))
    erin = User.objects.get(pk=erin.pk)
    with pytest.raises(Forbidden):
        delete_account(user=head, by=erin, now=NOW)
    delete_account(user=erin, by=head, now=NOW)
    with pytest.raises(Conflict, match="This is the last superuser"):
        delete_account(user=head, now=NOW)


def test_every_remaining_reference_exists_and_has_a_reason() -> None:
    there = {label_of(reference) for reference in references()}
    assert set(KEPT_REFERENCES) <= there
    assert all(KEPT_REFERENCES.values())


REWRITTEN = {
    *("games.LobbyEntry.parameters", "games.Turn.error", "games.Alarm.error"),
    "games.Program.remark",
    *("accounts.User.robo_name", "accounts.User.email", "games.Deletion.name", "games.Deletion.address"),
    *("games.Game.winner", "games.Turn.snapshot"),
    "games.Turn.record",
    *("games.ChatLine.name", "games.Seat.robot"),
    *("games.Starship.name", "games.Starship.slug", "games.Course.name"),
    *("games.Starship.builder", "games.StarshipRevision.document", "games.Course.document"),
    *("admin.LogEntry.object_repr", "admin.LogEntry.change_message"),
}
"""Columns that may contain a person's name. A deletion replaces the name."""

WORDS = {
    *("games.Game.name", "games.ChatLine.text", "games.Review.text", "games.Review.answer"),
    *("games.PromotionVote.words", "games.Tournament.name", "games.Tournament.text"),
    *("accounts.SignUpRule.reason", "accounts.SignUpBlock.reason", "accounts.SignUpBlock.value"),
    "games.Removal.reason",
    *("games.Moderation.reason", "games.Intervention.reason"),
    *("games.Sanction.facts", "games.Appeal.text", "games.Appeal.answer"),
}
"""Columns of text that people write.

A deletion replaces the name of the text's author. Names in texts by other people remain.
"""

GONE = {
    *("games.Invitation.email", "games.Forgetting.error", "sessions.Session.session_data"),
    *(f"games.DraftVersion.{name}" for name in ("document", "name", "ruleset")),
    "games.TunnelBatch.flights",
    *(f"accounts.AccountMail.{name}" for name in ("kind", "address", "subject", "body", "last_error")),
    *("games.Sanction.before", "games.Sanction.text_before"),
    "accounts.User.lock_reason",
    "games.Renaming.before",  # once no game uses it
}
"""Columns in rows that are deleted together with the person."""

NAMELESS = {
    *("accounts.ClosedAddress.digest", "accounts.ClosedAddress.reason"),
    *(f"accounts.MailRecord.{name}" for name in ("digest", "kind", "error")),
    *("account.EmailConfirmation.key", "accounts.RetiredName.digest", "sessions.Session.session_key"),
    *(
        "accounts.User.password",
        "accounts.User.time_zone",
        "accounts.User.language",
        "admin.LogEntry.object_id",
    ),
    *("auth.Group.name", "auth.Permission.codename", "auth.Permission.name"),
    *("contenttypes.ContentType.app_label", "contenttypes.ContentType.model"),
    *("games.Hand.chips", "games.Hand.aside", "games.Program.orders"),
    *("games.Clip.failure", "games.Clip.file", "games.Game.position"),
    "games.SitterTurn.orders",
    *("games.Hand.calendar", "games.Draft.orders", "games.Seat.model", "games.Seat.name", "games.Seat.squad"),
    *(f"games.Game.{name}" for name in ("absence", "commitment", "house_rules", "pace")),
    *("games.Game.link_token", "games.Game.options", "games.Wait.pace"),
    *("games.Game.ruleset", "games.Game.seed"),
    *(
        "games.Club.slug",
        "games.Club.name",
        "games.Club.text",
        "games.Club.link_token",
    ),  # written jointly by its members
    *(f"games.Tournament.{name}" for name in ("ruleset", "seed", "pace", "absence", "schedule")),
    "games.NoticeSubject.parameters",  # about clubs and ladders
    *("games.Round.pairing", "games.Ladder.ruleset", "games.Season.ruleset"),
    *("games.Result.ruleset", "games.Result.outcome", "games.RatingPool.key"),
    *("games.Prototype.licence", "games.Prototype.ruleset", "games.StarshipFacts.edition"),
    *("games.StarshipFigures.lengths", "games.StarshipFigures.starts"),
    *("games.Mission.lesson", "games.Mission.options", "games.Mission.slug"),
    *(
        "games.Turn.head",
        "games.Turn.head_before",
        "games.Alarm.job",
        "games.Alarm.kind",
        "games.EndedGame.job",
    ),
    *(
        f"socialaccount.SocialApp.{name}"
        for name in ("provider", "provider_id", "name", "client_id", "secret", "key", "settings")
    ),
    *("socialaccount.SocialToken.token", "socialaccount.SocialToken.token_secret"),  # always empty
    "games.LobbyEntry.kind",
    "games.ConductEntry.kind",
    "games.MailServer.error",
    *("accounts.ThrowawayDomain.domain", "games.Removal.network", "games.Removal.domain"),
    *("games.Mission.title", "games.Receiver.name"),
    *(f"games.BackupRun.{name}" for name in ("file", "report", "error")),
    *(f"games.Incident.{name}" for name in ("key", "subject", "detail", "advice", "path")),
    *(
        f"games.ErrorGroup.{name}"
        for name in ("fingerprint", "kind", "place", "origin", "request", "release")
    ),
    *("games.ErrorGroup.message", "games.ErrorGroup.traceback"),  # without values (`roborunner.errors`)
    *("games.SiteNotice.text", "games.SiteNotice.translations"),
    "games.DailyRun.document",
    *("games.Puzzle.document", "games.Puzzle.origin"),
}
"""Columns that never contain text about people."""


def test_every_column_of_text_is_listed() -> None:
    """If you add a column of text, decide how a deletion must handle it (`people.services.scrubbing`).

    Tables need not be listed if all their references to a person are deleted with the person.
    """
    labels: dict[type[Model], set[str]] = {}
    for reference in references():
        labels.setdefault(reference[0], set()).add(label_of(reference))
    emptied = {model for model, found in labels.items() if found.isdisjoint(KEPT_REFERENCES)}
    there = {
        f"{model._meta.label}.{field.name}"
        for model in set(apps.get_models()) - emptied
        for field in model._meta.concrete_fields
        if isinstance(field, CharField | TextField | JSONField | BinaryField) and not field.choices
    }
    known = REWRITTEN | WORDS | GONE | NAMELESS
    assert there - known == set(), "can it hold somebody's name?"
    assert known - there == set()
