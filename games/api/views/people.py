"""The caller, their tokens, and when their clocks stand still; and other people."""

from datetime import timedelta

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from rest_framework.permissions import AllowAny
from rest_framework.request import Request

from accounts import backend
from accounts.models import Standing
from accounts.settings import SETTINGS, change_settings
from games.absence.missed_turns import change_standing
from games.api import documents
from games.clocks.clock import HOUR, LONGEST_NIGHT, MOST_DAYS_OFF
from games.clocks.selectors import calendar_of, rest_of
from games.clocks.services import change_rest
from games.errors import Forbidden, TooMany, written
from games.lobby.selectors.invitations import invitations_for
from games.lobby.selectors.rooms import waiting_games
from games.news.services import change_news
from games.people.selectors.people import PersonView, person_page
from games.play.services.vacations import call_off_vacation, plan_vacation
from games.tokens.models import LIFETIME
from games.tokens.selectors import token_shown, tokens_of
from games.tokens.services import LONGEST, make_token, revoke_own_token
from games.web import answers
from games.web.answers import Unauthorized
from games.web.api import Answered, Values, call, person
from games.web.inputs import Day, Flag, Items, Strict, Text, TimeOfDay, WholeNumber
from games.web.queries import PersonQuery


class LoginSerializer(Strict):
    """Who wants a token."""

    login = Text(help_text="Robo Name or email address, in any case.")
    password = Text(trim_whitespace=False)
    code = Text(
        required=False,
        help_text="Of an authenticator app, or a recovery code: where the account has a second factor.",
    )
    name = Text(default="", allow_blank=True, help_text="What I call the token.")
    days = WholeNumber(
        default=LIFETIME, min_value=1, max_value=LONGEST, help_text="For how many days the token is good."
    )


class NewsSerializer(Strict):
    """How mail tells someone of their games, and what chats show them."""

    manner = Text(required=False, help_text="at once, daily, one (until I visit), none.")
    daily_hour = WholeNumber(
        required=False, min_value=0, max_value=23, help_text="The hour of the daily mail, in my time zone."
    )
    lobby_mail = Flag(required=False, help_text="Whether mail tells of games that have not started.")
    starship_mail = Flag(required=False, help_text="Whether mail tells of starships.")
    silenced = Items(
        child=Text(), required=False, max_length=50, help_text="Kinds of notification that never come."
    )
    chat_filter = Flag(required=False, help_text="Whether rude lines of chats are hidden from me.")


THERE_ARE = ", ".join(f"{standing.value} ({standing.label.lower()})" for standing in Standing)


class StandingSerializer(Strict):
    """What is played for me where I miss a turn, in all games that have standing orders."""

    standing = Text(help_text=f"One of: {THERE_ARE}.")


class TimeSerializer(Strict):
    """When my clocks stand still, by the time of where I live; what is not named stays as it is."""

    days_off = Items(
        child=WholeNumber(min_value=0, max_value=6),
        required=False,
        help_text=f"Up to {MOST_DAYS_OFF} days of the week, from 0 for Monday to 6.",
    )
    night = Items(
        child=TimeOfDay(),
        required=False,
        allow_null=True,
        min_length=2,
        max_length=2,
        error_messages=dict.fromkeys(
            ("min_length", "max_length"), gettext_lazy("A night has a beginning and an end.")
        ),
        help_text="From when to when I sleep, null for never;"
        f' up to {LONGEST_NIGHT // HOUR} hours: `["22:00", "07:00"]`.',
    )
    takes_vacation = Flag(
        required=False,
        help_text="Take a day of vacation when my time would be up, though I have planned none.",
    )


class VacationSerializer(Strict):
    """From when to when I am away, both days included, by the calendar of where I live."""

    first = Day()
    last = Day()


@call(
    "POST",
    "Create a token",
    documents.TokenView,
    401,
    422,
    status=201,
    takes=LoginSerializer,
    example={"login": "alice", "password": "…", "name": "My bot"},
    authentication_classes=(),
    permission_classes=(AllowAny,),
    throttle_classes=(answers.Tokens,),
)
def create_token(request: Request, asked: Values) -> Answered:
    """Make a token, with which a program acts for a person."""
    name, days, now = asked.pop("name"), asked.pop("days"), timezone.now()
    try:
        user = backend.person_of(request=request._request, **asked)
    except backend.TooManyAttempts:
        detail = _("Too many tries with a wrong password. Please wait five minutes.")
        raise TooMany(detail, backend.WAIT) from None
    except backend.AccountLocked:
        raise Forbidden("closed", _("Staff locked this account. Ask them to unlock it.")) from None
    except backend.AddressUnconfirmed:
        detail = _("Confirm your email address first: the link is in the mail that you were sent.")
        raise Forbidden("unconfirmed", detail) from None
    except backend.CodeMissing:
        detail = _(
            "This account has a second factor: send the “code” of its app, or a recovery code, as well."
        )
        raise Forbidden("code-missing", detail) from None
    if user is None:
        raise Unauthorized(
            "wrong-login",
            _(
                "No account has this name or address with this password, or this code. After five wrong"
                " passwords, wait five minutes."
            ),
        )
    token = make_token(user=user, now=now, name=name, days=days)
    return {"token": token, "expires_at": now + timedelta(days=days)}


@call("GET", "List my tokens", documents.OwnTokensView)
def list_tokens(request: Request) -> Answered:
    """By name, age and last use. There are at most 50: with one more, the one longest out of use goes."""
    return _tokens_of(request)


@call("DELETE", "Revoke a token", documents.OwnTokensView)
def revoke_token(request: Request, token_id: int) -> Answered:
    """It opens nothing any more: of mine whichever, the one that this request shows, too."""
    revoke_own_token(user=person(request), token_id=token_id)
    return _tokens_of(request)


@call("GET", "Get my account", documents.MeView)
def get_me(request: Request) -> Answered:
    """Robo Name, preferences, numbers of games."""
    return documents.of_person(person(request))


@call(
    "PATCH",
    "Change my mail and chat settings",
    documents.MeView,
    422,
    takes=NewsSerializer,
    example={"manner": "daily", "daily_hour": 7},
)
def update_me(request: Request, asked: Values) -> Answered:
    """What is not named stays as it is."""
    user = person(request)
    kept = {"manner": user.manner, "daily_hour": user.daily_hour}
    pages = {name: asked.pop(name) for name in SETTINGS if name in asked}
    change_news(user=user, now=timezone.now(), **{**kept, **asked})
    change_settings(user=user, chosen=pages)
    return documents.of_person(user)


@call("GET", "List games that wait for my move", documents.WaitingView)
def list_waiting_games(request: Request) -> Answered:
    """Most urgent first: by deadline, those without one last, by how long they have waited."""
    return documents.of_listed_games(waiting_games(user=person(request)))


@call("GET", "List my invitations", documents.InvitationsView)
def list_invitations(request: Request) -> Answered:
    """Games that I am asked to join and have not answered, the newest first."""
    return documents.of_invitations(invitations_for(user=person(request)))


@call("GET", "Get a player", PersonView, query=PersonQuery, strangers=True, old=bool)
def get_player(request: Request, robo_name: str, asked: Values) -> Answered:
    """Their games, statistics and achievements, as far as they show them to me."""
    return person_page(viewer=request.user, robo_name=robo_name, **asked)


@call("GET", "Get my standing orders", documents.MyStandingView)
def get_standing_orders(request: Request) -> Answered:
    """What is played for me where I miss a turn, in games that have standing orders."""
    return {"standing": person(request).standing}


@call(
    "PUT",
    "Change my standing orders",
    documents.MyStandingView,
    422,
    takes=StandingSerializer,
    example={"standing": "ahead"},
)
def set_standing_orders(request: Request, asked: Values) -> Answered:
    """In all games, but those for which I have given others."""
    user = person(request)
    change_standing(user=user, **asked)
    return {"standing": user.standing}


@call("GET", "Get my days off and quiet hours", documents.MyTimeView)
def get_my_time(request: Request) -> Answered:
    """My days off, my nights, and whether vacation is taken by itself."""
    return documents.of_rest(rest_of(user=person(request)))


@call(
    "PATCH",
    "Change my days off and quiet hours",
    documents.MyTimeView,
    422,
    takes=TimeSerializer,
    example={"days_off": [5, 6], "night": ["22:00", "07:00"]},
)
def update_my_time(request: Request, asked: Values) -> Answered:
    """What is not named stays as it is. Turns that wait for me now keep the time that they have."""
    user = person(request)
    now = calendar_of(user=user)
    kept: Values = {"days_off": now.days_off, "night": now.night}
    return documents.of_rest(change_rest(user=user, **{**kept, **asked}))


@call("GET", "List my vacations", documents.VacationsView)
def list_vacations(request: Request) -> Answered:
    """What I have planned and what is not over, and how many days I have left."""
    return documents.of_vacations(person(request), now=timezone.now())


@call(
    "POST",
    "Plan a vacation",
    documents.PlannedVacationView,
    409,
    422,
    status=201,
    takes=VacationSerializer,
    example={"first": "2027-07-01", "last": "2027-07-14"},
)
def create_vacation(request: Request, asked: Values) -> Answered:
    """A day of it is spent only when a deadline of mine would be missed. 409 where it overlaps."""
    vacation = plan_vacation(user=person(request), **asked, now=timezone.now())
    return written(documents.PlannedVacationView, vacation)


@call("DELETE", "Cancel a vacation", documents.VacationsView)
def delete_vacation(request: Request, vacation_id: int) -> Answered:
    """Forget that I have planned it; days that were spent stay so. Answers with what is left."""
    user = person(request)
    call_off_vacation(user=user, vacation_id=vacation_id)
    return documents.of_vacations(user, now=timezone.now())


def _tokens_of(request: Request) -> Answered:
    user = person(request)
    shown = token_shown(user=user, token=str(request.auth)) if request.auth else None
    return documents.of_tokens(tokens_of(user=user), shown=shown)
