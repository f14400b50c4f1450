"""Who a person is."""

from collections.abc import Collection
from typing import Any, ClassVar

from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.contrib.auth.models import PermissionsMixin
from django.core.validators import MaxValueValidator
from django.db import models, transaction
from django.db.models import F
from django.db.models.functions import Lower
from django.utils import timezone

from accounts import time_zones
from accounts.robo_names import lookalikes, retired, spelling
from accounts.users.choices import LOOKS, SPEEDS, Audience, CellSize, Manner, Motion, Standing, Theme

UNCONFIRMED = models.Q(email="", is_guest=False, deleted_at=None)
"""What makes a row a sign-up that waits: an address was typed, and is no one's until it is confirmed."""


class UserManager(BaseUserManager["User"]):
    """Finds and makes accounts; a Robo Name is the same in whatever case it is written."""

    def players(self) -> models.QuerySet["User"]:
        """The people whom others get to see: neither guests, nor sign-ups that wait, nor closed accounts."""
        return self.filter(is_guest=False, is_active=True).exclude(email="")

    def unconfirmed(self) -> models.QuerySet["User"]:
        """The sign-ups that wait for their address to be confirmed."""
        return self.filter(UNCONFIRMED)

    def get_by_natural_key(self, username: str | None) -> "User":
        """The person of that Robo Name, in any case; raises `User.DoesNotExist`."""
        return self.get(robo_name__iexact=username)

    def create_user(self, robo_name: str, email: str, password: str | None = None, **fields: Any) -> "User":
        """Make an account; without a password no one can log in to it until one is set by mail."""
        user = self.model(robo_name=robo_name, email=email.strip().lower(), **fields)
        user.set_password(password)
        user.save(using=self._db)
        return user

    def create_superuser(
        self, robo_name: str, email: str, password: str | None = None, **fields: Any
    ) -> "User":
        """Make an account for staff who may do everything.

        Its address counts as confirmed: who runs commands on the server has nothing to prove by mail.
        """
        with transaction.atomic(using=self._db):
            user = self.create_user(
                robo_name, email, password, **{**fields, "is_staff": True, "is_superuser": True}
            )
            user.confirm_email()
        return user


def _shown_to(help_text: str) -> Any:
    return {
        "max_length": 10,
        "choices": Audience,
        "default": Audience.EVERYBODY,
        "help_text": help_text,
    }


class User(AbstractBaseUser, PermissionsMixin):
    """A person, known to all others by Robo Name alone."""

    robo_name = models.CharField(
        "Robo Name",
        max_length=spelling.LONGEST,
        validators=[spelling.validate],
        help_text=f"{spelling.SHORTEST} to {spelling.LONGEST} letters, digits, hyphens and underscores. "
        "It is yours in every game, and stays as it is for good.",
    )
    skeleton = models.GeneratedField(
        expression=spelling.SKELETON,
        output_field=models.CharField(max_length=2 * spelling.LONGEST),
        db_persist=True,
        help_text="What the name has in common with those that look like it.",
    )
    looks_alike = models.BooleanField(
        default=False,
        db_default=False,
        editable=False,
        help_text="Looks like the name of a player who came before, from when such names were not refused.",
    )
    email = models.EmailField(
        "email address", help_text="Nobody else gets to see it. It is empty until it is confirmed."
    )
    time_zone = models.CharField(
        max_length=64,
        default="UTC",
        validators=[time_zones.validate],
        help_text="Deadlines and times are shown in it.",
    )
    manner = models.CharField(
        "mail about my games",
        max_length=10,
        choices=Manner,
        default=Manner.AT_ONCE,
        db_default=Manner.AT_ONCE,
        help_text="For all games but those for which you choose otherwise.",
    )
    standing = models.CharField(
        "standing orders",
        max_length=10,
        choices=Standing,
        default=Standing.LAID,
        db_default=Standing.LAID,
        help_text="What is played when I miss a turn, in games that have standing orders.",
    )
    daily_hour = models.PositiveSmallIntegerField(
        "hour of the daily mail",
        default=8,
        db_default=8,
        validators=[MaxValueValidator(23)],
        help_text="In your own time zone.",
    )
    lobby_mail = models.BooleanField(
        "mail about games that have not started",
        default=True,
        db_default=True,
        help_text="When somebody invites you, takes you out of a game, or cancels it. "
        "Invitations wait in My Room in any case.",
    )
    look = models.PositiveSmallIntegerField(
        "robot",
        null=True,
        blank=True,
        help_text="What your robot looks like, where nobody else in the game has it yet.",
    )
    shows_name = models.CharField(
        "Robo Name in Players",
        db_default=Audience.EVERYBODY,
        **_shown_to(
            "Who finds you when they search for players. Your page stays open to anyone who knows your "
            "Robo Name."
        ),
    )
    shows_games = models.CharField("games under way", **_shown_to("The public games that you play just now."))
    shows_history = models.CharField("history", **_shown_to("The public games that you have played."))
    shows_statistics = models.CharField("statistics", **_shown_to("What your robot did in all of them."))
    shows_achievements = models.CharField("achievements", **_shown_to("What you have earned, and when."))
    aid = models.BooleanField(
        "programming aid",
        default=True,
        help_text="Shows where your robot would stand, phase by phase, as you lay chips.",
    )
    speed = models.PositiveSmallIntegerField(
        "animation speed",
        default=100,
        choices=[(speed, f"{speed / 100:g}×") for speed in SPEEDS],
        help_text="How fast turns are played back.",
    )
    motion = models.CharField(
        max_length=10, choices=Motion, default=Motion.AUTO, help_text="How much moves while a turn is played."
    )
    theme = models.CharField("light", max_length=10, choices=Theme, default=Theme.AUTO)
    cell_size = models.CharField(max_length=10, choices=CellSize, default=CellSize.FIT)
    sound = models.BooleanField(
        default=False, help_text="Effects while a turn is played, and when it is your move."
    )
    volume = models.PositiveSmallIntegerField(
        "master volume", default=70, validators=[MaxValueValidator(100)], help_text="From 0 to 100."
    )
    effects_volume = models.PositiveSmallIntegerField(
        "effects volume", default=80, validators=[MaxValueValidator(100)], help_text="From 0 to 100."
    )
    music = models.BooleanField(
        default=False, db_default=False, help_text="Calm music while you play, made as it goes along."
    )
    music_volume = models.PositiveSmallIntegerField(
        "music volume",
        default=50,
        db_default=50,
        validators=[MaxValueValidator(100)],
        help_text="From 0 to 100.",
    )
    is_guest = models.BooleanField(
        "guest",
        default=False,
        editable=False,
        help_text="Plays training missions without having signed up, and becomes a person by signing up.",
    )
    is_staff = models.BooleanField("staff", default=False, help_text="May open the admin pages.")
    is_active = models.BooleanField(
        "active", default=True, help_text="May sign in. Take this away to lock somebody out for a while."
    )
    date_joined = models.DateTimeField("joined", default=timezone.now, editable=False)
    deleted_at = models.DateTimeField(
        "deleted",
        null=True,
        editable=False,
        help_text="Since then the row holds a place in games, and nothing about a person.",
    )

    objects: ClassVar[UserManager] = UserManager()

    USERNAME_FIELD = "robo_name"
    EMAIL_FIELD = "email"
    REQUIRED_FIELDS = ["email"]

    class Meta:
        ordering = ["robo_name"]
        indexes = [
            models.Index(fields=["skeleton"], name="robo_names_by_skeleton"),
            models.Index(fields=["date_joined"], name="guests", condition=models.Q(is_guest=True)),
            models.Index(fields=["date_joined"], name="unconfirmed", condition=UNCONFIRMED),
        ]
        constraints = [
            models.CheckConstraint(
                name="guest_without_an_address",
                condition=models.Q(is_guest=False, deleted_at=None) & ~models.Q(email="")
                | UNCONFIRMED & models.Q(is_staff=False, is_superuser=False, last_login=None)
                | models.Q(is_guest=True, deleted_at=None, email="", is_staff=False)
                | models.Q(
                    deleted_at__isnull=False,
                    email="",
                    is_guest=False,
                    is_active=False,
                    is_staff=False,
                    is_superuser=False,
                ),
            ),
            models.CheckConstraint(name="daily_hour_is_of_the_day", condition=models.Q(daily_hour__lte=23)),
            models.CheckConstraint(
                name="volumes_are_per_cent",
                condition=models.Q(volume__lte=100, effects_volume__lte=100, music_volume__lte=100),
            ),
            models.CheckConstraint(
                name="look_is_one_of_eight", condition=models.Q(look=None) | models.Q(look__range=(1, LOOKS))
            ),
            models.UniqueConstraint(
                Lower("robo_name"),
                name="robo_name_unique",
                violation_error_message="This Robo Name is taken: choose another.",
            ),
            models.UniqueConstraint(
                F("skeleton"),
                name="robo_name_like_no_other",
                condition=models.Q(looks_alike=False, is_guest=False, deleted_at=None),
                violation_error_message=spelling.LOOKS_LIKE_ANOTHER,
            ),
            models.UniqueConstraint(
                Lower("email"),
                name="email_unique",
                condition=~models.Q(email=""),
                violation_error_message="Another account has this email address.",
            ),
        ]

    def __str__(self) -> str:
        return self.robo_name

    @property
    def awaits_confirmation(self) -> bool:
        """Whether this is a sign-up whose address was not confirmed yet."""
        return not (self.email or self.is_guest or self.deleted_at)

    def clean(self) -> None:
        """Bring the address into the one form in which addresses are kept; refuse names that were deleted."""
        super().clean()
        self.email = self.email.strip().lower()
        if self._state.adding:
            lookalikes.check(self.robo_name, among=User.objects.all())
            retired.check(self.robo_name)

    def validate_constraints(self, exclude: Collection[str] | None = None) -> None:
        """Leave it to `clean` to say that a name looks like another's: for the same name it is too much."""
        super().validate_constraints(exclude={*(exclude or ()), "skeleton"})

    def confirm_email(self) -> None:
        """Record that the address is this person's, without asking by mail."""
        from allauth.account.models import EmailAddress  # needs this model first

        EmailAddress.objects.update_or_create(
            user=self, email=self.email, defaults={"primary": True, "verified": True}
        )
