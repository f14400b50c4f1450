"""Who a person is."""

from collections.abc import Collection
from typing import Any, ClassVar

from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.contrib.auth.models import PermissionsMixin
from django.contrib.postgres.fields import ArrayField
from django.core.validators import MaxValueValidator
from django.db import models, transaction
from django.db.models import F, Value
from django.db.models.functions import Lower, Upper
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.text import format_lazy
from django.utils.translation import gettext_lazy as _

from accounts import time_zones
from accounts.robo_names import lookalikes, retired, spelling
from accounts.users.choices import LOOKS, SPEEDS, Audience, CellSize, Frequency, Motion, Standing, Theme
from accounts.users.mailboxes import mailbox_of

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
        user = self.model(robo_name=robo_name, email=mailbox_of(email), **fields)
        user.set_password(password)
        user.save(using=self._db)
        return user

    def create_superuser(
        self, robo_name: str, email: str, password: str | None = None, **fields: Any
    ) -> "User":
        """Make an account for staff who may do everything.

        Its address counts as confirmed: who runs commands on the server has nothing to prove by mail. Raises
        ValidationError for a name that looks like another player's.
        """
        lookalikes.check(robo_name, among=self.all())
        retired.check(robo_name)
        with transaction.atomic(using=self._db):
            user = self.create_user(
                robo_name, email, password, **{**fields, "is_staff": True, "is_superuser": True}
            )
            user.confirm_email()
        return user


def _shown_to(help_text: str | Promise) -> Any:
    return {
        "max_length": 10,
        "choices": Audience,
        "default": Audience.EVERYBODY,
        "help_text": help_text,
    }


class User(AbstractBaseUser, PermissionsMixin):
    """A person, known to all others by Robo Name alone."""

    robo_name = models.CharField(
        _("Robo Name"),
        max_length=spelling.LONGEST,
        validators=[spelling.validate],
        help_text=format_lazy(
            _(
                "{shortest} to {longest} letters, digits, hyphens and underscores."
                " It is yours in every game, and you cannot change it later."
            ),
            shortest=spelling.SHORTEST,
            longest=spelling.LONGEST,
        ),
    )
    skeleton = models.GeneratedField(
        expression=spelling.SKELETON,
        output_field=models.CharField(max_length=2 * spelling.LONGEST),
        db_persist=True,
        help_text=_("What the name has in common with those that look like it."),
    )
    email = models.EmailField(
        _("email address"), help_text=_("No one else sees it. It is empty until it is confirmed.")
    )
    time_zone = models.CharField(
        _("time zone"),
        max_length=64,
        default="UTC",
        validators=[time_zones.validate],
        help_text=_("Times and deadlines are shown in this time zone."),
    )
    manner = models.CharField(
        _("mail about my games"),
        max_length=10,
        choices=Frequency,
        default=Frequency.AT_ONCE,
        db_default=Frequency.AT_ONCE,
        help_text=_("For all games, except those with a choice of their own."),
    )
    standing = models.CharField(
        _("standing orders"),
        max_length=10,
        choices=Standing,
        default=Standing.LAID,
        db_default=Standing.LAID,
        help_text=_("What is played if you miss a turn, in games with standing orders."),
    )
    daily_hour = models.PositiveSmallIntegerField(
        _("hour of the daily mail"),
        default=8,
        db_default=8,
        validators=[MaxValueValidator(23)],
        help_text=_("In your time zone."),
    )
    lobby_mail = models.BooleanField(
        _("mail about games that have not started"),
        default=True,
        db_default=True,
        help_text=_(
            "If a player invites you, removes you from a game, or cancels it."
            " Invitations are in My Room in any case."
        ),
    )
    silenced = ArrayField(
        models.CharField(max_length=10),
        verbose_name=_("silenced notifications"),
        default=list,
        db_default=Value([], ArrayField(models.CharField(max_length=10))),
        blank=True,
        help_text=_("The kinds of notification that never come."),
    )
    starship_mail = models.BooleanField(
        _("mail about starships"),
        default=True,
        db_default=True,
        help_text=_(
            "Reviews and answers, what becomes of your prototypes, and what waits for you on the design"
            " committee. It comes once a day if your mail about games does, and at once if not."
        ),
    )
    look = models.PositiveSmallIntegerField(
        _("robot"),
        null=True,
        blank=True,
        help_text=_("Your robot in games where no other player has it yet."),
    )
    shows_name = models.CharField(
        _("Robo Name in Players"),
        db_default=Audience.EVERYBODY,
        **_shown_to(
            _(
                "Who can find you when they search for players."
                " Anyone who knows your Robo Name can still open your page."
            )
        ),
    )
    shows_games = models.CharField(
        _("games under way"), **_shown_to(_("The public games that you are playing."))
    )
    shows_history = models.CharField(_("history"), **_shown_to(_("The public games that you have played.")))
    shows_statistics = models.CharField(
        _("statistics"), **_shown_to(_("What your robot did in all these games."))
    )
    shows_achievements = models.CharField(
        _("achievements"), **_shown_to(_("What you have earned, and when."))
    )
    aid = models.BooleanField(
        _("programming aid"),
        default=True,
        help_text=_("Shows where your robot would stand, phase by phase, as you lay chips."),
    )
    speed = models.PositiveSmallIntegerField(
        _("animation speed"),
        default=100,
        choices=[(speed, f"{speed / 100:g}×") for speed in SPEEDS],
        help_text=_("How fast turns are played back."),
    )
    motion = models.CharField(
        _("motion"),
        max_length=10,
        choices=Motion,
        default=Motion.AUTO,
        help_text=_("How much moves while a turn is played."),
    )
    theme = models.CharField(_("light"), max_length=10, choices=Theme, default=Theme.AUTO)
    cell_size = models.CharField(_("cell size"), max_length=10, choices=CellSize, default=CellSize.FIT)
    sound = models.BooleanField(
        _("sound"), default=False, help_text=_("Effects while a turn is played, and when it is your move.")
    )
    volume = models.PositiveSmallIntegerField(
        _("master volume"), default=70, validators=[MaxValueValidator(100)], help_text=_("From 0 to 100.")
    )
    effects_volume = models.PositiveSmallIntegerField(
        _("effects volume"), default=80, validators=[MaxValueValidator(100)], help_text=_("From 0 to 100.")
    )
    music = models.BooleanField(
        _("music"),
        default=False,
        db_default=False,
        help_text=_("Calm music while you play, composed on the fly."),
    )
    music_volume = models.PositiveSmallIntegerField(
        _("music volume"),
        default=50,
        db_default=50,
        validators=[MaxValueValidator(100)],
        help_text=_("From 0 to 100."),
    )
    chat_filter = models.BooleanField(
        _("hide rude words in chat"),
        default=True,
        db_default=True,
        help_text=_("Lines of other players with rude words in them are folded. You can open each of them."),
    )
    is_guest = models.BooleanField(
        _("guest"),
        default=False,
        editable=False,
        help_text=_("Plays without an account, and gets one by signing up."),
    )
    is_staff = models.BooleanField(_("staff"), default=False, help_text=_("Can open the admin pages."))
    is_active = models.BooleanField(
        _("active"), default=True, help_text=_("Can log in. Clear this to lock the account for a while.")
    )
    date_joined = models.DateTimeField(_("joined"), default=timezone.now, editable=False)
    deleted_at = models.DateTimeField(
        _("deleted"),
        null=True,
        editable=False,
        help_text=_("Since then this row only keeps a place in games, without personal data."),
    )

    objects: ClassVar[UserManager] = UserManager()

    USERNAME_FIELD = "robo_name"
    EMAIL_FIELD = "email"
    REQUIRED_FIELDS = ["email"]

    class Meta:
        ordering = ["robo_name"]
        indexes = [
            models.Index(fields=["skeleton"], name="robo_names_by_skeleton"),
            # What `iexact` compares: the unique indexes are of small letters.
            models.Index(Upper("robo_name"), name="robo_names_in_any_case"),
            models.Index(Upper("email"), name="addresses_in_any_case"),
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
                violation_error_message=_("This Robo Name is taken: choose another."),
            ),
            models.UniqueConstraint(
                F("skeleton"),
                name="robo_name_like_no_other",
                condition=models.Q(is_guest=False, deleted_at=None),
                violation_error_message=spelling.LOOKS_LIKE_ANOTHER,
            ),
            models.UniqueConstraint(
                Lower("email"),
                name="email_unique",
                condition=~models.Q(email=""),
                violation_error_message=_("Another account has this email address."),
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
        self.email = mailbox_of(self.email)
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
