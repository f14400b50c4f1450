"""Games, turns, notifications and tokens in the admin."""

import html
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

import rules
from accounts.models import User
from games.absence.models import Replacement
from games.clocks.models import Outage
from games.fleet.models import Starship, StarshipRevision
from games.news.models import Notice
from games.people.models import Achievement, ApiToken, Tally
from games.people.tokens import make_token, use_token
from games.play.models import Game, Program, Seat, Turn
from games.play.resolution import MAX_ATTEMPTS
from games.staff.models import Intervention
from games.staff.services import extend_turn
from tests.games.admin_pages import address, do, listing, messages_in, permit
from tests.games.support import DUCTS, HALL, NOW, WORKSHOP, YARD, Table, later, open_turn

WATCHED: list[Any] = [Game, Seat, Turn, Program, Tally, Achievement, Notice, ApiToken, Intervention]


@pytest.fixture
def played(duel: Game, table: Table, alice: User, bob: User, erin: User) -> Game:
    """A game in turn 1 with Alice's orders, and rows of each kind.

    Both players have tokens and an achievement. Staff extended the deadline for Alice.
    """
    table.play(duel, alice, bob)
    table.move(duel, alice)
    for player in (alice, bob):
        Achievement.objects.create(user=player, key="pushed-10", game=duel, turn=0, earned_at=NOW)
        make_token(user=player, now=NOW)
    extend_turn(user=erin, game_id=duel.pk, hours=2, reason="Alice’s wedding.", now=NOW)
    return duel


class TestEveryList:
    """The lists of all models, on one set of rows, since creating the rows takes long."""

    def test_it_can_be_shown_searched_and_filtered(self, staff: Client, played: Game) -> None:
        for model in WATCHED:
            page = staff.get(listing(model))
            assert page.status_code == 200, model
            assert page.context["cl"].result_count == model.objects.count() > 0, model
            found = staff.get(listing(model), {"q": "Alice"}).context["cl"].result_count
            assert found >= (model is not Turn), model
            assert staff.get(listing(model), {"q": "nobody at all"}).context["cl"].result_count == 0, model

    def test_every_row_has_a_page_with_few_queries(self, staff: Client, played: Game) -> None:
        for model in WATCHED:
            for row in model.objects.all():
                with CaptureQueriesContext(connection) as asked:
                    assert staff.get(address(row)).status_code == 200, row
                assert len(asked) <= 14, row

    def test_rows_cannot_be_added_changed_or_deleted(self, staff: Client, played: Game) -> None:
        for model in (Replacement, Outage):
            assert staff.get(f"{listing(model)}add/").status_code == 403, model
        before = [list(model.objects.order_by("pk").values()) for model in WATCHED]
        for model in WATCHED:
            row = model.objects.order_by("pk")[0]
            assert staff.get(f"{listing(model)}add/").status_code == 403, model
            assert staff.post(address(row), {"name": "Mine", "winner": "Erin"}).status_code == 403, model
            assert staff.post(f"{listing(model)}{row.pk}/delete/", {"post": "yes"}).status_code == 403, model
            do(staff, "delete_selected", row, post="yes")
        assert [list(model.objects.order_by("pk").values()) for model in WATCHED] == before

    def test_it_takes_a_fixed_number_of_queries(
        self, staff: Client, played: Game, table: Table, alice: User, bob: User, carol: User, erin: User
    ) -> None:
        def asked(model: Any) -> int:
            with CaptureQueriesContext(connection) as questions:
                staff.get(listing(model))
            return len(questions)

        few = {model: asked(model) for model in WATCHED}
        assert max(few.values()) <= 12, few
        for _ in range(2):
            game = table.game(alice, bob, carol)
            table.play(game, alice, bob, carol)
            extend_turn(user=erin, game_id=game.pk, hours=1, reason="So.", now=NOW)
            make_token(user=carol, now=NOW)
        many = {model: asked(model) for model in WATCHED}
        assert not {model: few[model] for model in WATCHED if many[model] > few[model]}


class TestWhatAGameIsPlayedBy:
    def shown(self, staff: Client, game: Game) -> str:
        return html.unescape(staff.get(address(game)).content.decode())

    def test_ruleset_options_and_house_rules_are_shown(
        self, staff: Client, table: Table, alice: User, bob: User
    ) -> None:
        game = table.game(alice, bob, house_rules={"robot_lasers": False, "damage_limit": 7})
        page = self.shown(staff, game)
        assert f"robo-runner, version {rules.ruleset('robo-runner').version}" in page
        for said in ("lives: 3", "hull damage: yes", "robot lasers: no", "damage limit: 7"):
            assert said in page
        assert "damage that destroys a robot: 7" in page
        assert "the whole starship" in page
        assert "none, as in the rulebook" in self.shown(staff, table.game(alice, bob))

    def test_a_joined_board_is_shown_with_its_pieces(self, staff: Client, alice: User, bob: User) -> None:
        yard = YARD.saved()
        boards = [{"starship": yard.pk}, {"starship": yard.pk, "at": [1, 0], "turned": 1}]
        game = Table(yard).game(alice, bob, ruleset="amigo-1999", boards=boards, checkpoints=[[0, 0], [7, 3]])
        page = self.shown(staff, game)
        laid = "Yard (revision 1) in column 1, row 1, Yard (revision 1) in column 2, row 1, rotated 90°"
        assert f"8 × 4 cells: {laid}" in page
        assert "Yard: Yard, revision 1" in page
        [revision] = staff.get(address(yard)).context["revisions"]
        assert revision.uses == 1

    def test_squads_and_models_are_shown(self, staff: Client, alice: User, bob: User) -> None:
        recon = Table(DUCTS.saved()).game(alice, bob, ruleset="robo-recon")
        group = Table(WORKSHOP.saved()).game(alice, bob, ruleset="group-11", model="peach")
        assert "blue" in staff.get(address(recon.players.get(number=2))).content.decode()
        assert "peach" in self.shown(staff, group)


class TestTurns:
    def test_a_turn_that_failed_too_often_is_found_with_its_error(self, staff: Client, duel: Game) -> None:
        turn = open_turn(duel)
        Turn.objects.filter(pk=turn.pk).update(attempts=MAX_ATTEMPTS, error="ValueError: a loose screw")
        found = staff.get(listing(Turn), {"waits": "staff"})
        assert found.context["cl"].result_count == 1 and "a loose screw" in found.content.decode()
        assert "ValueError: a loose screw" in staff.get(address(turn)).content.decode()

    def test_turns_are_found_by_their_waiting_state(
        self, staff: Client, played: Game, table: Table, alice: User, carol: User
    ) -> None:
        other = table.game(alice, carol)
        table.move(other, alice, carol)
        for choice, count in (("players", 1), ("worker", 1), ("staff", 0)):
            assert staff.get(listing(Turn), {"waits": choice}).context["cl"].result_count == count, choice


class TestSendingAgain:
    def test_a_notification_that_was_given_up_gets_another_try(self, staff: Client, duel: Game) -> None:
        notice = Notice.objects.filter(user__robo_name="Bob").get()
        given_up = {"status": Notice.Status.GIVEN_UP, "attempts": 8, "last_error": "550 no such mailbox"}
        Notice.objects.filter(pk=notice.pk).update(**given_up)
        assert "550 no such mailbox" in staff.get(listing(Notice)).content.decode()
        assert "550 no such mailbox" in staff.get(address(notice)).content.decode()
        messages = messages_in(do(staff, "send_again", notice))
        assert messages == ["Will be sent again: “It’s your turn” about First flight, turn 0, to Bob."]
        notice.refresh_from_db()
        assert (notice.status, notice.attempts) == (Notice.Status.PENDING, 0)

    def test_a_notification_about_a_starship_gets_another_try(self, staff: Client, bob: User) -> None:
        ship = HALL.saved()
        about = {"starship": ship, "about": 1, "turn": 0, "created_at": NOW}
        notice = Notice.objects.create(user=bob, kind="review", status="given up", **about)
        assert "Hall" in staff.get(listing(Notice), {"q": "Hall"}).content.decode()
        assert "Hall" in staff.get(address(notice)).content.decode()
        assert messages_in(do(staff, "send_again", notice)) == [
            "Will be sent again: “Your ship was reviewed” about Hall, to Bob."
        ]

    def test_any_other_notification_is_refused(self, staff: Client, duel: Game) -> None:
        notice = Notice.objects.filter(user__robo_name="Bob").get()
        assert messages_in(do(staff, "send_again", notice))[0].endswith(
            "This notification has not failed, so it can’t be sent again."
        )


class TestTokens:
    def test_one_token_is_revoked_and_the_others_still_work(self, staff: Client, bob: User) -> None:
        lost, kept = (make_token(user=bob, now=NOW) for _ in range(2))
        first = ApiToken.objects.order_by("pk")[0]
        assert messages_in(do(staff, "revoke", first)) == [
            "Revoked: Token of Bob, created on 21 November 2026."
        ]
        assert use_token(token=lost, now=later(minutes=1)) is None
        assert use_token(token=kept, now=later(minutes=1)) == bob

    def test_a_superuser_s_token_is_not_revoked_by_other_staff(self, staff: Client, bob: User) -> None:
        User.objects.filter(pk=bob.pk).update(is_staff=True, is_superuser=True)
        kept = make_token(user=bob, now=NOW)
        found = messages_in(do(staff, "revoke", ApiToken.objects.get()))
        assert found == [
            "Token of Bob, created on 21 November 2026: Only a superuser may act on a staff account."
        ]
        assert use_token(token=kept, now=later(minutes=1)) == bob


class TestWhoGetsIn:
    PAGES = [
        "/admin/",
        *(listing(model) for model in [Starship, *WATCHED, Outage, Replacement]),
        "/admin/games/starship/add/",
    ]

    def test_staff_without_permissions_are_refused(self, client: Client, grace: User) -> None:
        client.force_login(grace)
        for page in self.PAGES[1:]:
            assert client.get(page).status_code == 403, page

    @pytest.mark.parametrize("person", ["dave", "grace"])
    def test_only_staff_with_rights_preview_download_save_or_act(
        self, client: Client, request: pytest.FixtureRequest, starship: Starship, duel: Game, person: str
    ) -> None:
        client.force_login(request.getfixturevalue(person))
        retire = {"action": "retire", "_selected_action": starship.pk}
        cancel = {"action": "cancel", "_selected_action": duel.pk, "sure": "yes", "reason": "So."}
        for answer in (
            client.post("/admin/games/starship/preview/", {"document": "{}"}, follow=True),
            client.get(f"/admin/games/starship/{starship.pk}/revisions/1/", follow=True),
            client.post(address(starship), {"document": "{}"}, follow=True),
            client.post(listing(Starship), retire, follow=True),
            client.post(listing(Game), cancel, follow=True),
        ):
            assert answer.status_code == 403
        duel.refresh_from_db()
        starship.refresh_from_db()
        assert duel.status == Game.Status.RUNNING and not starship.retired

    def test_staff_who_may_only_view_games_cannot_act(self, client: Client, grace: User, duel: Game) -> None:
        permit(grace, "view_game", "view_starship", "view_apitoken")
        client.force_login(grace)
        assert 'value="cancel"' not in client.get(address(duel)).content.decode()
        do(client, "cancel", duel, sure="yes", reason="So.")
        duel.refresh_from_db()
        assert duel.status == Game.Status.RUNNING

    def test_staff_who_may_only_view_starships_see_document_and_board(
        self, client: Client, grace: User, starship: Starship
    ) -> None:
        permit(grace, "view_starship")
        client.force_login(grace)
        page = client.get(address(starship)).content.decode()
        assert "<svg" in page and '<pre class="document">' in page
        assert "<textarea" not in page and 'name="_preview"' not in page and 'type="file"' not in page
        assert client.post(address(starship), {"document": "{}"}).status_code == 403


def test_a_resolved_turn_shows_the_authors_of_orders(staff: Client, played: Game) -> None:
    page = staff.get(address(played.turns.get(number=0))).content.decode()
    for robot in ("Alice", "Bob"):
        assert f"<p>{robot}: Player, 21 November 2026" in page


def test_the_page_of_a_turn_reports_an_unreadable_record(
    staff: Client, played: Game, solo_loss: Game
) -> None:
    for game in (played, solo_loss):
        page = address(game.turns.get(number=0))
        assert "This cannot be read" not in staff.get(page).content.decode()
        game.turns.filter(number=0).update(record=b"torn")
        assert "This cannot be read" in staff.get(page).content.decode()
    damaged = solo_loss.turns.get(number=1)
    StarshipRevision.objects.filter(games=solo_loss).update(document={"format": "starship/1"})
    assert "This cannot be read" in staff.get(address(damaged)).content.decode()
