"""Gates refuse words and invitations from people who must not publish or contact others.

Every column of text and every kind of notification has a gate, or a reason for having none.
"""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from functools import partial

import pytest
from django.apps import apps
from django.contrib.auth.models import Permission
from django.db.models import CharField, JSONField, TextField
from django.test import Client
from pytest_django.fixtures import Settings

from accounts.models import User
from games.absence.sitters import ask_sitter
from games.branches.services import change_branch, create_branch
from games.chat.services import post_line
from games.clubs.models import Membership
from games.clubs.services import (
    change_club,
    create_club,
    invite_address,
    invite_to_club,
    join_club,
    leave_club,
    set_role,
)
from games.competitions.services.ladders import challenge, join_ladder
from games.competitions.services.tournaments import create_tournament, open_tournament
from games.dock.reviews import answer_review, write_review
from games.dock.services import publish_draft, vote_about
from games.errors import Forbidden, ServiceError
from games.fleet.lists import change_list, create_list
from games.fleet.models import Starship
from games.lobby.invitations import invite
from games.lobby.services import change_game, create_game, default_game_name, rematch
from games.moderation.models import Sanction
from games.moderation.selectors import number_of_cases
from games.moderation.services.decisions import (
    change_club as rename_club_of,
    confirm_suspension,
    lift_sanction,
    mute,
    suspend,
    warn,
)
from games.news.kinds import KINDS
from games.news.models import Notice
from games.people.contacts import add_housemate, block, follow
from games.people.models import Follow
from games.play.terms import terms_of
from games.shipyard.services import make_link, save_draft
from tests.cast import person
from tests.games.competitions.hosting import terms as cup_terms
from tests.games.dock.promotions import asks_for_the_fleet, joined
from tests.games.dock.prototypes import called, published
from tests.games.dock.reviewed import finished, lane_ship, over
from tests.games.moderation.staffing import WHY, case_of, reported, staffed
from tests.games.standings.rated import give_rating
from tests.games.support import NOW, Table

Call = Callable[[], object]

LADDER = "robo-runner"
LINK = "See www.example.org"

GUARDED = {
    "games.ChatLine.text": ["say"],
    "games.Review.text": ["review"],
    "games.Review.answer": ["answer"],
    "games.PromotionVote.words": ["vote"],
    "games.Club.name": ["found club by name", "rename club"],
    "games.Club.text": ["found club", "change club"],
    "games.Club.slug": ["found club by name"],
    "games.Tournament.name": ["name tournament", "open named tournament"],
    "games.Tournament.text": ["create tournament", "open tournament"],
    "games.Branch.name": ["name branch", "rename branch"],
    "games.StarshipList.name": ["name list", "rename list", "show list"],
    "games.StarshipList.text": ["create list", "change list"],
    "games.Game.name": ["create game", "change game"],
    "games.LobbyEntry.parameters": ["change game"],
    "games.StarshipDraft.name": ["share draft", "save shared draft"],
    "games.StarshipDraft.document": ["share draft", "save shared draft"],
    "games.Starship.name": ["publish"],
    "games.Starship.slug": ["publish"],
    "games.StarshipRevision.document": ["publish"],
}
"""Columns of text for other people, and the names of calls in `doors` that write each column."""

MACHINE = "the service writes it: a key, a number, a kind, a hash, or what follows from other columns"
STAFF = "staff write it, or read it alone"
OWN = "its owner alone reads it"
GIVEN = "it is given by the service, or chosen once at the sign-up"

EXEMPT = {
    MACHINE: """
        accounts.ClosedAddress: digest reason
        accounts.RetiredName: digest
        accounts.Trace: digest
        accounts.AccountMail: kind address subject body last_error
        accounts.MailRecord: digest kind error
        accounts.InvitationLink: token
        games.Alarm: job kind error
        games.Incident: key subject detail advice path
        games.ErrorGroup: fingerprint kind place message traceback origin request release
        games.BackupRun: file report error
        games.MailServer: error
        games.NoticeSubject: parameters
        games.Forgetting: error
        games.Achievement: key
        games.Award: key
        games.Course: name document
        games.StarshipFacts: edition
        games.Game: ruleset options house_rules link_token pace absence seed commitment winner position
        games.Seat: name robot squad model
        games.LobbyEntry: kind
        games.Turn: snapshot head_before head error
        games.Analysis: review failure
        games.Branch: token document
        games.Hand: chips aside calendar
        games.Program: orders remark
        games.Draft: orders
        games.SitterTurn: orders
        games.StarshipDraft: ruleset parent_name link_token
        games.TunnelRun: document ruleset seed report sentences failure fix wins
        games.TunnelBatch: flights
        games.ShipSuggestion: ruleset theme symmetry seed search found_theme document report sentences failure
        games.Prototype: ruleset licence
        games.Starship: builder
        games.EndedGame: job
        games.DailyRun: document
        games.DailyResult: programs first_programs best_programs
        games.Puzzle: document origin
        games.PuzzleTry: program last_program
        games.Clip: failure
        games.Ladder: ruleset
        games.StarshipFigures: lengths starts
        games.StarshipList: link_token
        games.Club: link_token
        games.Ticket: ruleset pace size
        games.Wait: pace
        games.Notice: last_error waits_for
        games.Receiver: name
        games.Device: p256dh auth name browser
        games.Webhook: secret failure
        games.GroupChannel: token secret language failure waits_for
        games.Feed: nonce shown
        games.Result: ruleset outcome
        games.RatingPool: key
        games.Reliability: recent
        games.Season: ruleset
        games.ApiToken: digest
        games.LimitedUse: limit
        games.Tournament: ruleset pace absence seed schedule
        games.Round: pairing
        games.ConductEntry: kind
        games.ChatLine: name
    """,
    STAFF: """
        accounts.User: lock_reason
        accounts.SignUpRule: reason
        accounts.SignUpBlock: value reason
        accounts.ThrowawayDomain: domain
        games.Removal: reason network domain
        games.SiteNotice: text translations
        games.Mission: slug title options lesson
        games.Intervention: reason
        games.Moderation: reason
        games.Appeal: text answer
        games.Sanction: facts before text_before
        games.Report: text
        games.Renaming: before
        games.Deletion: name
    """,
    OWN: """
        accounts.User: password time_zone language
        games.PlayerNote: text
        games.DraftVersion: name ruleset document
        games.ApiToken: name
        games.Webhook: url
        games.GroupChannel: address room
        games.Device: endpoint
        games.Invitation: email
        games.Candidate: email
        games.Notice: email
        games.Deletion: address
        accounts.User: email
    """,
    GIVEN: "accounts.User: robo_name",
}
"""All other columns of text, by the reason why they need no gate."""


def exempt() -> set[str]:
    lines = [line.split(":") for why in EXEMPT.values() for line in why.strip().splitlines()]
    return {f"{table.strip()}.{column}" for table, columns in lines for column in columns.split()}


def test_each_text_column_is_guarded_or_exempt_for_a_reason() -> None:
    """If others read a new column, let its service call `refuse_words`, and list the column here."""
    there = {
        f"{model._meta.label}.{field.name}"
        for model in apps.get_models()
        if model._meta.app_label in ("accounts", "games")
        for field in model._meta.concrete_fields
        if isinstance(field, CharField | TextField | JSONField) and not field.choices
    }
    assert there - set(GUARDED) - exempt() == set()
    assert set(GUARDED) | exempt() <= there
    assert set(GUARDED).isdisjoint(exempt())


@pytest.fixture
def doors(table: Table, alice: User, bob: User) -> Callable[[str], dict[str, Call]]:
    """All of Bob's ways to publish a text, as functions of the text."""
    duel, lobby = table.game(alice, bob), table.game(bob, seats=3)
    table.play(duel, alice, bob)
    branch = create_branch(user=bob, game=duel, turn=0, orders={}, headings={}, now=NOW)
    change = partial(change_branch, user=bob, game=duel, token=branch.token)
    ship, own = lane_ship(), lane_ship_of(bob)
    finished(ship, bob)
    finished(own, alice)
    review = write_review(user=alice, starship_id=own.pk, stars=3, text="Fine.", now=NOW)
    promotion = asks_for_the_fleet(published(alice, called(alice, "Canoe", "a . .+i1")))
    joined(bob)
    club = create_club(user=bob, name="Robots", now=NOW)
    shown = create_list(user=bob, name="Shown", seen_by="everyone", now=NOW)
    shared, draft = called(bob, "Raft", "a . .+i1"), called(bob, "Boat", "a . .+i1")
    make_link(user=bob, draft_id=shared.pk, now=NOW)
    give_rating(bob)  # a requirement for hosting tournaments
    cup = create_tournament(user=bob, terms=cup_terms(table), now=NOW)

    def open_cup(**words: str) -> None:
        type(cup).objects.filter(pk=cup.pk).update(**words)
        open_tournament(user=bob, tournament_id=cup.pk, now=NOW)

    def made(words: str) -> dict[str, Call]:
        type(draft).objects.filter(pk=draft.pk).update(document={**draft.document, "description": words})
        hidden, _ = bob.starship_lists.get_or_create(
            name=f"{words}!", defaults={"created_at": NOW, "changed_at": NOW}
        )
        story = {**shared.document, "description": words}
        save = partial(save_draft, user=bob, draft_id=shared.pk, expected_version=None, now=NOW)
        return {
            "say": partial(post_line, user=bob, game_id=duel.pk, text=words, now=NOW),
            "review": partial(write_review, user=bob, starship_id=ship.pk, stars=3, text=words, now=NOW),
            "answer": partial(answer_review, user=bob, review_id=review.pk, text=words, now=NOW),
            "vote": partial(
                vote_about, user=bob, promotion_id=promotion.pk, vote="close", words=words, now=NOW
            ),
            "name branch": partial(
                create_branch, user=bob, game=duel, turn=0, name=words, orders={}, headings={}, now=NOW
            ),
            "rename branch": partial(change, name=words, orders={}, headings={}, now=NOW),
            "found club": partial(create_club, user=bob, name="Others", text=words, now=NOW),
            "found club by name": partial(create_club, user=bob, name=words, now=NOW),
            "rename club": partial(change_club, user=bob, slug=club.slug, name=words, now=NOW),
            "change club": partial(change_club, user=bob, slug=club.slug, text=words, now=NOW),
            "create tournament": partial(
                create_tournament, user=bob, terms=cup_terms(table, text=words), now=NOW
            ),
            "name tournament": partial(
                create_tournament, user=bob, terms=cup_terms(table, name=words), now=NOW
            ),
            "open named tournament": partial(open_cup, name=words, text=""),
            "open tournament": partial(open_cup, name="Cup", text=words),
            "create list": partial(
                create_list, user=bob, name="New", text=words, seen_by="everyone", now=NOW
            ),
            "name list": partial(create_list, user=bob, name=words, seen_by="everyone", now=NOW),
            "rename list": partial(change_list, user=bob, list_id=shown.pk, name=words, now=NOW),
            "change list": partial(change_list, user=bob, list_id=shown.pk, text=words, now=NOW),
            "show list": partial(change_list, user=bob, list_id=hidden.pk, seen_by="link", now=NOW),
            "create game": partial(
                create_game, host=bob, terms=replace(terms_of(lobby), name=words), now=NOW
            ),
            "change game": partial(change_game, user=bob, game_id=lobby.pk, changes={"name": words}, now=NOW),
            "share draft": partial(make_link, user=bob, draft_id=draft.pk, now=NOW),
            "save shared draft": partial(save, document=story),
            "publish": partial(publish_draft, user=bob, draft_id=draft.pk, now=NOW),
        }

    return made


def lane_ship_of(user: User) -> Starship:
    return published(user, called(user, "Own lane", "a . .+i1")).starship


def refusals(calls: dict[str, Call]) -> dict[str, str]:
    """Return the error code of each call, or "" if it succeeds."""
    found = {}
    for name, call in calls.items():
        try:
            call()
        except ServiceError as refusal:
            found[name] = refusal.code
        else:
            found[name] = ""
    return found


def test_each_call_is_listed(doors: Callable[[str], dict[str, Call]]) -> None:
    assert {name for names in GUARDED.values() for name in names} == set(doors("Hello"))


def test_muted_or_suspended_players_publish_no_words(
    doors: Callable[[str], dict[str, Call]], alice: User, bob: User, erin: User
) -> None:
    reported(alice, bob)
    muted = mute(user=staffed(erin), case_id=case_of(bob).pk, days=3, **WHY)
    calls = doors("Hello")
    assert refusals(calls) == dict.fromkeys(calls, "muted")
    # Only the kind is changed: other effects of a suspension would refuse some calls earlier.
    Sanction.objects.filter(pk=muted.pk).update(kind=Sanction.Kind.SUSPENSION)
    refused = refusals(calls)
    assert set(refused.values()) == {"muted", "suspended"}, refused


def test_a_newcomer_publishes_no_links(
    doors: Callable[[str], dict[str, Call]], bob: User, settings: Settings
) -> None:
    settings.NEWCOMER_DAYS = 7
    User.objects.filter(pk=bob.pk).update(date_joined=NOW - timedelta(days=1))
    bob.refresh_from_db()
    calls = doors(LINK)
    assert refusals(calls) == dict.fromkeys(calls, "link")


def test_other_players_publish_words_and_links(doors: Callable[[str], dict[str, Call]]) -> None:
    calls = doors(LINK)
    found = refusals(calls)
    assert {"muted", "link"}.isdisjoint(found.values())
    assert list(found.values()).count("") > 12


def test_a_muted_player_may_still_create_a_game(table: Table, alice: User, bob: User, erin: User) -> None:
    terms = replace(terms_of(table.game(bob, seats=3)), name=default_game_name(bob))
    reported(alice, bob)
    mute(user=staffed(erin), case_id=case_of(bob).pk, days=3, **WHY)
    create_game(host=bob, terms=terms, now=NOW)


def test_a_club_cannot_use_a_name_taken_away_by_staff(alice: User, bob: User, erin: User) -> None:
    club = create_club(user=bob, name="Bad Robots", text="Bad words.", now=NOW)
    reported(alice, bob)
    given = {"case_id": case_of(bob).pk, "slug": club.slug, "name": "Club 7", **WHY}
    done = rename_club_of(user=staffed(erin), **given)
    for words in ({"name": "Bad Robots"}, {"name": "bad-robots!"}, {"text": "Bad  words"}):
        with pytest.raises(Forbidden) as refused:
            change_club(user=bob, slug="club-7", now=NOW, **words)
        assert refused.value.code == "taken-away"
    with pytest.raises(Forbidden):
        create_club(user=bob, name="BAD ROBOTS", now=NOW)
    change_club(user=bob, slug="club-7", name="Good Robots", now=NOW)
    lift_sanction(user=staffed(erin), sanction_id=done.pk, now=NOW)


CALLS = {
    "invited": ["invite", "rematch"],
    "club-in": ["club", "club by mail"],
    "club-game": ["club game"],
    "cup-new": ["club tournament"],
    "challenged": ["challenge"],
    "mention": ["mention"],
    "review": ["review"],
    "answer": ["answer"],
    "sit-asked": ["ask sitter"],
}
"""Kinds of notification that one player sends to another, and their calls in `calls`."""

NO_CALLS = {
    "of the game that both play": "turn over reminder away outage cancelled missed replaced vote removed"
    " remind-1h remind-6h remind-24h",
    "of a sitter, who has agreed to order for the player": "sit-yes sit-over sit-turn sit-order",
    "of the player's own vacation": "day-taken",
    "of a reminder that the player asked for": "later",
    "of the service": "matched round bye confirm finished taken-down idle rested off-ladder hook-off"
    " group-off",
    "of a tournament that ends": "cup-cancel cup-club",
    "of a club that ends or lets a member go": "club-over club-out",
    "of staff and the committee": "ready undecided decision sanction appeal reported cup-out",
}
"""All other kinds of notification, by the reason why they need no gate."""


def test_each_kind_of_notification_is_a_call_or_exempt_for_a_reason() -> None:
    """If players send a new kind to each other, let its service pass the gate, and list the kind here."""
    others = {name for names in NO_CALLS.values() for name in names.split()}
    assert set(KINDS) == set(CALLS) | others


@pytest.fixture
def calls(table: Table, alice: User, bob: User, carol: User) -> dict[str, Call]:
    """All of Bob's ways to contact Alice. She has blocked him."""
    running, ended, lobby = table.game(alice, bob), table.game(bob, alice), table.game(bob, seats=3)
    over(ended)
    ship = published(alice, called(alice, "Canoe", "a . .+i1")).starship
    finished(ship, bob)
    own = lane_ship_of(bob)
    finished(own, alice)
    review = write_review(user=alice, starship_id=own.pk, stars=3, text="Fine.", now=NOW)
    club = create_club(user=bob, name="Robots", now=NOW)
    crew = create_club(user=bob, name="Crew", now=NOW)
    join_club(user=alice, slug=crew.slug, now=NOW)
    cup = create_tournament(user=bob, terms=cup_terms(table, club=crew.slug), now=NOW)
    for player in (alice, bob):
        join_ladder(user=player, ruleset=LADDER, now=NOW)
    block(user=alice, robo_name="Bob", now=NOW)
    Follow.objects.create(user=alice, followed=bob, since=NOW)  # with "follow", they are friends
    Notice.objects.all().delete()
    return {
        "invite": partial(invite, user=bob, game_id=lobby.pk, robo_name="Alice", now=NOW),
        "invite by mail": partial(invite, user=bob, game_id=lobby.pk, email=alice.email, now=NOW),
        "rematch": partial(rematch, user=bob, game_id=ended.pk, now=NOW),
        "challenge": partial(challenge, user=bob, ruleset=LADDER, robo_name="Alice", now=NOW),
        "mention": partial(post_line, user=bob, game_id=running.pk, text="@Alice!", now=NOW),
        "review": partial(write_review, user=bob, starship_id=ship.pk, stars=1, text="No.", now=NOW),
        "answer": partial(answer_review, user=bob, review_id=review.pk, text="So?", now=NOW),
        "club": partial(invite_to_club, user=bob, slug=club.slug, robo_name="Alice", now=NOW),
        "club game": partial(create_game, host=bob, terms=terms_of(lobby), club=crew.slug, now=NOW),
        "club tournament": partial(open_tournament, user=bob, tournament_id=cup.pk, now=NOW),
        "club by mail": partial(invite_address, user=bob, slug=club.slug, email=alice.email, now=NOW),
        "follow": partial(follow, user=bob, robo_name="Alice", now=NOW),
        "ask sitter": partial(
            ask_sitter, user=bob, robo_name="Alice", first=NOW.date(), last=NOW.date(), now=NOW
        ),
        "household": partial(add_housemate, user=bob, robo_name="Alice", now=NOW),
    }


def addressed(user: User) -> dict[str, int]:
    """Return the number of rows addressed to the given person, by table."""
    columns = {
        "Notice": "user",
        "Invitation": "user",
        "Candidate": "user",
        "Follow": "followed",
        "Housemate": "person",
        "LadderGame": "challenged",
    }
    rows = {name: apps.get_model("games", name).objects.filter(**{of: user}) for name, of in columns.items()}
    return {name: found.count() for name, found in rows.items()}


def test_no_call_reaches_a_player_who_blocked_the_caller(calls: dict[str, Call], alice: User) -> None:
    assert {name for names in CALLS.values() for name in names} <= set(calls)
    before = addressed(alice)
    for name, call in calls.items():
        try:
            call()
        except Forbidden:
            assert name in ("invite", "club", "follow", "ask sitter", "household")
        except ServiceError as refusal:
            assert (name, refusal.code) == ("challenge", "no-challenge")
            assert "doesn’t accept challenges from you" in refusal.detail
        assert addressed(alice) == before, name


def test_each_call_reaches_a_player_without_a_block(calls: dict[str, Call], alice: User) -> None:
    """This test shows that each call works, so that the refusals in other tests mean something."""
    apps.get_model("games", "Block").objects.all().delete()
    for name, call in calls.items():
        if name in ("invite by mail", "club by mail"):  # already invited by name
            continue
        before = addressed(alice)
        call()
        assert addressed(alice) != before, name


def test_no_one_becomes_captain_of_more_clubs_than_the_limit(alice: User, bob: User) -> None:
    for number in range(3):
        create_club(user=bob, name=f"Robots {number}", now=NOW)
    club = create_club(user=alice, name="Pilots", now=NOW)
    join_club(user=bob, slug=club.slug, now=NOW)
    with pytest.raises(ServiceError) as refused:
        set_role(user=alice, slug=club.slug, robo_name="Bob", role="captain")
    assert refused.value.code == "too-many"
    assert club.memberships.get(user=alice).role == Membership.Role.CAPTAIN
    carol = person("Carol")
    join_club(user=carol, slug=club.slug, now=NOW)
    leave_club(user=alice, slug=club.slug, now=NOW)
    assert club.memberships.get(user=carol).role == Membership.Role.CAPTAIN


def test_staff_do_not_see_cases_about_themselves(alice: User, bob: User, carol: User, erin: User) -> None:
    User.objects.filter(pk=erin.pk).update(is_superuser=True)  # who decides about other staff
    head, moderator = staffed(User.objects.get(pk=erin.pk)), staffed(bob)
    views = Permission.objects.filter(codename__startswith="view_", content_type__app_label="games")
    for user in (head, moderator):
        user.user_permissions.add(*views)
    reported(alice, moderator)
    reported(alice, carol)
    case, other = case_of(moderator), case_of(carol)
    warn(user=head, case_id=case.pk, **WHY)
    reported(carol, moderator)  # an open one
    assert (number_of_cases(head), number_of_cases(moderator)) == (2, 1)
    pages = {user: Client() for user in (head, moderator)}
    for user, client in pages.items():
        client.force_login(user)
        log = client.get("/admin/games/conductentry/").content.decode()
        assert (f'<td class="field-person nowrap">{moderator}' in log) == (user == head)
        assert str(carol) in log
        found = client.get("/admin/games/conductentry/?q=Bob").content.decode()
        assert ("0 conduct log" in found) == (user == moderator)
        for page in ("change", "history"):
            assert client.get(f"/admin/games/case/{other.pk}/{page}/").status_code == 200
            status = client.get(f"/admin/games/case/{case.pk}/{page}/").status_code
            assert status == (200 if user == head else 302)


def test_suspensions_by_one_moderator_add_up(alice: User, bob: User, carol: User, erin: User) -> None:
    reported(alice, bob)
    give = partial(suspend, case_id=case_of(bob).pk)
    head, second = staffed(erin), staffed(carol)
    assert give(user=head, days=4, **WHY).ends_at == NOW + timedelta(days=4)
    later = NOW + timedelta(days=4)
    rest = give(user=head, days=7, **{**WHY, "now": later})
    assert rest.ends_at == later + timedelta(days=3)
    with pytest.raises(ServiceError) as refused:
        give(user=head, days=1, **{**WHY, "now": NOW + timedelta(days=8)})
    assert refused.value.code == "second-member"
    with pytest.raises(Forbidden):
        confirm_suspension(user=head, sanction_id=rest.pk, now=later)
    done = confirm_suspension(user=second, sanction_id=rest.pk, now=later)
    assert done.ends_at == later + timedelta(days=7)
    give(user=head, days=7, **{**WHY, "now": NOW + timedelta(days=31)})
