"""Store reports of players, ships and reviews in one table, each with its case.

The reports of a ship get a case for each decision, and one case for all open reports. Reports of players get
new IDs. The permissions to view and change reports become permissions for cases of ships. The old tables are
dropped at once, because there was no public release yet.
"""

from typing import Any

import django.db.models.deletion
from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.models import Q

MOVE = """
INSERT INTO games_case (starship_id, draft_id, review_id, status, opened_at, decided_at, dismissed)
SELECT starship_id, draft_id, review_id, CASE WHEN closed_at IS NULL THEN 'open' ELSE 'decided' END,
    min(at), closed_at, outcome = 'dismissed'
FROM games_report GROUP BY starship_id, draft_id, review_id, closed_at, outcome;

UPDATE games_report r SET case_id = c.id FROM games_case c
WHERE c.person_id IS NULL AND c.decided_at IS NOT DISTINCT FROM r.closed_at
AND (c.starship_id, c.draft_id, c.review_id) IS NOT DISTINCT FROM (r.starship_id, r.draft_id, r.review_id)
AND c.dismissed = (r.outcome = 'dismissed');

UPDATE django_admin_log l SET object_id = r.case_id FROM games_report r, django_content_type t
WHERE l.object_id = r.id::text AND l.content_type_id = t.id AND (t.app_label, t.model) = ('games', 'report');

INSERT INTO games_report (case_id, reporter_id, about, reason, text, line_id, club_id, game_id, at, outcome)
SELECT case_id, reporter_id, about, rule, text, line_id, club_id, game_id, at, ''
FROM games_playerreport ORDER BY id;

SET CONSTRAINTS ALL IMMEDIATE
"""

MOVE_BACK = """
INSERT INTO games_playerreport (case_id, reporter_id, about, rule, text, line_id, club_id, game_id, at)
SELECT case_id, reporter_id, about, reason, text, line_id, club_id, game_id, at
FROM games_report WHERE about != '' ORDER BY id;

DELETE FROM games_report WHERE about != '';

UPDATE django_admin_log l SET object_id = r.id
FROM (SELECT case_id, min(id) AS id FROM games_report GROUP BY case_id) r, django_content_type t
WHERE l.object_id = r.case_id::text AND l.content_type_id = t.id AND (t.app_label, t.model) = ('games', 'report');

UPDATE games_report r SET starship_id = c.starship_id, draft_id = c.draft_id, review_id = c.review_id,
    closed_at = c.decided_at, case_id = NULL,
    outcome = CASE WHEN c.decided_at IS NULL THEN '' WHEN c.dismissed THEN 'dismissed' ELSE 'taken-down' END
FROM games_case c WHERE c.id = r.case_id;

DELETE FROM games_case WHERE person_id IS NULL;

SET CONSTRAINTS ALL IMMEDIATE
"""


def rights_to_cases(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    _move(apps, "report", "shipcase", "ship case")
    apps.get_model("contenttypes", "ContentType").objects.filter(app_label="games", model="playerreport").delete()


def rights_to_reports(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    _move(apps, "shipcase", "report", "report")


def _move(apps: Apps, before: str, after: str, words: str) -> None:
    """Move the view and change permissions and the admin log's entries from one model to another."""
    types = apps.get_model("contenttypes", "ContentType").objects
    old, _made = types.get_or_create(app_label="games", model=before)
    new, _made = types.get_or_create(app_label="games", model=after)
    apps.get_model("admin", "LogEntry").objects.filter(content_type=old).update(content_type=new)
    permissions = apps.get_model("auth", "Permission").objects
    for verb in ("view", "change"):
        named = {"name": f"Can {verb} {words}"}
        right, _made = permissions.get_or_create(
            content_type=new, codename=f"{verb}_{after}", defaults=named
        )
        held = {"content_type": old, "codename": f"{verb}_{before}"}
        for model, column in (("auth.Group", "permissions"), ("accounts.User", "user_permissions")):
            holders: Any = apps.get_model(model).objects
            for holder in holders.filter(**{f"{column}__{name}": value for name, value in held.items()}):
                getattr(holder, column).add(right)
        permissions.filter(**held).delete()


def lost(model: str) -> Any:
    return models.ForeignKey(
        null=True, on_delete=django.db.models.deletion.SET_NULL, related_name="+", to=f"games.{model}"
    )


class Migration(migrations.Migration):
    dependencies = [
        ("admin", "0003_logentry_add_action_flag_choices"),
        ("games", "0004_cases_of_ships"),
    ]

    operations = [
        *(
            migrations.RemoveConstraint("report", name)
            for name in (
                "report_of_a_starship_open_once",
                "report_of_a_draft_open_once",
                "report_of_a_review_open_once",
                "report_about_one_thing",
                "report_open_or_decided",
            )
        ),
        *(
            migrations.RemoveIndex("report", name)
            for name in ("reports_of_a_person", "reports_open", "reports_closed")
        ),
        migrations.RenameField("report", "created_at", "at"),
        migrations.AlterModelOptions("report", {"ordering": ["-at", "-pk"]}),
        migrations.AddField(
            "report",
            "case",
            models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="reports",
                to="games.case",
            ),
        ),
        migrations.AddField(
            "report",
            "about",
            models.CharField(
                blank=True,
                choices=[
                    ("chat", "Chat line"),
                    ("name", "Robo Name"),
                    ("club", "Club"),
                    ("behaviour", "Behaviour"),
                ],
                max_length=10,
                default="",
            ),
            preserve_default=False,
        ),
        migrations.AddField("report", "line", lost("chatline")),
        migrations.AddField("report", "club", lost("club")),
        migrations.AddField("report", "game", lost("game")),
        migrations.RunSQL(MOVE, MOVE_BACK),
        migrations.AlterField(
            "report",
            "case",
            models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="reports", to="games.case"
            ),
        ),
        *(
            migrations.RemoveField("report", name)
            for name in ("starship", "draft", "review", "closed_at", "outcome")
        ),
        migrations.AlterField(
            "report",
            "reason",
            models.CharField(
                choices=[
                    ("polite", "Be polite"),
                    ("own-work", "Publish your own work"),
                    ("finish", "Finish what you start"),
                    ("own-seat", "Play your own seat"),
                    ("programs", "Identify bots as bots"),
                    ("privacy", "Respect privacy"),
                    ("weaknesses", "Report security flaws"),
                    ("copied", "Copied from another builder"),
                    ("offensive", "Offensive"),
                    ("unplayable", "Unplayable on purpose"),
                    ("other", "Something else"),
                ],
                max_length=10,
            ),
        ),
        migrations.AddIndex(
            "report", models.Index(fields=["reporter", "-at"], name="reports_of_a_person")
        ),
        migrations.AddConstraint(
            "report",
            models.UniqueConstraint(
                fields=["reporter", "case", "about"],
                name="report_once",
                condition=Q(about__in=["", "name"]),
            ),
        ),
        migrations.DeleteModel("PlayerReport"),
        migrations.RunPython(rights_to_cases, rights_to_reports),
    ]
