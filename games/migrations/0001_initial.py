import datetime

import django.contrib.postgres.fields
import django.contrib.postgres.indexes
import django.contrib.postgres.search
import django.db.models.constraints
import django.db.models.deletion
import django.db.models.expressions
import django.db.models.functions.comparison
import django.db.models.functions.datetime
import django.db.models.functions.text
from django.apps import apps as installed
from django.apps.registry import Apps
from django.conf import settings
from django.contrib.auth.management import create_permissions
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import ProjectState

import games.news.models
import games.play.models


class CreateModels(migrations.SeparateDatabaseAndState):
    """Create the tables of many models at once.

    With a separate operation for each model, Django would render all earlier models again and again. For a
    hundred models, this took half a minute.
    """

    def state_forwards(self, app_label: str, state: ProjectState) -> None:
        state.__dict__.pop("apps", None)  # Django renders the models again on demand
        super().state_forwards(app_label, state)

    def database_forwards(
        self,
        app_label: str,
        schema_editor: BaseDatabaseSchemaEditor,
        from_state: ProjectState,
        to_state: ProjectState,
    ) -> None:
        for model in self.state_operations:
            model.database_forwards(app_label, schema_editor, from_state, to_state)

    def database_backwards(
        self,
        app_label: str,
        schema_editor: BaseDatabaseSchemaEditor,
        from_state: ProjectState,
        to_state: ProjectState,
    ) -> None:
        for model in reversed(self.state_operations):
            model.database_backwards(app_label, schema_editor, from_state, to_state)


KEEP_THE_LOG = """
CREATE FUNCTION games_refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'Entries of the conduct log are never changed or deleted';
END
$$;
CREATE TRIGGER conduct_log_is_kept BEFORE UPDATE OR DELETE ON games_conductentry
    FOR EACH ROW EXECUTE FUNCTION games_refuse_change();
"""
LET_IT_GO = """
DROP TRIGGER conduct_log_is_kept ON games_conductentry;
DROP FUNCTION games_refuse_change();
"""
COUNT_TURNS = "CREATE SEQUENCE games_turn_recorded_seq OWNED BY games_turn.recorded;"
COUNT_NO_TURNS = "DROP SEQUENCE games_turn_recorded_seq;"

LOOK = ["view_case", "change_case", "view_sanction", "change_sanction", "view_appeal", "change_appeal"]
ROLES = {
    "Design committee": ["decide_promotion"],
    "Helper": [*LOOK, "hide_and_warn"],
    "Arbiter": [*LOOK, "hide_and_warn", "bar_players"],
    "Moderator": [*LOOK, "hide_and_warn", "bar_players", "moderate_players", "view_conductentry"],
}


def make_roles(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Create a group for each role of staff. Superusers may change the permissions of these groups later."""
    create_permissions(
        installed.get_app_config("games"), apps=apps, verbosity=0
    )  # Django would create them only after all migrations
    permissions = apps.get_model("auth", "Permission").objects.filter(content_type__app_label="games")
    for name, codes in ROLES.items():
        group, made = apps.get_model("auth", "Group").objects.get_or_create(name=name)
        if made:
            group.permissions.set(permissions.filter(codename__in=codes))


class Migration(migrations.Migration):
    """Create all tables, the trigger that protects the conduct log, the turn counter, and the groups of staff."""

    initial = True

    dependencies = [
        ("auth", "0012_alter_user_first_name_max_length"),
        ("contenttypes", "0002_remove_content_type_name"),
        ("mfa", "0003_authenticator_type_uniq"),  # these two run faster before a hundred tables exist
        ("usersessions", "0001_initial"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        CreateModels(
            state_operations=[
                migrations.CreateModel(
                    name="Alarm",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "turn",
                            models.OneToOneField(
                                null=True,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="alarm",
                                to="games.turn",
                            ),
                        ),
                        (
                            "job",
                            models.CharField(
                                blank=True,
                                db_default="",
                                default="",
                                max_length=30,
                                verbose_name="sweeper job",
                            ),
                        ),
                        ("kind", models.CharField(blank=True, db_default="", default="", max_length=30)),
                        ("row", models.PositiveBigIntegerField(db_default=0, default=0)),
                        (
                            "game",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="+",
                                to="games.game",
                            ),
                        ),
                        ("error", models.TextField(blank=True, db_default="", default="")),
                        ("attempts", models.PositiveIntegerField(db_default=0, default=0)),
                        ("due_at", models.DateTimeField()),
                        ("raised_at", models.DateTimeField()),
                        ("retry_at", models.DateTimeField(null=True)),
                        ("closed_at", models.DateTimeField(null=True)),
                    ],
                    options={
                        "ordering": ["-raised_at", "-pk"],
                        "indexes": [
                            models.Index(
                                condition=models.Q(("closed_at", None)),
                                fields=["raised_at"],
                                name="alarms_open",
                            )
                        ],
                        "constraints": [
                            models.UniqueConstraint(
                                condition=models.Q(("job", ""), _negated=True),
                                fields=("job", "row"),
                                name="alarm_once_a_row",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("job", ""), ("turn__isnull", False)),
                                    models.Q(("turn", None), models.Q(("job", ""), _negated=True)),
                                    _connector="OR",
                                ),
                                name="alarm_of_a_turn_or_a_job",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="LimitedUse",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "user",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        ("limit", models.CharField(max_length=30)),
                        ("at", models.DateTimeField()),
                    ],
                    options={
                        "ordering": ["-at", "-pk"],
                        "indexes": [models.Index(fields=["user", "limit", "at"], name="uses_of_a_limit")],
                    },
                ),
                migrations.CreateModel(
                    name="Deletion",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "user",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="deletion",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "by",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        ("name", models.CharField(blank=True, max_length=40, verbose_name="Robo Name")),
                        ("address", models.EmailField(blank=True, max_length=254)),
                        ("takes_chat", models.BooleanField(default=False)),
                        ("asked_at", models.DateTimeField()),
                        ("done_at", models.DateTimeField(null=True)),
                        ("offered_at", models.DateTimeField(null=True)),
                    ],
                    options={
                        "ordering": ["-asked_at", "-pk"],
                        "indexes": [
                            models.Index(
                                condition=models.Q(("done_at", None)),
                                fields=["asked_at"],
                                name="deletions_under_way",
                            )
                        ],
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("done_at", None), models.Q(("name", ""), _negated=True)),
                                    models.Q(("address", ""), ("done_at__isnull", False), ("name", "")),
                                    _connector="OR",
                                ),
                                name="deletion_forgets_in_the_end",
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Forgetting",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "deletion",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="games",
                                to="games.deletion",
                            ),
                        ),
                        (
                            "game",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE, related_name="+", to="games.game"
                            ),
                        ),
                        ("attempts", models.PositiveSmallIntegerField(default=0)),
                        ("error", models.TextField(blank=True)),
                        ("done_at", models.DateTimeField(null=True)),
                    ],
                    options={
                        "constraints": [
                            models.UniqueConstraint(fields=("deletion", "game"), name="forgetting_once")
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Tally",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "game",
                            models.ForeignKey(
                                db_constraint=False,
                                db_index=False,
                                null=True,
                                on_delete=django.db.models.deletion.DO_NOTHING,
                                related_name="+",
                                to="games.game",
                            ),
                        ),
                        (
                            "forward",
                            models.PositiveIntegerField(default=0, verbose_name="cells moved forward"),
                        ),
                        (
                            "backward",
                            models.PositiveIntegerField(default=0, verbose_name="cells moved backward"),
                        ),
                        ("left_turns", models.PositiveIntegerField(default=0, verbose_name="left turns")),
                        ("right_turns", models.PositiveIntegerField(default=0, verbose_name="right turns")),
                        ("half_turns", models.PositiveIntegerField(default=0, verbose_name="half turns")),
                        ("damage_taken", models.PositiveIntegerField(default=0, verbose_name="damage taken")),
                        ("deaths", models.PositiveIntegerField(default=0, verbose_name="times destroyed")),
                        ("damage_dealt", models.PositiveIntegerField(default=0, verbose_name="damage dealt")),
                        (
                            "destroyed",
                            models.PositiveIntegerField(default=0, verbose_name="robots destroyed"),
                        ),
                        ("repaired", models.PositiveIntegerField(default=0, verbose_name="damage repaired")),
                        ("power_downs", models.PositiveIntegerField(default=0, verbose_name="power downs")),
                        ("pushed", models.PositiveIntegerField(default=0, verbose_name="robots pushed")),
                        (
                            "seat",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="tally",
                                to="games.seat",
                            ),
                        ),
                    ],
                    options={
                        "verbose_name_plural": "tallies",
                    },
                ),
                migrations.CreateModel(
                    name="Share",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "game",
                            models.ForeignKey(
                                db_constraint=False,
                                db_index=False,
                                null=True,
                                on_delete=django.db.models.deletion.DO_NOTHING,
                                related_name="+",
                                to="games.game",
                            ),
                        ),
                        (
                            "forward",
                            models.PositiveIntegerField(default=0, verbose_name="cells moved forward"),
                        ),
                        (
                            "backward",
                            models.PositiveIntegerField(default=0, verbose_name="cells moved backward"),
                        ),
                        ("left_turns", models.PositiveIntegerField(default=0, verbose_name="left turns")),
                        ("right_turns", models.PositiveIntegerField(default=0, verbose_name="right turns")),
                        ("half_turns", models.PositiveIntegerField(default=0, verbose_name="half turns")),
                        ("damage_taken", models.PositiveIntegerField(default=0, verbose_name="damage taken")),
                        ("deaths", models.PositiveIntegerField(default=0, verbose_name="times destroyed")),
                        ("damage_dealt", models.PositiveIntegerField(default=0, verbose_name="damage dealt")),
                        (
                            "destroyed",
                            models.PositiveIntegerField(default=0, verbose_name="robots destroyed"),
                        ),
                        ("repaired", models.PositiveIntegerField(default=0, verbose_name="damage repaired")),
                        ("power_downs", models.PositiveIntegerField(default=0, verbose_name="power downs")),
                        ("pushed", models.PositiveIntegerField(default=0, verbose_name="robots pushed")),
                        (
                            "seat",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="shares",
                                to="games.seat",
                            ),
                        ),
                        (
                            "user",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="shares",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                    ],
                    options={
                        "constraints": [
                            models.UniqueConstraint(fields=("seat", "user"), name="share_one_each")
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Achievement",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "user",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="achievements",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        ("key", models.SlugField(max_length=40)),
                        (
                            "game",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="achievements",
                                to="games.game",
                            ),
                        ),
                        ("turn", models.PositiveIntegerField(verbose_name="turn number")),
                        ("earned_at", models.DateTimeField()),
                        ("seen_at", models.DateTimeField(null=True)),
                    ],
                    options={
                        "ordering": ["-earned_at", "-pk"],
                        "constraints": [
                            models.UniqueConstraint(fields=("user", "key"), name="achievement_earned_once")
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Course",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "game",
                            models.ForeignKey(
                                db_constraint=False,
                                db_index=False,
                                null=True,
                                on_delete=django.db.models.deletion.DO_NOTHING,
                                related_name="+",
                                to="games.game",
                            ),
                        ),
                        ("name", models.CharField(max_length=80)),
                        (
                            "document",
                            models.JSONField(help_text="The board as a canonical starship/1 document."),
                        ),
                        ("width", models.PositiveSmallIntegerField()),
                        ("height", models.PositiveSmallIntegerField()),
                    ],
                    options={
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("document__format", "starship/1"), ("document__has_key", "format")
                                ),
                                name="course_has_its_format",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("height__range", (1, 100)), ("width__range", (1, 100))),
                                name="course_has_a_size",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Piece",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "game",
                            models.ForeignKey(
                                db_constraint=False,
                                db_index=False,
                                null=True,
                                on_delete=django.db.models.deletion.DO_NOTHING,
                                related_name="+",
                                to="games.game",
                            ),
                        ),
                        (
                            "course",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="pieces",
                                to="games.course",
                            ),
                        ),
                        (
                            "revision",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="pieces",
                                to="games.starshiprevision",
                            ),
                        ),
                        ("column", models.PositiveSmallIntegerField()),
                        ("row", models.PositiveSmallIntegerField()),
                        ("turned", models.PositiveSmallIntegerField()),
                    ],
                    options={
                        "ordering": ["course", "pk"],
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("course", "column", "row"), name="piece_alone_in_its_place"
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("turned__range", (0, 3))), name="piece_turned_by_quarters"
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="StarshipFacts",
                    fields=[
                        (
                            "starship",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.CASCADE,
                                primary_key=True,
                                related_name="facts",
                                serialize=False,
                                to="games.starship",
                            ),
                        ),
                        (
                            "revision",
                            models.ForeignKey(
                                db_index=False,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="+",
                                to="games.starshiprevision",
                            ),
                        ),
                        ("edition", models.CharField(max_length=16)),
                        ("cells", models.PositiveIntegerField()),
                        ("turns", models.PositiveSmallIntegerField(null=True)),
                        (
                            "elements",
                            django.contrib.postgres.fields.ArrayField(
                                base_field=models.CharField(max_length=20), size=None
                            ),
                        ),
                        (
                            "rulesets",
                            django.contrib.postgres.fields.ArrayField(
                                base_field=models.CharField(max_length=40), size=None
                            ),
                        ),
                    ],
                ),
                migrations.CreateModel(
                    name="Favourite",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "user",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="favourites",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "starship",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="favourites",
                                to="games.starship",
                            ),
                        ),
                        ("added_at", models.DateTimeField()),
                    ],
                    options={
                        "ordering": ["-added_at", "-pk"],
                        "constraints": [
                            models.UniqueConstraint(fields=("user", "starship"), name="favourite_once")
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Mission",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("slug", models.SlugField(max_length=100, unique=True)),
                        ("number", models.PositiveSmallIntegerField(unique=True)),
                        ("title", models.CharField(max_length=80)),
                        (
                            "starship",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="missions",
                                to="games.starship",
                            ),
                        ),
                        (
                            "options",
                            models.JSONField(
                                default=dict, help_text="The Robo Runner options of the mission."
                            ),
                        ),
                        ("lesson", models.JSONField(help_text="A lesson/1 document.")),
                        (
                            "saved_by",
                            models.ForeignKey(
                                editable=False,
                                help_text="The member of staff who saved it last. Empty for missions that come with the game.",
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["number"],
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(("number__gte", 1)), name="mission_counted_from_1"
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("lesson__format", "lesson/1"), ("lesson__has_key", "format")
                                ),
                                name="mission_has_a_lesson",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Starship",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("slug", models.SlugField(max_length=100, unique=True)),
                        ("name", models.CharField(max_length=80)),
                        ("builder", models.CharField(blank=True, max_length=80)),
                        (
                            "owner",
                            models.ForeignKey(
                                editable=False,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="starships",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "section",
                            models.CharField(
                                choices=[
                                    ("missions", "Training missions"),
                                    ("fleet", "Fleet"),
                                    ("prototypes", "Prototypes"),
                                ],
                                max_length=20,
                            ),
                        ),
                        (
                            "position",
                            models.PositiveSmallIntegerField(
                                default=0, help_text="Order within the section."
                            ),
                        ),
                        (
                            "seats_least",
                            models.PositiveSmallIntegerField(
                                default=1, verbose_name="minimum recommended players"
                            ),
                        ),
                        (
                            "seats_most",
                            models.PositiveSmallIntegerField(
                                default=8, verbose_name="maximum recommended players"
                            ),
                        ),
                        (
                            "retired",
                            models.BooleanField(default=False, help_text="No longer offered for new games."),
                        ),
                        (
                            "hidden",
                            models.BooleanField(
                                db_default=False,
                                default=False,
                                help_text="Only staff see this ship. Clear this box and save to show it to players.",
                                verbose_name="not offered yet",
                            ),
                        ),
                        (
                            "current",
                            models.ForeignKey(
                                editable=False,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to="games.starshiprevision",
                            ),
                        ),
                        ("created_at", models.DateTimeField(editable=False)),
                        ("launched_at", models.DateTimeField(editable=False, null=True)),
                        ("taken_down_at", models.DateTimeField(editable=False, null=True)),
                    ],
                    options={
                        "ordering": ["section", "position", "name"],
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("seats_least__gte", 1), ("seats_least__lte", models.F("seats_most"))
                                ),
                                name="starship_seats_in_order",
                                violation_error_message="The minimum number of players must be from 1 to the maximum.",
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="StarshipRevision",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "starship",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="revisions",
                                to="games.starship",
                            ),
                        ),
                        ("number", models.PositiveIntegerField(help_text="Counted from 1.")),
                        (
                            "document",
                            models.JSONField(help_text="The board as a canonical starship/1 document."),
                        ),
                        ("width", models.PositiveSmallIntegerField()),
                        ("height", models.PositiveSmallIntegerField()),
                        ("prototype", models.BooleanField(db_default=False, default=False)),
                        (
                            "saved_by",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        ("created_at", models.DateTimeField()),
                    ],
                    options={
                        "ordering": ["starship", "-number"],
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("starship", "number"), name="starship_revision_unique"
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("document__format", "starship/1"), ("document__has_key", "format")
                                ),
                                name="starship_revision_has_its_format",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("height__range", (1, 100)), ("width__range", (1, 100))),
                                name="starship_revision_has_a_size",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Game",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("name", models.CharField(max_length=80)),
                        (
                            "status",
                            models.CharField(
                                choices=[
                                    ("open", "Open to join"),
                                    ("running", "Being played"),
                                    ("over", "Over"),
                                    ("cancelled", "Cancelled"),
                                ],
                                default="open",
                                max_length=10,
                            ),
                        ),
                        ("ruleset", models.CharField(max_length=40)),
                        ("version", models.PositiveSmallIntegerField(verbose_name="ruleset version")),
                        (
                            "options",
                            models.JSONField(
                                help_text="All options of the ruleset's version, with their values."
                            ),
                        ),
                        (
                            "house_rules",
                            models.JSONField(
                                default=dict, help_text="All house rules of the ruleset, with their values."
                            ),
                        ),
                        (
                            "revision",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="games",
                                to="games.starshiprevision",
                            ),
                        ),
                        (
                            "course",
                            models.OneToOneField(
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="of_game",
                                to="games.course",
                            ),
                        ),
                        ("seats", models.PositiveSmallIntegerField(verbose_name="number of seats")),
                        (
                            "host",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="hosted_games",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        ("private", models.BooleanField(default=False, help_text="Not listed. Players join with its link.")),
                        (
                            "least_reliability",
                            models.PositiveSmallIntegerField(
                                db_default=0,
                                default=0,
                                help_text="The reliability that players need to join, in percent.",
                            ),
                        ),
                        (
                            "rated",
                            models.CharField(
                                choices=[
                                    ("usual", "If the game is public and only people play"),
                                    ("yes", "Yes, always"),
                                    ("no", "No"),
                                ],
                                db_default="usual",
                                default="usual",
                                help_text="Whether it changes ratings.",
                                max_length=10,
                            ),
                        ),
                        ("link_token", models.CharField(max_length=64, unique=True)),
                        (
                            "starts_itself",
                            models.BooleanField(
                                default=True,
                                help_text="Starts automatically once all seats are taken and all players are ready. Otherwise, the host starts it.",
                            ),
                        ),
                        (
                            "mission",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="games",
                                to="games.mission",
                            ),
                        ),
                        (
                            "rematch_of",
                            models.OneToOneField(
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="rematch",
                                to="games.game",
                            ),
                        ),
                        ("pace", models.JSONField(help_text="How fast it is played, as a pace/2 document.")),
                        (
                            "absence",
                            models.JSONField(
                                db_default=models.Value(
                                    {"excused": None, "format": "absence/1", "policy": "random"},
                                    models.JSONField(),
                                ),
                                default=games.play.models.usual_absence,
                                help_text="What happens to players who miss turns, as an absence/1 document.",
                            ),
                        ),
                        ("seed", models.CharField(max_length=64)),
                        (
                            "commitment",
                            models.CharField(blank=True, db_default="", default="", max_length=64),
                        ),
                        ("heads_from", models.PositiveIntegerField(null=True)),
                        ("paused_at", models.DateTimeField(null=True)),
                        ("paused_until", models.DateTimeField(null=True)),
                        ("turn", models.PositiveIntegerField(null=True)),
                        ("last_seq", models.PositiveIntegerField(default=0)),
                        (
                            "intervened",
                            models.BooleanField(
                                db_default=False, default=False, verbose_name="staff intervened"
                            ),
                        ),
                        ("winner", models.CharField(blank=True, max_length=40)),
                        (
                            "ending",
                            models.CharField(
                                blank=True,
                                choices=[
                                    ("voted", "Cancelled by vote"),
                                    ("conceded", "Conceded by vote"),
                                    ("staff", "Cancelled by staff"),
                                    ("deserted", "Cancelled: no players were left"),
                                    ("resigned", "Ended by resignation"),
                                ],
                                db_default="",
                                default="",
                                max_length=10,
                            ),
                        ),
                        ("created_at", models.DateTimeField()),
                        ("started_at", models.DateTimeField(null=True)),
                        ("ended_at", models.DateTimeField(null=True)),
                        (
                            "moved_at",
                            models.DateTimeField(
                                help_text="The last time that a player joined or submitted orders, or that a turn was resolved."
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["-created_at", "-pk"],
                        "indexes": [
                            models.Index(fields=["status", "-moved_at"], name="games_by_status"),
                            models.Index(
                                fields=["revision"],
                                include=("id", "status", "ending", "started_at"),
                                name="games_by_board",
                            ),
                            models.Index(
                                condition=models.Q(("status", "open")),
                                fields=["created_at"],
                                name="games_open",
                            ),
                        ],
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(("seats__gte", 1)), name="game_has_seats"
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("revision__isnull", False), ("course__isnull", False), _connector="OR"
                                ),
                                name="game_has_a_board",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("least_reliability__lte", 100)),
                                name="game_least_reliability_in_percent",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("pace__format", "pace/2"), ("pace__has_key", "format")),
                                    models.Q(("pace__format", "pace/1"), ("pace__has_key", "format")),
                                    _connector="OR",
                                ),
                                name="game_has_its_pace",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("absence__format", "absence/1"), ("absence__has_key", "format")
                                ),
                                name="game_has_its_absence",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(
                                        ("ended_at", None),
                                        ("started_at", None),
                                        ("status", "open"),
                                        ("turn", None),
                                    ),
                                    models.Q(
                                        ("ended_at", None),
                                        ("started_at__isnull", False),
                                        ("status", "running"),
                                        ("turn__isnull", False),
                                    ),
                                    models.Q(
                                        ("ended_at__isnull", False),
                                        ("started_at__isnull", False),
                                        ("status", "over"),
                                        ("turn__isnull", False),
                                    ),
                                    models.Q(("ended_at__isnull", False), ("status", "cancelled")),
                                    _connector="OR",
                                ),
                                name="game_status_fits_its_times",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("paused_at", None), ("paused_until", None)),
                                    models.Q(
                                        ("paused_at__isnull", False),
                                        ("paused_until__gt", models.F("paused_at")),
                                        ("paused_until__isnull", False),
                                    ),
                                    _connector="OR",
                                ),
                                name="game_paused_for_a_while",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("winner", ""), ("status", "over"), _connector="OR"),
                                name="game_won_only_when_over",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("ending", ""),
                                    models.Q(
                                        ("ending", "conceded"),
                                        ("status", "over"),
                                        models.Q(("winner", ""), _negated=True),
                                    ),
                                    models.Q(
                                        ("ending", "resigned"),
                                        ("started_at__isnull", False),
                                        ("status__in", ["over", "cancelled"]),
                                    ),
                                    models.Q(
                                        ("ending__in", ["voted", "staff", "deserted"]),
                                        ("started_at__isnull", False),
                                        ("status", "cancelled"),
                                    ),
                                    _connector="OR",
                                ),
                                name="game_ending_fits_its_status",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Seat",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "game",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="players",
                                to="games.game",
                            ),
                        ),
                        ("number", models.PositiveSmallIntegerField()),
                        (
                            "user",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="seats",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "computer",
                            models.CharField(
                                blank=True,
                                choices=[("rookie", "Rookie"), ("pilot", "Pilot"), ("ace", "Ace")],
                                max_length=10,
                                verbose_name="level of the computer",
                            ),
                        ),
                        (
                            "name",
                            models.CharField(blank=True, max_length=40, verbose_name="name of the computer"),
                        ),
                        (
                            "robot",
                            models.CharField(
                                blank=True,
                                db_default="",
                                default="",
                                help_text="If it differs from the name of its player.",
                                max_length=40,
                                verbose_name="name of the robot",
                            ),
                        ),
                        (
                            "offered_at",
                            models.DateTimeField(
                                blank=True,
                                help_text="When the seat became free to take over from its computer.",
                                null=True,
                            ),
                        ),
                        (
                            "shared",
                            models.BooleanField(
                                db_default=False, default=False, help_text="The seat has had several players."
                            ),
                        ),
                        ("look", models.PositiveSmallIntegerField()),
                        ("ready", models.BooleanField(default=False)),
                        ("squad", models.CharField(blank=True, max_length=10)),
                        ("model", models.CharField(blank=True, max_length=20)),
                        (
                            "bank",
                            models.DurationField(
                                help_text="The time left in the player's time bank.", null=True
                            ),
                        ),
                        (
                            "excused",
                            models.PositiveSmallIntegerField(
                                db_default=0,
                                default=0,
                                help_text="The number of turns that the player can still miss without being replaced.",
                            ),
                        ),
                        (
                            "clean_turns",
                            models.PositiveSmallIntegerField(
                                db_default=0,
                                default=0,
                                help_text="Turns in a row with orders on time. A few of these earn back one missed turn.",
                            ),
                        ),
                        (
                            "standing",
                            models.CharField(
                                blank=True,
                                choices=[
                                    ("laid", "My draft"),
                                    ("ahead", "Straight ahead"),
                                    ("down", "Power down"),
                                ],
                                db_default="",
                                default="",
                                help_text="If they differ from the player’s standing orders for all games.",
                                max_length=10,
                                verbose_name="standing orders",
                            ),
                        ),
                        ("out", models.BooleanField(default=False)),
                        ("place", models.PositiveSmallIntegerField(null=True)),
                        ("joined_at", models.DateTimeField()),
                        (
                            "seen_turn",
                            models.PositiveIntegerField(
                                help_text="The last turn that the player has watched.", null=True
                            ),
                        ),
                        (
                            "read_chat",
                            models.PositiveBigIntegerField(
                                default=0, help_text="The last chat line that the player has read."
                            ),
                        ),
                        (
                            "manner",
                            models.CharField(
                                blank=True,
                                choices=[
                                    ("at once", "At once"),
                                    ("daily", "Once a day"),
                                    ("one", "One, then none until I visit"),
                                    ("none", "Not at all"),
                                ],
                                db_default="",
                                default="",
                                help_text="If it differs from the player’s setting for all games.",
                                max_length=10,
                                verbose_name="mail about this game",
                            ),
                        ),
                        (
                            "visited_at",
                            models.DateTimeField(
                                help_text="The last time that the player looked at the game, to the minute.", null=True
                            ),
                        ),
                        (
                            "ordered_at",
                            models.DateTimeField(help_text="The last time that the player submitted orders.", null=True),
                        ),
                    ],
                    options={
                        "ordering": ["game_id", "number"],
                        "indexes": [
                            models.Index(
                                condition=models.Q(("offered_at__isnull", False)),
                                fields=["-offered_at"],
                                name="seats_offered",
                            )
                        ],
                        "constraints": [
                            models.UniqueConstraint(fields=("game", "number"), name="seat_taken_once"),
                            models.UniqueConstraint(fields=("game", "user"), name="seat_one_each"),
                            models.UniqueConstraint(fields=("game", "look"), name="seat_looks_like_no_other"),
                            models.CheckConstraint(
                                condition=models.Q(("number__gte", 1)), name="seat_counted_from_1"
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("look__range", (1, 8))), name="seat_has_a_look"
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("computer", ""), ("name", ""), ("user__isnull", False)),
                                    models.Q(
                                        ("ready", True),
                                        ("user", None),
                                        models.Q(("computer", ""), _negated=True),
                                        models.Q(("name", ""), _negated=True),
                                    ),
                                    _connector="OR",
                                ),
                                name="seat_of_a_person_or_a_computer",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="LobbyEntry",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "game",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="lobby",
                                to="games.game",
                            ),
                        ),
                        (
                            "by",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        ("kind", models.CharField(blank=True, db_default="", default="", max_length=30)),
                        (
                            "parameters",
                            models.JSONField(
                                db_default=models.Value({}, models.JSONField()),
                                default=dict,
                                help_text="An entry/1 document.",
                            ),
                        ),
                        ("at", models.DateTimeField()),
                    ],
                    options={
                        "verbose_name_plural": "lobby entries",
                        "ordering": ["game", "pk"],
                    },
                ),
                migrations.CreateModel(
                    name="Intervention",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "game",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="interventions",
                                to="games.game",
                            ),
                        ),
                        (
                            "by",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "action",
                            models.CharField(
                                choices=[
                                    ("resolve", "Ran a turn again"),
                                    ("extend", "Extended deadlines"),
                                    ("replace", "Replaced a player"),
                                    ("cancel", "Cancelled the game"),
                                ],
                                max_length=10,
                            ),
                        ),
                        ("reason", models.CharField(max_length=300)),
                        ("turn", models.PositiveIntegerField(null=True, verbose_name="turn number")),
                        ("hours", models.PositiveSmallIntegerField(null=True)),
                        (
                            "seat",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="+",
                                to="games.seat",
                            ),
                        ),
                        ("at", models.DateTimeField()),
                    ],
                    options={
                        "ordering": ["-at", "-pk"],
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(("reason", ""), _negated=True),
                                name="intervention_has_its_reason",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("action", "extend"), ("hours__isnull", False), ("seat", None)),
                                    models.Q(("action", "replace"), ("hours", None), ("seat__isnull", False)),
                                    models.Q(
                                        ("action__in", ["resolve", "cancel"]), ("hours", None), ("seat", None)
                                    ),
                                    _connector="OR",
                                ),
                                name="intervention_tells_what_was_done",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Replacement",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "game",
                            models.ForeignKey(
                                db_constraint=False,
                                db_index=False,
                                null=True,
                                on_delete=django.db.models.deletion.DO_NOTHING,
                                related_name="+",
                                to="games.game",
                            ),
                        ),
                        (
                            "seat",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="replacements",
                                to="games.seat",
                            ),
                        ),
                        ("turn", models.PositiveIntegerField(verbose_name="turn number")),
                        (
                            "was",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "became",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "reason",
                            models.CharField(
                                choices=[
                                    ("missed", "Missed too many turns"),
                                    ("voted", "Replaced by vote"),
                                    ("staff", "Replaced by staff"),
                                    ("deleted", "Account deleted"),
                                    ("resigned", "Resigned"),
                                    ("left", "Left the game"),
                                    ("taken over", "Took over the seat"),
                                    ("came back", "Came back to the seat"),
                                ],
                                max_length=10,
                            ),
                        ),
                        ("at", models.DateTimeField()),
                        ("bank", models.DurationField(null=True)),
                        ("excused", models.PositiveSmallIntegerField(null=True)),
                        ("clean_turns", models.PositiveSmallIntegerField(null=True)),
                    ],
                    options={
                        "ordering": ["pk"],
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("was", models.F("became")), _negated=True),
                                    models.Q(
                                        ("was__isnull", False), ("became__isnull", False), _connector="OR"
                                    ),
                                ),
                                name="replacement_of_one_by_another",
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Turn",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "game",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="turns",
                                to="games.game",
                            ),
                        ),
                        ("number", models.PositiveIntegerField(help_text="Turn 0 is the choice of heading.")),
                        (
                            "status",
                            models.CharField(
                                choices=[("open", "Open"), ("resolved", "Resolved")],
                                default="open",
                                max_length=10,
                            ),
                        ),
                        ("snapshot", models.JSONField(null=True)),
                        ("record", models.BinaryField(null=True)),
                        ("first_seq", models.PositiveIntegerField(null=True)),
                        ("last_seq", models.PositiveIntegerField(null=True)),
                        ("recorded", models.BigIntegerField(null=True)),
                        (
                            "head_before",
                            models.CharField(blank=True, db_default="", default="", max_length=64),
                        ),
                        ("head", models.CharField(blank=True, db_default="", default="", max_length=64)),
                        ("opened_at", models.DateTimeField()),
                        ("deadline", models.DateTimeField(null=True)),
                        ("ready_at", models.DateTimeField(null=True)),
                        ("resolved_at", models.DateTimeField(null=True)),
                        ("attempts", models.PositiveSmallIntegerField(default=0)),
                        ("interruptions", models.PositiveIntegerField(db_default=0, default=0)),
                        ("error", models.TextField(blank=True)),
                        ("offered_at", models.DateTimeField(null=True)),
                        (
                            "asks_computers",
                            models.BooleanField(
                                db_default=True,
                                default=True,
                                help_text="Whether orders from computers may still be missing.",
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["game_id", "number"],
                        "indexes": [
                            models.Index(
                                condition=models.Q(("asks_computers", True), ("status", "open")),
                                fields=["opened_at"],
                                name="turns_asking",
                            ),
                            models.Index(
                                condition=models.Q(("head_before", ""), ("status", "open")),
                                fields=["opened_at"],
                                name="turns_without_head",
                            ),
                            models.Index(
                                condition=models.Q(("deadline__isnull", False), ("status", "open")),
                                fields=["deadline"],
                                name="turns_due",
                            ),
                            models.Index(
                                condition=models.Q(("ready_at__isnull", False), ("status", "open")),
                                fields=["ready_at"],
                                name="turns_ready",
                            ),
                        ],
                        "constraints": [
                            models.UniqueConstraint(fields=("game", "number"), name="turn_unique"),
                            models.UniqueConstraint(
                                condition=models.Q(("status", "open")),
                                fields=("game",),
                                name="turn_open_one_at_a_time",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(
                                        ("record", None),
                                        ("resolved_at", None),
                                        ("status", "open"),
                                        ("snapshot__isnull", False),
                                        ("snapshot__format", "state/1"),
                                        ("snapshot__has_key", "format"),
                                    ),
                                    models.Q(
                                        ("record__isnull", False),
                                        ("resolved_at__isnull", False),
                                        ("status", "resolved"),
                                        ("snapshot__isnull", True),
                                        ("first_seq__isnull", False),
                                        ("last_seq__isnull", False),
                                        ("first_seq__gte", 1),
                                        (
                                            "last_seq__gte",
                                            django.db.models.expressions.CombinedExpression(
                                                models.F("first_seq"), "-", models.Value(1)
                                            ),
                                        ),
                                    ),
                                    _connector="OR",
                                ),
                                name="turn_tells_what_was_played",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Hand",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "game",
                            models.ForeignKey(
                                db_constraint=False,
                                db_index=False,
                                null=True,
                                on_delete=django.db.models.deletion.DO_NOTHING,
                                related_name="+",
                                to="games.game",
                            ),
                        ),
                        (
                            "turn",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="hands",
                                to="games.turn",
                            ),
                        ),
                        ("robot", models.PositiveSmallIntegerField()),
                        (
                            "seat",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="hands",
                                to="games.seat",
                            ),
                        ),
                        (
                            "chips",
                            models.JSONField(
                                help_text="The numbers of its chips, in the order dealt: a hand/1 document."
                            ),
                        ),
                        ("face_down", models.BooleanField(db_default=False, default=False)),
                        ("redealt", models.PositiveSmallIntegerField(null=True)),
                        ("aside", models.JSONField(null=True)),
                        ("deadline", models.DateTimeField(null=True)),
                        ("calendar", models.JSONField(null=True)),
                        ("thoughts", models.PositiveSmallIntegerField(db_default=0, default=0)),
                        (
                            "remind_at",
                            models.DateTimeField(
                                help_text="The time to send a reminder, unless the orders are in by then.",
                                null=True,
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["turn_id", "robot"],
                        "indexes": [
                            models.Index(
                                condition=models.Q(("deadline__isnull", False)),
                                fields=["deadline"],
                                name="hands_due",
                            ),
                            models.Index(
                                condition=models.Q(("remind_at__isnull", False)),
                                fields=["remind_at"],
                                name="hands_to_remind",
                            ),
                        ],
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("turn", "redealt"), name="hand_redealt_one_by_one"
                            ),
                            models.UniqueConstraint(fields=("turn", "robot"), name="hand_one_each"),
                            models.UniqueConstraint(fields=("turn", "seat"), name="hand_one_each_seat"),
                            models.CheckConstraint(
                                condition=models.Q(("robot__gte", 1)), name="hand_counted_from_1"
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("redealt", None), ("redealt__gte", 1), _connector="OR"),
                                name="hand_redealt_counted_from_1",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("chips__format", "hand/1"), ("chips__has_key", "format")),
                                name="hand_has_its_format",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("aside", None),
                                    models.Q(("aside__format", "aside/1"), ("aside__has_key", "format")),
                                    _connector="OR",
                                ),
                                name="hand_aside_has_its_format",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("calendar", None),
                                    models.Q(
                                        ("calendar__format", "calendar/1"), ("calendar__has_key", "format")
                                    ),
                                    _connector="OR",
                                ),
                                name="hand_calendar_has_its_format",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Program",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "game",
                            models.ForeignKey(
                                db_constraint=False,
                                db_index=False,
                                null=True,
                                on_delete=django.db.models.deletion.DO_NOTHING,
                                related_name="+",
                                to="games.game",
                            ),
                        ),
                        (
                            "hand",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="program",
                                to="games.hand",
                            ),
                        ),
                        ("orders", models.JSONField(help_text="An orders/1 document.")),
                        (
                            "by",
                            models.CharField(
                                choices=[
                                    ("player", "Player"),
                                    ("deadline", "Deadline"),
                                    ("standing", "Standing orders, because time ran out"),
                                    ("stand-in", "A computer for one turn, because time ran out"),
                                    ("computer", "Computer"),
                                    ("chance", "Random orders, because the computer found none"),
                                ],
                                max_length=10,
                            ),
                        ),
                        ("remark", models.TextField(blank=True)),
                        ("submitted_at", models.DateTimeField()),
                    ],
                    options={
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("orders__format", "orders/1"), ("orders__has_key", "format")
                                ),
                                name="program_has_its_format",
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Draft",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "game",
                            models.ForeignKey(
                                db_constraint=False,
                                db_index=False,
                                null=True,
                                on_delete=django.db.models.deletion.DO_NOTHING,
                                related_name="+",
                                to="games.game",
                            ),
                        ),
                        (
                            "hand",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="draft",
                                to="games.hand",
                            ),
                        ),
                        ("orders", models.JSONField(help_text="An orders/1 document.")),
                        ("saved_at", models.DateTimeField()),
                    ],
                    options={
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("orders__format", "orders/1"), ("orders__has_key", "format")
                                ),
                                name="draft_has_its_format",
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="PendingMonth",
                    fields=[
                        (
                            "game",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.CASCADE,
                                primary_key=True,
                                related_name="+",
                                serialize=False,
                                to="games.game",
                            ),
                        ),
                    ],
                ),
                migrations.CreateModel(
                    name="PlayerMonth",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "forward",
                            models.PositiveIntegerField(default=0, verbose_name="cells moved forward"),
                        ),
                        (
                            "backward",
                            models.PositiveIntegerField(default=0, verbose_name="cells moved backward"),
                        ),
                        ("left_turns", models.PositiveIntegerField(default=0, verbose_name="left turns")),
                        ("right_turns", models.PositiveIntegerField(default=0, verbose_name="right turns")),
                        ("half_turns", models.PositiveIntegerField(default=0, verbose_name="half turns")),
                        ("damage_taken", models.PositiveIntegerField(default=0, verbose_name="damage taken")),
                        ("deaths", models.PositiveIntegerField(default=0, verbose_name="times destroyed")),
                        ("damage_dealt", models.PositiveIntegerField(default=0, verbose_name="damage dealt")),
                        (
                            "destroyed",
                            models.PositiveIntegerField(default=0, verbose_name="robots destroyed"),
                        ),
                        ("repaired", models.PositiveIntegerField(default=0, verbose_name="damage repaired")),
                        ("power_downs", models.PositiveIntegerField(default=0, verbose_name="power downs")),
                        ("pushed", models.PositiveIntegerField(default=0, verbose_name="robots pushed")),
                        (
                            "user",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="months",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        ("month", models.DateField()),
                        ("games", models.PositiveIntegerField(default=0)),
                        ("won", models.PositiveIntegerField(default=0, verbose_name="games won")),
                        ("turns", models.PositiveIntegerField(default=0, verbose_name="turns played")),
                        (
                            "checkpoints",
                            models.PositiveIntegerField(default=0, verbose_name="checkpoints reached"),
                        ),
                        (
                            "in_time",
                            models.PositiveIntegerField(
                                default=0, verbose_name="games without a missed turn"
                            ),
                        ),
                        ("tested", models.PositiveIntegerField(default=0, verbose_name="prototypes tested")),
                        ("gained", models.IntegerField(default=0, verbose_name="rating gained")),
                    ],
                    options={
                        "indexes": [
                            models.Index(fields=["month", "games"], name="months_by_games"),
                            models.Index(
                                models.F("month"),
                                models.OrderBy(
                                    django.db.models.expressions.CombinedExpression(
                                        django.db.models.functions.comparison.Cast(
                                            models.F("won"), models.FloatField()
                                        ),
                                        "/",
                                        models.F("games"),
                                    ),
                                    descending=True,
                                ),
                                models.OrderBy(models.F("games"), descending=True),
                                models.F("user"),
                                condition=models.Q(("games__gte", 10)),
                                name="months_champion",
                            ),
                            models.Index(
                                models.F("month"),
                                models.OrderBy(
                                    django.db.models.functions.comparison.Cast(
                                        models.F("gained"), models.FloatField()
                                    ),
                                    descending=True,
                                ),
                                models.OrderBy(models.F("games"), descending=True),
                                models.F("user"),
                                condition=models.Q(("games__gte", 10)),
                                name="months_rising_star",
                            ),
                            models.Index(
                                models.F("month"),
                                models.OrderBy(
                                    django.db.models.expressions.CombinedExpression(
                                        django.db.models.functions.comparison.Cast(
                                            models.F("checkpoints"), models.FloatField()
                                        ),
                                        "/",
                                        models.F("games"),
                                    ),
                                    descending=True,
                                ),
                                models.OrderBy(models.F("games"), descending=True),
                                models.F("user"),
                                condition=models.Q(("games__gte", 10)),
                                name="months_navigator",
                            ),
                            models.Index(
                                models.F("month"),
                                models.OrderBy(
                                    django.db.models.expressions.CombinedExpression(
                                        django.db.models.functions.comparison.Cast(
                                            models.F("damage_dealt"), models.FloatField()
                                        ),
                                        "/",
                                        models.F("games"),
                                    ),
                                    descending=True,
                                ),
                                models.OrderBy(models.F("games"), descending=True),
                                models.F("user"),
                                condition=models.Q(("games__gte", 10)),
                                name="months_ace_gunner",
                            ),
                            models.Index(
                                models.F("month"),
                                models.OrderBy(
                                    django.db.models.expressions.CombinedExpression(
                                        django.db.models.functions.comparison.Cast(
                                            models.F("destroyed"), models.FloatField()
                                        ),
                                        "/",
                                        models.F("games"),
                                    ),
                                    descending=True,
                                ),
                                models.OrderBy(models.F("games"), descending=True),
                                models.F("user"),
                                condition=models.Q(("games__gte", 10)),
                                name="months_demolisher",
                            ),
                            models.Index(
                                models.F("month"),
                                models.OrderBy(
                                    django.db.models.expressions.CombinedExpression(
                                        django.db.models.functions.comparison.Cast(
                                            models.F("pushed"), models.FloatField()
                                        ),
                                        "/",
                                        models.F("games"),
                                    ),
                                    descending=True,
                                ),
                                models.OrderBy(models.F("games"), descending=True),
                                models.F("user"),
                                condition=models.Q(("games__gte", 10)),
                                name="months_bumper",
                            ),
                            models.Index(
                                models.F("month"),
                                models.OrderBy(
                                    django.db.models.expressions.CombinedExpression(
                                        django.db.models.functions.comparison.Cast(
                                            models.F("deaths"), models.FloatField()
                                        ),
                                        "/",
                                        models.F("games"),
                                    )
                                ),
                                models.OrderBy(models.F("games"), descending=True),
                                models.F("user"),
                                condition=models.Q(("games__gte", 10)),
                                name="months_survivor",
                            ),
                            models.Index(
                                models.F("month"),
                                models.OrderBy(
                                    django.db.models.expressions.CombinedExpression(
                                        django.db.models.functions.comparison.Cast(
                                            models.F("repaired"), models.FloatField()
                                        ),
                                        "/",
                                        models.F("games"),
                                    ),
                                    descending=True,
                                ),
                                models.OrderBy(models.F("games"), descending=True),
                                models.F("user"),
                                condition=models.Q(("games__gte", 10)),
                                name="months_hull_welder",
                            ),
                            models.Index(
                                models.F("month"),
                                models.OrderBy(
                                    django.db.models.expressions.CombinedExpression(
                                        django.db.models.functions.comparison.Cast(
                                            models.F("damage_taken"), models.FloatField()
                                        ),
                                        "/",
                                        models.F("games"),
                                    ),
                                    descending=True,
                                ),
                                models.OrderBy(models.F("games"), descending=True),
                                models.F("user"),
                                condition=models.Q(("games__gte", 10)),
                                name="months_iron_skin",
                            ),
                            models.Index(
                                models.F("month"),
                                models.OrderBy(
                                    django.db.models.expressions.CombinedExpression(
                                        django.db.models.functions.comparison.Cast(
                                            models.F("forward"), models.FloatField()
                                        ),
                                        "/",
                                        models.F("games"),
                                    ),
                                    descending=True,
                                ),
                                models.OrderBy(models.F("games"), descending=True),
                                models.F("user"),
                                condition=models.Q(("games__gte", 10)),
                                name="months_sprinter",
                            ),
                            models.Index(
                                models.F("month"),
                                models.OrderBy(
                                    django.db.models.expressions.CombinedExpression(
                                        django.db.models.functions.comparison.Cast(
                                            models.F("backward"), models.FloatField()
                                        ),
                                        "/",
                                        models.F("games"),
                                    ),
                                    descending=True,
                                ),
                                models.OrderBy(models.F("games"), descending=True),
                                models.F("user"),
                                condition=models.Q(("games__gte", 10)),
                                name="months_reverse_gear",
                            ),
                            models.Index(
                                models.F("month"),
                                models.OrderBy(
                                    django.db.models.expressions.CombinedExpression(
                                        django.db.models.functions.comparison.Cast(
                                            django.db.models.expressions.CombinedExpression(
                                                django.db.models.expressions.CombinedExpression(
                                                    models.F("left_turns"), "+", models.F("right_turns")
                                                ),
                                                "+",
                                                models.F("half_turns"),
                                            ),
                                            models.FloatField(),
                                        ),
                                        "/",
                                        models.F("games"),
                                    ),
                                    descending=True,
                                ),
                                models.OrderBy(models.F("games"), descending=True),
                                models.F("user"),
                                condition=models.Q(("games__gte", 10)),
                                name="months_spinning_top",
                            ),
                            models.Index(
                                models.F("month"),
                                models.OrderBy(
                                    django.db.models.functions.comparison.Cast(
                                        models.F("turns"), models.FloatField()
                                    ),
                                    descending=True,
                                ),
                                models.OrderBy(models.F("games"), descending=True),
                                models.F("user"),
                                condition=models.Q(("games__gte", 10)),
                                name="months_marathon",
                            ),
                            models.Index(
                                models.F("month"),
                                models.OrderBy(
                                    django.db.models.functions.comparison.Cast(
                                        models.F("in_time"), models.FloatField()
                                    ),
                                    descending=True,
                                ),
                                models.OrderBy(models.F("games"), descending=True),
                                models.F("user"),
                                condition=models.Q(("games__gte", 10)),
                                name="months_good_sport",
                            ),
                            models.Index(
                                models.F("month"),
                                models.OrderBy(
                                    django.db.models.functions.comparison.Cast(
                                        models.F("tested"), models.FloatField()
                                    ),
                                    descending=True,
                                ),
                                models.OrderBy(models.F("games"), descending=True),
                                models.F("user"),
                                condition=models.Q(("tested__gt", 0)),
                                name="months_test_pilot",
                            ),
                        ],
                        "constraints": [
                            models.UniqueConstraint(fields=("user", "month"), name="player_month_once"),
                            models.CheckConstraint(
                                condition=models.Q(("month__day", 1)), name="player_month_begins_on_the_first"
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="MonthClose",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("month", models.DateField(unique=True)),
                        ("closed_at", models.DateTimeField()),
                    ],
                    options={
                        "ordering": ["-month"],
                    },
                ),
                migrations.CreateModel(
                    name="Award",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "close",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="awards",
                                to="games.monthclose",
                            ),
                        ),
                        ("key", models.SlugField(max_length=40)),
                        (
                            "user",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="awards",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        ("place", models.PositiveSmallIntegerField()),
                        ("value", models.FloatField()),
                    ],
                    options={
                        "ordering": ["close", "key", "place", "pk"],
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("close", "key", "user"), name="award_once_a_month"
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("place__range", (1, 3))), name="award_for_the_best"
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="ChatLine",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "game",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="chat",
                                to="games.game",
                            ),
                        ),
                        (
                            "user",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        ("name", models.CharField(max_length=40, verbose_name="Robo Name")),
                        ("text", models.CharField(max_length=500)),
                        ("at", models.DateTimeField()),
                        ("hidden_at", models.DateTimeField(null=True)),
                        ("rude", models.BooleanField(default=False)),
                    ],
                    options={
                        "ordering": ["pk"],
                        "indexes": [models.Index(fields=["game", "id"], name="chat_of_a_game")],
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(("text", ""), _negated=True),
                                name="chat_line_says_something",
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Outage",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("began_at", models.DateTimeField(unique=True)),
                        ("ended_at", models.DateTimeField()),
                        ("settled_at", models.DateTimeField(null=True)),
                    ],
                    options={
                        "ordering": ["-began_at"],
                        "indexes": [models.Index(fields=["ended_at"], name="outages_by_end")],
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(("ended_at__gt", models.F("began_at"))),
                                name="outage_lasts",
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Heartbeat",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("at", models.DateTimeField()),
                    ],
                    options={
                        "constraints": [
                            models.CheckConstraint(condition=models.Q(("pk", 1)), name="heartbeat_alone")
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Boot",
                    fields=[
                        ("id", models.UUIDField(primary_key=True, serialize=False)),
                        ("booted_at", models.DateTimeField()),
                        ("uptime", models.DurationField()),
                    ],
                ),
                migrations.CreateModel(
                    name="Rest",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "user",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="rest",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "days_off",
                            django.contrib.postgres.fields.ArrayField(
                                base_field=models.PositiveSmallIntegerField(),
                                blank=True,
                                default=list,
                                help_text="Days of the week, from 0 for Monday to 6.",
                                size=3,
                            ),
                        ),
                        ("night_from", models.TimeField(blank=True, null=True)),
                        ("night_until", models.TimeField(blank=True, null=True)),
                        (
                            "takes_vacation",
                            models.BooleanField(
                                db_default=False,
                                default=False,
                                help_text="Takes unplanned days of vacation.",
                            ),
                        ),
                    ],
                    options={
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("days_off__contained_by", [0, 1, 2, 3, 4, 5, 6]),
                                    ("days_off__len__lte", 3),
                                ),
                                name="rest_on_days_of_the_week",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("night_from", None), ("night_until", None)),
                                    models.Q(
                                        ("night_from__isnull", False),
                                        ("night_until__isnull", False),
                                        models.Q(("night_from", models.F("night_until")), _negated=True),
                                    ),
                                    _connector="OR",
                                ),
                                name="rest_of_a_night_that_begins_and_ends",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Vacation",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "user",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="vacations",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        ("first", models.DateField()),
                        ("last", models.DateField()),
                        ("planned_at", models.DateTimeField()),
                    ],
                    options={
                        "ordering": ["first", "pk"],
                        "constraints": [
                            models.UniqueConstraint(fields=("user", "first"), name="vacation_begins_once"),
                            models.CheckConstraint(
                                condition=models.Q(("last__gte", models.F("first"))), name="vacation_lasts"
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="VacationDay",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "user",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="vacation_days",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        ("began_at", models.DateTimeField()),
                        ("planned", models.BooleanField()),
                    ],
                    options={
                        "ordering": ["began_at", "pk"],
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("user", "began_at"), name="vacation_day_spent_once"
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Club",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("slug", models.SlugField(max_length=40, unique=True)),
                        ("name", models.CharField(max_length=40)),
                        ("text", models.TextField(blank=True, max_length=2000)),
                        (
                            "entry",
                            models.CharField(
                                choices=[
                                    ("open", "Everyone"),
                                    ("request", "On request"),
                                    ("invited", "Invited players"),
                                ],
                                default="open",
                                max_length=10,
                            ),
                        ),
                        ("created_at", models.DateTimeField()),
                    ],
                    options={
                        "ordering": ["name"],
                        "indexes": [
                            django.contrib.postgres.indexes.GinIndex(
                                django.contrib.postgres.search.SearchVector("name", config="simple"),
                                name="clubs_by_words",
                            )
                        ],
                        "constraints": [
                            models.UniqueConstraint(
                                django.db.models.functions.text.Lower("name"), name="club_name_once"
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Membership",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "club",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="memberships",
                                to="games.club",
                            ),
                        ),
                        (
                            "user",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="memberships",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "role",
                            models.CharField(
                                choices=[
                                    ("captain", "Captain"),
                                    ("officer", "Officer"),
                                    ("member", "Member"),
                                ],
                                default="member",
                                max_length=10,
                            ),
                        ),
                        ("since", models.DateTimeField()),
                    ],
                    options={
                        "ordering": ["since", "pk"],
                        "constraints": [
                            models.UniqueConstraint(fields=("club", "user"), name="membership_once"),
                            models.UniqueConstraint(
                                condition=models.Q(("role", "captain")),
                                fields=("club",),
                                name="club_has_one_captain",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Candidate",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "club",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="candidates",
                                to="games.club",
                            ),
                        ),
                        (
                            "user",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="candidacies",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        ("invited", models.BooleanField()),
                        ("since", models.DateTimeField()),
                    ],
                    options={
                        "ordering": ["since", "pk"],
                        "constraints": [
                            models.UniqueConstraint(fields=("club", "user"), name="candidate_once")
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="ClubGame",
                    fields=[
                        (
                            "game",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.CASCADE,
                                primary_key=True,
                                related_name="club_game",
                                serialize=False,
                                to="games.game",
                            ),
                        ),
                        (
                            "club",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="club_games",
                                to="games.club",
                            ),
                        ),
                    ],
                ),
                migrations.CreateModel(
                    name="Appeal",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "sanction",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="appeal",
                                to="games.sanction",
                            ),
                        ),
                        ("text", models.TextField(max_length=2000)),
                        ("at", models.DateTimeField()),
                        (
                            "answered_by",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        ("answered_at", models.DateTimeField(null=True)),
                        (
                            "outcome",
                            models.CharField(
                                blank=True,
                                choices=[("upheld", "Upheld"), ("overturned", "Overturned")],
                                max_length=10,
                            ),
                        ),
                        ("answer", models.TextField(blank=True, max_length=1000)),
                    ],
                    options={
                        "ordering": ["at", "pk"],
                        "indexes": [
                            models.Index(
                                condition=models.Q(("answered_at", None)),
                                fields=["at"],
                                name="appeals_to_answer",
                            )
                        ],
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(("text", ""), _negated=True), name="appeal_says_something"
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("answer", ""), ("answered_at", None), ("outcome", "")),
                                    models.Q(
                                        ("answered_at__isnull", False),
                                        ("outcome__in", ["upheld", "overturned"]),
                                        models.Q(("answer", ""), _negated=True),
                                    ),
                                    _connector="OR",
                                ),
                                name="appeal_open_or_answered",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Sanction",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "case",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="sanctions",
                                to="games.case",
                            ),
                        ),
                        (
                            "user",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="sanctions",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "kind",
                            models.CharField(
                                choices=[
                                    ("hide", "Chat line hidden"),
                                    ("warning", "Warning"),
                                    ("mute", "Muted"),
                                    ("bar", "Barred from tournaments"),
                                    ("suspension", "Suspended"),
                                    ("rename", "Renamed"),
                                    ("club", "Club renamed"),
                                ],
                                max_length=10,
                            ),
                        ),
                        (
                            "rule",
                            models.CharField(
                                choices=[
                                    ("polite", "Be polite"),
                                    ("own-work", "Publish your own work"),
                                    ("finish", "Finish what you start"),
                                    ("own-seat", "Play your own seat"),
                                    ("programs", "Identify bots as bots"),
                                    ("privacy", "Respect privacy"),
                                    ("weaknesses", "Report security flaws"),
                                ],
                                max_length=10,
                            ),
                        ),
                        ("facts", models.TextField(max_length=1000)),
                        (
                            "by",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "confirmed_by",
                            models.ForeignKey(
                                blank=True,
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        ("at", models.DateTimeField()),
                        ("days", models.PositiveSmallIntegerField(null=True)),
                        ("ends_at", models.DateTimeField(null=True)),
                        ("lifted_at", models.DateTimeField(null=True)),
                        (
                            "line",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="+",
                                to="games.chatline",
                            ),
                        ),
                        (
                            "club",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="+",
                                to="games.club",
                            ),
                        ),
                        ("before", models.CharField(blank=True, max_length=40)),
                        ("text_before", models.TextField(blank=True)),
                    ],
                    options={
                        "ordering": ["-at", "-pk"],
                        "indexes": [
                            models.Index(
                                condition=models.Q(("ends_at__isnull", False), ("lifted_at", None)),
                                fields=["user", "ends_at"],
                                name="sanctions_that_end",
                            )
                        ],
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(("facts", ""), _negated=True),
                                name="sanction_has_its_facts",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(
                                        ("days__isnull", False),
                                        ("ends_at__isnull", False),
                                        ("kind__in", ["mute", "bar", "suspension"]),
                                    ),
                                    models.Q(
                                        ("days", None),
                                        ("ends_at", None),
                                        ("kind__in", ["hide", "warning", "rename", "club"]),
                                    ),
                                    _connector="OR",
                                ),
                                name="sanction_lasts_if_of_such_a_kind",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("confirmed_by", None),
                                    models.Q(("confirmed_by", models.F("by")), _negated=True),
                                    _connector="OR",
                                ),
                                name="sanction_confirmed_by_another",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Case",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "person",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="cases",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "status",
                            models.CharField(
                                choices=[
                                    ("open", "Open"),
                                    ("taken", "Taken"),
                                    ("decided", "Decided"),
                                    ("appealed", "Appealed"),
                                    ("upheld", "Upheld"),
                                    ("overturned", "Overturned"),
                                ],
                                default="open",
                                max_length=10,
                            ),
                        ),
                        ("opened_at", models.DateTimeField()),
                        (
                            "taken_by",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        ("taken_until", models.DateTimeField(null=True)),
                        ("decided_at", models.DateTimeField(null=True)),
                        ("dismissed", models.BooleanField(default=False)),
                    ],
                    options={
                        "ordering": ["-opened_at", "-pk"],
                        "permissions": [
                            ("hide_and_warn", "Can hide chat lines and warn players"),
                            ("bar_players", "Can bar players from tournaments, ladders and seasons"),
                            ("moderate_players", "Can mute, rename and suspend players, and rename clubs"),
                        ],
                        "indexes": [
                            models.Index(
                                condition=models.Q(("status__in", ["open", "taken"])),
                                fields=["opened_at"],
                                name="cases_to_decide",
                            ),
                            models.Index(
                                condition=models.Q(("decided_at__isnull", False)),
                                fields=["decided_at"],
                                name="cases_decided",
                            ),
                        ],
                        "constraints": [
                            models.UniqueConstraint(
                                condition=models.Q(("decided_at", None)),
                                fields=("person",),
                                name="case_open_once",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("decided_at", None), ("status__in", ["open", "taken"])),
                                    models.Q(
                                        ("decided_at__isnull", False),
                                        ("status__in", ["decided", "appealed", "upheld", "overturned"]),
                                    ),
                                    _connector="OR",
                                ),
                                name="case_open_or_decided",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("status", "taken"), _negated=True),
                                    ("taken_until__isnull", False),
                                    _connector="OR",
                                ),
                                name="case_taken_for_a_while",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="PlayerReport",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "case",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="reports",
                                to="games.case",
                            ),
                        ),
                        (
                            "reporter",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="player_reports",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "about",
                            models.CharField(
                                choices=[
                                    ("chat", "Chat line"),
                                    ("name", "Robo Name"),
                                    ("club", "Club"),
                                    ("behaviour", "Behaviour"),
                                ],
                                max_length=10,
                            ),
                        ),
                        (
                            "rule",
                            models.CharField(
                                choices=[
                                    ("polite", "Be polite"),
                                    ("own-work", "Publish your own work"),
                                    ("finish", "Finish what you start"),
                                    ("own-seat", "Play your own seat"),
                                    ("programs", "Identify bots as bots"),
                                    ("privacy", "Respect privacy"),
                                    ("weaknesses", "Report security flaws"),
                                ],
                                max_length=10,
                            ),
                        ),
                        ("text", models.TextField(blank=True, max_length=1000)),
                        (
                            "line",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="+",
                                to="games.chatline",
                            ),
                        ),
                        (
                            "club",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="+",
                                to="games.club",
                            ),
                        ),
                        (
                            "game",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="+",
                                to="games.game",
                            ),
                        ),
                        ("at", models.DateTimeField()),
                    ],
                    options={
                        "ordering": ["-at", "-pk"],
                        "indexes": [
                            models.Index(fields=["reporter", "-at"], name="player_reports_of_a_person")
                        ],
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("reporter", "case", "about", "line", "club", "game"),
                                name="player_report_once",
                                nulls_distinct=False,
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="ConductEntry",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("at", models.DateTimeField()),
                        (
                            "deed",
                            models.CharField(
                                choices=[
                                    ("opened", "Case opened"),
                                    ("taken", "Case taken"),
                                    ("released", "Case released"),
                                    ("dismissed", "Reports dismissed"),
                                    ("sanctioned", "Sanction"),
                                    ("confirmed", "Suspension confirmed"),
                                    ("lifted", "Sanction lifted"),
                                    ("appealed", "Appeal received"),
                                    ("upheld", "Appeal refused"),
                                    ("overturned", "Sanction overturned"),
                                ],
                                max_length=10,
                            ),
                        ),
                        (
                            "person",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "by",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        ("case", models.PositiveBigIntegerField()),
                        ("sanction", models.PositiveBigIntegerField(null=True)),
                        ("kind", models.CharField(blank=True, max_length=10)),
                    ],
                    options={
                        "verbose_name": "conduct log entry",
                        "verbose_name_plural": "conduct log",
                        "ordering": ["-pk"],
                        "indexes": [models.Index(fields=["person", "-id"], name="conduct_of_a_person")],
                    },
                ),
                migrations.CreateModel(
                    name="Renaming",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "user",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        ("before", models.CharField(max_length=40)),
                        ("at", models.DateTimeField()),
                    ],
                    options={
                        "ordering": ["pk"],
                    },
                ),
                migrations.CreateModel(
                    name="Follow",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "user",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="follows",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "followed",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="followers",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        ("since", models.DateTimeField()),
                    ],
                    options={
                        "ordering": ["user", "-since", "-pk"],
                        "constraints": [
                            models.UniqueConstraint(fields=("user", "followed"), name="follow_once"),
                            models.CheckConstraint(
                                condition=models.Q(("user", models.F("followed")), _negated=True),
                                name="follow_of_another",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Block",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "user",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="blocks",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "blocked",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        ("since", models.DateTimeField()),
                    ],
                    options={
                        "ordering": ["user", "-since", "-pk"],
                        "constraints": [
                            models.UniqueConstraint(fields=("user", "blocked"), name="block_once"),
                            models.CheckConstraint(
                                condition=models.Q(("user", models.F("blocked")), _negated=True),
                                name="block_of_another",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Housemate",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "user",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="housemates",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "person",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        ("since", models.DateTimeField()),
                    ],
                    options={
                        "ordering": ["user", "-since", "-pk"],
                        "constraints": [
                            models.UniqueConstraint(fields=("user", "person"), name="housemate_once"),
                            models.CheckConstraint(
                                condition=models.Q(("user", models.F("person")), _negated=True),
                                name="housemate_of_another",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="PlayerNote",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "user",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="player_notes",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "about",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        ("text", models.CharField(max_length=1000)),
                        ("changed_at", models.DateTimeField()),
                    ],
                    options={
                        "ordering": ["user", "-changed_at", "-pk"],
                        "constraints": [
                            models.UniqueConstraint(fields=("user", "about"), name="player_note_once"),
                            models.CheckConstraint(
                                condition=models.Q(("user", models.F("about")), _negated=True),
                                name="player_note_of_another",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("text", ""), _negated=True),
                                name="player_note_says_something",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Moderation",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "starship",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="moderations",
                                to="games.starship",
                            ),
                        ),
                        (
                            "review",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="moderations",
                                to="games.review",
                            ),
                        ),
                        (
                            "draft",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="moderations",
                                to="games.starshipdraft",
                            ),
                        ),
                        (
                            "action",
                            models.CharField(
                                choices=[
                                    ("hide", "Review hidden"),
                                    ("show", "Review shown again"),
                                    ("release", "Review released"),
                                    ("take-down", "Ship taken down"),
                                    ("restore", "Ship restored"),
                                    ("dismiss", "Reports dismissed"),
                                ],
                                max_length=10,
                            ),
                        ),
                        ("reason", models.CharField(max_length=500)),
                        (
                            "by",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        ("at", models.DateTimeField()),
                    ],
                    options={
                        "ordering": ["-at", "-pk"],
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(("reason", ""), _negated=True),
                                name="moderation_has_a_reason",
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="StarshipDraft",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("name", models.CharField(blank=True, max_length=80)),
                        ("ruleset", models.CharField(blank=True, max_length=40)),
                        ("players", models.PositiveSmallIntegerField(default=4)),
                        (
                            "document",
                            models.JSONField(help_text="A starship/1 document, whose cells may contain errors."),
                        ),
                        ("width", models.PositiveSmallIntegerField()),
                        ("height", models.PositiveSmallIntegerField()),
                        ("saved_at", models.DateTimeField()),
                        (
                            "user",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="starship_drafts",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        ("version", models.PositiveIntegerField(default=1)),
                        ("created_at", models.DateTimeField()),
                        (
                            "parent_revision",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="+",
                                to="games.starshiprevision",
                            ),
                        ),
                        (
                            "parent_draft",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="+",
                                to="games.starshipdraft",
                            ),
                        ),
                        ("parent_version", models.PositiveIntegerField(null=True)),
                        (
                            "parent_name",
                            models.CharField(blank=True, db_default="", default="", max_length=80),
                        ),
                        (
                            "link_token",
                            models.CharField(blank=True, db_default="", default="", max_length=64),
                        ),
                        ("taken_down_at", models.DateTimeField(null=True)),
                    ],
                    options={
                        "ordering": ["-saved_at", "-pk"],
                        "constraints": [
                            models.UniqueConstraint(
                                condition=models.Q(("link_token", ""), _negated=True),
                                fields=("link_token",),
                                name="starship_draft_link_unique",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("taken_down_at", None), ("link_token", ""), _connector="OR"
                                ),
                                name="starship_draft_taken_down_has_no_link",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("document__format", "starship/1"), ("document__has_key", "format")
                                ),
                                name="starship_draft_has_its_format",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("height__range", (1, 100)), ("width__range", (1, 100))),
                                name="starship_draft_has_a_size",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("players__range", (1, 8))),
                                name="starship_draft_has_players",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("version__gte", 1)), name="starship_draft_counted_from_1"
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("parent_revision", None), ("parent_draft", None), _connector="OR"
                                ),
                                name="starship_draft_has_one_parent",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="DraftVersion",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("name", models.CharField(blank=True, max_length=80)),
                        ("ruleset", models.CharField(blank=True, max_length=40)),
                        ("players", models.PositiveSmallIntegerField(default=4)),
                        (
                            "document",
                            models.JSONField(help_text="A starship/1 document, whose cells may contain errors."),
                        ),
                        ("width", models.PositiveSmallIntegerField()),
                        ("height", models.PositiveSmallIntegerField()),
                        ("saved_at", models.DateTimeField()),
                        (
                            "draft",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="versions",
                                to="games.starshipdraft",
                            ),
                        ),
                        ("number", models.PositiveIntegerField()),
                    ],
                    options={
                        "ordering": ["draft", "-number"],
                        "constraints": [
                            models.UniqueConstraint(fields=("draft", "number"), name="draft_version_unique"),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("document__format", "starship/1"), ("document__has_key", "format")
                                ),
                                name="draft_version_has_its_format",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("height__range", (1, 100)), ("width__range", (1, 100))),
                                name="draft_version_has_a_size",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("players__range", (1, 8))),
                                name="draft_version_has_players",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("number__gte", 1)), name="draft_version_counted_from_1"
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="DraftFlight",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "draft",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="flights",
                                to="games.starshipdraft",
                            ),
                        ),
                        (
                            "game",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="draft_flight",
                                to="games.game",
                            ),
                        ),
                        ("version", models.PositiveIntegerField()),
                    ],
                    options={
                        "ordering": ["-pk"],
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(("version__gte", 1)), name="draft_flight_of_a_version"
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="TunnelRun",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "draft",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="tunnel_runs",
                                to="games.starshipdraft",
                            ),
                        ),
                        (
                            "asked_by",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="tunnel_runs",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        ("version", models.PositiveIntegerField()),
                        ("document", models.JSONField()),
                        ("ruleset", models.CharField(max_length=40)),
                        ("edition", models.PositiveSmallIntegerField()),
                        ("players", models.PositiveSmallIntegerField()),
                        ("flights", models.PositiveSmallIntegerField()),
                        ("seed", models.CharField(max_length=32)),
                        (
                            "status",
                            models.CharField(
                                choices=[
                                    ("waiting", "Waiting"),
                                    ("flying", "Flying"),
                                    ("done", "Done"),
                                    ("cancelled", "Cancelled"),
                                    ("failed", "Failed"),
                                ],
                                default="waiting",
                                max_length=9,
                            ),
                        ),
                        ("flown", models.PositiveSmallIntegerField(default=0)),
                        ("report", models.JSONField(null=True)),
                        ("sentences", models.JSONField(null=True)),
                        ("attempts", models.PositiveSmallIntegerField(default=0)),
                        ("failure", models.CharField(blank=True, max_length=200)),
                        (
                            "fix_of",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="fixes",
                                to="games.tunnelrun",
                            ),
                        ),
                        ("fix", models.JSONField(null=True)),
                        ("wins", models.JSONField(null=True)),
                        ("created_at", models.DateTimeField()),
                        ("finished_at", models.DateTimeField(null=True)),
                        ("offered_at", models.DateTimeField(null=True)),
                    ],
                    options={
                        "ordering": ["-pk"],
                        "indexes": [
                            models.Index(
                                condition=models.Q(("status__in", ["waiting", "flying"])),
                                fields=["created_at"],
                                name="tunnel_runs_under_way",
                            )
                        ],
                        "constraints": [
                            models.UniqueConstraint(
                                condition=models.Q(
                                    ("fix_of__isnull", True), ("status__in", ["waiting", "flying"])
                                ),
                                fields=("asked_by",),
                                name="tunnel_run_one_under_way",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("fix__isnull", True), ("fix_of__isnull", True)),
                                    models.Q(
                                        ("fix__isnull", False),
                                        ("fix_of__isnull", False),
                                        ("fix__format", "fix/1"),
                                        ("fix__has_key", "format"),
                                    ),
                                    _connector="OR",
                                ),
                                name="tunnel_run_tries_a_fix",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("wins__isnull", True),
                                    models.Q(("wins__format", "wins/1"), ("wins__has_key", "format")),
                                    _connector="OR",
                                ),
                                name="tunnel_run_wins_have_their_format",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("document__format", "starship/1"), ("document__has_key", "format")
                                ),
                                name="tunnel_run_has_its_format",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("report__isnull", True),
                                    models.Q(("report__format", "tunnel/1"), ("report__has_key", "format")),
                                    _connector="OR",
                                ),
                                name="tunnel_run_report_has_its_format",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("sentences__isnull", True),
                                    models.Q(
                                        ("sentences__format", "sentences/1"), ("sentences__has_key", "format")
                                    ),
                                    _connector="OR",
                                ),
                                name="tunnel_run_sentences_have_their_format",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("report__isnull", True), ("sentences__isnull", True)),
                                    models.Q(("report__isnull", False), ("sentences__isnull", False)),
                                    _connector="OR",
                                ),
                                name="tunnel_run_report_has_sentences",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("version__gte", 1)), name="tunnel_run_counted_from_1"
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("players__range", (2, 8))), name="tunnel_run_has_players"
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("flights__range", (1, 1000)), ("flown__lte", models.F("flights"))
                                ),
                                name="tunnel_run_has_flights",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(
                                        ("finished_at__isnull", True), ("status__in", ["waiting", "flying"])
                                    ),
                                    models.Q(
                                        ("finished_at__isnull", False),
                                        ("status__in", ["done", "cancelled", "failed"]),
                                    ),
                                    _connector="OR",
                                ),
                                name="tunnel_run_under_way_or_finished",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("status", "done"), _negated=True),
                                    ("report__isnull", False),
                                    _connector="OR",
                                ),
                                name="tunnel_run_done_has_a_report",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="TunnelBatch",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "run",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="batches",
                                to="games.tunnelrun",
                            ),
                        ),
                        ("first", models.PositiveSmallIntegerField()),
                        ("count", models.PositiveSmallIntegerField()),
                        ("lease_until", models.DateTimeField(null=True)),
                        ("attempts", models.PositiveSmallIntegerField(default=0)),
                        ("flights", models.JSONField(null=True)),
                    ],
                    options={
                        "ordering": ["run", "first"],
                        "indexes": [
                            models.Index(
                                condition=models.Q(("flights__isnull", True)),
                                fields=["run", "lease_until"],
                                name="tunnel_batches_to_fly",
                            )
                        ],
                        "constraints": [
                            models.UniqueConstraint(fields=("run", "first"), name="tunnel_batch_unique"),
                            models.CheckConstraint(
                                condition=models.Q(("count__gte", 1)), name="tunnel_batch_has_flights"
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("flights__isnull", True),
                                    models.Q(
                                        ("flights__format", "flights/1"), ("flights__has_key", "format")
                                    ),
                                    _connector="OR",
                                ),
                                name="tunnel_batch_has_its_format",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="ShipSuggestion",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "user",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="ship_suggestions",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        ("ruleset", models.CharField(max_length=40)),
                        ("edition", models.PositiveSmallIntegerField()),
                        ("players", models.PositiveSmallIntegerField()),
                        ("width", models.PositiveSmallIntegerField()),
                        ("height", models.PositiveSmallIntegerField()),
                        ("theme", models.CharField(blank=True, max_length=20)),
                        ("symmetry", models.CharField(blank=True, max_length=10)),
                        ("seed", models.CharField(max_length=32)),
                        (
                            "status",
                            models.CharField(
                                choices=[
                                    ("waiting", "Waiting"),
                                    ("flying", "Flying"),
                                    ("done", "Done"),
                                    ("cancelled", "Cancelled"),
                                    ("failed", "Failed"),
                                ],
                                default="waiting",
                                max_length=9,
                            ),
                        ),
                        ("ships", models.PositiveSmallIntegerField(default=0)),
                        ("last_flights", models.PositiveSmallIntegerField(default=0)),
                        ("flown", models.PositiveIntegerField(default=0)),
                        ("search", models.JSONField(null=True)),
                        ("found_theme", models.CharField(blank=True, max_length=20)),
                        ("document", models.JSONField(null=True)),
                        ("report", models.JSONField(null=True)),
                        ("sentences", models.JSONField(null=True)),
                        ("lease_until", models.DateTimeField(null=True)),
                        ("attempts", models.PositiveSmallIntegerField(default=0)),
                        ("pieces", models.PositiveSmallIntegerField(default=0)),
                        ("failure", models.CharField(blank=True, max_length=200)),
                        ("created_at", models.DateTimeField()),
                        ("finished_at", models.DateTimeField(null=True)),
                        ("offered_at", models.DateTimeField(null=True)),
                    ],
                    options={
                        "ordering": ["-pk"],
                        "indexes": [
                            models.Index(
                                condition=models.Q(("status__in", ["waiting", "flying"])),
                                fields=["created_at"],
                                name="suggestions_under_way",
                            )
                        ],
                        "constraints": [
                            models.UniqueConstraint(
                                condition=models.Q(("status__in", ["waiting", "flying"])),
                                fields=("user",),
                                name="suggestion_one_under_way",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("height__range", (8, 30)), ("width__range", (8, 30))),
                                name="suggestion_has_a_size",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("players__range", (2, 8))), name="suggestion_has_players"
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("search__isnull", True),
                                    models.Q(("search__format", "search/1"), ("search__has_key", "format")),
                                    _connector="OR",
                                ),
                                name="suggestion_search_has_its_format",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("status", "done"), _negated=True),
                                    models.Q(
                                        ("document__isnull", False),
                                        ("report__isnull", False),
                                        ("sentences__isnull", False),
                                        ("document__format", "starship/1"),
                                        ("document__has_key", "format"),
                                        ("report__format", "tunnel/1"),
                                        ("report__has_key", "format"),
                                        ("sentences__format", "sentences/1"),
                                        ("sentences__has_key", "format"),
                                        models.Q(("found_theme", ""), _negated=True),
                                    ),
                                    _connector="OR",
                                ),
                                name="suggestion_done_has_a_ship",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(
                                        ("finished_at__isnull", True), ("status__in", ["waiting", "flying"])
                                    ),
                                    models.Q(
                                        ("finished_at__isnull", False),
                                        ("status__in", ["done", "cancelled", "failed"]),
                                    ),
                                    _connector="OR",
                                ),
                                name="suggestion_under_way_or_finished",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Prototype",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "starship",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="prototype",
                                to="games.starship",
                            ),
                        ),
                        (
                            "draft",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="prototypes",
                                to="games.starshipdraft",
                            ),
                        ),
                        ("draft_version", models.PositiveIntegerField()),
                        ("ruleset", models.CharField(max_length=40)),
                        ("players", models.PositiveSmallIntegerField()),
                        ("licence", models.CharField(max_length=200)),
                        (
                            "status",
                            models.CharField(
                                choices=[
                                    ("testing", "Being tested"),
                                    ("ready", "With the design committee"),
                                    ("launched", "In the fleet"),
                                    ("closed", "Closed"),
                                    ("idle", "Left its bay"),
                                    ("taken-down", "Taken down"),
                                ],
                                default="testing",
                                max_length=10,
                            ),
                        ),
                        (
                            "taken_from",
                            models.CharField(
                                blank=True,
                                choices=[
                                    ("testing", "Being tested"),
                                    ("ready", "With the design committee"),
                                    ("launched", "In the fleet"),
                                    ("closed", "Closed"),
                                    ("idle", "Left its bay"),
                                    ("taken-down", "Taken down"),
                                ],
                                db_default="",
                                default="",
                                max_length=10,
                            ),
                        ),
                        ("published_at", models.DateTimeField()),
                        ("used_at", models.DateTimeField()),
                        ("warned_at", models.DateTimeField(null=True)),
                        ("ended_at", models.DateTimeField(null=True)),
                    ],
                    options={
                        "ordering": ["-published_at", "-pk"],
                        "indexes": [
                            models.Index(
                                condition=models.Q(("status__in", ["testing", "ready"])),
                                fields=["used_at"],
                                name="prototypes_in_bays",
                            )
                        ],
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(("draft_version__gte", 1)), name="prototype_counted_from_1"
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("players__range", (1, 8))), name="prototype_has_players"
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("ended_at", None), ("status__in", ["testing", "ready"])),
                                    models.Q(
                                        ("ended_at__isnull", False),
                                        ("status__in", ["launched", "closed", "idle", "taken-down"]),
                                    ),
                                    _connector="OR",
                                ),
                                name="prototype_in_its_bay_or_ended",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(
                                        ("status", "taken-down"),
                                        models.Q(("taken_from__in", ["", "taken-down"]), _negated=True),
                                    ),
                                    models.Q(
                                        models.Q(("status", "taken-down"), _negated=True), ("taken_from", "")
                                    ),
                                    _connector="OR",
                                ),
                                name="prototype_taken_down_from_a_status",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Report",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "starship",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="reports",
                                to="games.starship",
                            ),
                        ),
                        (
                            "draft",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="reports",
                                to="games.starshipdraft",
                            ),
                        ),
                        (
                            "review",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="reports",
                                to="games.review",
                            ),
                        ),
                        (
                            "reporter",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="reports",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "reason",
                            models.CharField(
                                choices=[
                                    ("copied", "Copied from another builder"),
                                    ("offensive", "Offensive"),
                                    ("unplayable", "Unplayable on purpose"),
                                    ("other", "Something else"),
                                ],
                                max_length=10,
                            ),
                        ),
                        ("text", models.TextField(blank=True, max_length=1000)),
                        ("created_at", models.DateTimeField()),
                        ("closed_at", models.DateTimeField(null=True)),
                        (
                            "outcome",
                            models.CharField(
                                blank=True,
                                choices=[("taken-down", "Taken down"), ("dismissed", "Dismissed")],
                                max_length=10,
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["-created_at", "-pk"],
                        "indexes": [
                            models.Index(fields=["reporter", "-created_at"], name="reports_of_a_person"),
                            models.Index(
                                condition=models.Q(("closed_at", None)),
                                fields=["created_at"],
                                name="reports_open",
                            ),
                            models.Index(
                                condition=models.Q(("closed_at__isnull", False)),
                                fields=["closed_at"],
                                name="reports_closed",
                            ),
                        ],
                        "constraints": [
                            models.UniqueConstraint(
                                condition=models.Q(("closed_at", None), ("starship__isnull", False)),
                                fields=("reporter", "starship"),
                                name="report_of_a_starship_open_once",
                            ),
                            models.UniqueConstraint(
                                condition=models.Q(("closed_at", None), ("draft__isnull", False)),
                                fields=("reporter", "draft"),
                                name="report_of_a_draft_open_once",
                            ),
                            models.UniqueConstraint(
                                condition=models.Q(("closed_at", None), ("review__isnull", False)),
                                fields=("reporter", "review"),
                                name="report_of_a_review_open_once",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("draft", None), ("review", None), ("starship__isnull", False)),
                                    models.Q(("draft__isnull", False), ("review", None), ("starship", None)),
                                    models.Q(("draft", None), ("review__isnull", False), ("starship", None)),
                                    _connector="OR",
                                ),
                                name="report_about_one_thing",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("closed_at", None), ("outcome", "")),
                                    models.Q(
                                        ("closed_at__isnull", False), models.Q(("outcome", ""), _negated=True)
                                    ),
                                    _connector="OR",
                                ),
                                name="report_open_or_decided",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Review",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "starship",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="reviews",
                                to="games.starship",
                            ),
                        ),
                        (
                            "revision",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="reviews",
                                to="games.starshiprevision",
                            ),
                        ),
                        (
                            "author",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="reviews",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        ("stars", models.PositiveSmallIntegerField()),
                        (
                            "tags",
                            django.contrib.postgres.fields.ArrayField(
                                base_field=models.CharField(
                                    choices=[
                                        ("clever-routes", "Clever routes"),
                                        ("fair-starts", "Fair starts"),
                                        ("full-of-action", "Action-packed"),
                                        ("fun-elements", "Fun elements"),
                                        ("close-finish", "Close finish"),
                                        ("for-beginners", "Good for beginners"),
                                        ("too-long", "Too long"),
                                        ("too-short", "Too short"),
                                        ("unfair-starts", "Unfair starts"),
                                        ("too-deadly", "Too deadly"),
                                        ("too-crowded", "Too crowded"),
                                        ("little-happens", "Little happens"),
                                    ],
                                    max_length=20,
                                ),
                                default=list,
                                size=None,
                            ),
                        ),
                        ("text", models.TextField(blank=True, max_length=2000)),
                        ("written_at", models.DateTimeField()),
                        ("changed_at", models.DateTimeField(null=True)),
                        ("held_until", models.DateTimeField(null=True)),
                        ("hidden_at", models.DateTimeField(null=True)),
                        ("answer", models.TextField(blank=True, max_length=2000)),
                        ("answered_at", models.DateTimeField(null=True)),
                    ],
                    options={
                        "ordering": ["-written_at", "-pk"],
                        "indexes": [
                            models.Index(fields=["starship", "-id"], name="reviews_of_a_starship"),
                            models.Index(
                                condition=models.Q(("held_until__isnull", False)),
                                fields=["held_until"],
                                name="reviews_held",
                            ),
                        ],
                        "constraints": [
                            models.UniqueConstraint(fields=("revision", "author"), name="review_one_each"),
                            models.CheckConstraint(
                                condition=models.Q(("stars__range", (1, 5))), name="review_has_stars"
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("tags__len__lte", 3)), name="review_has_few_tags"
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("answer", ""), ("answered_at", None)),
                                    models.Q(
                                        models.Q(("answer", ""), _negated=True),
                                        ("answered_at__isnull", False),
                                    ),
                                    _connector="OR",
                                ),
                                name="review_answered_at_some_time",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Rating",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "starship",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="rating",
                                to="games.starship",
                            ),
                        ),
                        ("reviews", models.PositiveIntegerField()),
                        ("total", models.PositiveIntegerField()),
                        ("stars", models.DecimalField(decimal_places=2, max_digits=3, null=True)),
                        ("shrunk", models.DecimalField(db_index=True, decimal_places=3, max_digits=4)),
                    ],
                    options={
                        "ordering": ["-shrunk", "-pk"],
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("reviews__gte", 1),
                                    ("total__gte", models.F("reviews")),
                                    (
                                        "total__lte",
                                        django.db.models.expressions.CombinedExpression(
                                            models.F("reviews"), "*", models.Value(5)
                                        ),
                                    ),
                                ),
                                name="rating_of_somebody",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("reviews__lt", 5), ("stars", None)),
                                    models.Q(("reviews__gte", 5), ("stars__isnull", False)),
                                    _connector="OR",
                                ),
                                name="rating_shown_from_enough_people",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Promotion",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "prototype",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="promotions",
                                to="games.prototype",
                            ),
                        ),
                        (
                            "revision",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to="games.starshiprevision",
                            ),
                        ),
                        (
                            "run",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="+",
                                to="games.tunnelrun",
                            ),
                        ),
                        (
                            "status",
                            models.CharField(
                                choices=[
                                    ("open", "Waiting for a decision"),
                                    ("promoted", "Promoted"),
                                    ("sent-back", "Sent back"),
                                    ("closed", "Closed"),
                                    ("taken-back", "Withdrawn by its builder"),
                                    ("taken-down", "Taken down by staff"),
                                ],
                                default="open",
                                max_length=10,
                            ),
                        ),
                        ("asked_at", models.DateTimeField()),
                        ("reminded_at", models.DateTimeField(null=True)),
                        ("ended_at", models.DateTimeField(null=True)),
                    ],
                    options={
                        "ordering": ["-pk"],
                        "permissions": [
                            ("decide_promotion", "Can decide about promotions, as the design committee")
                        ],
                        "indexes": [
                            models.Index(
                                condition=models.Q(("status", "open")),
                                fields=["asked_at"],
                                name="promotions_open",
                            ),
                            models.Index(
                                condition=models.Q(
                                    ("status__in", ["promoted", "sent-back", "closed", "taken-down"])
                                ),
                                fields=["-ended_at"],
                                name="promotions_decided",
                            ),
                        ],
                        "constraints": [
                            models.UniqueConstraint(
                                condition=models.Q(("status", "open")),
                                fields=("prototype",),
                                name="promotion_open_one_each",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("ended_at", None), ("status", "open")),
                                    models.Q(
                                        models.Q(("status", "open"), _negated=True),
                                        ("ended_at__isnull", False),
                                    ),
                                    _connector="OR",
                                ),
                                name="promotion_open_or_ended",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="PromotionVote",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "promotion",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="votes",
                                to="games.promotion",
                            ),
                        ),
                        (
                            "user",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "choice",
                            models.CharField(
                                choices=[
                                    ("promote", "Promote"),
                                    ("send-back", "Send back"),
                                    ("close", "Close"),
                                ],
                                max_length=10,
                            ),
                        ),
                        ("words", models.TextField(blank=True, max_length=2000)),
                        ("cast_at", models.DateTimeField()),
                    ],
                    options={
                        "ordering": ["cast_at", "pk"],
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("promotion", "user"), name="promotion_vote_one_each"
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("choice", "promote"),
                                    models.Q(("words", ""), _negated=True),
                                    _connector="OR",
                                ),
                                name="promotion_vote_has_reasons",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Ladder",
                    fields=[
                        ("ruleset", models.CharField(max_length=40, primary_key=True, serialize=False)),
                    ],
                ),
                migrations.CreateModel(
                    name="Rung",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "ladder",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="rungs",
                                to="games.ladder",
                            ),
                        ),
                        (
                            "user",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="rungs",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        ("place", models.PositiveIntegerField()),
                        ("joined_at", models.DateTimeField()),
                        (
                            "active_at",
                            models.DateTimeField(
                                help_text="When the player last played on the ladder, joined it or came back to it."
                            ),
                        ),
                        ("protected_until", models.DateTimeField(null=True)),
                        ("absent_at", models.DateTimeField(null=True)),
                        ("resting_since", models.DateTimeField(null=True)),
                        ("back_at", models.DateTimeField(null=True)),
                    ],
                    options={
                        "ordering": ["ladder", "place"],
                        "indexes": [
                            models.Index(
                                condition=models.Q(("resting_since", None)),
                                fields=["active_at"],
                                name="rungs_idle",
                            ),
                            models.Index(
                                condition=models.Q(("resting_since__isnull", False)),
                                fields=["resting_since"],
                                name="rungs_resting",
                            ),
                        ],
                        "constraints": [
                            models.UniqueConstraint(fields=("user", "ladder"), name="rung_once"),
                            models.UniqueConstraint(
                                deferrable=django.db.models.constraints.Deferrable["DEFERRED"],
                                fields=("ladder", "place"),
                                name="rung_in_its_place",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="LadderGame",
                    fields=[
                        (
                            "game",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.CASCADE,
                                primary_key=True,
                                related_name="ladder_game",
                                serialize=False,
                                to="games.game",
                            ),
                        ),
                        (
                            "ladder",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="ladder_games",
                                to="games.ladder",
                            ),
                        ),
                        (
                            "challenger",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="challenges",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "challenged",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        ("made_at", models.DateTimeField()),
                        ("settled_at", models.DateTimeField(null=True)),
                        (
                            "outcome",
                            models.CharField(
                                blank=True,
                                choices=[
                                    ("climbed", "The challenger took the place"),
                                    ("defended", "The place was defended"),
                                    ("void", "No place changed hands"),
                                ],
                                max_length=10,
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["-made_at", "-pk"],
                        "indexes": [models.Index(fields=["ladder", "-made_at"], name="ladder_games_newest")],
                        "constraints": [
                            models.UniqueConstraint(
                                condition=models.Q(("settled_at", None)),
                                fields=("challenger", "ladder"),
                                name="one_challenge_out",
                            ),
                            models.UniqueConstraint(
                                condition=models.Q(("settled_at", None)),
                                fields=("challenged", "ladder"),
                                name="one_challenge_in",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("challenger", models.F("challenged")), _negated=True),
                                name="challenge_of_another",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("outcome", ""), ("settled_at", None)),
                                    models.Q(
                                        ("settled_at__isnull", False),
                                        models.Q(("outcome", ""), _negated=True),
                                    ),
                                    _connector="OR",
                                ),
                                name="challenge_settled_with_an_outcome",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="StarshipFigures",
                    fields=[
                        (
                            "starship",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.CASCADE,
                                primary_key=True,
                                related_name="figures",
                                serialize=False,
                                to="games.starship",
                            ),
                        ),
                        ("played", models.PositiveIntegerField(default=0)),
                        ("prototype_played", models.PositiveIntegerField(default=0)),
                        ("people", models.PositiveIntegerField(default=0)),
                        ("among_people", models.PositiveIntegerField(default=0)),
                        ("median", models.PositiveIntegerField(null=True)),
                        ("lengths", models.JSONField(default=dict)),
                        ("starts", models.JSONField(default=dict)),
                    ],
                ),
                migrations.CreateModel(
                    name="Flier",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "starship",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="fliers",
                                to="games.starship",
                            ),
                        ),
                        (
                            "user",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="flown",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                    ],
                    options={
                        "constraints": [
                            models.UniqueConstraint(fields=("starship", "user"), name="flier_once")
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="UncountedGame",
                    fields=[
                        (
                            "game",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.CASCADE,
                                primary_key=True,
                                related_name="+",
                                serialize=False,
                                to="games.game",
                            ),
                        ),
                    ],
                ),
                migrations.CreateModel(
                    name="StarshipList",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "user",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="starship_lists",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        ("name", models.CharField(max_length=60)),
                        ("text", models.TextField(blank=True, max_length=500)),
                        (
                            "seen_by",
                            models.CharField(
                                choices=[
                                    ("owner", "Only you"),
                                    ("link", "Anyone with the link"),
                                    ("everyone", "Everyone, in the library"),
                                ],
                                default="owner",
                                max_length=10,
                            ),
                        ),
                        ("link_token", models.CharField(blank=True, max_length=64)),
                        ("size", models.PositiveSmallIntegerField(default=0)),
                        ("created_at", models.DateTimeField()),
                        ("changed_at", models.DateTimeField()),
                    ],
                    options={
                        "ordering": ["-changed_at", "-pk"],
                        "indexes": [
                            models.Index(
                                condition=models.Q(("seen_by", "everyone")),
                                fields=["-changed_at", "-id"],
                                name="starship_list_public",
                            ),
                            models.Index(
                                condition=models.Q(("seen_by", "everyone")),
                                fields=["-size", "-changed_at", "-id"],
                                name="starship_list_largest",
                            ),
                        ],
                        "constraints": [
                            models.UniqueConstraint(
                                models.F("user"),
                                django.db.models.functions.text.Lower("name"),
                                name="starship_list_name_once",
                            ),
                            models.UniqueConstraint(
                                condition=models.Q(("link_token", ""), _negated=True),
                                fields=("link_token",),
                                name="starship_list_link_unique",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(
                                        ("seen_by", "link"), models.Q(("link_token", ""), _negated=True)
                                    ),
                                    models.Q(
                                        models.Q(("seen_by", "link"), _negated=True), ("link_token", "")
                                    ),
                                    _connector="OR",
                                ),
                                name="starship_list_link_where_seen_by_it",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="StarshipListEntry",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "list",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="entries",
                                to="games.starshiplist",
                            ),
                        ),
                        (
                            "starship",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="list_entries",
                                to="games.starship",
                            ),
                        ),
                        ("place", models.PositiveSmallIntegerField()),
                    ],
                    options={
                        "ordering": ["list", "place"],
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("list", "starship"), name="starship_once_in_a_list"
                            ),
                            models.UniqueConstraint(
                                deferrable=django.db.models.constraints.Deferrable["DEFERRED"],
                                fields=("list", "place"),
                                name="starship_list_place_once",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("place__lt", 50)), name="starship_list_has_room"
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="StarshipWeek",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("week", models.DateField(unique=True)),
                        (
                            "starship",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="weeks",
                                to="games.starship",
                            ),
                        ),
                        ("stars", models.DecimalField(decimal_places=2, max_digits=3, null=True)),
                        ("before", models.DateField(null=True)),
                        ("chosen_at", models.DateTimeField()),
                    ],
                    options={
                        "ordering": ["-week"],
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(("week__iso_week_day", 1)),
                                name="starship_week_begins_on_monday",
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Invitation",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "game",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="invitations",
                                to="games.game",
                            ),
                        ),
                        (
                            "user",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="invitations",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        ("email", models.EmailField(blank=True, max_length=254)),
                        (
                            "invited_by",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "answer",
                            models.CharField(
                                choices=[
                                    ("pending", "Not answered"),
                                    ("accepted", "Accepted"),
                                    ("declined", "Declined"),
                                ],
                                default="pending",
                                max_length=10,
                            ),
                        ),
                        ("created_at", models.DateTimeField()),
                        ("answered_at", models.DateTimeField(null=True)),
                    ],
                    options={
                        "ordering": ["-created_at", "-pk"],
                        "indexes": [
                            models.Index(fields=["invited_by", "created_at"], name="invitations_by_person")
                        ],
                        "constraints": [
                            models.UniqueConstraint(fields=("game", "user"), name="invitation_one_each"),
                            models.UniqueConstraint(
                                models.F("game"),
                                models.F("invited_by"),
                                django.db.models.functions.text.Lower("email"),
                                condition=models.Q(("email", ""), _negated=True),
                                name="invitation_one_each_from_each",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("user__isnull", False),
                                    models.Q(("email", ""), _negated=True),
                                    _connector="OR",
                                ),
                                name="invitation_to_a_person_or_an_address",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Ticket",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "user",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="ticket",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        ("ruleset", models.CharField(blank=True, max_length=40)),
                        ("pace", models.CharField(blank=True, max_length=10)),
                        ("size", models.CharField(blank=True, max_length=10)),
                        (
                            "least",
                            models.PositiveSmallIntegerField(default=2, verbose_name="minimum number of players"),
                        ),
                        (
                            "most",
                            models.PositiveSmallIntegerField(default=8, verbose_name="maximum number of players"),
                        ),
                        ("spread", models.PositiveSmallIntegerField(null=True)),
                        (
                            "least_reliability",
                            models.PositiveSmallIntegerField(
                                db_default=0, default=0, verbose_name="minimum reliability of the other players"
                            ),
                        ),
                        ("computers_after", models.PositiveSmallIntegerField(null=True)),
                        ("created_at", models.DateTimeField()),
                    ],
                    options={
                        "ordering": ["created_at", "pk"],
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(("least__gte", 2), ("most__gte", models.F("least"))),
                                name="ticket_for_some_players",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("least_reliability__lte", 100)),
                                name="ticket_reliability_in_percent",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="MailServer",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("taken_at", models.DateTimeField(null=True)),
                        ("failing_since", models.DateTimeField(null=True)),
                        ("failures", models.PositiveIntegerField(default=0)),
                        ("error", models.TextField(blank=True, default="")),
                        ("is_down", models.BooleanField(default=False)),
                        (
                            "refused",
                            django.contrib.postgres.fields.ArrayField(
                                base_field=models.CharField(max_length=64),
                                blank=True,
                                default=list,
                                size=None,
                            ),
                        ),
                        ("given_up_at", models.DateTimeField(null=True)),
                    ],
                    options={
                        "constraints": [
                            models.CheckConstraint(condition=models.Q(("pk", 1)), name="mail_server_alone")
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Notice",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("kind", models.CharField(choices=games.news.models.kind_choices, max_length=10)),
                        (
                            "channel",
                            models.CharField(
                                choices=games.news.models.channel_choices,
                                db_default="mail",
                                default="mail",
                                max_length=10,
                            ),
                        ),
                        (
                            "user",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="notices",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        ("email", models.EmailField(blank=True, max_length=254)),
                        (
                            "game",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="notices",
                                to="games.game",
                            ),
                        ),
                        (
                            "starship",
                            models.ForeignKey(
                                db_index=False,
                                null=True,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="notices",
                                to="games.starship",
                            ),
                        ),
                        ("about", models.BigIntegerField(null=True)),
                        ("turn", models.PositiveIntegerField(verbose_name="turn number")),
                        (
                            "status",
                            models.CharField(
                                choices=[
                                    ("pending", "Waiting"),
                                    ("held", "Held back"),
                                    ("sent", "Sent"),
                                    ("seen", "Seen before it was sent"),
                                    ("unwanted", "Not wanted"),
                                    ("outdated", "Outdated"),
                                    ("closed", "Mail to this address bounces"),
                                    ("unanswered", "Not accepted by the webhook"),
                                    ("given up", "Given up"),
                                ],
                                default="pending",
                                max_length=10,
                            ),
                        ),
                        ("created_at", models.DateTimeField()),
                        ("attempts", models.PositiveSmallIntegerField(default=0)),
                        ("lease_until", models.DateTimeField(null=True)),
                        ("offered_at", models.DateTimeField(null=True)),
                        ("due_at", models.DateTimeField(null=True)),
                        ("sent_at", models.DateTimeField(null=True)),
                        ("last_error", models.TextField(blank=True)),
                        (
                            "waits_for",
                            models.CharField(blank=True, db_default="", default="", max_length=300),
                        ),
                    ],
                    options={
                        "ordering": ["-created_at", "-pk"],
                        "indexes": [
                            models.Index(
                                condition=models.Q(("status", "pending")),
                                fields=["lease_until"],
                                name="notices_pending",
                            ),
                            models.Index(
                                condition=models.Q(("status", "given up")),
                                fields=["created_at"],
                                name="notices_given_up",
                            ),
                            models.Index(
                                condition=models.Q(("status", "held")), fields=["due_at"], name="notices_held"
                            ),
                            models.Index(
                                condition=models.Q(("status__in", ["held", "pending"])),
                                fields=["user"],
                                name="notices_of_a_person",
                            ),
                            models.Index(fields=["user", "-created_at"], name="notices_newest"),
                            models.Index(
                                condition=models.Q(("waits_for", ""), _negated=True),
                                fields=["waits_for"],
                                name="notices_waiting",
                            ),
                        ],
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("game", "turn", "user", "kind", "channel"),
                                name="notice_once_a_channel",
                            ),
                            models.UniqueConstraint(
                                condition=models.Q(("email", ""), _negated=True),
                                fields=("game", "email", "kind"),
                                name="notice_once_to_an_address",
                            ),
                            models.UniqueConstraint(
                                condition=models.Q(("starship__isnull", False)),
                                fields=("starship", "about", "user", "kind", "channel"),
                                name="notice_of_a_starship_once",
                            ),
                            models.UniqueConstraint(
                                condition=models.Q(("game", None), ("starship", None)),
                                fields=("user", "about", "kind", "channel"),
                                name="notice_of_a_person_once",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("about", None), ("game__isnull", False), ("starship", None)),
                                    models.Q(
                                        ("about__isnull", False),
                                        ("game", None),
                                        ("turn", 0),
                                        ("user__isnull", False),
                                    ),
                                    _connector="OR",
                                ),
                                name="notice_of_a_game_or_not",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("email", ""), ("user__isnull", False)),
                                    models.Q(("user", None), models.Q(("email", ""), _negated=True)),
                                    _connector="OR",
                                ),
                                name="notice_to_a_person_or_an_address",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(("sent_at__isnull", False), ("status", "sent")),
                                    models.Q(models.Q(("status", "sent"), _negated=True), ("sent_at", None)),
                                    _connector="OR",
                                ),
                                name="notice_sent_at_some_time",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Receiver",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("name", models.CharField(max_length=300)),
                        ("slot", models.PositiveSmallIntegerField()),
                        ("busy_until", models.DateTimeField()),
                        ("failures", models.PositiveSmallIntegerField(default=0)),
                    ],
                    options={
                        "constraints": [
                            models.UniqueConstraint(fields=("name", "slot"), name="receiver_slot_once")
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="NoticeSubject",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("parameters", models.JSONField()),
                        ("created_at", models.DateTimeField()),
                    ],
                    options={
                        "ordering": ["pk"],
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("parameters__format", "subject/1"), ("parameters__has_key", "format")
                                ),
                                name="notice_subject_has_its_format",
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Device",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "user",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="devices",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        ("endpoint", models.URLField(max_length=1000, unique=True)),
                        ("p256dh", models.CharField(max_length=100)),
                        ("auth", models.CharField(max_length=30)),
                        ("name", models.CharField(max_length=60)),
                        ("browser", models.CharField(blank=True, db_default="", default="", max_length=64)),
                        ("made_at", models.DateTimeField()),
                        ("told_at", models.DateTimeField(null=True)),
                    ],
                ),
                migrations.CreateModel(
                    name="Webhook",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "user",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="webhook",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        ("url", models.URLField(max_length=1000)),
                        ("secret", models.CharField(max_length=64)),
                        ("made_at", models.DateTimeField()),
                        ("answered_at", models.DateTimeField(null=True, verbose_name="last success")),
                        ("tested_at", models.DateTimeField(null=True)),
                        ("failing_since", models.DateTimeField(null=True)),
                        ("failure", models.CharField(blank=True, max_length=300)),
                        ("switched_off_at", models.DateTimeField(null=True)),
                    ],
                    options={
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("switched_off_at", None),
                                    models.Q(
                                        ("failing_since__isnull", False),
                                        models.Q(("failure", ""), _negated=True),
                                    ),
                                    _connector="OR",
                                ),
                                name="webhook_off_for_a_reason",
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Feed",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "user",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="feed",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        ("nonce", models.CharField(max_length=32)),
                        ("made_at", models.DateTimeField()),
                        (
                            "shown",
                            models.JSONField(
                                help_text="The deadlines last shown in the calendar: a shown-deadlines/1 document.",
                                null=True,
                            ),
                        ),
                    ],
                ),
                migrations.CreateModel(
                    name="PendingResult",
                    fields=[
                        (
                            "game",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.CASCADE,
                                primary_key=True,
                                related_name="+",
                                serialize=False,
                                to="games.game",
                            ),
                        ),
                    ],
                ),
                migrations.CreateModel(
                    name="Result",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("of_game", models.PositiveBigIntegerField(verbose_name="game number")),
                        ("revision", models.PositiveSmallIntegerField(default=1)),
                        ("seq", models.PositiveBigIntegerField(verbose_name="result number")),
                        ("ruleset", models.CharField(max_length=40)),
                        (
                            "outcome",
                            models.JSONField(help_text="Sides and their ranks, as a result/1 document."),
                        ),
                        ("ended_at", models.DateTimeField()),
                    ],
                    options={
                        "ordering": ["ended_at", "of_game", "revision"],
                        "indexes": [models.Index(fields=["ended_at", "of_game"], name="result_order")],
                        "constraints": [
                            models.UniqueConstraint(fields=("of_game", "revision"), name="result_once"),
                            models.UniqueConstraint(fields=("seq", "revision"), name="result_in_its_place"),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("outcome__format", "result/1"), ("outcome__has_key", "format")
                                ),
                                name="result_has_its_format",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="RatingPool",
                    fields=[
                        ("key", models.CharField(max_length=40, primary_key=True, serialize=False)),
                        (
                            "offset",
                            models.FloatField(
                                default=0.0, help_text="The number added to each mean before it is shown."
                            ),
                        ),
                        ("variance", models.FloatField(default=0.0)),
                        (
                            "month",
                            models.DateField(help_text="The month whose games are being compared.", null=True),
                        ),
                        ("residual", models.FloatField(default=0.0)),
                        ("noise", models.FloatField(default=0.0)),
                        ("slope", models.FloatField(default=0.0)),
                    ],
                ),
                migrations.CreateModel(
                    name="RatingShift",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "pool",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="shifts",
                                to="games.ratingpool",
                            ),
                        ),
                        ("month", models.DateField()),
                        ("error", models.FloatField()),
                        ("amount", models.FloatField()),
                    ],
                    options={
                        "ordering": ["pool", "month"],
                        "constraints": [
                            models.UniqueConstraint(fields=("pool", "month"), name="shift_once_a_month")
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="PlayerRating",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "pool",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="+",
                                to="games.ratingpool",
                            ),
                        ),
                        (
                            "user",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="ratings",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        ("mu", models.FloatField(default=25.0)),
                        ("sigma", models.FloatField(default=8.333333333333334)),
                        ("floor", models.FloatField()),
                        ("games", models.PositiveIntegerField(default=0)),
                        ("met", models.PositiveSmallIntegerField(default=0, verbose_name="people met")),
                        ("played_at", models.DateTimeField()),
                        ("listed", models.BooleanField(default=False)),
                    ],
                    options={
                        "indexes": [
                            models.Index(
                                condition=models.Q(("listed", True)),
                                fields=["pool", "-floor", "user"],
                                name="ratings_listed",
                            ),
                            models.Index(
                                condition=models.Q(("listed", True)),
                                fields=["played_at"],
                                name="ratings_by_last_game",
                            ),
                        ],
                        "constraints": [
                            models.UniqueConstraint(fields=("user", "pool"), name="rating_one_each")
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="RatingChange",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "result",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="changes",
                                to="games.result",
                            ),
                        ),
                        (
                            "pool",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="+",
                                to="games.ratingpool",
                            ),
                        ),
                        (
                            "user",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="rating_changes",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        ("seq", models.PositiveBigIntegerField()),
                        ("side", models.PositiveSmallIntegerField()),
                        ("rank", models.PositiveSmallIntegerField()),
                        ("mu_before", models.FloatField()),
                        ("mu", models.FloatField()),
                        ("sigma", models.FloatField()),
                        ("played_at", models.DateTimeField()),
                    ],
                    options={
                        "ordering": ["user", "pool", "played_at", "seq"],
                        "constraints": [
                            models.UniqueConstraint(fields=("user", "pool", "seq"), name="rating_change_once")
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Reliability",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "user",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="reliability",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        ("turns", models.PositiveIntegerField(default=0)),
                        ("missed", models.PositiveIntegerField(default=0)),
                        ("recent", models.CharField(blank=True, max_length=100)),
                    ],
                    options={
                        "verbose_name_plural": "reliabilities",
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(("missed__lte", models.F("turns"))),
                                name="reliability_missed_of_all",
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Season",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("ruleset", models.CharField(max_length=40)),
                        (
                            "status",
                            models.CharField(
                                choices=[
                                    ("open", "Open to join"),
                                    ("running", "Being played"),
                                    ("finished", "Over"),
                                ],
                                default="open",
                                max_length=10,
                            ),
                        ),
                        ("starts_at", models.DateTimeField()),
                        ("ends_at", models.DateTimeField()),
                        ("closed_at", models.DateTimeField(null=True)),
                        (
                            "players",
                            models.PositiveIntegerField(
                                db_default=0, default=0, help_text="How many players have joined the season."
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["-starts_at", "ruleset"],
                        "indexes": [
                            models.Index(
                                condition=models.Q(("status", "finished"), _negated=True),
                                fields=["starts_at"],
                                name="seasons_going_on",
                            )
                        ],
                        "constraints": [
                            models.UniqueConstraint(fields=("ruleset", "starts_at"), name="season_once")
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="SeasonEntry",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "season",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="entries",
                                to="games.season",
                            ),
                        ),
                        (
                            "user",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="season_entries",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        ("joined_at", models.DateTimeField()),
                    ],
                    options={
                        "ordering": ["season", "joined_at", "pk"],
                        "indexes": [
                            models.Index(fields=["season", "-joined_at", "-id"], name="season_entries_latest")
                        ],
                        "constraints": [
                            models.UniqueConstraint(fields=("season", "user"), name="season_entry_once")
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Division",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "season",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="divisions",
                                to="games.season",
                            ),
                        ),
                        ("number", models.PositiveSmallIntegerField()),
                        (
                            "tournament",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="division",
                                to="games.tournament",
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["season", "number"],
                        "constraints": [
                            models.UniqueConstraint(fields=("season", "number"), name="division_once")
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="ApiToken",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "user",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="api_tokens",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "digest",
                            models.CharField(max_length=64, unique=True, verbose_name="SHA-256 of the token"),
                        ),
                        (
                            "name",
                            models.CharField(
                                blank=True,
                                db_default="",
                                default="",
                                help_text="The name that the owner gave the token.",
                                max_length=40,
                            ),
                        ),
                        ("created_at", models.DateTimeField()),
                        ("used_at", models.DateTimeField(null=True, verbose_name="last used")),
                        (
                            "expires_at",
                            models.DateTimeField(
                                db_default=django.db.models.expressions.CombinedExpression(
                                    django.db.models.functions.datetime.Now(),
                                    "+",
                                    models.Value(datetime.timedelta(days=90)),
                                ),
                                db_index=True,
                                help_text="When the token stops working.",
                                verbose_name="expires",
                            ),
                        ),
                    ],
                    options={
                        "verbose_name": "API token",
                        "ordering": ["-created_at"],
                    },
                ),
                migrations.CreateModel(
                    name="Tournament",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("name", models.CharField(max_length=60)),
                        ("text", models.TextField(blank=True, max_length=2000)),
                        (
                            "kind",
                            models.CharField(
                                choices=[
                                    ("swiss", "Swiss system"),
                                    ("knockout", "Knock-out"),
                                    ("league", "League: everyone plays everyone"),
                                    ("marathon", "Marathon: most points in a month"),
                                ],
                                max_length=10,
                            ),
                        ),
                        (
                            "status",
                            models.CharField(
                                choices=[
                                    ("draft", "Draft"),
                                    ("open", "Open to join"),
                                    ("running", "Being played"),
                                    ("finished", "Over"),
                                    ("cancelled", "Cancelled"),
                                ],
                                default="draft",
                                max_length=10,
                            ),
                        ),
                        (
                            "host",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="tournaments",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        (
                            "club",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="tournaments",
                                to="games.club",
                            ),
                        ),
                        (
                            "members_only",
                            models.BooleanField(
                                db_default=False,
                                default=False,
                                help_text="Only members of its club can enter. If the club was closed, no one can.",
                            ),
                        ),
                        ("ruleset", models.CharField(blank=True, max_length=40)),
                        (
                            "size",
                            models.PositiveSmallIntegerField(default=4, verbose_name="players at a table"),
                        ),
                        (
                            "rounds",
                            models.PositiveSmallIntegerField(null=True, verbose_name="number of rounds"),
                        ),
                        ("round_days", models.PositiveSmallIntegerField(null=True)),
                        (
                            "schedule",
                            models.JSONField(
                                help_text="The tables of all rounds of a league, as a schedule/1 document.",
                                null=True,
                            ),
                        ),
                        (
                            "ship_choice",
                            models.CharField(
                                choices=[
                                    ("fixed", "One for each round, the same at all tables"),
                                    ("drawn", "Drawn by lot for each table"),
                                    (
                                        "banned",
                                        "Drawn by lot for each table, without the starships that its players banned",
                                    ),
                                ],
                                default="fixed",
                                max_length=10,
                            ),
                        ),
                        ("pace", models.JSONField(help_text="How fast it is played, as a pace/2 document.")),
                        (
                            "absence",
                            models.JSONField(
                                help_text="What happens to players who miss turns, as an absence/1 document."
                            ),
                        ),
                        (
                            "least",
                            models.PositiveSmallIntegerField(default=2, verbose_name="minimum number of entrants"),
                        ),
                        ("most", models.PositiveSmallIntegerField(verbose_name="maximum number of entrants")),
                        ("seed", models.CharField(max_length=64)),
                        ("starts_at", models.DateTimeField()),
                        ("ends_at", models.DateTimeField(null=True)),
                        ("due_at", models.DateTimeField(null=True)),
                        ("created_at", models.DateTimeField()),
                        ("ended_at", models.DateTimeField(null=True)),
                        (
                            "ending",
                            models.CharField(
                                blank=True,
                                choices=[
                                    ("host", "Cancelled by its host"),
                                    ("staff", "Cancelled by staff"),
                                    ("few", "Cancelled because too few players entered"),
                                    ("club", "Cancelled because its club was closed"),
                                    ("left", "Ended early because too few players remained"),
                                    ("away", "Ended early because too few players confirmed the next round"),
                                    ("nobody", "Ended without a winner because all players left"),
                                ],
                                db_default="",
                                default="",
                                max_length=10,
                            ),
                        ),
                        (
                            "lost_club_at",
                            models.DateTimeField(
                                help_text="When its entrants were notified that its club was closed.",
                                null=True,
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["-starts_at", "-pk"],
                        "indexes": [
                            models.Index(
                                condition=models.Q(("round_days", None)),
                                fields=["status", "-starts_at", "-id"],
                                name="tournaments_listed",
                            ),
                            models.Index(fields=["-starts_at", "-id"], name="tournaments_latest"),
                            models.Index(
                                condition=models.Q(
                                    ("round_days", None), ("status__in", ["finished", "cancelled"])
                                ),
                                fields=["-starts_at", "-id"],
                                name="tournaments_over",
                            ),
                            models.Index(
                                condition=models.Q(("due_at__isnull", False)),
                                fields=["due_at"],
                                name="tournaments_due",
                            ),
                        ],
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("least__gte", 2),
                                    ("most__gte", models.F("least")),
                                    ("size__range", (2, 8)),
                                ),
                                name="tournament_of_some",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(("pace__format", "pace/2"), ("pace__has_key", "format")),
                                name="tournament_has_its_pace",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("absence__format", "absence/1"), ("absence__has_key", "format")
                                ),
                                name="tournament_has_its_absence",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("schedule__isnull", True),
                                    models.Q(
                                        ("schedule__format", "schedule/1"), ("schedule__has_key", "format")
                                    ),
                                    _connector="OR",
                                ),
                                name="tournament_has_its_schedule",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="TournamentShip",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "tournament",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="ships",
                                to="games.tournament",
                            ),
                        ),
                        (
                            "starship",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to="games.starship",
                            ),
                        ),
                        ("number", models.PositiveSmallIntegerField()),
                    ],
                    options={
                        "ordering": ["tournament", "number"],
                        "constraints": [
                            models.UniqueConstraint(
                                fields=("tournament", "number"), name="tournament_ship_in_its_place"
                            ),
                            models.UniqueConstraint(
                                fields=("tournament", "starship"), name="tournament_ship_once"
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Entrant",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "tournament",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="entrants",
                                to="games.tournament",
                            ),
                        ),
                        (
                            "user",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="entries",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        ("joined_at", models.DateTimeField()),
                        ("strength", models.IntegerField()),
                        (
                            "banned",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.SET_NULL,
                                related_name="bans",
                                to="games.tournamentship",
                            ),
                        ),
                        ("confirmed", models.BooleanField(default=True)),
                        ("left_at", models.DateTimeField(null=True)),
                        ("place", models.PositiveSmallIntegerField(null=True)),
                    ],
                    options={
                        "ordering": ["tournament", "joined_at", "pk"],
                        "indexes": [
                            models.Index(
                                condition=models.Q(("place__lte", 3)),
                                fields=["user", "place"],
                                name="entrants_by_place",
                            )
                        ],
                        "constraints": [
                            models.UniqueConstraint(fields=("tournament", "user"), name="entrant_once")
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Round",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "tournament",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="all_rounds",
                                to="games.tournament",
                            ),
                        ),
                        ("number", models.PositiveSmallIntegerField()),
                        (
                            "pairing",
                            models.JSONField(help_text="How players were assigned to tables, as a pairing/1 document."),
                        ),
                        ("started_at", models.DateTimeField()),
                        ("ends_at", models.DateTimeField()),
                        ("closed_at", models.DateTimeField(null=True)),
                    ],
                    options={
                        "ordering": ["tournament", "number"],
                        "constraints": [
                            models.UniqueConstraint(fields=("tournament", "number"), name="round_once"),
                            models.CheckConstraint(
                                condition=models.Q(
                                    ("pairing__format", "pairing/1"), ("pairing__has_key", "format")
                                ),
                                name="round_has_its_pairing",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Table",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "round",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="tables",
                                to="games.round",
                            ),
                        ),
                        ("number", models.PositiveSmallIntegerField()),
                        ("size", models.PositiveSmallIntegerField(verbose_name="number of players")),
                        ("scored_at", models.DateTimeField(null=True)),
                        ("scored_turn", models.IntegerField(null=True)),
                    ],
                    options={
                        "ordering": ["round", "number"],
                        "indexes": [
                            models.Index(
                                condition=models.Q(("scored_at", None)),
                                fields=["round"],
                                name="tables_to_score",
                            )
                        ],
                        "constraints": [
                            models.UniqueConstraint(fields=("round", "number"), name="table_once")
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="TableGame",
                    fields=[
                        (
                            "game",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.CASCADE,
                                primary_key=True,
                                related_name="at_table",
                                serialize=False,
                                to="games.game",
                            ),
                        ),
                        (
                            "table",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="link",
                                to="games.table",
                            ),
                        ),
                    ],
                ),
                migrations.CreateModel(
                    name="TablePlace",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "table",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="places",
                                to="games.table",
                            ),
                        ),
                        (
                            "entrant",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="places",
                                to="games.entrant",
                            ),
                        ),
                        ("seat", models.PositiveSmallIntegerField()),
                        ("rank", models.PositiveSmallIntegerField(null=True)),
                        (
                            "points",
                            models.PositiveSmallIntegerField(
                                help_text="In units of 1/840 of a point.", null=True
                            ),
                        ),
                        (
                            "ordered",
                            models.BooleanField(
                                help_text="Whether the player had submitted orders when the table was scored with its game unfinished. Null if they had lost the seat, or if the game was over.",
                                null=True,
                            ),
                        ),
                    ],
                    options={
                        "ordering": ["table", "seat"],
                        "constraints": [
                            models.UniqueConstraint(fields=("table", "seat"), name="table_seat_once"),
                            models.UniqueConstraint(fields=("table", "entrant"), name="table_entrant_once"),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Vote",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "game",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="votes",
                                to="games.game",
                            ),
                        ),
                        (
                            "kind",
                            models.CharField(
                                choices=[
                                    ("eject", "Replace a player"),
                                    ("pause", "Pause the game"),
                                    ("resume", "End the pause"),
                                    ("call-off", "Cancel the game"),
                                    ("concede", "Concede the game"),
                                ],
                                max_length=10,
                            ),
                        ),
                        (
                            "seat",
                            models.ForeignKey(
                                null=True,
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="+",
                                to="games.seat",
                            ),
                        ),
                        ("days", models.PositiveSmallIntegerField(null=True)),
                        (
                            "asked_by",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        ("turn", models.PositiveIntegerField(verbose_name="turn number")),
                        (
                            "status",
                            models.CharField(
                                choices=[
                                    ("open", "Open"),
                                    ("passed", "Passed"),
                                    ("refused", "Refused"),
                                    ("void", "No result"),
                                ],
                                default="open",
                                max_length=10,
                            ),
                        ),
                        ("opened_at", models.DateTimeField()),
                        ("closes_at", models.DateTimeField()),
                        ("closed_at", models.DateTimeField(null=True)),
                        ("voters", models.PositiveSmallIntegerField(null=True)),
                        ("ayes", models.PositiveSmallIntegerField(null=True)),
                        ("noes", models.PositiveSmallIntegerField(null=True)),
                    ],
                    options={
                        "ordering": ["-pk"],
                        "indexes": [
                            models.Index(
                                condition=models.Q(("status", "open")), fields=["closes_at"], name="votes_due"
                            )
                        ],
                        "constraints": [
                            models.UniqueConstraint(
                                condition=models.Q(("status", "open")),
                                fields=("game", "kind"),
                                name="vote_open_one_of_a_kind",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(
                                        ("ayes", None),
                                        ("closed_at", None),
                                        ("noes", None),
                                        ("status", "open"),
                                        ("voters", None),
                                    ),
                                    models.Q(
                                        models.Q(("status", "open"), _negated=True),
                                        ("ayes__isnull", False),
                                        ("closed_at__isnull", False),
                                        ("noes__isnull", False),
                                        ("voters__isnull", False),
                                    ),
                                    _connector="OR",
                                ),
                                name="vote_counted_when_closed",
                            ),
                            models.CheckConstraint(
                                condition=models.Q(
                                    models.Q(
                                        ("days", None),
                                        ("kind__in", ["eject", "concede"]),
                                        ("seat__isnull", False),
                                    ),
                                    models.Q(("days__isnull", False), ("kind", "pause"), ("seat", None)),
                                    models.Q(
                                        ("days", None), ("kind__in", ["resume", "call-off"]), ("seat", None)
                                    ),
                                    _connector="OR",
                                ),
                                name="vote_about_what_it_asks",
                            ),
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="Ballot",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        (
                            "game",
                            models.ForeignKey(
                                db_constraint=False,
                                db_index=False,
                                null=True,
                                on_delete=django.db.models.deletion.DO_NOTHING,
                                related_name="+",
                                to="games.game",
                            ),
                        ),
                        (
                            "vote",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.CASCADE,
                                related_name="ballots",
                                to="games.vote",
                            ),
                        ),
                        (
                            "user",
                            models.ForeignKey(
                                on_delete=django.db.models.deletion.PROTECT,
                                related_name="+",
                                to=settings.AUTH_USER_MODEL,
                            ),
                        ),
                        ("yes", models.BooleanField()),
                        ("cast_at", models.DateTimeField()),
                    ],
                    options={
                        "ordering": ["pk"],
                        "constraints": [
                            models.UniqueConstraint(fields=("vote", "user"), name="ballot_one_each")
                        ],
                    },
                ),
            ]
        ),
        migrations.RunSQL(KEEP_THE_LOG, LET_IT_GO),
        migrations.RunSQL(COUNT_TURNS, COUNT_NO_TURNS),
        migrations.RunPython(make_roles, migrations.RunPython.noop),
    ]
