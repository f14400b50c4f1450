"""The commands that set up a trial site: load_starships and make_demo."""

import io
import re
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import call_command, load_command_class
from django.core.management.base import CommandError

from accounts.models import User
from games.lobby import practice
from games.lobby.lists import games_to_join, waiting_games
from games.management import OneLineCommand
from games.people.models import Achievement, Tally
from games.play.models import Game
from tests.games.support import NOW, game_seen


def run(command: str, *arguments: str) -> str:
    said = io.StringIO()
    call_command(command, *arguments, stdout=said)
    return said.getvalue()


def test_loading_reports_the_number_of_starships(db: None) -> None:
    count = len(list((settings.BASE_DIR / "fixtures" / "starships").glob("*.json")))
    taught = len(list((settings.BASE_DIR / "fixtures" / "lessons").glob("*.json")))
    assert run("load_starships") == (
        f"{count} starships: {count} new, 0 changed.\n{taught} missions: {taught} new, 0 changed.\n"
    )
    assert run("load_starships") == (
        f"{count} starships: 0 new, 0 changed.\n{taught} missions: 0 new, 0 changed.\n"
    )


def test_loading_is_quiet_when_asked(db: None) -> None:
    assert run("load_starships", "--verbosity=0") == ""


def test_a_directory_without_starships_is_reported(db: None, tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="cannot be read"):
        run("load_starships", str(tmp_path))


def test_an_invalid_list_is_reported(db: None, tmp_path: Path) -> None:
    (tmp_path / "starships.toml").write_text("starship = nonsense")
    with pytest.raises(CommandError, match="cannot be read"):
        run("load_starships", str(tmp_path))


@pytest.fixture
def demo(db: None) -> str:
    """Run the command make_demo, and return its output."""
    run("load_starships")
    return run("make_demo")


def test_the_demonstration_shows_its_login(demo: str) -> None:
    game = Game.objects.get(host__robo_name="Demo", seats=1)
    assert demo == (f"Demo: log in as Demo / {practice.PASSWORD} - {settings.BASE_URL}/games/{game.pk}/\n")
    assert User.objects.get(robo_name="Demo").check_password(practice.PASSWORD)


def test_its_game_waits_for_orders(demo: str) -> None:
    user = User.objects.get(robo_name="Demo")
    (game,) = waiting_games(user=user)
    view = game_seen(viewer=user, game=game)
    assert (view["turn"], len(view["me"]["hand"])) == (1, 9)


def test_there_is_a_game_to_join(demo: str, django_user_model: type[User]) -> None:
    stranger = django_user_model.objects.create_user("Bob", "bob@example.org")
    (game,) = games_to_join(viewer=stranger)
    assert game.host.robo_name == "Demo"


def test_it_is_created_once(demo: str) -> None:
    assert run("make_demo") == demo
    assert Game.objects.count() == 2


def test_a_changed_password_is_not_printed(demo: str) -> None:
    user = User.objects.get(robo_name="Demo")
    user.set_password("a secret of mine")
    user.save()
    assert "Demo: log in as Demo, with your own password - http" in run("make_demo")


def test_it_requires_starships(db: None) -> None:
    with pytest.raises(CommandError, match="Run load_starships first"):
        run("make_demo")


def test_recounting_reports_progress_and_corrections(demo: str) -> None:
    assert run("recount") == (
        "Recounted: turns 1, games 1, people 1."
        " Corrected: tallies 0, achievements 0, reliabilities 0, ratings 0."
        " Games in the figures of starships: 0. Rated games: 0, rows corrected: 0; months: 0, tables: 0.\n"
    )
    Tally.objects.update(forward=99)
    assert "Corrected: tallies 1, achievements 0, reliabilities 0, ratings 0." in run("recount")
    assert not Tally.objects.filter(forward=99).exists()


def test_recounting_one_person_changes_no_other(demo: str, django_user_model: type[User]) -> None:
    game = Game.objects.get(status=Game.Status.RUNNING)
    bob = django_user_model.objects.create_user("Bob", "bob@example.org")
    for user in (bob, User.objects.get(robo_name="Demo")):
        Achievement.objects.create(user=user, key="pushed-10", game=game, turn=0, earned_at=NOW)
    assert run("recount", "bob") == "Recounted: people 1. Corrected: rows 1.\n"
    assert list(Achievement.objects.values_list("user__robo_name", flat=True)) == ["Demo"]
    assert run("recount", "Bob", "demo") == "Recounted: people 2. Corrected: rows 1.\n"


def test_recounting_an_unknown_person_is_refused(demo: str) -> None:
    with pytest.raises(CommandError, match="There is no player called Zoe"):
        run("recount", "Demo", "Zoe")


def test_recounting_is_quiet_when_asked(db: None) -> None:
    assert run("recount", "--verbosity=0") == ""


def test_accounts_are_deleted_by_id_and_only_once(alice: User, bob: User) -> None:
    assert run("delete_accounts", str(alice.pk), str(bob.pk)) == f"{alice.pk}: deleted.\n{bob.pk}: deleted.\n"
    assert User.objects.get(pk=alice.pk).robo_name == f"Deleted-{alice.pk}"
    assert run("delete_accounts", str(alice.pk)) == f"{alice.pk}: already deleted.\n"


def test_a_failed_deletion_is_reported_and_the_others_continue(alice: User) -> None:
    said = io.StringIO()
    with pytest.raises(CommandError, match="999999: there is no such account"):
        call_command("delete_accounts", "999999", str(alice.pk), stdout=said)
    assert said.getvalue() == f"{alice.pk}: deleted.\n"
    with pytest.raises(CommandError):
        call_command("delete_accounts", "Alice")


FORGED = "Mallory\nAll games are sound: 7 games\x1b[2J\u2028."


def test_each_result_of_a_command_is_one_line(db: None) -> None:
    """Names and errors in the output cannot look like another line."""

    class Told(OneLineCommand):
        def handle(self, *args: object, **options: object) -> None:
            self.stdout.write(FORGED)
            self.stderr.write(FORGED)

    said, wrong = io.StringIO(), io.StringIO()
    call_command(Told(), stdout=said, stderr=wrong)
    for told in (said.getvalue(), wrong.getvalue()):
        assert told == "Mallory\\nAll games are sound: 7 games\\x1b[2J\\u2028.\n"


def test_an_error_of_a_command_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    class Failing(OneLineCommand):
        requires_system_checks = ()

        def handle(self, *args: object, **options: object) -> None:
            raise CommandError(FORGED)

    with pytest.raises(SystemExit):
        Failing().run_from_argv(["manage.py", "failing"])
    assert capsys.readouterr().err.splitlines() == [
        "CommandError: Mallory\\nAll games are sound: 7 games\\x1b[2J\\u2028."
    ]


def test_every_command_with_output_prints_single_lines() -> None:
    folder = Path(settings.BASE_DIR, "games", "management", "commands")
    says = re.compile(r"std(out|err)\.write\(")
    speaking = {file.stem for file in folder.glob("*.py") if says.search(file.read_text())}
    assert len(speaking) > 8
    for name in speaking:
        assert isinstance(load_command_class("games", name), OneLineCommand), name
