"""Every field for a name accepts the same names: in forms, API calls and the admin.

The test finds all fields. Add a new field here.
"""

import json
import re
from collections.abc import Callable, Iterator
from datetime import timedelta
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from django import forms
from django.contrib import admin
from django.core.exceptions import ValidationError
from django.core.management import CommandError, call_command
from django.db import transaction
from django.http import HttpResponse
from django.test import Client, RequestFactory
from django.utils import timezone
from django.utils.html import escape

from accounts.inputs import AddPasskeyForm, RenamePasskeyForm
from accounts.models import User
from games.branches.services import create_branch
from games.clubs.services import create_club
from games.fleet.lists import create_list
from games.fleet.missions import save_mission
from games.moderation.models import Case, Rule
from games.people.tokens import make_token
from games.staff.services import cancel_as_staff
from games.web.forms import WrittenField
from games.web.inputs import Strict, Text, Written
from tests.cast import person
from tests.games.admin_pages import permit, submission
from tests.games.dock.prototypes import called
from tests.games.fleet.test_missions import LESSON
from tests.games.fleet.test_missions_admin import fields as mission_fields
from tests.games.lobby.pages.test_hosting import settings as lobby_settings
from tests.games.making import fields as game_fields
from tests.games.moderation.staffing import case_of, reported
from tests.games.people.test_token_pages import signed_in
from tests.games.standings.rated import give_rating
from tests.games.support import NOW, Table

GOOD = "Клуб 7 می\u200cخواهم मेज़ों No\u00a0break 👩🏽\u200d🚀🇩🇪"
BAD = {"\u202eonaC": "U+202E", "Cane\u0301\u0301\u0301": "U+0301", "Ca\u200bnoe": "U+200B"}
"""Names with a forbidden character, and the code of that character.

Each field is tested with two of them. More are in `tests/rules/test_names.py`.
"""

Door = Callable[[str], HttpResponse]

NAMES = {
    "BlankForm.name",
    "ClubChanges.name",
    "ClubChangesForm.name",
    "NewClubForm.name",
    "CreateGameForm.name",
    "DraftForm.name",
    "Group.name",
    "ImportForm.text",
    "Login.name",
    "Mission.title",
    "BranchForm.name",
    "NewBranch.name",
    "NewBranchForm.name",
    "NewBranchOfTurn.name",
    "NewClub.name",
    "NewClubName.name",
    "NewGame.name",
    "NewStarshipDraft.document",
    "NewStarshipDraft.name",
    "NewStarshipList.name",
    "NewStarshipListForm.name",
    "NewToken.name",
    "NewTokenForm.name",
    "NewTournament.name",
    "SettingsForm.name",
    "GameChanges.name",
    "Starship.document",
    "StarshipDraftChange.document",
    "StarshipDraftChange.name",
    "StarshipListChanges.name",
    "StarshipListChangesForm.name",
    "NewTournamentForm.name",
}
"""All fields for names. Each has a request in `doors`."""

ROBO_NAMES = {
    "SignUpForm.username",
    "ProviderSignUpForm.username",
    "User.robo_name",
    "NewName.name",
    "RequestedName.name",
}
"""Fields for Robo Names. They accept only letters from A to Z."""

OTHERS = {
    "a hidden mark of the branch on the page": "BranchForm.changes",
    "declared for other inputs, which have doors": "GameTerms.name GameTerms.ruleset",
    "passkeys, which have a test below": "AddPasskeyForm.name RenamePasskeyForm.name",
    "a line of the operator, which `save_site_notice` checks": "SiteNotice.text SiteNoticeForm.text",
    "the form behind a page of the admin": "NewUserForm.robo_name MissionForm.title StarshipForm.document"
    " BlockForm.reason RuleForm.reason SignUpBlock.reason SignUpRule.reason",
    "an existing name, to be found": """
        ClubsQuery.name ClubsQuery.player Challenge.robo_name Invitation.robo_name
        PlayerName.robo_name NewSitter.robo_name NewSitterForm.robo_name
        DeletionForm.robo_name LibraryFilter.q ListsFilter.q StarshipListsQuery.q
        StarshipsQuery.q GamesQuery.club NewGame.club NewPlayerReport.club
        NewTournament.club Login.login
    """,
    "one of a few words, or a value in a format": """
        Computer.strength Computer.model Computer.squad MonthQuery.month
        NewGame.ruleset NewGame.squad NewGame.model GameChanges.ruleset
        PaceSettings.at PaceSettings.zone CrewSerializer.squad CrewSerializer.model
        JoinSerializer.squad JoinSerializer.model
        ComputerChanges.strength ComputerChanges.model ComputerChanges.squad
        DrawnFor.ruleset NewStarshipDraft.ruleset
        StarshipCheck.ruleset StarshipDraftChange.ruleset StarshipLook.ruleset
        TestFlight.ruleset ShipOrder.ruleset
        TunnelOrder.ruleset TunnelOrderForm.ruleset TunnelForm.ruleset ShipOrderForm.ruleset
        NewVoteSerializer.kind SignUpForm.time_zone ProviderSignUpForm.time_zone Invitation.email
        DraftForm.rows Mission.slug NoteForm.cells
        BlockForm.value SignUpBlock.value WaveForm.network WaveForm.domain
    """,
    "a secret, a code, a link, an address, a cursor or a seed": """
        ChatQuery.link EventsQuery.link LinkQuery.link LogQuery.link JoinSerializer.link SeatLink.link
        NewStarshipDraft.link GamesQuery.cursor ListQuery.cursor ReviewsQuery.cursor
        Login.password Login.code ActivateTOTPForm.code AuthenticateForm.code
        RepeatCodeForm.code NewUserForm.password1 NewUserForm.password2 User.password1 User.password2
        ShipOrder.seed ShipOrderForm.seed
        NewGroupChannel.address NewGroupChannelForm.address NewChannelForm.address
        NewGroupChannel.room NewGroupChannelForm.room NewChannelForm.room
        NewGroupChannel.token NewGroupChannelForm.token NewChannelForm.token
    """,
    "a drawing that is kept nowhere": "StarshipCheck.document StarshipLook.document",
    "a document of a game or a position, which its reader checks": "LoadForm.text",
    "inherited from a form with that name field": "TournamentChangesForm.name",
    "a text of several lines": """
        NewLine.text ClubChanges.text NewClub.text NewAppeal.text
        NewPlayerReport.text PlayerNote.text PlayerNoteForm.text
        NewStarshipList.text NewStarshipListForm.text
        StarshipListChanges.text StarshipListChangesForm.text CommitteeVote.words CommitteeVoteForm.words
        NewReportOfShip.text NewReport.text Answer.text NewReview.text
        NewTournament.text
        Answer.answer Decision.facts DecisionForDays.facts Line.facts NewClubName.facts NewName.facts
        Grounds.reason GroundsForAuthor.reason GroundsForBuilder.reason GroundsForStaff.reason
        FewerDays.reason ReasonForPerson.reason ReasonForDeletion.reason NewAddress.reason
        RequestedName.reason LockForm.reason IdentityChecked.reason
        GroundsForm.reason MoreTime.reason MoreTimeForm.reason
        Decline.reason DeclineForm.reason WaveReason.reason WaveReasonForm.reason
        NewClubForm.text ClubChangesForm.text NewAppealForm.text PlayerReportForm.text
        NewPlayerReportForm.text NewReportForm.text NewReportOfReviewForm.text NewReportOfReview.text
        AnswerForm.text NewReviewForm.text NewTournamentForm.text TournamentChangesForm.text
    """,
    "a part of a document, whose reader checks all of it": """
        DraftForm.description NoteForm.text HintForm.text Mission.introduction Mission.goal Mission.closing
        MissionForm.introduction MissionForm.goal MissionForm.closing
    """,
    "declared by an input": "chat/pages.text",
}
"""All other text fields, by purpose."""


def subclasses(kind: type) -> Iterator[type]:
    for each in kind.__subclasses__():
        yield each
        yield from subclasses(each)


def declared() -> dict[str, Any]:
    """Return the free text fields of forms, API calls and the admin, by name."""
    found: dict[str, Any] = {}
    for serializer in (each for each in subclasses(Strict) if each.__module__.startswith("games.")):
        fields = serializer().fields.items()
        found |= {f"{serializer.__name__}.{key}": field for key, field in fields if _is_free(field)}
    for form in subclasses(forms.BaseForm):
        if form.__module__.partition(".")[0] in ("accounts", "games"):
            fields = getattr(form, "base_fields", {}).items()  # a base class may have none
            found |= {
                f"{form.__name__}.{key}": field
                for key, field in fields
                if type(field) in (forms.CharField, WrittenField)
            }
    request = RequestFactory().get("/")
    request.user = User(is_superuser=True, is_staff=True)
    for model, page in admin.site._registry.items():
        if page.has_add_permission(request) and model is not Case:  # its page lists rows and asks questions
            fields = page.get_form(request).base_fields.items()
            free = forms.CharField, forms.JSONField
            found |= {
                f"{model.__name__}.{key}": field
                for key, field in fields
                if isinstance(field, free) and not isinstance(field, forms.EmailField | forms.URLField)
            }
    for file in Path("games").rglob("*.py"):
        keys = re.findall(r'POST(?:\.get\(|\[)"(name|title|text|words|reason)"', file.read_text())
        page = str(file.relative_to("games").with_suffix("")).removesuffix("/__init__")
        found |= {f"{page}.{key}": None for key in keys}
    return found


def _is_free(field: Any) -> bool:
    return type(field) is Text or isinstance(field, Written) or type(field).__name__ == "DrawingField"


def test_each_text_field_is_a_name_or_has_another_purpose() -> None:
    others = {name for names in OTHERS.values() for name in names.split()}
    assert declared().keys() - NAMES - ROBO_NAMES - others == set()
    assert NAMES | ROBO_NAMES | others == declared().keys()


def test_each_long_text_is_declared_by_inputs() -> None:
    fields = declared()
    texts = OTHERS["a text of several lines"].split()
    assert [name for name in texts if not isinstance(fields[name], Written | WrittenField)] == []


@pytest.fixture
def doors(table: Table, alice: User, bob: User) -> dict[str, Door]:
    """For each field of a name, a function that sends a request with this name."""
    chief = person("Chief", is_staff=True, is_superuser=True)
    give_rating(alice)  # a requirement for hosting tournaments
    permit(chief)
    browser, staff = browser_of(alice), browser_of(chief)
    signed_in(browser, alice)  # with a recently confirmed password
    token = make_token(user=alice, now=timezone.now())
    lobby, draft = table.game(alice, seats=3), called(alice, "Raft", "a . .+i1")
    club, own = create_club(user=alice, name="Robots", now=NOW), create_list(user=alice, name="Mine", now=NOW)
    theirs = create_club(user=bob, name="Others", now=NOW)
    reported(alice, bob)
    given: dict[str, Any] = {"starship": table.starship, "options": {}, "lesson": LESSON}
    mission = save_mission(slug="hall", number=1, title="Hall", **given)
    cup = {"kind": "swiss", "size": 2, "rounds": 3, "starships": [table.starship.pk], "least": 2, "most": 8}
    starts = timezone.now() + timedelta(days=3)
    page_of_cup = {**cup, "ruleset": "robo-runner", "hours": 24, "ship_choice": "fixed"}

    def post(path: str, **sent: Any) -> HttpResponse:
        return browser.post(path, {key: value for key, value in sent.items() if value is not None})  # type: ignore[return-value]

    def asked(path: str, sent: dict[str, Any]) -> HttpResponse:
        return staff.post(path, sent, follow=True)  # type: ignore[return-value]

    def call(method: str, path: str, **sent: Any) -> HttpResponse:
        headers = {"Authorization": f"Bearer {token}", "If-Match": '"1"'}
        more = {"content_type": "application/json", "headers": headers}
        return getattr(browser, method)(f"/api/v1/{path}", json.dumps(sent), **more)  # type: ignore[no-any-return]

    def document(name: str) -> dict[str, Any]:
        return {"format": "starship/1", "name": name, "rows": ["a . .+i1"]}

    def board(name: str) -> dict[str, Any]:
        return submission({**document(name), "rows": ["a . .+i1", ". . ."]})

    drawn = {"rows": "a . .+i1", "players": 2, "version": 1}
    over = table.game(alice, bob)
    table.play(over, alice, bob)
    cancel_as_staff(user=chief, game_id=over.pk, reason="So.", now=NOW)
    over.refresh_from_db()
    mine = create_branch(user=alice, game=over, turn=0, orders={}, headings={}, now=NOW)
    case = case_of(bob)
    decided = {"action": "change_club", "_selected_action": [case.pk], "sure": "1", "facts": "Rude."}
    return {
        "BlankForm.name": lambda name: post(
            "/shipyard/new/", begin="blank", name=name, width=5, height=5, players=2
        ),
        "ImportForm.text": lambda name: post(
            "/shipyard/new/", begin="import", text=json.dumps(document(name))
        ),
        "DraftForm.name": lambda name: post(f"/shipyard/{draft.pk}/", name=name, **drawn),
        "NewBranchForm.name": lambda name: post(
            f"/games/{over.pk}/turns/0/branch/", name=name, computers="0"
        ),
        "BranchForm.name": lambda name: post(
            f"/games/{over.pk}/branches/{mine.token}/", name=name, computers="0"
        ),
        "NewBranch.name": lambda name: call("put", f"games/{over.pk}/branches/{mine.token}", name=name),
        "NewBranchOfTurn.name": lambda name: call("post", f"games/{over.pk}/branches", name=name, turn=0),
        "NewClubForm.name": lambda name: post("/clubs/new/", name=name, entry="open"),
        "ClubChangesForm.name": lambda name: post(f"/clubs/{club.slug}/edit/", name=name, entry="open"),
        "CreateGameForm.name": lambda name: post("/games/new/", **game_fields(table.starship, name=name)),
        "SettingsForm.name": lambda name: post(
            f"/games/{lobby.pk}/settings/", **lobby_settings(lobby, name=name)
        ),
        "NewStarshipListForm.name": lambda name: post("/starships/lists/mine/", name=name, seen_by="owner"),
        "StarshipListChangesForm.name": lambda name: post(
            f"/starships/lists/{own.pk}/edit/", name=name, seen_by="owner"
        ),
        "NewTournamentForm.name": lambda name: post(
            "/tournaments/new/", name=name, starts_at=f"{starts:%Y-%m-%dT%H:%M}", **page_of_cup
        ),
        "NewToken.name": lambda name: post("/settings/tokens/", name=name, days="30"),
        "NewTokenForm.name": lambda name: post("/settings/tokens/", name=name),
        "Group.name": lambda name: asked("/admin/auth/group/add/", {"name": name}),
        "Mission.title": lambda name: asked(
            f"/admin/games/mission/{mission.pk}/change/", mission_fields(mission, title=name)
        ),
        "Starship.document": lambda name: asked("/admin/games/starship/add/", board(name)),
        "NewClubName.name": lambda name: asked(
            "/admin/games/case/", {**decided, "slug": theirs.slug, "name": name, "rule": Rule.POLITE}
        ),
        "ClubChanges.name": lambda name: call("patch", f"clubs/{club.slug}", name=name),
        "Login.name": lambda name: call(
            "post", "tokens", login="Alice", password="alice-likes-robots", name=name
        ),
        "NewClub.name": lambda name: call("post", "clubs", name=name),
        "NewGame.name": lambda name: call("post", "games", name=name, starship=table.starship.pk),
        "GameChanges.name": lambda name: call("patch", f"games/{lobby.pk}", name=name),
        "NewStarshipDraft.name": lambda name: call("post", "shipyard/drafts", name=name, width=5),
        "NewStarshipDraft.document": lambda name: call("post", "shipyard/drafts", document=document(name)),
        "StarshipDraftChange.name": lambda name: call(
            "put", f"shipyard/drafts/{draft.pk}", name=name, document=document("x")
        ),
        "StarshipDraftChange.document": lambda name: call(
            "put", f"shipyard/drafts/{draft.pk}", document=document(name)
        ),
        "NewStarshipList.name": lambda name: call("post", "starships/lists", name=name),
        "StarshipListChanges.name": lambda name: call("patch", f"starships/lists/{own.pk}", name=name),
        "NewTournament.name": lambda name: call(
            "post", "tournaments", name=name, starts_at=starts.isoformat(), **cup
        ),
    }


def browser_of(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def undone(door: Door, name: str) -> tuple[int, str]:
    """Send a request with the given name, and undo its changes. Return status and text."""
    mark = transaction.savepoint()
    answer = door(name)
    transaction.savepoint_rollback(mark)
    return answer.status_code, answer.content.decode()


def test_all_fields_accept_the_same_names(doors: dict[str, Door]) -> None:
    assert set(doors) == NAMES
    for (place, door), (name, character) in zip(doors.items(), cycle(BAD.items())):
        status, page = undone(door, GOOD)
        taken = status in (200, 201, 302) and "errorlist" not in page and "U+" not in page
        assert taken, (place, status, re.findall(r'error[^"].{150}', page, re.S))
        status, page = undone(door, name)
        assert character in page and status in (200, 422), (place, ascii(name), status, page)


def test_passkeys_accept_the_same_names(alice: User) -> None:
    for form in (
        AddPasskeyForm(user=alice),
        RenamePasskeyForm(instance=Authenticator(type="webauthn", data={"name": "Phone"})),
    ):
        assert form.fields["name"].clean(GOOD) == GOOD
        for name, character in BAD.items():
            with pytest.raises(ValidationError, match=re.escape(character)):
                form.fields["name"].clean(name)


def test_refused_robo_names_name_the_forbidden_character(client: Client, alice: User, bob: User) -> None:
    """The test tries the sign-up, the admin, a decision of staff, and the command line."""
    chief = person("Chief", is_staff=True, is_superuser=True)
    reported(alice, bob)
    staff = browser_of(chief)
    password = "a sentence works well"
    renamed = {"action": "rename", "_selected_action": [case_of(bob).pk], "sure": "1", "facts": "Rude."}

    def asked(path: str, sent: dict[str, Any]) -> HttpResponse:
        return staff.post(path, sent, follow=True)  # type: ignore[return-value]

    def told_by_command(name: str) -> str:
        with pytest.raises(CommandError) as refused:
            call_command("createsuperuser", interactive=False, robo_name=name, email="head@example.org")
        return str(refused.value)

    ways: list[Callable[[str], str]] = [
        lambda name: client.post(
            "/accounts/signup/", {"username": name, "email": "new@example.org", "password1": password}
        ).content.decode(),
        lambda name: asked(
            "/admin/accounts/user/add/",
            {
                "robo_name": name,
                "email": "new@example.org",
                "usable_password": "true",
                "password1": password,
                "password2": password,
            },
        ).content.decode(),
        lambda name: asked(
            "/admin/games/case/", {**renamed, "name": name, "rule": Rule.POLITE}
        ).content.decode(),
        told_by_command,
    ]
    for way in ways:
        assert "U+00EB (LATIN SMALL LETTER E WITH DIAERESIS)" in way("Zoë")
        assert escape("looks too much like another player’s") in escape(way("AIice"))
