import django.contrib.postgres.fields
import django.core.validators
import django.db.models.deletion
import django.db.models.functions.text
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

import accounts.robo_names
import accounts.time_zones


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("auth", "0012_alter_user_first_name_max_length"),
    ]

    operations = [
        migrations.CreateModel(
            name="User",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("password", models.CharField(max_length=128, verbose_name="password")),
                ("last_login", models.DateTimeField(blank=True, null=True, verbose_name="last login")),
                (
                    "is_superuser",
                    models.BooleanField(
                        default=False,
                        help_text="Designates that this user has all permissions without explicitly assigning them.",
                        verbose_name="superuser status",
                    ),
                ),
                (
                    "robo_name",
                    models.CharField(
                        help_text="3 to 20 letters, digits, hyphens and underscores. You use it in every game and can’t change it later.",
                        max_length=20,
                        validators=[accounts.robo_names.validate],
                        verbose_name="Robo Name",
                    ),
                ),
                (
                    "skeleton",
                    models.GeneratedField(
                        db_persist=True,
                        expression=django.db.models.functions.text.Replace(
                            models.Func(
                                django.db.models.functions.text.Lower(models.F("robo_name")),
                                models.Value("i10-_"),
                                models.Value("llo"),
                                function="TRANSLATE",
                            ),
                            models.Value("m"),
                            models.Value("rn"),
                        ),
                        help_text="The form that this name shares with all names that look like it.",
                        output_field=models.CharField(max_length=40),
                    ),
                ),
                (
                    "email",
                    models.EmailField(
                        help_text="No one else sees it. It is empty until it is confirmed.",
                        max_length=254,
                        verbose_name="email address",
                    ),
                ),
                (
                    "time_zone",
                    models.CharField(
                        default="UTC",
                        help_text="Times and deadlines are shown in this time zone.",
                        max_length=64,
                        validators=[accounts.time_zones.validate],
                        verbose_name="time zone",
                    ),
                ),
                (
                    "manner",
                    models.CharField(
                        choices=[
                            ("at once", "At once"),
                            ("daily", "Once a day"),
                            ("one", "One, then none until I visit"),
                            ("none", "Not at all"),
                        ],
                        db_default="at once",
                        default="at once",
                        help_text="For all games except those with their own setting.",
                        max_length=10,
                        verbose_name="mail about my games",
                    ),
                ),
                (
                    "standing",
                    models.CharField(
                        choices=[("laid", "My draft"), ("ahead", "Straight ahead"), ("down", "Power down")],
                        db_default="laid",
                        default="laid",
                        help_text="Played if you miss a turn, in games with standing orders.",
                        max_length=10,
                        verbose_name="standing orders",
                    ),
                ),
                (
                    "daily_hour",
                    models.PositiveSmallIntegerField(
                        db_default=8,
                        default=8,
                        help_text="In your time zone.",
                        validators=[django.core.validators.MaxValueValidator(23)],
                        verbose_name="hour of the daily email",
                    ),
                ),
                (
                    "lobby_mail",
                    models.BooleanField(
                        db_default=True,
                        default=True,
                        help_text="When a player invites you, a host removes you, or a game is cancelled. You’ll always find invitations in My Room.",
                        verbose_name="mail about games that have not started",
                    ),
                ),
                (
                    "silenced",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(max_length=10),
                        blank=True,
                        db_default=models.Value(
                            [],
                            django.contrib.postgres.fields.ArrayField(
                                base_field=models.CharField(max_length=10), size=None
                            ),
                        ),
                        default=list,
                        help_text="Notifications that you turned off.",
                        size=None,
                        verbose_name="silenced notifications",
                    ),
                ),
                (
                    "starship_mail",
                    models.BooleanField(
                        db_default=True,
                        default=True,
                        help_text="Reviews, replies, your prototypes, and requests to the design committee. This mail comes once a day if your mail about games does, and otherwise immediately.",
                        verbose_name="mail about starships",
                    ),
                ),
                (
                    "look",
                    models.PositiveSmallIntegerField(
                        blank=True,
                        help_text="Your robot, unless another player in the game already has it.",
                        null=True,
                        verbose_name="robot",
                    ),
                ),
                (
                    "shows_name",
                    models.CharField(
                        choices=[
                            ("everybody", "Everyone"),
                            ("players", "Fellow players"),
                            ("nobody", "Only me"),
                        ],
                        db_default="everybody",
                        default="everybody",
                        help_text="Who can find you when they search for players. Anyone who knows your Robo Name can still open your page.",
                        max_length=10,
                        verbose_name="Robo Name in the player search",
                    ),
                ),
                (
                    "shows_games",
                    models.CharField(
                        choices=[
                            ("everybody", "Everyone"),
                            ("players", "Fellow players"),
                            ("nobody", "Only me"),
                        ],
                        default="everybody",
                        help_text="The public games that you are playing.",
                        max_length=10,
                        verbose_name="running games",
                    ),
                ),
                (
                    "shows_history",
                    models.CharField(
                        choices=[
                            ("everybody", "Everyone"),
                            ("players", "Fellow players"),
                            ("nobody", "Only me"),
                        ],
                        default="everybody",
                        help_text="The public games that you have played.",
                        max_length=10,
                        verbose_name="history",
                    ),
                ),
                (
                    "shows_statistics",
                    models.CharField(
                        choices=[
                            ("everybody", "Everyone"),
                            ("players", "Fellow players"),
                            ("nobody", "Only me"),
                        ],
                        default="everybody",
                        help_text="Your robot’s counts and results in your public games.",
                        max_length=10,
                        verbose_name="statistics",
                    ),
                ),
                (
                    "shows_achievements",
                    models.CharField(
                        choices=[
                            ("everybody", "Everyone"),
                            ("players", "Fellow players"),
                            ("nobody", "Only me"),
                        ],
                        default="everybody",
                        help_text="Your achievements and their dates.",
                        max_length=10,
                        verbose_name="achievements",
                    ),
                ),
                (
                    "aid",
                    models.BooleanField(
                        default=True,
                        help_text="Shows your robot’s path, phase by phase, while you place chips.",
                        verbose_name="programming aid",
                    ),
                ),
                (
                    "speed",
                    models.PositiveSmallIntegerField(
                        choices=[(50, "0.5×"), (100, "1×"), (200, "2×"), (400, "4×")],
                        default=100,
                        help_text="How fast turns are played back.",
                        verbose_name="animation speed",
                    ),
                ),
                (
                    "motion",
                    models.CharField(
                        choices=[
                            ("auto", "Same as my system"),
                            ("full", "Full"),
                            ("reduced", "No animation"),
                        ],
                        default="auto",
                        help_text="The amount of animation in the playback.",
                        max_length=10,
                        verbose_name="motion",
                    ),
                ),
                (
                    "theme",
                    models.CharField(
                        choices=[("auto", "Same as my system"), ("light", "Day"), ("dark", "Night")],
                        default="auto",
                        max_length=10,
                        verbose_name="light",
                    ),
                ),
                (
                    "cell_size",
                    models.CharField(
                        choices=[
                            ("fit", "Fit to page"),
                            ("small", "Small"),
                            ("medium", "Medium"),
                            ("large", "Large"),
                        ],
                        default="fit",
                        max_length=10,
                        verbose_name="cell size",
                    ),
                ),
                (
                    "sound",
                    models.BooleanField(
                        default=False,
                        help_text="Sound effects during the playback and when it’s your turn.",
                        verbose_name="sound",
                    ),
                ),
                (
                    "volume",
                    models.PositiveSmallIntegerField(
                        default=70,
                        help_text="From 0 to 100.",
                        validators=[django.core.validators.MaxValueValidator(100)],
                        verbose_name="master volume",
                    ),
                ),
                (
                    "effects_volume",
                    models.PositiveSmallIntegerField(
                        default=80,
                        help_text="From 0 to 100.",
                        validators=[django.core.validators.MaxValueValidator(100)],
                        verbose_name="effects volume",
                    ),
                ),
                (
                    "music",
                    models.BooleanField(
                        db_default=False,
                        default=False,
                        help_text="Calm music, composed while you play.",
                        verbose_name="music",
                    ),
                ),
                (
                    "music_volume",
                    models.PositiveSmallIntegerField(
                        db_default=50,
                        default=50,
                        help_text="From 0 to 100.",
                        validators=[django.core.validators.MaxValueValidator(100)],
                        verbose_name="music volume",
                    ),
                ),
                (
                    "chat_filter",
                    models.BooleanField(
                        db_default=True,
                        default=True,
                        help_text="Hides other players’ messages that contain rude words. You can still open each of them.",
                        verbose_name="hide rude words in chat",
                    ),
                ),
                (
                    "is_guest",
                    models.BooleanField(
                        default=False,
                        editable=False,
                        help_text="Plays without an account until they sign up.",
                        verbose_name="guest",
                    ),
                ),
                (
                    "is_staff",
                    models.BooleanField(
                        default=False, help_text="Can open the admin pages.", verbose_name="staff"
                    ),
                ),
                (
                    "is_active",
                    models.BooleanField(
                        default=True,
                        help_text="Can log in. Untick to lock the account.",
                        verbose_name="active",
                    ),
                ),
                (
                    "date_joined",
                    models.DateTimeField(
                        default=django.utils.timezone.now, editable=False, verbose_name="joined"
                    ),
                ),
                (
                    "deleted_at",
                    models.DateTimeField(
                        editable=False,
                        help_text="Since then, this row has held no personal data. It only preserves the places in games.",
                        null=True,
                        verbose_name="deleted",
                    ),
                ),
                (
                    "groups",
                    models.ManyToManyField(
                        blank=True,
                        help_text="The groups this user belongs to. A user will get all permissions granted to each of their groups.",
                        related_name="user_set",
                        related_query_name="user",
                        to="auth.group",
                        verbose_name="groups",
                    ),
                ),
                (
                    "user_permissions",
                    models.ManyToManyField(
                        blank=True,
                        help_text="Specific permissions for this user.",
                        related_name="user_set",
                        related_query_name="user",
                        to="auth.permission",
                        verbose_name="user permissions",
                    ),
                ),
            ],
            options={
                "ordering": ["robo_name"],
                "indexes": [
                    models.Index(fields=["skeleton"], name="robo_names_by_skeleton"),
                    models.Index(
                        django.db.models.functions.text.Upper("robo_name"), name="robo_names_in_any_case"
                    ),
                    models.Index(
                        django.db.models.functions.text.Upper("email"), name="addresses_in_any_case"
                    ),
                    models.Index(
                        condition=models.Q(("is_guest", True)), fields=["date_joined"], name="guests"
                    ),
                    models.Index(
                        condition=models.Q(("deleted_at", None), ("email", ""), ("is_guest", False)),
                        fields=["date_joined"],
                        name="unconfirmed",
                    ),
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            models.Q(
                                ("deleted_at", None),
                                ("is_guest", False),
                                models.Q(("email", ""), _negated=True),
                            ),
                            models.Q(
                                ("deleted_at", None),
                                ("email", ""),
                                ("is_guest", False),
                                ("is_staff", False),
                                ("is_superuser", False),
                                ("last_login", None),
                            ),
                            models.Q(
                                ("deleted_at", None), ("email", ""), ("is_guest", True), ("is_staff", False)
                            ),
                            models.Q(
                                ("deleted_at__isnull", False),
                                ("email", ""),
                                ("is_active", False),
                                ("is_guest", False),
                                ("is_staff", False),
                                ("is_superuser", False),
                            ),
                            _connector="OR",
                        ),
                        name="guest_without_an_address",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("daily_hour__lte", 23)), name="daily_hour_is_of_the_day"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("effects_volume__lte", 100), ("music_volume__lte", 100), ("volume__lte", 100)
                        ),
                        name="volumes_are_per_cent",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(("look", None), ("look__range", (1, 8)), _connector="OR"),
                        name="look_is_one_of_eight",
                    ),
                    models.UniqueConstraint(
                        django.db.models.functions.text.Lower("robo_name"),
                        name="robo_name_unique",
                        violation_error_message="This Robo Name is taken. Choose another.",
                    ),
                    models.UniqueConstraint(
                        models.F("skeleton"),
                        condition=models.Q(("deleted_at", None), ("is_guest", False)),
                        name="robo_name_like_no_other",
                        violation_error_message="This looks too much like another player’s Robo Name. Choose another.",
                    ),
                    models.UniqueConstraint(
                        django.db.models.functions.text.Lower("email"),
                        condition=models.Q(("email", ""), _negated=True),
                        name="email_unique",
                        violation_error_message="Another account has this email address.",
                    ),
                ],
            },
        ),
        migrations.CreateModel(
            name="ClosedAddress",
            fields=[
                ("digest", models.CharField(max_length=64, primary_key=True, serialize=False)),
                (
                    "cause",
                    models.CharField(
                        choices=[("came back", "Mail bounced"), ("asked", "The owner opted out")],
                        max_length=10,
                    ),
                ),
                ("reason", models.CharField(blank=True, max_length=300)),
                ("closed_at", models.DateTimeField()),
            ],
        ),
        migrations.CreateModel(
            name="AccountMail",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("kind", models.CharField(max_length=80)),
                ("address", models.EmailField(max_length=254)),
                ("subject", models.TextField()),
                ("body", models.TextField()),
                ("created_at", models.DateTimeField()),
                ("good_until", models.DateTimeField()),
                ("attempts", models.PositiveIntegerField(default=0)),
                ("lease_until", models.DateTimeField(null=True)),
                ("offered_at", models.DateTimeField(null=True)),
                ("last_error", models.TextField(blank=True, default="")),
            ],
        ),
        migrations.CreateModel(
            name="RetiredName",
            fields=[
                ("digest", models.CharField(max_length=64, primary_key=True, serialize=False)),
            ],
        ),
        migrations.CreateModel(
            name="Trace",
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
                        related_name="traces",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "kind",
                    models.CharField(choices=[("browser", "browser"), ("network", "network")], max_length=10),
                ),
                ("digest", models.CharField(max_length=64)),
                ("first_at", models.DateTimeField()),
                ("last_at", models.DateTimeField()),
            ],
            options={
                "indexes": [
                    models.Index(fields=["digest"], name="traces_alike"),
                    models.Index(fields=["last_at"], name="traces_by_age"),
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("user", "kind", "digest"), name="trace_once")
                ],
            },
        ),
    ]
